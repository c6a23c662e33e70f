//! EASY on a pool of processors, one choice at a time: the caller chooses the heads and the candidates.

use batchlab_traces::{JobId, Time};

use super::easy::{self, SPEC};
use crate::cluster::Placed;
use crate::journal::Why;
use crate::policy::PolicyError;
use crate::spec::{BuildError, Params, Setting};
use crate::support::books::Books;
use crate::support::front::Room;
use crate::support::keeper::Keeper;
use crate::support::releases::ExtraRule;
use crate::turn::Turn;
use crate::view::padded;

/// EASY whose choices come from outside.
///
/// The first choice of a decision is a head. A head that fits starts, and the next choice is again a head. A head that
/// does not fit gets the reservation of EASY, and the choices after it are candidates, which start if they fit and do
/// not delay it. Choosing each time the first valid job of an order gives the starts of `easy` in this order.
///
/// As a [`Policy`](crate::Policy) it reads the events of a decision, drops the reservation of the decision before, and
/// starts nothing.
pub struct Stepwise {
    books: Books<1>,
    reserved: Option<(JobId, easy::Reserved<1>)>,
}

/// What became of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The job has started.
    Started,
    /// The job does not fit: it is the head, with a reservation at its shadow time.
    Reserved(Time),
}

impl Stepwise {
    /// Returns a chooser's EASY at the beginning of a replay.
    pub fn new(setting: &Setting<'_>) -> Result<Stepwise, BuildError> {
        if setting.by_node || setting.machine.kinds() > 1 {
            let reason = "choices one at a time need a machine that is a pool with processors only";
            return Err(BuildError::Unfit(reason.into()));
        }
        let params = Params::check(SPEC.name, SPEC.params, &[])?;
        Ok(Stepwise { books: Books::new(&params, setting)?, reserved: None })
    }

    /// Returns the head that holds a reservation, its shadow time, and the extra processors.
    pub fn reserved(&self) -> Option<(JobId, Time, i64)> {
        self.reserved.as_ref().map(|(head, reserved)| (*head, reserved.shadow.at, reserved.shadow.extra[0]))
    }

    /// Whether a waiting job may be chosen: any job as the head, then the candidates that fit and do not delay it. O(1).
    pub fn may_choose(&self, turn: &Turn<'_>, job: JobId) -> bool {
        match &self.reserved {
            None => true,
            Some((head, reserved)) => {
                *head != job && self.books.need(turn.job(job)).fits(&reserved.room(turn))
            }
        }
    }

    /// Whether some waiting job may start now. O(log n).
    pub fn any_may_start(&self, turn: &Turn<'_>) -> bool {
        let free = Room::unreserved(padded(turn.free(0)));
        let room = self.reserved.as_ref().map_or(free, |(_, reserved)| reserved.room(turn));
        self.books.queue.find(None, &room).is_some()
    }

    /// Carries out the choice of a job that may be chosen.
    pub fn choose(&mut self, turn: &mut Turn<'_>, job: JobId) -> Result<Chosen, PolicyError> {
        if let Some((_, reserved)) = &mut self.reserved {
            reserved.start(&mut self.books, turn, job)?;
            return Ok(Chosen::Started);
        }
        if self.books.try_start(turn, job, Why::Head)?.is_some() {
            return Ok(Chosen::Started);
        }
        let Some(reserved) = easy::Reserved::of(&self.books, turn, job, ExtraRule::All) else {
            return Err(PolicyError::Books { job, what: "all running jobs' ends do not make it fit" });
        };
        turn.promise(job, reserved.shadow.at);
        let at = reserved.shadow.at;
        self.reserved = Some((job, reserved));
        Ok(Chosen::Reserved(at))
    }

    /// Starts, in the order of submission, the waiting jobs that fit and are expected to end before an instant, except one
    /// job, which waits for this instant; calls a function with each.
    pub fn start_before(
        &mut self,
        turn: &mut Turn<'_>,
        instant: Time,
        except: JobId,
        mut started: impl FnMut(JobId),
    ) -> Result<(), PolicyError> {
        let window = instant - turn.now() - Time::TICK;
        let mut from = None;
        loop {
            // The extra amount is negative, so that a job starts only if it ends in time.
            let room = Room { free: padded(turn.free(0)), window, extra: [-1] };
            let Some(rank) = self.books.queue.find(from, &room) else { return Ok(()) };
            if rank.job() != except {
                let placed = self.books.start(turn, rank.job(), Why::EndsByShadow { shadow: instant })?;
                debug_assert_eq!(placed, Placed::Holds, "jobs hold processors in the event order `batch`");
                started(rank.job());
            }
            from = Some(rank.next());
        }
    }

    /// Returns the number of waiting jobs. O(1).
    pub fn waiting(&self) -> usize {
        self.books.queue.len()
    }

    /// Returns the processors that running jobs are expected to give back up to an instant. O(log n).
    pub fn released_by(&self, at: Time) -> i64 {
        self.books.running.freed_by(at)[0]
    }

    /// Calls a function with the expected end and the processors of every running job, in order of end, as
    /// [`Releases::for_each`](crate::support::releases::Releases::for_each).
    pub fn for_each_release(&self, now: Time, mut visit: impl FnMut(Time, i64)) {
        self.books.running.for_each(now, |end, [procs]| visit(end, procs));
    }
}

impl Keeper for Stepwise {
    type Books = Books<1>;

    fn books(&mut self) -> &mut Books<1> {
        &mut self.books
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.reserved = None;
        self.books.settle(turn)
    }
}
