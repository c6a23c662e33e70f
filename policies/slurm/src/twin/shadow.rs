//! What the loops would do beside what really happened: the closed loop of `slurm-check`.

use batchlab_traces::sorted::Entry;
use std::sync::Arc;

use batchlab_contract::journal::Why;
use batchlab_contract::needs::Needs;
use batchlab_contract::placement::Placement;
use batchlab_contract::policy::{Policy, PolicyError};
use batchlab_contract::spec::{BuildError, Chosen, Setting};
use batchlab_contract::turn::Turn;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::clock::Delays;
use super::hypothesis::{Held, Starts};
use super::loops::Twin;
use super::node_set::NodeSet;
use super::nodes::TaskShape;
use super::options;
use super::queue::Waiting;
use crate::site::SlurmSite;

/// A policy that starts each job when it really started, and asks the loops at each of these instants, and at each of
/// their cycles, what they would start in the same state.
pub struct Shadow {
    site: Arc<SlurmSite>,
    twin: Twin,
    real: Recorded,
    /// The jobs to start, by instant.
    due: SortedSet<(Time, JobId)>,
    /// Jobs that have really started, but not in the loops.
    late: SortedMap<JobId, Late>,
    /// Jobs that really started while limits kept them from the loops, with the instant until which these may start them.
    withheld: SortedMap<JobId, Time>,
    /// What the loops have said of waiting jobs.
    said: SortedMap<JobId, Said>,
    /// When nodes were last freed.
    freed: Option<Time>,
    judgement: Judgement,
    /// Where the jobs are that have started, by their rows.
    placed: SortedMap<usize, Vec<(usize, i64)>>,
    /// What is said of each real start.
    judged: SortedMap<JobId, Judged>,
}

/// A job that has really started, but not in the loops.
struct Late {
    /// Until when the loops may start it.
    until: Time,
    /// The job, in each of its partitions.
    waiting: Vec<Waiting>,
}

/// What the loops have said of a waiting job.
struct Said {
    /// When they would first have started it.
    first: Time,
    /// Where they would have started it when they were last asked.
    nodes: Placement,
}

/// What the closed loop says of a real start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The job, as the replay numbers it.
    pub job: JobId,
    /// Its row in the log.
    pub row: usize,
    /// When it really started.
    pub real: Time,
    /// When it started here: later if it did not fit.
    pub at: Time,
    /// When the loops would first have started it; `None` if they did not by their next cycle.
    pub loops: Option<Time>,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Why they did not start it when they were last asked before they agreed, or no longer were.
    pub held: Option<Held>,
    /// Row in the log of the job that it waited behind then.
    pub behind: Option<usize>,
    /// The nodes on which it really ran, and those on which the loops would have started it; empty if unknown.
    pub nodes: [Vec<usize>; 2],
}

/// Whether the loops agree with a real start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They start the job in the same state, then or by their next cycle.
    Agreed,
    /// They would have started it more than a cycle before.
    Early,
    /// They do not start it.
    Missed,
    /// They do, but the state was not that of the real start: it did not fit where it ran, or limits kept it away.
    Postponed,
}

/// What a log tells of the jobs, by their rows: where jobs wait for others, the replay has its own identities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The real starts.
    pub starts: Vec<Time>,
    /// Whether a job was cancelled while it waited.
    pub cancelled: Vec<bool>,
    /// The processors of jobs on each of their nodes, by their rows, if they are known.
    pub procs: SortedMap<usize, Vec<(usize, i64)>>,
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
    /// Real starts of jobs whose nodes the log tells, that the loops make in the same second, in which no job ends.
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
        if chosen.spec().name != options::NAME {
            return Err(BuildError::Unfit(format!("`{}` is not the policy slurm", chosen.canonical())));
        }
        let site = options::site(setting)?;
        let scheduler = options::scheduler(chosen.params(), &site.system.scheduler)?;
        // A log has whole seconds: what starts in the second in which a job ends has its processors.
        let delays = Delays { complete: Time::ZERO, ..options::delays(chosen.params())? };
        Ok(Shadow {
            twin: Twin::new(scheduler, delays, site, setting, false, true),
            site: site.clone(),
            real,
            due: SortedSet::new(),
            late: SortedMap::new(),
            withheld: SortedMap::new(),
            said: SortedMap::new(),
            freed: None,
            judgement: Judgement::default(),
            placed: SortedMap::new(),
            judged: SortedMap::new(),
        })
    }

    /// Returns what the policy needs.
    pub const NEEDS: Needs = Needs::FORESIGHT;

    /// Returns the comparison, after the replay.
    pub fn judgement(&self) -> Judgement {
        self.judgement
    }

    /// Returns the processors of each job on its nodes, by its row, as they were placed.
    pub fn placed(&self) -> &SortedMap<usize, Vec<(usize, i64)>> {
        &self.placed
    }

    /// Returns what is said of each real start, in the order of the replay's jobs.
    pub fn judged(&self) -> impl Iterator<Item = &Judged> {
        self.judged.values()
    }

    /// Returns the period of the backfill loop; without a backfill loop, that of the main loop.
    pub fn interval(&self) -> Time {
        self.twin.interval()
    }

    /// Takes up what the loops would start now. Jobs that really run, but not in the loops, wait for them.
    fn hear_of(&mut self, turn: &mut Turn<'_>) -> Result<Vec<JobId>, PolicyError> {
        let late = self.late.iter().map(|(&job, late)| (job, late.waiting.as_slice()));
        let Starts { jobs, placements, held } = self.twin.would_start(turn, late)?;
        for job in self.late.keys() {
            if let Some(judged) = self.judged.get_mut(job) {
                judged.held = held.get(job).copied();
                judged.behind = match judged.held {
                    Some(Held::Behind(first)) => Some(turn.job(first).row()),
                    _ => None,
                };
            }
        }
        for (&job, placement) in jobs.iter().zip(placements) {
            if self.late.remove(&job).is_some() {
                self.judgement.agreed += 1;
                if let Some(judged) = self.judged.get_mut(&job) {
                    judged.agrees_at(turn.now());
                }
            } else {
                let first = self.said.get(&job).map_or(turn.now(), |said| said.first);
                self.said.insert(job, Said { first, nodes: placement });
            }
        }
        Ok(jobs)
    }

    /// The loops start a job where it really starts, or elsewhere. A log has whole seconds: where jobs end in the second of a
    /// start, what was free is unknown.
    fn compare_nodes(&mut self, turn: &Turn<'_>, job: JobId, placement: &Placement) {
        let told = self.site.ran_on(turn.job(job)).filter(|_| self.freed != Some(turn.now()));
        if let Some(told) = told {
            self.judgement.located += 1;
            self.judgement.same_nodes += u64::from(nodes_of(placement) == told);
        }
    }
}

impl Policy for Shadow {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let (heard, would_run) = self.twin.hear(turn);
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
        self.late.retain(|_, late| late.until >= now);
        let mut starts: Vec<JobId> =
            self.due.iter().take_while(|(at, _)| *at <= now).map(|&(_, job)| job).collect();
        let asks = !starts.is_empty() || would_run;
        let would = if asks { self.hear_of(turn)? } else { Vec::new() };
        // A log does not tell the order of the starts within a second: it is that of the loops, if they make them, too.
        let places: SortedMap<JobId, usize> = would.into_iter().zip(0..).collect();
        starts.arrange_by_key(|job| places.get(job).copied().unwrap_or(usize::MAX));
        for job in starts {
            self.start_real(turn, job, places.contains_key(&job))?;
        }
        self.twin.sleep(turn)
    }
}

impl Shadow {
    /// Starts a job that really starts now, or did before and did not fit; `is_asked` tells whether the loops start it, too.
    fn start_real(&mut self, turn: &mut Turn<'_>, job: JobId, is_asked: bool) -> Result<(), PolicyError> {
        let (now, interval) = (turn.now(), self.interval());
        let row = turn.job(job).row();
        let queue = self.twin.controller().queue();
        let all: Vec<Waiting> = queue.of(job).map(|job| (**job).clone()).collect();
        let partition = self.site.partition(turn.job(job));
        let there = all.iter().find(|waiting| waiting.in_partition == partition).or(all.first());
        let Some(waiting) = there.cloned() else {
            // Limits keep it away: it starts when they show it again.
            self.due.retain(|&(_, other)| other != job);
            let cancelled = self.real.cancelled.get(row) == Some(&true);
            if let Entry::Vacant(entry) = self.withheld.entry(job)
                && !cancelled
            {
                entry.insert(now + interval);
                self.judgement.starts += 1;
            }
            return Ok(());
        };
        let waiting = self.as_it_got(turn, waiting);
        let real = self.real.starts.get(row).copied();
        let (found, is_there) = self.really(turn, &waiting);
        if real == Some(now) && !is_there {
            // What really ended in the same second may still be on its nodes here.
            self.judgement.postponed += 1;
        }
        let Some(placement) = found else { return Ok(()) };
        self.due.retain(|&(_, other)| other != job);
        let real = real.unwrap_or(now);
        self.judgement.late += u64::from(now > real + Time::SECOND);
        self.start(turn, &waiting, &placement)?;
        self.judge(turn, job, real);
        let until = self.withheld.get(&job).copied().unwrap_or_else(|| {
            self.judgement.starts += 1;
            now + interval
        });
        match self.said.remove(&job) {
            Some(said) => self.compare(turn, job, &said, until, is_asked),
            None => drop(self.late.insert(job, Late { until, waiting: all })),
        }
        Ok(())
    }

    /// Compares a start with what the loops have said of the job, which they may start until some instant.
    fn compare(&mut self, turn: &Turn<'_>, job: JobId, said: &Said, until: Time, is_asked: bool) {
        let now = turn.now();
        let is_early = said.first + self.interval() < now;
        self.judgement.agreed += u64::from(is_early || now <= until);
        self.judgement.extra += u64::from(is_early);
        if let Some(judged) = self.judged.get_mut(&job).filter(|_| is_early || now <= until) {
            judged.agrees_at(said.first);
            judged.verdict = if is_early { Verdict::Early } else { judged.verdict };
            judged.nodes[1] = nodes_of(&said.nodes);
        }
        if is_asked {
            self.compare_nodes(turn, job, &said.nodes);
        }
    }
}

impl Judged {
    /// The loops start the job at an instant.
    fn agrees_at(&mut self, at: Time) {
        self.loops = Some(at);
        let is_late = self.at > self.real + Time::SECOND;
        self.verdict = if is_late { Verdict::Postponed } else { Verdict::Agreed };
    }
}

/// Returns the nodes that no closure has taken wholly.
fn in_service(turn: &Turn<'_>, nodes: usize) -> NodeSet {
    NodeSet::of(nodes, |node| turn.in_service(node).first().is_none_or(|&procs| procs > 0))
}

/// Returns the nodes of a placement, ascending.
fn nodes_of(placement: &Placement) -> Vec<usize> {
    let mut nodes: Vec<usize> = placement.0.iter().map(|share| share.node as usize).collect();
    nodes.sort_unstable();
    nodes
}

impl Shadow {
    /// Notes a start that the loops have not made yet.
    fn judge(&mut self, turn: &Turn<'_>, job: JobId, real: Time) {
        let view = turn.job(job);
        let ran_on = self.site.ran_on(view).map_or_else(Vec::new, <[usize]>::to_vec);
        let judged = Judged {
            job,
            row: view.row(),
            real,
            at: turn.now(),
            loops: None,
            verdict: Verdict::Missed,
            held: None,
            behind: None,
            nodes: [ran_on, Vec::new()],
        };
        self.judged.insert(job, judged);
    }

    /// Returns a waiting job with the processors that it got, where it got fewer than it asked for.
    fn as_it_got(&mut self, turn: &Turn<'_>, job: Waiting) -> Waiting {
        let view = turn.job(job.job);
        if self.site.asked_whole(view).is_none() {
            return job;
        }
        let layout = view.layout();
        let shape = Arc::new(TaskShape::of(layout, view.demand()));
        let field = self.twin.controller_mut().spaces_mut().field(&shape, &job.nodes);
        Waiting { layout, field, ..job }
    }

    /// Returns the nodes for a job that really starts now, and whether it fits: those on which it ran, if the log tells, else any that
    /// are free.
    fn really(&mut self, turn: &Turn<'_>, job: &Waiting) -> (Option<Placement>, bool) {
        let (view, machine) = (turn.job(job.job), turn.machine());
        let told = self.site.ran_on(view);
        let is_told = told.is_some();
        // The features of its nodes may be others now.
        let told = told.filter(|told| told.iter().all(|&node| view.admitted(machine, node)));
        let nodes = self.twin.controller().nodes();
        let ran_on = told.map(|told| NodeSet::of(nodes, |node| told.contains(&node)));
        // It may have waited for nodes below fewer switches than it got.
        let job = Waiting { most_leaves: job.most_leaves.map(|_| i64::MAX), ..job.clone() };
        let beyond = self.beyond(turn, job.job);
        let in_service = in_service(turn, nodes);
        let allocations = self.twin.controller_mut().allocations_mut();
        let there = ran_on.and_then(|mut nodes| {
            nodes.keep(&in_service);
            let all = Waiting { asked: nodes.len() as i64, ..job.clone() };
            let known = allocations.now_without(&all, &nodes, &beyond, turn.now());
            let spaces = allocations.spaces_mut();
            known.or_else(|| spaces.now(&all, &nodes)).or_else(|| spaces.now(&job, &nodes))
        });
        let fits = there.is_some();
        let found = there.or_else(|| {
            let mut nodes = (*job.nodes).clone();
            nodes.keep(&in_service);
            allocations.spaces_mut().now(&job, &nodes)
        });
        let is_there = fits || !is_told && found.is_some();
        (found, is_there)
    }

    /// Returns the free processors of a job's nodes that it did not have, as far as it is known.
    fn beyond(&self, turn: &Turn<'_>, job: JobId) -> Vec<(u32, i64)> {
        let known = self.real.procs.get(&turn.job(job).row()).map_or(&[][..], Vec::as_slice);
        let nodes = self.twin.controller().allocations().spaces().all();
        let more = |&(node, procs): &(usize, i64)| {
            let free = nodes.free_procs(node);
            (free > procs).then_some((node as u32, free - procs))
        };
        known.iter().filter_map(more).collect()
    }

    fn start(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Waiting,
        placement: &Placement,
    ) -> Result<(), PolicyError> {
        self.twin.controller_mut().launch(turn, job, placement, Why::Head)?;
        let procs = placement.0.iter().map(|share| (share.node as usize, share.procs)).collect();
        self.placed.insert(turn.job(job.job).row(), procs);
        Ok(())
    }
}
