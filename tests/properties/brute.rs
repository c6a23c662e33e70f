//! The plain policies against a second engine that tries every second, under each rule for jobs that outlive their
//! estimates, on pools of several resources and on nodes.

mod model;

use batchlab::traces::reading::Overrun;
use proptest::prelude::*;

use super::samples::overruns;
use super::seconds::{Scene, nodes, pools, replayed, seen};
use crate::lab::play;
use model::{Model, Rule};

const ON_A_POOL: [Rule; 8] = [
    Rule::Fcfs,
    Rule::FirstFit,
    Rule::Easy,
    Rule::Depth(2),
    Rule::Depth(usize::MAX),
    Rule::Compress,
    Rule::Rechoose,
    Rule::Fixed,
];

const ON_NODES: [Rule; 6] =
    [Rule::FirstFit, Rule::Depth(1), Rule::Depth(usize::MAX), Rule::Compress, Rule::Rechoose, Rule::Fixed];

fn agree(scene: &Scene, overrun: Overrun, rules: &[Rule]) -> Result<(), TestCaseError> {
    let (play_this, jobs) = (replayed(scene, overrun), seen(&scene.1, overrun));
    // `fixed` refuses jobs that are kept overdue.
    for &rule in rules.iter().filter(|&&rule| rule != Rule::Fixed || overrun != Overrun::Overdue) {
        let (found, _) = play(&play_this, &rule.spec());
        let found: Vec<usize> = found.start.iter().map(|start| start.secs() as usize).collect();
        prop_assert_eq!(found, Model::starts(&jobs, &scene.0, rule), "{:?} {:?}", rule, overrun);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn every_plain_policy_on_a_pool_starts_what_a_table_of_seconds_starts(
        scene in pools(),
        overrun in overruns(),
    ) {
        agree(&scene, overrun, &ON_A_POOL)?;
    }

    #[test]
    fn every_plain_policy_on_nodes_starts_what_a_table_of_seconds_starts(
        scene in nodes(),
        overrun in overruns(),
    ) {
        agree(&scene, overrun, &ON_NODES)?;
    }
}
