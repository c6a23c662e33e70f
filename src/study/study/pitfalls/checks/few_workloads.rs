use batchlab_traces::Level;
use batchlab_traces::number::counted;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

/// The least number of workloads that is not reported.
const ENOUGH: usize = 3;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "few-workloads",
    level: Level::Warning,
    title: "a comparison on fewer than three workloads",
    misleads: "Which of two policies is better depends on the workload: its sizes, its estimates, its \
        users. A result on one log may be reversed on the next.",
    advice: "Add a [[workload]] for each of several logs of different sites and machines, and show a row for each.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: false,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let workloads = &evidence.frame.workloads;
    if workloads.len() >= ENOUGH || evidence.frame.policies.len() < 2 {
        return Vec::new();
    }
    let names: Vec<&str> = workloads.iter().map(|facts| facts.name.as_str()).collect();
    vec![Case::of_all(format!("{}: {}", counted(workloads.len(), "workload"), names.join(", ")))]
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn two_are_few() {
        let mut experiment = Experiment::clean();
        experiment.frame.workloads.pop();
        experiment.settings.pop();
        experiment.frame.rows.retain(|row| row.workload < 2);
        assert!(experiment.only("few-workloads").ends_with("\n  2 workloads: A, B"));
        experiment.frame.policies.truncate(1);
        assert_eq!(experiment.told("few-workloads"), "");
    }
}
