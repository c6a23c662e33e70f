use batchlab::policies::Registry;
use proptest::prelude::*;
use proptest::sample::select;

use super::{ORDER, misbehaves, module, works};
use crate::cmd::Folder;
use crate::lab::{Play, play};
use crate::properties::samples::{event_orders, fractions, overruns, samples};

const PREDICTOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/wat/predictor.wat");

/// What the module computes.
const FORMULA: &str = "expr(if(last2 > 0, 0.75*last2 + 0.25*estimate, 0))";

fn times(scene: &Play, spec: &str) -> (Vec<i64>, Vec<i64>) {
    let outcome = play(scene, spec).0;
    let ticks = |times: &[batchlab::traces::Time]| times.iter().map(|time| time.ticks()).collect();
    (ticks(&outcome.start), ticks(&outcome.end))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_module_predicts_what_the_expression_of_its_formula_does(
        sample in samples(),
        ticks in fractions(),
        policy in select(vec!["easy:candidates=sjf", "easy:predict=decision,order=sjf", "depth:k=3", "conservative"]),
        corrector in select(vec!["request", "increment", "double"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        let with = |predictor: &str| {
            let joint = if policy.contains(':') { ',' } else { ':' };
            times(&scene, &format!("{policy}{joint}corrector={corrector},predictor={predictor}"))
        };
        prop_assert_eq!(with(&format!("(wasm:({PREDICTOR}))")), with(FORMULA), "{} {}", policy, corrector);
    }
}

/// An `order` function that returns this number for its only row.
fn answer(number: &str) -> String {
    format!(
        r#"(func (export "batchlab_order") (param i32 i32 i32) (result i32)
             (f64.store (i32.const 4096) (f64.const {number})) (i32.const 4096))"#
    )
}

#[test]
fn a_prediction_is_a_finite_number() {
    let policy = "easy:predictor=(wasm:bad.wat)";
    for number in ["nan", "inf", "-inf"] {
        let words = format!(
            "answer to `order` cannot be used: it predicts {} for job 1",
            number.replace("nan", "NaN")
        );
        misbehaves(policy, &module(ORDER, &[("order", &answer(number))]), &words);
    }
    for number in ["0", "-5", "1e300", "1e-9"] {
        works(policy, &module(ORDER, &[("order", &answer(number))]));
    }
}

#[test]
fn a_predictor_is_contained_as_an_order_is() {
    let endless = r#"(func (export "batchlab_order") (param i32 i32 i32) (result i32) (loop $on (br $on)) (unreachable))"#;
    misbehaves("easy:predictor=(wasm:bad.wat,fuel=1000000)", &module(ORDER, &[("order", endless)]), "fuel=");
    misbehaves("easy:predictor=(wasm:bad.wat)", &module(ORDER, &[("order", "")]), "batchlab_order");
}

#[test]
fn columns_speak_of_the_history_and_not_of_the_future() {
    let replays_as = |parameter: &str, column: &str| {
        let folder = Folder::new();
        folder.write("a.swf", &crate::cmd::log(8, super::ROOMY));
        folder.write("bad.wat", &module(&ORDER.replace("estimate", column), &[]));
        folder.run(&["replay", "a.swf", "-q", "--policy", &format!("easy:{parameter}=(wasm:bad.wat)")])
    };
    let replays = |column: &str| replays_as("predictor", column);
    for known in ["last", "last2", "user_mean", "user_jobs", "if(known(last), last, estimate)"] {
        replays(known).succeeded();
    }
    let refused = |column: &str, words: &str| {
        let done = replays(column);
        assert!(done.code != 0 && done.err.contains(words), "{column}: {}", done.err);
    };
    refused(
        "run",
        "looks at `run`: `run` cannot be used here: a policy cannot see what happens after its decision",
    );
    refused("wait", "`wait` cannot be used here: a prediction does not change as a job waits");
    refused("last3", "a policy has no field `last3` (did you mean `last`?)");
    let done = replays_as("order", "last2");
    let words = "`last2` cannot be used here: the past of a user is known to predictors only";
    assert!(done.code != 0 && done.err.contains(words), "{}", done.err);
}

#[test]
fn a_module_that_decides_predicts_nothing() {
    let fcfs = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/wat/fcfs.wat");
    let error =
        Registry::builtin().choose(&format!("easy:predictor=(wasm:({fcfs}))")).unwrap_err().to_string();
    assert!(error.ends_with("or take a plug-in of kind order"), "{error}");
}
