use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::policies::Registry;
use batchlab::replay::engine::EventOrder;
use batchlab::study::pitfalls::{Measures, Pitfall, Preparation, Replayed, WorkloadSetting, of_replay};
use batchlab::traces::reading::{Estimate, Overrun};
use batchlab::traces::{Findings, Machine, Reading, Workload};

use crate::lab::{Log, play};

/// Returns the pitfalls of replaying a log under a policy on this many processors (`None`: as in the header).
fn met(log: Log, procs: Option<i64>, reading: &Reading, spec: &str) -> Option<Vec<Pitfall>> {
    let trace = log.trace()?;
    let mut scene = log.play(Estimate::default(), Overrun::default())?;
    let procs = procs.unwrap_or(scene.scenario.machine.procs());
    let machine = Machine::pool(procs).unwrap();
    let mut provenance = trace.provenance.clone();
    let mut findings = Findings::lenient();
    let workload = Workload::read(&trace, &machine, reading, &mut findings, &mut provenance).unwrap();
    (scene.scenario.machine, scene.scenario.workload) = (machine.clone().into(), workload.clone().into());
    let (outcome, _) = play(&scene, spec);
    let measure = MeasureOptions::default();
    let setting = WorkloadSetting::of(
        0,
        &Preparation {
            trace: &trace,
            workload: &workload,
            machine: &machine,
            reading,
            provenance: &provenance,
            findings: &findings,
            measure: &measure,
            events: EventOrder::Batch,
        },
    );
    let metrics = Catalogue::new(&machine, &[]).select("mean_wait,mean_bsld").unwrap();
    let measurement = Measurement::new(&workload, &machine, &outcome, measure).unwrap();
    let measures = Measures::all(&metrics, &machine);
    let policies = [(spec.to_owned(), measures.values(&measurement))];
    let known = &Registry::builtin();
    let replayed =
        Replayed { name: log.0, setting: &setting, measures: &measures, policies: &policies, known };
    Some(of_replay(&replayed))
}

fn codes(log: Log, load: f64) -> Option<Vec<&'static str>> {
    let reading = Reading { load, ..Reading::default() };
    Some(met(log, None, &reading, "easy")?.iter().map(|pitfall| pitfall.spec.code).collect())
}

#[test]
fn a_cleaned_log_with_requests_meets_what_every_log_meets() {
    let Some(kth) = codes(Log::KTH_CLEANED, 1.0) else { return };
    assert_eq!(kth, ["one-replay", "untrimmed", "failed-jobs", "zero-run-jobs", "overruns"]);
    let Some(raw) = codes(Log::KTH_UNCLEANED, 1.0) else { return };
    assert!(raw.contains(&"uncleaned-log"), "{raw:?}");
}

#[test]
fn sdsc_sp2_is_saturated_with_three_tenths_more_load() {
    let (Some(as_it_was), Some(more)) = (codes(Log::SDSC, 1.0), codes(Log::SDSC, 1.3)) else { return };
    assert!(!as_it_was.contains(&"saturated") && as_it_was.contains(&"flurries"), "{as_it_was:?}");
    assert!(more.contains(&"saturated") && more.contains(&"scaled-interarrivals"), "{more:?}");
}

#[test]
fn nasa_tells_no_requests_and_one_user_waits() {
    let Some(found) = met(Log::NASA_CLEANED, None, &Reading::default(), "easy") else { return };
    let told = |code: &str| {
        let pitfall = found.iter().find(|pitfall| pitfall.spec.code == code);
        pitfall.map_or_else(String::new, |pitfall| pitfall.cases[0].to_string())
    };
    let estimates = "NASA-iPSC-1993-3.1-cln: 18,239 of the 18,239 jobs have no request in the log: their run times stand \
                     in for it";
    assert_eq!(told("perfect-estimates"), estimates);
    let user = "NASA-iPSC-1993-3.1-cln, easy: mean_wait: one user's jobs make 99.1 % of the sum";
    assert_eq!(told("one-user-makes-mean"), user);
}

#[test]
fn a_smaller_machine_is_loud() {
    let Some(found) = met(Log::KTH_CLEANED, Some(90), &Reading::default(), "easy") else { return };
    assert_eq!(found[0].spec.code, "machine-size");
    let seen = &found[0].cases[0].seen;
    assert!(seen.starts_with("90 processors, the header says 100, the largest job asks for 100, "), "{seen}");
    assert!(seen.ends_with(" dropped as too large"), "{seen}");
}
