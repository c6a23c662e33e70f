//! The factors of a job's priority, each with its weight: what `sprio` shows.
//!
//! Source: `set_priority_factors`, `_get_tres_factors` and `_get_priority_internal` of Slurm 22.05.

use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_traces::workload::MEMORY;
use batchlab_traces::{Machine, Time};
use serde::Serialize;

use crate::site::{PriorityConfig, SizeRule, SlurmSite, TresWeight};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Factors {
    /// How long its age has counted.
    pub age: f64,
    pub association: f64,
    /// How little its user has used.
    pub fairshare: f64,
    /// How large it is.
    pub size: f64,
    pub partition: f64,
    /// The priority of its service class.
    pub qos: f64,
    /// The sum of its resources.
    pub tres: f64,
    /// What it takes off (`--nice`).
    pub nice: i64,
}

impl Factors {
    pub fn sum(&self) -> f64 {
        let Factors { age, association, fairshare, size, partition, qos, tres, nice } = *self;
        age + association + fairshare + size + partition + qos + tres - nice as f64
    }

    /// Returns the priority: the sum truncated, at least 1.
    pub fn priority(&self) -> u64 {
        (self.sum().max(1.0) as u64).min(u64::from(u32::MAX))
    }
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

#[derive(Clone, Copy, Debug, PartialEq)]
struct SizeFactor {
    nodes: f64,
    procs: f64,
    minutes: f64,
}

/// The resource of what a job is charged by the second.
const BILLING: &str = "billing";

impl Totals {
    fn of(site: &SlurmSite, machine: &Machine) -> Totals {
        let system = &site.system;
        let most = |values: &mut dyn Iterator<Item = i64>| values.max().unwrap_or(0) as f64;
        let of_partition = |nodes: &Vec<usize>| {
            let total = |kind: usize| nodes.iter().map(|&node| machine.capacity(node)[kind] as f64).sum();
            (0..machine.kinds()).map(total).collect()
        };
        Totals {
            nodes: machine.nodes() as f64,
            procs: machine.procs() as f64,
            job_factor: most(&mut system.partitions.iter().map(|partition| partition.job_factor)),
            qos: most(&mut system.qos.iter().map(|qos| qos.priority)),
            association: most(&mut site.tree.iter().map(|association| association.priority)),
            partitions: system.partitions.iter().map(|partition| of_partition(&partition.nodes)).collect(),
            kinds: machine.resources().iter().map(|resource| resource.name.clone()).collect(),
        }
    }

    fn kind(&self, resource: &str) -> Option<usize> {
        let name = match resource {
            "cpu" | BILLING => return Some(0),
            "mem" => MEMORY,
            other => other.strip_prefix("gres/").unwrap_or(other),
        };
        self.kinds.iter().position(|kind| kind == name)
    }
}

/// A partition in which a job waits, with what counts there.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    pub partition: Option<usize>,
    /// The index of the job's service class.
    pub qos: Option<usize>,
    /// The job's time limit as the loops count it.
    pub limit: Time,
    /// Whether a loop has tested the job, which decides on its size.
    pub is_tested: bool,
}

pub(super) struct FactorRules {
    pub(super) site: Arc<SlurmSite>,
    totals: Totals,
}

impl FactorRules {
    pub fn new(site: Arc<SlurmSite>, machine: &Machine) -> FactorRules {
        FactorRules { totals: Totals::of(&site, machine), site }
    }

    pub(super) fn kind(&self, resource: &str) -> Option<usize> {
        self.totals.kind(resource)
    }

    pub fn factors(&self, job: JobView<'_>, waits: Waits, now: Time, fairshare: f64) -> Factors {
        let config = &self.site.system.priority;
        let since = self.site.age_since(job);
        Factors {
            age: config.weights.age * since.map_or(0.0, |since| age(now - since, config.max_age)),
            fairshare: config.weights.fairshare * fairshare,
            ..self.fixed(job, waits)
        }
    }

    /// Returns the factors of a job that do not change as it waits: all but age and fairshare. The job's size is what it asks for
    /// until a loop has tested it, and after that the size of the nodes that were found.
    pub fn fixed(&self, job: JobView<'_>, waits: Waits) -> Factors {
        let (system, site) = (&self.site.system, &self.site);
        let config: &PriorityConfig = &system.priority;
        let weights = &config.weights;
        let [raw_association, raw_partition, raw_qos, _] = config.raw;
        let association = site.association(job).and_then(|at| site.tree.get(at));
        let qos = waits.qos.and_then(|at| system.qos.get(at));
        let partition = waits.partition.and_then(|at| system.partitions.get(at));
        Factors {
            age: 0.0,
            association: association.map_or(0.0, |association| {
                let priority = association.priority as f64;
                weights.association * part(priority, self.totals.association, raw_association)
            }),
            fairshare: 0.0,
            size: weights.size * self.size(self.asked(job, waits)),
            partition: partition.map_or(0.0, |partition| {
                let factor = partition.job_factor as f64;
                weights.partition * part(factor, self.totals.job_factor, raw_partition)
            }),
            qos: qos.map_or(0.0, |qos| weights.qos * part(qos.priority as f64, self.totals.qos, raw_qos)),
            tres: weights
                .tres
                .iter()
                .map(|weight| self.tres(job, waits.partition, weight))
                .fold(0.0, |a, b| a + b),
            nice: site.nice(job),
        }
    }

    pub fn tres(&self, job: JobView<'_>, partition: Option<usize>, weight: &TresWeight) -> f64 {
        let [.., raw] = self.site.system.priority.raw;
        let kind = self.totals.kind(&weight.resource);
        let total = partition.and_then(|at| self.totals.partitions.get(at)).zip(kind);
        let partition = partition.and_then(|at| self.site.system.partitions.get(at));
        let nodes = || partition.map(|partition| partition.nodes.len());
        let total = match (total, weight.resource.as_str()) {
            (Some((amounts, kind)), "mem") => amounts[kind] / 1024.0,
            (Some((amounts, kind)), _) => amounts[kind],
            (None, "node") => nodes().unwrap_or(0) as f64,
            (None, _) => 0.0,
        };
        weight.weight * part(self.amount(job, weight), total, raw)
    }

    fn asked(&self, job: JobView<'_>, Waits { limit, is_tested, .. }: Waits) -> SizeFactor {
        let (system, site) = (&self.site.system, &self.site);
        let nodes = self.nodes(job);
        let whole = system.select.whole_nodes || job.layout().exclusive;
        SizeFactor {
            nodes,
            procs: match site.asked_procs(job) {
                Some(_) if whole && is_tested => nodes * self.totals.procs / self.totals.nodes,
                Some(procs) if whole => nodes.max(procs as f64),
                // Which cores a job gets is known once it was tested.
                Some(procs) if site.has_blocks && !is_tested => procs as f64,
                _ => site.charged_procs(job) as f64,
            },
            minutes: limit.secs() / 60.0,
        }
    }

    /// Returns the amount of a resource of a job; of memory, in MB.
    pub fn amount(&self, job: JobView<'_>, weight: &TresWeight) -> f64 {
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
    pub(super) fn nodes(&self, job: JobView<'_>) -> f64 {
        let layout = job.layout();
        match self.site.asked_nodes(job).or_else(|| self.site.least_nodes(job)) {
            None if layout.per_node == 1 => layout.count() as f64,
            asked => asked.unwrap_or(1) as f64,
        }
    }

    fn size(&self, size: SizeFactor) -> f64 {
        size_factor(size, self.totals.nodes, self.totals.procs, self.site.system.priority.size)
    }
}

/// Returns a value as a part of the greatest value, or as it is (`NO_NORMAL_*`).
fn part(value: f64, most: f64, raw: bool) -> f64 {
    match (raw, most > 0.0) {
        (true, _) => value,
        (false, true) => value / most,
        (false, false) => 0.0,
    }
}

fn age(waited: Time, most: Time) -> f64 {
    if most <= Time::ZERO { 1.0 } else { (waited.secs() / most.secs()).clamp(0.0, 1.0) }
}

fn size_factor(size: SizeFactor, nodes: f64, procs: f64, rule: SizeRule) -> f64 {
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
            size_factor(SizeFactor { nodes: 16.0, procs, minutes: 60.0 }, 32.0, 256.0, rule)
        };
        assert_eq!((of(128.0, false, false), of(16.0, false, false)), (0.5, 0.28125));
        assert_eq!((of(64.0, true, false), of(128.0, false, true)), (0.625, 0.5 / 60.0));
        assert_eq!(of(128.0, true, true), 1.0 - 0.5 / 60.0);
    }

    #[test]
    fn a_priority_is_the_sum_truncated_and_at_least_one() {
        let factors = Factors {
            age: 100.9,
            association: 1.0,
            fairshare: 5000.0,
            size: 62.5,
            partition: 500.0,
            qos: 2000.0,
            tres: 31.25,
            nice: 500,
        };
        assert!((factors.sum() - 7195.65).abs() < 1e-9);
        assert_eq!(factors.priority(), 7195);
        assert_eq!(Factors { nice: 10_000, ..factors }.priority(), 1, "0 is for jobs that are held");
        assert_eq!(Factors { nice: -(1 << 40), ..factors }.priority(), u64::from(u32::MAX));
    }
}
