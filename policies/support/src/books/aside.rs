//! Waiting jobs that limits put aside in the queues of books.

use batchlab_traces::Time;

use super::Books;
use crate::front::Room;
use crate::policy::Aside;
use crate::queue::{Lines, Queue, Rank};
use crate::turn::Turn;
use crate::view::JobView;

impl<const K: usize> Books<K> {
    /// A decision is over: if no event follows, only jobs that limits hide may start or change that, those that rank before a job
    /// and those that have room. This holds until a running job outlives its expected end.
    pub fn awaits(&mut self, now: Time, before: Rank, room: Room<K>) {
        if self.has_aside && !self.running.has_overdue(now) {
            self.awaited = Some((before, room, self.running.first_end()));
        }
    }

    fn queues(&mut self) -> impl Iterator<Item = &mut Queue<K>> {
        self.has_aside = true;
        [Some(&mut self.queue), self.candidates.as_mut()].into_iter().flatten()
    }

    fn lines(&mut self) -> impl Iterator<Item = &mut Lines<K>> {
        self.queues().map(Queue::lines)
    }
}

impl<const K: usize> Aside for Books<K> {
    fn set_aside(&mut self, job: JobView<'_>, group: usize) {
        let expected = self.estimates.expected(job);
        self.queues().for_each(|queue| queue.set_aside(job, expected, group));
    }

    fn take_out(&mut self, job: JobView<'_>) {
        let expected = self.estimates.expected(job);
        for queue in self.queues() {
            queue.remove(job, expected);
        }
    }

    fn show(&mut self, group: usize, is_shown: bool) {
        self.lines().for_each(|lines| lines.show(group, is_shown));
    }

    fn shows_parts(&self) -> bool {
        true
    }

    fn reach(&mut self, group: usize, work: i128) {
        self.lines().for_each(|lines| lines.reach(group, work));
    }

    /// If the decision has not said which jobs it awaits: those that fit, if no job of the queue does.
    fn beyond(&mut self, turn: &Turn<'_>, group: usize) -> Option<(i128, Time)> {
        let awaited = self.awaited.unwrap_or_else(|| {
            let room = Room::unreserved(self.free(turn));
            let before = self.queue.find(None, &room).map_or(Rank::FIRST, |_| Rank::LAST);
            (before, room, Time::MAX)
        });
        let (before, room, until) = *self.awaited.insert(awaited);
        self.queue.lines().beyond(group, before, &room).map(|work| (work, until))
    }
}
