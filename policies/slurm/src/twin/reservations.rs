//! Advance reservations of nodes or of processors.
//!
//! While a reservation of some cores of its nodes lasts, or will within a job's limit, jobs without it have only the other
//! processors of its nodes, and jobs that name it have only its own. Which cores of a node a job has is not kept: the cores of the
//! reservation are free for its jobs.
//!
//! Source: `job_test_resv` of Slurm 22.05, which excludes the cores of each reservation that overlaps the time of a job.

use std::sync::Arc;

use batchlab_contract::placement::Placement;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::node_set::NodeSet;
use super::queue::Waiting;
use crate::site::{SiteReservation, SlurmSite};

pub(super) struct Reservation {
    pub(super) from: Time,
    pub(super) to: Time,
    /// From when, and until when, slurmctld knows of it.
    known: (Time, Time),
    pub(super) maintains: bool,
    pub(super) nodes: NodeSet,
    /// The processors of each node that it holds if not all.
    cores: Vec<(usize, i64)>,
}

impl Reservation {
    fn new(reservation: &SiteReservation, nodes: usize) -> Reservation {
        Reservation {
            from: reservation.from,
            to: reservation.to,
            known: reservation.known,
            maintains: reservation.maintains,
            nodes: NodeSet::of(nodes, |node| reservation.nodes.contains(&node)),
            cores: reservation.cores.clone(),
        }
    }

    pub(super) fn takes_nodes(&self, now: Time) -> bool {
        !self.holds_cores() && self.known.0 <= now && now < self.known.1
    }

    fn holds_cores(&self) -> bool {
        !self.cores.is_empty()
    }

    /// Whether it lasts at some instant between two others.
    fn meets(&self, from: Time, to: Time) -> bool {
        self.from < to && self.to > from
    }
}

#[derive(Clone)]
pub(super) struct AdvanceReservations {
    all: Arc<[Reservation]>,
    inside: SortedMap<JobId, Inside>,
}

#[derive(Clone, Debug)]
struct Inside {
    reservation: usize,
    procs: Vec<(usize, i64)>,
}

impl AdvanceReservations {
    pub(super) fn new(site: &SlurmSite, nodes: usize) -> AdvanceReservations {
        let all = site.reservations().iter().map(|reservation| Reservation::new(reservation, nodes));
        AdvanceReservations { all: all.collect(), inside: SortedMap::new() }
    }

    pub(super) fn all(&self) -> &[Reservation] {
        &self.all
    }

    pub(super) fn is_over(&self, reservation: usize, now: Time) -> bool {
        self.all[reservation].to <= now
    }

    pub(super) fn nodes(&self, reservation: usize) -> &NodeSet {
        &self.all[reservation].nodes
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = Time> + '_ {
        self.all.iter().flat_map(|reservation| [reservation.from, reservation.to])
    }

    /// Whether a reservation holds some processors of its nodes only.
    fn has_cores(&self, reservation: usize) -> bool {
        self.all[reservation].holds_cores()
    }

    pub(super) fn enter(&mut self, job: &Waiting, placement: &Placement) {
        if let Some(reservation) = job.reservation.filter(|&at| self.has_cores(at)) {
            let procs = placement.0.iter().map(|share| (share.node as usize, share.procs)).collect();
            self.inside.insert(job.job, Inside { reservation, procs });
        }
    }

    pub(super) fn leave(&mut self, job: JobId) {
        self.inside.remove(&job);
    }

    /// Takes out the nodes that are reserved for others at some instant between two others; all nodes if the reservation of the job
    /// does not last.
    pub(super) fn keep_usable(&self, job: &Waiting, from: Time, to: Time, nodes: &mut NodeSet) {
        for (at, reservation) in self.all.iter().enumerate() {
            if job.reservation == Some(at) {
                if from < reservation.from || from >= reservation.to {
                    *nodes = nodes.same_size();
                }
            } else if reservation.takes_nodes(from) && reservation.meets(from, to) {
                nodes.subtract(&reservation.nodes);
            }
        }
    }

    /// Whether any reservation holds some processors of its nodes only.
    pub(super) fn hold_cores(&self) -> bool {
        self.all.iter().any(Reservation::holds_cores)
    }

    /// Returns the processors on nodes of a reservation that a job may not have, given the free processors of each node, and when
    /// the reservation ends.
    pub(super) fn held_from(
        &self,
        job: &Waiting,
        reservation: usize,
        now: Time,
        free: impl Fn(usize) -> i64,
    ) -> (Vec<(u32, i64)>, Time) {
        let is_inside = job.reservation.is_some_and(|at| self.has_cores(at));
        let known = &self.all[reservation];
        let counts = if is_inside {
            job.reservation == Some(reservation)
        } else {
            known.meets(now, now.saturating_add(job.limit))
        };
        let held = known.cores.iter().filter(|_| counts).filter_map(|&(node, cores)| {
            let free = free(node);
            let own = (cores - self.inside_on(reservation, node)).clamp(0, free.max(0));
            let held = if is_inside { free - own } else { own };
            (held > 0).then_some((node as u32, held))
        });
        (held.collect(), known.to)
    }

    /// Returns the processors of the running jobs of a reservation on a node.
    fn inside_on(&self, reservation: usize, node: usize) -> i64 {
        let inside = self.inside.values().filter(|inside| inside.reservation == reservation);
        let procs = inside.flat_map(|inside| &inside.procs).filter(|(other, _)| *other == node);
        procs.map(|(_, procs)| procs).sum()
    }
}
