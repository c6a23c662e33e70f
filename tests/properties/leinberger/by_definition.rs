//! EASY with K resources as published: everything is recomputed, without optimisations.

use std::cmp::Reverse;

use batchlab::policies::{Policy, PolicyError, Turn};
use batchlab::traces::{JobId, Time};

#[derive(Clone, Copy, Debug)]
pub enum Rule {
    FirstFit,
    Balanced { full: bool },
    Lowest { w: usize, ordered: bool, miss: &'static str, full: bool, least: &'static str, largest: bool },
}

pub struct ByDefinition(pub Rule);

impl Policy for ByDefinition {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        while let Some(head) = turn.head().filter(|&head| turn.fits(head)) {
            turn.start(head)?;
        }
        let Some(head) = turn.head() else { return Ok(()) };
        let (shadow, mut extra) = reservation(turn, head);
        loop {
            let in_time = |job| turn.now() + lasts(turn, job) <= shadow;
            let admitted = |job: JobId| {
                turn.fits(job)
                    && (in_time(job) || needs(turn, job).zip(&extra).all(|(need, extra)| need <= *extra))
            };
            let candidates: Vec<JobId> = turn.waiting().filter(|&job| admitted(job)).collect();
            let Some(next) = self.0.next(turn, &candidates) else { return Ok(()) };
            if !in_time(next) {
                extra = extra.iter().zip(needs(turn, next)).map(|(extra, need)| extra - need).collect();
            }
            turn.start(next)?;
        }
    }
}

fn lasts(turn: &Turn<'_>, job: JobId) -> Time {
    turn.job(job).estimate().max(Time::SECOND)
}

fn needs<'a>(turn: &'a Turn<'_>, job: JobId) -> impl Iterator<Item = i64> + 'a {
    turn.job(job).demand().iter().copied()
}

/// The head's shadow time, and the resources that are free then beyond its need.
fn reservation(turn: &Turn<'_>, head: JobId) -> (Time, Vec<i64>) {
    let end = |job| turn.started(job).unwrap() + lasts(turn, job);
    let mut ends: Vec<Time> = turn.resident().map(end).collect();
    ends.sort();
    for at in ends {
        let mut spare: Vec<i64> =
            turn.free(0).iter().zip(needs(turn, head)).map(|(free, need)| free - need).collect();
        for job in turn.resident().filter(|&job| end(job) <= at) {
            spare.iter_mut().zip(needs(turn, job)).for_each(|(spare, held)| *spare += held);
        }
        if spare.iter().all(|&spare| spare >= 0) {
            return (at, spare);
        }
    }
    panic!("a job that never fits");
}

impl Rule {
    /// The next of the candidates, which are in queue order.
    fn next(self, turn: &Turn<'_>, candidates: &[JobId]) -> Option<JobId> {
        let capacity = turn.machine().capacity(0);
        let kinds: Vec<usize> = (0..capacity.len()).filter(|&kind| capacity[kind] > 0).collect();
        // All fractions are in parts of the product of all capacities.
        let parts: i128 = kinds.iter().map(|&kind| i128::from(capacity[kind])).product();
        let part = |kind: usize, amount: i64| i128::from(amount) * (parts / i128::from(capacity[kind]));
        let used: Vec<i128> =
            kinds.iter().map(|&kind| part(kind, capacity[kind] - turn.free(0)[kind])).collect();
        let needs = |job: JobId| -> Vec<i128> {
            kinds.iter().map(|&kind| part(kind, turn.job(job).demand()[kind])).collect()
        };
        match self {
            Rule::FirstFit => candidates.first().copied(),
            Rule::Balanced { full } => candidates.iter().copied().reduce(|best, job| {
                if cheaper(score(full, parts, &used, &needs(job)), score(full, parts, &used, &needs(best))) {
                    job
                } else {
                    best
                }
            }),
            Rule::Lowest { w, .. } if w == 0 || used.iter().all(|&part| part == used[0]) => {
                candidates.first().copied()
            }
            Rule::Lowest { w, miss, full, .. } => {
                let window = w.min(kinds.len() - 1);
                let exact: Option<Vec<usize>> = Some((0..window).collect());
                let rank = |&job: &JobId| {
                    let needs = needs(job);
                    let places = self
                        .places(window, &used, &needs)
                        .filter(|places| miss == "relax" || Some(places) == exact.as_ref());
                    let taken = if full && places.is_some() { needs.iter().sum() } else { 0 };
                    (places.is_none(), places, Reverse(taken))
                };
                let best = candidates.iter().min_by_key(|&job| rank(job))?;
                (miss != "stop" || rank(best).1 == exact).then_some(*best)
            }
        }
    }

    /// The places of a job's largest requirements in the order of use; of the lists that ties allow, the
    /// lexicographically smallest.
    fn places(self, window: usize, used: &[i128], needs: &[i128]) -> Option<Vec<usize>> {
        let Rule::Lowest { ordered, least, largest, .. } = self else { return None };
        let all = orders(used.len());
        let by_use = all.iter().filter(|order| order.is_sorted_by_key(|&kind| used[kind]));
        let by_use: Vec<&Vec<usize>> = by_use
            .filter(|order| least != "lowest" || order.is_sorted_by_key(|&kind| (used[kind], kind)))
            .collect();
        let largest_first = |order: &&Vec<usize>| order.is_sorted_by_key(|&kind| Reverse(needs[kind]));
        let mut windows: Vec<Vec<usize>> =
            all.iter().filter(largest_first).map(|order| order[..window].to_vec()).collect();
        if !ordered {
            for window in &mut windows {
                window.sort_unstable();
            }
        }
        windows.sort();
        windows.dedup();
        if windows.len() > 1 && !largest {
            return None;
        }
        let has_place = |kind: usize| {
            let ties = used.iter().filter(|&&part| part == used[kind]).count() > 1;
            let upto = used.iter().filter(|&&part| part <= used[kind]).count();
            least != "none" || !ties || !ordered && upto <= window
        };
        let place = |order: &[usize], window: &[usize]| {
            let mut named: Vec<usize> =
                window.iter().map(|kind| order.iter().position(|other| other == kind).unwrap()).collect();
            if !ordered {
                named.sort_unstable();
            }
            named
        };
        let open = windows.iter().filter(|window| window.iter().all(|&kind| has_place(kind)));
        open.flat_map(|window| by_use.iter().map(|order| place(order, window))).min()
    }
}

/// Balance, times emptiness if full, as a fraction: (max/mean)·(1 − mean).
fn score(full: bool, parts: i128, used: &[i128], needs: &[i128]) -> (i128, i128) {
    let after: Vec<i128> = used.iter().zip(needs).map(|(used, need)| used + need).collect();
    let (most, sum, all) =
        (after.iter().max().unwrap(), after.iter().sum::<i128>(), parts * after.len() as i128);
    let emptiness = if full { all - sum } else { all };
    (most * after.len() as i128 * emptiness, sum * all)
}

fn cheaper(left: (i128, i128), right: (i128, i128)) -> bool {
    left.0 * right.1 < right.0 * left.1
}

/// All permutations of `things` items.
fn orders(things: usize) -> Vec<Vec<usize>> {
    if things == 0 {
        return vec![Vec::new()];
    }
    let with_last = |order: Vec<usize>| {
        (0..things).map(move |at| {
            let mut order = order.clone();
            order.insert(at, things - 1);
            order
        })
    };
    orders(things - 1).into_iter().flat_map(with_last).collect()
}
