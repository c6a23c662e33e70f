use super::super::STEPS;
use super::*;
use crate::sorted::SortedSet;

fn error(text: &str) -> String {
    Steps::parse(text, "s.toml").err().expect("an error").to_string()
}

#[test]
fn expressions_are_shown_with_their_place() {
    let syntax = error("[[step]]\nkind = \"filter\"\nkeep = \"procs >\"");
    assert!(syntax.starts_with("s.toml:3:8: `keep` is not an expression\nprocs >\n       ^"), "{syntax}");
    let text =
        "[[step]]\nkind = \"filter\"\nkeep = \"true\"\n[[step]]\nkind = \"filter\"\nkeep = \"rum > 1\"";
    let error = shape_with(text, submitted(&[0, 1]), 1, &[]).err().unwrap();
    assert!(error.is_usage());
    let error = error.to_string();
    let begins = "steps.toml:6:8: step `filter`: its expression cannot be used\nrum > 1\n^^^\n";
    assert!(error.starts_with(begins), "{error}");
    assert!(error.contains("did you mean `run`?); it has job, submit, wait, run, "), "{error}");
}

#[test]
fn steps_are_recorded_in_provenance_and_header() {
    let text =
        "[[step]]\nkind = \"filter\"\n# sizes\nkeep = \"procs > 1\"\n[[step]]\nkind = \"shift\"\nby = \"1h\"";
    let trace = log(&[(0, 10, 1, 20, 1), (60, 10, 2, 20, 1), (90, 10, 4, 20, 1)]);
    let shaped = shape_with(text, trace, 1, &[]).unwrap();
    let trace = &shaped.logs[0].trace;
    let steps = &trace.provenance.steps;
    let of = |at: usize| (steps[at].name.as_str(), steps[at].detail.as_str(), steps[at].count);
    assert_eq!(of(0), ("shape-filter", "keep=\"procs > 1\"", 1));
    assert_eq!(of(1), ("shape-shift", "by=\"1h\"", 2));
    assert_eq!(trace.header.notes[0], "shaped by filter keep=\"procs > 1\": 1 of 3 jobs left out");
    assert_eq!(trace.header.lines[1], "; Note: shaped by filter keep=\"procs > 1\": 1 of 3 jobs left out");
    assert_eq!(shaped.reports[1].to_string(), "shift: 2 of 2 jobs moved by 3600 s (by=\"1h\")");
    assert_eq!((trace.header.max_jobs, trace.header.max_records), (Some(2), Some(2)));
}

#[test]
fn a_step_that_leaves_nothing_is_refused_and_an_empty_file_changes_nothing() {
    let error = refusal("filter", "keep = \"procs > 99\"", submitted(&[0, 1, 2]));
    assert_eq!(error, "steps.toml:1:1: step `filter`: none of 3 jobs is left");
    let same = shape("# nothing\n", submitted(&[0, 7]));
    assert_eq!((numbers(&same, Field::Submit), same.header.notes.len()), (vec![0, 7], 0));
}

#[test]
fn every_step_is_described_and_no_two_have_one_name() {
    let names: SortedSet<&str> = STEPS.iter().map(|spec| spec.name).collect();
    assert_eq!(names.len(), STEPS.len());
    let is_phrase = |words: &str| !words.is_empty() && !words.ends_with('.');
    for spec in STEPS {
        assert!(is_phrase(spec.summary) && !spec.cite.words.is_empty(), "{}", spec.name);
        let keys: Vec<&str> = spec.params.iter().map(|param| param.name).collect();
        for param in spec.params {
            let is_told = !param.takes.is_empty() && !param.default.is_empty();
            assert!(is_phrase(param.help) && is_told, "{} {}", spec.name, param.name);
        }
        assert_eq!(keys, (spec.keys)(), "{}: what is listed is what is read", spec.name);
        assert_eq!(keys.iter().collect::<SortedSet<_>>().len(), spec.params.len(), "{}", spec.name);
    }
}

#[test]
fn jobs_whose_predecessor_is_left_out_wait_for_none() {
    let mut trace = submitted(&[0, 10, 20]);
    trace.set_column(Field::Preceding, [-1, 1, 2].map(Number::whole).into_iter().collect());
    trace.set_column(Field::Think, [-1, 4, 5].map(Number::whole).into_iter().collect());
    let rest = step("filter", "drop = \"job = 1\"", trace);
    assert_eq!((numbers(&rest, Field::Preceding), numbers(&rest, Field::Think)), (vec![-1, 2], vec![-1, 5]));
    assert_eq!(rest.findings.count("shape-orphan"), 1);
}
