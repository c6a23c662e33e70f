//! Capacity that comes and goes: outages, maintenance, drains and caps, as a calendar in a file.

mod file;
mod known;
mod outages;
mod overlaps;
mod table;

pub use file::{CalendarError, CalendarFile};
pub use known::KnownClosures;
pub use outages::{
    Instant, LoggedNodes, LoggedOutage, NO_LENGTH, NodeName, OutageLog, UNKNOWN_NODE, WHICH_NODES,
};
pub use overlaps::OVERLAPPING;
pub use table::{BEYOND_CALENDAR, IDLE_RESERVATION, PAST_EVENT, Unsuited};

use serde::Deserialize;

use crate::arrange::Arrange as _;
use crate::reading::words;
use crate::{JobId, Machine, SourcePlace, Time, Workload};

/// What happens to jobs on capacity that goes out of service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Evicted {
    /// They lose their work and wait again.
    #[serde(rename = "requeue")]
    Requeued,
    /// They end.
    #[serde(rename = "kill")]
    Killed,
    /// They run on; nothing new starts on the processors that they free.
    #[serde(rename = "drain")]
    Drained,
}

/// Which changes of capacity a scheduler knows in advance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Foresight {
    /// All changes, from the beginning.
    Calendar,
    /// No change before it happens, and not when it will end.
    None,
    /// The changes that have been announced.
    #[default]
    Reservations,
}

words!(Foresight: "calendar, none, reservations", Calendar "calendar", None "none", Reservations "reservations");

/// An interval in which a part of a node's capacity is out of service.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closure {
    /// From this instant.
    pub from: Time,
    /// Up to, but not including, this instant; [`Time::MAX`] for good.
    pub to: Time,
    /// 0 on a pool.
    pub node: usize,
    /// The amount of each resource that is out of service, then that of each device ([`Machine::amounts`]).
    ///
    /// [`Machine::amounts`]: crate::Machine::amounts
    pub amounts: Vec<i64>,
    pub evicted: Evicted,
    /// When it is announced; [`Time::MAX`] if it is not.
    pub known: Time,
    /// The reservation that keeps it for some jobs; `None` if it is for no job.
    pub kept_for: Option<KeptFor>,
    pub event: EventTime,
}

/// One occurrence of an event of a calendar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventTime {
    /// The event, by its position in [`CapacityCalendar::events`].
    pub index: usize,
    /// The beginning of this occurrence; a closure of it may begin later, where other events overlap.
    pub from: Time,
    /// The end of this occurrence; [`Time::MAX`] for good.
    pub to: Time,
}

/// The reservation that a closure is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptFor {
    /// Its position in [`CapacityCalendar::reservations`].
    pub reservation: usize,
    /// The end of this occurrence; an outage may end a part of it earlier.
    pub until: Time,
}

/// A part of the machine that is kept for some jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvanceReservation {
    /// Whether each job may use it, by the job's row in the trace.
    holders: Vec<bool>,
    /// The jobs that it is for, as the file states them.
    pub words: String,
}

impl AdvanceReservation {
    /// Returns a reservation for some jobs, by their rows in the trace.
    pub fn new(holders: Vec<bool>, words: String) -> AdvanceReservation {
        AdvanceReservation { holders, words }
    }

    /// Whether the reservation is for a job.
    #[inline]
    pub fn is_for(&self, workload: &Workload, job: JobId) -> bool {
        self.holders.get(workload.row(job)).copied().unwrap_or(false)
    }
}

/// An event as a calendar's file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedEvent {
    /// Its kind: outage, drain, maintenance, reservation, capacity.
    pub kind: &'static str,
    /// Where the file states it.
    pub place: SourcePlace,
}

/// The changes of a machine's capacity over a replay.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapacityCalendar {
    /// The closures by beginning; those of one node never add up to more than its capacity.
    pub closures: Vec<Closure>,
    pub reservations: Vec<AdvanceReservation>,
    pub foresight: Foresight,
    pub events: Vec<StatedEvent>,
}

impl CapacityCalendar {
    /// Takes whole nodes out of service for good, from an instant on; jobs that run there run on. Other closures of these
    /// nodes end at the instant. O((c + n) log (c + n)) for c closures and n nodes.
    pub fn take_out(&mut self, machine: &Machine, nodes: &[(usize, SourcePlace)], from: Time) {
        let is_out = |node: usize| nodes.iter().any(|(out, _)| *out == node);
        for closure in self.closures.iter_mut().filter(|closure| is_out(closure.node)) {
            closure.to = closure.to.min(from);
        }
        self.closures.retain(|closure| closure.from < closure.to);
        for (node, place) in nodes {
            let event = EventTime { index: self.events.len(), from, to: Time::MAX };
            self.events.push(StatedEvent { kind: "drain", place: place.clone() });
            self.closures.push(Closure {
                from,
                to: Time::MAX,
                node: *node,
                amounts: machine.amounts(*node),
                evicted: Evicted::Drained,
                known: Time::MAX,
                kept_for: None,
                event,
            });
        }
        self.closures.arrange_by_key(|closure| closure.from);
    }

    /// Whether a scheduler learns of any closure in advance.
    pub fn is_foreseen(&self) -> bool {
        self.closures.iter().any(|closure| self.foreseen_from(closure) < closure.to)
    }

    /// Returns when a scheduler learns of a closure in advance: not before its beginning if it learns nothing. A closure
    /// without an end is never foreseen.
    pub fn foreseen_from(&self, closure: &Closure) -> Time {
        match self.foresight {
            _ if closure.to == Time::MAX => Time::MAX,
            Foresight::Calendar => Time::from_ticks(i64::MIN),
            Foresight::None => Time::MAX,
            Foresight::Reservations => closure.known,
        }
    }
}
