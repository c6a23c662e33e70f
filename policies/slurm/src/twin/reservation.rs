//! Advance reservations of nodes or of processors.

use batchlab_traces::Time;

use super::node_set::NodeSet;
use crate::site::SiteReservation;

/// An advance reservation for the jobs that name it.
pub(super) struct Reservation {
    pub(super) from: Time,
    pub(super) to: Time,
    /// From when, and until when, slurmctld knows of it.
    pub(super) known: (Time, Time),
    /// Whether it is for maintenance.
    pub(super) maintains: bool,
    pub(super) nodes: NodeSet,
    /// The processors of each node that it holds if not all.
    pub(super) cores: Vec<(usize, i64)>,
}

impl Reservation {
    /// Returns a site's reservation on a machine of some nodes.
    pub(super) fn new(one: &SiteReservation, nodes: usize) -> Reservation {
        Reservation {
            from: one.from,
            to: one.to,
            known: one.known,
            maintains: one.maintains,
            nodes: NodeSet::of(nodes, |node| one.nodes.contains(&node)),
            cores: one.cores.clone(),
        }
    }

    /// Whether slurmctld knows of it at an instant.
    pub(super) fn is_known(&self, now: Time) -> bool {
        self.known.0 <= now && now < self.known.1
    }

    /// Whether it holds some processors of its nodes only.
    pub(super) fn holds_cores(&self) -> bool {
        !self.cores.is_empty()
    }
}
