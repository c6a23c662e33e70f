//! The accumulated service of batch jobs, which decays with time.

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

/// Accumulated service of the batch jobs in the system: executed time, halved periodically.
///
/// The paper halves the accumulated CPU times of all batch jobs periodically. Here this happens at multiples of an interval,
/// counted from the trace's zero, for all batch jobs at once, running or waiting.
#[derive(Clone, Debug)]
pub struct Service {
    /// `None` if service never decays.
    decay: Option<Time>,
    passed: i64,
    accounts: SortedMap<JobId, Account>,
}

/// The unit of service by which jobs are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServiceUnit {
    #[default]
    Wall,
    /// Executed time on all processors.
    Cpu,
}

impl ServiceUnit {
    /// Returns the service of a job of `procs` processors, given that in executed time.
    pub fn of(self, executed: Time, procs: i64) -> Time {
        match self {
            ServiceUnit::Wall => executed,
            ServiceUnit::Cpu => Time::from_ticks(executed.ticks().saturating_mul(procs)),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// The decayed service up to `executed`.
    counted: Time,
    executed: Time,
}

impl Account {
    fn with(self, executed: Time) -> Account {
        Account { counted: self.counted + (executed - self.executed), executed }
    }
}

impl Service {
    /// Returns an empty set of accounts, to be halved at each multiple of an interval.
    pub fn new(decay: Option<Time>) -> Service {
        Service { decay: decay.filter(|&decay| decay > Time::ZERO), passed: 0, accounts: SortedMap::new() }
    }

    pub fn open(&mut self, job: JobId) {
        self.accounts.entry(job).or_default();
    }

    pub fn close(&mut self, job: JobId) {
        self.accounts.remove(&job);
    }

    pub fn of(&self, job: JobId, executed: Time) -> Time {
        self.accounts.get(&job).map_or(Time::ZERO, |account| account.with(executed).counted)
    }

    pub fn next_halving(&self, now: Time) -> Option<Time> {
        let decay = self.decay?;
        let next = (now.ticks() / decay.ticks() + 1).checked_mul(decay.ticks())?;
        Some(Time::from_ticks(next)).filter(|&at| at <= Time::FARTHEST)
    }

    /// Halves all accounts for each multiple of the interval that has passed; returns whether any has
    /// passed, at a cost of O(n).
    pub fn pass(&mut self, now: Time, executed: impl Fn(JobId) -> Time) -> bool {
        let Some(decay) = self.decay else { return false };
        let passed = now.ticks() / decay.ticks();
        let halvings = (passed - self.passed).min(i64::from(i64::BITS) - 1);
        if halvings <= 0 {
            return false;
        }
        self.passed = passed;
        for (&job, account) in &mut self.accounts {
            let so_far = account.with(executed(job));
            *account = Account { counted: Time::from_ticks(so_far.counted.ticks() >> halvings), ..so_far };
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(seconds: i64) -> Time {
        Time::from_secs(seconds)
    }

    #[test]
    fn service_is_halved_at_the_multiples_of_the_interval() {
        let mut service = Service::new(Some(secs(10)));
        let job = JobId(1);
        service.open(job);
        assert!(!service.pass(secs(9), |_| secs(4)));
        assert_eq!(service.of(job, secs(4)), secs(4));
        assert!(service.pass(secs(10), |_| secs(4)));
        assert_eq!(service.of(job, secs(4)), secs(2));
        // 3 s more, then two halvings: (2 + 3) / 4.
        assert!(service.pass(secs(39), |_| secs(7)));
        assert_eq!(service.of(job, secs(7)), Time::from_secs_f64(1.25));
        assert_eq!(service.of(job, secs(8)), Time::from_secs_f64(2.25));
        assert!(!service.pass(secs(39), |_| secs(8)));
    }

    #[test]
    fn who_has_ended_and_who_is_not_known_has_accumulated_nothing() {
        let mut service = Service::new(None);
        service.open(JobId(1));
        assert!(!service.pass(secs(1000), |_| secs(5)));
        assert_eq!(service.of(JobId(1), secs(5)), secs(5));
        service.close(JobId(1));
        assert_eq!(service.of(JobId(1), secs(5)), Time::ZERO);
    }

    #[test]
    fn the_next_halving_lies_after_now() {
        let service = Service::new(Some(secs(10)));
        assert_eq!(service.next_halving(secs(0)), Some(secs(10)));
        assert_eq!(service.next_halving(secs(10)), Some(secs(20)));
        assert_eq!(Service::new(None).next_halving(secs(0)), None);
        assert_eq!(Service::new(Some(Time::FARTHEST)).next_halving(Time::FARTHEST), None);
    }
}
