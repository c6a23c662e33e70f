//! What metrics and quantities of jobs are called for readers: in figures, captions and findings.

const STATISTICS: [(&str, &str); 9] = [
    ("mean_", "mean"),
    ("sd_", "standard deviation of"),
    ("var_", "variance of"),
    ("cv_", "coefficient of variation of"),
    ("median_", "median"),
    ("p90_", "90th percentile of"),
    ("p95_", "95th percentile of"),
    ("p99_", "99th percentile of"),
    ("max_", "maximum"),
];

/// Names that are more than the key with blanks in it.
const NAMES: [(&str, &str); 50] = [
    ("backlog_growth", "growth of the backlog"),
    ("backlog_growth_low", "lower end of the growth of the backlog"),
    ("least_backlog", "least backlog"),
    ("bsld", "bounded slowdown"),
    ("bsld_pp", "per-processor bounded slowdown"),
    ("bsld_raw", "bounded slowdown without the bound of 1"),
    ("bsld_yuan", "bounded slowdown (Yuan)"),
    ("completion", "share of the submitted work that is done"),
    ("held_back_jobs", "jobs held back by limits"),
    ("host_ties", "share of ties between nodes"),
    ("jain", "Jain's fairness index"),
    ("jobs", "number of jobs"),
    ("killed", "jobs killed"),
    ("max_queue_length_makespan", "maximum queue length until the last end"),
    ("promise_error", "distance between promised start and start"),
    ("promised_share", "share of jobs with a promised start"),
    ("mean_jobs_in_system", "mean number of jobs in the system"),
    ("mean_jobs_in_system_makespan", "mean number of jobs in the system until the last end"),
    ("mean_queue_length_makespan", "mean queue length until the last end"),
    ("normalized_response", "normalized response time"),
    ("overhead", "overhead of switches"),
    ("overhead_share", "share of overhead"),
    ("overpredicted_share", "share of jobs predicted too long"),
    ("overtakes", "overtaken jobs per job"),
    ("queue_ties", "share of ties in the queue"),
    ("rejected", "jobs rejected"),
    ("response", "response time"),
    ("rms_bsld", "root mean square of bounded slowdown"),
    ("run_over_prediction", "run time / predicted run time"),
    ("score_ties", "share of ties between candidates"),
    ("share_hit", "share of jobs started later than fair"),
    ("stalled", "time stalled"),
    ("suspended", "time suspended"),
    ("suspensions", "number of suspensions"),
    ("migrations", "number of migrations"),
    ("swaps", "number of swaps"),
    ("throughput_makespan", "throughput until the last end"),
    ("top_jobs_bsld", "share of the top 1 % of jobs in the bounded slowdowns"),
    ("top_jobs_wait", "share of the top 1 % of jobs in the waits"),
    ("top_user_bsld", "share of the top user in the bounded slowdowns"),
    ("top_user_wait", "share of the top user in the waits"),
    ("top_week_bsld", "share of the top week in the bounded slowdowns"),
    ("top_week_wait", "share of the top week in the waits"),
    ("underpredicted_share", "share of jobs predicted too short"),
    ("unfairness_all", "unfairness per job"),
    ("unfairness_hit", "unfairness per delayed job"),
    ("users", "number of users"),
    ("utilization_window", "utilization until the last submission"),
    ("weighted_response", "weighted response time"),
    ("weighted_response_mean", "mean weighted response time"),
];

const FAIR: [(&str, &str); 2] = [("_consp", "to conservative backfilling"), ("_fcfs", "to FCFS")];

/// Returns the name of a metric or a quantity in plain words: "mean bounded slowdown" for `mean_bsld`.
pub fn of(key: &str) -> String {
    if let Some((metric, class)) = key.split_once('@') {
        return format!("{} of class {class}", of(metric));
    }
    if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == key) {
        return (*name).into();
    }
    let fair = FAIR.iter().find_map(|(end, words)| Some((key.strip_suffix(end)?, *words)));
    if let Some((metric, words)) = fair {
        return format!("{} {words}", of(metric));
    }
    let statistic = STATISTICS.iter().find_map(|(begin, words)| Some((key.strip_prefix(begin)?, *words)));
    match statistic {
        Some((quantity, words)) => format!("{words} {}", of(quantity)),
        None => key.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn metrics_have_names_in_plain_words() {
        for (key, name) in [
            ("mean_bsld", "mean bounded slowdown"),
            ("p95_wait", "95th percentile of wait"),
            ("utilization", "utilization"),
            ("rms_bsld", "root mean square of bounded slowdown"),
            ("unfairness_all_consp", "unfairness per job to conservative backfilling"),
            ("mean_accuracy", "mean accuracy"),
            ("mean_bsld@wide", "mean bounded slowdown of class wide"),
        ] {
            assert_eq!(of(key), name);
        }
    }
}
