//! The pitfalls, one file each.

pub mod different_costs;
pub mod different_jobs;
pub mod equal_points;
pub mod failed_jobs;
pub mod few_jobs;
pub mod few_jobs_make_mean;
pub mod few_units;
pub mod few_workloads;
pub mod flurries;
pub mod ignored_resources;
pub mod log_notes;
pub mod log_warnings;
pub mod machine_size;
pub mod mean_across_traces;
pub mod multiple_estimates;
pub mod one_population;
pub mod one_replay;
pub mod one_user_makes_mean;
pub mod one_week_makes_mean;
pub mod open_loop;
pub mod overruns;
pub mod perfect_estimates;
pub mod poisson_arrivals;
pub mod same_instant;
pub mod saturated;
pub mod scaled_arrivals;
pub mod scaled_runs;
pub mod shaken;
pub mod single_metric;
pub mod smooth_estimates;
pub mod static_workload;
pub mod trimmed_by_policy;
pub mod tuned_here;
pub mod uncleaned;
pub mod untrimmed;
pub mod zero_runs;

#[cfg(test)]
mod tests;
