//! The JSON summary.

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
    let expected = r#"{
  "trace": {
    "name": "logs/SITE-A_2001-1.swf.gz",
    "format": "swf",
    "sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "procs": 64,
    "nodes": 1,
    "jobs": 5,
    "dropped": 0
  },
  "results": [
    {
      "policy": "fcfs",
      "kind": "policy",
      "metrics": {
        "jobs": 5,
        "mean_wait": 11880,
        "mean_bsld": 203.1611111111111,
        "mean_slowdown": 131.45138888888889,
        "utilization": 0.6359797297297297
      },
      "notes": [
        "slowdown leaves out 1 job with a run time of 0"
      ]
    }
  ],
  "findings": [],
  "provenance": {
    "source": {
      "name": "",
      "format": "",
      "sha256": "",
      "bytes": 0
    },
    "steps": [
      {
        "name": "drop-oversized",
        "detail": "jobs larger than 64 processors",
        "count": 2
      }
    ],
    "conditions": {
      "size": "requested",
      "estimate": "requested",
      "overrun": "raise",
      "events": "batch",
      "load": 1,
      "scale_run": 1,
      "tau": 10,
      "prefix": 0,
      "warmup": "none",
      "cooldown": "none",
      "seed": 1,
      "tool": "batchlab"
    }
  }
}
"#;
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
