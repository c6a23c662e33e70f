use super::{KnownNames, effect};

/// The lists of words, by the setting that has them. Words of other lists change no start, known or not.
pub(super) const LISTS: &[(&str, KnownNames)] = &[
    ("SelectTypeParameters", SELECT),
    ("PriorityFlags", PRIORITY),
    ("PreemptMode", PREEMPT_MODE),
    ("PreemptParameters", PREEMPT),
    ("TopologyParam", TOPOLOGY),
    ("DependencyParameters", DEPENDENCY),
    ("SlurmctldParameters", CONTROLLER),
    ("SlurmdParameters", NODE),
];

#[rustfmt::skip]
const SELECT: KnownNames = KnownNames {
    followed: &[
        "CR_CPU", "CR_CPU_Memory", "CR_Core", "CR_Core_Memory", "CR_LLN", "CR_Memory", "CR_ONE_TASK_PER_CORE", "CR_Socket",
        "CR_Socket_Memory",
    ],
    harmless: &[
        "CR_CORE_DEFAULT_DIST_BLOCK", "CR_Default", "ENFORCE_BINDING_GRES", "LL_SHARED_GRES", "MULTIPLE_SHARING_GRES_PJ",
        "NHC_ABSOLUTELY_NO", "NHC_NO", "NHC_NO_STEPS", "NONE", "ONE_TASK_PER_SHARING_GRES", "OTHER_CONS_RES", "OTHER_CONS_TRES",
    ],
    effects: &[effect("CR_Pack_Nodes", &[], "jobs would be packed on as few nodes as possible")],
};

#[rustfmt::skip]
const PRIORITY: KnownNames = KnownNames {
    followed: &[
        "ACCRUE_ALWAYS", "DEPTH_OBLIVIOUS", "FAIR_TREE", "INCR_ONLY", "MAX_TRES", "MAX_TRES_GRES", "NO_FAIR_TREE", "NO_NORMAL_ALL",
        "NO_NORMAL_ASSOC", "NO_NORMAL_PART", "NO_NORMAL_QOS", "NO_NORMAL_TRES", "SMALL_RELATIVE_TO_TIME",
    ],
    // Running jobs do not compete.
    harmless: &["CALCULATE_RUNNING"],
    effects: &[],
};

const PREEMPT_MODE: KnownNames = KnownNames {
    followed: &["CANCEL", "DISABLED", "OFF", "REQUEUE", "SUSPEND"],
    harmless: &["GANG"],
    effects: &[
        effect("CHECKPOINT", &[], "running jobs would be checkpointed for others"),
        effect("PRIORITY", &[], "jobs would preempt others of a lower priority only"),
        effect("WITHIN", &[], "jobs would preempt others of their own QOS"),
    ],
};

const PREEMPT: KnownNames = KnownNames {
    followed: &["reorder_count", "strict_order", "youngest_first"],
    harmless: &["send_user_signal", "suspend_grace_time"],
    effects: &[
        effect("min_exempt_priority", &[], "jobs of this priority and above would not be preempted"),
        effect("reclaim_licenses", &[], "jobs would be preempted for their licences, too"),
    ],
};

#[rustfmt::skip]
const TOPOLOGY: KnownNames = KnownNames {
    followed: &["TopoOptional"],
    harmless: &[
        "BlockAsNodeRank", "NoCommonInAddrAny", "NoCtldInAddrAny", "NoInAddrAny", "RoutePart", "RouteTree", "SwitchAsNodeRank",
        "TopoMaxSizeUnroll",
    ],
    effects: &[effect("Dragonfly", &[], "jobs would be spread over the switches of a dragonfly network")],
};

const DEPENDENCY: KnownNames = KnownNames {
    followed: &[],
    harmless: &["disable_remote_singleton", "max_depend_depth"],
    effects: &[effect("kill_invalid_depend", &[], "jobs with failed dependencies would be cancelled")],
};

#[rustfmt::skip]
const CONTROLLER: KnownNames = KnownNames {
    followed: &[],
    harmless: &[
        "allow_user_triggers", "cloud_dns", "cloud_reg_addrs", "conmgr_connect_timeout", "conmgr_max_connections",
        "conmgr_quiesce_timeout", "conmgr_read_timeout", "conmgr_threads", "conmgr_use_poll", "conmgr_wait_write_delay",
        "conmgr_write_timeout", "disable_triggers", "enable_configless", "enable_expedited_requeue", "enable_job_state_cache",
        "enable_rpc_queue", "enable_stepmgr", "idle_on_node_suspend", "max_dbd_msg_action", "max_powered_nodes",
        "no_quick_restart", "node_reg_mem_percent", "power_save_interval", "power_save_min_interval",
        "preempt_send_user_signal", "reboot_from_controller", "rl_bucket_size", "rl_enable", "rl_log_freq", "rl_refill_period",
        "rl_refill_rate", "rl_table_size", "user_resv_delete", "validate_nodeaddr_threads",
    ],
    effects: &[],
};

#[rustfmt::skip]
const NODE: KnownNames = KnownNames {
    followed: &[],
    harmless: &[
        "allow_ecores", "config_override", "config_overrides", "conmgr_connect_timeout", "conmgr_max_connections", "conmgr_quiesce_timeout",
        "conmgr_read_timeout", "conmgr_threads", "conmgr_use_poll", "conmgr_wait_write_delay", "conmgr_write_timeout",
        "contain_spank", "l3cache_as_socket", "no_container_ram", "numa_node_as_socket", "shutdown_on_reboot",
    ],
    effects: &[],
};
