//! One replay of a log and its expected result.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use batchlab::Outcome;
use batchlab::policies::{Needs, Policy};
use batchlab::traces::reading::{Estimate, Overrun};
use batchlab::traces::{JobId, Time, Workload};

use super::{Log, Play, play, reference};

/// A replay of a log, with event order `batch`, the users' estimates and overruns `raise` unless set otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    log: Log,
    spec: &'static str,
    events: &'static str,
    estimate: Estimate,
    overrun: Overrun,
    by_node: bool,
}

pub struct Replayed {
    pub workload: Arc<Workload>,
    pub outcome: Outcome,
    case: Case,
}

/// The outcomes of cases: several tests compare with the same replay.
static KNOWN: Mutex<BTreeMap<String, Arc<OnceLock<Outcome>>>> = Mutex::new(BTreeMap::new());

impl Case {
    pub fn new(log: Log, spec: &'static str) -> Case {
        let (estimate, overrun) = (Estimate::Requested, Overrun::Raise);
        Case { log, spec, events: "batch", estimate, overrun, by_node: false }
    }

    pub fn submit_first(self) -> Case {
        Case { events: "submit-first", ..self }
    }

    pub fn exact(self) -> Case {
        Case { estimate: Estimate::Actual, ..self }
    }

    pub fn kill(self) -> Case {
        Case { overrun: Overrun::Kill, ..self }
    }

    pub fn overdue(self) -> Case {
        Case { overrun: Overrun::Overdue, ..self }
    }

    /// Chooses nodes one by one although there is only one node.
    pub fn by_node(self) -> Case {
        Case { by_node: true, ..self }
    }

    pub fn replay(self) -> Option<Replayed> {
        let scene = self.scene()?;
        let known = KNOWN.lock().unwrap().entry(format!("{self:?}")).or_default().clone();
        let outcome = known.get_or_init(|| play(&scene, self.spec).0).clone();
        Some(Replayed { workload: scene.scenario.workload, outcome, case: self })
    }

    /// Replays a policy that is not in the registry under the case's name.
    pub fn replay_with(self, policy: &mut dyn Policy) -> Option<Replayed> {
        let scene = self.scene()?;
        let (outcome, _) = scene.named(self.spec, Needs::POOL, policy).unwrap();
        Some(Replayed { workload: scene.scenario.workload, outcome, case: self })
    }

    fn scene(self) -> Option<Play> {
        let scene = self.log.play(self.estimate, self.overrun)?.events(self.events);
        Some(Play { by_node: self.by_node, ..scene })
    }

    /// Replays and compares with a published schedule, if log and schedule are present.
    pub fn agrees_with(self, schedule: &str) -> Option<Replayed> {
        let rows = reference(&format!("{}.{schedule}", self.log.0))?;
        let result = self.replay()?;
        let theirs: BTreeMap<i64, _> = rows.iter().map(|row| (row.job, (row.start, row.end))).collect();
        assert_eq!(theirs.len(), result.workload.len(), "{schedule}: as many jobs as ours");
        let differ: Vec<i64> = result
            .workload
            .jobs()
            .filter(|&job| theirs.get(&result.workload.number(job)) != Some(&result.times(job)))
            .map(|job| result.workload.number(job))
            .collect();
        let first = &differ[..differ.len().min(5)];
        assert!(differ.is_empty(), "{schedule}: {} jobs differ, the first are {first:?}", differ.len());
        Some(result)
    }
}

impl Replayed {
    fn times(&self, job: JobId) -> (Time, Time) {
        (self.outcome.start(job), self.outcome.end(job))
    }

    pub fn spec(&self) -> &'static str {
        self.case.spec
    }

    pub fn waits(&self) -> Vec<f64> {
        self.workload.jobs().map(|job| (self.outcome.start(job) - self.workload.submit(job)).secs()).collect()
    }

    /// Bounded slowdowns, τ = 10 s, by job.
    pub fn bounded_slowdowns(&self) -> Vec<f64> {
        let of = |job| {
            let response = (self.outcome.end(job) - self.workload.submit(job)).secs();
            (response / self.workload.run(job).secs().max(10.0)).max(1.0)
        };
        self.workload.jobs().map(of).collect()
    }

    /// Checks the mean bounded slowdown to all printed digits.
    pub fn bsld(&self, printed: &str) -> &Replayed {
        self.same("mean bsld", mean(&self.bounded_slowdowns()), printed)
    }

    /// Checks the mean wait in seconds to all printed digits.
    pub fn wait(&self, printed: &str) -> &Replayed {
        self.same("mean wait", mean(&self.waits()), printed)
    }

    pub fn same(&self, what: &str, value: f64, printed: &str) -> &Replayed {
        let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let Case { log, spec, .. } = self.case;
        assert_eq!(format!("{value:.decimals$}"), printed, "{what} of `{spec}` on {}", log.0);
        self
    }
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Asserts that both policies of each pair give every job of a log the same start.
pub fn starts_as_others(same: &[(&'static str, &'static str)], log: Log) {
    for &(left, right) in same {
        let (Some(ours), Some(theirs)) = (Case::new(log, left).replay(), Case::new(log, right).replay())
        else {
            return;
        };
        let differ =
            ours.outcome.start.iter().zip(&theirs.outcome.start).filter(|(left, right)| left != right);
        assert_eq!(differ.count(), 0, "jobs that `{left}` and `{right}` start at other times on {}", log.0);
    }
}
