//! Whether a policy does what another one does.

use batchlab_policies::registry::Chosen;

use super::Check;
use crate::conform::attempt::{Miss, Play, Trial};
use crate::diff::diff;

pub const CHECK: Check = Check {
    name: "agrees",
    what: "with --like SPEC, every job starts and ends when it does under that policy, on the same nodes",
    how: "on every case for which both can be made; the first difference is shown as `diff` tells it, the policy as A \
          and the other as B",
    run: |suite, tally| match suite.like {
        None => tally.skip("there is no --like SPEC to agree with"),
        Some(like) => tally.each(suite.chosen, suite.cases, |chosen, play| trial(chosen, like, play)),
    },
};

fn trial(chosen: &Chosen, like: &Chosen, play: &Play) -> Trial {
    let other = play.replay(like)?.outcome;
    let own = play.replay(chosen)?.outcome;
    let (own, other) = match (own, other) {
        (Ok(own), Ok(other)) => (own, other),
        (Err(error), _) => return Err(Miss::Broken(error)),
        (_, Err(error)) => return Err(Miss::Skipped(error)),
    };
    match diff(&play.scenario.workload, &play.scenario.machine, &own, &other) {
        None => Ok(()),
        Some(difference) => Err(Miss::Broken(difference.to_string())),
    }
}
