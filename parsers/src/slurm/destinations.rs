//! Explanations of where the values of Slurm's logs go, for destinations that several formats share.

pub(super) const STARTED: &str = "check: whether it started";
pub(super) const ELIGIBLE: &str = "eligible, s after submission";
pub(super) const ASKED: &str = "requested processors, memory, gpu and other resources";
pub(super) const OF_NODE: &str = "gpu and other resources of each node, likewise";
pub(super) const OF_SOCKET: &str = "gpu and other resources of each socket, likewise";
pub(super) const OF_TASK: &str = "gpu and other resources of each task, likewise";
pub(super) const TASKS: &str = "array_task; tasks of an array in one row";
pub(super) const WRITTEN: &str = "check: the queue was written after it";
pub(super) const GROUP: &str = "group, if Account is missing";
pub(super) const WAIT: &str = "wait time, unless it waits";
pub(super) const RUN: &str = "run time, unless it runs";
pub(super) const PROCESSORS: &str = "requested processors; allocated ones, if it started";
pub(super) const BY_CORE: &str = "asked_core: processors of each core";
pub(super) const TASKS_BY_CORE: &str = "asked_core, likewise: tasks of each core";
pub(super) const PARTITIONS: &str =
    "queue and partition: the first of several; in_partitions, with --slurm: all of them";
pub(super) const AGE_FROM: &str = "age_from, with --slurm: s after submission, of a job that waits";
pub(super) const PRIORITY_NOW: &str = "priority_now, with --slurm: of a job that waits";
pub(super) const SHAPE: &str = "with --slurm: how a job that waits is to lie on nodes";
pub(super) const EXCLUDED: &str = "constraint of a job that waits";
pub(super) const SUSPENDED: &str = "suspended";
pub(super) const NICE: &str = "nice, with --slurm";
