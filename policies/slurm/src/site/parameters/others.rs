//! Parameters of the scheduler that the loops do not follow.
//!
//! Source: `slurm.conf(5)` and the sources of versions 17.11 to 25.05.

/// Parameters that change nothing in a replay: how long slurmctld may take, and how it answers requests; those of old versions
/// that are the rule since, such as `assoc_limit_continue`.
#[rustfmt::skip]
pub(super) const INDIFFERENT: &[&str] = &[
    "allow_zero_lic", "assoc_limit_continue", "bb_array_stage_cnt", "bf_max_time", "bf_topopt_iterations", "bf_yield_rpc_cnt",
    "bf_yield_rpc_count", "build_queue_timeout", "correspond_after_task_cnt", "default_gbytes", "disable_hetero_steps",
    "disable_hetjob_steps", "disable_job_shrink", "disable_send_gids", "disable_user_top", "enable_hetero_steps", "enable_hetjob_steps",
    "enable_job_state_cache", "enable_user_top", "Ignore_NUMA", "ignore_prefer_validation", "inventory_interval",
    "jobs_per_user_per_hour",
    "max_array_tasks", "max_depend_depth", "max_rpc_cnt", "max_rpc_count", "max_sched_time", "max_script_size",
    "max_submit_line_size", "no_backup_scheduling", "no_env_cache", "nohold_on_prolog_fail", "permit_job_expansion",
    "requeue_on_resume_failure", "requeue_setup_env_fail", "step_retry_count", "step_retry_time", "whole_hetjob", "whole_pack",
];

/// Parameters that are read with the rest of preemption.
pub(super) const OF_PREEMPTION: &[&str] =
    &["preempt_youngest_first", "preempt_strict_order", "preempt_reorder_count", "preempt_send_user_signal"];

/// Parameters that are not followed, with what they would change.
pub(super) const UNSUPPORTED: &[(&str, &str)] = &[
    ("assoc_limit_stop", "a job held by a limit would block the jobs behind it in its partition"),
    ("bf_running_job_reserve", "running jobs would be in the table of reservations with whole nodes"),
    ("bf_licenses", "licences would be reserved, too"),
    ("bf_hetjob_prio", "components of heterogeneous jobs would be ranked together"),
    ("bf_hetjob_immediate", "heterogeneous jobs would start in the middle of a cycle"),
    ("bf_busy_nodes", "jobs would go to nodes in use first"),
    ("bf_ignore_newly_avail_nodes", "nodes that become free during a cycle would be left to the next one"),
    ("bf_allow_magnetic_slot", "jobs could use slots of magnetic reservations"),
    ("bf_topopt_enable", "jobs would wait for placements that are closer together"),
    ("kill_invalid_depend", "jobs with failed dependencies would be cancelled"),
    ("pack_serial_at_end", "serial jobs would go to the last nodes"),
    ("reduce_completing_frag", "nodes would wait for the completing nodes beside them"),
    ("delay_boot", "jobs would wait for nodes with their features rather than have nodes booted"),
    ("defer_batch", "batch jobs would not be tried at their submission"),
    ("time_min_as_soft_limit", "jobs would be scheduled by their least time"),
    ("salloc_wait_nodes", "salloc would wait for nodes to boot"),
    ("sbatch_wait_nodes", "batch jobs would wait for nodes to boot"),
    ("ignore_constraint_validation", "invalid constraints would wait"),
    ("extra_constraints", "constraints on extra values of nodes would apply"),
    ("spec_cores_first", "specialized cores would be others"),
];
