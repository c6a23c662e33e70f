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
