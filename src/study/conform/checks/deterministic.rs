//! Whether the same case always gives the same schedule.

use std::thread;

use batchlab_support::spec::Chosen;

use super::Check;
use crate::conform::attempt::{Miss, Play, Played, Trial};
use crate::conform::same::differs;

pub const CHECK: Check = Check {
    name: "deterministic",
    what: "the same case gives the same schedule, whatever was replayed before, beside it and at the same time",
    how: "on every fourth case: twice in a row; again after another one of its kind was made and replayed first; and \
          on three threads at once",
    run: |suite, tally| tally.each(suite.chosen, suite.every(4), trial),
};

const AT_ONCE: usize = 3;

fn trial(chosen: &Chosen, play: &Play) -> Trial {
    let first = play.replay(chosen)?;
    let compare = |other: &Played, when: &str| match differs(&play.scenario.workload, &first, other) {
        None => Ok(()),
        Some(how) => Err(Miss::Broken(format!("{when} it decides otherwise: {how}"))),
    };
    compare(&play.replay(chosen)?, "the second time")?;
    let (early, late) = (play.build(chosen)?, play.build(chosen)?);
    let late = play.run(chosen, late, None);
    compare(&late, "made after another one and replayed before it,")?;
    compare(&play.run(chosen, early, None), "made before another one and replayed after it,")?;
    let at_once: Vec<Result<Played, Miss>> = thread::scope(|scope| {
        let running: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(|| play.replay(chosen))).collect();
        let lost = || Err(Miss::Broken("its thread ends before it does".into()));
        running.into_iter().map(|replay| replay.join().unwrap_or_else(|_| lost())).collect()
    });
    for played in at_once {
        compare(&played?, "replayed on three threads at once")?;
    }
    Ok(())
}
