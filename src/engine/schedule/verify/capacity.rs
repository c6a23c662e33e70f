//! Checks that the machine was never oversubscribed: one sweep over all starts and ends, for each node if
//! places are known, else for all nodes together.

use batchlab_support::{Rate, Share};
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::capacity::{Closure, Evicted};
use batchlab_traces::machine::Sharing;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::intervals::parts;
use super::jobs::{served, takes_turns};
use super::violation::{ScheduleRule, Violation};
use crate::outcome::{Fate, Outcome};
use crate::replay::engine::Scenario;

const WHOLE: i128 = Rate::WHOLE as i128;

/// A job on the machine between two instants, at a rate in parts of [`Rate::WHOLE`].
#[derive(Clone, Copy)]
struct Hold {
    job: JobId,
    from: Time,
    to: Time,
    parts: i128,
    what: What,
    /// Whether the job was on the machine up to this instant, at another rate.
    goes_on: bool,
}

impl Hold {
    fn whole(job: JobId, from: Time, to: Time) -> Hold {
        Hold { job, from, to, parts: WHOLE, what: What::All, goes_on: false }
    }
}

/// The resources that a hold is about. A job that shares time has many slices but holds its memory once, so
/// the two are checked separately.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    All,
    Time,
    Space,
}

/// The amounts held of each resource and device on each node, in amount × parts; all nodes count as one, without devices,
/// if places are unknown.
struct Held<'a> {
    scenario: &'a Scenario,
    outcome: &'a Outcome,
    by_node: bool,
    /// Amounts of a node.
    width: usize,
    out: Vec<i128>,
    /// The number of events on each node that let jobs run on.
    draining: Vec<usize>,
    /// The part of it that each reservation keeps, and what the jobs hold that it is for.
    kept: Vec<(Vec<i128>, Vec<i128>)>,
    amounts: Vec<i128>,
    suspended: SortedMap<JobId, Hold>,
}

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    let holds = holds(scenario, outcome);
    let mut starts: Vec<&Hold> = holds.iter().filter(|hold| hold.to > hold.from).collect();
    let mut ends = starts.clone();
    starts.arrange_by_key(|hold| (hold.from, hold.job));
    ends.arrange_by_key(|hold| (hold.to, hold.job));
    let mut passing: Vec<&Hold> = holds.iter().filter(|hold| hold.to == hold.from).collect();
    passing.arrange_by_key(|hold| (hold.from, hold.job));

    let mut instants: Vec<Time> = starts.iter().chain(&passing).map(|hold| hold.from).collect();
    let closures = scenario.capacity.as_ref().map_or(&[][..], |calendar| &calendar.closures);
    instants.extend(closures.iter().map(|closure| closure.from));
    instants.sort_unstable();
    instants.dedup();
    let by_node = super::checks_nodes(scenario, outcome);
    let (rows, width) = if by_node {
        (scenario.machine.nodes(), scenario.machine.width())
    } else {
        (1, scenario.machine.kinds())
    };
    let amounts = vec![0; rows * width];
    let reservations = scenario.capacity.as_ref().map_or(0, |calendar| calendar.reservations.len());
    let kept = vec![(amounts.clone(), amounts.clone()); reservations];
    let draining = vec![0; rows];
    let (out, suspended) = (amounts.clone(), SortedMap::new());
    let mut held = Held { scenario, outcome, by_node, width, out, draining, kept, amounts, suspended };
    let mut borders: Vec<(Time, bool, &Closure)> = closures
        .iter()
        .flat_map(|closure| [(closure.from, true, closure), (closure.to, false, closure)])
        .collect();
    borders.arrange_by_key(|&(at, begins, _)| (at, begins));
    let mut borders = borders.into_iter().peekable();
    let (mut starts, mut ends, mut passing) = (&starts[..], &ends[..], &passing[..]);
    for now in instants {
        for hold in take_until(&mut ends, |hold| hold.to <= now) {
            held.change(hold, -1);
        }
        while let Some((_, begins, closure)) = borders.next_if(|&(at, ..)| at <= now) {
            held.close(closure, begins);
        }
        held.check_evicted(now, closures, violations);
        // Jobs of zero length are checked one by one; each needs room beside the jobs that stay across the instant. Jobs with an
        // interval that ends or begins now do not count, as they may have been off the machine in between.
        for hold in take_until(&mut passing, |hold| hold.from <= now) {
            held.change(hold, 1);
            held.check(now, &[hold], violations);
            held.change(hold, -1);
        }
        let starting = take_until(&mut starts, |hold| hold.from <= now);
        for hold in starting {
            held.change(hold, 1);
        }
        held.check(now, starting, violations);
    }
}

/// Returns everything that is ever held: intervals if the outcome has them, else whole jobs, and the runs before their last one.
fn holds(scenario: &Scenario, outcome: &Outcome) -> Vec<Hold> {
    let whole = |job: JobId| {
        let (from, to) = served(outcome, job)?;
        // A job cut off at its start, or while it waited, may have held nothing.
        let nothing = from == to && outcome.fate(job) != Fate::Finished;
        (!nothing).then(|| Hold::whole(job, from, to))
    };
    let jobs = scenario.workload.jobs();
    if !outcome.shares_time() {
        let lost = outcome.lost.iter().filter(|run| run.to > run.from);
        let lost = lost.map(|run| Hold::whole(run.job, run.from, run.to));
        return jobs.filter_map(whole).chain(lost).collect();
    }
    let intervals = outcome.all_intervals();
    let mut before = None;
    let resident = intervals.iter().filter(|interval| interval.to > interval.from).map(|interval| Hold {
        parts: parts(interval),
        goes_on: before.replace((interval.job, interval.to)) == Some((interval.job, interval.from)),
        ..Hold::whole(interval.job, interval.from, interval.to)
    });
    // Jobs of zero length leave no interval and so no rate; they are checked at the lowest rate in use.
    let slowest = intervals.iter().map(parts).filter(|&parts| parts > 0).min().unwrap_or(WHOLE);
    // With rows that share time, no other job has the processors in a slice of zero length.
    let parts = if takes_turns(outcome) { 0 } else { slowest };
    let brief = jobs.filter_map(whole).filter(|hold| hold.from == hold.to);
    let brief = brief.map(|hold| Hold { parts, ..hold });
    if outcome.epochs.is_empty() {
        return resident.chain(brief).collect();
    }
    let resident: Vec<Hold> = resident.collect();
    let running =
        resident.iter().filter(|hold| hold.parts > 0).map(|hold| Hold { what: What::Time, ..*hold });
    let space = scenario.machine.resources().iter().any(|resource| resource.sharing == Sharing::Space);
    // If all processors count as one, places do not show that a job left and came back at the same instant,
    // so intervals are joined only if nodes are checked.
    let joins = super::checks_nodes(scenario, outcome);
    let stays = if space { stays(outcome, &resident, joins) } else { Vec::new() };
    running.chain(stays).chain(brief).collect()
}

/// Joins consecutive intervals of a job in one place.
fn stays(outcome: &Outcome, resident: &[Hold], joins: bool) -> Vec<Hold> {
    let mut stays: Vec<Hold> = Vec::new();
    for &hold in resident {
        let moved = || outcome.places.stays(hold.job).any(|(since, _)| since == hold.from);
        match stays.last_mut() {
            Some(last) if joins && (last.job, last.to) == (hold.job, hold.from) && !moved() => {
                last.to = hold.to;
            }
            _ => stays.push(Hold { what: What::Space, ..hold }),
        }
    }
    stays
}

impl Held<'_> {
    fn change(&mut self, hold: &Hold, sign: i128) {
        if hold.parts == 0 && self.releases().is_some() {
            if sign > 0 {
                self.suspended.insert(hold.job, *hold);
            } else {
                self.suspended.remove(&hold.job);
            }
        }
        for share in self.shares(hold) {
            for kind in 0..self.width {
                let at = share.node as usize * self.width + kind;
                let amount = sign * self.needs(kind, hold, share);
                self.amounts[at] += amount;
                for reservation in self.reservations_of(hold.job) {
                    self.kept[reservation].1[at] += amount;
                }
            }
        }
    }

    /// Returns, if jobs may be suspended for others, whether they give back each resource.
    fn releases(&self) -> Option<&[bool]> {
        self.scenario.priorities.as_ref()?.suspends()
    }

    /// Returns what suspended jobs gave back on a node and a job may not take, because it may not preempt them; less what
    /// jobs that may preempt them took just now. Jobs that were suspended just now count as well.
    fn kept_from(&self, now: Time, coming: &[&Hold], (hold, node): (&Hold, u32), kind: usize) -> i128 {
        let (Some(table), Some(_)) = (&self.scenario.priorities, self.releases()) else { return 0 };
        let workload = &self.scenario.workload;
        let may_take = |taker: JobId, from: &Hold| {
            let below = table.standing(workload, taker).preempts;
            below.is_some_and(|below| workload.tier(from.job) < below)
        };
        let on = |hold: &Hold| self.shares(hold).into_iter().find(|share| share.node == node);
        let kept = self.suspended.values().filter(|other| other.from < now && !may_take(hold.job, other));
        let kept: Vec<&Hold> = kept.collect();
        let given = |other: &Hold| {
            let share = on(other)?;
            let running = Hold { parts: WHOLE, ..*other };
            Some(self.needs(kind, &running, share) - self.needs(kind, other, share))
        };
        let amount: i128 = kept.iter().filter_map(|other| given(other)).sum();
        let taken = coming.iter().filter(|taker| taker.job != hold.job);
        let taken = taken.filter(|taker| kept.iter().any(|other| may_take(taker.job, other)));
        let taken: i128 = taken.filter_map(|taker| Some(self.needs(kind, taker, on(taker)?))).sum();
        (amount - taken).max(0)
    }

    fn reservations_of(&self, job: JobId) -> Vec<usize> {
        let Some(calendar) = &self.scenario.capacity else { return Vec::new() };
        let is_for = |at: &usize| calendar.reservations[*at].is_for(&self.scenario.workload, job);
        (0..calendar.reservations.len()).filter(is_for).collect()
    }

    /// Returns the existing nodes of a hold; if all nodes count as one, all of it is there.
    fn shares(&self, hold: &Hold) -> Vec<Share> {
        if !self.by_node {
            return vec![Share::new(0, self.scenario.workload.procs(hold.job))];
        }
        let known = |share: &Share| (share.node as usize) < self.scenario.machine.nodes() && share.procs > 0;
        self.outcome.places.at(hold.job, hold.from).into_iter().filter(known).collect()
    }

    /// Returns the amount of a resource for some of a job's processors: proportional, rounded up to whole
    /// units, or the same on each of its nodes; all that a node has if the job has its nodes to itself. What comes in devices is rounded up to whole ones if
    /// it is more than one; then follows the amount of each device.
    fn needs(&self, at: usize, hold: &Hold, Share { node, procs, devices }: Share) -> i128 {
        let kinds = self.scenario.machine.kinds();
        let known = self.scenario.machine.devices();
        if let (Some(known), Some(device)) = (known, at.checked_sub(kinds)) {
            let each = self.needs(known.resource(), hold, Share { node, procs, devices });
            let has = devices >> device & 1 == 1;
            return if has { each.min(i128::from(known.size()) * WHOLE) } else { 0 };
        }
        let kind = at;
        let demand = self.scenario.workload.demand(hold.job);
        let (exact, all) = (i128::from(demand[kind]) * i128::from(procs), i128::from(demand[0].max(1)));
        let layout = self.scenario.workload.layout(hold.job);
        let alone = self.by_node && layout.exclusive;
        let amount = if self.by_node && layout.even & 1 << kind != 0 {
            let parts = if layout.over > 0 { layout.over } else { layout.tasks + layout.rests };
            -(-i128::from(demand[kind])).div_euclid(i128::from(parts))
        } else {
            -(-exact).div_euclid(all)
        };
        let whole = || i128::from(self.scenario.machine.capacity(node as usize)[kind]);
        let amount = if alone { amount.max(whole()) } else { amount };
        let amount = match known.filter(|known| self.by_node && known.resource() == kind) {
            Some(known) if amount > i128::from(known.size()) => {
                let size = i128::from(known.size());
                -(-amount).div_euclid(size) * size
            }
            _ => amount,
        };
        if hold.parts == 0 && self.releases().is_some_and(|releases| releases[kind]) {
            return 0;
        }
        match self.scenario.machine.resources()[kind].sharing {
            Sharing::Space if hold.what != What::Time => amount * WHOLE,
            Sharing::Time if hold.what != What::Space => amount * hold.parts,
            _ => 0,
        }
    }

    fn capacity(&self, node: usize, kind: usize) -> i128 {
        let devices = self.scenario.machine.devices();
        let device = devices.zip(kind.checked_sub(self.scenario.machine.kinds()));
        let all = if let Some((known, device)) = device {
            let has = self.scenario.machine.capacity(node)[known.resource()] / known.size();
            if (device as i64) < has { known.size() } else { 0 }
        } else if self.by_node {
            self.scenario.machine.capacity(node)[kind]
        } else {
            self.scenario.machine.total(kind)
        };
        i128::from(all) - self.out[node * self.width + kind]
    }

    fn name(&self, at: usize) -> String {
        let machine = &self.scenario.machine;
        match (at.checked_sub(machine.kinds()), machine.devices()) {
            (Some(device), Some(known)) => {
                format!("{} of device {device}", machine.resources()[known.resource()].name)
            }
            _ => machine.resources()[at].name.clone(),
        }
    }

    /// Returns what jobs may hold beside what is out of service: a job may start in the reservations that are for it, and
    /// what its jobs hold in a reservation takes nothing from the others.
    fn capacity_for(&self, job: JobId, node: usize, kind: usize) -> i128 {
        let at = node * self.width + kind;
        let own = self.reservations_of(job).into_iter().map(|reservation| {
            let (amounts, used) = &self.kept[reservation];
            amounts[at] - amounts[at].min(used[at].div_euclid(WHOLE))
        });
        self.capacity_in_use(node, kind) + own.sum::<i128>()
    }

    /// Returns what is in service, and what the jobs of reservations hold beside it.
    fn capacity_in_use(&self, node: usize, kind: usize) -> i128 {
        let at = node * self.width + kind;
        let inside = self.kept.iter().map(|(amounts, used)| amounts[at].min(used[at].div_euclid(WHOLE)));
        self.capacity(node, kind) + inside.sum::<i128>()
    }

    fn close(&mut self, closure: &Closure, begins: bool) {
        let node = if self.by_node { closure.node } else { 0 };
        let first = node * self.width;
        let sign = if begins { 1 } else { -1 };
        if closure.evicted == Evicted::Drained {
            self.draining[node] = if begins { self.draining[node] + 1 } else { self.draining[node] - 1 };
        }
        for (out, &amount) in self.out[first..first + self.width].iter_mut().zip(&closure.amounts) {
            *out += sign * i128::from(amount);
        }
        if let Some((kept, _)) = closure.kept_for.map(|kept| &mut self.kept[kept.reservation]) {
            for (kept, &amount) in kept[first..first + self.width].iter_mut().zip(&closure.amounts) {
                *kept += sign * i128::from(amount);
            }
        }
    }

    /// Checks that no job stays where capacity has just gone, unless jobs are drained there.
    fn check_evicted(&self, now: Time, closures: &[Closure], violations: &mut Vec<Violation>) {
        let first = closures.partition_point(|closure| closure.from < now);
        let begun = closures[first..].iter().take_while(|closure| closure.from == now);
        for closure in begun.filter(|closure| closure.evicted != Evicted::Drained) {
            let node = if self.by_node { closure.node } else { 0 };
            if self.draining[node] > 0 {
                continue;
            }
            for (kind, resource) in self.scenario.machine.resources().iter().enumerate() {
                let held = self.amounts[node * self.width + kind];
                let left = self.capacity_in_use(node, kind) * WHOLE - held;
                if left < 0 {
                    let rule = ScheduleRule::Capacity(resource.name.clone());
                    let job = self.scenario.workload.jobs().next().unwrap_or(JobId(0));
                    violations.push(self.violation(rule, (job, now, node as u32), (0, left)));
                }
            }
        }
    }

    /// Reports every resource that is oversubscribed on a node where a job has just started, naming the last such job.
    fn check(&self, now: Time, coming: &[&Hold], violations: &mut Vec<Violation>) {
        let mut last: SortedMap<u32, (&Hold, Share)> = SortedMap::new();
        for hold in coming {
            last.extend(self.shares(hold).iter().map(|share| (share.node, (*hold, *share))));
        }
        for (hold, share) in last.into_values() {
            self.check_node(now, (hold, share), violations);
        }
        if self.suspended.is_empty() {
            return;
        }
        for hold in coming.iter().filter(|hold| !hold.goes_on) {
            for share in self.shares(hold) {
                self.check_kept(now, coming, (hold, share), violations);
            }
        }
    }

    /// Checks that a job that has just started took nothing of what suspended jobs gave back that it may not preempt.
    fn check_kept(
        &self,
        now: Time,
        coming: &[&Hold],
        (hold, share): (&Hold, Share),
        violations: &mut Vec<Violation>,
    ) {
        let node = share.node;
        for kind in 0..self.width {
            let need = self.needs(kind, hold, share);
            let kept = self.kept_from(now, coming, (hold, node), kind);
            let taken = self.amounts[node as usize * self.width + kind];
            let left = self.capacity_for(hold.job, node as usize, kind) * WHOLE - taken - kept;
            if left < 0 && need > 0 && kept > 0 {
                let rule = ScheduleRule::KeptForSuspended(self.name(kind));
                violations.push(self.violation(rule, (hold.job, now, node), (need, left + need)));
            }
        }
    }

    fn check_node(&self, now: Time, (hold, share): (&Hold, Share), violations: &mut Vec<Violation>) {
        let node = share.node;
        for kind in 0..self.width {
            let taken = self.amounts[node as usize * self.width + kind];
            // A job that goes on is no new start where jobs are drained.
            let out = if hold.goes_on { self.out[node as usize * self.width + kind] } else { 0 };
            let left = (self.capacity_for(hold.job, node as usize, kind) + out) * WHOLE - taken;
            let need = self.needs(kind, hold, share);
            // Jobs that are drained may hold more of a resource than is in service, of which the job needs nothing.
            if left >= 0 || need == 0 && self.scenario.capacity.is_some() {
                continue;
            }
            let rule = ScheduleRule::Capacity(self.name(kind));
            violations.push(self.violation(rule, (hold.job, now, node), (need, left + need)));
        }
    }

    /// Returns a violation of a job on a node; what it needs and what is free are in amount × parts.
    fn violation(
        &self,
        rule: ScheduleRule,
        (job, at, node): (JobId, Time, u32),
        (need, free): (i128, i128),
    ) -> Violation {
        let amounts = [-(-need).div_euclid(WHOLE) as i64, free.div_euclid(WHOLE) as i64];
        let violation = Violation::of_amounts(&self.scenario.workload, rule, job, at, amounts);
        Violation { node: self.by_node.then_some(node), ..violation }
    }
}

/// Splits off the leading part of a sorted list for which `due` holds.
fn take_until<'a, 'b>(list: &mut &'a [&'b Hold], due: impl Fn(&Hold) -> bool) -> &'a [&'b Hold] {
    let (front, rest) = list.split_at(list.partition_point(|hold| due(hold)));
    *list = rest;
    front
}
