//! All pitfalls, one line each.

use super::checks::{
    different_costs, different_jobs, failed_jobs, few_jobs, few_jobs_make_mean, few_units, few_workloads,
    flurries, ignored_resources, machine_size, mean_across_traces, multiple_estimates, one_population,
    one_replay, one_user_makes_mean, one_week_makes_mean, open_loop, overruns, perfect_estimates,
    poisson_arrivals, same_instant, saturated, scaled_arrivals, scaled_runs, shaken, short_intervals,
    single_metric, smooth_estimates, static_workload, trimmed_by_policy, tuned_here, uncleaned, untrimmed,
    zero_runs,
};
use super::evidence::Evidence;
use super::pitfall::{Pitfall, PitfallSpec};

/// All pitfalls, in the order of reports: those that affect every result first, the least serious last.
pub static PITFALLS: &[&PitfallSpec] = &[
    &machine_size::SPEC,
    &saturated::SPEC,
    &static_workload::SPEC,
    &different_jobs::SPEC,
    &flurries::SPEC,
    &one_replay::SPEC,
    &few_units::SPEC,
    &shaken::SPEC,
    &few_workloads::SPEC,
    &mean_across_traces::SPEC,
    &perfect_estimates::SPEC,
    &multiple_estimates::SPEC,
    &scaled_runs::SPEC,
    &poisson_arrivals::SPEC,
    &few_jobs_make_mean::SPEC,
    &one_user_makes_mean::SPEC,
    &one_week_makes_mean::SPEC,
    &few_jobs::SPEC,
    &ignored_resources::SPEC,
    &different_costs::SPEC,
    &short_intervals::SPEC,
    &smooth_estimates::SPEC,
    &scaled_arrivals::SPEC,
    &one_population::SPEC,
    &tuned_here::SPEC,
    &single_metric::SPEC,
    &trimmed_by_policy::SPEC,
    &untrimmed::SPEC,
    &uncleaned::SPEC,
    &failed_jobs::SPEC,
    &zero_runs::SPEC,
    &overruns::SPEC,
    &same_instant::SPEC,
    &open_loop::SPEC,
];

/// Looks for all pitfalls, in the order of [`PITFALLS`].
pub fn find(evidence: &Evidence<'_>) -> Vec<Pitfall> {
    met(evidence, |_| true)
}

/// Looks for some of the pitfalls.
pub(super) fn met(evidence: &Evidence<'_>, wanted: fn(&PitfallSpec) -> bool) -> Vec<Pitfall> {
    let looked = PITFALLS.iter().filter(|spec| wanted(spec)).map(|&spec| {
        let cases = (spec.look)(evidence);
        Pitfall { spec, cases }
    });
    looked.filter(|pitfall| !pitfall.cases.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn names_are_unique_and_reasons_are_sentences() {
        let codes: BTreeSet<&str> = PITFALLS.iter().map(|spec| spec.code).collect();
        assert_eq!(codes.len(), PITFALLS.len());
        for spec in PITFALLS {
            assert!(spec.misleads.ends_with('.') && spec.advice.ends_with('.'), "{}", spec.code);
            assert!(!spec.title.ends_with('.') && !spec.cite.is_empty(), "{}", spec.code);
        }
    }

    #[test]
    fn a_pitfall_is_told_with_its_cases_its_reason_and_its_advice() {
        let mut experiment = Experiment::clean();
        experiment.set("jobs", 80.0);
        let found = experiment.find();
        let text = found[0].to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..2],
            ["warning[few-jobs]: units of fewer than 1,000 jobs", "  A: 80 jobs in a unit on average"]
        );
        assert!(
            lines[4].starts_with("  why: A short replay")
                && lines[5].starts_with("  help: Use longer windows")
        );
        let json = serde_json::to_value(&found[0]).unwrap();
        assert_eq!((&json["code"], &json["level"]), (&"few-jobs".into(), &"warning".into()));
        assert_eq!(json["cases"][2]["about"]["workload"], "C");
    }
}
