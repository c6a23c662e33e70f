use crate::calendar::Calendar;
use crate::header::Named;

/// The log's information about the values of its jobs' fields: the names of queues and partitions, and the time of its zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meanings {
    /// Names of queues.
    pub queues: Vec<Named>,
    /// Names of partitions.
    pub partitions: Vec<Named>,
    /// The calendar, if the log states its start time.
    pub calendar: Option<Calendar>,
    /// Whether a load factor has changed the times between submissions, so that instants of a replay have no time of day.
    pub is_stretched: bool,
}
