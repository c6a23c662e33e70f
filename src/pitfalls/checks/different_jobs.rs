//! Policies that are measured over different numbers of jobs.

use batchlab_traces::Level;
use batchlab_traces::number::grouped;

use crate::experiment::Site;
use crate::pitfalls::{Case, Evidence, PitfallSpec};

/// The pitfall.
pub static SPEC: PitfallSpec = PitfallSpec {
    code: "different-jobs",
    level: Level::Warning,
    title: "policies that are measured over different jobs",
    misleads: "Who turns away, kills or never finishes the jobs that fare worst has the better mean over the rest. Means \
               over different jobs are no comparison of policies.",
    advice: "Let every replay finish its jobs (stop = \"all\"), trim by times instead of ends (warmup = \"1d\", cooldown = \
             \"1d\"), and report how many jobs each policy left out.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        let sites = evidence.frame.sites().into_iter();
        sites
            .filter_map(|site| Some(Case { about: evidence.site(&site, None), seen: seen(evidence, &site)? }))
            .collect()
    },
};

/// Looks at one site: the unit in which the numbers of jobs differ most is told.
fn seen(evidence: &Evidence<'_>, site: &Site) -> Option<String> {
    let frame = evidence.frame;
    let jobs = frame.measure("jobs")?;
    let mut differing = 0;
    let mut most: Option<(f64, (usize, f64), (usize, f64))> = None;
    for row in frame.rows(site, 0) {
        let of = |policy| {
            let same = frame.rows(site, policy).iter().find(|other| other.unit == row.unit);
            same.and_then(|other| other.values[jobs]).map(|jobs| (policy, jobs))
        };
        let known: Vec<(usize, f64)> = (0..frame.policies.len()).filter_map(of).collect();
        let least = known.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1))?;
        let greatest = known.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1))?;
        let by = greatest.1 - least.1;
        differing += usize::from(by > 0.0);
        if by > most.map_or(0.0, |most| most.0) {
            most = Some((by, least, greatest));
        }
    }
    let (_, least, greatest) = most?;
    let words = |(policy, jobs): (usize, f64)| {
        format!("{} jobs under {}", grouped(jobs as u64), frame.policies[policy].label)
    };
    let units = frame.rows(site, 0).len();
    let of = if units > 1 {
        format!(" (the numbers differ in {differing} of {units} units)")
    } else {
        String::new()
    };
    Some(format!("{}, {}{of}", words(least), words(greatest)))
}

#[cfg(test)]
mod tests {
    use crate::pitfalls::sample::Experiment;

    #[test]
    fn the_unit_with_the_greatest_difference_is_told() {
        let mut experiment = Experiment::clean();
        let site = experiment.frame.sites()[4].clone();
        experiment.set_at(&site, 1, Some(3), "jobs", 4_990.0);
        experiment.set_at(&site, 0, Some(7), "jobs", 4_900.0);
        let expected = "\n  C, events=batch: 4,900 jobs under FCFS, 5,000 jobs under EASY (the numbers differ in 2 of 12 \
                        units)";
        assert!(experiment.only("different-jobs").ends_with(expected));
    }
}
