//! An experiment without pitfalls, which tests modify.

use batchlab_policies::Registry;
use batchlab_traces::reading::Overrun;

use super::{
    Cleaning, EstimateFacts, Evidence, MachineSize, MeanAcross, Overruns, Pitfall, Shaping, WorkloadSetting,
    find,
};
use crate::experiment::{
    DesignPoint, Frame, FrameRow, Measure, Parameter, PolicyFacts, UnitKind, WorkloadFacts,
};
use crate::study::pitfalls::ArrivalFacts;
use batchlab_engine::metrics::{Cooldown, DIAGNOSTICS, Domain, MeasureOptions, Warmup};
use batchlab_engine::table::{Better, Unit};

/// Values of the measures that findings read, in an experiment without problems.
const WELL: [(&str, f64); 14] = [
    ("jobs", 5_000.0),
    ("rejected", 0.0),
    ("offered_load", 0.7),
    ("utilization_window", 0.7),
    ("completion", 1.0),
    ("backlog_growth", 0.0),
    ("backlog_growth_low", -0.01),
    ("least_backlog", 0.0),
    ("top_jobs_wait", 0.1),
    ("top_jobs_bsld", 0.1),
    ("top_user_wait", 0.1),
    ("top_user_bsld", 0.1),
    ("top_week_wait", 0.1),
    ("top_week_bsld", 0.1),
];
const UNITS: u32 = 12;

/// Results and their preparation.
#[derive(Clone)]
pub(super) struct Experiment {
    pub frame: Frame,
    pub settings: Vec<WorkloadSetting>,
    pub means: Vec<MeanAcross>,
}

impl Experiment {
    /// Three logs in twelve windows, two policies, three metrics, two orders of simultaneous events.
    pub fn clean() -> Experiment {
        let names = ["A", "B", "C"];
        let asked = ["mean_wait", "mean_bsld", "utilization"].map(|key| measure(key, false));
        let diagnostics = DIAGNOSTICS.iter().map(|key| measure(key, true));
        let mut frame = Frame {
            name: "clean".into(),
            level: 0.95,
            parameters: vec![parameter("events", &["batch", "submit-first"])],
            workloads: names.map(workload).to_vec(),
            policies: vec![policy("FCFS", "fcfs"), policy("EASY", "easy")],
            measures: asked.into_iter().chain(diagnostics).collect(),
            ..Frame::default()
        };
        for (workload, point) in (0..names.len()).flat_map(|workload| [(workload, 0), (workload, 1)]) {
            let policies = (0..2).flat_map(|policy| (0..UNITS).map(move |unit| (policy, unit)));
            frame.rows.extend(policies.map(|(policy, unit)| row(workload, point, policy, unit)));
        }
        let settings = (0..names.len()).map(setting).collect();
        let mut experiment = Experiment { frame, settings, means: Vec::new() };
        for (key, value) in WELL {
            experiment.set(key, value);
        }
        experiment
    }

    pub fn set(&mut self, key: &str, value: f64) {
        let measure = self.frame.measure(key).unwrap();
        self.frame.rows.iter_mut().for_each(|row| row.values[measure] = Some(value));
    }

    /// Sets a measure of a policy at a design point, in one unit or in all.
    pub fn set_at(
        &mut self,
        design_point: &DesignPoint,
        policy: usize,
        unit: Option<u32>,
        key: &str,
        value: f64,
    ) {
        let measure = self.frame.measure(key).unwrap();
        for row in &mut self.frame.rows {
            let is_there = row.workload == design_point.workload
                && row.point == design_point.point
                && row.policy == policy;
            if is_there && (unit.is_none() || row.unit == unit) {
                row.values[measure] = Some(value);
            }
        }
    }

    pub fn prepared(change: impl FnOnce(&mut WorkloadSetting)) -> Experiment {
        let mut experiment = Experiment::clean();
        change(&mut experiment.settings[0]);
        experiment
    }

    pub fn find(&self) -> Vec<Pitfall> {
        let (policies, settings) = (&Registry::builtin(), &self.settings);
        find(&Evidence { frame: &self.frame, policies, settings, means: &self.means })
    }

    /// Returns the text about a pitfall up to its reasons; empty if it was not found.
    pub fn told(&self, code: &str) -> String {
        let found = self.find();
        let text = found.iter().find(|pitfall| pitfall.spec.code == code).map(ToString::to_string);
        text.map_or_else(String::new, |text| text.split("\n  why: ").next().unwrap_or_default().to_owned())
    }

    /// Asserts that only one pitfall is found besides that of the clean experiment, and returns its text.
    #[track_caller]
    pub fn only(&self, code: &str) -> String {
        let codes: Vec<&str> = self.find().iter().map(|pitfall| pitfall.spec.code).collect();
        assert_eq!(codes.iter().filter(|&&known| known != "open-loop").collect::<Vec<_>>(), [&code]);
        self.told(code)
    }
}

pub(super) fn parameter(name: &str, values: &[&str]) -> Parameter {
    Parameter { name: name.into(), values: values.iter().map(ToString::to_string).collect() }
}

pub(super) fn policy(label: &str, spec: &str) -> PolicyFacts {
    PolicyFacts { label: label.into(), spec: spec.into() }
}

pub(super) fn measure(key: &str, is_diagnostic: bool) -> Measure {
    Measure {
        key: key.into(),
        metric: key.into(),
        class: None,
        unit: Unit::Ratio,
        better: Better::Lower,
        domain: Domain::Any,
        definition: "a measure of tests".into(),
        is_diagnostic,
    }
}

fn workload(name: &str) -> WorkloadFacts {
    WorkloadFacts {
        name: name.into(),
        units: UnitKind::Windows,
        units_words: "7d".into(),
        ..WorkloadFacts::default()
    }
}

fn row(workload: usize, point: usize, policy: usize, unit: u32) -> FrameRow {
    // The parameter makes a difference.
    let values = vec![Some(0.5 + 0.01 * point as f64); 3 + DIAGNOSTICS.len()];
    FrameRow { key: String::new(), workload, point: vec![point], policy, unit: Some(unit), seed: 1, values }
}

fn setting(workload: usize) -> WorkloadSetting {
    let day = batchlab_traces::Time::from_secs(86_400);
    WorkloadSetting {
        workload,
        is_closed: false,
        jobs: 60_000,
        machine: MachineSize {
            procs: 100,
            header: Some(100),
            largest_job: Some(100),
            peak: Some(99),
            dropped: 0,
        },
        estimates: EstimateFacts { exact: 0.1, modal: 0.9, ..EstimateFacts::default() },
        overruns: Overruns { jobs: 0, rule: Overrun::Raise },
        shaping: Shaping::default(),
        cleaning: Cleaning { name: "A-2.1-cln.swf.gz".into(), rules: Vec::new() },
        arrivals: ArrivalFacts {
            are_at_once: false,
            cv: Some(3.2),
            autocorrelation: Some(0.2),
            daily: Some((2.0, 0.3)),
        },
        measure: MeasureOptions {
            warmup: Warmup::Time(day),
            cooldown: Cooldown::Time(day),
            ..MeasureOptions::default()
        },
        ..WorkloadSetting::default()
    }
}

#[test]
fn a_clean_experiment_meets_none_that_could_be_avoided() {
    let codes: Vec<&str> = Experiment::clean().find().iter().map(|pitfall| pitfall.spec.code).collect();
    assert_eq!(codes, ["open-loop"]);
}
