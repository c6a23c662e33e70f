//! The events for the policy, before and after its decision.

use batchlab_traces::limits::LimitedQuantity;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time, Workload};

use super::Guard;
use crate::event::Event;
use crate::journal::{Act, HeldBy};
use crate::limits::share::LimitUsage;
use crate::policy::{Aside, PolicyError};
use crate::tally;
use crate::turn::Turn;

/// The queue of the policy, if groups are put aside in it.
type Queue<'a> = Option<&'a mut dyn Aside>;

impl Guard {
    /// Returns the events for the policy: those of jobs that it sees, now or from now on.
    pub(in crate::limits) fn screen(&mut self, turn: &mut Turn<'_>, queue: &mut Queue<'_>) -> Vec<Event> {
        self.records = turn.is_journalled();
        let mut events = std::mem::take(&mut self.untold);
        // Running jobs have used up processor-time since the last decision.
        let mut has_room = self.groups.in_parts;
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => {
                    if self.arrives(turn, job, queue) {
                        events.push(event);
                    }
                    continue;
                }
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    let ran = self.leave(turn.workload(), job);
                    has_room |= ran;
                    let was_seen = self.forget(job);
                    if !ran && event == Event::Killed(job) && !was_seen {
                        if let Some(queue) = queue {
                            queue.take_out(turn.job(job));
                        }
                        continue;
                    }
                }
                Event::Displaced(job) => {
                    has_room = true;
                    self.leave(turn.workload(), job);
                    self.joins(turn.workload(), job);
                }
                Event::Woke(at) => {
                    has_room = true;
                    if !self.wakes.remove(&at) {
                        continue;
                    }
                }
                Event::Suspended(_) | Event::Resumed(_) | Event::Loaded(_) | Event::Capacity(_) => {}
            }
            events.push(event);
        }
        if has_room {
            self.readmit(turn, queue, &mut events);
        }
        self.withdraw(turn, queue, &mut events);
        events
    }

    /// Takes note of a decision; returns the events after which the policy has to decide again: starts that did not
    /// count, and jobs that have to wait now.
    pub(in crate::limits) fn settle(&mut self, turn: &Turn<'_>, queue: &mut Queue<'_>) -> Vec<Event> {
        let mut events = Vec::new();
        for job in turn.rejected() {
            self.forget(job);
        }
        self.withdraw(turn, queue, &mut events);
        for job in std::mem::take(&mut self.void) {
            let Some(at) = self.groups.of(job) else { continue };
            let is_shown = self.groups.shows(job);
            self.news |= is_shown;
            match queue {
                Some(queue) if self.groups.get(at).bound.contains(&job) => queue.set_aside(turn.job(job), at),
                _ if is_shown => events.push(Event::Submitted(job)),
                _ => {}
            }
        }
        self.exhausted = false;
        events
    }

    /// Requests a decision for the instant at which the remaining processor-time of running jobs leaves room for a job.
    pub(in crate::limits) fn wake(
        &mut self,
        turn: &mut Turn<'_>,
        queue: Queue<'_>,
    ) -> Result<(), PolicyError> {
        self.notes.drain(..).for_each(|(job, act)| turn.note(job, act));
        let now = turn.now();
        let mut next: Option<Time> = None;
        for &(share, class) in &self.full {
            let LimitUsage { limit, classes, .. } = &mut self.shares[share];
            let class = &mut classes[class];
            let parked = class.parked.first().filter(|_| limit.quantity == LimitedQuantity::Work);
            let Some(&(amount, _)) = parked else { continue };
            next = next.into_iter().chain(class.has_room_at(amount, limit.most, now)).min();
        }
        if let Some(queue) = queue {
            next = next.into_iter().chain(self.shows_more_at(turn, queue)).min();
        }
        if let Some(at) = next {
            turn.wake_at(at)?;
        }
        Ok(())
    }

    /// Returns the first instant at which the policy sees more of a group, if that may change what starts.
    fn shows_more_at(&mut self, turn: &Turn<'_>, queue: &mut dyn Aside) -> Option<Time> {
        let mut next: Option<Time> = None;
        for &at in &self.clipped {
            let group = self.groups.get(at);
            let Some((work, until)) = group.is_open.then(|| queue.beyond(turn, at)).flatten() else {
                continue;
            };
            let mut all: Option<Time> = None;
            for (share, class, _) in group.bounds() {
                let LimitUsage { limit, classes, .. } = &mut self.shares[share];
                if limit.quantity == LimitedQuantity::Work {
                    all = all.max(classes[class].has_room_at(work, limit.most, turn.now()));
                }
            }
            next = next.into_iter().chain(all.map(|all| all.min(until))).min();
        }
        next
    }

    /// Shows the part of a group that limits on processor-time leave.
    fn renew_part(&mut self, at: usize, now: Time, queue: &mut Queue<'_>) {
        let (groups, shares) = (&self.groups, &mut self.shares);
        let works = groups.get(at).bounds().filter_map(|(share, class, _)| {
            let share = &mut shares[share];
            (share.limit.quantity == LimitedQuantity::Work).then(|| share.room(class, now))
        });
        let reach = works.min();
        let (Some(reach), Some(queue)) = (reach, queue) else { return };
        let group = self.groups.get_mut(at);
        let Some(part) = &mut group.part else { return };
        let changes = part.has_between(part.reach.min(reach), part.reach.max(reach));
        // A reach between the same two jobs is the same.
        if changes || group.bound.is_empty() {
            part.reach = reach;
            queue.reach(at, reach);
            self.news |= group.is_open;
        }
        if part.hides_some() {
            self.clipped.insert(at);
        } else {
            self.clipped.remove(&at);
        }
    }

    /// A job has been submitted; returns whether the policy hears of it.
    fn arrives(&mut self, turn: &mut Turn<'_>, job: JobId, queue: &mut Queue<'_>) -> bool {
        self.forget(job);
        let at = self.groups.join(&self.shares, turn.workload(), job);
        let holds = self.holding(at, turn.now());
        let group = self.groups.get_mut(at);
        if group.part.is_some() {
            group.is_open |= holds.is_none() && group.bound.is_empty();
            self.renew_part(at, turn.now(), queue);
        } else if holds.is_none() && !(queue.is_some() && group.is_open && !group.bound.is_empty()) {
            group.loose.insert(job);
            self.changed(at);
            return true;
        }
        self.binds(turn, at, job, queue);
        match holds {
            Some(share) => {
                self.close(at, queue);
                self.park(at, share);
                self.note_held(job, share);
                turn.tally(tally::HELD_BACK);
            }
            None if self.groups.is_beyond_reach(job) => turn.tally(tally::HELD_BACK),
            None => self.news = true,
        }
        self.changed(at);
        false
    }

    /// A waiting job is in the policy's queue by itself from now on.
    fn joins(&mut self, workload: &Workload, job: JobId) {
        self.forget(job);
        let at = self.groups.join(&self.shares, workload, job);
        self.groups.get_mut(at).loose.insert(job);
        self.changed(at);
    }

    /// A waiting job is shown or hidden with its group from now on.
    fn binds(&mut self, turn: &Turn<'_>, at: usize, job: JobId, queue: &mut Queue<'_>) {
        let group = self.groups.get_mut(at);
        group.bound.insert(job);
        if let Some(queue) = queue {
            queue.set_aside(turn.job(job), at);
            if group.bound.len() == 1 {
                queue.show(at, group.is_open);
            }
        }
    }

    /// A job is no longer on the machine; returns whether it was.
    fn leave(&mut self, workload: &Workload, job: JobId) -> bool {
        let Some(stay) = self.running.remove(&job) else { return false };
        for (at, share) in self.shares.iter_mut().enumerate() {
            share.ends(workload, job, stay);
            self.touched.extend(share.limit.class(workload, job).map(|class| (at, class)));
        }
        true
    }

    /// A job no longer waits; returns whether the policy saw it.
    pub(super) fn forget(&mut self, job: JobId) -> bool {
        let Some((at, was_seen)) = self.groups.leave(job) else { return false };
        self.held.remove(&job);
        self.changed(at);
        if self.drops_groups {
            self.groups.drop_empty(at);
        }
        was_seen
    }

    /// Returns the first limit under which a group has no room.
    fn holding(&mut self, at: usize, now: Time) -> Option<usize> {
        let (groups, shares) = (&self.groups, &mut self.shares);
        let mut bounds = groups.get(at).bounds();
        let held = bounds.find(|&(share, class, amount)| amount > shares[share].room(class, now));
        held.map(|(share, ..)| share)
    }

    /// Lists or unlists a group that has gained or lost jobs: among the groups that the policy sees, and, if no bound job of
    /// it waits any more, among the groups that limits hold back.
    fn changed(&mut self, at: usize) {
        let group = self.groups.get_mut(at);
        let is_shown = group.is_shown();
        let was_listed = std::mem::replace(&mut group.is_listed, is_shown);
        let parked =
            if group.bound.is_empty() { std::mem::take(&mut group.parked) } else { SortedSet::new() };
        if was_listed == is_shown && parked.is_empty() {
            return;
        }
        for (share, class, amount) in group.bounds() {
            let class = &mut self.shares[share].classes[class];
            if is_shown {
                class.shown.insert((amount, at));
            } else {
                class.shown.remove(&(amount, at));
            }
            if parked.contains(&share) {
                class.parked.remove(&(amount, at));
            }
        }
    }

    /// A limit holds the bound jobs of a group back.
    fn park(&mut self, at: usize, share: usize) {
        let group = self.groups.get_mut(at);
        group.parked.insert(share);
        if let Some((_, class, amount)) = group.bounds().find(|&(other, ..)| other == share) {
            self.shares[share].classes[class].parked.insert((amount, at));
            self.full.insert((share, class));
        }
    }

    fn note_held(&mut self, job: JobId, share: usize) {
        if self.records {
            self.held.insert(job, share);
            self.notes.push((job, Act::HeldBack(HeldBy::Table(self.shares[share].at))));
        }
    }

    /// Shows the jobs that have room again, in the order of submission.
    fn readmit(&mut self, turn: &Turn<'_>, queue: &mut Queue<'_>, events: &mut Vec<Event>) {
        let now = turn.now();
        // The work that running jobs may still do shrinks with time, everything else with ends only.
        let is_work = |&&(at, _): &&(usize, usize)| self.shares[at].limit.quantity == LimitedQuantity::Work;
        let mut due: SortedSet<(usize, usize)> = self.touched.intersection(&self.full).copied().collect();
        if self.counts(LimitedQuantity::Work) {
            due.extend(self.full.iter().filter(is_work).copied());
        }
        let mut found = SortedSet::new();
        for (at, class) in due {
            for group in self.unpark(at, class, now) {
                self.groups.get_mut(group).parked.remove(&at);
                found.insert(group);
            }
        }
        let mut told: Vec<(JobId, Option<usize>)> = Vec::new();
        for at in found {
            match self.holding(at, now) {
                Some(share) => self.holds_on(at, share, &mut told),
                None => {
                    self.renew_part(at, now, queue);
                    self.admit(at, queue, &mut told);
                }
            }
        }
        told.sort_unstable();
        for (job, held) in told {
            match held {
                Some(share) => self.note_held(job, share),
                None => {
                    if queue.is_none() {
                        events.push(Event::Submitted(job));
                    }
                    self.held.remove(&job);
                    self.notes.extend(self.records.then_some((job, Act::Admitted)));
                }
            }
        }
    }

    /// Returns the groups that have room in a class again and that this class no longer holds back.
    fn unpark(&mut self, at: usize, class: usize, now: Time) -> Vec<usize> {
        let share = &mut self.shares[at];
        let room = share.room(class, now);
        let parked = &mut share.classes[class].parked;
        let rest = parked.split_off(&(room + 1, 0));
        if rest.is_empty() {
            self.full.remove(&(at, class));
        }
        std::mem::replace(parked, rest).into_iter().map(|(_, group)| group).collect()
    }

    /// Another limit holds a group back; lists the jobs that only the limit that has room again held back.
    fn holds_on(&mut self, at: usize, share: usize, told: &mut Vec<(JobId, Option<usize>)>) {
        if self.records {
            let (group, held) = (self.groups.get(at), &self.held);
            let moves = |job: &&JobId| held.get(job).is_none_or(|held| !group.parked.contains(held));
            told.extend(group.bound.iter().filter(moves).map(|&job| (job, Some(share))));
        }
        self.park(at, share);
    }

    /// A group has room again; lists its jobs if the policy sees them one by one.
    fn admit(&mut self, at: usize, queue: &mut Queue<'_>, told: &mut Vec<(JobId, Option<usize>)>) {
        let group = self.groups.get_mut(at);
        if queue.is_none() || self.records {
            told.extend(group.bound.iter().map(|&job| (job, None)));
        }
        let parked = std::mem::take(&mut group.parked);
        match queue {
            None => {
                let bound = std::mem::take(&mut group.bound);
                group.loose.extend(bound);
            }
            Some(queue) => {
                group.is_open = true;
                queue.show(at, true);
                self.news = true;
            }
        }
        let bounds: Vec<_> = group.bounds().filter(|(share, ..)| parked.contains(share)).collect();
        for (share, class, amount) in bounds {
            self.shares[share].classes[class].parked.remove(&(amount, at));
        }
        self.changed(at);
    }

    fn withdraw(&mut self, turn: &Turn<'_>, queue: &mut Queue<'_>, events: &mut Vec<Event>) {
        let touched = std::mem::take(&mut self.touched);
        let mut in_part = self.clipped.clone();
        for &(share, class) in &touched {
            let LimitUsage { limit, classes, .. } = &self.shares[share];
            if self.groups.in_parts && limit.quantity == LimitedQuantity::Work {
                in_part.extend(classes[class].shown.iter().map(|&(_, at)| at));
            }
        }
        for at in in_part {
            self.renew_part(at, turn.now(), queue);
        }
        for (share, class) in touched {
            let room = self.shares[share].room(class, turn.now());
            let shown = &mut self.shares[share].classes[class].shown;
            if shown.last().is_none_or(|&(amount, _)| amount <= room) {
                continue;
            }
            let over = shown.split_off(&(room + 1, 0));
            if queue.is_none() || self.records {
                self.tell_withdrawn(share, &over, queue.is_none().then_some(events));
            }
            for (_, at) in over {
                self.hide(turn, at, queue);
                self.park(at, share);
            }
        }
    }

    /// Notes that groups have no room any more, and informs a policy that sees their jobs one by one.
    fn tell_withdrawn(
        &mut self,
        share: usize,
        over: &SortedSet<(i128, usize)>,
        mut events: Option<&mut Vec<Event>>,
    ) {
        let mut jobs: Vec<(i128, JobId)> = Vec::new();
        for &(amount, at) in over {
            let group = self.groups.get(at);
            let bound = group.bound.iter().filter(|_| group.is_open);
            jobs.extend(group.loose.iter().chain(bound).map(|&job| (amount, job)));
        }
        jobs.sort_unstable();
        for (_, job) in jobs {
            self.note_held(job, share);
            if let Some(events) = &mut events {
                self.void.remove(&job);
                events.push(Event::Killed(job));
            }
        }
    }

    fn hide(&mut self, turn: &Turn<'_>, at: usize, queue: &mut Queue<'_>) {
        let group = self.groups.get_mut(at);
        let loose = std::mem::take(&mut group.loose);
        for &job in &loose {
            self.binds(turn, at, job, queue);
        }
        self.news |= !loose.is_empty();
        self.close(at, queue);
        self.changed(at);
    }

    /// Hides the bound jobs of a group from the policy.
    fn close(&mut self, at: usize, queue: &mut Queue<'_>) {
        if !std::mem::take(&mut self.groups.get_mut(at).is_open) {
            return;
        }
        self.news = true;
        if let Some(queue) = queue {
            queue.show(at, false);
        }
    }
}
