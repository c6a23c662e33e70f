//! Whether a policy releases all resources.

use super::Check;
use crate::conform::attempt::{Miss, Played};
use crate::conform::case::Case;
use crate::conform::suite::{Footprint, Suite};
use crate::conform::tally::Tally;

pub const CHECK: Check = Check {
    name: "clean",
    what: "it ends without a fault, and no state is left when it is dropped in the middle of a replay",
    how: "on every eighth case to the end; then one case is begun and dropped after two decisions, forty-five times \
          over: no process may be left, and neither threads nor open files nor memory may grow with each time",
    run: |suite, tally| {
        tally.each(suite.chosen, suite.every(8), |chosen, play| {
            let Played { outcome, finish, .. } = play.replay(chosen)?;
            outcome.map_err(|_| Miss::Skipped("its replay does not come to an end".into()))?;
            finish.map_err(|what| Miss::Broken(format!("after the last job: {what}")))
        });
        if !tally.failed() {
            drop_often(suite, tally);
        }
    },
};

/// The number of replays dropped between two measurements; three measurements follow the first one.
const TIMES: u64 = 15;

/// The growth of memory that is tolerated between measurements, in bytes: the memory of a process is no exact number.
const SLACK: u64 = 1 << 20;

fn drop_often(suite: &Suite<'_>, tally: &mut Tally<'_>) {
    let Some(case) = suite.cases.iter().find(|case| drop_once(suite, case)) else {
        return tally.skip("there is no case that it can be dropped in the middle of");
    };
    let measured: Vec<Footprint> = (0..4)
        .map(|round| {
            for _ in 0..if round == 0 { 0 } else { TIMES } {
                drop_once(suite, case);
                tally.hold();
            }
            (suite.footprint)()
        })
        .collect();
    if let Some(what) = left_behind(&measured) {
        tally.fail(what, suite.chosen, Some(case));
    } else if measured[0] == Footprint::default() {
        tally.skip("the resources of a process are unknown on this system");
    }
}

/// Begins a replay and drops it after two decisions; returns whether it got that far.
fn drop_once(suite: &Suite<'_>, case: &Case) -> bool {
    let Ok(play) = case.play() else { return false };
    let Ok(policy) = play.build(suite.chosen) else { return false };
    play.run(suite.chosen, policy, Some(2)).outcome.is_err()
}

type Count = fn(&Footprint) -> Option<u64>;

/// Returns a description of what dropped replays left behind; the first measurement is the baseline.
fn left_behind(measured: &[Footprint]) -> Option<String> {
    let of = |count: Count| measured.iter().map(count).collect::<Option<Vec<u64>>>();
    let ends = |values: &[u64]| values.first().copied().zip(values.last().copied());
    if let Some((before, after)) = of(|held| held.children).as_deref().and_then(ends)
        && after > before
    {
        return Some(format!("{} of its processes are left after {} replays", after - before, 3 * TIMES));
    }
    let counted: [(&str, Count); 2] = [("threads", |held| held.threads), ("open files", |held| held.files)];
    for (what, count) in counted {
        let Some((before, after)) = of(count).as_deref().and_then(ends) else { continue };
        if after >= before + TIMES {
            return Some(format!("{} {what} are left after {} replays", after - before, 3 * TIMES));
        }
    }
    // The first rounds fill caches of the system, so memory must grow in every round to count.
    let memory = of(|held| held.memory)?;
    let grows = memory.windows(2).all(|pair| pair[1] >= pair[0] + SLACK);
    let more = memory.last()?.saturating_sub(memory[0]);
    grows.then(|| format!("{} KB of memory are left after {} replays", more / 1024, 3 * TIMES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(what: fn(&mut Footprint, u64), values: [u64; 4]) -> Option<String> {
        let measured = values.map(|value| {
            let mut footprint = Footprint::default();
            what(&mut footprint, value);
            footprint
        });
        left_behind(&measured)
    }

    #[test]
    fn what_grows_with_every_replay_is_left_behind() {
        let children = |held: &mut Footprint, count| held.children = Some(count);
        assert_eq!(of(children, [1, 1, 2, 1]), None);
        assert_eq!(of(children, [0, 0, 0, 1]).unwrap(), "1 of its processes are left after 45 replays");
        let files = |held: &mut Footprint, count| held.files = Some(count);
        assert_eq!(of(files, [7, 9, 9, 9]), None);
        assert_eq!(of(files, [7, 22, 37, 52]).unwrap(), "45 open files are left after 45 replays");
        let threads = |held: &mut Footprint, count| held.threads = Some(count);
        assert!(of(threads, [1, 16, 31, 46]).unwrap().starts_with("45 threads"));
        let memory = |held: &mut Footprint, megabytes: u64| held.memory = Some(megabytes << 20);
        assert_eq!(of(memory, [10, 30, 31, 31]), None);
        assert_eq!(of(memory, [10, 12, 14, 17]).unwrap(), "7168 KB of memory are left after 45 replays");
        assert_eq!(left_behind(&[Footprint::default(); 4]), None);
    }
}
