//! What the loops would do beside what really happened: the closed loop of `slurm-check`.

use std::sync::Arc;

use batchlab_contract::event::Event;
use batchlab_contract::journal::Why;
use batchlab_contract::needs::Needs;
use batchlab_contract::placement::Placement;
use batchlab_contract::policy::{Policy, PolicyError};
use batchlab_contract::spec::{BuildError, Chosen, Setting};
use batchlab_contract::turn::Turn;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::alarms::STUCK;
use super::clock::{Delays, PassDepth};
use super::hypothesis::{Held, Starts};
use super::judged::{Judged, Judgement, LATE, Verdict};
use super::loops::{Asked, Twin};
use super::node_set::NodeSet;
use super::nodes::TaskShape;
use super::options;
use super::queue::Waiting;
use super::recorded::Recorded;
use crate::site::{SlurmSite, StartLoop};

/// A policy that starts each job when it really started, and asks each loop at its own instants what it would start in the same
/// state: the main loop at its passes, the backfill loop at its cycles, and the loop that the log names at each real start.
pub struct Shadow {
    site: Arc<SlurmSite>,
    twin: Twin,
    real: Recorded,
    due: SortedSet<(Time, JobId)>,
    /// Jobs that have really started, but not in the loops.
    late: SortedMap<JobId, Late>,
    /// Jobs that really started while limits kept them from the loops.
    withheld: SortedSet<JobId>,
    cycles: Vec<Time>,
    /// What the loops have said just before a second, with that second.
    before: Option<(Time, Told)>,
    said: SortedMap<JobId, Said>,
    freed: Option<Time>,
    /// What is counted at once; the starts are counted in the end.
    counts: Judgement,
    /// Where the jobs are that have started, by their rows.
    placed: SortedMap<usize, Vec<(usize, i64)>>,
    /// What is said of each real start.
    judged: SortedMap<JobId, Judged>,
}

/// A job that has really started, but not in the loops.
struct Late {
    /// When it started.
    since: Time,
    /// The job, in each of its partitions.
    waiting: Vec<Waiting>,
}

struct Said {
    /// When they would first have started it, and which of them.
    first: (Time, StartLoop),
    /// Where they would have started it when they were last asked.
    nodes: Placement,
}

/// What the loops say in a state.
#[derive(Default)]
struct Told {
    /// The jobs that they start, each with its place in the order, the loop that starts it, and its nodes.
    starts: SortedMap<JobId, (usize, StartLoop, Placement)>,
    /// Why the others do not start.
    held: SortedMap<JobId, Held>,
}

/// What the loops say in a second of the log: in the state after all that happened in it, and in the state before. A log does not
/// tell whether a loop ran before or after a job ended or entered in its second.
#[derive(Default)]
struct InSecond {
    after: Told,
    before: Option<Told>,
}

impl InSecond {
    fn start(&self, job: JobId) -> Option<&(usize, StartLoop, Placement)> {
        self.after.starts.get(&job).or_else(|| self.before.as_ref()?.starts.get(&job))
    }
}

impl Shadow {
    /// Returns the shadow of a policy `slurm` for jobs that really started when the log tells.
    pub fn new(chosen: &Chosen, setting: &Setting<'_>, real: Recorded) -> Result<Shadow, BuildError> {
        if chosen.spec().name != options::NAME {
            return Err(BuildError::Unfit(format!("`{}` is not the policy slurm", chosen.canonical())));
        }
        let site = options::site(setting)?;
        let scheduler = options::scheduler(chosen.params(), &site.system.scheduler)?;
        // A log has whole seconds: what starts in the second in which a job ends has its processors.
        let delays = Delays { complete: Time::ZERO, ..options::delays(chosen.params())? };
        // As in the policy, jobs keep their processors beside changes of the capacity.
        let mut twin = Twin::new(scheduler, delays, site, setting, !setting.changes, true);
        let cycles = real.cycles(twin.interval());
        twin.follow(cycles.clone());
        Ok(Shadow {
            twin,
            site: site.clone(),
            real,
            due: SortedSet::new(),
            late: SortedMap::new(),
            withheld: SortedSet::new(),
            cycles,
            before: None,
            said: SortedMap::new(),
            freed: None,
            counts: Judgement::default(),
            placed: SortedMap::new(),
            judged: SortedMap::new(),
        })
    }

    pub const NEEDS: Needs = Needs::FORESIGHT;

    pub fn judgement(&self) -> Judgement {
        let mut judgement = self.counts;
        for judged in self.judged.values() {
            judgement.count(judged.verdict);
        }
        // Limits never showed the others again.
        let kept_out = self.withheld.iter().filter(|job| !self.judged.contains_key(job));
        kept_out.for_each(|_| judgement.count(Verdict::Missed));
        judgement
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

    /// Returns by how much a start of the loops may differ from the real one: a cycle, and the second that a log leaves open.
    fn tolerance(&self) -> Time {
        self.interval() + Time::SECOND
    }

    /// Returns what loops start now, and why not the other jobs.
    fn hear_of(&mut self, turn: &mut Turn<'_>, asked: &Asked) -> Result<Told, PolicyError> {
        let Starts { jobs, placements, held, before_cycle } =
            self.twin.would_start(turn, asked, std::iter::empty())?;
        let by = |job: &JobId, at: usize| match at {
            _ if asked.submitted.contains(job) => StartLoop::Submission,
            _ if at < before_cycle => StartLoop::Main,
            _ => StartLoop::Backfill,
        };
        let starts = jobs.iter().zip(placements).enumerate();
        let starts = starts.map(|(at, (&job, nodes))| (job, (at, by(&job, at), nodes))).collect();
        Ok(Told { starts, held })
    }

    /// Takes up what the loops say of waiting jobs in this second. A cycle starts a job only if it does so in both states.
    fn take_up(&mut self, told: &InSecond, now: Time, real: &[JobId]) {
        for (&job, (_, by, nodes)) in &told.after.starts {
            let known = told.before.as_ref().is_none_or(|before| before.starts.contains_key(&job));
            if known || *by != StartLoop::Backfill || real.contains(&job) {
                let first = self.said.get(&job).map_or((now, *by), |said| said.first);
                self.said.insert(job, Said { first, nodes: nodes.clone() });
            }
        }
        for &job in real {
            if !self.said.contains_key(&job)
                && let Some((_, by, nodes)) = told.start(job)
            {
                self.said.insert(job, Said { first: (now, *by), nodes: nodes.clone() });
            }
        }
    }

    /// Asks the loops for the jobs that really run, but not in the loops: first for those of the last cycle, in the state without
    /// their starts, then for the older ones.
    fn hear_of_late(&mut self, turn: &mut Turn<'_>, asked: &Asked) -> Result<(), PolicyError> {
        let now = turn.now();
        let near = now - self.tolerance();
        for is_near in [true, false] {
            let is_meant = |late: &Late| (late.since >= near) == is_near;
            if !self.late.values().any(is_meant) {
                continue;
            }
            let late = self.late.iter().filter(|(_, late)| !is_near || is_meant(late));
            let late = late.map(|(&job, late)| (job, late.waiting.as_slice()));
            let Starts { jobs, before_cycle, .. } = self.twin.would_start(turn, asked, late)?;
            for (at, job) in jobs.iter().enumerate() {
                if self.late.get(job).is_some_and(is_meant)
                    && let Some(judged) = self.judged.get_mut(job)
                {
                    self.late.remove(job);
                    judged.loops = Some(now);
                    judged.by = Some(if at < before_cycle { StartLoop::Main } else { StartLoop::Backfill });
                    judged.verdict = if is_near { Verdict::Agreed } else { Verdict::Late };
                }
            }
        }
        Ok(())
    }

    /// Asks the loops of the next second in the state before it, where it has real starts or a cycle.
    fn look_ahead(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let (now, next) = (turn.now(), turn.now() + Time::TICK);
        if self.twin.controller().queue().is_empty() {
            return Ok(());
        }
        let starts: Vec<JobId> = self
            .due
            .iter()
            .skip_while(|(at, _)| *at < next)
            .take_while(|(at, _)| *at == next)
            .map(|&(_, job)| job)
            .collect();
        let cycle = self.cycles.binary_search(&next).is_ok();
        let mut asked = Asked { cycle, ..Asked::default() };
        self.add_told(turn, next, &starts, &mut asked);
        // A job of this second has not been submitted yet.
        asked.submitted.clear();
        if !asked.is_empty() {
            self.before = Some((next, self.hear_of(turn, &asked)?));
        }
        let ahead = self.cycles.partition_point(|&cycle| cycle <= next);
        if let Some(&cycle) = self.cycles.get(ahead).filter(|&&cycle| cycle - Time::TICK > now) {
            turn.wake_at(cycle - Time::TICK)?;
        }
        Ok(())
    }

    /// The loops start a job where it really starts, or elsewhere. A log has whole seconds: where jobs end in the second of a
    /// start, what was free is unknown.
    fn compare_nodes(&mut self, turn: &Turn<'_>, job: JobId, placement: &Placement) {
        let told = self.site.ran_on(turn.job(job)).filter(|_| self.freed != Some(turn.now()));
        if let Some(told) = told {
            self.counts.located += 1;
            self.counts.same_nodes += u64::from(nodes_of(placement) == told);
        }
    }

    /// Adds the loops that the log names for the real starts of an instant.
    fn add_told(&self, turn: &Turn<'_>, at: Time, starts: &[JobId], asked: &mut Asked) {
        for &job in starts {
            let row = turn.job(job).row();
            if self.real.starts.get(row) != Some(&at) || self.real.was_cancelled(row) {
                continue;
            }
            let by = self.real.by.get(row).copied().flatten();
            match by {
                Some(StartLoop::Submission) => asked.submitted.push(job),
                Some(StartLoop::Backfill) => asked.cycle = true,
                Some(StartLoop::Main) => asked.pass = Some(PassDepth::Whole),
                None => (asked.pass, asked.cycle) = (Some(PassDepth::Whole), true),
            }
        }
    }

    fn forget_left(&mut self, turn: &Turn<'_>) {
        let oldest = turn.now() - Time::from_ticks(LATE * self.interval().ticks());
        self.late.retain(|_, late| late.since >= oldest);
        for &event in turn.events() {
            let (Event::Released(job) | Event::Finished(job) | Event::Killed(job)) = event else { continue };
            self.late.remove(&job);
            if self.real.was_cancelled(turn.job(job).row())
                && let Some(said) = self.said.remove(&job)
            {
                self.counts.unstarted += u64::from(said.first.0 + self.tolerance() < turn.now());
            }
        }
    }
}

impl Policy for Shadow {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let (heard, mut asked) = self.twin.hear(turn);
        self.twin.controller_mut().take_turns(turn)?;
        if heard.freed || heard.vacated {
            self.freed = Some(now);
        }
        for &job in &heard.submitted {
            let start = self.real.starts.get(turn.job(job).row()).copied().unwrap_or(now).max(now);
            self.due.insert((start, job));
            if start > now {
                turn.wake_at((start - Time::TICK).max(now + Time::TICK))?;
                turn.wake_at(start)?;
            }
        }
        self.forget_left(turn);
        let mut starts: Vec<JobId> =
            self.due.iter().take_while(|(at, _)| *at <= now).map(|&(_, job)| job).collect();
        self.add_told(turn, now, &starts, &mut asked);
        let before = self.before.take().filter(|(second, _)| *second == now).map(|(_, told)| told);
        let mut told = InSecond { before, ..InSecond::default() };
        if !asked.is_empty() {
            told.after = self.hear_of(turn, &asked)?;
            self.take_up(&told, now, &starts);
            self.hear_of_late(turn, &asked)?;
        }
        // A log does not tell the order of the starts within a second: it is that of the loops, if they make them, too.
        let is_spread = |job| self.site.ran_on(turn.job(job)).is_some_and(|nodes| nodes.len() > 1);
        let is_last = |job: JobId| self.real.spread_last && is_spread(job);
        starts.arrange_by_key(|&job| (is_last(job), told.start(job).map_or(usize::MAX, |start| start.0)));
        for job in starts {
            self.start_real(turn, job, &told)?;
        }
        self.twin.controller_mut().set_late(!self.late.is_empty());
        self.look_ahead(turn)?;
        // What really ran and has no room on the machine of the files would wait for ever.
        let controller = self.twin.controller_mut();
        if self.due.last().is_some_and(|&(last, _)| last + STUCK <= now) && controller.stays_empty(turn) {
            let due: Vec<JobId> = std::mem::take(&mut self.due).into_iter().map(|(_, job)| job).collect();
            controller.give_up(turn, &due)?;
            self.withheld.extend(due);
        }
        self.twin.sleep(turn)
    }
}

impl Shadow {
    /// Starts a job that really starts now, or did before and did not fit.
    fn start_real(&mut self, turn: &mut Turn<'_>, job: JobId, told: &InSecond) -> Result<(), PolicyError> {
        let now = turn.now();
        let row = turn.job(job).row();
        let queue = self.twin.controller().queue();
        let all: Vec<Waiting> = queue.of(job).map(|job| (**job).clone()).collect();
        let partition = self.site.partition(turn.job(job));
        let there = all.iter().find(|waiting| waiting.in_partition == partition).or(all.first());
        let Some(waiting) = there.cloned() else {
            // Limits keep it away: it starts when they show it again.
            self.due.retain(|&(_, other)| other != job);
            if !self.real.was_cancelled(row) {
                self.withheld.insert(job);
            }
            return Ok(());
        };
        let waiting = self.as_it_got(turn, waiting);
        let real = self.real.starts.get(row).copied();
        let (found, is_there) = self.really(turn, &waiting);
        if real == Some(now) && !is_there {
            // What really ended in the same second may still be on its nodes here.
            self.counts.displaced += 1;
        }
        let Some(placement) = found else { return Ok(()) };
        self.due.retain(|&(_, other)| other != job);
        self.start(turn, &waiting, &placement)?;
        self.judge(turn, job, real.unwrap_or(now), told);
        if self.judged.get(&job).is_some_and(|judged| judged.verdict == Verdict::Missed) {
            self.late.insert(job, Late { since: real.unwrap_or(now), waiting: all });
        }
        Ok(())
    }

    /// Notes a start, with what the loops have said of it.
    fn judge(&mut self, turn: &Turn<'_>, job: JobId, real: Time, told: &InSecond) {
        let (view, at, tolerance) = (turn.job(job), turn.now(), self.tolerance());
        let said = self.said.remove(&job);
        let ran_on = self.site.ran_on(view).map_or_else(Vec::new, <[usize]>::to_vec);
        let held = told.after.held.get(&job).copied().filter(|_| said.is_none());
        let verdict = match &said {
            _ if at > real + Time::SECOND && !self.withheld.contains(&job) => Verdict::Postponed,
            None => Verdict::Missed,
            Some(said) if said.first.0 + tolerance < real => Verdict::Early,
            Some(said) if real + tolerance < said.first.0 => Verdict::Late,
            Some(_) => Verdict::Agreed,
        };
        let judged = Judged {
            job,
            row: view.row(),
            real,
            at,
            loops: said.as_ref().map(|said| said.first.0),
            by: said.as_ref().map(|said| said.first.1),
            verdict,
            held: if self.withheld.contains(&job) { Some(Held::Limit) } else { held },
            behind: match held {
                Some(Held::Behind(first)) => Some(turn.job(first).row()),
                _ => None,
            },
            nodes: [ran_on, said.as_ref().map_or_else(Vec::new, |said| nodes_of(&said.nodes))],
        };
        self.judged.insert(job, judged);
        if let Some(said) = said.filter(|_| told.after.starts.contains_key(&job)) {
            self.compare_nodes(turn, job, &said.nodes);
        }
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
