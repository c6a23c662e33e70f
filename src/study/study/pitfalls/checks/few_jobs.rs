//! Short units.

use batchlab_traces::Level;
use batchlab_traces::number::grouped;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

/// Units with fewer jobs are short: the queue builds up and drains only a few times.
const ENOUGH: f64 = 1_000.0;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "few-jobs",
    level: Level::Warning,
    title: "units of fewer than 1,000 jobs",
    misleads: "A short replay is mostly beginning and end: an empty machine fills, and a queue drains that no later job \
               joins. Waits are too short, and policies that would pay later gain.",
    advice: "Use longer windows or more jobs, and leave out the beginning and the end (warmup, cooldown, prefix).",
    cite: "Law 2015, Simulation Modeling and Analysis, on initial transients",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        let workloads = 0..evidence.frame.workloads.len();
        workloads.filter_map(|workload| seen(evidence, workload)).collect()
    },
};

/// Returns the mean over units of the result of the workload with the fewest jobs.
fn seen(evidence: &Evidence<'_>, workload: usize) -> Option<Case> {
    let design_points = evidence.frame.design_points().into_iter().filter(|at| at.workload == workload);
    let policies = 0..evidence.frame.policies.len();
    let means = design_points.flat_map(|design_point| {
        policies.clone().filter_map(move |policy| {
            let measure = evidence.frame.measure("jobs")?;
            let units = evidence.frame.units(&design_point, policy, measure);
            let sum: f64 = units.iter().map(|(_, jobs)| jobs).sum();
            let whole = || evidence.frame.whole(&design_point, policy, measure);
            if units.is_empty() { whole() } else { Some(sum / units.len() as f64) }
        })
    });
    let fewest = means.min_by(f64::total_cmp).filter(|&jobs| jobs < ENOUGH)?;
    let seen = format!("{} jobs in a unit on average", grouped(fewest.round() as u64));
    Some(Case { about: evidence.workload(workload), seen })
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn the_shortest_result_of_a_workload_is_told() {
        let mut experiment = Experiment::clean();
        let design_point = experiment.frame.design_points()[3].clone();
        experiment.set_at(&design_point, 0, None, "jobs", 812.0);
        experiment.set_at(&design_point, 1, None, "jobs", 812.0);
        assert!(experiment.only("few-jobs").ends_with("\n  B: 812 jobs in a unit on average"));
    }
}
