//! Tests of `clean`, `check` and `--rules` on the command line.

use super::{Folder, four_jobs};

const RULES: &str = r#"
[[rule]]
id = "cancelled"
because = "its user gave it up"
drop = "status = 5"

[[expect]]
id = "short"
because = "nothing runs for more than a minute"
all = "run <= 1min"

[[expect]]
count = 3
"#;

fn folder(rules: &str) -> Folder {
    let folder = Folder::new();
    folder.write("four.swf", &four_jobs());
    folder.write("rules.toml", rules);
    folder
}

#[test]
fn each_rule_prints_a_line_and_the_header_lists_it() {
    let rules = RULES.replace("1min", "100s");
    let folder = folder(&rules);
    let done = folder.run(&["clean", "four.swf", "--rules", "rules.toml", "-o", "clean.swf"]);
    assert_eq!(
        done.succeeded(),
        "cancelled: 1 job dropped: its user gave it up\n3 of 4 jobs left\n",
        "{}",
        done.err
    );
    let clean = folder.read("clean.swf");
    assert!(clean.contains("; Note: rule cancelled dropped 1 job (drop status = 5: its user gave it up)\n"));
    assert_eq!(clean.lines().filter(|line| !line.starts_with(';')).count(), 3);
    // Applied again, the rules change nothing; the log goes to standard output, the messages to standard
    // error.
    let again = folder.run(&["clean", "clean.swf", "--rules", "rules.toml", "-o", "-"]);
    assert_eq!(again.succeeded(), clean);
    assert!(again.err.contains("cancelled: 0 jobs dropped"));
}

#[test]
fn explained_rules_show_their_text_and_the_first_jobs() {
    let folder = folder(
        "[[rule]]\nid = 'wide'\nbecause = 'x'\nmend = { allocated_procs = '2' }\nwhen = 'procs > 2'\n",
    );
    // The size is the number of requested processors, so correcting the allocated ones leaves the condition
    // true.
    let done = folder.run(&["clean", "four.swf", "--rules", "rules.toml", "-o", "clean.swf", "--explain"]);
    assert_eq!(
        done.succeeded(),
        "wide: 1 job mended: x\n    mend allocated_procs = 2 when procs > 2\n    line 3: job 2: allocated_procs 4 \
         becomes 2\n4 of 4 jobs left\n"
    );
}

#[test]
fn a_log_that_is_not_as_expected_ends_with_1_and_is_not_written() {
    let folder = folder(RULES);
    let done = folder.run(&["clean", "four.swf", "--rules", "rules.toml", "-o", "clean.swf"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("nothing was written: 1 of 2 expectations does not hold"), "{}", done.err);
    assert_eq!(folder.files(), ["four.swf", "rules.toml"]);
    let done = folder.run(&["check", "four.swf", "--rules", "rules.toml"]);
    assert_eq!(done.code, 1);
    assert_eq!(
        done.out,
        "cancelled: 1 job dropped: its user gave it up\n\
         FAILED  short: all: run <= 1min: 1 of 3 jobs is not (nothing runs for more than a minute)\n  \
         line 2: job 1: run 100\n\
         ok      expect-2: count: 3: 3 jobs\n"
    );
}

#[test]
fn continuous_integration_gets_junit_and_programs_get_json() {
    let folder = folder(RULES);
    let done = folder.run(&["check", "four.swf", "--rules", "rules.toml", "--format", "junit"]);
    assert_eq!(done.code, 1);
    let page = roxmltree::Document::parse(&done.out).unwrap();
    let cases: Vec<(Option<&str>, bool)> = page
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .map(|case| (case.attribute("name"), case.children().any(|child| child.has_tag_name("failure"))))
        .collect();
    assert_eq!(cases, [(Some("short"), true), (Some("expect-2"), false)]);
    assert_eq!(page.root_element().attribute("failures"), Some("1"));
    assert!(done.out.contains("line 2: job 1: run 100"));
    let done = folder.run(&["check", "four.swf", "--rules", "rules.toml", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["rules"][0]["count"], 1);
    assert_eq!(report["expectations"][0]["offenders"][0]["line"], 2);
}

#[test]
fn rules_that_cannot_be_used_are_wrong_usage() {
    let folder = folder("[[rule]]\nid = 'x'\nbecause = 'x'\ndrop = 'runtme > 4h'\n");
    let check = |rules: &str| folder.run(&["check", "four.swf", "--rules", rules]);
    check("rules.toml").failed(2, "rules.toml: line 4: rule `x`: `drop`:\n  runtme > 4h\n  ^^^^^^\n");
    check("rules.toml").failed(2, "it has job, submit, wait, run, ");
    check("pwa:kht-sp2").failed(3, "did you mean `pwa:kth-sp2`?");
    check("missing.toml").failed(3, "cannot read missing.toml");
    folder.write("broken.toml", "[[rule]\n");
    check("broken.toml").failed(2, "broken.toml: line 1, column 8: ");
}

#[test]
fn a_replay_cleans_its_log_first() {
    let folder = folder(&RULES.replace("1min", "100s"));
    let replay = |rules: &str| {
        folder.run(&["replay", "four.swf", "--policy", "easy", "--rules", rules, "--metrics", "jobs"])
    };
    let done = replay("rules.toml");
    assert!(done.succeeded().contains("3 jobs used, 0 dropped"), "{}", done.out);
    assert!(done.err.contains("rule cancelled: 1 job dropped: its user gave it up"), "{}", done.err);
    folder.write("strict.toml", RULES);
    replay("strict.toml").failed(1, "1 of 2 expectations does not hold");
}

#[test]
fn rules_that_leave_no_job_write_nothing_and_end_with_3() {
    let folder = folder("[[rule]]\nid = 'all'\nbecause = 'x'\ndrop = 'run > 0'\n");
    folder.write("clean.swf", "old");
    let done = folder.run(&["clean", "four.swf", "--rules", "rules.toml", "-o", "clean.swf"]);
    assert_eq!((done.code, &*done.out), (3, "all: 4 jobs dropped: x\n0 of 4 jobs left\n"), "{}", done.err);
    assert!(done.err.contains("the rules of rules.toml leave none of 4 jobs"), "{}", done.err);
    assert_eq!((folder.read("clean.swf"), folder.files().len()), ("old".into(), 3));
    let replay = folder.run(&["replay", "four.swf", "--policy", "easy", "--rules", "rules.toml"]);
    replay.failed(3, "the rules of rules.toml leave none of 4 jobs");
}

#[test]
fn no_job_is_too_large_for_a_machine_of_unknown_size() {
    let folder = Folder::new();
    folder.write("four.swf", &four_jobs().replace("; MaxProcs: 4\n", ""));
    assert!(!folder.read("four.swf").contains("MaxProcs"));
    let done = folder.run(&["clean", "four.swf", "--rules", "sc15", "-o", "clean.swf"]);
    assert!(done.succeeded().starts_with("oversized: 0 jobs dropped"), "{}", done.out);
    assert!(done.out.ends_with("4 of 4 jobs left\n"), "{}", done.out);
}
