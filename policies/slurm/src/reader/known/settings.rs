//! Lines of `slurm.conf`.

use super::{Effect, KnownNames, effect, script};

pub(super) const NAMES: KnownNames = KnownNames { followed: FOLLOWED, harmless: HARMLESS, effects: EFFECTS };

/// The settings that are followed, as `--set` takes them.
#[rustfmt::skip]
pub(super) const FOLLOWED: &[&str] = &[
    "SchedulerType", "SchedulerParameters", "SchedulerTimeSlice", "SelectType", "SelectTypeParameters", "TopologyParam",
    "TopologyPlugin", "PreemptExemptTime", "PreemptMode", "PreemptParameters", "PreemptType", "PriorityType",
    "PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare", "PriorityWeightJobSize",
    "PriorityWeightPartition", "PriorityWeightQOS", "PriorityWeightTRES", "PriorityMaxAge", "PriorityDecayHalfLife",
    "PriorityCalcPeriod", "PriorityUsageResetPeriod", "PriorityFavorSmall", "PriorityFlags", "PriorityParameters",
    "PrioritySiteFactorPlugin", "PrioritySiteFactorParameters", "FairShareDampeningFactor", "AccountingStorageEnforce",
    "CompleteWait", "DefMemPerCPU", "JobRequeue", "KillWait", "Licenses", "OverTimeLimit", "SLURM_VERSION",
    "SlurmVersion",
];

const KEPT_OUT: &str = "jobs that ask for more memory would be refused";
const BEGIN: &str = "it runs before each job: nodes may be late for the job";
const END: &str = "it runs after each job: its nodes are busy for so long after its end";
pub(super) const POWER: &str = "idle nodes would be powered down: jobs there would start up to ResumeTimeout later than here, and \
                                nodes that are up would be chosen first";

const EFFECTS: &[Effect] = &[
    effect(
        "SchedulerType",
        &["sched/builtin", "sched/backfill"],
        "another program would schedule; sched/backfill is replayed",
    ),
    effect(
        "SelectType",
        &["select/linear", "select/cons_res", "select/cons_tres"],
        "nodes would be selected by another plug-in; select/cons_tres is replayed",
    ),
    effect(
        "PriorityType",
        &["priority/basic", "priority/multifactor"],
        "jobs would be ranked by another plug-in; the default is replayed",
    ),
    effect(
        "PreemptType",
        &["preempt/none", "preempt/partition_prio", "preempt/qos"],
        "another plug-in would preempt jobs; none is preempted",
    ),
    effect(
        "TopologyPlugin",
        &["topology/none", "topology/default", "topology/flat", "topology/tree"],
        "jobs would be placed by the topology of the network",
    ),
    effect("PrioritySiteFactorPlugin", &["site_factor/none"], "the plug-in would add to priorities"),
    effect(
        "JobSubmitPlugins",
        &[],
        "jobs would be changed as they are submitted: their columns are of after that, but nodes, tasks and lists of partitions are \
         those of the submit line, so that jobs may start elsewhere or at other times than here",
    ),
    effect(
        "AllowSpecResourcesUsage",
        &["no", "0", "false"],
        "jobs of --core-spec would use specialized cores",
    ),
    effect("BurstBufferType", &["burst_buffer/none"], "jobs with burst buffers would wait for their data"),
    effect("DefCpuPerGPU", &["0", "unlimited"], "jobs would get so many processors for each GPU"),
    effect("DefMemPerGPU", &["0", "unlimited"], "jobs would get so much memory for each GPU"),
    effect("FastSchedule", &["1", "2"], "nodes would have the processors and memory that they report"),
    effect(
        "MaxMemPerCPU",
        &["0", "unlimited"],
        "jobs that ask for memory by node would get more processors; those that ask by processor do",
    ),
    effect("MaxMemPerNode", &["0", "unlimited"], KEPT_OUT),
    effect("MCSPlugin", &["mcs/none"], "nodes would be shared only among jobs of one label"),
    effect(
        "NodeFeaturesPlugins",
        &[],
        "nodes would be booted into the features that jobs ask for, and jobs would wait for that",
    ),
    effect("ResumeProgram", &[], POWER),
    effect("SuspendTime", &["-1", "infinite", "none"], POWER),
    script("Prolog", BEGIN),
    script("PrologSlurmctld", BEGIN),
    script("Epilog", END),
    script("EpilogSlurmctld", "it runs after each job; the nodes are free meanwhile"),
];

/// Settings of how the daemons work, what they record, and which jobs they take.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "AccountingStorageBackupHost", "AccountingStorageExternalHost", "AccountingStorageHost", "AccountingStorageLoc",
    "AccountingStorageParameters", "AccountingStoragePass", "AccountingStoragePort", "AccountingStorageTRES",
    "AccountingStorageType", "AccountingStorageUser", "AccountingStoreFlags", "AccountingStoreJobComment",
    "AcctGatherEnergyType", "AcctGatherFilesystemType", "AcctGatherInfinibandType", "AcctGatherInterconnectType",
    "AcctGatherNodeFreq", "AcctGatherProfileType", "AuthAltParameters", "AuthAltTypes", "AuthInfo", "AuthType", "BackupAddr",
    "BackupController", "BatchStartTimeout", "BcastExclude", "BcastParameters", "BurstBufferParameters", "CacheGroups",
    "CertgenParameters", "CertgenType", "CertmgrParameters", "CertmgrType", "CheckpointType", "ChosLoc", "CliFilterPlugins", "ClusterName",
    "CommunicationParameters", "ControlAddr", "ControlMachine", "CoreSpecPlugin", "CpuFreqDef", "CpuFreqGovernors", "CredType",
    "CryptoType", "DataParserParameters", "DebugFlags", "DefMemPerNode", "DefaultStorageHost", "DefaultStorageLoc",
    "DefaultStoragePass", "DefaultStoragePort", "DefaultStorageType", "DefaultStorageUser", "DependencyParameters",
    "DisableRootJobs", "EioTimeout", "EnforcePartLimits", "EpilogMsgTime", "EpilogTimeout", "ExtSensorsFreq", "ExtSensorsType",
    "FederationParameters", "FirstJobId", "GetEnvTimeout", "GpuFreqDef", "GresTypes", "GroupUpdateForce", "GroupUpdateTime",
    "HashPlugin", "HealthCheckInterval", "HealthCheckNodeState", "HealthCheckProgram", "InactiveLimit", "InteractiveStepOptions",
    "JobAcctGatherFrequency", "JobAcctGatherParams", "JobAcctGatherType", "JobCheckpointDir", "JobCompHost", "JobCompLoc",
    "JobCompParams", "JobCompPass", "JobCompPort", "JobCompType", "JobCompUser", "JobContainerType", "JobCredentialPrivateKey",
    "JobCredentialPublicCertificate", "JobFileAppend", "KeepAliveTime", "KillOnBadExit", "LaunchParameters", "LaunchType",
    "Layouts", "LogTimeFormat", "MCSParameters", "MailDomain", "MailProg", "MaxArraySize", "MaxBatchRequeue", "MaxDBDMsgs",
    "MaxJobCount", "MaxJobId", "MaxNodeCount", "MaxStepCount", "MaxTasksPerNode", "MemLimitEnforce", "MessageTimeout", "MinJobAge",
    "MpiDefault", "MpiParams", "MsgAggregationParams", "NamespaceType", "PlugStackConfig", "PluginDir", "PowerParameters",
    "PowerPlugin", "PrEpParameters", "PrEpPlugins", "PrivateData", "ProctrackType", "PrologEpilogTimeout", "PrologFlags",
    "PrologTimeout", "PropagatePrioProcess", "PropagateResourceLimits", "PropagateResourceLimitsExcept", "RebootProgram",
    "ReconfigFlags", "RequeueExit", "RequeueExitHold", "ResumeFailProgram", "ResumeRate", "ResumeTimeout", "ResvEpilog",
    "ResvOverRun", "ResvProlog", "ReturnToService", "RoutePlugin", "SallocDefaultCommand", "SbcastParameters", "SchedulerAuth",
    "SchedulerPort", "SchedulerRootFilter", "ScronParameters", "SlurmSchedLogFile", "SlurmSchedLogLevel", "SlurmUser",
    "SlurmctldAddr", "SlurmctldDebug", "SlurmctldLogFile", "SlurmctldParameters", "SlurmctldPidFile", "SlurmctldPlugstack",
    "SlurmctldPort", "SlurmctldPrimaryOffProg", "SlurmctldPrimaryOnProg", "SlurmctldSyslogDebug", "SlurmctldTimeout",
    "SlurmdDebug", "SlurmdLogFile", "SlurmdParameters", "SlurmdPidFile", "SlurmdPort", "SlurmdSpoolDir", "SlurmdSyslogDebug",
    "SlurmdTimeout", "SlurmdUser", "SrunEpilog", "SrunPortRange", "SrunProlog", "StateSaveLocation", "SuspendExcNodes",
    "SuspendExcParts", "SuspendExcStates", "SuspendProgram", "SuspendRate", "SuspendTimeout", "SwitchParameters", "SwitchType",
    "TCPTimeout", "TLSParameters", "TLSType", "TaskEpilog", "TaskPlugin", "TaskPluginParam", "TaskProlog", "TmpFS", "TrackWCKey",
    "TreeWidth", "UnkillableStepProgram", "UnkillableStepTimeout", "UsePAM", "UrlParserType", "VSizeFactor", "WaitTime",
    "X11Parameters",
];
