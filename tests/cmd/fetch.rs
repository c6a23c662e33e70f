//! `batchlab fetch` against a server on this machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{Done, Folder};

/// The log that the server has: packed, with a header.
const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/data/lublin-128.swf.gz");

/// A server that answers each request as a function of its path, its number and the byte from which it asks.
struct Server {
    address: String,
    /// The requests, as they came.
    seen: Arc<Mutex<Vec<String>>>,
}

type Answers = fn(&mut TcpStream, path: &str, number: usize, from: usize);

impl Server {
    fn new(answers: Answers) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let requests = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, requests) = (stream.unwrap(), Arc::clone(&requests));
                std::thread::spawn(move || serve(stream, &requests, answers));
            }
        });
        Server { address, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, requests: &Mutex<Vec<String>>, answers: Answers) {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let Some(first) = head.first() else { return };
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let head = head.join("\n").to_ascii_lowercase();
    let range = head.split("range: bytes=").nth(1).and_then(|rest| rest.split('-').next()?.parse().ok());
    let number = {
        let mut seen = requests.lock().unwrap();
        seen.push(head);
        seen.len()
    };
    answers(&mut stream, &path, number, range.unwrap_or(0));
}

fn log_bytes() -> Vec<u8> {
    std::fs::read(LOG).unwrap()
}

/// Sends the log from a byte on, but only some bytes of it, and ends.
fn send(stream: &mut TcpStream, from: usize, most: usize) {
    let log = log_bytes();
    let rest = &log[from..];
    let (status, range) = match from {
        0 => ("200 OK", String::new()),
        _ => (
            "206 Partial Content",
            format!("Content-Range: bytes {from}-{}/{}\r\n", log.len() - 1, log.len()),
        ),
    };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nETag: \"one\"\r\n{range}Content-Length: {}\r\nConnection: close\r\n\r\n",
        rest.len()
    );
    let _ = stream.write_all(&rest[..most.min(rest.len())]);
}

fn answer(stream: &mut TcpStream, status: &str, head: &str, body: &str) {
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\n{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
}

fn plain(stream: &mut TcpStream, path: &str, _: usize, from: usize) {
    match path {
        "/log" => send(stream, from, usize::MAX),
        "/moved" => answer(stream, "302 Found", "Location: /log\r\n", ""),
        "/file" => answer(stream, "302 Found", "Location: file:///etc/passwd\r\n", ""),
        "/loop" => answer(stream, "302 Found", "Location: /loop\r\n", ""),
        "/page" => answer(stream, "200 OK", "", "<html>this log has moved</html>"),
        "/slow" => {
            send(stream, 0, 1000);
            std::thread::sleep(Duration::from_secs(10));
        }
        _ => answer(stream, "404 Not Found", "", "nothing"),
    }
}

/// A folder with a catalogue of one log, whose hash is this one; its cache is `cache` in the folder.
fn folder(address: &str, hash: Option<&str>) -> Folder {
    let folder = Folder::new();
    let hash = hash
        .map_or_else(String::new, |hash| format!("bytes = {}\nsha256 = [\"{hash}\"]\n", log_bytes().len()));
    folder.write(
        "more.toml",
        &format!(
            "[[log]]\nname = \"site:week\"\ntitle = \"A week\"\npage = \"https://page.example\"\n\
             [[log.file]]\nversion = \"1\"\nfile = \"week.swf.gz\"\naddress = \"{address}\"\n{hash}"
        ),
    );
    folder
}

fn hash() -> String {
    batchlab::parsers::sha256(std::io::Cursor::new(log_bytes())).unwrap()
}

/// Runs the program with the cache and the catalogue of the folder, and without proxies.
fn run(folder: &Folder, args: &[&str]) -> Done {
    Done::of(command(folder).args(args).output().unwrap())
}

fn command(folder: &Folder) -> assert_cmd::Command {
    let mut command = folder.command();
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(name);
    }
    command.env("BATCHLAB_CACHE", folder.path("cache")).env("BATCHLAB_CATALOGUE", folder.path("more.toml"));
    command
}

fn cached(folder: &Folder) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.path("cache/logs/site")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_log_is_fetched_once_and_stands_wherever_a_log_may_stand() {
    let server = Server::new(plain);
    let folder = folder(&format!("{}/moved", server.address), Some(&hash()));
    run(&folder, &["info", "site:week"]).failed(3, "run `batchlab fetch site:week`");
    let done = run(&folder, &["fetch", "site:week"]);
    let path = folder.path("cache/logs/site/week.swf.gz");
    assert_eq!(done.succeeded().trim_end(), path.display().to_string());
    assert!(
        done.err.contains("site:week: downloaded, 65995") && done.err.contains("as the catalogue has it"),
        "{}",
        done.err
    );
    assert_eq!(
        (std::fs::read(&path).unwrap(), cached(&folder)),
        (log_bytes(), vec!["week.swf.gz".to_owned()])
    );
    // It was redirected once; from here on there is no server.
    assert_eq!(server.seen().len(), 2);
    drop(server);
    folder.write("more.toml", &folder.read("more.toml").replace("http://127", "http://0"));
    let done = run(&folder, &["fetch", "site:week@1"]);
    assert!(done.succeeded().contains("week.swf.gz") && done.err.contains("is here"), "{}", done.err);
    assert!(run(&folder, &["list", "logs"]).succeeded().contains("A week; here: 1"));
    assert!(run(&folder, &["list", "logs", "site:week"]).succeeded().contains("here: "));
    let direct = run(&folder, &["replay", LOG, "--policy", "easy", "--format", "csv"]);
    let same = direct.succeeded().replace(LOG, &path.display().to_string());
    for name in ["site:week", "site:week@1"] {
        assert_eq!(run(&folder, &["replay", name, "--policy", "easy", "--format", "csv"]).succeeded(), same);
    }
    let streamed = run(&folder, &["replay", "site:week", "--policy", "easy", "--stream"]);
    assert!(streamed.succeeded().starts_with("Replay of week"), "{}", streamed.out);
    assert!(run(&folder, &["convert", "site:week", "-o", "-"]).succeeded().contains("MaxProcs: 128"));
    for what in ["trace = \"site:week\"", "model = \"jann97\"\nlog = \"site:week\"\njobs = 50"] {
        folder.write(
            "e.toml",
            &format!("[experiment]\nname = \"e\"\n[[workload]]\n{what}\n[[policy]]\nspec = \"fcfs\"\n"),
        );
        run(&folder, &["run", "e.toml", "--out", "r", "-q"]).succeeded();
        std::fs::remove_dir_all(folder.path("r")).unwrap();
    }
    std::fs::remove_dir_all(folder.path("cache")).unwrap();
    run(&folder, &["run", "e.toml", "--out", "r", "-q"]).failed(2, "run `batchlab fetch site:week`");
}

/// Without a hash and without `.gz` in the name, nothing but its beginning shows that a page came.
#[test]
fn a_page_is_not_kept_where_there_is_no_hash() {
    let server = Server::new(plain);
    let folder = folder(&format!("{}/page", server.address), None);
    let plain = folder.read("more.toml").replace("week.swf.gz", "week.txt");
    folder.write("more.toml", &plain);
    run(&folder, &["fetch", "site:week"]).failed(3, "it is a web page or another document, not a log");
    assert_eq!(cached(&folder), [""; 0]);
    // The same page, packed, and a file brought by other means.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(b"\n<!DOCTYPE html><title>Moved</title>").unwrap();
    std::fs::write(folder.path("page.gz"), packed.finish().unwrap()).unwrap();
    folder.write("none", "");
    for (file, why) in [("page.gz", "it is a web page"), ("none", "it is empty")] {
        run(&folder, &["fetch", "site:week", "--file", file]).failed(3, why);
        assert_eq!(cached(&folder), [""; 0]);
    }
    // One that an earlier build kept.
    folder.write("cache/logs/site/week.txt", "<html>Moved</html>");
    run(&folder, &["fetch", "site:week"]).failed(3, "an earlier download (--again replaces it)");
}

#[test]
fn another_file_is_not_kept() {
    let server = Server::new(plain);
    let log = format!("{}/log", server.address);
    let wrong = folder(&log, Some(&"0".repeat(64)));
    let done = run(&wrong, &["fetch", "site:week"]);
    done.failed(3, &format!("its SHA-256 is {}, and the catalogue has {}", hash(), "0".repeat(64)));
    assert_eq!(cached(&wrong), [""; 0]);
    // Without a hash it says what it got; what is no packed log is refused all the same.
    let unknown = folder(&log, None);
    let done = run(&unknown, &["fetch", "site:week"]);
    assert!(done.succeeded().contains("week") && done.err.contains(&hash()), "{}", done.err);
    assert!(done.err.contains("unverified: SHA-256"), "{}", done.err);
    assert!(run(&unknown, &["list", "logs"]).succeeded().contains("A week; unverified; here: 1\n"));
    let page =
        run(&unknown, &["fetch", "site:week", "--again", "--address", &format!("{}/page", server.address)]);
    page.failed(3, "it is not packed by gzip");
    assert_eq!(cached(&unknown), ["week.swf.gz"], "the log that was there stays");
    let short = folder(&log, Some(&hash()));
    short.write("more.toml", &short.read("more.toml").replace("bytes = 6", "bytes = "));
    run(&short, &["fetch", "site:week"]).failed(3, "it is another file, and was removed");
    assert_eq!(cached(&short), [""; 0]);
    // A damaged file of the cache is found, and mended by --again.
    let damaged = folder(&log, Some(&hash()));
    run(&damaged, &["fetch", "site:week", "-q"]).succeeded();
    std::fs::write(damaged.path("cache/logs/site/week.swf.gz"), "x").unwrap();
    run(&damaged, &["fetch", "site:week"]).failed(3, "fetch it with --again");
    run(&damaged, &["fetch", "site:week", "--again"]).succeeded();
}

#[test]
fn a_torn_transfer_goes_on_where_it_ended() {
    // 1,000 bytes, then nothing: the command fails and keeps them; the next one gets the rest.
    let server = Server::new(|stream, _, number, from| {
        send(stream, from, [1000, 0, usize::MAX][number.min(3) - 1]);
    });
    let folder = folder(&format!("{}/log", server.address), Some(&hash()));
    let bytes = log_bytes().len();
    run(&folder, &["fetch", "site:week"])
        .failed(3, &format!("ended after 1000 of {bytes} bytes; they are kept"));
    assert_eq!(cached(&folder), ["week.swf.gz.part", "week.swf.gz.part.from"]);
    let done = run(&folder, &["fetch", "site:week"]);
    assert!(done.succeeded().contains("week") && done.err.contains("from byte 1000 on"), "{}", done.err);
    let seen = server.seen();
    assert!(seen.len() == 3 && !seen[0].contains("range:"), "{seen:?}");
    assert!(seen[2].contains("range: bytes=1000-") && seen[2].contains("if-range: \"one\""), "{}", seen[2]);
    assert_eq!(cached(&folder), ["week.swf.gz"]);
    // One command goes on by itself as long as something comes.
    let server = Server::new(|stream, _, number, from| {
        send(stream, from, if number < 4 { 20_000 } else { usize::MAX });
    });
    let log = format!("{}/log", server.address);
    run(&folder, &["fetch", "site:week", "--again", "--address", &log]).succeeded();
    assert_eq!(server.seen().len(), 4);
    // The server's file has changed: it sends all of the new one, and so from the first byte.
    let server =
        Server::new(|stream, _, number, _| send(stream, 0, if number < 2 { 1000 } else { usize::MAX }));
    let log = format!("{}/log", server.address);
    let done = run(&folder, &["fetch", "site:week", "--again", "--address", &log]);
    assert!(done.succeeded().contains("week") && done.err.contains("downloaded, "), "{}", done.err);
}

#[test]
fn the_next_address_is_tried_when_one_fails() {
    let server = Server::new(plain);
    let at = |path: &str| format!("{}{path}", server.address);
    let folder = folder(&at("/none"), Some(&hash()));
    let known = folder.read("more.toml");
    folder.write("more.toml", &format!("{known}mirrors = [\"{}\", \"{}\"]\n", at("/page"), at("/log")));
    let done = run(&folder, &["fetch", "site:week"]);
    assert!(done.succeeded().contains("week.swf.gz") && done.err.contains("as the catalogue has it"));
    for why in ["/none: the server answered 404", "/page: it is not packed by gzip"] {
        assert!(done.err.contains(why), "{}", done.err);
    }
    assert_eq!(done.err.matches("; the next address was tried").count(), 2, "{}", done.err);
    let entry = run(&folder, &["list", "logs", "site:week"]);
    assert!(entry.succeeded().contains(&at("/none")) && entry.out.contains(&at("/log")), "{}", entry.out);
    // An address that is given is the only one.
    let given = run(&folder, &["fetch", "site:week", "--again", "--address", &at("/none")]);
    given.failed(3, "the server answered 404");
    assert!(!given.err.contains("the next address"), "{}", given.err);
    // No address has it: each says why.
    folder.write("more.toml", &format!("{known}mirrors = [\"{}\"]\n", at("/page")));
    let none = run(&folder, &["fetch", "site:week", "--again"]);
    none.failed(3, "/none: the server answered 404");
    none.failed(3, "/page: it is not packed by gzip");
    folder.write("more.toml", &format!("{known}mirrors = [\"file:///etc/passwd\"]\n"));
    run(&folder, &["fetch", "site:week"]).failed(2, "an address of week.swf.gz is neither https nor http");
}

#[test]
fn what_a_server_may_not_do_is_told() {
    let server = Server::new(plain);
    let folder = folder(&format!("{}/none", server.address), Some(&hash()));
    run(&folder, &["fetch", "site:week"])
        .failed(3, "the server answered 404; https://page.example says where");
    let at = |path: &str, more: &[&str]| {
        let address = format!("{}{path}", server.address);
        run(&folder, &[&["fetch", "site:week", "--address", &address], more].concat())
    };
    at("/file", &[]).failed(3, "redirected to file:///etc/passwd, which is not followed");
    at("/loop", &[]).failed(3, "redirected 6 times");
    let began = Instant::now();
    let done = at("/slow", &["--timeout", "1"]);
    done.failed(3, "ended after 1000 of 65995 bytes; they are kept");
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    assert!(cached(&folder).iter().all(|name| name.contains(".part")), "{:?}", cached(&folder));
    for address in ["file:///etc/passwd", "ftp://host/log", "/etc/passwd", ""] {
        run(&folder, &["fetch", "site:week", "--address", address]).failed(2, "only https and http");
    }
    // Nobody listens there.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let done = run(&folder, &["fetch", "site:week", "--address", &format!("http://{free}/log")]);
    done.failed(3, "run the command again, or use --file");
}

#[test]
fn hostile_names_and_catalogues_are_refused() {
    let folder = folder("http://127.0.0.1:1/log", None);
    for name in ["site:../../week", "../week", "site:week/..", "site:", "pwa:none", "-"] {
        let done = run(&folder, &["fetch", "--", name]);
        done.failed(2, "no log is called");
    }
    run(&folder, &["fetch", "site:week@../1"]).failed(2, "no such version");
    for file in ["../week.swf", "/etc/week.swf", ".week.swf"] {
        folder.write("more.toml", &folder.read("more.toml").replace("week.swf.gz", file));
        run(&folder, &["fetch", "site:week"]).failed(2, "is no name of a file");
        folder.write("more.toml", &folder.read("more.toml").replace(file, "week.swf.gz"));
    }
    // A wrong catalogue stops only what needs it.
    folder.write("more.toml", "[[lag]]\n");
    run(&folder, &["list", "logs"]).failed(2, "more.toml:1:3: unknown key `lag`");
    run(&folder, &["info", LOG]).succeeded();
    assert_eq!(cached(&folder), [""; 0]);
}

#[test]
fn a_file_that_was_downloaded_otherwise_is_verified() {
    let folder = folder("http://127.0.0.1:1/log", Some(&hash()));
    std::fs::write(folder.path("other.gz"), [&[0x1f, 0x8b][..], b"no log"].concat()).unwrap();
    run(&folder, &["fetch", "site:week", "--file", "other.gz"])
        .failed(3, "it is another file, and was not kept");
    run(&folder, &["fetch", "site:week", "--file", "none.gz"]).failed(3, "cannot read none.gz");
    let done = run(&folder, &["fetch", "site:week", "--file", LOG]);
    assert!(done.succeeded().contains("week") && done.err.contains("copied"), "{}", done.err);
    run(&folder, &["fetch", "site:week", "pwa:ricc", "--file", LOG]).failed(2, "name one");
    // The text of the log, unpacked by hand.
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(&log_bytes()[..]).read_to_end(&mut text).unwrap();
    let hash = batchlab::parsers::sha256(std::io::Cursor::new(text.clone())).unwrap();
    let folder = self::folder("http://127.0.0.1:1/log", Some(&hash));
    std::fs::write(folder.path("week.swf"), &text).unwrap();
    let done = run(&folder, &["fetch", "site:week", "--file", "week.swf"]);
    assert!(done.succeeded().contains("week.swf.gz") && done.err.contains("packed again"), "{}", done.err);
    run(&folder, &["info", "site:week", "-q"]).succeeded();
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_told_and_the_transfer_goes_on_later() {
    let server = Server::new(plain);
    let folder = folder(&format!("{}/log", server.address), Some(&hash()));
    // At most a few blocks of a file may be written; the signal of the limit is ignored, so that writing fails.
    let program = command(&folder).get_program().to_owned();
    let limited = |words: &str| {
        let output = std::process::Command::new("bash")
            .args(["-c", &format!("ulimit -f 16; trap '' XFSZ; exec \"$0\" {words}")])
            .arg(&program)
            .current_dir(folder.path("."))
            .env("BATCHLAB_CACHE", folder.path("cache"))
            .env("BATCHLAB_CATALOGUE", folder.path("more.toml"))
            .env("NO_PROXY", "127.0.0.1")
            .output()
            .unwrap();
        Done::of(output)
    };
    limited("fetch site:week").failed(3, "cannot write");
    assert_eq!(cached(&folder), ["week.swf.gz.part", "week.swf.gz.part.from"]);
    let done = run(&folder, &["fetch", "site:week"]);
    assert!(done.succeeded().contains("week") && done.err.contains("from byte 16384 on"), "{}", done.err);
    // While one process writes, another one is refused.
    std::fs::remove_file(folder.path("cache/logs/site/week.swf.gz")).unwrap();
    let part = std::fs::File::create(folder.path("cache/logs/site/week.swf.gz.part")).unwrap();
    part.lock().unwrap();
    run(&folder, &["fetch", "site:week"]).failed(3, "another process downloads this log");
}

#[test]
fn a_proxy_of_the_environment_is_used() {
    let server = Server::new(|stream, _, _, _| answer(stream, "403 Forbidden", "", "no"));
    let folder = folder("http://logs.example/log", Some(&hash()));
    let mut command = command(&folder);
    command.env("HTTP_PROXY", &server.address).env_remove("NO_PROXY").env_remove("no_proxy");
    let done = Done::of(command.args(["fetch", "site:week"]).output().unwrap());
    assert_eq!((done.code, done.out.as_str()), (3, ""), "{}", done.err);
    let seen = server.seen();
    assert!(seen.iter().any(|request| request.contains("logs.example")), "{seen:?}: {}", done.err);
}
