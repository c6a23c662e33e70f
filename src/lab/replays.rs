//! Replays of a scenario, of a whole log or while it is read, with results, schedules and explanations.

pub(crate) mod explaining;
pub(crate) mod replaying;
pub(crate) mod result_tables;
pub(crate) mod schedules;
pub(crate) mod stream;
pub(crate) mod table_style;
pub(crate) mod watch;
