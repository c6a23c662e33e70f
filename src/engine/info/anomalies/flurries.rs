//! Bursts of one user that outnumber all other jobs, and logs of one user, which can have none.

use batchlab_traces::Field;
use batchlab_traces::clean::flurries::{Criterion, flurries};
use batchlab_traces::number::grouped;

use super::seen::{EXAMPLES, Log, Seen};

pub(super) fn any(log: &Log<'_>) -> Seen {
    let found = flurries(log.trace, &Criterion::default());
    let detail = |flurry: &batchlab_traces::clean::flurries::Flurry| {
        let days = (flurry.last - flurry.first).secs() / 86_400.0;
        let (jobs, among) = (grouped(flurry.rows.len() as u64), grouped(flurry.among));
        let from = match flurry.first.rounded_words() {
            words if words.ends_with(" s") => format!("from {words} on"),
            words => format!("from {} s ({words}) on", flurry.first),
        };
        format!("user {}: {jobs} of {among} jobs in {days:.1} days, {from}", flurry.user)
    };
    let examples = found.iter().take(EXAMPLES);
    Seen {
        count: found.len() as u64,
        examples: examples.map(|flurry| (Some(flurry.rows[0] as usize), detail(flurry))).collect(),
    }
}

/// The least number of jobs of a log whose users are counted: as many as a flurry has.
const JOBS: usize = 100;

pub(super) fn one_user(log: &Log<'_>) -> Seen {
    let user = |row: usize| log.trace.get(row, Field::User).truncated();
    let first = (0..log.trace.len()).map(user).next().filter(|&user| user >= 0 && log.trace.len() >= JOBS);
    let is_only = first.is_some_and(|first| (0..log.trace.len()).all(|row| user(row) == first));
    Seen::of_log(u64::from(is_only), first.map_or_else(String::new, |user| format!("user {user}")))
}
