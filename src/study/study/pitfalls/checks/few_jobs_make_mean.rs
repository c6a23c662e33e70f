use batchlab_traces::Level;

use crate::study::pitfalls::concentration::in_means;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "few-jobs-make-mean",
    level: Level::Warning,
    title: "means of which one job in a hundred makes more than half",
    misleads: "Such a mean shows how a handful of jobs fared; a single start moves it, and the median may \
        rank policies the other way round.",
    advice: "Show the median and a tail beside it (median_bsld, p95_bsld), or classes of jobs, and do not rest a claim on \
             the mean alone.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        in_means(evidence, "top_jobs", "the 1 % of jobs with the largest values make")
    },
};

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn the_share_is_told_of_each_mean_that_was_asked_for() {
        let mut experiment = Experiment::clean();
        let design_point = experiment.frame.design_points()[0].clone();
        experiment.set_at(&design_point, 1, None, "top_jobs_bsld", 0.62);
        let told = experiment.only("few-jobs-make-mean");
        let expected =
            "A, events=batch, EASY: mean_bsld: the 1 % of jobs with the largest values make 62 % of the sum";
        assert_eq!(told.lines().nth(1).map(str::trim), Some(expected));
        experiment.frame.measures[1].key = "median_bsld".into();
        assert_eq!(experiment.told("few-jobs-make-mean"), "");
    }
}
