//! Pitfalls that one replay can meet without an experiment around it.

use super::evidence::Evidence;
use super::pitfall::Pitfall;
use super::registry::met;
use super::setting::WorkloadSetting;
use crate::experiment::{Frame, Measure, PolicyFacts, Row, UnitKind, WorkloadFacts};
use crate::metrics::{Catalogue, DIAGNOSTICS, Measurement, Metric};

/// What was replayed: one workload under one or more policies.
#[derive(Clone, Copy, Debug)]
pub struct Replayed<'a> {
    /// Label of the workload.
    pub name: &'a str,
    /// How it was prepared.
    pub setting: &'a WorkloadSetting,
    /// What was asked for.
    pub metrics: &'a [Metric],
    /// Each policy by its spec, with its measurement.
    pub policies: &'a [(String, Measurement<'a>)],
}

/// Looks for the pitfalls that concern a replay, in the order of [`PITFALLS`](super::PITFALLS).
pub fn of_replay(replayed: &Replayed<'_>) -> Vec<Pitfall> {
    let setting = WorkloadSetting { workload: 0, ..replayed.setting.clone() };
    met(&Evidence { frame: &frame(replayed), settings: &[setting], means: &[] }, |spec| spec.in_replay)
}

/// Returns the results of a replay as those of an experiment with one unit.
fn frame(replayed: &Replayed<'_>) -> Frame {
    let mut metrics: Vec<(Metric, bool)> =
        replayed.metrics.iter().map(|metric| (metric.clone(), false)).collect();
    if let Some((_, measurement)) = replayed.policies.first() {
        let known = Catalogue::new(measurement.machine(), &[]);
        let wanted = DIAGNOSTICS.iter().filter_map(|key| known.find(key).ok());
        for metric in wanted {
            if metrics.iter().all(|(other, _)| other.key() != metric.key()) {
                metrics.push((metric, true));
            }
        }
    }
    let row = |(policy, (_, measurement)): (usize, &(String, Measurement<'_>))| Row {
        key: String::new(),
        workload: 0,
        point: Vec::new(),
        policy,
        unit: None,
        seed: 0,
        values: metrics.iter().map(|(metric, _)| metric.value(measurement)).collect(),
    };
    let named =
        |(spec, _): &(String, Measurement<'_>)| PolicyFacts { label: spec.clone(), spec: spec.clone() };
    let workload =
        WorkloadFacts { name: replayed.name.into(), units: UnitKind::One, ..WorkloadFacts::default() };
    Frame {
        workloads: vec![workload],
        policies: replayed.policies.iter().map(named).collect(),
        rows: replayed.policies.iter().enumerate().map(row).collect(),
        measures: metrics.iter().map(measure).collect(),
        ..Frame::default()
    }
}

fn measure((metric, is_diagnostic): &(Metric, bool)) -> Measure {
    Measure {
        key: metric.key(),
        metric: metric.key(),
        class: None,
        unit: metric.unit(),
        better: metric.spec.better,
        definition: metric.definition(),
        is_diagnostic: *is_diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{JobId, Machine, Time, Workload};

    use super::*;
    use crate::Outcome;
    use crate::metrics::MeasureOptions;
    use crate::pitfalls::sample::Experiment;

    /// 1,500 jobs of the whole machine and 90 s, served in order, so many seconds apart.
    fn codes(gap: i64) -> Vec<&'static str> {
        let plain = |at: i64| PlainJob {
            submit: Time::from_secs(at * gap),
            run: Time::from_secs(90),
            estimate: Time::from_secs(300),
            demand: vec![4],
            user: at % 7,
            partition: -1,
        };
        let workload = Workload::from_jobs(&(0..1_500).map(plain).collect::<Vec<_>>());
        let mut free = Time::ZERO;
        let mut end = |job: JobId| {
            free = free.max(workload.submit(job)) + Time::from_secs(90);
            free
        };
        let end: Vec<Time> = workload.jobs().map(&mut end).collect();
        let start = end.iter().map(|&end| end - Time::from_secs(90)).collect();
        let outcome = Outcome { start, end, ..Outcome::default() };
        let machine = Machine::pool(4).unwrap();
        let measurement = Measurement::new(&workload, &machine, &outcome, MeasureOptions::default()).unwrap();
        let metrics = Catalogue::new(&machine, &[]).select("mean_wait,p95_wait,mean_bsld").unwrap();
        let setting = Experiment::clean().settings.swap_remove(0);
        let policies = [("fcfs".to_owned(), measurement)];
        let replayed = Replayed { name: "A", setting: &setting, metrics: &metrics, policies: &policies };
        of_replay(&replayed).iter().map(|pitfall| pitfall.spec.code).collect()
    }

    #[test]
    fn one_replay_meets_what_it_can_meet() {
        assert_eq!(codes(100), ["one-replay"]);
        assert_eq!(codes(80), ["saturated", "one-replay"]);
    }
}
