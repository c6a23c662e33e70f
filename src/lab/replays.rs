//! Replays of a scenario, of a whole log or while it is read, with results, schedules and explanations.

pub(crate) mod explaining;
pub(crate) mod output;
pub(crate) mod replaying;
pub(crate) mod results;
pub(crate) mod schedules;
pub(crate) mod stream;
pub(crate) mod watch;
