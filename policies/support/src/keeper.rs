//! Policies that keep books. Each policy makes the decisions; the books implement the rest of the contract.

use std::ops::ControlFlow;

use batchlab_traces::{JobId, Time};

use super::books::Books;
use super::front::Room;
use crate::policy::{Aside, Late, Overtaking, Policy, PolicyError};
use crate::turn::Turn;

/// A policy whose queue, running jobs and estimates are in [`Books`].
///
/// [`keeping`] makes a [`Policy`] of it: the books end with the replay, and correct predictions that jobs have outlived.
pub trait Keeper: Send {
    type Books: Answers;

    fn books(&mut self) -> &mut Self::Books;

    /// Decides, as [`Policy::decide`].
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError>;

    /// Is called when a running job has outlived its prediction, with its new expected total run time.
    fn prolonged(&mut self, late: Late<'_>, longer: Time) {
        let _ = (late, longer);
    }

    /// Returns which jobs may overtake, as [`Policy::overtaking`]; with reservations, those that end in time.
    fn overtaking(&self) -> Overtaking {
        Overtaking::InTime
    }

    /// Whether the policy looks at its waiting jobs only in its queue, and remembers nothing about them: then groups of jobs
    /// can be put aside ([`Policy::aside`]).
    fn forgets(&self) -> bool {
        false
    }

    /// Is called when a waiting job has started in resources that suspended jobs gave back ([`Policy::take_over`]).
    fn taken_over(&mut self, turn: &Turn<'_>, job: JobId) {
        let _ = (turn, job);
    }
}

/// The part of the contract that books implement: [`Books`] of any number of resources.
pub trait Answers {
    /// Ends with the replay, as [`Policy::finish`].
    fn finish(&mut self) -> Result<(), PolicyError>;

    /// Corrects a prediction, as [`Policy::expired`].
    fn expired(&mut self, late: Late<'_>) -> Option<Time>;

    /// Visits the queue, as [`Policy::in_order`].
    fn in_order(&self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>);

    /// Returns the books if groups of jobs can be put aside in the queue, as [`Policy::aside`].
    fn aside(&mut self) -> Option<&mut dyn Aside>;

    /// Starts a job in lent room, as [`Policy::take_over`].
    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError>;
}

impl<const K: usize> Answers for Books<K> {
    fn finish(&mut self) -> Result<(), PolicyError> {
        Books::finish(self)
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        Books::expired(self, late)
    }

    fn in_order(&self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
        self.queue.for_each_fitting(&[Room::unreserved([i64::MAX; K])], |rank, _| visit(rank.job()));
    }

    fn aside(&mut self) -> Option<&mut dyn Aside> {
        self.keeps_ranks().then_some(self as &mut dyn Aside)
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        Books::take_over(self, turn, job, room)
    }
}

pub struct Bookkeeping<P> {
    pub keeper: P,
}

/// Returns the policy whose decisions are those of a keeper.
pub fn keeping(keeper: impl Keeper + 'static) -> Box<dyn Policy> {
    Box::new(Bookkeeping { keeper })
}

#[deny(clippy::missing_trait_methods, reason = "what is forgotten here, no policy with books answers")]
impl<P: Keeper> Policy for Bookkeeping<P> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.keeper.decide(turn)
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        self.keeper.books().finish()
    }

    fn in_order(&mut self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
        self.keeper.books().in_order(visit);
    }

    fn overtaking(&self) -> Overtaking {
        self.keeper.overtaking()
    }

    fn aside(&mut self) -> Option<&mut dyn Aside> {
        if self.keeper.forgets() { self.keeper.books().aside() } else { None }
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        let taken = self.keeper.books().take_over(turn, job, room)?;
        if taken {
            self.keeper.taken_over(turn, job);
        }
        Ok(taken)
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        let longer = self.keeper.books().expired(late)?;
        self.keeper.prolonged(late, longer);
        Some(longer)
    }
}
