//! Tests of logs of batch systems on the command line: truncated, refused; `scripts/convert.txt` has complete ones.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

use super::Folder;

/// Logs from the readers' samples: format, file, number of jobs.
const SAMPLES: [(&str, &str, usize); 5] = [
    ("pbs", "torque.log", 5),
    ("pbs", "professional.log", 6),
    ("lsf", "small.acct", 6),
    ("sge", "accounting", 7),
    ("uge", "accounting", 3),
];

fn sample(format: &str, name: &str) -> Vec<u8> {
    let path = format!("{}/parsers/tests/samples/{format}/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

/// A packed log without its second half, packed without compression so that half of the log itself is missing.
fn torn(log: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(log).unwrap();
    let mut packed = encoder.finish().unwrap();
    packed.truncate(packed.len() / 2);
    packed
}

#[test]
fn a_torn_packed_log_is_used_up_to_the_tear_and_says_so_loudly() {
    for (format, name, jobs) in SAMPLES {
        let folder = Folder::new();
        std::fs::write(folder.path("torn.gz"), torn(&sample(format, name))).unwrap();
        let done = folder.run(&["convert", "torn.gz", "-o", "out.swf"]);
        done.succeeded();
        assert!(done.err.contains("WARNING[gzip-torn]: 1 packed file"), "{}", done.err);
        let rows = folder.read("out.swf").lines().filter(|line| !line.starts_with(';')).count();
        assert!(0 < rows && rows < jobs, "{format}: {rows} of {jobs}");
        // Quiet hides findings, and not that the end of the log is missing.
        let quiet = folder.run(&["convert", "torn.gz", "-o", "quiet.swf", "--quiet"]);
        quiet.succeeded();
        assert!(quiet.err.starts_with("WARNING[gzip-torn]: 1 packed file"), "{}", quiet.err);
        let strict = Folder::new();
        std::fs::write(strict.path("torn.gz"), torn(&sample(format, name))).unwrap();
        strict.run(&["convert", "torn.gz", "-o", "out.swf", "--strict"]).failed(3, "refused by --strict: ");
        assert_eq!(strict.files(), ["torn.gz"]);
    }
}

#[test]
fn a_file_that_only_looks_a_little_like_a_log_is_named_after_the_nearest_kind() {
    let folder = Folder::new();
    let log = String::from_utf8(sample("pbs", "torque.log")).unwrap();
    let diluted: Vec<String> =
        log.lines().map(|line| format!("the quick\nbrown fox\njumps\n{line}")).collect();
    folder.write("notes.txt", &diluted.join("\n"));
    let words = "no known kind of log (it looks most like pbs: --from pbs reads it as one)";
    folder.run(&["convert", "notes.txt", "-o", "out.swf"]).failed(3, words);
    let words = "not a pbs log: 39 of its 52 lines are not records";
    folder.run(&["convert", "notes.txt", "-o", "out.swf", "--from", "pbs"]).failed(3, words);
    let half: Vec<String> = log.lines().map(|line| format!("the quick\n{line}")).collect();
    folder.write("notes.txt", &half.join("\n"));
    let done = folder.run(&["convert", "notes.txt", "-o", "out.swf", "--from", "pbs"]);
    done.succeeded();
    assert!(done.err.contains("warning[pbs-dropped-line]: 13 lines"), "{}", done.err);
}
