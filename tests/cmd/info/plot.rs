//! Tests of `batchlab info --plot`: the file is a complete plot or does not exist.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use roxmltree::{Document, Node};

use crate::cmd::Folder;

/// Five jobs of two users on eight processors within a day, their waits recorded.
const FIVE_JOBS: &str = include_str!("five.swf");

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("five.swf", FIVE_JOBS);
    folder
}

fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let is_text = |node: &Node<'_, '_>| node.has_tag_name("text");
    document.descendants().filter(is_text).filter_map(|node| node.text().map(String::from)).collect()
}

#[test]
fn five_jobs_are_drawn_the_same_to_the_byte() {
    let folder = folder();
    let done = folder.run(&["info", "five.swf", "--plot", "five.svg"]);
    assert!(done.succeeded().starts_with("five.swf (swf, "));
    assert_eq!((done.err.as_str(), folder.files()), ("", vec!["five.svg".into(), "five.swf".into()]));
    let expected =
        include_str!("five.svg").replace("batchlab 0.1.0", concat!("batchlab ", env!("CARGO_PKG_VERSION")));
    assert_eq!(folder.read("five.svg"), expected);
}

#[test]
fn a_plot_goes_to_standard_output_alone_and_is_packed_by_its_name() {
    let folder = folder();
    let alone = folder.run(&["info", "five.swf", "--plot", "-"]);
    assert!(alone.succeeded().starts_with("<svg ") && alone.out.ends_with("</svg>\n"));
    folder.run(&["info", "five.swf", "--plot", "five.svg.gz", "--format", "json"]).succeeded();
    let mut unpacked = String::new();
    MultiGzDecoder::new(&std::fs::read(folder.path("five.svg.gz")).unwrap()[..])
        .read_to_string(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, alone.out);
}

#[test]
fn logs_of_any_kind_make_a_whole_plot_quickly() {
    let folder = Folder::with_log();
    let huge = i64::MAX;
    let job = |submit, wait, run, procs| {
        format!("1 {submit} {wait} {run} {procs} -1 -1 {procs} {run} -1 1 {procs} -1 -1 -1 -1 -1 -1\n")
    };
    let odd = [
        ("empty.swf", String::new()),
        ("one.swf", job(0, 0, 1, 1)),
        ("huge.swf", [job(0, 0, huge, huge), job(huge, huge, huge, huge), job(5, 1, 0, 1)].concat()),
        ("centuries.swf", [job(0, 0, 10, 1), job(99_999_999_999, 7, 99_999_999_999, 2)].concat()),
        ("fractions.swf", "1 0.25 0.5 0.000001 3 -1 -1 3 0.5 -1 1 1 -1 -1 -1 -1 -1 -1\n".repeat(3)),
        ("dated.swf", format!("; UnixStartTime: {huge}\n; MaxProcs: 0\n") + &job(0, 0, 5, 1)),
    ];
    for (name, log) in &odd {
        folder.write(name, log);
    }
    for name in odd.iter().map(|(name, _)| *name).chain(["week.swf"]) {
        let done = folder.run(&["info", name, "--plot", "-", "-q"]);
        if done.code == 0 {
            assert!(!texts(&done.out).is_empty() && done.out.len() < 300_000, "{name}");
            assert!(!done.out.contains("NaN") && !done.out.contains("inf"), "{name}:\n{}", done.out);
        } else {
            assert_eq!((done.code, name), (3, "empty.swf"), "{}", done.err);
        }
    }
}

#[test]
fn a_plot_is_a_pdf_by_its_name_and_as_wide_as_its_size() {
    let folder = folder();
    for (size, width) in [("panel", 832.0), ("column", 316.8), ("text", 672.0), ("slide", 960.0)] {
        let drawn = folder.run(&["info", "five.swf", "--plot", "-", "--plot-size", size]);
        let document = Document::parse(drawn.succeeded()).unwrap();
        let of = document.root_element().attribute("width").unwrap().parse::<f64>().unwrap();
        assert!((of - width).abs() < 0.01, "{size}: {of}");
        assert_eq!(texts(&drawn.out).contains(&"five".to_owned()), size == "panel", "{size}");
    }
    folder.run(&["info", "five.swf", "--plot", "five.pdf", "--plot-size", "text"]).succeeded();
    let made = std::fs::read(folder.path("five.pdf")).unwrap();
    // 7 inches are 504 points.
    assert!(made.starts_with(b"%PDF-1.4") && made.windows(16).any(|part| part == b"/MediaBox [0 0 5"));
    let wrong = folder.run(&["info", "five.swf", "--plot", "-", "--plot-size", "colum"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("known are panel, column, text, slide"), "{}", wrong.err);
}
