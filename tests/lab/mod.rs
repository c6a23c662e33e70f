//! What tests of replays share: replays that are checked, pages of jobs, real logs read once.

mod logs;
mod page;
mod play;

pub use logs::{Log, reference, toy};
pub use page::{Page, page};
pub use play::{Play, assert_clean, overrun, play, try_play};
