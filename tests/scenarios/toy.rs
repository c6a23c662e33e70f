//! The toy logs of the reference replayer, if they are present; starts computed by hand.

use crate::lab::{play, toy};

fn starts(name: &str, events: &str, spec: &str, expected: &[f64]) {
    let Some(toy) = toy(name) else { return };
    let (outcome, _) = play(&toy.events(events), spec);
    let starts: Vec<f64> = outcome.start.iter().map(|start| start.secs()).collect();
    assert_eq!(starts, expected, "{name}: {spec} in {events}");
}

#[test]
fn cons_hole() {
    for events in ["batch", "submit-first", "finish-first"] {
        starts("cons-hole", events, "conservative", &[0.0, 10.0, 60.0, 10.0]);
        starts("cons-hole", events, "conservative:variant=replan", &[0.0, 10.0, 60.0, 10.0]);
        starts("cons-hole", events, "conservative:variant=fixed", &[0.0, 100.0, 150.0, 100.0]);
    }
}

#[test]
fn extra_tie() {
    for events in ["batch", "submit-first", "finish-first"] {
        starts("extra-tie", events, "easy", &[0.0, 0.0, 100.0, 2.0]);
        starts("extra-tie", events, "easy:extra=first", &[0.0, 0.0, 100.0, 100.0]);
    }
}

#[test]
fn same_instant_ends() {
    starts("same-instant-ends", "batch", "easy", &[0.0, 0.0, 100.0, 150.0]);
    starts("same-instant-ends", "submit-first", "easy", &[0.0, 0.0, 140.0, 100.0]);
    starts("same-instant-ends", "finish-first", "easy", &[0.0, 0.0, 140.0, 100.0]);
}
