//! Support shared by tests of replays: checked replays, pages of jobs, real logs read once, published values.

mod case;
mod figure10;
mod logs;
mod page;
mod play;
mod watch;

pub use case::{Case, Replayed, mean};
pub use figure10::{Figure10, Limit};
pub use logs::{Log, reference, reference_text, shared, toy, windows};
pub use page::{Page, page};
pub use play::{Play, assert_clean, bare, overrun, play, policies, try_play};
pub use watch::watched;
