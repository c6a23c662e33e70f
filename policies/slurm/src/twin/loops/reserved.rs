//! What advance reservations leave to a job in a cycle.
//!
//! They are no part of the table of a cycle. A job is not tested on the nodes that are reserved at some instant between the beginning
//! of a stretch and the job's limit after it. If the job can start only later, its reservation in the table may begin behind the
//! stretch, and may reach into an advance reservation: a later cycle then tests the job again.
//!
//! Source: `job_test_resv`, `find_resv_end` (reservation.c) and `_attempt_backfill` (backfill.c) of Slurm 22.05.

use std::borrow::Cow;

use batchlab_contract::turn::Turn;
use batchlab_traces::Time;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::capacity::Closure;

use crate::twin::grid::Resolution;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use crate::twin::reservations::Reservation;

struct Kept {
    from: Time,
    to: Time,
    nodes: NodeSet,
    maintains: bool,
    /// Its place among the reservations for the jobs that name them.
    own: Option<usize>,
}

impl Kept {
    /// Whether it is in the way of a job that starts at an instant.
    fn meets(&self, job: &Waiting, from: Time) -> bool {
        // slurmctld counts whole seconds.
        let from = whole(from);
        self.from < from + job.limit && self.to > from
    }

    fn bars(&self, job: &Waiting, own: Option<&Kept>, from: Time) -> bool {
        let is_other = job.reservation.is_none() || self.own != job.reservation;
        is_other && !own.is_some_and(|own| own.maintains) && self.meets(job, from)
    }
}

/// The advance reservations that are known at the beginning of a cycle.
pub(super) struct Reserved(Vec<Kept>);

/// What is left to a job from an instant on.
pub(super) struct Left {
    /// The instant: it is later than the one asked about if maintenance of the whole partition comes first.
    pub(super) from: Time,
    /// The nodes; `None` for all that the job may use.
    pub(super) nodes: Option<NodeSet>,
    /// When a reservation that is in the way is over: the test looks there, too.
    pub(super) over: Option<Time>,
    /// When other nodes may be left.
    pub(super) next: Option<Time>,
}

/// Rounds an instant down to a second.
pub(super) fn whole(at: Time) -> Time {
    at - Time::from_ticks(at.ticks().rem_euclid(Time::SECOND.ticks()))
}

pub(super) fn earliest(instants: [Option<Time>; 2]) -> Option<Time> {
    instants.into_iter().flatten().min()
}

impl Reserved {
    /// Returns the advance reservations of whole nodes, and the closures that are foreseen, as slurmctld knows them now.
    pub(super) fn known(reservations: &[Reservation], turn: &Turn<'_>, nodes: usize) -> Reserved {
        let now = turn.now();
        let known = |&(_, known): &(usize, &Reservation)| known.takes_nodes(now) && known.to > now;
        let named = reservations.iter().enumerate().filter(known).map(|(at, known)| Kept {
            from: known.from,
            to: known.to,
            nodes: known.nodes.clone(),
            maintains: known.maintains,
            own: Some(at),
        });
        let mut all: Vec<Kept> = named.collect();
        let named = all.len();
        let mut events = Vec::new();
        // Of maintenance that slurmctld's log tells, the end in its own time is not known before.
        let is_told = |closure: &&Closure| {
            let is_its = |known: &Reservation| {
                known.maintains && known.from == closure.event.from && known.nodes.has(closure.node)
            };
            reservations.iter().any(is_its)
        };
        for closure in turn.foreseen().iter().filter(|closure| closure.to > now && !is_told(closure)) {
            let event = (closure.event.index, closure.from, closure.to);
            let at = events.iter().position(|known| *known == event).unwrap_or_else(|| {
                events.push(event);
                let nodes = NodeSet::empty(nodes);
                all.push(Kept { from: closure.from, to: closure.to, nodes, maintains: true, own: None });
                events.len() - 1
            });
            all[named + at].nodes.insert(closure.node);
        }
        Reserved(all)
    }

    fn own(&self, job: &Waiting) -> Option<&Kept> {
        self.0.iter().find(|kept| kept.own.is_some() && kept.own == job.reservation)
    }

    /// Returns which of some nodes are left to a job from an instant on; `None` outside of the time of its own reservation.
    pub(super) fn leave<'n>(
        &self,
        job: &Waiting,
        nodes: &'n NodeSet,
        from: Time,
    ) -> Option<Cow<'n, NodeSet>> {
        if self.0.is_empty() {
            return Some(Cow::Borrowed(nodes));
        }
        let own = self.own(job);
        if own.is_some_and(|own| from < own.from || from > own.to) {
            return None;
        }
        let mut nodes = nodes.clone();
        self.0.iter().filter(|kept| kept.bars(job, own, from)).for_each(|kept| nodes.subtract(&kept.nodes));
        Some(Cow::Owned(nodes))
    }

    /// Returns what is left to a job of a partition from an instant on, up to the last instant of the window; `None` outside of the
    /// time of its own reservation.
    pub(super) fn left(
        &self,
        job: &Waiting,
        partition: &NodeSet,
        from: Time,
        last: Time,
        grid: Resolution,
    ) -> Option<Left> {
        if self.0.is_empty() {
            return Some(Left { from, nodes: None, over: None, next: None });
        }
        let own = self.own(job);
        let from = self.behind_maintenance(job, partition, from);
        let nodes = self.leave(job, &job.nodes, from)?.into_owned();
        let reach = if own.is_some() { &job.nodes } else { partition };
        let is_barred = self.0.iter().any(|kept| kept.bars(job, own, from) && kept.nodes.meets(reach));
        let ends = self.0.iter().map(|kept| kept.to).filter(|&to| to >= whole(from));
        let over = ends.min().filter(|_| is_barred).map(|end| grid.round_up(end) + Time::SECOND);
        let over = over.filter(|&over| over < last);
        // From then on the job would run into a further reservation.
        let enters = |kept: &Kept| whole(kept.from - job.limit) + Time::SECOND;
        let further = self.0.iter().map(enters).filter(|&enters| enters > from).min();
        Some(Left { from, nodes: Some(nodes), over, next: earliest([over, further]) })
    }

    /// Returns the first instant, not before `from`, at which no maintenance of the whole partition is in a job's way.
    fn behind_maintenance(&self, job: &Waiting, partition: &NodeSet, mut from: Time) -> Time {
        let is_whole = |kept: &&Kept| kept.maintains && !partition.exceeds(&kept.nodes, partition);
        let mut whole: Vec<&Kept> = self.0.iter().filter(is_whole).collect();
        whole.arrange_by_key(|kept| kept.from);
        for kept in whole.into_iter().filter(|_| job.reservation.is_none()) {
            if kept.meets(job, from) {
                from = kept.to;
            }
        }
        from
    }
}
