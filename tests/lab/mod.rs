//! What tests of replays share: replays that are checked, pages of jobs, real logs read once.

mod logs;
mod page;
mod play;

pub use logs::{Log, reference, toy};
pub use page::page;
pub use play::{Play, overrun, play, try_play};
