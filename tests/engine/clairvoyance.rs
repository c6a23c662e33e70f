//! Tests that only policies that declare it can see the future.

use batchlab::policies::{Needs, Policy, Turn};
use batchlab::traces::JobId;
use chacha20::rand_core::Rng;

use super::script::{Decided, pool, run, secs, start_all};

#[test]
fn run_times_are_hidden_unless_clairvoyance_is_declared() {
    let scene = pool(1, &[(0, 7, 1)]);
    for clairvoyance in [false, true] {
        let needs = Needs { clairvoyance, ..Needs::POOL };
        let mut seen = Vec::new();
        run(&scene, needs, |turn| {
            seen.push(turn.oracle().map(|oracle| oracle.run(JobId(0))));
            start_all(turn)
        })
        .unwrap();
        assert_eq!(seen, [clairvoyance.then(|| secs(7)); 2]);
    }
}

/// Starts the waiting jobs in an order drawn at every decision.
struct Lottery;

impl Policy for Lottery {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Decided {
        let mut waiting: Vec<JobId> = turn.waiting().collect();
        while !waiting.is_empty() {
            let drawn = turn.rng().next_u64() as usize % waiting.len();
            let job = waiting.swap_remove(drawn);
            if turn.fits(job) {
                turn.start(job)?;
            }
        }
        Ok(())
    }
}

#[test]
fn a_seed_and_a_name_fix_all_draws() {
    let starts = |seed: u64, name: &str| {
        let mut scene = pool(2, &[(0, 5, 1); 30]);
        scene.scenario.seed = seed;
        scene.named(name, Needs::POOL, &mut Lottery).unwrap().0.start
    };
    assert_eq!(starts(1, "lottery"), starts(1, "lottery"));
    assert_ne!(starts(1, "lottery"), starts(2, "lottery"));
    assert_ne!(starts(1, "lottery"), starts(1, "lottery:other"));
}
