//! Input shaking taken for replication.

use batchlab_traces::Level;
use batchlab_traces::number::counted;

use crate::experiment::UnitKind;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "shaken-units",
    level: Level::Warning,
    title: "runs on one log with small noise, which are not replications",
    misleads: "All runs have the same jobs, so their agreement says nothing about the next month of the \
        machine. They show how unstable a number is, never how certain it is, however many runs there are: \
        they get no interval and no test.",
    advice: "Report standard deviation, range and the share of rank flips; for intervals use windows, blocks or draws of \
             weeks.",
    cite: "Tsafrir, Ouaknine and Feitelson 2007, Reducing Performance Evaluation Sensitivity and Variability by Input \
           Shaking",
    in_replay: false,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        let shaken = evidence.units(UnitKind::Shaken).into_iter();
        let seen = |units| format!("{} of one log", counted(units, "shaken run"));
        shaken.map(|(at, units)| Case { about: evidence.workload(at), seen: seen(units) }).collect()
    },
};

#[cfg(test)]
mod tests {
    use crate::experiment::UnitKind;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn noise_makes_no_units() {
        let mut experiment = Experiment::clean();
        experiment.frame.workloads[0].units = UnitKind::Shaken;
        assert!(experiment.only("shaken-units").ends_with("\n  A: 12 shaken runs of one log"));
    }
}
