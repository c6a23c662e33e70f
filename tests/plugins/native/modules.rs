//! The same sources as WebAssembly modules give the same schedules.

use batchlab::policies::external;
use proptest::prelude::*;

use super::{built, lasting, on_four, ran, spec, times};
use crate::lab::play;
use crate::properties::samples::{event_orders, overruns, samples};

/// A spec of a module; `None`, with the reason printed, if modules cannot be built or run here.
fn module(name: &str) -> Option<String> {
    let file = built()?.join(format!("{name}.wasm"));
    if external::carrier("wasm").is_none() {
        eprintln!("skipped: the program was built without `wasm`");
        return None;
    }
    if !file.exists() {
        eprintln!("skipped: clang and wasm-ld are not both here");
        return None;
    }
    Some(format!("wasm:({})", file.display()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn modules_in_c_are_the_built_in_policies(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let (Some(fcfs), Some(easy), Some(sjf)) = (module("fcfs"), module("easy"), module("sjf")) else {
            return Ok(());
        };
        let scene = lasting(&sample).play(overrun).events(events);
        let sjf = format!("easy:order=({sjf})");
        for (ours, theirs) in [(fcfs, "fcfs"), (easy, "easy"), (sjf, "easy:order=sjf")] {
            prop_assert_eq!(times(&scene, &ours), times(&scene, theirs), "{}", theirs);
        }
    }
}

#[test]
fn a_module_takes_turns_as_the_library_does() {
    let (Some(module), Some(library)) = (module("round_robin"), spec("round_robin")) else { return };
    let jobs: Vec<(i64, i64, i64)> =
        (0..60).map(|job| (3 * job, 1 + job * 7 % 23, 1 + job * 5 % 4)).collect();
    let scene = on_four(&jobs);
    let outcome = |spec: &str| play(&scene, &format!("{spec},slice=7")).0;
    let (ours, theirs) = (outcome(&module), outcome(&library));
    for job in 0..60 {
        assert_eq!(ran(&ours, job), ran(&theirs, job), "job {job}");
    }
}
