//! Tests of the conformance suite: correct policies pass, and every broken rule is caught by its check.

mod offenders;

use batchlab::conform::{Case, CheckReport, ConformanceReport, Footprint, Status, Suite, cases};
use batchlab::policies::{PolicySpec, Registry};
use offenders::*;

use crate::lab::policies;

/// Runs checks on a policy of a registry; all checks if no names are given.
fn conform(
    registry: &Registry,
    spec: &str,
    like: Option<&str>,
    cases: &[Case],
    names: &[&str],
) -> ConformanceReport {
    let chosen = registry.choose(spec).unwrap();
    let like = like.map(|like| registry.choose(like).unwrap());
    let suite = Suite {
        registry,
        chosen: &chosen,
        like: like.as_ref(),
        cases,
        seed: 1,
        footprint: &Footprint::default,
        progress: &|| {},
    };
    suite.run(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn caught(spec: PolicySpec, name: &str) -> CheckReport {
    let mut registry = Registry::builtin();
    registry.register(spec).unwrap();
    let mut report = conform(&registry, spec.name, None, &cases(40, 1), &[name]);
    let check = report.checks.remove(0);
    assert_eq!((check.name, check.status), (name, Status::Failed), "{}: {check:?}", spec.name);
    check
}

/// Returns the violation that a check found, and the number of jobs in the smallest log that shows it.
fn found(spec: PolicySpec, name: &str) -> (String, usize) {
    let found = caught(spec, name).found.unwrap();
    let jobs = found.witness.as_ref().map_or(0, |witness| witness.jobs);
    (found.what, jobs)
}

#[test]
fn every_built_in_policy_conforms() {
    let registry = Registry::builtin();
    let cases = cases(30, 7);
    for spec in policies() {
        let report = conform(&registry, spec.name, None, &cases, &[]);
        for check in &report.checks {
            let expected = if check.name == "agrees" { Status::Skipped } else { Status::Holds };
            assert_eq!(check.status, expected, "{} of {}: {check:?}", check.name, spec.name);
        }
        let legal = report.checks.iter().find(|check| check.name == "legal").unwrap();
        assert_eq!(legal.held + legal.left_out(), cases.len());
        // The policy holds jobs in the memory of processors and needs a machine with memory.
        let everywhere = !spec.needs.pool && spec.name != "dhc";
        assert!(!everywhere || legal.held == cases.len(), "{}: {:?}", spec.name, legal.skipped);
    }
}

#[test]
fn an_illegal_verb_is_seen_on_two_jobs() {
    let (what, jobs) = found(GREEDY, "legal");
    let refused = what.split_once(" at 0 s: cannot place job 2 at 0 s: it needs ");
    assert!(refused.is_some_and(|(_, why)| why.ends_with(" are free")), "{what}");
    assert_eq!(jobs, 2);
}

#[test]
fn a_job_that_is_never_started_is_shown_on_one_job() {
    let (what, jobs) = found(IDLE, "legal");
    assert!(what.contains("leaves 1 jobs waiting for ever; the first is job 1"), "{what}");
    assert_eq!(jobs, 1);
}

#[test]
fn a_panic_is_a_finding_and_not_the_end() {
    let (what, jobs) = found(NERVOUS, "legal");
    assert!(what.contains("policy `nervous` panics: too many wait"), "{what}");
    assert_eq!(jobs, 3);
}

#[test]
fn decisions_that_differ_between_replays_are_not_deterministic() {
    let (what, jobs) = found(FICKLE, "deterministic");
    assert!(what.contains("it decides otherwise: job "), "{what}");
    assert!(jobs <= 4, "{jobs}");
    let (what, _) = found(ATTACHED, "deterministic");
    assert!(what.contains("on three threads at once it decides otherwise"), "{what}");
}

#[test]
fn memory_of_another_replay_is_not_foresight() {
    let (what, _) = found(MINDFUL, "blind");
    assert!(
        what.contains("it decides otherwise when the jobs that have not ended by then run as "),
        "{what}"
    );
}

#[test]
fn a_fault_at_the_end_is_not_clean_and_nothing_else() {
    let (what, jobs) = found(SULKY, "clean");
    assert_eq!((what.as_str(), jobs), ("after the last job: it was no good", 1));
    let mut registry = Registry::builtin();
    registry.register(SULKY).unwrap();
    let report = conform(&registry, "sulky", None, &cases(24, 1), &[]);
    assert_eq!(report.failed().map(|check| check.name).collect::<Vec<_>>(), ["clean"]);
}

#[test]
fn a_policy_that_can_never_be_built_does_not_pass() {
    let check = caught(CHOOSY, "needs");
    assert_eq!((check.held, check.left_out()), (0, 40));
    assert!(check.found.unwrap().what.ends_with("none of 40 cases: it is never the right day"));
    assert!(found(WAVERING, "needs").0.starts_with("made twice for one case: "));
}

#[test]
fn a_policy_that_fails_at_the_beginning_declines_and_one_that_fails_later_does_not() {
    let mut registry = Registry::builtin();
    registry.register(MODEST).unwrap();
    let report = conform(&registry, "modest", None, &cases(40, 1), &["needs", "legal"]);
    assert_eq!(report.failed().count(), 0, "{report:?}");
    let legal = &report.checks[1];
    assert!(legal.held > 5, "{legal:?}");
    assert!(legal.skipped.iter().any(|skip| skip.why == "it counts processors only"), "{legal:?}");
    assert!(found(FRAIL, "legal").0.contains("trapped in `init`: unreachable"));
}

#[test]
fn a_value_that_is_declared_and_does_not_work_is_seen_with_its_spec() {
    let check = caught(HALF, "describes");
    let found = check.found.unwrap();
    assert_eq!(found.policy, "half:how=later");
    assert!(found.what.contains("leaves 1 jobs waiting for ever"), "{}", found.what);
    assert_eq!(found.witness.unwrap().jobs, 1);
}

#[test]
fn the_footprint_shows_remaining_memory_and_processes() {
    let registry = Registry::builtin();
    let chosen = registry.choose("fcfs").unwrap();
    let measured = std::cell::Cell::new(0);
    let footprint = || {
        measured.set(measured.get() + 1);
        Footprint { children: Some(measured.get()), ..Footprint::default() }
    };
    let (cases, progress) = (cases(9, 1), || {});
    let (seed, like) = (1, None);
    let suite = Suite {
        registry: &registry,
        chosen: &chosen,
        like,
        cases: &cases,
        seed,
        footprint: &footprint,
        progress: &progress,
    };
    let report = suite.run(&["clean".to_owned()]);
    let what = &report.checks[0].found.as_ref().unwrap().what;
    assert_eq!(what, "3 of its processes are left after 45 replays");
}

#[test]
fn policies_that_are_the_same_agree_and_others_do_not() {
    let registry = Registry::builtin();
    let status = |spec, like| {
        let report = conform(&registry, spec, Some(like), &cases(100, 3), &["agrees"]);
        (report.checks[0].status, report.checks[0].found.clone())
    };
    for (spec, like) in [("easy", "ff-easy"), ("depth:k=1", "easy"), ("limits", "easy")] {
        let (status, found) = status(spec, like);
        assert_eq!(status, Status::Holds, "{spec} and {like}: {found:?}");
    }
    let (status, found) = status("easy", "fcfs");
    let found = found.unwrap();
    assert_eq!(status, Status::Failed);
    assert!(
        found.what.contains("the schedules part at ") && found.what.contains("\nrule: "),
        "{}",
        found.what
    );
    assert!(found.witness.unwrap().jobs <= 3, "one that runs, one that waits, one that overtakes");
}
