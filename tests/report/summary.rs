use batchlab::replay::Summary;
use batchlab::traces::{Findings, Provenance};

use super::{Replay, zhang};

#[test]
fn the_summary_has_the_interfaces_keys() {
    let replay = Replay::new();
    let metrics = replay.metrics("jobs,mean_wait,mean_bsld,mean_slowdown,utilization");
    let rows = replay.rows(&metrics, &[]);
    let (findings, mut provenance) = (Findings::lenient(), Provenance::default());
    provenance.step("drop-oversized", "jobs larger than 64 processors", 2);
    let summary = Summary {
        conditions: &replay.conditions,
        metrics: &metrics,
        rows: &rows[..1],
        findings: &findings,
        provenance: &provenance,
    };
    let expected = include_str!("golden/summary.json");
    assert_eq!(summary.to_json().unwrap(), expected);
}

#[test]
fn undefined_values_are_null_and_classes_stand_beside() {
    let replay = Replay::new();
    let metrics = replay.metrics("mean_wait,makespan,utilization");
    let rows = replay.rows(&metrics, &zhang());
    let (findings, provenance) = (Findings::lenient(), Provenance::default());
    let summary = Summary {
        conditions: &replay.conditions,
        metrics: &metrics,
        rows: &rows,
        findings: &findings,
        provenance: &provenance,
    };
    let json: serde_json::Value = serde_json::from_str(&summary.to_json().unwrap()).unwrap();
    let bound = &json["results"][3];
    assert_eq!(bound["kind"], "bound");
    assert_eq!(bound["metrics"]["mean_wait"], 0);
    assert!(bound["metrics"]["utilization"].is_null());
    let small = &json["results"][0]["classes"][0];
    assert_eq!(small["class"], "small");
    assert!(small["metrics"]["makespan"].is_null());
}
