use batchlab_traces::Level;

use crate::study::pitfalls::{About, Case, Evidence, MeanAcross, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "mean-across-traces",
    level: Level::Warning,
    title: "a mean over workloads of values that differ by orders of magnitude",
    misleads: "The log with the largest waits decides such a mean, and the other logs hardly count.",
    advice: "Show a row for each workload, and summarise by the geometric mean of the ratios to the baseline (mean = \
             \"geometric\").",
    cite: "Fleming and Wallace 1986, How Not to Lie with Statistics",
    in_replay: false,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let misleading = evidence.means.iter().filter(|mean| !mean.is_geometric && mean.workloads > 1);
    let case = |mean: &MeanAcross| Case {
        about: About { table: Some(mean.table.clone()), ..About::default() },
        seen: format!("an arithmetic mean over {} workloads", mean.workloads),
    };
    misleading.map(case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn only_arithmetic_means_mislead() {
        let mut experiment = Experiment::clean();
        experiment.means = vec![MeanAcross { table: "main".into(), workloads: 3, is_geometric: true }];
        assert_eq!(experiment.told("mean-across-traces"), "");
        experiment.means[0].is_geometric = false;
        let told = experiment.only("mean-across-traces");
        assert!(told.ends_with("\n  table `main`: an arithmetic mean over 3 workloads"));
    }
}
