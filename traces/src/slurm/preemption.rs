//! Which running jobs lose their nodes to waiting ones, and how.

use std::collections::BTreeSet;

use super::{Qos, SlurmPartition, SlurmSystem};
use crate::priorities::{Preempted, Preemptible};
use crate::time::Time;

/// How an installation preempts running jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preemption {
    /// What decides which jobs preempt which (`PreemptType`).
    pub by: PreemptBy,
    /// What becomes of running jobs (`PreemptMode`).
    pub mode: PreemptMode,
    /// So long do jobs run before they can be preempted (`PreemptExemptTime`).
    pub exempt: Time,
    /// Whether the job that started last is taken first (`preempt_youngest_first`); otherwise those of the lowest rank, and of
    /// these the one on the fewest nodes.
    pub youngest_first: bool,
    /// Whether only the job that made room at last is moved to the front (`preempt_strict_order`).
    pub strict_order: bool,
    /// How often the order of the candidates is changed, to take fewer of them (`preempt_reorder_count`).
    pub reorders: u64,
}

/// What decides which jobs preempt which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreemptBy {
    /// `PriorityTier` of their partitions (`preempt/partition_prio`).
    Partition,
    /// Lists of the service classes (`preempt/qos`).
    Qos,
}

/// What becomes of running jobs whose nodes others take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreemptMode {
    /// They keep them.
    #[default]
    Off,
    /// They end.
    Cancel,
    /// They wait again.
    Requeue,
    /// They are paused. The twin does not follow it: they keep their nodes.
    Suspend,
}

impl PreemptMode {
    /// Reads `PreemptMode`; `None` if the text is none. Of `SUSPEND,GANG` the first word counts.
    pub fn parse(text: &str) -> Option<PreemptMode> {
        let words = text.split(',').map(|word| word.trim().to_ascii_uppercase());
        let modes: Option<Vec<Option<PreemptMode>>> = words
            .map(|word| match word.as_str() {
                "OFF" | "" | "DISABLED" => Some(Some(PreemptMode::Off)),
                "CANCEL" => Some(Some(PreemptMode::Cancel)),
                "REQUEUE" => Some(Some(PreemptMode::Requeue)),
                "SUSPEND" => Some(Some(PreemptMode::Suspend)),
                // Of jobs that share nodes in turns; and of jobs of one service class.
                "GANG" | "WITHIN" => Some(None),
                _ => None,
            })
            .collect();
        modes.map(|modes| modes.into_iter().flatten().next().unwrap_or_default())
    }
}

impl SlurmSystem {
    /// Returns for each service class how many others, one below the other, its jobs preempt: waiting jobs that may preempt
    /// others come before them. Zeros unless lists of service classes decide (`preempt/qos`). O(classes³).
    pub fn preempting_levels(&self) -> Vec<i64> {
        let mut levels = vec![0; self.qos.len()];
        if self.preemption.is_none_or(|preemption| preemption.by != PreemptBy::Qos) {
            return levels;
        }
        // Lists may go in a circle: no chain is longer than the number of classes.
        for _ in 0..self.qos.len() {
            let below = |qos: &Qos| {
                let preempted = |other: &&(&Qos, &i64)| qos.preempts.contains(&other.0.name);
                let others: Vec<(&Qos, &i64)> = self.qos.iter().zip(&levels).collect();
                others.iter().filter(preempted).map(|(_, level)| **level + 1).max().unwrap_or(0)
            };
            let next: Vec<i64> = self.qos.iter().map(below).collect();
            levels = next;
        }
        levels
    }

    /// Whether a waiting job may take the nodes of a running one, by their partitions and service classes.
    pub(super) fn preempts(
        &self,
        (waiting, running): (Option<&SlurmPartition>, Option<&SlurmPartition>),
        (of_waiting, of_running): (Option<&Qos>, Option<&Qos>),
    ) -> bool {
        match self.preemption.map(|preemption| preemption.by) {
            None => false,
            Some(PreemptBy::Partition) => {
                let tier = |partition: Option<&SlurmPartition>| partition.map_or(1, |known| known.tier);
                tier(running) < tier(waiting)
            }
            Some(PreemptBy::Qos) => match (of_waiting, of_running) {
                (Some(waiting), Some(running)) => waiting.preempts.contains(&running.name),
                _ => false,
            },
        }
    }

    /// Returns how a running job loses its nodes, by its partition and service class; `None` if it keeps them.
    pub(super) fn preemptible(
        &self,
        partition: Option<&SlurmPartition>,
        qos: Option<&Qos>,
    ) -> Option<Preemptible> {
        let rules = self.preemption?;
        let (own, grace) = match rules.by {
            PreemptBy::Partition => partition.map(|known| (known.preempt_mode, known.grace)),
            PreemptBy::Qos => qos.map(|known| (known.preempt_mode, known.grace)),
        }
        .unwrap_or_default();
        let preempted = match own.unwrap_or(rules.mode) {
            PreemptMode::Off | PreemptMode::Suspend => return None,
            PreemptMode::Cancel => Preempted::Cancelled,
            PreemptMode::Requeue => Preempted::Requeued,
        };
        let exempt = qos.and_then(|known| known.exempt).unwrap_or(rules.exempt);
        Some(Preemptible { preempted, grace, exempt })
    }
}

/// Reads the names of a list such as `low,scavenger`.
pub fn preempted_names(text: &str) -> BTreeSet<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
