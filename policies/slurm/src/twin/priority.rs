//! `priority/multifactor`: a weighted sum of factors from 0 to 1, and the usage behind fairshare.
//!
//! Source: `_get_priority_internal`, `_apply_new_usage` and `_set_age_factor` of Slurm 22.05.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::site::{Billing, FairshareRule, PriorityConfig, ResetPeriod, SizeRule, SlurmSite, TresWeight};
use batchlab_policies::JobView;
use batchlab_traces::workload::MEMORY;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::fairshare::{Effective, Shares};
use super::grid::next_on;

/// The priorities of jobs by factors.
pub(super) struct Multifactor {
    site: Arc<SlurmSite>,
    shares: Shares,
    /// The factor of each association; `None` if nothing has asked for it since priorities were last computed, which the classic
    /// rule alone leaves.
    fairshare: Vec<Option<f64>>,
    /// What the classic rule counts of the accounts: usage before priorities were last computed.
    accounts: Vec<Effective>,
    totals: Totals,
    /// What each running job is charged.
    charged: BTreeMap<JobId, Charge>,
    /// When usage last decayed.
    decayed: Option<Time>,
    /// The last period of reset, in its own count.
    epoch_of_reset: i64,
}

/// Usage that is as many half-lives old counts for nothing.
const FORGOTTEN: i64 = 50;

/// What a running job is charged.
#[derive(Clone, Copy, Debug)]
struct Charge {
    /// Until when it has been charged.
    from: Time,
    association: usize,
    /// The place of the job in the order of submission.
    order: i64,
    /// Billing units a second.
    rate: f64,
}

/// The sizes and maxima against which factors are measured.
#[derive(Clone, Debug, Default)]
struct Totals {
    nodes: f64,
    procs: f64,
    job_factor: f64,
    qos: f64,
    association: f64,
    /// Amounts of each resource of the machine in each partition.
    partitions: Vec<Vec<f64>>,
    /// The names of the machine's resources.
    kinds: Vec<String>,
}

/// What the factor of size is computed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SizeFactor {
    pub(super) nodes: f64,
    pub(super) procs: f64,
    pub(super) minutes: f64,
}

impl Multifactor {
    pub(super) fn new(site: Arc<SlurmSite>, machine: &Machine) -> Multifactor {
        let system = &site.system;
        let most = |values: &mut dyn Iterator<Item = i64>| values.max().unwrap_or(0) as f64;
        let of_partition = |nodes: &Vec<usize>| {
            let total = |kind: usize| nodes.iter().map(|&node| machine.capacity(node)[kind] as f64).sum();
            (0..machine.kinds()).map(total).collect()
        };
        let totals = Totals {
            nodes: machine.nodes() as f64,
            procs: machine.procs() as f64,
            job_factor: most(&mut system.partitions.iter().map(|partition| partition.job_factor)),
            qos: most(&mut system.qos.iter().map(|qos| qos.priority)),
            association: most(&mut site.tree.iter().map(|one| one.priority)),
            partitions: system.partitions.iter().map(|partition| of_partition(&partition.nodes)).collect(),
            kinds: machine.resources().iter().map(|resource| resource.name.clone()).collect(),
        };
        let shares = Shares::new(&site.tree);
        let mut made = Multifactor {
            site,
            shares,
            fairshare: Vec::new(),
            accounts: Vec::new(),
            totals,
            charged: BTreeMap::new(),
            decayed: None,
            epoch_of_reset: 0,
        };
        made.open_period();
        made.close_period();
        made
    }

    /// Returns how often priorities are computed again.
    pub(super) fn period(&self) -> Time {
        self.site.system.priority.period
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

    /// A waiting job is looked at: by the classic rule the factor of its user is that of the usage now, if no job of the user has
    /// been looked at since priorities were last computed (`_get_fairshare_priority`).
    pub(super) fn look_at(&mut self, association: Option<usize>) {
        if let FairshareRule::Classic { dampening } = self.site.system.priority.fairshare
            && let Some(at) = association
            && let Some(factor @ None) = self.fairshare.get_mut(at)
        {
            *factor = Some(self.shares.classic(at, &self.accounts, dampening));
        }
    }

    /// A job starts: it is charged from now on.
    pub(super) fn started(&mut self, job: JobView<'_>, now: Time) {
        let site = &self.site;
        if !self.has_fairshare() {
            return;
        }
        let Some(association) = site.association(job) else { return };
        let qos = site.qos(job).and_then(|at| site.system.qos.get(at));
        let factor = qos.map_or(1.0, |qos| qos.usage_factor);
        let rate = self.billing(job) * factor;
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

    /// Adds usage by jobs that are not of the replay, by association.
    pub(super) fn use_up(&mut self, usage: &[f64]) {
        for (user, &usage) in usage.iter().enumerate() {
            self.shares.use_up(user, usage);
        }
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
            charges.sort_by_key(|charge| charge.order);
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
        workload: &Workload,
        runs: impl Iterator<Item = (Time, Time, JobId)>,
        now: Time,
    ) -> Vec<f64> {
        let forgotten = self
            .site
            .system
            .priority
            .half_life
            .map(|half_life| now - Time::from_ticks(half_life.ticks().saturating_mul(FORGOTTEN)));
        // At the same instant jobs end first.
        let mut events: Vec<(Time, bool, JobId)> = Vec::new();
        for (start, end, job) in runs.filter(|&(_, end, _)| forgotten.is_none_or(|at| end > at)) {
            events.extend([(start, true, job), (end, false, job)]);
        }
        events.sort_unstable();
        let period = self.period();
        let first = events.first().map_or(now, |&(at, ..)| at);
        let mut next = next_on(self.site.computed.unwrap_or(first), period, first);
        for (at, starts, job) in events {
            while next <= at {
                self.settle(next, &[]);
                next += period;
            }
            if starts { self.started(JobView::new(workload, job), at) } else { self.ended(job, at) }
        }
        while next <= now {
            self.settle(next, &[]);
            next += period;
        }
        self.settle(now, &[]);
        self.shares.of_users()
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

    /// Returns what a job is charged for each second: its processors, unless its partition weighs resources.
    fn billing(&self, job: JobView<'_>) -> f64 {
        let partition = self.site.partition(job).map(|at| &self.site.system.partitions[at]);
        let Some(weights) =
            partition.map(|partition| &partition.billing).filter(|weights| !weights.is_empty())
        else {
            return self.site.charged_procs(job) as f64;
        };
        let parts = weights.iter().map(|weight| weight.weight * self.amount(job, weight));
        match self.site.system.priority.billing {
            Billing::Sum => parts.sum(),
            Billing::Largest => parts.fold(0.0, f64::max),
        }
    }

    /// Returns the priority of a job at an instant: at least 1, truncated.
    pub(super) fn priority(&self, job: JobView<'_>, limit: Time, now: Time, is_tested: bool) -> u64 {
        let (site, config) = (&self.site, &self.site.system.priority);
        let submit = if config.accrue_always { job.submitted() } else { job.submit() };
        let fairshare = site.association(job).and_then(|at| self.fairshare.get(at).copied().flatten());
        let age = config.weights.age * age(now - submit, config.max_age);
        let fairshare = config.weights.fairshare * fairshare.unwrap_or(0.0);
        let sum = self.sum(job, (age, fairshare), limit, is_tested);
        (sum.max(1.0) as u64).min(u64::from(u32::MAX))
    }

    /// Returns the part of a job's priority at its submission that does not change: without age and fairshare.
    pub(super) fn fixed(&self, job: JobView<'_>, limit: Time) -> f64 {
        self.sum(job, (0.0, 0.0), limit, false)
    }

    /// Returns the sum of a job's weighted factors, in the order in which slurmctld adds them. The size of a job that a loop has
    /// tested is that of the nodes which it found for it, and of one that it has not what the job asks for.
    fn sum(&self, job: JobView<'_>, (age, fairshare): (f64, f64), limit: Time, is_tested: bool) -> f64 {
        let (system, site) = (&self.site.system, &self.site);
        let config: &PriorityConfig = &system.priority;
        let weights = &config.weights;
        let partition = site.partition(job);
        let [raw_association, raw_partition, raw_qos, raw_tres] = config.raw;
        let part = |value: f64, most: f64, raw: bool| match (raw, most > 0.0) {
            (true, _) => value,
            (false, true) => value / most,
            (false, false) => 0.0,
        };
        let mut sum = age;
        if let Some(at) = site.association(job) {
            sum += weights.association
                * part(site.tree[at].priority as f64, self.totals.association, raw_association);
            sum += fairshare;
        }
        let nodes = self.nodes(job);
        let whole = system.select.whole_nodes || job.layout().exclusive;
        let asked = SizeFactor {
            nodes,
            procs: match site.asked_procs(job) {
                Some(_) if whole && is_tested => nodes * self.totals.procs / self.totals.nodes,
                Some(procs) if whole => nodes.max(procs as f64),
                // Which cores a job gets is known once it was tested.
                Some(procs) if site.has_blocks() && !is_tested => procs as f64,
                _ => site.charged_procs(job) as f64,
            },
            minutes: limit.secs() / 60.0,
        };
        sum += weights.size * self.size(asked);
        if let Some(at) = partition {
            let factor = system.partitions[at].job_factor as f64;
            sum += weights.partition * part(factor, self.totals.job_factor, raw_partition);
        }
        if let Some(qos) = site.qos(job).and_then(|at| system.qos.get(at)) {
            sum += weights.qos * part(qos.priority as f64, self.totals.qos, raw_qos);
        }
        for weight in &weights.tres {
            let amount = self.amount(job, weight);
            let kind = self.totals.kind(&weight.resource);
            let total = partition.and_then(|at| self.totals.partitions.get(at)).zip(kind);
            let total = match (total, weight.resource.as_str()) {
                (Some((amounts, kind)), "mem") => amounts[kind] / 1024.0,
                (Some((amounts, kind)), _) => amounts[kind],
                (None, "node") => partition.map_or(0.0, |at| system.partitions[at].nodes.len() as f64),
                (None, _) => 0.0,
            };
            sum += weight.weight * part(amount, total, raw_tres);
        }
        sum - site.nice(job) as f64
    }

    /// Returns the amount of a resource of a job; of memory, in MB.
    fn amount(&self, job: JobView<'_>, weight: &TresWeight) -> f64 {
        let kind = self.totals.kind(&weight.resource);
        let demand = kind.map(|kind| job.demand()[kind] as f64);
        match weight.resource.as_str() {
            "node" => self.nodes(job),
            "cpu" => self.site.charged_procs(job) as f64,
            "mem" => demand.or(job.told_memory().map(|kb| kb as f64)).unwrap_or(0.0) / 1024.0,
            _ => demand.unwrap_or(0.0),
        }
    }

    /// Returns the least number of nodes of a job.
    fn nodes(&self, job: JobView<'_>) -> f64 {
        let layout = job.layout();
        match self.site.asked_nodes(job) {
            None if layout.per_node == 1 => layout.count() as f64,
            asked => asked.unwrap_or(1) as f64,
        }
    }

    /// Returns the factor of size.
    fn size(&self, size: SizeFactor) -> f64 {
        size_factor(size, (self.totals.nodes, self.totals.procs), self.site.system.priority.size)
    }
}

impl Totals {
    /// Returns the machine's resource of a trackable one.
    fn kind(&self, resource: &str) -> Option<usize> {
        let name = match resource {
            "cpu" | "billing" => return Some(0),
            "mem" => MEMORY,
            other => other.strip_prefix("gres/").unwrap_or(other),
        };
        self.kinds.iter().position(|kind| kind == name)
    }
}

/// Returns the factor of age.
pub(super) fn age(waited: Time, most: Time) -> f64 {
    if most <= Time::ZERO { 1.0 } else { (waited.secs() / most.secs()).clamp(0.0, 1.0) }
}

/// Returns the factor of size on a cluster of so many nodes and processors.
pub(super) fn size_factor(size: SizeFactor, (nodes, procs): (f64, f64), rule: SizeRule) -> f64 {
    let SizeRule { favors_small, relative_to_time } = rule;
    if relative_to_time {
        let widest = size.procs.max(size.nodes * procs / nodes);
        let factor = widest / size.minutes.max(1.0) / procs;
        return if favors_small { 1.0 - factor } else { factor }.clamp(0.0, 1.0);
    }
    let (of_nodes, of_procs) = (size.nodes / nodes, size.procs / procs);
    let factor = f64::midpoint(of_nodes, of_procs);
    if favors_small { 1.0 - factor } else { factor }.clamp(0.0, 1.0)
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
    fn age_grows_to_one() {
        let of = |waited: i64| age(Time::from_secs(waited), Time::from_secs(1000));
        assert_eq!((of(0), of(250), of(5000)), (0.0, 0.25, 1.0));
    }

    #[test]
    fn size_is_the_mean_of_the_parts_of_nodes_and_processors() {
        // The numbers seen under 22.05.8: 16 of 32 nodes with 128 of 256 processors, and with 16 before the first test.
        let of = |procs: f64, favors_small, relative_to_time| {
            let rule = SizeRule { favors_small, relative_to_time };
            size_factor(SizeFactor { nodes: 16.0, procs, minutes: 60.0 }, (32.0, 256.0), rule)
        };
        assert_eq!((of(128.0, false, false), of(16.0, false, false)), (0.5, 0.28125));
        assert_eq!((of(64.0, true, false), of(128.0, false, true)), (0.625, 0.5 / 60.0));
        assert_eq!(of(128.0, true, true), 1.0 - 0.5 / 60.0);
    }

    #[test]
    fn months_are_counted_by_the_calendar() {
        let day = |days: i64| month(days).rem_euclid(12) + 1;
        // 1970-01-01, 1970-01-31, 1970-02-01, 2024-02-29, 2024-03-01, 2024-12-31.
        assert_eq!([0, 30, 31, 19_782, 19_783, 20_088].map(day), [1, 1, 2, 2, 3, 12]);
        assert_eq!(month(19_723) - month(19_722), 1, "the year 2024 begins");
    }
}
