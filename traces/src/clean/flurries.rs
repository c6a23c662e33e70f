//! Flurries: bursts of submissions by one user that outnumber those of all other users.
//!
//! The word is D. Tsafrir's and D. G. Feitelson's (*Instability in parallel job scheduling simulation: the role of workload
//! flurries*, IPDPS 2006): for a while a single user submits so much that every mean over the log is a mean over that user.
//! Flurries are found in two steps. There is a flurry where a user submitted at least `user_share` of all jobs within a sliding
//! `window`, and at least `jobs` of them. The jobs of the user that belong to it are then selected by the pace at which they
//! came: see `pace`. Jobs that the user submitted at the usual pace in the same days are not part of it.

mod pace;

use std::ops::Range;

use crate::arrange::Arrange as _;
use crate::sorted::SortedMap;
use crate::{Field, Time, Trace, status};

/// What counts as a flurry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criterion {
    /// Least share of one user among the jobs submitted within the window, above 0 and up to 1.
    pub user_share: f64,
    /// Length of the sliding window.
    pub window: Time,
    /// Least number of jobs.
    pub jobs: u64,
}

impl Default for Criterion {
    /// Half of all jobs of a week, and at least 100 of them.
    fn default() -> Criterion {
        Criterion { user_share: 0.5, window: Time::from_secs(7 * 86_400), jobs: 100 }
    }
}

#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flurry {
    pub user: i64,
    /// The jobs' rows in the trace, in the order of submission.
    pub rows: Vec<u32>,
    pub first: Time,
    pub last: Time,
    /// The number of jobs that all users submitted from the first submission to the last.
    pub among: u64,
}

/// Finds the flurries of a log, in the order of their first submissions.
///
/// Jobs without a user or a submit time, and parts of jobs, are left out. A log of one user has none: there are no others
/// whom the user could outnumber. O(n log n).
pub fn flurries(trace: &Trace, criterion: &Criterion) -> Vec<Flurry> {
    let jobs = Jobs::of(trace);
    if jobs.of_user.len() < 2 {
        return Vec::new();
    }
    let windows = jobs.windows(criterion.window);
    let mut found = Vec::new();
    for (&user, own) in &jobs.of_user {
        let submits: Vec<Time> = own.iter().map(|&at| jobs.submit[at]).collect();
        for crowded in crowded(own, &windows, criterion) {
            let fast = pace::fast(&submits, &crowded, jobs.span());
            let members: Vec<usize> = fast.into_iter().flat_map(|part| &own[part]).copied().collect();
            if members.len() as u64 >= criterion.jobs.max(1) {
                found.push(jobs.flurry(user, &members));
            }
        }
    }
    found.arrange_by_key(|flurry| (flurry.first, flurry.user));
    found
}

/// The jobs of a log in the order of submission.
struct Jobs {
    rows: Vec<u32>,
    submit: Vec<Time>,
    /// Each user's jobs, as positions in that order.
    of_user: SortedMap<i64, Vec<usize>>,
}

impl Jobs {
    fn of(trace: &Trace) -> Jobs {
        let mut rows = trace.by_submit();
        rows.retain(|&row| {
            let get = |field| trace.get(row as usize, field);
            let unknown = get(Field::Submit).is_unknown() || get(Field::User).is_unknown();
            !unknown && !status::is_part(get(Field::Status).truncated())
        });
        let submit = rows.iter().map(|&row| trace.time(row as usize, Field::Submit)).collect();
        let mut of_user: SortedMap<i64, Vec<usize>> = SortedMap::new();
        for (at, &row) in rows.iter().enumerate() {
            of_user.entry(trace.get(row as usize, Field::User).truncated()).or_default().push(at);
        }
        Jobs { rows, submit, of_user }
    }

    fn span(&self) -> Time {
        match (self.submit.first(), self.submit.last()) {
            (Some(&first), Some(&last)) => last - first,
            _ => Time::ZERO,
        }
    }

    /// Returns for each job the first job of the window that ends at its submission.
    fn windows(&self, length: Time) -> Vec<usize> {
        let mut first = 0;
        let start = |&now: &Time| {
            while now - self.submit[first] > length {
                first += 1;
            }
            first
        };
        self.submit.iter().map(start).collect()
    }

    fn flurry(&self, user: i64, members: &[usize]) -> Flurry {
        let (first, last) = (members[0], members[members.len() - 1]);
        let (first, last) = (self.submit[first], self.submit[last]);
        let from = self.submit.partition_point(|&submit| submit < first);
        let to = self.submit.partition_point(|&submit| submit <= last);
        let rows = members.iter().map(|&at| self.rows[at]).collect();
        Flurry { user, rows, first, last, among: (to - from) as u64 }
    }
}

/// Returns the stretches of a user's jobs that lie in windows in which the user submitted the required share of all jobs;
/// overlapping stretches are joined. Windows end at the user's submissions; jobs submitted at the same instant lie in the window.
/// O(jobs of the user).
fn crowded(own: &[usize], windows: &[usize], criterion: &Criterion) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    let mut first_own = 0;
    for (nth, &at) in own.iter().enumerate() {
        let first_all = windows[at];
        while own[first_own] < first_all {
            first_own += 1;
        }
        let (mine, all) = (nth + 1 - first_own, at + 1 - first_all);
        if (mine as u64) < criterion.jobs || (mine as f64) < criterion.user_share * all as f64 {
            continue;
        }
        match stretches.last_mut().filter(|last| first_own <= last.end) {
            Some(last) => last.end = nth + 1,
            None => stretches.push(first_own..nth + 1),
        }
    }
    stretches
}

#[cfg(test)]
mod tests;
