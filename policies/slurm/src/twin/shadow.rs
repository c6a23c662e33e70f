//! What the loops would do beside what really happened: the closed loop of `slurm-check`.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::{JobId, Time};

use super::controller::{Starts, Twin};
use super::node_set::NodeSet;
use super::queue::Waiting;
use batchlab_policies::cluster::Placed;
use batchlab_policies::journal::Why;
use batchlab_policies::needs::Needs;
use batchlab_policies::placement::{Placement, Rate};
use batchlab_policies::policy::{Policy, PolicyError};
use batchlab_policies::spec::Chosen;
use batchlab_policies::spec::{BuildError, Setting};
use batchlab_policies::turn::Turn;

/// A policy that starts each job when it really started, and asks the loops at each of these instants, and at each of
/// their cycles, what they would start in the same state.
pub struct Shadow {
    twin: Twin,
    real: Recorded,
    /// The jobs to start, by instant.
    due: BTreeSet<(Time, JobId)>,
    /// Jobs that really started and that the loops have not started yet, with the instant until which they may.
    late: BTreeMap<JobId, (Time, Waiting)>,
    /// Jobs that really started while limits kept them from the loops, with the instant until which these may start them.
    withheld: BTreeMap<JobId, Time>,
    /// When the loops would first have started a waiting job, and where the last time they were asked.
    said: BTreeMap<JobId, (Time, Placement)>,
    /// When nodes were last freed.
    freed: Option<Time>,
    judgement: Judgement,
}

/// What a log tells of the jobs, by their rows: where jobs wait for others, the replay has its own identities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The real starts.
    pub starts: Vec<Time>,
    /// Whether a job was cancelled while it waited.
    pub cancelled: Vec<bool>,
}

/// How decisions compare in the same states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Real starts.
    pub starts: u64,
    /// Of these, the starts that the loops make too, then or by their next cycle.
    pub agreed: u64,
    /// Jobs that the loops would have started more than a cycle before they really started.
    pub extra: u64,
    /// Real starts that the loops make in the same second, in which no job ends, of jobs of which the log tells the nodes.
    pub located: u64,
    /// Of these, the starts on the same nodes.
    pub same_nodes: u64,
    /// Starts that did not fit on the nodes as they really did, and came later.
    pub postponed: u64,
    /// Jobs that started more than a second after they really did: limits, reservations or closures kept them from the state of
    /// the real start, or their nodes were taken.
    pub late: u64,
}

impl Shadow {
    /// Returns the shadow of a policy `slurm` for jobs that really started when the log tells.
    ///
    /// # Errors
    /// When the policy is another one, or cannot work in the setting.
    pub fn new(chosen: &Chosen, setting: &Setting<'_>, real: Recorded) -> Result<Shadow, BuildError> {
        if chosen.spec().name != super::SPEC.name {
            return Err(BuildError::Unfit(format!("`{}` is not the policy slurm", chosen.canonical())));
        }
        Ok(Shadow {
            twin: super::twin(chosen.params(), setting, false)?,
            real,
            due: BTreeSet::new(),
            late: BTreeMap::new(),
            withheld: BTreeMap::new(),
            said: BTreeMap::new(),
            freed: None,
            judgement: Judgement::default(),
        })
    }

    /// Returns what the policy needs.
    pub const NEEDS: Needs = Needs::FORESIGHT;

    /// Returns the comparison, after the replay.
    pub fn judgement(&self) -> Judgement {
        self.judgement
    }

    /// Returns the period of the backfill loop, or of the main loop if there is none.
    pub fn interval(&self) -> Time {
        self.twin.rules.backfill.interval.unwrap_or(self.twin.rules.main.interval)
    }

    /// Asks the loops what they would start; jobs that really run already and that they have not started wait for them.
    fn ask(&mut self, turn: &mut Turn<'_>) -> Result<Starts, PolicyError> {
        let before = (self.twin.space.clone(), self.twin.queue.clone(), self.twin.licences.clone());
        for (job, (_, waiting)) in &self.late {
            self.twin.space.end(*job, false);
            self.twin.take_licences(turn, *job, -1);
            self.twin.queue.insert(waiting.clone());
        }
        let started = self.twin.would_start(turn);
        (self.twin.space, self.twin.queue, self.twin.licences) = before;
        started
    }

    /// Takes up what the loops would start now.
    fn hear_of(&mut self, turn: &mut Turn<'_>) -> Result<Vec<JobId>, PolicyError> {
        let Starts { jobs, placements } = self.ask(turn)?;
        for (&job, placement) in jobs.iter().zip(placements) {
            if self.late.remove(&job).is_some() {
                self.judgement.agreed += 1;
            } else {
                self.said.entry(job).or_insert((turn.now(), Placement::default())).1 = placement;
            }
        }
        Ok(jobs)
    }

    /// The loops start a job where it really starts, or elsewhere. A log has whole seconds: where jobs end in the second of a
    /// start, what was free is unknown.
    fn compare_nodes(&mut self, turn: &Turn<'_>, job: JobId, placement: &Placement) {
        let told = self.twin.site.ran_on(turn.job(job)).filter(|_| self.freed != Some(turn.now()));
        if let Some(told) = told {
            let mut nodes: Vec<usize> = placement.0.iter().map(|share| share.node as usize).collect();
            nodes.sort_unstable();
            self.judgement.located += 1;
            self.judgement.same_nodes += u64::from(nodes == told);
        }
    }
}

impl Policy for Shadow {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let interval = self.interval();
        let heard = self.twin.hear(turn);
        if heard.freed || heard.vacated {
            self.freed = Some(now);
        }
        for &job in &heard.submitted {
            let start = self.real.starts.get(turn.job(job).row()).copied().unwrap_or(now).max(now);
            self.due.insert((start, job));
            if start > now {
                turn.wake_at(start)?;
            }
        }
        self.late.retain(|_, (until, _)| *until >= now);
        self.twin.notice(turn, &heard);
        let passes = self.twin.pass_due(now).is_some();
        let cycles = self.twin.cycle_due(now);
        let mut starts: Vec<JobId> =
            self.due.iter().take_while(|(at, _)| *at <= now).map(|&(_, job)| job).collect();
        let asks = !starts.is_empty() || cycles || passes && !self.twin.queue.is_empty();
        let would = if asks { self.hear_of(turn)? } else { Vec::new() };
        // A log does not tell the order of the starts within a second: it is that of the loops, if they make them, too.
        let places: BTreeMap<JobId, usize> = would.into_iter().zip(0..).collect();
        starts.sort_by_key(|job| places.get(job).copied().unwrap_or(usize::MAX));
        for job in starts {
            let Some(waiting) = self.twin.queue.get(job).map(|job| (**job).clone()) else {
                // Limits keep it away: it starts when they show it again.
                self.due.retain(|&(_, other)| other != job);
                let cancelled = self.real.cancelled.get(turn.job(job).row()) == Some(&true);
                if let Entry::Vacant(entry) = self.withheld.entry(job)
                    && !cancelled
                {
                    entry.insert(now + interval);
                    self.judgement.starts += 1;
                }
                continue;
            };
            let found = self.really(turn, &waiting);
            let Some(placement) = found else {
                // What really ended in the same second may still be on its nodes here.
                let real = self.real.starts.get(turn.job(job).row());
                self.judgement.postponed += u64::from(real.is_some_and(|&at| at == now));
                continue;
            };
            self.due.retain(|&(_, other)| other != job);
            let real = self.real.starts.get(turn.job(job).row()).copied().unwrap_or(now);
            self.judgement.late += u64::from(now > real + Time::SECOND);
            self.start(turn, &waiting, &placement)?;
            let until = self.withheld.get(&job).copied().unwrap_or_else(|| {
                self.judgement.starts += 1;
                now + interval
            });
            match self.said.remove(&job) {
                Some((said, there)) => {
                    let is_early = said + interval < now;
                    self.judgement.agreed += u64::from(is_early || now <= until);
                    self.judgement.extra += u64::from(is_early);
                    if places.contains_key(&job) {
                        self.compare_nodes(turn, job, &there);
                    }
                }
                None => drop(self.late.insert(job, (until, waiting))),
            }
        }
        self.twin.sleep(turn)
    }
}

impl Shadow {
    /// Returns the nodes for a job that really starts now: those on which it ran, if the log tells, else any that are free.
    fn really(&mut self, turn: &Turn<'_>, job: &Waiting) -> Option<Placement> {
        let told = self.twin.site.ran_on(turn.job(job.job));
        let ran_on = told.map(|told| NodeSet::of(self.twin.space.nodes(), |node| told.contains(&node)));
        // It may have waited for nodes below fewer switches than it got.
        let job = Waiting { most_leaves: job.most_leaves.map(|_| i64::MAX), ..job.clone() };
        let space = &mut self.twin.space;
        let there = ran_on.and_then(|nodes| {
            let all = Waiting { asked: nodes.len() as i64, ..job.clone() };
            space.now(&all, &nodes).or_else(|| space.now(&job, &nodes))
        });
        there.or_else(|| space.now(&job, &job.nodes))
    }

    fn start(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Waiting,
        placement: &Placement,
    ) -> Result<(), PolicyError> {
        let placed = if turn.machine().is_pool() {
            turn.start_as(job.job, Why::Head)?
        } else {
            turn.place_as(job.job, placement, Rate::FULL, Why::Head)?
        };
        self.twin.queue.remove(job.job);
        self.twin.has_changed();
        if placed == Placed::Holds {
            self.twin.holds(turn, job, placement);
        }
        Ok(())
    }
}
