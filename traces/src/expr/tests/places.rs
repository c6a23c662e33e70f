//! The names available in each context.

use super::sample::{rows, trace};
use crate::expr::{Expr, ExprError, FieldId, Program, Rows, Vocabulary};
use crate::machine::{Machine, Resource, Sharing, processors};
use crate::workload::PlainJob;
use crate::{Time, Workload};

fn machine() -> Machine {
    let resource =
        |name: &str, unit: &str| Resource { name: name.into(), unit: unit.into(), sharing: Sharing::Space };
    let resources = vec![processors(), resource("memory", "KB"), resource("gpu", "")];
    Machine::new(resources, &[vec![64, 1 << 30, 8]]).unwrap()
}

fn workload() -> Workload {
    let job = |submit, procs, memory, gpus| PlainJob {
        estimate: Time::from_secs(200),
        user: procs,
        ..PlainJob::secs(submit, 100, vec![procs, memory, gpus])
    };
    Workload::from_jobs(&[job(0, 4, 4096, 0), job(50, 2, 4096, 1)])
}

fn of_jobs(text: &str) -> Result<Program, ExprError> {
    Expr::parse(text)?.compile(&Vocabulary::jobs(&machine()).named(&trace().header).dated(trace().calendar))
}

fn of_policies(text: &str) -> Result<Program, ExprError> {
    Expr::parse(text)?.compile(&Vocabulary::policy(&machine()))
}

#[test]
fn jobs_of_a_replay_have_a_size_an_estimate_and_resources() {
    for (text, expected) in rows("jobs") {
        let program = of_jobs(text).unwrap_or_else(|error| panic!("{error}"));
        let shown: Vec<String> = program.numbers(&workload()).iter().map(f64::to_string).collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }
}

#[test]
fn what_jobs_of_a_replay_do_not_have_is_refused_with_the_reason() {
    for (text, reason) in rows("absent") {
        assert_eq!(of_jobs(text).unwrap_err().reason(), reason, "{text}");
    }
    let pool = Vocabulary::jobs(&Machine::pool(4).unwrap());
    let error = Expr::parse("memory").unwrap().compile(&pool).unwrap_err();
    assert_eq!(error.reason(), "`memory` cannot be used here: the machine of this replay has no memory");
}

#[test]
fn policies_do_not_see_the_future() {
    for hidden in ["run", "start", "end", "response", "status", "cpu", "used_memory", "allocated_procs"] {
        let reason = of_policies(hidden).unwrap_err().reason();
        assert_eq!(
            reason,
            format!(
                "`{hidden}` cannot be used here: a policy cannot see what happens after its decision; it knows `estimate`"
            )
        );
    }
    for known in
        ["submit", "wait", "estimate", "procs", "memory", "user", "group", "queue", "partition", "gpu"]
    {
        assert!(of_policies(known).is_ok(), "{known}");
    }
}

#[test]
fn an_order_depends_on_time_when_it_reads_the_wait_so_far() {
    assert!(of_policies("-((wait/estimate)^3*procs)").unwrap().depends_on_time());
    assert!(!of_policies("estimate * procs").unwrap().depends_on_time());
    assert!(!Expr::parse("wait").unwrap().compile(&Vocabulary::trace(&trace())).unwrap().depends_on_time());
}

#[test]
fn a_program_tells_what_it_reads() {
    let program = of_policies("procs * estimate + procs + 2^2").unwrap();
    assert_eq!(program.reads(), [FieldId::Estimate, FieldId::Procs]);
    assert_eq!(of_policies("2^2").unwrap().constant(), Some(4.0));
}

#[test]
fn an_expression_tells_what_it_mentions_before_it_is_bound_to_a_place() {
    let mentions = |text: &str, name: &str| Expr::parse(text).unwrap().mentions(name);
    let text = "if(not user_id in (1, 5..procs), -(2^group) + `memory`, min(1, queue = \"user\"))";
    for name in ["user", "procs", "group", "memory", "queue"] {
        assert!(mentions(text, name), "{name}");
    }
    for name in ["partition", "user_id", "if", "1"] {
        assert!(!mentions(text, name), "{name}");
    }
}

#[test]
fn a_queue_of_its_own_can_be_ordered() {
    /// Jobs that have waited 10 s, 20 s and so on.
    struct Queue;
    impl Rows for Queue {
        fn len(&self) -> usize {
            3
        }
        fn fill(&self, field: FieldId, rows: std::ops::Range<usize>, out: &mut [f64]) {
            for (to, row) in out.iter_mut().zip(rows) {
                *to = if field == FieldId::Wait { 10.0 * (row + 1) as f64 } else { 20.0 };
            }
        }
    }
    let wfp3 = of_policies("-((wait/estimate)^3*procs)").unwrap();
    assert_eq!(wfp3.numbers(&Queue), [-2.5, -20.0, -67.5]);
}

#[test]
fn scores_of_the_literature_mix_units_as_they_were_published() {
    for score in [
        "log10(estimate) * procs + 870 * log10(submit)",
        "sqrt(estimate) * procs + 25600 * log10(max(submit, 1))",
        "estimate * procs + 6860000 * log10(submit)",
        "estimate * sqrt(procs) + 530000 * log10(submit)",
        "wait / (log2(procs) * estimate)",
        "(wait + estimate) / estimate",
    ] {
        assert!(of_policies(score).is_ok(), "{score}");
    }
}

#[test]
fn without_a_calendar_there_are_no_hours_and_dates() {
    let mut undated = trace();
    undated.calendar = None;
    let reason = |text: &str| {
        let program = Expr::parse(text).and_then(|expr| expr.compile(&Vocabulary::trace(&undated)));
        program.unwrap_err().reason()
    };
    assert_eq!(
        reason("hour > 8"),
        "`hour` cannot be used here: the log does not say when its zero was (UnixStartTime)"
    );
    assert_eq!(
        reason("submit > date(\"2006-12-18\")"),
        "the log does not say when its zero was (UnixStartTime), so no date can be found in it"
    );
}

#[test]
fn a_chain_on_a_field_is_read_from_the_program() {
    use crate::expr::Link::{self, Add, Cube, Divide, Multiply, Negate, SubtractFrom};
    let links = |text: &str| of_policies(text).unwrap().chain(FieldId::Wait).map(|chain| chain.links);
    assert_eq!(links("-procs * (wait / max(estimate, 1))^3"), Some(vec![Divide, Cube, Multiply]));
    assert_eq!(links("-(wait + estimate) / estimate"), Some(vec![Add, Negate, Divide]));
    assert_eq!(links("10 - if(procs > 8, 2, 1) * wait"), Some(vec![Multiply, SubtractFrom]));
    for text in [
        "wait + wait",
        "wait^procs",
        "max(wait, 1)",
        "2^(wait / 1h)",
        "1 / wait",
        "if(wait > 5, 1, 2)",
        "procs",
    ] {
        assert_eq!(links(text), None, "{text}");
    }
    assert_eq!(Link::run(&[Divide, Cube, Multiply], &[2.0, -4.0], 6.0), -4.0 * 27.0);
}
