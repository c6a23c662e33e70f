//! Reservations on a whole log: every reservation is kept.

use batchlab::schedule::verify::promises;
use batchlab::traces::reading::{Estimate, Overrun};

use crate::lab::{Log, play};

fn keeps_its_promises(spec: &str) {
    let Some(mut scene) = Log::KTH_CLEANED.play(Estimate::Requested, Overrun::Raise) else { return };
    scene.journal = true;
    let (outcome, journal) = play(&scene, spec);
    let broken = promises(&scene.scenario, &outcome, &journal);
    assert!(journal.entries.len() > scene.scenario.workload.len(), "promises are written down");
    assert!(broken.is_empty(), "{} broken, the first: {}", broken.len(), broken[0]);
}

#[test]
fn easy_to_its_heads() {
    keeps_its_promises("easy");
    keeps_its_promises("easy:candidates=sjf");
}

#[test]
fn conservative_to_every_job() {
    keeps_its_promises("conservative");
}
