//! Which running jobs lose their nodes to waiting ones, and how.

use super::{Qos, SlurmPartition, SlurmSystem};
use batchlab_traces::priorities::{Preempted, Preemptible};
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::time::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlurmPreemption {
    /// What decides which jobs preempt which (`PreemptType`).
    pub by: PreemptBy,
    /// What becomes of running jobs (`PreemptMode`).
    pub mode: PreemptMode,
    /// How long jobs run before they can be preempted (`PreemptExemptTime`).
    pub exempt: Time,
    /// Whether the job that started last is taken first (`preempt_youngest_first`); otherwise the job of the lowest rank, and of
    /// several the job on the fewest nodes.
    pub youngest_first: bool,
    /// Whether only the job that made room at last is moved to the front (`preempt_strict_order`).
    pub strict_order: bool,
    /// How often the order of the candidates is changed, to take fewer of them (`preempt_reorder_count`).
    pub reorders: u64,
}

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
    /// They are paused, and keep their nodes and their memory.
    Suspend,
}

impl PreemptMode {
    /// Reads a value of `PreemptMode`, or returns `None` if it is not valid. In `SUSPEND,GANG`, the first word decides.
    pub fn parse(text: &str) -> Option<PreemptMode> {
        let words = text.split(',').map(|word| word.trim().to_ascii_uppercase());
        let modes: Option<Vec<Option<PreemptMode>>> = words
            .map(|word| match word.as_str() {
                "OFF" | "" | "DISABLED" => Some(Some(PreemptMode::Off)),
                "CANCEL" => Some(Some(PreemptMode::Cancel)),
                "REQUEUE" => Some(Some(PreemptMode::Requeue)),
                "SUSPEND" => Some(Some(PreemptMode::Suspend)),
                // Gang scheduling, preemption within one service class, preemption of lower priorities only.
                "GANG" | "WITHIN" | "PRIORITY" => Some(None),
                _ => None,
            })
            .collect();
        modes.map(|modes| modes.into_iter().flatten().next().unwrap_or_default())
    }
}

impl SlurmPartition {
    /// Whether its running jobs keep their processors, whatever the installation says (`PreemptMode=OFF`).
    pub fn keeps(&self) -> bool {
        self.preempt_mode == Some(PreemptMode::Off)
    }
}

impl SlurmSystem {
    /// Whether jobs of higher tiers suspend jobs of lower tiers on the same processors (`SUSPEND,GANG` by
    /// `preempt/partition_prio`, where processors are allocated).
    pub fn suspends(&self) -> bool {
        let by_tiers =
            |rules: SlurmPreemption| rules.by == PreemptBy::Partition && rules.mode == PreemptMode::Suspend;
        !self.select.whole_nodes && self.preemption.is_some_and(by_tiers)
    }

    /// Returns the tiers of the partitions, ascending, if jobs of higher tiers suspend others.
    pub fn suspending_tiers(&self) -> Vec<i64> {
        let tiers: SortedSet<i64> = self.partitions.iter().map(|partition| partition.tier).collect();
        if self.suspends() { tiers.into_iter().collect() } else { Vec::new() }
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
pub fn preempted_names(text: &str) -> SortedSet<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
