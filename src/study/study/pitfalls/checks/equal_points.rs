//! Points of a sweep with the same results.

use batchlab_traces::Level;
use batchlab_traces::number::grouped;
use batchlab_traces::sorted::SortedMap;

use crate::study::copies::copies;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "equal-points",
    level: Level::Warning,
    title: "points of the sweep with the same results",
    misleads: "Rows with different labels look like independent results that agree. Where every value is the same to the \
        last digit, the parameter changed nothing: without requests in a log, requested and actual estimates are one.",
    advice: "Leave one of the values out, or say that it makes no difference on this log. The verdict counts such points once.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: false,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { cases(evidence) },
};

/// A workload, and the parameters that differ, each with the values of the copy and of the original.
type Differing = (usize, Vec<(usize, [usize; 2])>);

fn cases(evidence: &Evidence<'_>) -> Vec<Case> {
    // By workload and the values that differ: the number of points.
    let mut found: SortedMap<Differing, usize> = SortedMap::new();
    for (copy, original) in copies(evidence.frame) {
        let pairs = copy.point.iter().zip(&original.point).enumerate();
        let differs = pairs.filter(|(_, (one, other))| one != other);
        let differing = differs.map(|(at, (&one, &other))| (at, [one, other])).collect();
        *found.entry((copy.workload, differing)).or_default() += 1;
    }
    let case = |((workload, differing), points): (Differing, usize)| {
        let value = |at: usize, value: usize| {
            let parameter = &evidence.frame.parameters[at];
            format!("{}={}", parameter.name, parameter.values[value])
        };
        let side = |which: usize| -> String {
            differing.iter().map(|(at, of)| value(*at, of[which])).collect::<Vec<_>>().join(", ")
        };
        let times =
            if points == 1 { String::new() } else { format!(", at {} points", grouped(points as u64)) };
        let is_estimate = |(at, _): &(usize, [usize; 2])| evidence.frame.parameters[*at].name == "estimate";
        let why = missing(evidence, workload).filter(|_| differing.iter().any(is_estimate));
        let (copy, original, why) = (side(0), side(1), why.unwrap_or_default());
        let seen = format!("{copy} has the results of {original}, each value of each replay{times}{why}");
        Case { about: evidence.workload(workload), seen }
    };
    found.into_iter().map(case).collect()
}

/// Returns the number of jobs without a request, in words; `None` if all have one.
fn missing(evidence: &Evidence<'_>, workload: usize) -> Option<String> {
    let settings = evidence.settings.iter().filter(|setting| setting.workload == workload);
    let (missing, jobs) = settings.map(|of| (of.estimates.missing, of.jobs)).max()?;
    (missing > 0).then(|| format!(": {} of {} jobs have no request", grouped(missing), grouped(jobs)))
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::{Experiment, parameter};

    #[test]
    fn a_log_without_requests_has_equal_rows_under_two_labels() {
        let mut experiment = Experiment::prepared(|setting| setting.estimates.missing = 60_000);
        experiment.frame.parameters = vec![parameter("estimate", &["requested", "actual"])];
        assert_eq!(experiment.told("equal-points"), "");
        for row in experiment.frame.rows.iter_mut().filter(|row| row.workload == 0) {
            row.values.fill(Some(1.5));
        }
        assert_eq!(
            experiment.told("equal-points"),
            "warning[equal-points]: points of the sweep with the same results\n  A: estimate=actual has the results of \
             estimate=requested, each value of each replay: 60,000 of 60,000 jobs have no request"
        );
        // One value of one replay differs.
        experiment.frame.rows[0].values[0] = Some(1.6);
        assert_eq!(experiment.told("equal-points"), "");
    }
}
