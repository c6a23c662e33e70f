//! What conservative backfilling keeps of who holds what until when, whatever the machine.

use batchlab_traces::{JobId, Time};

use crate::policy::PolicyError;
use crate::support::plan::Reservation;
use crate::turn::Turn;
use crate::view::JobView;

/// Running jobs until their expected ends, and reservations of at least one second each.
pub trait Ledger<const K: usize>: Send {
    /// Lets time pass. Whoever runs beyond its slot is expected to end in a second.
    fn advance(&mut self, turn: &Turn<'_>);

    /// Reserves the earliest start for so long and returns it.
    ///
    /// # Errors
    /// When the job never fits, which the reading of jobs makes sure of.
    fn reserve(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError>;

    /// Lifts a reservation out and puts it back at its earliest start; returns that if it is earlier.
    fn move_up(&mut self, turn: &Turn<'_>, job: JobView<'_>) -> Option<Time>;

    /// Returns the most that may be free of each resource where room has been given back since a walk moved nobody:
    /// who needs more cannot move up.
    fn most_opened(&self) -> [i64; K];

    /// A walk over the queue has moved nobody: what is open now is of use to nobody who waits.
    fn settled(&mut self);

    /// Gives a reservation up.
    fn cancel(&mut self, job: JobView<'_>);

    /// Returns where and when a job is to run.
    fn reservation(&self, job: JobId) -> Option<Reservation<K>>;

    /// A reserved job starts; one that starts late holds its slot from now on.
    fn starts(&mut self, job: JobView<'_>, now: Time);

    /// A running job is expected to end at another instant than before.
    fn runs_until(&mut self, job: JobView<'_>, to: Time, now: Time);

    /// A job leaves the machine, or the queue; returns whether a hole has opened.
    fn leaves(&mut self, job: JobView<'_>, now: Time) -> bool;

    /// Returns the jobs whose reservations are due.
    fn due(&self, now: Time) -> Vec<JobId>;

    /// Returns the next start that is reserved.
    fn next_start(&self) -> Option<Time>;
}
