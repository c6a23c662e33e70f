use batchlab_traces::Level;

use crate::experiment::UnitKind;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "one-replay",
    level: Level::Warning,
    title: "a single replay, whose result may be chance",
    misleads: "Jobs of one replay wait for each other, so they are not independent observations: a \
        difference between two single replays may be due to one long job, and has neither an interval nor a \
        test.",
    advice: "Give a log windows = \"7d\" or blocks = \"7d\", a model replications = 20, or resample weeks by a step: \
             policies are then compared unit by unit.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let alone = evidence.units(UnitKind::One).into_iter();
    let seen = || "1 replay of each policy".into();
    alone.map(|(workload, _)| Case { about: evidence.workload(workload), seen: seen() }).collect()
}

#[cfg(test)]
mod tests {
    use crate::experiment::UnitKind;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn a_whole_log_is_one_unit() {
        let mut experiment = Experiment::clean();
        experiment.frame.workloads[2].units = UnitKind::One;
        experiment.frame.rows.retain(|row| row.workload != 2 || row.unit == Some(0));
        experiment.frame.rows.iter_mut().filter(|row| row.workload == 2).for_each(|row| row.unit = None);
        assert!(experiment.only("one-replay").ends_with("\n  C: 1 replay of each policy"));
    }
}
