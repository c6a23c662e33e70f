use batchlab_traces::Level;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::number::counted;

use crate::experiment::UnitKind;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};
use batchlab_engine::stats::MIN_UNITS;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "few-units",
    level: Level::Warning,
    title: "too few units of inference for a test",
    misleads: "With fewer than 6 pairs, a sign test cannot distinguish any difference from chance, however \
        large (the least p-value of 5 pairs is 0.06), and intervals rest on the assumption that values are \
        normally distributed.",
    advice: "Use more units: replications = 20, shorter windows or blocks, more draws.",
    cite: "Fisher 1935, The Design of Experiments; Law 2015, Simulation Modeling and Analysis",
    in_replay: false,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let kinds = [
        (UnitKind::Replications, "replication"),
        (UnitKind::Windows, "window"),
        (UnitKind::Blocks, "block"),
        (UnitKind::Draws, "draw"),
    ];
    let mut cases: Vec<(usize, Case)> = Vec::new();
    for (kind, noun) in kinds {
        let few = evidence.units(kind).into_iter().filter(|&(_, units)| units < MIN_UNITS);
        cases.extend(few.map(|(workload, units)| {
            (workload, Case { about: evidence.workload(workload), seen: counted(units, noun) })
        }));
    }
    cases.arrange_by_key(|&(workload, _)| workload);
    cases.into_iter().map(|(_, case)| case).collect()
}

#[cfg(test)]
mod tests {
    use crate::experiment::UnitKind;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn five_are_too_few_and_six_are_enough() {
        let mut experiment = Experiment::clean();
        experiment.frame.rows.retain(|row| row.workload != 1 || row.unit < Some(6));
        assert_eq!(experiment.told("few-units"), "");
        experiment.frame.rows.retain(|row| row.workload != 1 || row.unit < Some(5));
        assert!(experiment.only("few-units").ends_with("\n  B: 5 windows"));
        experiment.frame.workloads[1].units = UnitKind::Replications;
        assert!(experiment.only("few-units").ends_with("\n  B: 5 replications"));
    }
}
