//! What metrics and quantities of jobs are called in figures and captions.

/// Statistics by the beginning of a metric's key.
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
const NAMES: [(&str, &str); 15] = [
    ("response", "response time"),
    ("bsld", "bounded slowdown"),
    ("bsld_raw", "bounded slowdown without the bound of 1"),
    ("bsld_yuan", "bounded slowdown (Yuan)"),
    ("bsld_pp", "per-processor bounded slowdown"),
    ("rms_bsld", "root mean square of bounded slowdown"),
    ("normalized_response", "normalized response time"),
    ("weighted_response_mean", "mean weighted response time"),
    ("weighted_response", "weighted response time"),
    ("utilization_window", "utilization until the last submission"),
    ("jain", "Jain's fairness index"),
    ("completion", "share of the submitted work that is done"),
    ("promise_error", "distance between promised start and start"),
    ("promised_share", "share of jobs with a promised start"),
    ("mean_jobs_in_system", "mean number of jobs in the system"),
];

/// Returns the name of a metric or a quantity in plain words: "mean bounded slowdown" for `mean_bsld`.
pub fn of(key: &str) -> String {
    if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == key) {
        return (*name).into();
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
            ("max_queue_length", "maximum queue length"),
            ("rms_bsld", "root mean square of bounded slowdown"),
        ] {
            assert_eq!(of(key), name);
        }
    }
}
