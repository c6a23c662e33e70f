//! Users who react, on real logs: served as in the log, they submit as in the log.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::policies::{Event, Needs};
use batchlab::replay::engine::Scenario;
use batchlab::traces::reading::Dependencies;
use batchlab::traces::shape::Sessions;
use batchlab::traces::{Field, Findings, JobId, Machine, Provenance, Reading, Time, Trace, Workload};

use crate::engine::script::run;
use crate::lab::{Log, Play, play};

/// Returns the jobs of a log whose waits are known, marked by a rule, on a machine so large that no job waits.
fn scene(log: Log, rule: &str) -> Option<(Arc<Trace>, Play)> {
    let mut trace = Trace::clone(&*log.trace()?);
    let known: Vec<u32> =
        (0..trace.len() as u32).filter(|&row| trace.get(row as usize, Field::Wait).value >= 0).collect();
    trace = trace.select(&known);
    let rule: Sessions = rule.parse().unwrap();
    assert!(rule.mark(&mut trace).unwrap() > 1000, "many jobs follow others");
    let reading = Reading { dependencies: Dependencies::Log, ..Reading::default() };
    let machine = Machine::pool(2_000_000_000).unwrap();
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Some((Arc::new(trace), Play::new(machine, workload)))
}

#[test]
fn users_who_are_served_as_in_the_log_submit_as_in_the_log() {
    for log in [Log::KTH_CLEANED, Log("RICC-2010-2"), Log::LANL_CLEANED] {
        for rule in ["arrivals", "ends"] {
            let Some((trace, scene)) = scene(log, rule) else { return };
            let number = |row| trace.get(row, Field::Job).truncated();
            let waits: HashMap<i64, Time> =
                (0..trace.len()).map(|row| (number(row), trace.time(row, Field::Wait))).collect();
            let mut due: BTreeSet<(Time, JobId)> = BTreeSet::new();
            let (outcome, _) = run(&scene, Needs::POOL, |turn| {
                for &event in turn.events() {
                    if let Event::Submitted(job) = event {
                        let view = turn.job(job);
                        due.insert((view.submit() + waits[&view.number()], job));
                    }
                }
                while let Some(&(at, job)) = due.first().filter(|(at, _)| *at <= turn.now()) {
                    assert_eq!(at, turn.now());
                    due.pop_first();
                    turn.start(job)?;
                }
                if let Some(&(at, _)) = due.first() {
                    turn.wake_at(at)?;
                }
                Ok(())
            })
            .unwrap();
            let entered = outcome.workload(&scene.scenario.workload);
            for job in entered.jobs() {
                assert_eq!(
                    entered.submit(job),
                    entered.submitted(job),
                    "{log:?} {rule}: job {}",
                    entered.number(job)
                );
            }
        }
    }
}

/// The table of docs/LOGS.md.
#[test]
fn the_order_of_easy_and_conservative_depends_on_feedback() {
    let Some(trace) = Log::KTH_CLEANED.trace() else { return };
    let of = |rule: Option<&str>| {
        let mut trace = Trace::clone(&trace);
        let mut reading = Reading::default();
        if let Some(rule) = rule {
            rule.parse::<Sessions>().unwrap().mark(&mut trace).unwrap();
            reading.dependencies = Dependencies::Log;
        }
        let machine = Machine::pool(100).unwrap();
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
        let scene = Play::new(machine, workload);
        ["easy", "conservative"].map(|policy| {
            let (outcome, _) = play(&scene, policy);
            let Scenario { workload, machine, .. } = &scene.scenario;
            let measurement =
                Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
            let of = |key| Catalogue::new(machine, &[]).find(key).unwrap().value(&measurement).unwrap();
            (of("mean_wait").round(), (of("mean_bsld") * 100.0).round() / 100.0)
        })
    };
    assert_eq!(of(None), [(6805.0, 90.94), (7301.0, 88.21)]);
    assert_eq!(of(Some("arrivals")), [(5577.0, 63.75), (6175.0, 64.34)]);
    assert_eq!(of(Some("ends")), [(5381.0, 56.37), (6235.0, 66.29)]);
}
