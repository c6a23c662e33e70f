use super::*;
use crate::field::Field;
use crate::header::{Header, Named};
use crate::trace::trace_of;

/// Rows of (job, submit, run, processors, request, user), lines from 2.
fn trace(rows: &[(i64, i64, i64, i64, i64, i64)]) -> Trace {
    let fields = [Field::Job, Field::Submit, Field::Run, Field::Allocated, Field::RequestedTime, Field::User];
    let rows =
        rows.iter().map(|&(job, submit, run, procs, request, user)| [job, submit, run, procs, request, user]);
    let queue = vec![Named { number: 1, name: "normal".into() }];
    let header = Header { max_records: Some(rows.len() as i64), queue, ..Header::default() };
    trace_of(header, fields, rows)
}

fn four() -> Trace {
    trace(&[(1, 0, 10, 1, 60, 3), (2, 5, 100, 4, 60, 3), (3, 9, -1, 2, 60, 4), (4, 20, 0, 8, 60, 5)])
}

fn rules(text: &str) -> Rules {
    text.parse().unwrap()
}

fn numbers(trace: &Trace, field: Field) -> Vec<i64> {
    trace.column(field).iter().map(crate::Number::truncated).collect()
}

fn error(text: &str) -> String {
    match text.parse::<Rules>() {
        Err(error) => error.to_string(),
        Ok(rules) => rules.report(&four()).unwrap_err().to_string(),
    }
}

#[test]
fn a_range_sees_differences_below_zero_and_leaves_out_what_is_unknown() {
    let rules = rules("[[expect]]\nrange = { of = 'requested_time - run', min = 0 }\n");
    let report = rules.report(&four()).unwrap();
    // Job 2 ran for 100 s of 60; how long job 3 ran is unknown.
    assert_eq!(report.expectations[0].seen, "1 of 4 jobs is beyond");
    assert!(!report.holds());
    let rules: Rules = "[[expect]]\nrange = { of = 'run - requested_time', max = '40s' }\n".parse().unwrap();
    assert!(rules.report(&four()).unwrap().holds());
}

#[test]
fn rules_apply_in_order_and_say_what_they_did() {
    let cleaned = rules(
        r#"
        [[rule]]
        id = "no-run"
        because = "it is not known how long they ran"
        drop = "run <= 0"

        [[rule]]
        id = "limit"
        because = "jobs end at their limit"
        mend = { run = "requested_time" }
        when = "run > requested_time"
        published = 7
        "#,
    )
    .apply(&four())
    .unwrap();
    assert_eq!(numbers(&cleaned.trace, Field::Job), [1, 2]);
    assert_eq!(numbers(&cleaned.trace, Field::Run), [10, 60]);
    let said = |rule: &RuleReport| (rule.count, rule.published, rule.examples[0].to_string());
    let said: Vec<(u64, Option<u64>, String)> = cleaned.report.rules.iter().map(said).collect();
    assert_eq!(
        said,
        [(2, None, "line 4: job 3: run -1".into()), (1, Some(7), "line 3: job 2: run 100 becomes 60".into())]
    );
    assert_eq!(
        cleaned.trace.header.notes,
        [
            "rule no-run dropped 2 jobs (drop run <= 0: it is not known how long they ran)",
            "rule limit mended 1 job (mend run = requested_time when run > requested_time: jobs end at their limit)"
        ]
    );
    assert_eq!(cleaned.trace.header.max_records, Some(2));
    assert_eq!(cleaned.trace.provenance.steps.len(), 2);
}

#[test]
fn applied_again_rules_change_nothing() {
    let rules = rules(
        "[[rule]]\nid = 'a'\nbecause = 'x'\ndrop = 'run = 0'\n\
         [[rule]]\nid = 'b'\nbecause = 'x'\nmend = { submit = 'submit + 100s' }\nwhen = 'submit < 7'\n",
    );
    let once = rules.apply(&four()).unwrap().trace;
    assert_eq!(numbers(&once, Field::Submit), [9, 100, 105]);
    let twice = rules.apply(&once).unwrap();
    assert!(twice.report.rules.iter().all(|rule| rule.count == 0));
    assert_eq!(twice.trace.header, once.header);
    assert_eq!(numbers(&twice.trace, Field::Job), numbers(&once, Field::Job));
}

#[test]
fn a_rule_that_would_not_settle_is_refused() {
    let restless = "[[rule]]\nid = 'double'\nbecause = 'x'\nmend = { run = 'run * 2' }\nwhen = 'run > 50'\n";
    assert_eq!(
        error(restless),
        "rule `double` does not settle: applied again it would touch 1 job more, such as line 3: job 2: run 200 \
         becomes 400; let its condition exclude what it has mended"
    );
    let one_undoes_the_other = "[[rule]]\nid = 'drop-long'\nbecause = 'x'\ndrop = 'run > 150'\n\
        [[rule]]\nid = 'lengthen'\nbecause = 'x'\nmend = { run = '200' }\nwhen = 'run = 100'\n";
    assert!(error(one_undoes_the_other).starts_with("rule `drop-long` does not settle"));
}

#[test]
fn new_values_are_worked_out_of_the_old_ones() {
    let swap = "[[rule]]\nid = 'swap'\nbecause = 'x'\nwhen = 'job = 1 and run < requested_time'\n\
                mend = { run = 'requested_time', requested_time = 'run' }\n";
    let cleaned = rules(swap).apply(&four()).unwrap();
    assert_eq!(cleaned.trace.get(0, Field::Run).truncated(), 60);
    assert_eq!(cleaned.trace.get(0, Field::RequestedTime).truncated(), 10);
    assert_eq!(cleaned.report.rules[0].examples[0].detail, "requested_time 60 becomes 10, run 10 becomes 60");
}

#[test]
fn what_is_no_number_leaves_the_value_alone() {
    let odd = "[[rule]]\nid = 'odd'\nbecause = 'x'\nmend = { run = 'requested_time / (job - 1)' }\nwhen = 'job = 1'\n";
    let done = &rules(odd).apply(&four()).unwrap().report.rules[0];
    assert_eq!((done.count, done.unheld), (0, 1));
}

#[test]
fn expectations_show_the_jobs_that_are_not_as_expected() {
    let rules = rules(
        r#"
        [[rule]]
        id = "no-run"
        because = "x"
        drop = "run < 0"

        [[expect]]
        count = 3

        [[expect]]
        on = "given"
        count = { min = 4, max = 9 }

        [[expect]]
        id = "within-request"
        because = "the system kills jobs at their limit"
        all = "run <= requested_time"

        [[expect]]
        none = "procs > 4"
        where = "user = 3"

        [[expect]]
        any = "user = 9"

        [[expect]]
        range = { of = "run", min = 0, max = "1min" }
        "#,
    );
    let report = rules.report(&four()).unwrap();
    let held: Vec<bool> = report.expectations.iter().map(|expectation| expectation.holds).collect();
    assert_eq!(held, [true, true, false, true, false, false]);
    assert_eq!(
        rules.check(&four()).unwrap_err().to_string(),
        "3 of 6 expectations do not hold\n\
         within-request: all: run <= requested_time: 1 of 3 jobs is not (the system kills jobs at their limit)\n  \
         line 3: job 2: run 100, requested_time 60\n\
         expect-5: any: user = 9: none of 3 jobs are\n\
         expect-6: range: run from 0 to 1min: 1 of 3 jobs is beyond\n  line 3: job 2: run 100"
    );
}

#[test]
fn flurries_are_dropped_until_there_are_none() {
    let mut rows: Vec<(i64, i64, i64, i64, i64, i64)> =
        (0..400).map(|job| (job, job * 3600, 10, 1, 60, job % 20)).collect();
    rows.extend((0..300).map(|job| (1000 + job, 500_000 + job * 20, 10, 1, 60, 7)));
    let rule = "[[rule]]\nid = 'flurries'\nbecause = 'one user outnumbers all others'\n\
                drop = 'flurries(user_share=0.6, window=2d)'\n";
    let cleaned = rules(rule).apply(&trace(&rows)).unwrap();
    assert_eq!(cleaned.report.rules[0].count, 300);
    assert_eq!(cleaned.trace.len(), 400);
}

#[test]
fn presets_stand_in_front() {
    let rules =
        rules("presets = ['pwa:kth-sp2']\n[[rule]]\nid = 'mine'\nbecause = 'x'\ndrop = 'procs = 8'\n");
    let ids: Vec<&str> = rules.rules().iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["first-jobs", "mine"]);
    for preset in PRESETS {
        let rules = Rules::preset(preset.name).unwrap();
        assert!(!rules.rules().is_empty(), "{}", preset.name);
        if let Err(error) = rules.report(&four()) {
            // Dates need a calendar.
            assert!(error.to_string().contains("UnixStartTime"), "{}: {error}", preset.name);
        }
    }
}

#[test]
#[rustfmt::skip]
fn what_is_wrong_is_said_with_its_line() {
    let rule = |text: &str| format!("[[rule]]\nid = 'r'\nbecause = 'x'\n{text}\n");
    let says = |text: &str, words: &str| {
        let error = error(text);
        assert!(error.contains(words), "`{words}` is not in: {error}");
    };
    says("[[rule]]\nid = 'r'\ndrop = 'run = 0'\n", "line 1, column 1: `because` is missing here");
    says(&rule("dorp = 'run = 0'"),
         "line 4, column 1: unknown key `dorp` (did you mean `drop`?); known are id, because, drop, ");
    says(&rule(""), "line 1: rule `r`: it needs either `drop");
    says(&rule("drop = 'run = 0'\nwhen = 'job = 1'"), "`when` goes with `mend`");
    says(&rule("drop = 'runn = 0'"), "line 4: rule `r`: `drop`:\n  runn = 0\n  ^^^^\n  a trace has no field");
    says(&rule("drop = 'runn = 0'"), "(did you mean `run`?); it has job, submit, wait, run, ");
    says(&rule("drop = 'run > 2GB'"), "line 4: rule `r`: `drop`:\n  run > 2GB\n");
    says(&rule("drop = 'run'"), "line 4: rule `r`: `drop`:\n  run\n");
    says(&rule("mend = { procs = '4' }"), "line 4: rule `r`: `mend.procs`: it is worked out, not recorded");
    says(&rule("mend = { rum = '4' }"),
         "a trace has no such column (did you mean `run`?); it has job, submit");
    says(&format!("{}{}", rule("drop = 'run = 0'"), rule("drop = 'run = 1'")),
         "line 5: rule `r`: another rule");
    says("[[expect]]\nall = 'run > 0'\nnone = 'run < 0'\n", "expectation `expect-1`: it needs one of");
    says("[[expect]]\nrange = { of = 'run' }\n", "`range` needs `min` or `max`");
    says("[[expect]]\nrange = { of = 'run', max = '2GB' }\n",
         "it is an amount of memory, the values are a time");
    says("[[expect]]\nrange = { of = 'run', max = 'submit' }\n", "a limit is the same for all jobs");
    says(&rule("mend = 'procs'"), "line 4, column 8: `mend` must be a table");
    says("[[expect]]\ncount = 'many'\n", "line 2, column 9: `count` must be a whole number, or {");
    says("[[expect]]\ncount = { min = 3, max = 2 }\n",
         "line 2, column 9: `count` must be a whole number, or { min = .., max = .. } with min up to max");
    says("[[expect]]\nrange = { of = 'run', min = '2h', max = '1h' }\n",
         "`range.max`: it is below `range.min`");
    says("[[expect]]\nid = 'e'\ncount = 4\n[[expect]]\nid = 'e'\ncount = 5\n",
         "line 4: expectation `e`: another expectation has this id");
    says("[[expect]]\nrange = { of = 'run', max = true }\n",
         "line 2, column 29: `max` must be a number, or an expression such as");
    says("[[expect]]\nrange = { max = 3 }\n", "line 2, column 9: `of` is missing here");
    says("[[expect]]\nall = 'run > 0'\non = 'all'\n",
         "line 3, column 6: `on` must be \"given\" or \"cleaned\"");
    says("presets = ['pwa:kth']\n", "unknown preset `pwa:kth` (did you mean `pwa:kth-sp2`?)");
}
