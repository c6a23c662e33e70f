//! What running jobs are charged for by the second: what they hold.
//!
//! Source: `job_set_alloc_tres` and `calc_job_billable_tres` (`job_mgr.c`), `assoc_mgr_tres_weighted` (`assoc_mgr.c`), and the end of
//! `_job_test` (`cons_common/job_test.c`) of Slurm 22.05, of 25.05 for `MAX_TRES_GRES`.

use batchlab_contract::JobView;
use batchlab_traces::{JobId, Machine, Time};

use crate::site::{Billing, SlurmSite, TresWeight};

use super::factors::FactorRules;

#[derive(Clone, Copy, Debug)]
pub(super) struct Charge {
    /// Until when it has been charged.
    pub from: Time,
    pub association: usize,
    /// The place of the job in the order of submission.
    pub order: i64,
    /// Billing units a second.
    pub rate: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct Holding<'a> {
    pub machine: &'a Machine,
    /// The job's nodes; empty if they are unknown.
    pub nodes: &'a [usize],
    /// Its processors, if accounting tells.
    pub given: Option<i64>,
}

/// A job that has run or runs still: its start, its end, and itself.
pub type JobRun = (Time, Time, JobId);

impl Holding<'_> {
    /// Returns the processors: all of its nodes if it has these to itself.
    fn procs(&self, site: &SlurmSite, job: JobView<'_>) -> i64 {
        let of_nodes = || self.is_whole(job).then(|| self.capacity(0));
        self.given.or_else(of_nodes).unwrap_or_else(|| site.charged_procs(job))
    }

    fn is_whole(&self, job: JobView<'_>) -> bool {
        job.layout().exclusive && !self.nodes.is_empty() && !self.machine.is_pool()
    }

    /// Returns how much of a resource its nodes have.
    fn capacity(&self, kind: usize) -> i64 {
        let of = |&node: &usize| self.machine.capacity(node).get(kind).copied().unwrap_or(0);
        self.nodes.iter().map(of).fold(0, i64::saturating_add)
    }

    /// Returns the amount of a resource of the machine. Memory of whole nodes is what was asked for, on each node or for each of
    /// their processors; without a request it is all of it.
    fn amount(&self, site: &SlurmSite, job: JobView<'_>, kind: usize, is_memory: bool) -> f64 {
        let (layout, demand) = (job.layout(), job.demand()[kind]);
        if self.is_whole(job) && (!is_memory || demand == 0) {
            return self.capacity(kind) as f64;
        }
        if layout.is_even(kind) && layout.over > 0 && !self.nodes.is_empty() {
            return layout.part(demand) as f64 * self.nodes.len() as f64;
        }
        if self.is_whole(job) && site.has_memory_each(job) {
            return demand as f64 * self.procs(site, job) as f64 / job.procs().max(1) as f64;
        }
        demand as f64
    }
}

impl FactorRules {
    /// Returns what a job is charged for each second: its processors, unless its partition weighs resources.
    pub(super) fn billing(&self, job: JobView<'_>, held: Holding<'_>) -> f64 {
        let partition = self.site.partition(job).map(|at| &self.site.system.partitions[at]);
        let weights = partition.map_or(&[][..], |partition| &partition.billing);
        if weights.is_empty() {
            return held.procs(&self.site, job) as f64;
        }
        let billing = self.site.system.priority.billing;
        let (mut largest, mut sum) = (0.0_f64, 0.0);
        for TresWeight { resource, weight } in weights {
            let part = weight * self.held(job, resource, held);
            let is_of_node = match resource.as_str() {
                "cpu" | "mem" | "node" => billing != Billing::Sum,
                other => billing == Billing::Largest && other.starts_with("gres/"),
            };
            if is_of_node { largest = largest.max(part) } else { sum += part }
        }
        largest + sum
    }

    /// Returns the amount of a resource that a job holds; of memory, in MB, and none where it is not allocated.
    fn held(&self, job: JobView<'_>, resource: &str, held: Holding<'_>) -> f64 {
        let kind = self.kind(resource);
        match resource {
            "billing" => 0.0,
            "cpu" => held.procs(&self.site, job) as f64,
            "node" if held.nodes.is_empty() => self.nodes(job),
            "node" => held.nodes.len() as f64,
            "mem" => kind.map_or(0.0, |kind| held.amount(&self.site, job, kind, true) / 1024.0),
            _ => match resource.strip_prefix("license/") {
                Some(licence) => self.site.licence_of(job, licence) as f64,
                None => kind.map_or(0.0, |kind| held.amount(&self.site, job, kind, false)),
            },
        }
    }
}
