//! Files that are wrong: every kind of file says what, and at which place.

use crate::capacity::CalendarFile;
use crate::limits::LimitFile;
use crate::machine::MachineFile;
use crate::priorities::PriorityFile;
use crate::shape::Steps;

fn error(kind: &str, text: &str) -> String {
    match kind {
        "limits" => LimitFile::parse(text, "f").unwrap_err().to_string(),
        "priorities" => PriorityFile::parse(text, "f").unwrap_err().to_string(),
        "calendar" => CalendarFile::parse(text, "f").unwrap_err().to_string(),
        "machine" => MachineFile::parse(text, "f").unwrap_err().to_string(),
        "steps" => Steps::parse(text, "f").err().unwrap().to_string(),
        _ => panic!("no kind of file: {kind}"),
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for section in include_str!("wrong_files.txt").split("\n== ").skip(1) {
        let (kind, cases) = section.split_once('\n').unwrap();
        for case in cases.trim_end().split("\n\n") {
            let (text, expected) = case.split_once("-> ").unwrap();
            let (error, expected) = (error(kind, text), format!("f:{expected}"));
            let begins = expected.strip_suffix(" ...").is_some_and(|begin| error.starts_with(begin));
            assert!(begins || error == expected, "{case}: {error}");
        }
    }
}
