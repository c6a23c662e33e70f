//! The plan of conservative backfilling as an interface: which job holds which resources during which time, on any machine.

use batchlab_traces::{JobId, Time};

use crate::policy::PolicyError;
use crate::support::plan::Reservation;
use crate::turn::Turn;
use crate::view::JobView;

/// Running jobs until their expected ends, and reservations of at least one second each.
pub trait ReservationTable<const K: usize>: Send {
    /// Advances the plan to the present. A job that runs beyond its slot is expected to end in one second; returns
    /// whether there is one.
    fn advance(&mut self, turn: &Turn<'_>) -> bool;

    /// Reserves the earliest start for a stay of the given length and returns that start.
    fn reserve(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError>;

    /// Whether [`ReservationTable::move_up`] may change a reservation that keeps its start.
    fn rechooses(&self) -> bool;

    /// Lifts a reservation out and puts it back at its earliest start; returns that if it is earlier.
    fn move_up(&mut self, turn: &Turn<'_>, job: JobView<'_>) -> Option<Time>;

    /// Returns an upper bound, per resource, of what may be free where room was given back since the last
    /// walk that moved no job: a job that needs more cannot move up.
    fn most_opened(&mut self) -> [i64; K];

    /// Returns such a bound after further moves. O(1).
    fn opened(&self) -> [i64; K];

    /// A walk over the queue has moved no job: no waiting job can use the room that is open now.
    fn settled(&mut self);

    /// Whether running jobs and reservations hold more than there is at some instant before another.
    fn is_overdrawn(&mut self, until: Time) -> bool;

    /// Takes a reservation out of the plan until [`ReservationTable::put_back`] or [`ReservationTable::make_again`]; returns
    /// whether the job has one.
    fn set_aside(&mut self, job: JobView<'_>) -> bool;

    /// Puts a reservation that was set aside back in its place; returns whether there is room, and the place is not in the past.
    fn put_back(&mut self, job: JobView<'_>, now: Time) -> bool;

    /// Makes a reservation that was set aside again, at the earliest start for a stay of the given length.
    fn make_again(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError>;

    /// A reservation no longer falls due: its job starts only after [`ReservationTable::make_again`].
    fn never_due(&mut self, job: JobView<'_>);

    fn cancel(&mut self, job: JobView<'_>);

    fn reservation(&self, job: JobId) -> Option<Reservation<K>>;

    /// A job with a reservation starts; a job that starts late holds its slot from now on.
    fn starts(&mut self, job: JobView<'_>, now: Time);

    /// A job starts outside of its reservation, if it has one, for a stay of the given length.
    fn takes_over(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time);

    /// The expected end of a running job changes.
    fn runs_until(&mut self, job: JobView<'_>, to: Time, now: Time);

    /// A job leaves the machine or the queue; returns whether a hole has opened.
    fn leaves(&mut self, job: JobView<'_>, now: Time) -> bool;

    /// Whether the plan lacks something that is out of service, or is known to be so later.
    fn is_new(&self, turn: &Turn<'_>) -> bool;

    /// Replaces the closures in the plan by those of now, and by known later ones; the plan has no reservations now.
    fn close(&mut self, turn: &Turn<'_>);

    fn due(&mut self, now: Time) -> Vec<JobId>;

    fn next_start(&mut self) -> Option<Time>;
}
