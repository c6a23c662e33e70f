//! Support shared by tests of replays: checked replays, pages of jobs, real logs read once, published values.

mod case;
mod figure10;
mod logs;
mod page;
mod play;
mod watch;

pub use case::{Case, Replayed, mean, starts_as_others};
pub use figure10::{Figure10, Limit};
pub use logs::{Log, reference, reference_text, shared, toy, windows};
pub use page::{Page, page};
pub use play::{Play, assert_clean, bare, overrun, play, policies, try_play};
pub use watch::watched;

/// Returns the cases of a section of `report/refused.txt`: a text, and what is said of it.
pub fn cases(section: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut sections = include_str!("../report/refused.txt").split("\n== ");
    let cases = sections.find_map(|cases| cases.strip_prefix(section)?.strip_prefix('\n')).unwrap();
    cases.trim_end().split("\n\n").map(|case| case.split_once("-> ").unwrap())
}
