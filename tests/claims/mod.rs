//! Claims about handmade results, and the readings under which conclusions hold.

mod checked;
mod draw;
mod multiverse;
mod parts;
mod refused;

use batchlab::experiment::{
    Frame, FrameRow, Measure, Parameter, PolicyFacts, Section, UnitKind, WorkloadFacts,
};
use batchlab::metrics::Domain;
use batchlab::report::claims::{Checked, ClaimSpec};
use batchlab::report::tables::Names;
use batchlab::study::Study;
use batchlab::table::{Better, Unit};
use batchlab_traces::located::LocatedToml;

const READING: usize = 1;

/// A log in eight windows, the same log shaken eight times, and the same log replayed once, under three
/// policies, at two loads and under three readings.
///
/// Mean waits at load 0.7 are 84 s (SJF), 103.5 s (EASY) and 210.5 s (FCFS), and twice as long at 0.9; under
/// the last reading SJF has 114 s. FCFS has no slowdown.
fn frame() -> Frame {
    let workload = |name: &str, units| WorkloadFacts { name: name.into(), units, ..WorkloadFacts::default() };
    let policy = |label: &str| PolicyFacts { label: label.into(), spec: label.to_lowercase() };
    let parameter = |name: &str, values: &[&str]| Parameter {
        name: name.into(),
        values: values.iter().map(ToString::to_string).collect(),
    };
    let mut frame = Frame {
        name: "hand_made".into(),
        seed: 7,
        level: 0.95,
        baseline: Some(0),
        parameters: vec![
            parameter("load", &["0.9", "0.7"]),
            parameter("reading", &["printed", "meant", "loose"]),
        ],
        workloads: vec![
            workload("log", UnitKind::Windows),
            workload("noise", UnitKind::Shaken),
            workload("once", UnitKind::One),
        ],
        policies: ["EASY", "SJF", "FCFS"].map(policy).to_vec(),
        measures: vec![measure("mean_wait", Unit::Seconds), measure("mean_bsld", Unit::Ratio)],
        absent: Vec::new(),
        rows: Vec::new(),
    };
    for workload in 0..3 {
        for (load, reading) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
            for policy in 0..3 {
                let units = if workload == 2 { 1 } else { 8 };
                frame.rows.extend((0..units).map(|unit| row(workload, [load, reading], policy, unit)));
            }
        }
    }
    frame
}

fn measure(key: &str, unit: Unit) -> Measure {
    Measure {
        key: key.into(),
        metric: key.into(),
        class: None,
        unit,
        better: Better::Lower,
        domain: Domain::Any,
        definition: format!("what {key} is"),
        is_diagnostic: false,
    }
}

fn row(workload: usize, [load, reading]: [usize; 2], policy: usize, unit: u32) -> FrameRow {
    let at = f64::from(unit);
    let wait = match (policy, reading) {
        (0, _) => 100.0 + at,
        (1, 2) => 110.0 + at + f64::from(unit % 2),
        (1, _) => 80.0 + at + f64::from(unit % 2),
        _ => 200.0 + 3.0 * at,
    };
    let wait = if load == 0 { 2.0 * wait } else { wait };
    FrameRow {
        key: String::new(),
        workload,
        point: vec![load, reading],
        policy,
        unit: Some(unit),
        seed: 1,
        values: vec![Some(wait), (policy != 2).then_some(wait / 10.0)],
    }
}

/// As [`frame`], with the given waits under EASY in as many windows of the log: at load 0.7, and at 0.9 if there are any.
fn frame_of(low: &[f64], high: &[f64]) -> Frame {
    let mut frame = frame();
    frame.rows.retain(|row| row.workload != 0 || row.unit < Some(low.len() as u32));
    for row in frame.rows.iter_mut().filter(|row| row.workload == 0 && row.policy == 0) {
        let waits = if row.point[0] == 1 { low } else { high };
        if let Some(wait) = waits.get(row.unit.unwrap() as usize) {
            row.values[0] = Some(*wait);
        }
    }
    frame
}

fn read(text: &str) -> Result<Vec<ClaimSpec>, String> {
    let text = format!("[[claim]]\nsays = \"so\"\n{text}");
    let sheet = LocatedToml::new(&text, "e.toml");
    let parsed = sheet.parse().map_err(|error| error.to_string())?;
    let names = Names::of(&frame());
    ClaimSpec::read_all(&Section::whole(&sheet, &parsed), &names).map_err(|error| error.to_string())
}

fn check(text: &str) -> Checked {
    let frame = frame();
    read(text).unwrap()[0].check(&Study::new(&frame), Some(READING))
}
