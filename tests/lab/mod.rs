//! What tests of replays share: replays that are checked, pages of jobs, real logs read once,
//! published values.

mod case;
mod logs;
mod page;
mod play;
mod watch;

pub use case::{Case, Replayed, mean};
pub use logs::{Log, reference, reference_text, toy, windows};
pub use page::page;
pub use play::{Play, overrun, play, try_play};
pub use watch::watched;
