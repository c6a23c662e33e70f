use super::checks;
use super::evidence::Evidence;
use super::pitfall::{Pitfall, PitfallSpec};

/// All pitfalls, in the order of reports: those that affect every result first, the least serious last.
pub static PITFALLS: &[&PitfallSpec] = &[
    &checks::machine_size::SPEC,
    &checks::saturated::SPEC,
    &checks::log_warnings::SPEC,
    &checks::static_workload::SPEC,
    &checks::different_jobs::SPEC,
    &checks::flurries::SPEC,
    &checks::one_replay::SPEC,
    &checks::few_units::SPEC,
    &checks::equal_points::SPEC,
    &checks::shaken::SPEC,
    &checks::few_workloads::SPEC,
    &checks::mean_across_traces::SPEC,
    &checks::perfect_estimates::SPEC,
    &checks::multiple_estimates::SPEC,
    &checks::scaled_runs::SPEC,
    &checks::poisson_arrivals::SPEC,
    &checks::few_jobs_make_mean::SPEC,
    &checks::one_user_makes_mean::SPEC,
    &checks::one_week_makes_mean::SPEC,
    &checks::few_jobs::SPEC,
    &checks::ignored_resources::SPEC,
    &checks::different_costs::SPEC,
    &checks::smooth_estimates::SPEC,
    &checks::scaled_arrivals::SPEC,
    &checks::one_population::SPEC,
    &checks::tuned_here::SPEC,
    &checks::single_metric::SPEC,
    &checks::trimmed_by_policy::SPEC,
    &checks::untrimmed::SPEC,
    &checks::uncleaned::SPEC,
    &checks::failed_jobs::SPEC,
    &checks::zero_runs::SPEC,
    &checks::overruns::SPEC,
    &checks::same_instant::SPEC,
    &checks::log_notes::SPEC,
    &checks::open_loop::SPEC,
];

/// Looks for all pitfalls, in the order of [`PITFALLS`].
pub fn find(evidence: &Evidence<'_>) -> Vec<Pitfall> {
    met(evidence, |_| true)
}

pub(super) fn met(evidence: &Evidence<'_>, wanted: fn(&PitfallSpec) -> bool) -> Vec<Pitfall> {
    let spec = PITFALLS.iter().filter(|spec| wanted(spec));
    let looked = spec.map(|&spec| Pitfall { spec, cases: (spec.look)(evidence) });
    looked.filter(|pitfall| !pitfall.cases.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use batchlab_traces::sorted::SortedSet;

    use super::*;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn names_are_unique_and_reasons_are_sentences() {
        let codes: SortedSet<&str> = PITFALLS.iter().map(|spec| spec.code).collect();
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
        let [_, _, _, _, why, help] = lines[..] else { panic!("{text}") };
        assert!(why.starts_with("  why: A short replay") && help.starts_with("  help: Use longer windows"));
        let json = serde_json::to_value(&found[0]).unwrap();
        assert_eq!((&json["code"], &json["level"]), (&"few-jobs".into(), &"warning".into()));
        assert_eq!(json["cases"][2]["about"]["workload"], "C");
    }
}
