//! Bursts of one user that outnumber all other jobs.

use batchlab_traces::clean::flurries::{Criterion, flurries};
use batchlab_traces::number::grouped;

use super::{Log, Seen};

pub(super) fn any(log: &Log<'_>) -> Seen {
    let found = flurries(log.trace, &Criterion::default());
    let detail = |flurry: &batchlab_traces::clean::flurries::Flurry| {
        let days = (flurry.last - flurry.first).secs() / 86_400.0;
        let (jobs, among) = (grouped(flurry.rows.len() as u64), grouped(flurry.among));
        let from = format!("from {} s on", flurry.first);
        format!("user {}: {jobs} of {among} jobs in {days:.1} days, {from}", flurry.user)
    };
    let examples = found.iter().take(super::EXAMPLES);
    Seen {
        count: found.len() as u64,
        examples: examples.map(|flurry| (Some(flurry.rows[0] as usize), detail(flurry))).collect(),
    }
}
