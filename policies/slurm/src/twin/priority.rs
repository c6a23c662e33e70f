//! `priority/multifactor`: a weighted sum of factors from 0 to 1, and the usage behind fairshare.
//!
//! Source: `_get_priority_internal` and `_apply_new_usage` of Slurm 22.05: usage is that of `tres_alloc_cnt`, what jobs hold.

mod charges;
mod factors;
mod fairshare;

use std::sync::Arc;

use crate::site::{FairshareRule, ResetPeriod, SlurmSite, ToldUsage, TresWeight};
use batchlab_contract::JobView;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use charges::Charge;
pub use charges::{Holding, JobRun};
use factors::FactorRules;
pub use factors::{Factors, Waits};
use fairshare::{Effective, Shares};

use super::grid::next_on;

pub(super) struct Multifactor {
    site: Arc<SlurmSite>,
    shares: Shares,
    /// The factor of each association; `None` if nothing has asked for it since priorities were last computed, as the classic rule
    /// leaves it.
    fairshare: Vec<Option<f64>>,
    /// What the classic rule counts of the accounts: usage before priorities were last computed.
    accounts: Vec<Effective>,
    rules: FactorRules,
    charged: SortedMap<JobId, Charge>,
    decayed: Option<Time>,
    /// The last period of reset, in its own count.
    epoch_of_reset: i64,
}

/// Usage counts for nothing after this number of half-lives.
const FORGOTTEN: i64 = 50;

impl Multifactor {
    pub(super) fn new(site: Arc<SlurmSite>, machine: &Machine) -> Multifactor {
        let depth_oblivious =
            matches!(site.system.priority.fairshare, FairshareRule::Classic { depth_oblivious: true, .. });
        let mut made = Multifactor {
            shares: Shares::new(&site.tree, depth_oblivious),
            fairshare: Vec::new(),
            accounts: Vec::new(),
            rules: FactorRules::new(site.clone(), machine),
            site,
            charged: SortedMap::new(),
            decayed: None,
            epoch_of_reset: 0,
        };
        made.open_period();
        made.close_period();
        made
    }

    pub(super) fn period(&self) -> Time {
        self.site.system.priority.period
    }

    /// Returns the priority of a job in one of its partitions at an instant: at least 1, truncated.
    pub fn priority(&self, job: JobView<'_>, waits: Waits, now: Time) -> u64 {
        self.factors(job, waits, now).priority()
    }

    pub fn factors(&self, job: JobView<'_>, waits: Waits, now: Time) -> Factors {
        let fairshare = self.site.association(job).and_then(|at| self.fairshare(at));
        self.rules.factors(job, waits, now, fairshare.unwrap_or(0.0))
    }

    /// Returns the factors of a job that do not change as it waits.
    pub fn fixed(&self, job: JobView<'_>, waits: Waits) -> Factors {
        self.rules.fixed(job, waits)
    }

    pub fn tres(&self, job: JobView<'_>, partition: Option<usize>, weight: &TresWeight) -> f64 {
        self.rules.tres(job, partition, weight)
    }

    /// Whether usage decides anything.
    fn has_fairshare(&self) -> bool {
        self.site.system.priority.weights.fairshare > 0.0
    }

    /// Priorities are to be computed: the classic rule forgets the factors, and keeps the usage of accounts.
    fn open_period(&mut self) {
        if let FairshareRule::Classic { .. } = self.site.system.priority.fairshare {
            self.accounts = self.shares.of_accounts();
            self.fairshare = vec![None; self.accounts.len()];
        }
    }

    /// Usage was charged: Fair Tree computes all factors.
    fn close_period(&mut self) {
        if self.has_fairshare() && self.site.system.priority.fairshare == FairshareRule::FairTree {
            self.fairshare = self.shares.fair_tree().into_iter().map(Some).collect();
        }
    }

    /// Looks at a waiting job: by the classic rule the factor of its user follows from the usage now, if no job of the user was
    /// looked at since priorities were last computed (`_get_fairshare_priority`).
    pub(super) fn look_at(&mut self, association: Option<usize>) {
        if let FairshareRule::Classic { dampening, .. } = self.site.system.priority.fairshare
            && let Some(at) = association
            && let Some(factor @ None) = self.fairshare.get_mut(at)
        {
            *factor = Some(self.shares.classic(at, &self.accounts, dampening));
        }
    }

    pub(super) fn started(&mut self, job: JobView<'_>, held: Holding<'_>, now: Time) {
        let site = &self.site;
        if !self.has_fairshare() {
            return;
        }
        let Some(association) = site.association(job) else { return };
        let qos = site.qos(job).and_then(|at| site.system.qos.get(at));
        let factor = qos.map_or(1.0, |qos| qos.usage_factor);
        let rate = self.rules.billing(job, held) * factor;
        let order = site.order(job);
        self.charged.insert(job.id(), Charge { from: now, association, order, rate });
    }

    /// A job ends: the rest of its usage is charged, if limits are enforced. Otherwise running jobs are charged at the periodic
    /// passes alone: slurmctld reaches `priority_g_job_end` from `acct_policy_job_fini` only with enforced limits.
    pub(super) fn ended(&mut self, job: JobId, now: Time) {
        if let Some(charge) = self.charged.remove(&job)
            && self.site.system.enforces_limits
        {
            let seconds = (now - charge.from).secs();
            let usage = seconds * self.decay().powf(seconds) * charge.rate;
            self.shares.use_up(charge.association, usage);
        }
    }

    pub(super) fn use_up(&mut self, usage: &[f64]) {
        self.shares.use_up_all(usage);
    }

    /// Lets usage decay, charges running jobs, and computes fairshare again. `waiting` are the places of the waiting jobs in the
    /// order of submission, with their associations: by the classic rule slurmctld looks at them as it comes to them, when it has
    /// charged the jobs before them. O(running and waiting jobs · log + associations · log).
    pub(super) fn recompute(&mut self, now: Time, waiting: impl Iterator<Item = (i64, Option<usize>)>) {
        self.open_period();
        let looks = matches!(self.site.system.priority.fairshare, FairshareRule::Classic { .. });
        let mut waiting: Vec<(i64, Option<usize>)> = waiting.filter(|_| looks).collect();
        waiting.sort_unstable();
        self.settle(now, &waiting);
        self.close_period();
    }

    /// Makes the computations before an instant, from the one at `next` on, at which no job waited; each charges the jobs that ran
    /// (`_decay_thread`). O(running jobs + associations) for each of them, and once if no job ran.
    pub(super) fn catch_up(&mut self, next: &mut Time, now: Time) {
        while *next < now {
            let at = std::mem::replace(next, *next + self.period());
            if *next >= now {
                self.recompute(at, std::iter::empty());
            } else if !self.charged.is_empty() {
                self.settle(at, &[]);
            }
        }
    }

    /// Lets usage decay, charges running jobs, and looks at waiting ones among them.
    fn settle(&mut self, now: Time, waiting: &[(i64, Option<usize>)]) {
        if !self.has_fairshare() {
            return;
        }
        let decay = self.decay();
        let since = self.decayed.replace(now).unwrap_or(now);
        let factor = decay.powf((now - since).secs());
        let reset = self.resets(now);
        self.shares.decay(if reset { 0.0 } else { factor });
        let mut charges: Vec<Charge> = self.charged.values().copied().collect();
        self.charged.values_mut().for_each(|charge| charge.from = now);
        if !waiting.is_empty() {
            charges.arrange_by_key(|charge| charge.order);
        }
        let mut ahead = waiting.iter().peekable();
        for Charge { from, association, order, rate } in charges {
            while let Some(&(_, waits)) = ahead.next_if(|(before, _)| *before < order) {
                self.look_at(waits);
            }
            let seconds = (now - from).secs();
            let left = if from == since { factor } else { decay.powf(seconds) };
            self.shares.use_up(association, seconds * left * rate);
        }
        ahead.for_each(|&(_, waits)| self.look_at(waits));
    }

    /// Returns the raw usage of each user at an instant by jobs that have run, each with its start and end. O(jobs log jobs + periods
    /// of `PriorityCalcPeriod` · jobs that run together).
    pub(super) fn usage_by(
        mut self,
        of: (&Workload, &Machine),
        runs: impl Iterator<Item = JobRun>,
        now: Time,
    ) -> Vec<f64> {
        let events = self.events(runs, now);
        let first = events.first().map_or(now, |&(at, ..)| at);
        let mut next = next_on(self.site.computed.unwrap_or(first), self.period(), first);
        self.run_through(of, &events, &mut next);
        while next <= now {
            self.settle(next, &[]);
            next += self.period();
        }
        self.settle(now, &[]);
        self.shares.of_users()
    }

    /// Follows jobs that have run or run still, each with its start and end, up to an instant; priorities were computed last at
    /// `last`, over the waiting jobs. Cost as that of [`Multifactor::usage_by`].
    pub(super) fn follow(
        &mut self,
        of: (&Workload, &Machine),
        runs: impl Iterator<Item = JobRun>,
        waiting: &[JobId],
        last: Time,
        now: Time,
    ) {
        let events = self.events(runs, now);
        let (before, after) = events.split_at(events.partition_point(|&(at, ..)| at <= last));
        let first = before.first().map_or(last, |&(at, ..)| at);
        let period = self.period().ticks().max(1);
        let mut next = last - Time::from_ticks((last - first).ticks().div_euclid(period) * period);
        self.run_through(of, before, &mut next);
        while next < last {
            self.settle(next, &[]);
            next += self.period();
        }
        let views = || waiting.iter().map(|&job| JobView::new(of.0, job));
        let site = self.site.clone();
        let place = |job: JobView<'_>| (site.order(job), site.association(job));
        self.recompute(last, views().filter(|job| job.submit() <= last).map(place));
        self.run_through(of, after, &mut { Time::MAX });
        views().for_each(|job| self.look_at(site.association(job)));
    }

    /// Takes the usage of all associations as `sshare` showed it, with the factors that follow from it, for the waiting jobs.
    pub(super) fn take(&mut self, told: &ToldUsage, workload: &Workload, waiting: &[JobId]) {
        self.shares.take(&told.usage, &told.effective);
        self.open_period();
        self.close_period();
        let site = self.site.clone();
        for &job in waiting {
            self.look_at(site.association(JobView::new(workload, job)));
        }
    }

    /// What running jobs used until `last` is part of the usage that was added: they are charged from then on.
    pub(super) fn charge_from(&mut self, last: Time) {
        self.charged.values_mut().for_each(|charge| charge.from = charge.from.max(last));
    }

    /// Returns the raw usage of an association and of all associations below it.
    pub(super) fn usage(&self, association: usize) -> Option<f64> {
        self.shares.usage().get(association).copied()
    }

    /// Returns the factor of an association that is a user's, between 0 and 1; `None` if no computation has asked for it.
    pub(super) fn fairshare(&self, association: usize) -> Option<f64> {
        self.fairshare.get(association).copied().flatten()
    }

    /// Returns the starts and ends of jobs up to an instant that are not forgotten by then, in order; at the same instant ends first.
    fn events(&self, runs: impl Iterator<Item = JobRun>, now: Time) -> Vec<(Time, bool, JobId)> {
        let half_life = self.site.system.priority.half_life;
        let forgotten =
            half_life.map(|half_life| now - Time::from_ticks(half_life.ticks().saturating_mul(FORGOTTEN)));
        let mut events: Vec<(Time, bool, JobId)> = Vec::new();
        for (start, end, job) in runs.filter(|&(_, end, _)| forgotten.is_none_or(|at| end > at)) {
            let end = self.site.ended.get(&job).copied().unwrap_or(end);
            events.extend([(start, true, job), (end, false, job)]);
        }
        events.retain(|&(at, ..)| at <= now);
        events.sort_unstable();
        events
    }

    /// Follows starts and ends of jobs, and the computations of priorities between them; `next` is the next of these, and comes after
    /// what happens at its instant. Jobs hold what accounting says that they got.
    fn run_through(
        &mut self,
        (workload, machine): (&Workload, &Machine),
        events: &[(Time, bool, JobId)],
        next: &mut Time,
    ) {
        let site = self.site.clone();
        // slurmctld runs longer than the log: what ended before the first of these decays since the one before.
        if self.decayed.is_none() && *next < Time::MAX {
            self.decayed = Some(*next - self.period());
        }
        for &(at, starts, job) in events {
            while *next < at {
                self.settle(*next, &[]);
                *next += self.period();
            }
            if !starts {
                self.ended(job, at);
                continue;
            }
            let job = JobView::new(workload, job);
            let nodes = site.ran_on(job).unwrap_or_default();
            self.started(job, Holding { machine, nodes, given: site.given_procs(job) }, at);
        }
    }

    /// Returns the decay of a second: 1 − 0.693 / half-life, as slurmctld linearizes it.
    fn decay(&self) -> f64 {
        self.site.system.priority.half_life.map_or(1.0, |half_life| 1.0 - 0.693 / half_life.secs())
    }

    /// Whether a period of `PriorityUsageResetPeriod` has ended since the last call.
    fn resets(&mut self, now: Time) -> bool {
        let days = (self.site.epoch + now.secs() as i64).div_euclid(86_400);
        let period = match self.site.system.priority.reset {
            ResetPeriod::None | ResetPeriod::Now => return false,
            ResetPeriod::Daily => days,
            // 1970 began on a Thursday; weeks begin on Sundays.
            ResetPeriod::Weekly => (days + 4).div_euclid(7),
            ResetPeriod::Monthly => month(days),
            ResetPeriod::Quarterly => month(days).div_euclid(3),
            ResetPeriod::Yearly => month(days).div_euclid(12),
        };
        let before = std::mem::replace(&mut self.epoch_of_reset, period);
        before != 0 && before != period
    }
}

/// Returns the months from January of the year 0 to a day counted from 1970 (Hinnant's civil calendar).
fn month(days: i64) -> i64 {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months from March.
    let month = (5 * of_year + 2) / 153;
    (era * 400 + year_of_era) * 12 + month + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_counted_by_the_calendar() {
        let day = |days: i64| month(days).rem_euclid(12) + 1;
        // 1970-01-01, 1970-01-31, 1970-02-01, 2024-02-29, 2024-03-01, 2024-12-31.
        assert_eq!([0, 30, 31, 19_782, 19_783, 20_088].map(day), [1, 1, 2, 2, 3, 12]);
        assert_eq!(month(19_723) - month(19_722), 1, "the year 2024 begins");
    }
}
