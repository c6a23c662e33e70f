use batchlab_traces::Level;

use crate::study::pitfalls::concentration::in_means;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "one-week-makes-mean",
    level: Level::Warning,
    title: "means of which the jobs of one week make more than half",
    misleads: "The rest of the log hardly counts: the comparison is about that week, a single observation.",
    advice: "Compare week by week (windows = \"7d\" or blocks = \"7d\"), and look at what happened in that week.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        in_means(evidence, "top_week", "the jobs submitted in one week make")
    },
};

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn a_bad_week_is_told() {
        let mut experiment = Experiment::clean();
        let design_point = experiment.frame.design_points()[2].clone();
        experiment.set_at(&design_point, 0, None, "top_week_bsld", 0.7);
        let expected =
            "\n  B, events=batch, FCFS: mean_bsld: the jobs submitted in one week make 70 % of the sum";
        assert!(experiment.only("one-week-makes-mean").ends_with(expected));
    }
}
