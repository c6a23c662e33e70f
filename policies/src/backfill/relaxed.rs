//! Relaxed backfilling: candidates may delay the head by up to a share of its expected wait.
//!
//! Ward, Mahood, West (JSSPP 2002): a job of lower priority starts if it does not delay the first job too
//! much, the delay being at most ω times the first job's wait. Which wait counts is this project's reading:
//!
//! * Heads start while they fit. For the first head that does not fit, let s be its submission, t its
//!   earliest start by the estimates of the running jobs, and b the least t of all decisions since it became
//!   the head: the start it could have expected.
//! * The limit of the head is d = max(t, b + ω · (b − s)). Its reservation is at d instead of t: a candidate
//!   starts, in candidate order, if it fits now and ends by d, or leaves the head's need free from d on. On
//!   nodes the reservation is a placement fixed at d.
//! * b depends on the past only, so that delays do not add up: with run times within the estimates, the
//!   queue order `fcfs` and decisions at every event, the head starts by the first b + ω · (b − s), whatever
//!   arrives after it. If t lies beyond that limit (overdue jobs, short predictions), candidates may not
//!   delay the head any further. If another job passes the head in the queue order, b is reset when the job
//!   becomes the head again.
//!
//! ω = 0 is EASY; ω = inf protects no job and is `first-fit`. The default 0.5 is this project's choice: half
//! of the expected wait in addition.
//!
//! A decision costs O(r) for r running jobs, and O(r) for each candidate that fits now; on nodes see
//! [`Window`](crate::support::window::Window).

use batchlab_traces::{Citation, JobId, Time};

use super::holes::Holes;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::{Books, CANDIDATES};
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::score::scaled;
use crate::turn::Turn;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "relaxed",
    family: "backfilling",
    summary: "as easy, but candidates may delay the head by up to omega times its expected wait",
    cite: Citation::of(
        "Ward, Mahood, West, JSSPP 2002; what the wait is counted to: this project's variant",
        &["ward02"],
    ),
    rule: "As easy, but the head's reservation stands at its limit: the earliest start that it has had since it \
        became the head, plus omega times its wait until then. Delays do not add up.",
    params: params![&[OMEGA, ORDER, CANDIDATES], BOOKED],
    needs: Needs::TIERS,
    build: |params, setting| for_kinds(setting, &Make(params)),
};

const OMEGA: ParamSpec = ParamSpec {
    name: "omega",
    kind: ParamKind::NumberOr { least: 0.0, words: &["inf"] },
    default: "0.5",
    help: "how much longer the head may wait, as a share of the wait it could expect; 0 is easy, inf first-fit",
    ..ParamSpec::PLAIN
};

struct Make<'a>(&'a Params);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let omega = self.0.number(OMEGA.name).unwrap_or_default();
        Ok(keeping(Relaxed::<K> { holes: Holes::new(self.0, setting)?, omega, expected: None }))
    }
}

struct Relaxed<const K: usize> {
    holes: Holes<K>,
    omega: f64,
    /// The head, and its earliest start so far since it became the head.
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
        let relaxed = self.holes.plan.at(turn.machine(), view, limit, self.holes.books.stay(view));
        self.holes.plan.take(view, &relaxed.unwrap_or(earliest));
        if limit < Time::MAX {
            turn.promise(head, limit);
        }
        self.holes.fill(turn)
    }
}

impl<const K: usize> Relaxed<K> {
    /// Returns the limit of the head's start, given its earliest start at this decision.
    fn limit(&mut self, turn: &Turn<'_>, head: JobId, earliest: Time) -> Time {
        let before = self.expected.filter(|(job, _)| *job == head).map(|(_, at)| at);
        let expected = before.map_or(earliest, |at| at.min(earliest));
        self.expected = Some((head, expected));
        let wait = expected - turn.job(head).submit();
        expected.saturating_add(scaled(wait, self.omega)).max(earliest)
    }
}
