//! The availability window: the amounts expected to be free on every node over time.

use batchlab_traces::machine::Devices;
use batchlab_traces::{Machine, Time};

use super::amounts::{least, plus};
use super::foreseen::ForeseenOnNodes;
use super::hosts::{Choice, Hosts, Offers};
use super::profile::{Profile, Slot};
use crate::placement::{Placement, Share};
use crate::turn::Turn;
use crate::view::{JobView, padded};

/// A profile per node (the slot table's view of Sheikhalishahi et al. 2015, section 3.4).
///
/// A further profile holds the total of all nodes: a job that does not fit into the total need not be
/// searched for on the nodes, which saves nearly all of the work on a full machine.
#[derive(Clone, Debug)]
pub struct Window<const K: usize> {
    nodes: Vec<Profile<K>>,
    capacity: Vec<[i64; K]>,
    devices: Option<Devices>,
    /// The present instant; profiles may begin before it.
    present: Time,
    /// The free amounts of each node at present.
    now: Vec<[i64; K]>,
    /// Before this instant, no less than these amounts is free on each node.
    falls: Vec<Time>,
    total: Profile<K>,
    /// Before this instant a node may be promised twice, because promises turned out wrong. Its negative amounts reduce the
    /// total, although other nodes have room.
    strained_until: Time,
    foreseen: Box<ForeseenOnNodes<K>>,
}

/// The instant from which a node has this much room for a job.
type Change = (Time, usize, Has);

/// The room of a node: a number of whole tasks, and whether a smaller one fits too.
type Has = (i64, bool);

impl<const K: usize> Default for Window<K> {
    fn default() -> Window<K> {
        let total = Profile::new(Time::ZERO, [0; K]);
        Window {
            nodes: Vec::new(),
            capacity: Vec::new(),
            devices: None,
            present: Time::ZERO,
            now: Vec::new(),
            falls: Vec::new(),
            total,
            strained_until: Time::ZERO,
            foreseen: Box::default(),
        }
    }
}

impl<const K: usize> Window<K> {
    /// Resets the window to constant free amounts, node by node.
    pub fn reset(&mut self, machine: &Machine, now: Time, free: &[[i64; K]]) {
        if self.capacity.is_empty() {
            self.devices = machine.devices();
            self.capacity.extend((0..machine.nodes()).map(|node| padded::<K>(machine.capacity(node))));
        }
        self.present = now;
        self.now.clear();
        self.now.extend_from_slice(free);
        self.falls.clear();
        self.falls.resize(free.len(), Time::MAX);
        self.nodes.truncate(free.len());
        for (profile, &free) in self.nodes.iter_mut().zip(free) {
            profile.reset(now, free);
        }
        let known = self.nodes.len();
        self.nodes.extend(free[known..].iter().map(|&free| Profile::new(now, free)));
        self.total.reset(now, free.iter().fold([0; K], |sum, &free| plus(sum, free)));
        self.strained_until = if free.iter().flatten().any(|&amount| amount < 0) { Time::MAX } else { now };
    }

    /// Adds a job's resources on its nodes from an instant on, which must not lie before the last release.
    pub fn release(&mut self, at: Time, job: JobView<'_>, shares: &[Share]) {
        let mut sum = [0; K];
        for (node, amount) in amounts((&self.capacity, self.devices), job, shares) {
            self.nodes[node].release(at, amount);
            if at == self.present {
                self.now[node] = plus(self.now[node], amount);
            }
            sum = plus(sum, amount);
        }
        self.total.release(at, sum);
    }

    /// Adds known closures, after all releases; the last release is given. Changes after it are shared with later windows.
    pub fn foresee(&mut self, turn: &Turn<'_>, last: Time) {
        self.foreseen.renew(turn);
        for (node, profile) in self.nodes.iter_mut().enumerate() {
            let ahead = self.foreseen.add_to_node(node, profile, last);
            self.falls[node] = self.falls[node].min(ahead.falls);
            self.strained_until = self.strained_until.max(ahead.strained_until);
        }
        self.foreseen.add_to_total(&mut self.total, last);
    }

    /// Moves the present forward, to before the next end or begin in the window. O(1).
    pub fn pass(&mut self, now: Time) {
        self.present = now;
    }

    /// Drops what lies before an instant.
    pub fn advance(&mut self, now: Time) {
        self.present = now;
        for (profile, free) in self.nodes.iter_mut().zip(&mut self.now) {
            profile.advance(now);
            *free = profile.free_at(now);
        }
        self.total.advance(now);
    }

    pub fn take(&mut self, from: Time, to: Time, job: JobView<'_>, placement: &Placement) {
        let mut sum = [0; K];
        for (node, amount) in amounts((&self.capacity, self.devices), job, &placement.0) {
            let profile = &mut self.nodes[node];
            let least = profile.take(Slot { from, to, amount });
            self.now[node] = profile.free_at(self.present);
            if from > self.present {
                self.falls[node] = from.min(self.falls[node]);
            }
            if least.iter().any(|&amount| amount < 0) {
                self.strained_until = self.strained_until.max(to);
            }
            sum = plus(sum, amount);
        }
        self.total.take(Slot { from, to, amount: sum });
    }

    pub fn give(&mut self, from: Time, to: Time, job: JobView<'_>, placement: &Placement) {
        let mut sum = [0; K];
        for (node, amount) in amounts((&self.capacity, self.devices), job, &placement.0) {
            let profile = &mut self.nodes[node];
            profile.give(Slot { from, to, amount });
            self.now[node] = profile.free_at(self.present);
            sum = plus(sum, amount);
        }
        self.total.give(Slot { from, to, amount: sum });
    }

    /// Adds an amount, which may be negative, to the free amounts of a node over an interval.
    pub fn change(&mut self, node: usize, slot: Slot<K>) {
        let profile = &mut self.nodes[node];
        profile.give(slot);
        self.now[node] = profile.free_at(self.present);
        if slot.from > self.present && slot.amount.iter().any(|&amount| amount < 0) {
            self.falls[node] = slot.from.min(self.falls[node]);
        }
        if profile.least(slot.from, slot.to).iter().any(|&amount| amount < 0) {
            self.strained_until = self.strained_until.max(slot.to);
        }
        self.total.give(slot);
    }

    /// Whether a node is promised twice at some instant before another. O(nodes), O(1) if none was promised twice.
    pub fn is_overdrawn(&self, until: Time) -> bool {
        let overdrawn =
            |profile: &Profile<K>| profile.least(profile.begin(), until).iter().any(|&free| free < 0);
        self.strained_until > self.total.begin() && self.nodes.iter().any(overdrawn)
    }

    pub fn has_room(&self, from: Time, to: Time, job: JobView<'_>, placement: &Placement) -> bool {
        amounts((&self.capacity, self.devices), job, &placement.0)
            .all(|(node, amount)| self.nodes[node].has_room(Slot { from, to, amount }))
    }

    /// Chooses nodes for a job that starts at an instant, if they have room for its whole stay.
    ///
    /// O(s) for s steps if the nodes together do not have the room; else O(nodes · overlapped steps of a
    /// node), plus one choice of nodes if there is room.
    pub fn at(
        &self,
        machine: &Machine,
        hosts: &Hosts,
        job: JobView<'_>,
        at: Time,
        duration: Time,
    ) -> Option<Choice> {
        let until = at.saturating_add(duration);
        let slot = Slot { from: at, to: until, amount: job.demands() };
        if at >= self.strained_until && !self.total.has_room(slot) {
            return None;
        }
        let need = hosts.tasks(machine, job);
        let layout = need.layout();
        // Offers of nodes behind those with room for all tasks make no difference then.
        let fills_in_order = layout.rests == 0 && hosts.is_first_fit();
        let mut left = layout.tasks;
        let nodes = self.nodes.len();
        let (mut room, mut free) = (Vec::with_capacity(nodes), Vec::with_capacity(nodes));
        let mut most = Vec::with_capacity(nodes);
        for node in 0..nodes {
            if left <= 0 && fills_in_order {
                break;
            }
            let (first, least) = self.span(node, at, until);
            let tasks = need.whole_on(node, &least);
            left -= tasks;
            most.push(tasks);
            room.push(least);
            free.push(first);
        }
        if left > 0 {
            return None;
        }
        let free = if hosts.scores_whole_stay() { &room } else { &free };
        hosts.choose_among(need, Offers { room: &room, free }, &most)
    }

    /// Returns the earliest instant from the first to the second from which a node has room for the smallest task of a
    /// job throughout a stay, if there is one. From `held` on the node holds the job's own reservation for
    /// that stay, which gives way to it. O(s).
    pub fn first_task(
        &self,
        machine: &Machine,
        job: JobView<'_>,
        (node, held): (usize, Time),
        (from, last): (Time, Time),
        stay: Time,
    ) -> Option<Time> {
        if !job.admitted(machine, node) {
            return None;
        }
        let layout = job.layout();
        let procs = if layout.rests > 0 { layout.rest } else { layout.task };
        let (need, profile) = (amount(&self.capacity[node], job, procs), &self.nodes[node]);
        // The last start whose stay does not reach the job's own reservation.
        let apart = held - stay;
        let before = (from <= apart).then(|| profile.search(from, last.min(apart), need, stay).ok());
        before.flatten().or_else(|| {
            let floor = from.max(apart + Time::from_ticks(1));
            let since = if held == Time::MAX { held } else { profile.free_since(held, floor, need) };
            (since <= last && since < held).then_some(since)
        })
    }

    /// Returns the free amounts of a node at the first instant of a stay, and the least free amounts during the stay.
    #[inline]
    fn span(&self, node: usize, at: Time, until: Time) -> ([i64; K], [i64; K]) {
        if at == self.present && until <= self.falls[node] {
            return (self.now[node], self.now[node]);
        }
        self.nodes[node].span(at, until)
    }

    /// Returns the earliest instant from `from` on at which a job with a given stay has room, and the nodes;
    /// `None` if the job never has room.
    ///
    /// O(s) for s steps as long as the nodes together do not have the room; from there on O(s log s) for the steps up to a few
    /// times the wait and the stay, plus a choice of nodes.
    pub fn earliest(
        &self,
        machine: &Machine,
        hosts: &Hosts,
        job: JobView<'_>,
        from: Time,
        duration: Time,
    ) -> Option<(Time, Choice)> {
        self.search(machine, hosts, job, (from, Time::MAX), duration)
    }

    /// As [`Window::earliest`], for a start not after the second instant.
    pub fn search(
        &self,
        machine: &Machine,
        hosts: &Hosts,
        job: JobView<'_>,
        (mut from, last): (Time, Time),
        duration: Time,
    ) -> Option<(Time, Choice)> {
        // If all nodes together have the room, usually the individual nodes have it too, at once or soon: the nodes are
        // searched up to a horizon, which moves away.
        let mut ahead = duration;
        let mut is_first = true;
        while from <= last {
            if from >= self.strained_until {
                from = self.total.search(from, last, job.demands(), duration).ok()?;
            }
            if from > last {
                return None;
            }
            if is_first && let Some(choice) = self.at(machine, hosts, job, from, duration) {
                return Some((from, choice));
            }
            is_first = false;
            let horizon = from.saturating_add(ahead).min(last);
            let found = self.search_nodes(machine, hosts, job, (from, horizon), duration);
            if found.is_some() || horizon == Time::MAX {
                return found;
            }
            from = horizon + Time::from_ticks(1);
            ahead = ahead.saturating_add(ahead);
        }
        None
    }

    /// As [`Window::search`], node by node. O(s log s) for s steps between the first instant and the end of a stay that
    /// begins at the last.
    fn search_nodes(
        &self,
        machine: &Machine,
        hosts: &Hosts,
        job: JobView<'_>,
        window: (Time, Time),
        stay: Time,
    ) -> Option<(Time, Choice)> {
        let need = hosts.tasks(machine, job);
        let mut changes: Vec<Change> = Vec::new();
        let (mut rooms, mut amounts) = (Scan::default(), Scan::default());
        for (node, profile) in self.nodes.iter().enumerate().filter(|(node, _)| job.admitted(machine, *node))
        {
            let has = |free: [i64; K]| need.on(node, &free);
            let steps = steps(profile, window, stay);
            let mut change = |at: Time, has: Has| changes.push((at, node, has));
            match self.devices {
                None => {
                    rooms.steps(steps.map(|(begin, free)| (begin, has(free))));
                    rooms.changes(window, stay, Has::min, |has| has, &mut change);
                }
                // Room at every instant of a stay may be on different devices: it is that of the least amounts.
                Some(_) => {
                    amounts.steps(steps);
                    amounts.changes(window, stay, least, has, &mut change);
                }
            }
        }
        changes.sort_unstable();
        let mut has: Vec<Has> = vec![(0, false); self.nodes.len()];
        let (mut tasks, mut beside) = (0, 0);
        let mut next = 0;
        while let Some(&(at, ..)) = changes.get(next) {
            while let Some(&(_, node, new)) = changes.get(next).filter(|change| change.0 == at) {
                tasks += new.0 - has[node].0;
                beside += i64::from(new.1) - i64::from(has[node].1);
                has[node] = new;
                next += 1;
            }
            if need.layout().is_enough(tasks, beside)
                && let Some(choice) = self.at(machine, hosts, job, at, stay)
            {
                return Some((at, choice));
            }
        }
        None
    }
}

/// Returns the steps of a profile that overlap a stay that begins in a window.
fn steps<const K: usize>(
    profile: &Profile<K>,
    (from, last): (Time, Time),
    stay: Time,
) -> impl Iterator<Item = (Time, [i64; K])> + '_ {
    let end = last.saturating_add(stay);
    let within = profile.since(from).take_while(move |step| step.0 <= from || step.0 < end);
    within.map(move |(begin, free)| (begin.max(from), free))
}

/// A scan over the steps of a node for a stay that begins in a window.
struct Scan<T> {
    steps: Vec<(Time, T)>,
    /// The common room of each earlier step that the stay overlaps and of the later ones of these steps, the earliest step last.
    behind: Vec<T>,
}

impl<T> Default for Scan<T> {
    fn default() -> Scan<T> {
        Scan { steps: Vec::new(), behind: Vec::new() }
    }
}

impl<T: Copy> Scan<T> {
    fn steps(&mut self, steps: impl Iterator<Item = (Time, T)>) {
        self.steps.clear();
        self.behind.clear();
        self.steps.extend(steps);
    }

    /// Passes on the instants of a window from which the node has room for more or less of a job throughout its stay: the
    /// beginning of a step, or the instant at which the end of the stay reaches the next step. `lower` combines steps into
    /// their common room; `has` returns the tasks that fit into it.
    ///
    /// O(s), because the common room of the steps of the stay is updated as it moves along.
    fn changes(
        &mut self,
        (from, last): (Time, Time),
        stay: Time,
        lower: impl Fn(T, T) -> T,
        has: impl Fn(T) -> Has,
        change: &mut impl FnMut(Time, Has),
    ) {
        let Scan { steps, behind } = self;
        // The stay overlaps the steps from `first` to `next`; `ahead` is the common room of the steps from `middle` on.
        let (mut first, mut middle, mut next) = (0, 0, 0);
        let mut ahead: Option<T> = None;
        let (mut at, mut known) = (from, (0, false));
        while at <= last {
            let until = at.saturating_add(stay);
            while let Some(&(_, new)) = steps.get(next).filter(|step| next == 0 || step.0 < until) {
                ahead = Some(ahead.map_or(new, |ahead| lower(ahead, new)));
                next += 1;
            }
            while steps.get(first + 1).is_some_and(|step| step.0 <= at) {
                first += 1;
                behind.pop();
            }
            if first >= middle {
                behind.clear();
                for &(_, new) in steps[first..next].iter().rev() {
                    behind.push(behind.last().map_or(new, |&later| lower(later, new)));
                }
                (middle, ahead) = (next, None);
            }
            let Some(&lowest) = behind.last() else { return };
            let here = has(ahead.map_or(lowest, |ahead| lower(lowest, ahead)));
            if here != known {
                known = here;
                change(at, here);
            }
            let leaves = steps.get(first + 1).map(|step| step.0);
            let enters = steps.get(next).map(|step| (step.0 - stay).saturating_add(Time::from_ticks(1)));
            let Some(then) = leaves.into_iter().chain(enters).min() else { return };
            at = then;
        }
    }
}

fn amounts<'a, const K: usize>(
    (capacity, devices): (&'a [[i64; K]], Option<Devices>),
    job: JobView<'a>,
    shares: &'a [Share],
) -> impl Iterator<Item = (usize, [i64; K])> + 'a {
    shares.iter().map(move |share| {
        let node = share.node as usize;
        (node, job.holds(share, &capacity[node], devices))
    })
}

/// Returns a job's resources on a node that has `procs` of its processors.
fn amount<const K: usize>(capacity: &[i64; K], job: JobView<'_>, procs: i64) -> [i64; K] {
    let mut amount = [0; K];
    for (kind, amount) in amount.iter_mut().enumerate().take(job.demand().len()) {
        *amount = job.held_on(kind, procs, capacity[kind]);
    }
    amount
}

#[cfg(test)]
mod tests;
