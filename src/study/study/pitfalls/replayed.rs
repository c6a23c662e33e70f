use batchlab_support::registry::Policies;
use batchlab_traces::{Machine, Time, Workload};

use super::evidence::Evidence;
use super::pitfall::{Pitfall, PitfallSpec};
use super::registry::met;
use super::saturation::LEAST;
use super::setting::WorkloadSetting;
use crate::experiment::measuring::described;
use crate::experiment::{Frame, FrameRow, Measure, PolicyFacts, UnitKind, WorkloadFacts};
use batchlab_engine::Outcome;
use batchlab_engine::metrics::{Catalogue, DIAGNOSTICS, Measurement, Metric};
use batchlab_engine::stats::saturation::LEFT_OVER;

#[derive(Clone, Copy, Debug)]
pub struct Replayed<'a> {
    pub name: &'a str,
    pub setting: &'a WorkloadSetting,
    pub measures: &'a Measures,
    /// Each policy by its spec, with the values of the measures.
    pub policies: &'a [(String, Vec<Option<f64>>)],
    pub known: &'a Policies,
}

/// The metrics that must be measured of a replay to find its pitfalls.
#[derive(Clone, Debug)]
pub struct Measures(Vec<(Metric, bool)>);

/// Pitfalls that are relevant to every reader of a replay's table: they affect all of its numbers, or limit what it can show.
pub const TOLD: [&str; 4] = ["machine-size", "saturated", "one-replay", "perfect-estimates"];

impl Measures {
    /// Returns the requested metrics and the diagnostics that checks read.
    pub fn all(asked: &[Metric], machine: &Machine) -> Measures {
        Measures::with(asked, machine, DIAGNOSTICS)
    }

    /// Returns only the metrics that show whether the machine kept up.
    pub fn of_saturation(machine: &Machine) -> Measures {
        Measures::with(&[], machine, &["completion", "backlog_growth", "backlog_growth_low", LEAST])
    }

    fn with(asked: &[Metric], machine: &Machine, diagnostics: &[&str]) -> Measures {
        let mut metrics: Vec<(Metric, bool)> = asked.iter().map(|metric| (metric.clone(), false)).collect();
        let known = Catalogue::new(machine, &[]);
        for metric in diagnostics.iter().filter_map(|key| known.find(key).ok()) {
            if metrics.iter().all(|(other, _)| other.key() != metric.key()) {
                metrics.push((metric, true));
            }
        }
        Measures(metrics)
    }

    pub fn values(&self, measurement: &Measurement<'_>) -> Vec<Option<f64>> {
        self.0.iter().map(|(metric, _)| metric.value(measurement)).collect()
    }

    /// Returns undefined values, for a replay that was not measured.
    pub fn nothing(&self) -> Vec<Option<f64>> {
        vec![None; self.0.len()]
    }
}

/// Looks for the pitfalls that can occur in a replay, in the order of [`PITFALLS`](super::PITFALLS).
pub fn of_replay(replayed: &Replayed<'_>) -> Vec<Pitfall> {
    look(replayed, |spec| spec.in_replay)
}

/// Looks only for the pitfalls in [`TOLD`].
pub fn of_replay_in_short(replayed: &Replayed<'_>) -> Vec<Pitfall> {
    look(replayed, |spec| TOLD.contains(&spec.code))
}

fn look(replayed: &Replayed<'_>, wanted: fn(&PitfallSpec) -> bool) -> Vec<Pitfall> {
    let setting = WorkloadSetting { workload: 0, ..replayed.setting.clone() };
    let policies = replayed.known;
    met(&Evidence { frame: &frame(replayed), policies, settings: &[setting], means: &[] }, wanted)
}

/// Whether a whole replay may be saturated; only then is the backlog computed.
///
/// The work left over at the last submission is at most what the machine can do from then until the last end.
/// If that is less than the share that saturation leaves, the machine kept up. O(n), a few additions per job.
pub fn may_be_saturated(workload: &Workload, machine: &Machine, outcome: &Outcome) -> bool {
    let workload = outcome.workload(workload);
    let mut work = 0.0;
    let (mut last_submit, mut last_end) = (Time::ZERO, Time::ZERO);
    for (job, &end) in workload.jobs().zip(&outcome.end) {
        work += workload.procs(job) as f64 * workload.run(job).secs();
        last_submit = last_submit.max(workload.submit(job));
        last_end = last_end.max(end);
    }
    work > 0.0 && machine.procs() as f64 * (last_end.secs() - last_submit.secs()) >= LEFT_OVER * work
}

/// Returns the results of a replay in the form of an experiment with one unit.
fn frame(replayed: &Replayed<'_>) -> Frame {
    let row = |(policy, (_, values)): (usize, &(String, Vec<Option<f64>>))| FrameRow {
        key: String::new(),
        workload: 0,
        point: Vec::new(),
        policy,
        unit: None,
        seed: 0,
        values: values.clone(),
    };
    let named =
        |(spec, _): &(String, Vec<Option<f64>>)| PolicyFacts { label: spec.clone(), spec: spec.clone() };
    let workload =
        WorkloadFacts { name: replayed.name.into(), units: UnitKind::One, ..WorkloadFacts::default() };
    Frame {
        workloads: vec![workload],
        policies: replayed.policies.iter().map(named).collect(),
        rows: replayed.policies.iter().enumerate().map(row).collect(),
        measures: replayed.measures.0.iter().map(measure).collect(),
        ..Frame::default()
    }
}

fn measure((metric, is_diagnostic): &(Metric, bool)) -> Measure {
    Measure { is_diagnostic: *is_diagnostic, ..described(metric, None) }
}

#[cfg(test)]
mod tests {
    use batchlab_policies::Registry;
    use batchlab_traces::JobId;
    use batchlab_traces::workload::PlainJob;

    use super::*;
    use crate::study::pitfalls::sample::Experiment;
    use batchlab_engine::metrics::MeasureOptions;

    /// Replays 1,500 jobs of 90 s on the whole machine, `gap` seconds apart, in order.
    fn codes(gap: i64) -> Vec<&'static str> {
        let plain = |at: i64| PlainJob {
            estimate: Time::from_secs(300),
            user: at % 7,
            ..PlainJob::secs(at * gap, 90, vec![4])
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
        let measures = Measures::all(&metrics, &machine);
        let policies = [("fcfs".to_owned(), measures.values(&measurement))];
        let known = &Registry::builtin();
        let replayed =
            Replayed { name: "A", setting: &setting, measures: &measures, policies: &policies, known };
        let codes: Vec<&'static str> = of_replay(&replayed).iter().map(|pitfall| pitfall.spec.code).collect();
        let measures = Measures::of_saturation(&machine);
        let policies = [("fcfs".to_owned(), measures.values(&measurement))];
        let replayed = Replayed { measures: &measures, policies: &policies, ..replayed };
        let told: Vec<&'static str> =
            of_replay_in_short(&replayed).iter().map(|pitfall| pitfall.spec.code).collect();
        assert_eq!(told, codes);
        assert_eq!(may_be_saturated(&workload, &machine, &outcome), codes.contains(&"saturated"));
        codes
    }

    #[test]
    fn one_replay_meets_what_it_can_meet() {
        assert_eq!(codes(100), ["one-replay"]);
        assert_eq!(codes(80), ["saturated", "one-replay"]);
    }
}
