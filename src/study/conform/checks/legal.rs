//! Whether the machine could have run every schedule.

use batchlab_support::spec::Chosen;

use super::Check;
use crate::conform::attempt::{Miss, Play, Trial};
use batchlab_engine::schedule::verify::verify;

pub const CHECK: Check = Check {
    name: "legal",
    what: "no verb is refused, every job is served, and the machine could have run the schedule",
    how: "on every case: pools and nodes, one to four resources, tasks, partitions, every order of simultaneous \
          events, every rule for overruns, jobs of no length and jobs as large as the machine; and, as far as the policy \
          takes them, dependencies, layouts of jobs, devices of nodes and calendars; each schedule is passed to the checker of `verify`, \
          which shares no code with the engine",
    run: |suite, tally| tally.each(suite.chosen, suite.cases, trial),
};

pub fn trial(chosen: &Chosen, play: &Play) -> Trial {
    let outcome = play.replay(chosen)?.outcome.map_err(Miss::Broken)?;
    match verify(&play.scenario, &outcome).first() {
        None => Ok(()),
        Some(violation) => Err(Miss::Broken(violation.to_string())),
    }
}
