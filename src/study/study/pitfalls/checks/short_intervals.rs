//! Intervals that are known to be too short for such units.

use batchlab_traces::Level;

use crate::experiment::{DesignPoint, Frame, UnitKind};
use crate::study::pitfalls::figure::number;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};
use batchlab_engine::metrics::spoken;
use batchlab_engine::stats::{MIN_UNITS, Method, caution};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "short-intervals",
    level: Level::Note,
    title: "intervals of skewed units, which cover less than they claim",
    misleads: "Where a few units lie far above the others, most samples contain none like them: the mean is \
        too low and its interval too short, so that the truth lies outside more often than one time in \
        twenty.",
    advice: "Use more units, and show medians or a ratio to the baseline beside the means: differences of pairs are less \
             skewed than values.",
    cite: "Johnson 1978, Modified t Tests and Confidence Intervals for Asymmetrical Populations; \
           examples/coverage.md",
    in_replay: false,
    look,
};

/// Reports, for each workload and measure, the result with the most skewed units.
fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let frame = evidence.frame;
    let design_points = frame.design_points();
    let mut cases = Vec::new();
    for (workload, facts) in frame.workloads.iter().enumerate() {
        if matches!(facts.units, UnitKind::One | UnitKind::Shaken) {
            continue;
        }
        let here: Vec<&DesignPoint> = design_points.iter().filter(|at| at.workload == workload).collect();
        let asked = (0..frame.measures.len()).filter(|&measure| !frame.measures[measure].is_diagnostic);
        let most = asked.filter_map(|measure| Some((measure, most_skewed(frame, &here, measure)?)));
        cases.extend(most.filter_map(|(measure, Skewed { skewness, units, design_point, policy })| {
            let caution = caution::find(Method::StudentT, units, Some(skewness))?;
            let (name, skewness) = (spoken::of(&frame.measures[measure].key), number(skewness));
            let seen = format!("{name}: {units} units with a skewness of {skewness}; {}", caution.words());
            Some(Case { about: evidence.design_point(design_point, Some(policy)), seen })
        }));
    }
    cases
}

/// The units of one result.
struct Skewed<'a> {
    skewness: f64,
    units: usize,
    design_point: &'a DesignPoint,
    policy: usize,
}

fn most_skewed<'a>(frame: &Frame, design_points: &[&'a DesignPoint], measure: usize) -> Option<Skewed<'a>> {
    let results =
        design_points.iter().flat_map(|&at| (0..frame.policies.len()).map(move |policy| (at, policy)));
    let skewed = results.filter_map(|(design_point, policy)| {
        let units = frame.units(design_point, policy, measure);
        let units: Vec<f64> = units.into_iter().map(|(_, value)| value).collect();
        let skewness = caution::skewness(&units).filter(|_| units.len() >= MIN_UNITS)?;
        Some(Skewed { skewness, units: units.len(), design_point, policy })
    });
    skewed.max_by(|one, other| one.skewness.abs().total_cmp(&other.skewness.abs()))
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn the_most_skewed_result_is_told_with_what_simulations_say() {
        let mut experiment = Experiment::clean();
        let design_points = experiment.frame.design_points();
        for unit in 0..12 {
            let value = f64::from(unit % 3);
            experiment.set_at(&design_points[0], 0, Some(unit), "mean_wait", value);
            let skewed = if unit == 4 { 30.0 } else { value };
            experiment.set_at(&design_points[1], 1, Some(unit), "mean_wait", skewed);
        }
        let told = experiment.only("short-intervals");
        let seen = told.lines().nth(1).unwrap_or_default().trim();
        assert!(
            seen.starts_with("A, events=submit-first, EASY: mean wait: 12 units with a skewness of 2."),
            "{seen}"
        );
        assert!(seen.contains("held the truth in ") && seen.contains("lognormal"), "{seen}");
        experiment.set_at(&design_points[1], 1, Some(4), "mean_wait", 1.0);
        assert_eq!(experiment.told("short-intervals"), "");
    }
}
