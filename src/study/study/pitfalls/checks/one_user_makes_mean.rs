use batchlab_traces::Level;

use crate::study::pitfalls::concentration::in_means;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "one-user-makes-mean",
    level: Level::Warning,
    title: "means of which one user's jobs make more than half",
    misleads: "The comparison then shows how policies treat that user, and would differ without this user.",
    advice: "Look at the log for flurries (`batchlab info`), measure without that user by a rule, and say what changes.",
    cite: "Tsafrir and Feitelson 2006, Instability in Parallel Job Scheduling Simulation: the Role of Workload Flurries",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { in_means(evidence, "top_user", "one user's jobs make") },
};

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn half_of_the_sum_is_not_yet_more_than_half() {
        let mut experiment = Experiment::clean();
        experiment.set("top_user_wait", 0.5);
        assert_eq!(experiment.told("one-user-makes-mean"), "");
        experiment.set("top_user_wait", 0.55);
        let told = experiment.only("one-user-makes-mean");
        assert!(
            told.contains("\n  A, events=batch, FCFS: mean_wait: one user's jobs make 55 % of the sum\n")
        );
        assert!(told.ends_with("\n  and 9 more"));
    }
}
