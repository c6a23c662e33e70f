//! The clock of slurmctld: which of its loops runs when.
//!
//! Source: `_slurmctld_background` (controller.c), `backfill_agent` (backfill.c) of Slurm 22.05.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::site::{PriorityType, Reservation, Scheduler, SlurmSite};
use batchlab_policies::JobView;
use batchlab_traces::{JobId, Time};
use rand_chacha::rand_core::Rng;

use super::bins::Bins;
use super::components::{Components, Het};
use super::cores::Inside;
use super::node_set::NodeSet;
use super::preempt::Preempting;
use super::priority::Multifactor;
use super::queue::{Queue, Waiting};
use super::tiers::Spaces;
use super::topology::Tree;
use batchlab_policies::cluster::Placed;
use batchlab_policies::event::Event;
use batchlab_policies::journal::Why;
use batchlab_policies::placement::{Placement, Rate};
use batchlab_policies::policy::{Policy, PolicyError};
use batchlab_policies::spec::Setting;
use batchlab_policies::turn::Turn;

/// How long the controller takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// From an event to the pass that it causes.
    pub react: Time,
    /// Whether the time until a pass is drawn for each event, in place of `react`.
    pub is_drawn: bool,
    /// From the end of a job until its nodes are free.
    pub complete: Time,
    /// From the first submission to the first backfill cycle; `None` for as the log tells, else at once.
    pub phase: Option<Time>,
    /// Whether a job is tried as it is submitted (`srun`, `salloc`), rather than left to the main loop (`sbatch`).
    pub tries: bool,
}

/// The two loops with all that they know.
pub(super) struct Twin {
    pub(super) rules: Scheduler,
    delays: Delays,
    pub(super) site: Arc<SlurmSite>,
    priority: Option<Multifactor>,
    pub(super) space: Spaces,
    pub(super) queue: Queue,
    pub(super) bins: Bins,
    /// The nodes of each partition.
    partitions: BTreeMap<i64, Arc<NodeSet>>,
    /// The reservations for the jobs that name them.
    pub(super) reservations: Arc<[Reserved]>,
    /// The running jobs of reservations of cores.
    pub(super) inside: BTreeMap<JobId, Inside>,
    /// The components of heterogeneous jobs.
    pub(super) components: Components,
    /// How many there are of each licence, without those of running jobs.
    pub(super) licences: Vec<i64>,
    /// The jobs whose nodes are completing, with the instant at which these are free.
    completing: BTreeMap<(Time, JobId), Completing>,
    pub(super) clock: Clock,
    pub(super) preempting: Preempting,
    /// The jobs that have lost their nodes, with the instant from which they may start again.
    requeued: BTreeSet<(Time, JobId)>,
    /// The jobs that wait for nodes below few switches, with the instant from which they take others.
    choosy: BTreeSet<(Time, JobId)>,
    /// How many service classes, one below the other, the jobs of each one preempt.
    levels: Vec<i64>,
    /// What a hypothetical pass starts; `None` if passes are real.
    pub(super) hypothetical: Option<Starts>,
}

/// Jobs that start, and their nodes.
#[derive(Debug, Default)]
pub(super) struct Starts {
    pub(super) jobs: Vec<JobId>,
    pub(super) placements: Vec<Placement>,
}

/// An advance reservation for the jobs that name it.
pub(super) struct Reserved {
    pub(super) from: Time,
    pub(super) to: Time,
    pub(super) nodes: NodeSet,
    /// The processors of each node that it holds if not all.
    pub(super) cores: Vec<(usize, i64)>,
}

impl Reserved {
    /// Whether it holds some processors of its nodes only.
    pub(super) fn holds_cores(&self) -> bool {
        !self.cores.is_empty()
    }
}

/// What a job leaves.
struct Completing {
    nodes: Vec<u32>,
    was_killed: bool,
}

/// When the loops run.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// A pass that an end or a submission has caused.
    pass: Option<Time>,
    /// The last pass.
    last_pass: Option<Time>,
    /// The last pass over the whole queue.
    last_full: Option<Time>,
    /// Whether anything has changed since the last pass over the whole queue.
    since_full: bool,
    /// When the last cycle ended.
    last_cycle: Option<Time>,
    /// Whether anything has changed since the last cycle.
    pub(super) since_cycle: bool,
    /// When the last cycle would come out differently although nothing has changed.
    pub(super) stale: Option<Time>,
    /// The next computation of priorities.
    priorities: Option<Time>,
    /// Whether the usage by jobs that are not of the replay has been added.
    has_used: bool,
    /// The wake-up asked for.
    wake: Option<Time>,
    /// The last instant of which anything was heard.
    heard: Option<Time>,
    /// Since when no job has started on the empty machine, with the generation of the space and the length of the queue.
    stuck_since: Option<(Time, (u64, usize))>,
}

impl Clock {
    /// Whether a loop has tested a job that entered the queue at some instant: a cycle, or a pass where there are no cycles.
    fn has_tested(&self, entered: Time, now: Time, interval: Option<Time>) -> bool {
        match (self.last_cycle, interval) {
            (Some(last), Some(interval)) => next_on(last, interval, entered - Time::TICK) < now,
            _ => self.last_pass.is_some_and(|pass| pass >= entered),
        }
    }
}

impl Policy for Twin {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut heard = self.hear(turn);
        self.reject_unreachable(turn, &mut heard)?;
        self.take_turns(turn)?;
        let tried = if self.delays.tries { heard.submitted.as_slice() } else { &[] };
        for &job in tried {
            self.at_submission(turn, job)?;
        }
        self.notice(turn, &heard);
        let due = self.pass_due(turn.now());
        if let Some(full) = due.or(heard.vacated.then_some(false)) {
            self.pass(turn, full)?;
        }
        if self.cycle_due(turn.now()) {
            self.cycle(turn)?;
        }
        self.reject_stuck(turn)?;
        self.sleep(turn)
    }
}

/// What has happened since the last decision.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) submitted: Vec<JobId>,
    /// Whether a job has ended, or nodes have completed.
    pub(super) freed: bool,
    /// Whether the nodes of a killed job are free. They report it when nothing of it runs any more, and slurmctld begins a pass at
    /// once (`_slurm_rpc_epilog_complete`). Where a job has ended by itself, nothing runs when they are asked, and a pass is only
    /// queued, for after `batch_sched_delay` (agent.c).
    pub(super) vacated: bool,
    changed: bool,
}

impl Heard {
    /// Notes that the nodes of a job are free.
    fn notes(&mut self, was_killed: bool) {
        self.changed = true;
        *(if was_killed { &mut self.vacated } else { &mut self.freed }) = true;
    }
}

impl Twin {
    pub(super) fn new(
        rules: Scheduler,
        delays: Delays,
        site: &Arc<SlurmSite>,
        setting: &Setting<'_>,
        suspends: bool,
    ) -> Twin {
        let (machine, system) = (setting.machine, &site.system);
        let weights = if system.nodes.len() == machine.nodes() {
            system.nodes.iter().map(|node| node.weight).collect()
        } else {
            vec![1; machine.nodes()]
        };
        let ranks = system.priority.kind == PriorityType::Multifactor;
        let bins = Bins {
            single: system.select.whole_nodes,
            step: rules.backfill.bin_step,
            epoch: site.epoch,
            overtime: system.over_time_limit + system.kill_wait,
        };
        let whole_nodes = system.select.whole_nodes;
        let tiers = if suspends { system.suspending_tiers() } else { Vec::new() };
        let tree = system.topology.as_ref().filter(|_| system.nodes.len() == machine.nodes());
        let tree = tree.map(|topology| Tree::new(topology, machine, whole_nodes));
        let reserved = |one: &Reservation| Reserved {
            from: one.from,
            to: one.to,
            nodes: NodeSet::of(machine.nodes(), |node| one.nodes.contains(&node)),
            cores: one.cores.clone(),
        };
        Twin {
            space: Spaces::new(machine, &weights, tree, &tiers),
            rules,
            delays,
            priority: ranks.then(|| Multifactor::new(site.clone(), machine)),
            queue: Queue::default(),
            bins,
            partitions: BTreeMap::new(),
            reservations: site.reservations().iter().map(reserved).collect(),
            inside: BTreeMap::new(),
            components: Components::default(),
            licences: site.licences().collect(),
            completing: BTreeMap::new(),
            clock: Clock::default(),
            preempting: Preempting::default(),
            requeued: BTreeSet::new(),
            choosy: BTreeSet::new(),
            levels: system.preempting_levels(),
            hypothetical: None,
            site: site.clone(),
        }
    }

    /// Updates queue and nodes by the events.
    pub(super) fn hear(&mut self, turn: &mut Turn<'_>) -> Heard {
        let now = turn.now();
        let mut heard = Heard::default();
        turn.heeds_limits();
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => {
                    // A limit may have voided its start.
                    self.leave(turn, job, false, &mut heard);
                    self.enter(turn, job, &mut heard);
                }
                Event::Displaced(job) => {
                    self.leave(turn, job, true, &mut heard);
                    self.requeued.insert((now + REQUEUED, job));
                }
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    heard.changed |= self.queue.remove(job).is_some();
                    self.requeued.retain(|&(_, other)| other != job);
                    self.preempting.forget(job);
                    heard.submitted.retain(|&other| other != job);
                    self.leave(turn, job, matches!(event, Event::Killed(_)), &mut heard);
                }
                Event::Capacity(_) => {
                    for node in 0..self.space.nodes() {
                        self.space.set_free(node, turn.free(node));
                    }
                    (heard.freed, heard.changed) = (true, true);
                }
                Event::Suspended(_) | Event::Resumed(_) | Event::Loaded(_) | Event::Woke(_) => {}
            }
        }
        while let Some(entry) = self.completing.first_entry().filter(|entry| entry.key().0 <= now) {
            let done = entry.remove();
            self.space.completed(&done.nodes);
            heard.notes(done.was_killed);
        }
        while let Some((_, job)) = self.requeued.first().copied().filter(|&(at, _)| at <= now) {
            self.requeued.pop_first();
            self.enter(turn, job, &mut heard);
        }
        while let Some((_, job)) = self.choosy.first().copied().filter(|&(at, _)| at <= now) {
            self.choosy.pop_first();
            heard.changed |= self.queue.spread(job);
        }
        if self.edges().any(|edge| self.clock.heard.is_none_or(|last| edge > last) && edge <= now) {
            (heard.freed, heard.changed) = (true, true);
            self.leave_reservations(turn);
        }
        self.clock.heard = Some(now);
        self.recompute(turn, &mut heard);
        heard
    }

    /// Adds a job to the queue.
    fn enter(&mut self, turn: &Turn<'_>, job: JobId, heard: &mut Heard) {
        let waiting = self.waiting(turn, job);
        if waiting.most_leaves.is_some_and(|most| most < i64::MAX) {
            self.choosy.extend(self.choosy_until(turn, job).map(|until| (until, job)));
        }
        self.queue.insert(waiting);
        heard.submitted.push(job);
        heard.changed = true;
    }

    /// Returns until when a job waits for nodes below few switches, if it asks for them: since its submission so long as it asks
    /// for, at most `max_switch_wait`.
    fn choosy_until(&self, turn: &Turn<'_>, job: JobId) -> Option<Time> {
        let wish = self.site.switches(turn.job(job)).filter(|_| self.site.system.topology.is_some())?;
        let most = self.rules.main.switch_wait;
        let wait = wish.patience.map_or(most, |patience| patience.min(most));
        Some(turn.job(job).submitted().saturating_add(wait))
    }

    /// Rejects the jobs that are too large for what any switch reaches: slurmctld refuses them.
    fn reject_unreachable(&mut self, turn: &mut Turn<'_>, heard: &mut Heard) -> Result<(), PolicyError> {
        if self.site.system.topology.is_none() {
            return Ok(());
        }
        for job in std::mem::take(&mut heard.submitted) {
            if self.queue.get(job).is_some_and(|waiting| !self.space.reaches(waiting)) {
                self.queue.remove(job);
                turn.reject_as(job, "too large for what any switch reaches")?;
            } else {
                heard.submitted.push(job);
            }
        }
        Ok(())
    }

    /// Lets the waiting jobs of reservations that are over run like any others.
    fn leave_reservations(&mut self, turn: &Turn<'_>) {
        let is_over = |at: usize| self.reservations[at].to <= turn.now();
        let left: Vec<JobId> =
            self.queue.iter().filter(|job| job.reservation.is_some_and(is_over)).map(|job| job.job).collect();
        for job in left {
            let waiting = self.waiting(turn, job);
            self.queue.insert(waiting);
        }
    }

    /// Returns when reservations begin and end.
    fn edges(&self) -> impl Iterator<Item = Time> + '_ {
        self.reservations.iter().flat_map(|one| [one.from, one.to])
    }

    /// Takes a job off the machine.
    fn leave(&mut self, turn: &Turn<'_>, job: JobId, was_killed: bool, heard: &mut Heard) {
        let completes = self.delays.complete > Time::ZERO;
        let Some(nodes) = self.space.end(job, completes) else { return };
        self.inside.remove(&job);
        self.preempting.forget(job);
        // What a job leaves may be out of service by now.
        for &node in &nodes {
            self.space.set_free(node as usize, turn.free(node as usize));
        }
        if completes {
            let left = Completing { nodes, was_killed };
            self.completing.insert((turn.now() + self.delays.complete, job), left);
        } else {
            heard.notes(was_killed);
        }
        self.take_licences(turn, job, -1);
        if let Some(priority) = &mut self.priority {
            priority.ended(job, turn.now());
        }
        heard.changed = true;
    }

    /// Returns a job as the loops see it. One whose reservation is over, or too small for it, is a job without one.
    pub(super) fn waiting(&mut self, turn: &Turn<'_>, job: JobId) -> Waiting {
        let named = self.site.reservation(turn.job(job));
        let reservation = named.filter(|&at| self.reservations[at].to > turn.now());
        let mut waiting = self.waiting_in(turn, job, reservation);
        if reservation.is_some() && !self.space.reaches(&waiting) {
            waiting = self.waiting_in(turn, job, None);
        }
        let most = self.site.nodes_asked(turn.job(job)).1;
        if most > waiting.asked {
            waiting.asked = self.space.least_nodes(&waiting, most);
        }
        waiting
    }

    /// Returns a job as the loops see it, in a reservation or in none.
    fn waiting_in(&mut self, turn: &Turn<'_>, job: JobId, reservation: Option<usize>) -> Waiting {
        let (machine, view) = (turn.machine(), turn.job(job));
        let site = &self.site;
        let of_system = site.partition(view).map(|at| &site.system.partitions[at]);
        let limit = limit(site, view);
        let key = view.partition();
        let all = self.partitions.entry(key).or_insert_with(|| {
            Arc::new(NodeSet::of(machine.nodes(), |node| {
                !machine.is_partitioned() || machine.admits(node, key)
            }))
        });
        let nodes = match reservation.map(|at| &self.reservations[at].nodes) {
            None if !turn.has_constraints() => all.clone(),
            within => Arc::new(NodeSet::of(machine.nodes(), |node| {
                view.admitted(machine, node) && within.is_none_or(|within| within.has(node))
            })),
        };
        let asked = site.nodes_asked(view).0;
        let group =
            |nodes: &Vec<usize>| NodeSet::of(machine.nodes(), |node| nodes.binary_search(&node).is_ok());
        let groups = site.groups(view).iter().map(group).collect();
        let select = &site.system.select;
        let of_partition = of_system.is_some_and(|partition| partition.least_loaded);
        let least_loaded = !select.whole_nodes && (select.least_loaded || of_partition);
        let is_choosy = self.choosy_until(turn, job).is_some_and(|until| until > turn.now());
        let most_leaves = site.switches(view).map(|wish| if is_choosy { wish.most } else { i64::MAX });
        let level = site.qos(view).map_or(0, |at| self.levels[at]);
        let field = self.space.field(view, &nodes);
        let priority = match &self.priority {
            Some(priority) => {
                let is_tested =
                    self.clock.has_tested(view.submit(), turn.now(), self.rules.backfill.interval);
                priority.priority(view, limit, turn.now(), is_tested)
            }
            None => FIRST_PRIORITY
                .saturating_sub(site.order(view))
                .saturating_sub(site.nice(view))
                .clamp(1, u32::MAX.into()) as u64,
        };
        Waiting {
            job,
            order: self.site.order(view),
            submit: view.submitted(),
            entered: view.submit(),
            tier: of_system.map_or(1, |partition| partition.tier).saturating_add(level << 32),
            sees: of_system.map_or(1, |one| if one.exclusive { i64::MIN } else { one.tier }),
            bars: of_system.map_or(1, |one| if one.exclusive || one.keeps() { i64::MAX } else { one.tier }),
            priority,
            partition: key,
            reservation,
            nodes,
            groups,
            limit,
            layout: view.layout(),
            asked,
            most_leaves,
            least_loaded,
            owns: of_system.is_some_and(|partition| partition.exclusive_user),
            field,
            user: view.user(),
            association: site.association(view),
            array: site.array(view),
            behind: site.tasks_behind(view),
            het: self.het(view),
        }
    }

    /// Returns the heterogeneous job that a job is a component of, beside others. Where there are no cycles, each is a job by
    /// itself: Slurm would never start it.
    fn het(&self, job: JobView<'_>) -> Option<Het> {
        let (number, count) = self.site.components(job)?;
        (count > 1 && self.rules.backfill.interval.is_some()).then_some(Het { number, count })
    }

    /// Returns all nodes of a job's partition.
    pub(super) fn partition_nodes(&self, job: &Waiting) -> Arc<NodeSet> {
        self.partitions.get(&job.partition).unwrap_or(&job.nodes).clone()
    }

    /// Computes priorities again when it is time.
    fn recompute(&mut self, turn: &Turn<'_>, heard: &mut Heard) {
        let Some(priority) = &mut self.priority else { return };
        let now = turn.now();
        let period = priority.period();
        let last = self.site.computed.map_or(now, |at| next_on(at, period, now) - period);
        let due = *self.clock.priorities.get_or_insert(last);
        let used = self.site.used.as_ref().filter(|&&(at, _)| at <= now && !self.clock.has_used);
        if due > now && used.is_none() {
            return;
        }
        if let Some((_, usage)) = used {
            priority.use_up(usage);
            self.clock.has_used = true;
        }
        priority.recompute(now);
        self.clock.priorities = Some(next_on(due, period, now));
        let priority = &*priority;
        let increases = self.site.system.priority.increase_only;
        let (clock, interval) = (&self.clock, self.rules.backfill.interval);
        heard.changed |= self.queue.rank_again(|job| {
            let is_tested = clock.has_tested(job.entered, now, interval);
            let fresh = priority.priority(turn.job(job.job), job.limit, now, is_tested);
            if increases { fresh.max(job.priority) } else { fresh }
        });
    }

    /// Sets the clock by what has happened.
    pub(super) fn notice(&mut self, turn: &mut Turn<'_>, heard: &Heard) {
        let now = turn.now();
        let clock = &mut self.clock;
        clock.last_full.get_or_insert(now);
        if let Some(interval) = self.rules.backfill.interval {
            let phase = self.site.cycle.map(|cycle| next_on(cycle, interval, now - Time::TICK) - now);
            let first = now + self.delays.phase.or(phase).unwrap_or(self.delays.react) - interval;
            clock.last_cycle.get_or_insert(first);
        }
        clock.since_full |= heard.changed;
        clock.since_cycle |= heard.changed;
        let soonest =
            |known: &mut Option<Time>, at: Time| *known = Some(known.map_or(at, |known| known.min(at)));
        if (heard.freed || !heard.submitted.is_empty()) && !self.queue.is_empty() {
            let after = self.clock.last_pass.map_or(now, |last| last + self.rules.main.batch_delay);
            let react = if self.delays.is_drawn { drawn(turn) } else { self.delays.react };
            soonest(&mut self.clock.pass, (now + react).max(after));
        }
    }

    /// Whether a pass of the main loop is due now; `true` inside if it is one over the whole queue.
    pub(super) fn pass_due(&mut self, now: Time) -> Option<bool> {
        let interval = self.rules.main.interval;
        let clock = &mut self.clock;
        let full = clock.last_full.is_some_and(|last| last + interval <= now);
        let due = clock.pass.is_some_and(|pass| pass <= now);
        if full {
            clock.last_full = clock.last_full.map(|last| next_on(last, interval, now) - interval);
        }
        let whole = full && clock.since_full;
        if due || whole {
            (clock.pass, clock.last_pass) = (None, Some(now));
        }
        if whole {
            clock.since_full = false;
        }
        (due || whole).then_some(whole)
    }

    /// Returns the instant of the next cycle that may come out differently from the last one, not before `now` unless it is
    /// overdue.
    fn next_cycle(&self, now: Time) -> Option<Time> {
        let interval = self.rules.backfill.interval?;
        let Some(last) = self.clock.last_cycle else { return Some(now) };
        if self.clock.since_cycle {
            return Some(next_on(last, interval, now.max(last + interval) - Time::TICK));
        }
        self.clock
            .stale
            .map(|stale| next_on(last, interval, stale.max(last + interval).max(now) - Time::TICK))
    }

    /// Whether a cycle of the backfill loop is due now.
    pub(super) fn cycle_due(&mut self, now: Time) -> bool {
        let due = !self.queue.is_empty() && self.next_cycle(now).is_some_and(|next| next <= now);
        if due {
            self.clock.last_cycle = Some(now);
            self.clock.since_cycle = false;
            self.clock.stale = None;
        }
        due
    }

    /// Asks for a decision when the next loop is due.
    pub(super) fn sleep(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let mut next: Option<Time> = self.completing.keys().next().map(|&(at, _)| at);
        let mut consider = |at: Option<Time>| {
            if let Some(at) = at.map(|at| at.max(now + Time::TICK)) {
                next = Some(next.map_or(at, |next| next.min(at)));
            }
        };
        consider(self.requeued.first().map(|&(at, _)| at));
        consider(self.choosy.first().map(|&(at, _)| at));
        if !self.queue.is_empty() {
            consider(self.edges().filter(|&edge| edge > now).min());
            consider(self.clock.pass);
            consider(self.next_cycle(now));
            if self.clock.since_full {
                consider(self.clock.last_full.map(|last| next_on(last, self.rules.main.interval, now)));
            }
            consider(self.clock.priorities);
            consider(self.clock.stuck_since.map(|(since, _)| since + STUCK));
        }
        if let Some(next) = next
            && self.clock.wake.is_none_or(|wake| wake <= now || next < wake)
        {
            turn.wake_at(next)?;
            self.clock.wake = Some(next);
        }
        Ok(())
    }

    /// Rejects the jobs that have not started after all loops have looked at the empty machine, with nothing to come that would
    /// change it for them: no rule lets them start, and they would wait for ever.
    fn reject_stuck(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let is_empty = self.space.is_idle() && self.completing.is_empty();
        let comes =
            !self.requeued.is_empty() || !self.choosy.is_empty() || self.edges().any(|edge| edge > now);
        let changes = || turn.foreseen().iter().any(|closure| closure.to > now && closure.to < Time::MAX);
        if !is_empty || comes || self.queue.is_empty() || changes() {
            self.clock.stuck_since = None;
            return Ok(());
        }
        let state = (self.space.generation(), self.queue.len());
        let since = match self.clock.stuck_since {
            Some((since, before)) if before == state => since,
            _ => now,
        };
        self.clock.stuck_since = Some((since, state));
        let waits = |job: &Arc<Waiting>| job.entered.max(since) + STUCK <= now;
        let stuck: Vec<JobId> = self.queue.iter().filter(|job| waits(job)).map(|job| job.job).collect();
        for job in stuck {
            self.queue.remove(job);
            turn.reject_as(job, "no rule lets it start on the empty machine")?;
        }
        Ok(())
    }

    /// Starts a job on nodes until its limit; a hypothetical start is only counted.
    pub(super) fn launch(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Waiting,
        placement: &Placement,
        why: Why,
    ) -> Result<(), PolicyError> {
        let now = turn.now();
        if let Some(started) = &mut self.hypothetical {
            started.jobs.push(job.job);
            started.placements.push(placement.clone());
            self.space.start(turn.job(job.job), job, placement, (now, now + job.limit));
            self.take_licences(turn, job.job, 1);
            self.queue.remove(job.job);
            return Ok(());
        }
        if self.space.suspends() {
            return self.launch_over(turn, job, placement, why);
        }
        let placed = if turn.machine().is_pool() {
            turn.start_as(job.job, why)?
        } else {
            turn.place_as(job.job, placement, Rate::FULL, why)?
        };
        self.queue.remove(job.job);
        self.preempting.forget(job.job);
        self.has_changed();
        if placed == Placed::Holds {
            self.holds(turn, job, placement);
        }
        Ok(())
    }

    /// Notes a start: a pass or a cycle may have ended before it came to all jobs.
    pub(super) fn has_changed(&mut self) {
        (self.clock.since_cycle, self.clock.since_full) = (true, true);
    }

    /// Notes that a job holds its nodes from now on.
    pub(super) fn holds(&mut self, turn: &Turn<'_>, job: &Waiting, placement: &Placement) {
        let now = turn.now();
        self.space.start(turn.job(job.job), job, placement, (now, now + job.limit));
        self.enters_cores(job, placement);
        self.components.start(job);
        self.take_licences(turn, job.job, 1);
        if let Some(priority) = &mut self.priority {
            priority.started(turn.job(job.job), turn.now());
        }
    }

    /// Takes the licences of a job, or gives them back.
    pub(super) fn take_licences(&mut self, turn: &Turn<'_>, job: JobId, times: i64) {
        let needs = self.site.licences_of(turn.job(job));
        self.licences.iter_mut().zip(needs).for_each(|(free, need)| *free -= times * need);
    }

    /// Whether there are enough licences for a job now, and limits on running jobs let it start. Without, it neither starts
    /// nor keeps others from it.
    pub(super) fn is_allowed(&self, turn: &mut Turn<'_>, job: &Waiting) -> bool {
        let needs = self.site.licences_of(turn.job(job.job));
        self.licences.iter().zip(needs).all(|(&free, need)| need <= free)
            && turn.is_within_limits(
                job.job,
                self.hypothetical.as_ref().map_or(&[][..], |started| &started.jobs),
            )
    }

    /// Returns the nodes of a job that neither go out of service nor are reserved for others until it reaches its limit.
    pub(super) fn usable(&self, turn: &Turn<'_>, job: &Waiting) -> NodeSet {
        let (from, to) = (turn.now(), turn.now() + job.limit);
        let mut nodes = (*job.nodes).clone();
        for closure in turn.foreseen().iter().filter(|closure| closure.from <= to && closure.to > from) {
            nodes.remove(closure.node);
        }
        for (at, one) in self.reservations.iter().enumerate() {
            if job.reservation == Some(at) {
                if from < one.from || from >= one.to {
                    return NodeSet::empty(self.space.nodes());
                }
            } else if !one.holds_cores() && one.from < to && one.to > from {
                nodes.subtract(&one.nodes);
            }
        }
        self.leave_to_others(job, &mut nodes);
        nodes
    }

    /// Takes out the nodes that a job has to leave to other users (`ExclusiveUser`).
    pub(super) fn leave_to_others(&self, job: &Waiting, nodes: &mut NodeSet) {
        if self.site.system.partitions.iter().any(|partition| partition.exclusive_user) {
            nodes.subtract(&self.space.of_others(job.user, job.owns));
        }
    }
}

/// Draws the time from an event to the pass that it causes: the part of a second that the log leaves out, and the wait for
/// slurmctld's clock, which ticks once a second.
fn drawn(turn: &mut Turn<'_>) -> Time {
    let mut part = || (turn.rng().next_u64() % Time::SECOND.ticks() as u64) as i64;
    Time::from_ticks(part() + part())
}

/// After how long on the empty machine a job is taken for one that never starts: many times what the loops take.
const STUCK: Time = Time::from_secs(86_400);

/// How long a job that has lost its nodes waits before it may start again: for the lifetime of the credential of its run, and a
/// second (`batch_requeue_fini`).
const REQUEUED: Time = Time::from_secs(121);

/// The priority of the first job under `priority/basic`; each further job has one less.
const FIRST_PRIORITY: i64 = 0xFFFF_0000 - 1;

/// Returns the limit of a job that estimates its run time, as the loops count it: in whole minutes, at most that of its partition.
pub(super) fn limit(site: &SlurmSite, job: JobView<'_>) -> Time {
    let minute = Time::from_secs(60);
    let minutes = (job.estimate().ticks() + minute.ticks() - 1).div_euclid(minute.ticks()).max(1);
    let limit = Time::from_ticks(minutes.saturating_mul(minute.ticks()));
    let partition = site.partition(job).map(|at| &site.system.partitions[at]);
    let limit = partition.and_then(|partition| partition.max_time).map_or(limit, |most| limit.min(most));
    limit.clamp(Time::SECOND, Time::from_secs(366 * 86_400))
}

/// Returns the first instant of a grid after another instant.
pub(super) fn next_on(from: Time, step: Time, after: Time) -> Time {
    let steps = (after.ticks() - from.ticks()).div_euclid(step.ticks().max(1)) + 1;
    from + Time::from_ticks(steps.max(0).saturating_mul(step.ticks()))
}
