//! Relaxed backfilling: candidates may delay the head, up to a share of its expected wait.
//!
//! Ward, Mahood, West (JSSPP 2002): a lower job is started as long as it does not delay the first one too much, the
//! delay being at most ω times the first one's wait. What the wait is counted to is this project's reading:
//!
//! * Heads start while they fit. Let the head that does not fit have been submitted at s, let t be its earliest start
//!   by the estimates of running jobs, and b the least t of all decisions since it became the head: what it could
//!   have expected.
//! * Its limit is d = max(t, b + ω · (b − s)). It is reserved for at d instead of t: a candidate starts, in candidate
//!   order, if it fits now and ends by d, or leaves what the head needs free from d on. On nodes the reservation is a
//!   placement fixed at d.
//! * b is fixed by the past, so that delays do not add up: with run times within the estimates, the queue order `fcfs`
//!   and decisions at every event the head starts by the first b + ω · (b − s) whatever comes after it. Where t lies
//!   beyond (overdue jobs, short predictions), candidates may not make it any later. A head that another job passes in
//!   the queue order starts anew when it is the head again.
//!
//! ω = 0 is EASY, and ω = inf, which protects nobody, is `first-fit`. The default 0.5 is this project's: half as much
//! wait again.
//!
//! A decision costs O(r) for r running jobs, and a look at the plan, O(r), for each candidate that fits now; on nodes
//! as [`Window`](crate::support::window::Window) says.

use batchlab_traces::{JobId, Time};

use super::holes::Holes;
use crate::policy::{Needs, Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::{Books, CANDIDATES};
use crate::support::estimates::{CORRECTOR, PREDICTOR};
use crate::support::hosts::PLACE;
use crate::support::keeper::Keeper;
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::{HALF_LIFE, LOG0, ORDER, ORIGIN, SRTF};
use crate::support::queue::THRESHOLD;
use crate::support::score::scaled;
use crate::turn::Turn;

/// What the policy says about itself.
pub const SPEC: PolicySpec = PolicySpec {
    name: "relaxed",
    family: "backfilling",
    summary: "as easy, but candidates may delay the head by up to omega times its expected wait",
    cite: "Ward, Mahood, West, JSSPP 2002; what the wait is counted to: this project's variant",
    rule: "As easy, but the head's reservation stands at its limit: the earliest start that it has had since it \
        became the head, plus omega times its wait until then. Delays do not add up.",
    params: &[
        OMEGA, ORDER, CANDIDATES, THRESHOLD, PREDICTOR, CORRECTOR, PLACE, ORIGIN, LOG0, HALF_LIFE, SRTF,
    ],
    needs: Needs::NONE,
    build: |params, setting| for_kinds(setting, &Make(params)),
};

const OMEGA: ParamSpec = ParamSpec {
    name: "omega",
    kind: ParamKind::NumberOr { least: 0.0, words: &["inf"] },
    default: "0.5",
    help: "how much longer the head may wait, as a share of the wait it could expect; 0 is easy, inf first-fit",
};

struct Make<'a>(&'a Params);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let omega = self.0.number(OMEGA.name).unwrap_or_default();
        Ok(Box::new(Relaxed::<K> { holes: Holes::new(self.0, setting)?, omega, expected: None }))
    }
}

struct Relaxed<const K: usize> {
    holes: Holes<K>,
    omega: f64,
    /// The head, and the earliest start that it has had since it became one.
    expected: Option<(JobId, Time)>,
}

impl<const K: usize> Keeper for Relaxed<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.holes.books
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.holes.books.settle(turn)?;
        self.holes.books.start_heads(turn)?;
        let Some(head) = self.holes.books.queue.head() else { return Ok(()) };
        self.holes.reset(turn);
        let earliest = self.holes.earliest(turn, head)?;
        let limit = self.limit(turn, head, earliest.slot.from);
        let view = turn.job(head);
        let relaxed = self.holes.plan.at(turn.machine(), view, limit, self.holes.stay(view));
        self.holes.plan.take(view, &relaxed.unwrap_or(earliest));
        if limit < Time::MAX {
            turn.promise(head, limit);
        }
        self.holes.fill(turn)
    }
}

impl<const K: usize> Relaxed<K> {
    /// Returns by when the head shall start, now that its earliest start is this.
    fn limit(&mut self, turn: &Turn<'_>, head: JobId, earliest: Time) -> Time {
        let before = self.expected.filter(|(job, _)| *job == head).map(|(_, at)| at);
        let expected = before.map_or(earliest, |at| at.min(earliest));
        self.expected = Some((head, expected));
        let wait = expected - turn.job(head).submit();
        expected.saturating_add(scaled(wait, self.omega)).max(earliest)
    }
}
