//! `batchlab open`: the page and the log of one address, and nothing else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Folder;

struct Serving {
    child: Child,
    host: String,
    word: String,
}

impl Serving {
    fn begin(folder: &Folder) -> Serving {
        let mut child = Command::new(folder.command().get_program())
            .args(["open", "my log.swf", "--page", "page", "--quiet"])
            .current_dir(folder.0.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let (host, word) =
            address.trim_end().strip_prefix("http://").and_then(|rest| rest.split_once('/')).unwrap();
        let (host, word) = (host.to_owned(), word.trim_end_matches('/').to_owned());
        Serving { child, host, word }
    }

    fn ask(&self, request: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap()[9..12].to_owned(), body.to_owned())
    }

    fn get(&self, target: &str) -> (String, String) {
        self.ask(&format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("my log.swf", "; a log\n1 0 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    folder.write("secret.swf", "; another\n");
    std::fs::create_dir(folder.0.path().join("page")).unwrap();
    folder.write("page/index.html", "<meta name=\"batchlab-log\" content=\"\">");
    folder.write("page/batchlab.wasm", "engine");
    folder
}

#[test]
fn the_page_and_the_log_are_served_under_the_address_and_nothing_else() {
    let folder = folder();
    let serving = Serving::begin(&folder);
    let word = &serving.word;
    assert!(serving.host.starts_with("127.0.0.1:") && word.len() == 32, "{} {word}", serving.host);
    let page = "<meta name=\"batchlab-log\" content=\"my log.swf\">";
    assert_eq!(serving.get(&format!("/{word}/")), ("200".into(), page.into()));
    assert_eq!(serving.get(&format!("/{word}/log")), ("200".into(), folder.read("my log.swf")));
    assert_eq!(serving.get(&format!("/{word}/batchlab.wasm")).1, "engine");
    for target in ["/", "/log", &format!("/{word}/../secret.swf"), &format!("/{word}/secret.swf")] {
        assert_eq!(serving.get(target), ("404".into(), String::new()), "{target}");
    }
    let foreign = format!("GET /{word}/log HTTP/1.1\r\nHost: example.org\r\n\r\n");
    assert_eq!(serving.ask(&foreign), ("421".into(), String::new()));
    let long = format!("GET /{word}/log HTTP/1.1\r\nHost: {}\r\nX: {}", serving.host, "x".repeat(9000));
    assert_eq!(serving.ask(&long).0, "431");
    let head = format!("HEAD /{word}/log HTTP/1.1\r\nHost: {}\r\n\r\n", serving.host);
    assert_eq!(serving.ask(&head), ("200".into(), String::new()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_it() {
    let folder = folder();
    let mut serving = Serving::begin(&folder);
    super::send(&serving.child, "-TERM");
    let begun = Instant::now();
    let code = loop {
        if let Some(status) = serving.child.try_wait().unwrap() {
            break status.code();
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it goes on");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(code, Some(143));
}

/// A build of the tests has the page only where `web/build` was run before.
#[test]
fn a_program_without_the_page_writes_a_report() {
    if std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist/index.html").is_file() {
        eprintln!("skipped: the program has the page");
        return;
    }
    let folder = folder();
    let opened = folder.run(&["open", "my log.swf"]);
    let table = opened.succeeded();
    assert!(
        ["FCFS", "EASY", "conservative backfilling"].iter().all(|policy| table.contains(policy)),
        "{table}"
    );
    assert!(opened.err.contains("my-log.html is a report of the log"), "{}", opened.err);
    let report = folder.read("my-log.html");
    assert!(report.starts_with("<!DOCTYPE html>") && report.contains("conservative backfilling"));
    // The same command again writes the same report.
    folder.run(&["open", "my log.swf"]).succeeded();
    assert_eq!(folder.read("my-log.html"), report);
}

#[test]
fn what_cannot_be_opened_is_told() {
    let folder = folder();
    folder.run(&["open", "nowhere.swf", "--page", "page"]).failed(3, "nowhere.swf");
    folder.run(&["open", "page", "--page", "page"]).failed(3, "it is no file");
    folder.run(&["open", "-", "--page", "page"]).failed(2, "from a file");
    folder.run(&["open", "my log.swf", "--page", "nowhere"]).failed(3, "--page nowhere");
    std::fs::remove_file(folder.0.path().join("page/batchlab.wasm")).unwrap();
    folder.run(&["open", "my log.swf", "--page", "page"]).failed(3, "web/build");
    folder.run(&["open", "my log.swf", "--page", "page", "--redact"]).failed(2, "convert --redact");
}
