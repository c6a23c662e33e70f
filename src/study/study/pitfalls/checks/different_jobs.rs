use batchlab_traces::Level;
use batchlab_traces::number::grouped;

use crate::experiment::DesignPoint;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "different-jobs",
    level: Level::Warning,
    title: "policies that are measured over different jobs",
    misleads: "A policy that turns away, kills or never finishes the jobs that fare worst has a better mean \
        over the other jobs. Means over different jobs are no comparison of policies.",
    advice: "Let every replay finish its jobs (stop = \"all\"), trim by times instead of ends (warmup = \"1d\", cooldown = \
             \"1d\"), and report how many jobs each policy left out.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        let case = |at| Some(Case { seen: seen(evidence, &at)?, about: evidence.design_point(&at, None) });
        evidence.frame.design_points().into_iter().filter_map(case).collect()
    },
};

/// A policy, by its position, and the number of jobs over which it was measured.
type Measured = (usize, f64);

/// Checks one design point, and reports the unit in which the numbers of jobs differ most.
fn seen(evidence: &Evidence<'_>, design_point: &DesignPoint) -> Option<String> {
    let frame = evidence.frame;
    let jobs = frame.measure("jobs")?;
    let mut units: Vec<Option<u32>> = frame.rows(design_point, 0).iter().map(|row| row.unit).collect();
    if units.iter().any(Option::is_some) {
        // The whole of a replay that is measured in blocks is not a unit.
        units.retain(Option::is_some);
    }
    let extremes = |unit: &Option<u32>| -> Option<(Measured, Measured)> {
        let of = |policy| {
            let row = frame.rows(design_point, policy).iter().find(|row| row.unit == *unit)?;
            Some((policy, row.values[jobs]?))
        };
        let known: Vec<Measured> = (0..frame.policies.len()).filter_map(of).collect();
        let least = known.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1))?;
        let greatest = known.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1))?;
        (greatest.1 > least.1).then_some((least, greatest))
    };
    let differing: Vec<(Measured, Measured)> = units.iter().filter_map(extremes).collect();
    let by = |(least, greatest): &(Measured, Measured)| greatest.1 - least.1;
    let &(least, greatest) = differing.iter().rev().max_by(|one, other| by(one).total_cmp(&by(other)))?;
    let words = |(policy, jobs): Measured| {
        format!("{} jobs under {}", grouped(jobs as u64), frame.policies[policy].label)
    };
    let of = match (differing.len(), units.len()) {
        (_, 1) => String::new(),
        (differing, units) => format!(" (the numbers differ in {differing} of {units} units)"),
    };
    Some(format!("{}, {}{of}", words(least), words(greatest)))
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn the_unit_with_the_greatest_difference_is_told() {
        let mut experiment = Experiment::clean();
        let design_point = experiment.frame.design_points()[4].clone();
        experiment.set_at(&design_point, 1, Some(3), "jobs", 4_990.0);
        experiment.set_at(&design_point, 0, Some(7), "jobs", 4_900.0);
        let expected = "\n  C, events=batch: 4,900 jobs under FCFS, 5,000 jobs under EASY (the numbers differ in 2 of 12 \
                        units)";
        assert!(experiment.only("different-jobs").ends_with(expected));
    }
}
