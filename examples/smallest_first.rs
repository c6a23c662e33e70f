//! A user's own policy: registered at run time, and then used like any other.
//!
//! `cargo run --release --example smallest_first -- replay traces/data/lublin-128.swf.gz --policy smallest-first --policy easy`

use std::process::ExitCode;

use batchlab::Registry;
use batchlab::policies::{Needs, Policy, PolicyError, PolicySpec, Turn};
use batchlab::traces::{Citation, JobId};

struct SmallestFirst;

impl Policy for SmallestFirst {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut queue: Vec<JobId> = turn.waiting().collect();
        queue.sort_by_key(|&job| (turn.job(job).procs(), job));
        for job in queue {
            if turn.fits(job) {
                turn.start(job)?;
            }
        }
        Ok(())
    }
}

const SPEC: PolicySpec = PolicySpec {
    name: "smallest-first",
    family: "mine",
    summary: "starts every job that fits, narrow jobs first",
    cite: Citation::foreign("this example"),
    rule: "The waiting jobs are tried in ascending order of processors, and every one that fits starts.",
    params: &[],
    needs: Needs::POOL,
    build: |_, _| Ok(Box::new(SmallestFirst)),
};

fn main() -> ExitCode {
    let mut registry = Registry::builtin();
    match registry.register_policy(SPEC) {
        Ok(()) => batchlab::main_with(&registry),
        Err(_) => ExitCode::FAILURE,
    }
}
