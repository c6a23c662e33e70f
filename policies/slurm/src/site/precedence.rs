//! Which waiting jobs come before others because they may preempt them.
//!
//! Source: `sort_job_queue2` (`job_scheduler.c`) and `preempt_p_job_preempt_check` of both plug-ins of Slurm 22.05: two waiting
//! jobs are compared by whether one may preempt the other, and only then by reservation, tier and priority.

use std::cmp::Ordering;

use batchlab_traces::sorted::SortedSet;

use super::jobs::Index;
use super::{PreemptBy, SlurmSite};

/// Which classes of jobs preempt which: their service classes or their partitions. The last class is that of jobs without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precedence {
    /// How many others each class preempts, if these numbers tell for all classes whether one preempts the other; else zeros.
    levels: Vec<i64>,
    /// Else the pairs of classes of which the first preempts the second. The queue may have no order then that holds for all jobs.
    pairs: Option<SortedSet<(usize, usize)>>,
}

impl Precedence {
    /// Returns what follows from the classes that jobs have. O(classes²).
    fn new(used: &SortedSet<usize>, preempts: impl Fn(usize, usize) -> bool) -> Precedence {
        let classes = used.last().map_or(0, |&last| last + 1);
        let mut levels = vec![0; classes];
        for &class in used {
            levels[class] = used.iter().filter(|&&other| preempts(class, other)).count() as i64;
        }
        let all = used.iter().flat_map(|&one| used.iter().map(move |&other| (one, other)));
        if all.clone().all(|(one, other)| preempts(one, other) == (levels[one] > levels[other])) {
            return Precedence { levels, pairs: None };
        }
        let pairs = all.filter(|&(one, other)| preempts(one, other)).collect();
        Precedence { levels: Vec::new(), pairs: Some(pairs) }
    }

    /// Returns the level of a class: jobs of higher levels come first.
    pub fn level(&self, class: usize) -> i64 {
        self.levels.get(class).copied().unwrap_or(0)
    }

    /// Whether jobs have to be compared pair by pair, because levels do not tell their order.
    pub fn is_by_pairs(&self) -> bool {
        self.pairs.is_some()
    }

    /// Compares jobs by their classes alone, where jobs are compared pair by pair.
    fn compare(&self, one: usize, other: usize) -> Ordering {
        let preempts = |pair| self.pairs.as_ref().is_some_and(|pairs| pairs.contains(&pair));
        if preempts((one, other)) {
            Ordering::Less
        } else if preempts((other, one)) {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }

    /// Sorts jobs that stand in the order of their submission, each with its class and its rank, as slurmctld does. Its comparison
    /// may go in a circle; then the order depends on the algorithm, which is the merge sort of `qsort` in glibc (`list_sort`).
    /// O(n log n).
    pub fn sort<J, R: Ord>(&self, mut jobs: Vec<(usize, R, J)>) -> Vec<(usize, R, J)> {
        if jobs.len() < 2 {
            return jobs;
        }
        let second = jobs.split_off(jobs.len() / 2);
        let mut sorted = Vec::with_capacity(jobs.len() + second.len());
        let mut first = self.sort(jobs).into_iter().peekable();
        let mut second = self.sort(second).into_iter().peekable();
        while let (Some(one), Some(other)) = (first.peek(), second.peek()) {
            let is_behind = self.compare(one.0, other.0).then_with(|| one.1.cmp(&other.1)).is_gt();
            sorted.extend(if is_behind { second.next() } else { first.next() });
        }
        sorted.extend(first.chain(second));
        sorted
    }
}

impl SlurmSite {
    /// Returns which waiting jobs come before others because they may preempt them. By partitions these are jobs of a higher tier
    /// on the same nodes; without jobs in reservations, tiers alone tell this order.
    pub fn precedence(&self) -> Precedence {
        let (qos, partitions) = (&self.system.qos, &self.system.partitions);
        match self.system.preemption.map(|rules| rules.by) {
            Some(PreemptBy::Qos) => {
                let used = self.jobs.iter().map(|job| job.qos.map_or(qos.len(), Index::get)).collect();
                Precedence::new(&used, |one, other| {
                    let pair = qos.get(one).zip(qos.get(other)).filter(|_| one != other);
                    pair.is_some_and(|(one, other)| one.preempts.contains(&other.name))
                })
            }
            Some(PreemptBy::Partition) if self.jobs.iter().any(|job| job.reservation.is_some()) => {
                let used = (0..partitions.len()).collect();
                Precedence::new(&used, |one, other| {
                    let (one, other) = (&partitions[one], &partitions[other]);
                    let meets = || one.nodes.iter().any(|node| other.nodes.binary_search(node).is_ok());
                    one.tier > other.tier && meets()
                })
            }
            _ => Precedence::default(),
        }
    }

    /// Returns the class of a job in one of its partitions, as [`Precedence`] counts it.
    pub fn precedence_class(&self, qos: Option<usize>, partition: Option<usize>) -> usize {
        match self.system.preemption.map(|rules| rules.by) {
            Some(PreemptBy::Qos) => qos.unwrap_or(self.system.qos.len()),
            _ => partition.unwrap_or(self.system.partitions.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts jobs of some classes with these numbers as ranks; returns the ranks.
    fn sorted(pairs: &[(usize, usize)], jobs: &[(usize, i64)]) -> (bool, Vec<i64>) {
        let used = jobs.iter().map(|&(class, _)| class).collect();
        let precedence = Precedence::new(&used, |one, other| pairs.contains(&(one, other)));
        let level = |class| -precedence.level(class);
        let jobs = jobs.iter().map(|&(class, rank)| (class, (level(class), rank), ())).collect();
        let ranks = precedence.sort(jobs).into_iter().map(|(_, (_, rank), ())| rank).collect();
        (precedence.is_by_pairs(), ranks)
    }

    #[test]
    fn a_chain_of_classes_is_an_order() {
        let chain = [(2, 1), (2, 0), (1, 0)];
        assert_eq!(sorted(&chain, &[(0, 1), (1, 2), (2, 3), (0, 4)]), (false, vec![3, 2, 1, 4]));
        assert_eq!(sorted(&[], &[(0, 2), (1, 1)]), (false, vec![1, 2]));
        // The middle class has no job.
        assert_eq!(sorted(&[(2, 1), (2, 0)], &[(0, 1), (2, 2)]), (false, vec![2, 1]));
    }

    #[test]
    fn other_lists_hold_for_pairs_of_jobs() {
        // Class 1 preempts class 0, class 2 neither: of classes 1 and 2 the rank decides.
        assert_eq!(sorted(&[(1, 0)], &[(1, 2), (2, 1)]), (false, vec![1, 2]));
        assert_eq!(sorted(&[(1, 0)], &[(1, 2), (2, 1), (0, 3)]), (true, vec![1, 2, 3]));
        // A circle: class 1 is before class 0, and by rank 0 before 2 and 2 before 1. What decides is which jobs are compared.
        assert_eq!(sorted(&[(1, 0)], &[(2, 2), (1, 3), (0, 1)]), (true, vec![2, 3, 1]));
        assert_eq!(sorted(&[(1, 0)], &[(1, 3), (0, 1), (2, 2)]), (true, vec![3, 1, 2]));
        // Two classes that preempt each other stay as they are.
        assert_eq!(sorted(&[(0, 1), (1, 0)], &[(0, 2), (1, 1)]), (true, vec![2, 1]));
    }
}
