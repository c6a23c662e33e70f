use batchlab_traces::Level;
use batchlab_traces::number::counted;
use batchlab_traces::sorted::SortedSet;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec};
use batchlab_engine::metrics::spoken;

/// The least number of metrics that is not reported.
const ENOUGH: usize = 3;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "single-metric",
    level: Level::Note,
    title: "a comparison by fewer than three metrics",
    misleads: "Metrics rank policies differently: slowdowns are made by short jobs, responses by long ones, means hide the \
               tail. A policy that wins by the one metric shown may lose by all others.",
    advice: "Measure a mean wait or response, a bounded slowdown, a tail (p95_wait, max_wait) and the utilization, and say \
             which one was chosen in advance.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: false,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let wanted = evidence.frame.measures.iter().filter(|measure| !measure.is_diagnostic);
    let metrics: SortedSet<&str> = wanted.map(|measure| measure.metric.as_str()).collect();
    if metrics.len() >= ENOUGH || metrics.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = metrics.iter().map(|metric| spoken::of(metric)).collect();
    vec![Case::of_all(format!("{}: {}", counted(names.len(), "metric"), names.join(", ")))]
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn what_was_measured_for_findings_does_not_count() {
        let mut experiment = Experiment::clean();
        experiment.frame.measures[1].is_diagnostic = true;
        assert!(experiment.only("single-metric").ends_with("\n  2 metrics: mean wait, utilization"));
        experiment.frame.measures[2].is_diagnostic = true;
        assert!(experiment.only("single-metric").ends_with("\n  1 metric: mean wait"));
    }
}
