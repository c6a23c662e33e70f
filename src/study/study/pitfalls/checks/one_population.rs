use batchlab_traces::Level;
use batchlab_traces::number::counted;

use crate::experiment::UnitKind;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "one-population",
    level: Level::Note,
    title: "intervals that hold for one log's users only",
    misleads: "Every draw consists of the same weeks and users, so intervals show how results vary with the \
        order and choice of these weeks and users, not how they would vary at another site or with other \
        users.",
    advice: "State this beside the table, and add logs of other sites for a more general claim.",
    cite: "Zakay and Feitelson 2014, Workload Resampling for Performance Evaluation of Parallel Job Schedulers",
    in_replay: false,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        let drawn = evidence.units(UnitKind::Draws).into_iter();
        let seen = |units| format!("{} from one log", counted(units, "draw"));
        drawn.map(|(at, units)| Case { about: evidence.workload(at), seen: seen(units) }).collect()
    },
};

#[cfg(test)]
mod tests {
    use crate::experiment::UnitKind;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn draws_are_conditional_on_their_log() {
        let mut experiment = Experiment::clean();
        experiment.frame.workloads[0].units = UnitKind::Draws;
        assert!(experiment.only("one-population").ends_with("\n  A: 12 draws from one log"));
    }
}
