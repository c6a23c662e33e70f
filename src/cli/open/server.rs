//! A server of a few files for one browser on the same machine.
//!
//! It answers `GET` and `HEAD` for addresses that begin with its random word, and only if the request names its own host: a page
//! of another site can neither guess the word nor reach the server under another name. Each connection has one request, of at
//! most [`LONGEST`] bytes within [`PATIENCE`]; at most [`MOST`] are answered at the same time.

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::page::{FIRST, Page};
use crate::lab::Failure;

/// The most bytes of a request.
const LONGEST: usize = 8 << 10;
/// The most time for a request to arrive, and for a write to be taken.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most connections at the same time.
const MOST: usize = 32;
/// What the page has where the name of the log goes.
const PLACE: &str = "<meta name=\"batchlab-log\" content=\"\">";

#[derive(Debug)]
pub struct OpenedLog {
    name: String,
    path: PathBuf,
}

impl OpenedLog {
    /// Returns the log of a file that can be read.
    pub fn of(path: &Path) -> Result<OpenedLog, Failure> {
        let failed = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        if path.as_os_str() == "-" {
            return Err(Failure::Usage("the browser reads the log from a file: name one".into()));
        }
        let file = File::open(path).map_err(|error| failed(error.to_string()))?;
        if !file.metadata().map_err(|error| failed(error.to_string()))?.is_file() {
            return Err(failed("it is no file".into()));
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(OpenedLog { name, path: path.to_path_buf() })
    }
}

#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    files: Files,
}

#[derive(Debug)]
struct Files {
    page: Page,
    log: OpenedLog,
    word: String,
    hosts: [String; 2],
}

impl Server {
    /// Takes a port of this machine; 0 is any free one.
    pub fn begin(page: Page, log: OpenedLog, port: u16) -> Result<Server, Failure> {
        let begun = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) =
            begun.map_err(|error| Failure::Input(format!("127.0.0.1:{port}: {error}")))?;
        let port = address.port();
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Ok(Server { listener, address, files: Files { page, log, word: word(), hosts } })
    }

    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.address, self.files.word)
    }

    /// Answers requests until the program ends.
    pub fn serve(&self) -> Result<(), Failure> {
        let busy = AtomicUsize::new(0);
        thread::scope(|scope| {
            let mut failures = 0;
            loop {
                match self.listener.accept() {
                    Ok((stream, _)) if busy.fetch_add(1, Ordering::Relaxed) < MOST => {
                        failures = 0;
                        let busy = &busy;
                        let answer = move || {
                            // A browser that leaves early is no error.
                            let _ = self.files.converse(stream);
                            busy.fetch_sub(1, Ordering::Relaxed);
                        };
                        if thread::Builder::new().name("answer".into()).spawn_scoped(scope, answer).is_err() {
                            busy.fetch_sub(1, Ordering::Relaxed);
                        }
                    }
                    Ok(_) => {
                        busy.fetch_sub(1, Ordering::Relaxed);
                    }
                    // Too many open files, or a connection that was gone before it was accepted.
                    Err(_) if failures < 100 => {
                        failures += 1;
                        thread::sleep(Duration::from_millis(50));
                    }
                    Err(error) => return Err(Failure::Input(format!("{}: {error}", self.address))),
                }
            }
        })
    }
}

/// Returns a word that nobody can guess: 128 bits by the keys of hash maps, which the system's random numbers make.
fn word() -> String {
    let [first, second] = [0_u8, 1].map(|part| RandomState::new().hash_one(part));
    format!("{first:016x}{second:016x}")
}

#[derive(Debug, PartialEq, Eq)]
enum Response<'a> {
    /// A refusal, with its status.
    No(&'static str),
    /// Bytes, with their type, and whether they are packed.
    Bytes(Vec<u8>, &'static str),
    Page(super::page::PageFile<'a>),
    Log,
}

impl Files {
    fn converse(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let Some(request) = read(&mut stream)? else {
            respond(&mut stream, "431 Request Header Fields Too Large", &[], 0)?;
            // With bytes that nobody has read, the system would take the answer back.
            stream.shutdown(Shutdown::Write)?;
            stream.set_read_timeout(Some(Duration::from_secs(1)))?;
            return io::copy(&mut stream.take(8 * LONGEST as u64), &mut io::sink()).map(|_| ());
        };
        let is_head = request.starts_with("HEAD ");
        let send =
            |stream: &mut TcpStream, bytes: &[u8]| if is_head { Ok(()) } else { stream.write_all(bytes) };
        match self.answer(&request) {
            Response::No(status) => respond(&mut stream, status, &[], 0),
            Response::Bytes(bytes, kind) => {
                respond(&mut stream, "200 OK", &[("Content-Type", kind)], bytes.len() as u64)?;
                send(&mut stream, &bytes)
            }
            Response::Page(file) => {
                let mut heads = vec![("Content-Type", file.kind)];
                if file.is_packed {
                    heads.push(("Content-Encoding", "gzip"));
                }
                respond(&mut stream, "200 OK", &heads, file.bytes.len() as u64)?;
                send(&mut stream, file.bytes)
            }
            Response::Log => {
                let Ok(mut file) = File::open(&self.log.path) else {
                    return respond(&mut stream, "404 Not Found", &[], 0);
                };
                let len = file.metadata()?.len();
                respond(&mut stream, "200 OK", &[("Content-Type", "application/octet-stream")], len)?;
                if !is_head {
                    // A log that grows while it is sent is sent as it was.
                    io::copy(&mut (&mut file).take(len), &mut stream)?;
                }
                Ok(())
            }
        }
    }

    fn answer(&self, request: &str) -> Response<'_> {
        let mut lines = request.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (method, target, version) = (words.next(), words.next().unwrap_or_default(), words.next());
        if !version.is_some_and(|version| version.starts_with("HTTP/1.")) {
            return Response::No("400 Bad Request");
        }
        let headers = lines.filter_map(|line| line.split_once(':'));
        let mut hosts = headers.filter(|(name, _)| name.eq_ignore_ascii_case("host"));
        let host = hosts.next().map(|(_, value)| value.trim());
        if hosts.next().is_some() || !host.is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            return Response::No("421 Misdirected Request");
        }
        if !matches!(method, Some("GET" | "HEAD")) {
            return Response::No("405 Method Not Allowed");
        }
        let Some(name) = target.strip_prefix('/').and_then(|rest| rest.strip_prefix(self.word.as_str()))
        else {
            return Response::No("404 Not Found");
        };
        match name {
            "/" | "/index.html" => self.first(),
            "/log" => Response::Log,
            _ => {
                let file = name.strip_prefix('/').and_then(|name| self.page.file(name));
                file.map_or(Response::No("404 Not Found"), Response::Page)
            }
        }
    }

    /// Returns the page with the name of the log.
    fn first(&self) -> Response<'_> {
        let bytes = self.page.file(FIRST).map(|file| file.bytes).unwrap_or_default();
        let escaped: String = self.log.name.chars().map(escaped).collect();
        let page = String::from_utf8_lossy(bytes);
        let page = page.replacen(PLACE, &PLACE.replace("\"\"", &format!("\"{escaped}\"")), 1);
        Response::Bytes(page.into_bytes(), "text/html; charset=utf-8")
    }
}

fn escaped(letter: char) -> String {
    match letter {
        '&' => "&amp;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '"' => "&quot;".into(),
        letter => letter.into(),
    }
}

/// Reads a request up to the empty line; `None` if it is too long.
fn read(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&buffer[..count]);
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            bytes.truncate(end);
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
        if bytes.len() > LONGEST {
            return Ok(None);
        }
    }
}

/// Writes the head of a response, after which the connection is closed.
fn respond(stream: &mut TcpStream, status: &str, headers: &[(&str, &str)], len: u64) -> io::Result<()> {
    let mut head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {len}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    );
    for (name, value) in headers {
        for part in [*name, ": ", *value, "\r\n"] {
            head += part;
        }
    }
    stream.write_all((head + "\r\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Files {
        let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        put("index.html", &format!("<head>{PLACE}</head>"));
        put("batchlab.wasm", "engine");
        put("a&b.swf", "; log");
        let (page, log) = (Page::in_folder(folder).unwrap(), OpenedLog::of(&folder.join("a&b.swf")).unwrap());
        Files { page, log, word: "word".into(), hosts: ["127.0.0.1:80".into(), "localhost:80".into()] }
    }

    #[test]
    fn only_the_page_and_the_log_are_served_and_only_under_the_own_name() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        let ask = |line: &str, host: &str| files.answer(&format!("{line} HTTP/1.1\r\nHost: {host}"));
        let first = Response::Bytes(
            b"<head><meta name=\"batchlab-log\" content=\"a&amp;b.swf\"></head>".to_vec(),
            "text/html; charset=utf-8",
        );
        assert_eq!(ask("GET /word/", "127.0.0.1:80"), first);
        assert_eq!(ask("GET /word/log", "localhost:80"), Response::Log);
        assert!(matches!(ask("GET /word/batchlab.wasm", "127.0.0.1:80"), Response::Page(_)));
        for target in
            ["/", "/log", "/other/log", "/word/../Cargo.toml", "/word//etc/passwd", "/wordlog", "/word"]
        {
            assert_eq!(
                ask(&format!("GET {target}"), "127.0.0.1:80"),
                Response::No("404 Not Found"),
                "{target}"
            );
        }
        for host in ["example.org", "127.0.0.1", "127.0.0.1:81", ""] {
            assert_eq!(ask("GET /word/log", host), Response::No("421 Misdirected Request"), "{host}");
        }
        assert_eq!(ask("POST /word/log", "127.0.0.1:80"), Response::No("405 Method Not Allowed"));
        assert_eq!(files.answer("GET /word/log HTTP/1.1"), Response::No("421 Misdirected Request"));
        assert_eq!(files.answer("nonsense"), Response::No("400 Bad Request"));
    }

    #[test]
    fn words_are_long_and_differ() {
        let (one, other) = (word(), word());
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
        assert_ne!(one[..16], one[16..]);
    }
}
