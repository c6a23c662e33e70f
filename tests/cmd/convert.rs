use super::{Folder, SHORT_LINE};

#[test]
fn a_generated_log_survives_packing_piping_and_reading_again() {
    let folder = Folder::with_log();
    let log = folder.read("week.swf");
    folder.run(&["convert", "week.swf", "-o", "week.swf.gz"]).succeeded();
    let packed = std::fs::read(folder.path("week.swf.gz")).unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    let twice = [&packed[..], &packed[..]].concat();
    assert_eq!(folder.run_with_input(&["convert", "-", "-o", "-"], packed).succeeded(), log);
    // Members of a packed file follow one another; the second header is among the jobs by then.
    let done = folder.run_with_input(&["convert", "-", "-o", "-"], twice);
    assert_eq!(done.succeeded().lines().filter(|line| !line.starts_with(';')).count(), 400);
    assert!(done.err.contains("swf-late-header"), "{}", done.err);
}

#[test]
fn findings_and_the_summary_go_to_standard_error_and_quiet_silences_them() {
    let folder = Folder::new();
    folder.write("a.swf", SHORT_LINE);
    let done = folder.run(&["convert", "a.swf", "-o", "-"]);
    assert!(done.succeeded().contains("2 5 -1 10 4 -1 -1 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"), "{}", done.out);
    assert!(done.err.starts_with("warning[swf-short-line]: 1 "), "{}", done.err);
    assert!(done.err.contains("\n  a.swf:3"), "{}", done.err);
    assert!(done.err.ends_with("3 records converted from a.swf (swf) to -\n"), "{}", done.err);
    let quiet = folder.run(&["convert", "a.swf", "-o", "-", "--quiet"]);
    assert_eq!((quiet.succeeded(), quiet.err.as_str()), (done.out.as_str(), ""));
}

#[test]
fn a_strict_refusal_leaves_no_file_and_an_older_one_as_it_was() {
    let folder = Folder::new();
    folder.write("a.swf", SHORT_LINE);
    let refused = || folder.run(&["convert", "a.swf", "-o", "b.swf", "--strict"]);
    refused().failed(3, "refused by --strict: warning[swf-short-line]");
    assert_eq!(folder.files(), ["a.swf"]);
    folder.write("b.swf", "old");
    refused().failed(3, "a.swf:3");
    assert_eq!((folder.files().len(), folder.read("b.swf")), (2, "old".into()));
}

#[test]
fn what_cannot_be_read_or_written_is_named() {
    let folder = Folder::new();
    folder.write("a.swf", SHORT_LINE);
    folder.write("page.html", "<html>\n");
    let convert = |input: &str, output: &str| folder.run(&["convert", input, "-o", output]);
    convert("none.swf", "b.swf").failed(3, "cannot read none.swf: ");
    convert("page.html", "b.swf").failed(3, "page.html: no known kind of log; looked for swf");
    convert("a.swf", "no/such.swf").failed(3, "cannot write no/such.swf: ");
    convert("a.swf", ".").failed(3, "cannot write .: ");
    assert_eq!(folder.files(), ["a.swf", "page.html"]);
    folder.run(&["convert", "a.swf"]).failed(2, "--output <OUT>");
    folder.run(&["convert", "a.swf", "-o", "b", "--from", "swff"]).failed(2, "swf");
    folder.run(&["convert", "a.swf", "-o", "b.swf", "--from", "SWF"]).succeeded();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let folder = Folder::with_log();
    let done = folder.run(&["convert", "week.swf", "-o", "/dev/full"]);
    done.failed(3, "cannot write /dev/full: ");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(folder.command().get_program());
    let command = command.args(["convert", "week.swf", "-o", "-"]).current_dir(folder.0.path());
    let done = command.stdout(full).output().unwrap();
    let reason = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(3));
    assert!(reason.starts_with("error: cannot write to standard output: "), "{reason}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = Folder::new();
    folder.run(&["generate", "lublin", "-o", "long.swf", "--jobs", "20000"]).succeeded();
    let done = folder.run_and_leave(&["convert", "long.swf", "-o", "-", "-q"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}
