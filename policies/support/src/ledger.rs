//! What users hold and have used, for the orders that depend on it.

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Machine, Time};

use crate::view::{JobView, padded};

/// The holdings of each user's running jobs, and the user's decayed usage.
///
/// Usage counts processor-seconds, as Slurm does unless its `TRESBillingWeights` say otherwise; for fairness
/// over several resources there are dominant shares. Usage is halved every half-life, continuously and also
/// while jobs run: with p processors held, U' = p − λU, λ = ln 2 / half-life. Between two changes of p this
/// is solved exactly, so that usage does not depend on when it is read.
///
/// A job is entered at its start and removed once: a repeated end, or the end of a job that never held
/// anything, has no effect. O(log n) per start and end.
#[derive(Clone, Debug)]
pub struct Ledger<const K: usize> {
    totals: [i64; K],
    /// Seconds; infinite if usage never decays.
    half_life: f64,
    users: SortedMap<i64, Account<K>>,
    running: SortedSet<JobId>,
}

#[derive(Clone, Copy, Debug)]
struct Account<const K: usize> {
    holds: [i64; K],
    used: f64,
    as_of: Time,
}

impl<const K: usize> Ledger<K> {
    /// Returns an empty ledger; usage is halved every half-life, or never.
    pub fn new(machine: &Machine, half_life: Option<Time>) -> Ledger<K> {
        let mut totals = [0; K];
        for (kind, total) in totals.iter_mut().enumerate().take(machine.kinds()) {
            *total = machine.total(kind);
        }
        let half_life = half_life.map_or(f64::INFINITY, Time::secs);
        Ledger { totals, half_life, users: SortedMap::new(), running: SortedSet::new() }
    }

    pub fn starts(&mut self, job: JobView<'_>, now: Time) {
        if self.running.insert(job.id()) {
            self.change(job, now, 1);
        }
    }

    /// Records that a job gives back its demands, if it holds them.
    pub fn ends(&mut self, job: JobView<'_>, now: Time) {
        if self.running.remove(&job.id()) {
            self.change(job, now, -1);
        }
    }

    /// Returns the dominant share of each user with running jobs: the largest fraction held of any resource.
    pub fn dominant_shares(&self) -> SortedMap<i64, f64> {
        let holders = self.users.iter().filter(|(_, account)| account.holds.iter().any(|&amount| amount > 0));
        holders.map(|(&user, account)| (user, dominant(&account.holds, &self.totals))).collect()
    }

    /// Returns the decayed processor-seconds that each user has used up to an instant.
    pub fn usage(&self, now: Time) -> SortedMap<i64, f64> {
        self.users.iter().map(|(&user, account)| (user, account.used_by(now, self.half_life))).collect()
    }

    fn change(&mut self, job: JobView<'_>, now: Time, sign: i64) {
        let empty = Account { holds: [0; K], used: 0.0, as_of: now };
        // All unknown numbers count as one unknown user.
        let account = self.users.entry(job.user().max(-1)).or_insert(empty);
        account.used = account.used_by(now, self.half_life);
        account.as_of = now;
        for (holds, amount) in account.holds.iter_mut().zip(padded::<K>(job.demand())) {
            *holds += sign * amount;
        }
    }
}

impl<const K: usize> Account<K> {
    fn used_by(&self, now: Time, half_life: f64) -> f64 {
        let (passed, procs) = ((now - self.as_of).secs(), self.holds[0] as f64);
        if passed <= 0.0 {
            return self.used;
        }
        if half_life.is_infinite() {
            return self.used + procs * passed;
        }
        // 1 − 2^(−passed / half-life), exact for short times too.
        let forgotten = -(-passed * std::f64::consts::LN_2 / half_life).exp_m1();
        self.used * (1.0 - forgotten) + procs * forgotten * half_life / std::f64::consts::LN_2
    }
}

fn dominant<const K: usize>(holds: &[i64; K], totals: &[i64; K]) -> f64 {
    let shares = holds.iter().zip(totals).filter(|(_, total)| **total > 0);
    shares.map(|(&amount, &total)| amount as f64 / total as f64).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::Workload;
    use batchlab_traces::workload::PlainJob;
    use proptest::prelude::*;

    fn jobs(jobs: &[(i64, i64)]) -> Workload {
        let plain = |&(user, procs): &(i64, i64)| PlainJob { user, ..PlainJob::secs(0, 1, vec![procs, 1]) };
        Workload::from_jobs(&jobs.iter().map(plain).collect::<Vec<_>>())
    }

    fn ledger(half_life: Option<i64>) -> Ledger<1> {
        Ledger::new(&Machine::pool(10).unwrap(), half_life.map(Time::from_secs))
    }

    #[test]
    fn a_job_holds_from_its_start_to_the_first_word_of_its_end() {
        let workload = jobs(&[(1, 4), (1, 3), (-1, 5), (-7, 1)]);
        let job = |index| JobView::new(&workload, JobId(index));
        let mut ledger = ledger(None);
        (0..4).for_each(|index| ledger.starts(job(index), Time::ZERO));
        assert_eq!(ledger.dominant_shares(), SortedMap::from([(-1, 0.6), (1, 0.7)]));
        ledger.ends(job(0), Time::SECOND);
        ledger.ends(job(0), Time::SECOND);
        assert_eq!(ledger.dominant_shares()[&1], 0.3);
        ledger.ends(job(1), Time::from_secs(5));
        assert_eq!(ledger.dominant_shares().len(), 1);
        assert_eq!(ledger.usage(Time::from_secs(9))[&1], 4.0 + 15.0);
    }

    #[test]
    fn what_was_used_a_half_life_ago_counts_half() {
        let workload = jobs(&[(1, 8)]);
        let job = JobView::new(&workload, JobId(0));
        let mut ledger = ledger(Some(500));
        ledger.starts(job, Time::ZERO);
        ledger.ends(job, Time::from_secs(1000));
        let used = |at| ledger.usage(Time::from_secs(at))[&1];
        // 8 · 500 / ln 2 · (1 − 2^−2)
        assert!((used(1000) - 4328.085).abs() < 1e-3, "{}", used(1000));
        assert!((used(1500) - used(1000) / 2.0).abs() < 1e-9);
    }

    proptest! {
        /// In steps of a thousandth of the half-life, the processor-seconds of each step are added and decay from its middle.
        #[test]
        fn usage_is_what_small_steps_add_up_to(changes in prop::collection::vec((0i64..4, 1i64..3000), 1..6)) {
            let workload = jobs(&[(1, 1), (1, 2), (1, 3), (1, 4)]);
            let mut ledger = ledger(Some(1000));
            let (mut stepped, mut held, mut now) = (0.0, SortedSet::new(), 0);
            for (index, length) in changes {
                let job = JobView::new(&workload, JobId(index as u32));
                if held.insert(index) {
                    ledger.starts(job, Time::from_secs(now));
                } else {
                    held.remove(&index);
                    ledger.ends(job, Time::from_secs(now));
                }
                let procs: i64 = held.iter().map(|index| index + 1).sum();
                for _ in 0..length {
                    stepped = stepped * 0.5f64.powf(0.001) + procs as f64 * 0.5f64.powf(0.0005);
                }
                now += length;
                let exact = ledger.usage(Time::from_secs(now))[&1];
                prop_assert!((exact - stepped).abs() <= 1e-6 * (1.0 + exact), "{} and {}", exact, stepped);
            }
        }
    }
}
