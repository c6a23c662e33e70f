//! A policy with a parameter: narrow jobs first, with a limit on every job's wait.

use batchlab::policies::spec::{ParamKind, ParamSpec};
use batchlab::policies::{Needs, Policy, PolicyError, PolicySpec, Turn};
use batchlab::traces::{Citation, JobId, Time};

/// The policy's description; `list policies narrow-first` prints it.
pub const SPEC: PolicySpec = PolicySpec {
    name: "narrow-first",
    family: "this site",
    summary: "starts every job that fits, narrow jobs first; no job overtakes one that has waited too long",
    cite: Citation::foreign("this crate"),
    rule: "Jobs that have waited for longer than their patience are tried first, in the order of submission, and one \
           that does not fit blocks all behind it. The others are tried in ascending order of processors.",
    params: &[ParamSpec {
        name: "patience",
        kind: ParamKind::Duration,
        default: "none",
        help: "how long a job lets others overtake it; none: for ever",
        ..ParamSpec::PLAIN
    }],
    needs: Needs::POOL,
    build: |params, _| Ok(Box::new(NarrowFirst { patience: params.duration("patience") })),
};

struct NarrowFirst {
    patience: Option<Time>,
}

impl Policy for NarrowFirst {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        // Ascending: jobs that exceeded the limit by submission, then all others by processors.
        let rank = |job: JobId| {
            let (now, view) = (turn.now(), turn.job(job));
            let patient = self.patience.is_none_or(|most| now - view.submit() <= most);
            (patient, if patient { view.procs() } else { 0 }, job)
        };
        let mut queue: Vec<(bool, i64, JobId)> = turn.waiting().map(rank).collect();
        queue.sort_unstable();
        for (patient, _, job) in queue {
            if turn.fits(job) {
                turn.start(job)?;
            } else if !patient {
                break;
            }
        }
        Ok(())
    }
}
