//! Tests of tables and summaries, byte for byte.

mod chosen;
mod compare;
mod summary;
mod tables;

use batchlab::metrics::{CLASS_PRESETS, Catalogue, Class, MeasureOptions, Measurement, Metric, lower_bounds};
use batchlab::outcome::{Fate, Outcome};
use batchlab::replay::{Conditions, ResultRow, RowKind};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Reading, Time, Trace, Workload};

struct Replay {
    workload: Workload,
    machine: Machine,
    conditions: Conditions,
    first_in: Outcome,
    killing: Outcome,
}

impl Replay {
    fn new() -> Replay {
        // submit, run, processors
        let job = |(submit, run, procs)| PlainJob { user: 1, ..PlainJob::secs(submit, run, vec![procs]) };
        let jobs = [(0, 5000, 40), (0, 20_000, 40), (100, 0, 1), (200, 900, 60), (300, 50, 4)].map(job);
        let workload = Workload::from_jobs(&jobs);
        let machine = Machine::pool(64).unwrap();
        let mut trace = Trace::default();
        trace.provenance.source.name = "logs/SITE-A_2001-1.swf.gz".into();
        trace.provenance.source.format = "swf".into();
        trace.provenance.source.sha256 = "0123456789abcdef".repeat(4);
        let options = MeasureOptions::default();
        let mut conditions =
            Conditions::new(&trace, &workload, &machine, &Reading::default(), "batch", options);
        conditions.tool = "batchlab".into();
        let secs = |times: [i64; 5]| times.map(Time::from_secs).to_vec();
        let first_in = Outcome {
            start: secs([0, 5000, 5000, 25_000, 25_000]),
            end: secs([5000, 25_000, 5000, 25_900, 25_050]),
            ..Outcome::default()
        };
        let killing = Outcome {
            start: secs([0, 5000, 100, 8600, 300]),
            end: secs([5000, 8600, 100, 9500, 350]),
            fate: vec![Fate::Finished, Fate::Killed, Fate::Finished, Fate::Finished, Fate::Finished],
            ..Outcome::default()
        };
        Replay { workload, machine, conditions, first_in, killing }
    }

    fn metrics(&self, keys: &str) -> Vec<Metric> {
        Catalogue::new(&self.machine, &[]).select(keys).unwrap()
    }

    fn rows(&self, metrics: &[Metric], classes: &[Class]) -> Vec<ResultRow> {
        let options = self.conditions.measure;
        let row = |label: &str, kind, outcome| {
            let measurement = Measurement::new(&self.workload, &self.machine, outcome, options).unwrap();
            ResultRow::measure(label, kind, &measurement, metrics, classes)
        };
        let bounds = lower_bounds(&self.workload, &self.machine, options, metrics).unwrap();
        vec![
            row("fcfs", RowKind::Policy, &self.first_in),
            row("easy:candidates=sjf,predictor=last2,corrector=increment", RowKind::Policy, &self.killing),
            row("log", RowKind::Recorded, &self.first_in),
            ResultRow::bounds(bounds),
        ]
    }
}

fn zhang() -> Vec<Class> {
    let preset = CLASS_PRESETS.iter().find(|preset| preset.name == "zhang").unwrap();
    (preset.classes)()
}
