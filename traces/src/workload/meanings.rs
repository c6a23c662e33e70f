use crate::calendar::Calendar;
use crate::field::Field;
use crate::header::{Header, Named};

/// The format of Batsim's workloads, and the column with fields of jobs that only schedulers of Batsim read: notes such as
/// `batsim 2: {"priority":5}` say what its numbers mean.
pub const BATSIM: &str = "batsim";

/// The fields whose names schedulers of Batsim get as a workload of Batsim has them.
pub const GIVEN: [Field; 4] = [Field::User, Field::Group, Field::Queue, Field::Partition];

/// Returns the names of each of [`GIVEN`] in a header, by their numbers.
pub fn given(header: &Header) -> [&[Named]; 4] {
    [&header.users, &header.groups, &header.queue, &header.partition]
}

/// Returns the name of a number.
pub fn named(names: &[Named], number: i64) -> Option<&str> {
    let at = names.binary_search_by_key(&number, |named| named.number).ok()?;
    Some(&names[at].name)
}

/// The log's information about the values of its jobs' fields: the names of queues and partitions, and the time of its zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meanings {
    /// Names of queues.
    pub queues: Vec<Named>,
    /// Names of partitions.
    pub partitions: Vec<Named>,
    /// The texts of [`BATSIM`], by their numbers.
    pub own: Vec<Named>,
    /// The names of each of [`GIVEN`] in a workload of Batsim; empty for every other log.
    pub given: Vec<Vec<Named>>,
    /// The calendar, if the log states its start time.
    pub calendar: Option<Calendar>,
    /// Whether a load factor has changed the times between submissions, so that instants of a replay have no time of day.
    pub is_stretched: bool,
}
