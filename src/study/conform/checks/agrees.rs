//! Whether a policy makes the same decisions as another one.

use batchlab_support::external::Plugin;
use batchlab_support::spec::Chosen;
use batchlab_traces::Time;

use super::Check;
use crate::conform::attempt::{Miss, Play, Trial};
use batchlab_engine::replay::engine::EventOrder;
use batchlab_engine::schedule::diff::diff;

pub const CHECK: Check = Check {
    name: "agrees",
    what: "with --like SPEC, every job starts and ends when it does under that policy, on the same nodes",
    how: "on every case for which both can be made; the first difference is shown as by `diff`, the policy \
        as A \
          and the other as B. A plug-in that decides may differ where jobs of no length come and go within a decision \
          (submit-first, finish-first), because it learns of that only after its answer",
    run: |suite, tally| match suite.like {
        None => tally.skip("no --like SPEC is given"),
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
    match diff(&play.scenario, &own, &other) {
        None => Ok(()),
        Some(_) if is_told_late(chosen, play) => Err(Miss::Skipped(LATE.into())),
        Some(difference) => Err(Miss::Broken(difference.to_string())),
    }
}

/// Why a difference does not count against a plug-in.
const LATE: &str = "it differs where jobs of no length are gone as soon as they have started (submit-first, \
                    finish-first): a plug-in learns of that only after its answer, when a built-in policy \
                    has already used the freed processors";

/// Whether a policy cannot know at its decision what a built-in one knows: a plug-in answers with all verbs of a decision at
/// once, while some jobs free their processors within the decision.
fn is_told_late(chosen: &Chosen, play: &Play) -> bool {
    let decides = |plugin: &Plugin| !plugin.is_order();
    let workload = &play.scenario.workload;
    let passes = |job| workload.run(job) == Time::ZERO && workload.estimate(job) == Time::ZERO;
    chosen.params().plugin().is_some_and(decides)
        && matches!(play.scenario.order, EventOrder::SubmitFirst | EventOrder::FinishFirst)
        && workload.jobs().any(passes)
}
