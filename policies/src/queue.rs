//! Policies without reservations.

pub mod fcfs;
pub mod first_fit;

use crate::journal::Why;
use crate::policy::{Overtaking, Policy, PolicyError};
use crate::spec::{BuildError, ParamSpec, Params, Setting};
use crate::support::books::{Books, COMMIT};
use crate::support::front::Room;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::ForKinds;
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::turn::Turn;
use batchlab_traces::Time;

/// The parameters of policies that start jobs in queue order.
pub(crate) const PARAMS: &[ParamSpec] = params![&[ORDER], BOOKED];
/// Those of a policy whose first job blocks all others.
pub(crate) const HEAD_PARAMS: &[ParamSpec] = params![&[ORDER, COMMIT], BOOKED];

struct Make<'a> {
    params: &'a Params,
    skips: bool,
}

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let books = Books::<K>::new(self.params, setting)?.without_releases();
        Ok(keeping(InOrder { books, skips: self.skips }))
    }
}

/// Starts jobs in queue order.
struct InOrder<const K: usize> {
    books: Books<K>,
    /// Whether jobs behind one that does not fit are tried.
    skips: bool,
}

impl<const K: usize> Keeper for InOrder<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.books
    }

    fn forgets(&self) -> bool {
        !self.books.commits()
    }

    fn overtaking(&self) -> Overtaking {
        if self.skips { Overtaking::Always } else { Overtaking::Never }
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if self.books.start_alone(turn)? {
            return Ok(());
        }
        self.books.settle(turn)?;
        if !self.skips {
            self.books.start_heads(turn)?;
            if let Some(head) = self.books.queue.first() {
                let none = Room { free: [-1; K], window: Time::ZERO, extra: [-1; K] };
                self.books.awaits(turn.now(), head, none);
            }
            return Ok(());
        }
        let mut from = None;
        loop {
            let room = Room::unreserved(self.books.free(turn));
            let Some(rank) = self.books.first_fitting(turn, from, &room) else { return Ok(()) };
            let placed = self.books.try_start(turn, rank.job(), Why::FirstFit)?;
            from = if placed.is_some() { self.books.queue.onward(rank) } else { Some(rank.next()) };
        }
    }
}
