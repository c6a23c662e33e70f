//! Columns of a log that state what a job asked of its batch system, and what the batch system did with it.
//!
//! Each constant is the name of a column, and its line says what the column states; notes of the header give the names for which
//! numbers stand. Readers of logs write these columns; crates that know the rules of a batch system, such as `batchlab-slurm`,
//! read them.

/// Which loop of the scheduler started a job.
pub const STARTED_BY: &str = "started_by";
/// In [`STARTED_BY`]: the attempt at submission.
pub const SUBMISSION: &str = "submission";
/// In [`STARTED_BY`]: the main loop.
pub const MAIN: &str = "main";
/// In [`STARTED_BY`]: the backfill loop.
pub const BACKFILL: &str = "backfill";

/// The `--nice` of a job: by how much its priority is lower.
pub const NICE: &str = "nice";
/// In which advance reservation a job runs.
pub const RESERVATION: &str = "reservation";
/// Why a job waits, in Slurm's word.
pub const REASON: &str = "reason";
/// In which partitions a job may run, if it named several (`--partition=a,b`); its numbers are named by notes, as lists.
pub const ASKED_PARTITIONS: &str = "asked_partitions";
/// How many nodes a job asked for, at least (`--nodes`).
pub const ASKED_NODES: &str = "asked_nodes";
/// The most nodes that a job asked for, if more than the least (`--nodes=2-4`).
pub const ASKED_MOST: &str = "asked_nodes_most";
/// The processors of each task of a job (`--cpus-per-task`).
pub const ASKED_TASK: &str = "asked_task";
/// How many processors of each core a job may use, if not all (`--threads-per-core`,
/// `--hint=nomultithread`, `--ntasks-per-core`).
pub const ASKED_CORE: &str = "asked_core";
/// Whether a job asked for memory by processors: 1 with `--mem-per-cpu`, 0 with `--mem`.
pub const ASKED_MEMORY_EACH: &str = "asked_memory_each";
/// The beginning of the name of a column of a log that states, by 1, that a job asked for an amount of a resource on each of its
/// nodes (`--gres`, `--gpus-per-node`, `--mem`); the name of the resource follows, without its type.
pub const ASKED_EACH: &str = "asked_each_";
/// Over how many nodes a job's demand is counted if it asked for amounts on each node: the nodes that it asked for or got.
pub const ASKED_OVER: &str = "asked_over";
/// How many tasks a job asked for on each node (`--ntasks-per-node`).
pub const ASKED_PER_NODE: &str = "asked_per_node";
/// Whether a job may be requeued: 1 with `--requeue`, 0 with `--no-requeue` and for jobs of `srun` and `salloc`.
pub const ASKED_REQUEUE: &str = "asked_requeue";
/// The time limit that a job asked for at its submission, in minutes, if it came to have another one.
pub const ASKED_LIMIT: &str = "asked_limit";
/// The partition that a job named at its submission, if it came to have another one.
pub const ASKED_PARTITION: &str = "asked_partition";
/// The service class that a job named at its submission, if it came to have another one.
pub const ASKED_QOS: &str = "asked_qos";
/// On how many leaf switches a job asked to be (`--switches`).
pub const ASKED_SWITCHES: &str = "asked_switches";
/// How long a job waits for its number of switches, in seconds; -1: as long as the site permits.
pub const SWITCHES_WAIT: &str = "switches_wait";
/// The priority of a job at its submission.
pub const PRIORITY: &str = "priority";
/// The nodes on which a job ran, as lists of hosts.
pub const RAN_ON: &str = "ran_on";
/// When the age of a waiting job began to count, in seconds after its submission; less than -1 if it does not count yet.
pub const AGE_FROM: &str = "age_from";
/// The priority of a waiting job when its queue was listed; 0 if it is held.
pub const PRIORITY_NOW: &str = "priority_now";
/// How many nodes a waiting job needs at least, as Slurm counts them in its priority.
pub const LEAST_NODES: &str = "least_nodes";
