use super::{Done, Folder};

#[test]
fn the_same_arguments_give_the_same_bytes_packed_or_not() {
    let folder = Folder::new();
    let generate = |output: &str| folder.run(&["generate", "lublin", "--jobs", "50", "-o", output]);
    generate("a.swf").succeeded();
    generate("b.swf").succeeded();
    generate("c.swf.gz").succeeded();
    assert_eq!(folder.read("a.swf"), folder.read("b.swf"));
    let unpacked = folder.run(&["convert", "c.swf.gz", "-o", "-"]);
    assert_eq!(unpacked.succeeded(), folder.read("a.swf"));
    let other = folder.run(&["generate", "lublin", "--jobs", "50", "--seed", "2", "-o", "-"]);
    assert_ne!(other.succeeded(), folder.read("a.swf"));
}

#[test]
fn the_header_gives_the_command_that_makes_the_log_again() {
    let folder = Folder::with_log();
    let log = folder.read("week.swf");
    let made = log.lines().find_map(|line| line.strip_prefix("; Note: made by batchlab ")).unwrap();
    let again = folder.run(&made.split(' ').collect::<Vec<_>>());
    assert_eq!(again.succeeded(), log);
}

#[test]
fn the_log_goes_to_standard_output_and_the_summary_to_standard_error() {
    let folder = Folder::new();
    let done = folder.run(&["generate", "lublin", "--jobs", "5", "-o", "-"]);
    assert_eq!(done.succeeded().lines().filter(|line| !line.starts_with(';')).count(), 5);
    assert_eq!(done.err, "5 jobs for 128 processors drawn from lublin (seed 1) to -\n");
    let quiet = folder.run(&["generate", "lublin", "--jobs", "5", "-o", "-", "--quiet"]);
    assert_eq!(quiet.err, "");
}

#[test]
fn what_the_model_does_not_know_is_wrong_usage_with_a_suggestion() {
    let folder = Folder::new();
    let generate = |args: &[&str]| -> Done { folder.run(&[&["generate", "-o", "a.swf"], args].concat()) };
    generate(&["lubin"]).failed(2, "did you mean `lublin`?");
    generate(&["lublin", "--set", "lode=2"]).failed(2, "did you mean `load`?");
    generate(&["lublin", "--set", "load=-1"]).failed(2, "`load=-1`: the value must be");
    generate(&["lublin", "--jobs", "0"]).failed(2, "at least one job");
    assert!(folder.files().is_empty());
}

#[test]
fn a_missing_folder_is_named() {
    let folder = Folder::new();
    let done = folder.run(&["generate", "lublin", "-o", "no/such.swf"]);
    done.failed(3, "cannot write no/such.swf: ");
}
