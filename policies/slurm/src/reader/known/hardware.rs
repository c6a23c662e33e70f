//! Keys behind the name of a node, a partition and the like.

use super::settings::POWER;
use super::{Effect, KnownNames, effect};

/// Behind `NodeName`.
#[rustfmt::skip]
pub(super) const NODES: KnownNames = KnownNames {
    followed: &[
        "NodeName", "Boards", "CPUs", "CPUSpecList", "CoreSpecCount", "CoresPerSocket", "Feature", "Features", "Gres",
        "MemSpecLimit", "Procs", "RealMemory", "Sockets", "SocketsPerBoard", "State", "ThreadsPerCore", "Weight",
    ],
    harmless: &[
        "BcastAddr", "CpuBind", "NodeAddr", "NodeHostname", "Port", "Reason", "TRESWeights", "TmpDisk", "Topology",
    ],
    effects: &[effect(
        "RestrictedCoresPerGPU",
        &["0"],
        "cores would be kept for jobs with GPUs",
    )],
};

/// Behind `PartitionName`, as the file and `scontrol show partition` have them.
#[rustfmt::skip]
pub(super) const PARTITIONS: KnownNames = KnownNames {
    followed: &[
        "PartitionName", "DefMemPerCPU", "Default", "DefaultTime", "ExclusiveUser", "GraceTime", "LLN", "MaxNodes", "MaxTime",
        "Nodes", "OverSubscribe", "PreemptMode", "Priority", "PriorityJobFactor", "PriorityTier", "QOS", "Shared",
        "TRESBillingWeights",
    ],
    harmless: &[
        "AllocNodes", "AllowAccounts", "AllowGroups", "AllowQos", "Alternate", "CpuBind", "DefMemPerNode", "DenyAccounts",
        "DenyQos", "DisableRootJobs", "Hidden", "NodeSets", "ResumeTimeout", "SuspendTimeout", "TotalCPUs", "TotalNodes", "TRES",
    ],
    effects: OF_PARTITIONS,
};

const SHARED: &[&str] = &["no", "exclusive", "force:1"];
const SHARES: &str =
    "jobs would share a processor, as many as stated (YES: if they ask for it), and start earlier than here";

const OF_PARTITIONS: &[Effect] = &[
    effect("OverSubscribe", SHARED, SHARES),
    effect("Shared", SHARED, SHARES),
    effect("DefCpuPerGPU", &["0", "unlimited"], "jobs would get so many processors for each GPU"),
    effect("DefMemPerGPU", &["0", "unlimited"], "jobs would get so much memory for each GPU"),
    effect("ExclusiveTopo", &["no", "0", "false"], "blocks of nodes would serve one job at a time"),
    effect("JobDefaults", &[], "jobs would get so many processors, or so much memory, for each GPU"),
    effect("MaxCPUsPerNode", &["unlimited", "infinite"], "jobs would use fewer processors of a node"),
    effect("MaxCPUsPerSocket", &["unlimited", "infinite"], "jobs would use fewer processors of a socket"),
    effect(
        "MaxMemPerCPU",
        &["0", "unlimited"],
        "jobs that ask for memory by node would get more processors; those that ask by processor do",
    ),
    effect("MaxMemPerNode", &["0", "unlimited"], "jobs that ask for more memory would be refused"),
    effect("MinNodes", &["0", "1"], "smaller jobs would be refused"),
    effect("OverTimeLimit", &["none", "0"], "jobs could exceed their limits by that in this partition"),
    effect("PowerDownOnIdle", &["no", "0", "false"], "nodes would be powered down after each job"),
    effect("ReqResv", &["no", "0", "false"], "jobs outside of reservations would be refused"),
    effect("RootOnly", &["no", "0", "false"], "only root could submit"),
    effect(
        "SelectTypeParameters",
        &["none"],
        "processors would be allocated by another unit in this partition",
    ),
    effect("State", &["up"], "no job would start there"),
    effect("SuspendTime", &["-1", "infinite", "none", "global"], POWER),
    effect("Topology", &[], "jobs would be placed by the topology of this name"),
];

/// Behind the other names: sets of nodes, nodes that are down, switches, reservations, hosts of the daemons.
#[rustfmt::skip]
pub(super) const OTHERS: KnownNames = KnownNames {
    followed: &["NodeSet", "Feature", "Nodes", "DownNodes", "State", "SwitchName", "Switches", "ReservationName"],
    harmless: &[
        "Reason", "LinkSpeed", "SlurmctldHost", "SlurmctldAddr", "FrontendName", "FrontendAddr", "AllowGroups", "AllowUsers",
        "DenyGroups", "DenyUsers", "Port",
    ],
    effects: &[],
};
