use batchlab_slurm::twin;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::Standing;
use batchlab_traces::{JobId, Time};

use super::forecast::Forecast;
use crate::outcome::{IntervalKind, Outcome};
use crate::replay::comparison::ComparisonError;

/// For how long a job has run by the instant of a standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ran {
    /// In a replay of the running jobs alone.
    replayed: Time,
    /// Really, as far as it is known.
    pub really: Time,
    /// Whether it is on its nodes then: otherwise the processors of others are divided among their nodes in another way than really, and
    /// it gets any nodes.
    pub is_there: bool,
}

impl Ran {
    /// Returns the run time in a replay of a job that really runs for `run`.
    pub(super) fn in_replay(self, run: Time) -> Time {
        self.replayed + (run - self.really).max(Time::TICK)
    }
}

/// How long the running jobs go on behind the instant of a standing: none of them ends before it.
const AHEAD: Time = Time::from_secs(3600);

impl Forecast<'_> {
    /// Whether running jobs stop for others of higher tiers: a replay stops them, and lets them go on.
    pub fn stops_jobs(&self) -> bool {
        let scenario = self.scenario;
        let suspends = scenario.slurm.as_ref().is_some_and(|site| site.system.suspends());
        suspends && scenario.capacity.is_none() && self.policy.spec().name == twin::SPEC.name
    }

    /// Returns for how long the running jobs of a standing have run, in their order. Where jobs stop for others, a log tells how long
    /// they have been stopped, if at all, and not when: a replay of the running jobs shows it.
    pub(super) fn ran(&self, standing: &Standing) -> Result<Vec<Ran>, ComparisonError> {
        let passed = |&(start, _): &(Time, JobId)| standing.now - start;
        let plain = |run: &(Time, JobId)| Ran { replayed: passed(run), really: passed(run), is_there: true };
        let mut ran: Vec<Ran> = standing.running.iter().map(plain).collect();
        if !self.stops_jobs() {
            return Ok(ran);
        }
        let alone = Standing { waiting: Vec::new(), coming: Vec::new(), ..standing.clone() };
        let runs: Vec<Time> = alone.running.iter().map(|run| passed(run) + AHEAD).collect();
        for is_known in [false, true] {
            let replayed = run_by(&self.replay_of((&alone, &ran), runs.clone())?, standing);
            for ((ran, run), (_, job)) in ran.iter_mut().zip(replayed).zip(&standing.running) {
                ran.replayed = run.unwrap_or(Time::ZERO);
                ran.really = standing.ran.get(job).copied().unwrap_or(ran.replayed);
                ran.is_there &= is_known || run.is_some();
            }
        }
        Ok(ran)
    }
}

/// Returns for how long the running jobs of a standing, the first ones of a replay, had run by its instant; `None` of one that had not
/// started.
fn run_by(outcome: &Outcome, standing: &Standing) -> Vec<Option<Time>> {
    let now = standing.now;
    let mut ran: SortedMap<JobId, Time> = SortedMap::new();
    for interval in &outcome.intervals {
        let run = ran.entry(interval.job).or_insert(Time::ZERO);
        if interval.kind == IntervalKind::Run && interval.from < now {
            *run += interval.to.min(now) - interval.from;
        }
    }
    let all = (0..standing.running.len() as u32).map(JobId);
    let of = |job| {
        let start = outcome.started(job).filter(|&start| start <= now)?;
        Some(ran.get(&job).copied().unwrap_or(now - start))
    };
    all.map(of).collect()
}
