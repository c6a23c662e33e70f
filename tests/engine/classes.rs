use batchlab::Registry;
use batchlab::policies::spec::PolicySpec;
use batchlab::policies::{JobView, Needs, Policy, PolicyError, Turn};
use batchlab::replay::capability;
use batchlab::traces::workload::InteractiveRule;
use batchlab::traces::{Citation, Findings, JobId, Provenance, Workload};

use super::script::{pool, times};
use crate::lab::Play;

struct InteractiveFirst;

impl Policy for InteractiveFirst {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut waiting: Vec<JobId> = turn.waiting().collect();
        waiting.sort_by_key(|&job| (!turn.job(job).is_interactive(), job));
        for job in waiting {
            if turn.fits(job) {
                turn.start(job)?;
            }
        }
        Ok(())
    }
}

const NEEDS: Needs = Needs { classes: true, ..Needs::POOL };

const SPEC: PolicySpec = PolicySpec {
    name: "interactive-first",
    family: "this test",
    summary: "starts interactive jobs first",
    cite: Citation::foreign("this test"),
    rule: "",
    params: &[],
    needs: NEEDS,
    build: |_, _| Ok(Box::new(InteractiveFirst)),
};

/// One processor; three jobs, of which the last is the shortest, wait for the first one to end.
fn scene(rule: &str) -> Play {
    let mut scene = pool(1, &[(0, 10, 1), (1, 20, 1), (2, 30, 1), (3, 5, 1)]);
    let workload = Workload::clone(&scene.scenario.workload);
    let workload = workload.with_interactive(&rule.parse().unwrap(), &scene.scenario.machine).unwrap();
    scene.scenario.workload = workload.into();
    scene
}

/// Returns the findings about the classes of a scenario for a policy that distinguishes them.
fn found(scene: &Play) -> Vec<String> {
    let mut registry = Registry::builtin();
    registry.register_policy(SPEC).unwrap();
    let chosen = registry.choose("interactive-first").unwrap();
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    capability::report([&chosen], &scene.scenario, &mut findings, &mut provenance).unwrap();
    findings.list().iter().map(ToString::to_string).collect()
}

#[test]
fn a_policy_sees_which_jobs_are_interactive() {
    for order in ["batch", "submit-first", "finish-first"] {
        let starts = |rule: &str| {
            let (outcome, _) = scene(rule).events(order).with(NEEDS, &mut InteractiveFirst).unwrap();
            times(&outcome).into_iter().map(|(start, _)| start).collect::<Vec<_>>()
        };
        assert_eq!(starts("shortest:0.25"), [0.0, 15.0, 35.0, 10.0], "{order}");
        assert_eq!(starts("run = 30"), [0.0, 40.0, 10.0, 60.0], "{order}");
        assert_eq!(starts("queue = 0"), [0.0, 10.0, 30.0, 60.0], "{order}: no job is interactive");
    }
    let view = |rule: &str, job| JobView::new(&scene(rule).scenario.workload, JobId(job)).is_interactive();
    assert!(view("procs = 1", 2) && !view("procs > 1", 2));
}

#[test]
fn one_class_alone_is_a_warning_that_says_how_to_have_two() {
    let none = found(&scene("queue = 0"));
    assert_eq!(none.len(), 1);
    assert!(
        none[0].starts_with("warning[classes-no-interactive]: 4 jobs, and none is interactive: "),
        "{none:?}"
    );
    assert!(none[0].contains("by the rule `queue = 0`") && none[0].contains("shortest:0.42"), "{none:?}");
    let all = found(&scene("procs = 1"));
    assert!(all[0].starts_with("warning[classes-no-batch]: 4 jobs, and none is a batch job: "), "{all:?}");
    assert_eq!(found(&scene("shortest:0.5")), [""; 0]);
}

#[test]
fn the_classes_are_the_workloads_and_a_clairvoyant_twin_has_the_same() {
    let workload = &scene("shortest:0.25").scenario.workload;
    assert_eq!(workload.interactive_rule(), InteractiveRule::Shortest(0.25));
    assert_eq!((workload.interactive_jobs(), workload.clairvoyant().interactive_jobs()), (1, 1));
}
