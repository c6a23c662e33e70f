//! Analysis and tables of a handmade experiment, compared with other software and byte for byte.

mod analysis;
mod baselines;
mod crossing;
mod forms;
mod published;
mod shown;
mod spec;

use batchlab::experiment::{
    Frame, FrameRow, Measure, Parameter, PolicyFacts, Section, Stated, UnitKind, WorkloadFacts,
};
use batchlab::metrics::Domain;
use batchlab::replay::conditions::Phrase;
use batchlab::report::tables::{Names, TableSpec, table};
use batchlab::study::Study;
use batchlab::table::{Better, Table, Unit};
use batchlab_traces::located::LocatedToml;
use serde_json::Value;

pub fn expected() -> Value {
    serde_json::from_str(include_str!("expected.json")).unwrap()
}

/// Two workloads, three policies and eight units at two loads, with names that must be escaped in every form.
///
/// Mean waits at load 0.9 are those of `expected.json`; at 0.7 they are half as long. The small jobs wait half as long as
/// all jobs, and one unit has no small jobs. The last policy has no utilization on the second workload.
pub fn frame() -> Frame {
    let workload = |name: &str, units, words: &str| WorkloadFacts {
        substitute: None,
        name: name.into(),
        units,
        units_words: words.into(),
        conditions: vec![Stated {
            phrases: vec![
                Phrase::new("machine", "128 processors"),
                Phrase::new("estimates", "estimates requested"),
            ],
            ..Stated::default()
        }],
    };
    let policy = |label: &str| PolicyFacts { label: label.into(), spec: label.to_lowercase() };
    Frame {
        name: "hand_made".into(),
        seed: 7,
        level: 0.95,
        baseline: Some(0),
        parameters: vec![Parameter { name: "load".into(), values: vec!["0.7".into(), "0.9".into()] }],
        workloads: vec![
            workload("KTH_SP2 & co", UnitKind::Windows, "7d"),
            workload("100% <log>", UnitKind::Replications, "8 replications"),
        ],
        policies: vec![policy("EASY"), policy("sjf #1|x"), policy("$cons")],
        measures: vec![
            measure("mean_wait", None, Unit::Seconds, Better::Lower),
            measure("mean_wait", Some("small"), Unit::Seconds, Better::Lower),
            measure("utilization", None, Unit::Fraction, Better::Higher),
        ],
        absent: Vec::new(),
        rows: rows(),
    }
}

fn measure(metric: &str, class: Option<&str>, unit: Unit, better: Better) -> Measure {
    Measure {
        key: class.map_or(metric.into(), |class| format!("{metric}@{class}")),
        metric: metric.into(),
        class: class.map(String::from),
        unit,
        better,
        domain: Domain::Any,
        definition: format!("what {metric} is, exactly"),
        is_diagnostic: false,
    }
}

fn rows() -> Vec<FrameRow> {
    let mut rows = Vec::new();
    let waits = expected()["waits"].clone();
    for workload in 0..2 {
        for load in 0..2 {
            for policy in 0..3 {
                for unit in 0..8_u32 {
                    let wait = waits[workload][policy][unit as usize].as_f64().unwrap();
                    let wait = if load == 0 { wait / 2.0 } else { wait };
                    let small = (unit != 3 || workload == 1).then_some(wait / 2.0);
                    let busy = 0.7 + 0.01 * f64::from(unit) + if policy == 1 { 0.002 } else { 0.0 };
                    let utilization = (workload, policy) != (1, 2);
                    rows.push(FrameRow {
                        key: format!("{workload}-{load}-{policy}-{unit}"),
                        workload,
                        point: vec![load],
                        policy,
                        unit: Some(unit),
                        seed: u64::from(unit),
                        values: vec![Some(wait), small, utilization.then_some(busy)],
                    });
                }
            }
        }
    }
    rows
}

/// Reads a table; an error is returned as it is printed.
pub fn read(text: &str, names: &Names) -> Result<TableSpec, String> {
    let text = format!("[[table]]\n{text}");
    let sheet = LocatedToml::new(&text, "e.toml");
    let parsed = sheet.parse().map_err(|error| error.to_string())?;
    let whole = Section::whole(&sheet, &parsed);
    let sections = whole.sections("table").map_err(|error| error.to_string())?;
    TableSpec::read(&sections[0], names).map_err(|error| error.to_string())
}

pub fn made(text: &str, frame: &Frame) -> Table {
    let spec = read(text, &Names::of(frame)).unwrap();
    table(&spec, &Study::new(frame))
}

pub fn notes_of(table: &Table) -> Vec<String> {
    table.notes.iter().map(ToString::to_string).collect()
}
