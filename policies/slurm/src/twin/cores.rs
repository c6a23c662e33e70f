//! Advance reservations that hold some cores of their nodes.
//!
//! While a reservation lasts, or will within a job's limit, jobs without it have only the other processors of its nodes, and jobs
//! that name it have only its own. Which cores of a node a job has is not kept: those of the reservation are free for its jobs.
//!
//! Source: `job_test_resv` of Slurm 22.05, which excludes the cores of each reservation that overlaps the time of a job.

use std::sync::Arc;

use batchlab_traces::{JobId, Time};

use super::controller::Twin;
use super::queue::Waiting;
use super::reservation::Reservation;
use super::space::FIRST;
use batchlab_policies::placement::Placement;

/// The processors of the running jobs of a reservation of cores.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    reservation: usize,
    procs: Vec<(usize, i64)>,
}

impl Twin {
    /// Takes up that a job of a reservation has started.
    pub(super) fn enters_cores(&mut self, job: &Waiting, placement: &Placement) {
        let Some(reservation) = job.reservation.filter(|&at| self.reservations[at].holds_cores()) else {
            return;
        };
        let procs = placement.0.iter().map(|share| (share.node as usize, share.procs)).collect();
        self.inside.insert(job.job, Inside { reservation, procs });
    }

    /// Takes the processors that a job may not have by reservations of cores off the nodes. Returns how many reservations that
    /// are, for [`Twin::give_back`].
    pub(super) fn hold_cores(&mut self, now: Time, job: &Waiting) -> u32 {
        if !self.reservations.iter().any(Reservation::holds_cores) {
            return 0;
        }
        let (reservations, end) = (Arc::clone(&self.reservations), now.saturating_add(job.limit));
        let is_inside = job.reservation.is_some_and(|at| reservations[at].holds_cores());
        let mut count = 0;
        for (at, one) in reservations.iter().enumerate() {
            let counts = if is_inside { job.reservation == Some(at) } else { one.from < end && one.to > now };
            if !counts {
                continue;
            }
            let held: Vec<(u32, i64)> = one
                .cores
                .iter()
                .filter_map(|&(node, cores)| {
                    let free = self.space.free_procs(node);
                    let own = (cores - self.inside_on(at, node)).clamp(0, free.max(0));
                    let held = if is_inside { free - own } else { own };
                    (held > 0).then_some((node as u32, held))
                })
                .collect();
            if !held.is_empty() {
                self.space.hold(held_by(count), &held, one.to);
                count += 1;
            }
        }
        count
    }

    /// Gives back what [`Twin::hold_cores`] took.
    pub(super) fn give_back(&mut self, count: u32) {
        for at in 0..count {
            self.space.end(held_by(at), false);
        }
    }

    /// Returns the processors of the running jobs of a reservation on a node.
    fn inside_on(&self, reservation: usize, node: usize) -> i64 {
        let of_it = self.inside.values().filter(|inside| inside.reservation == reservation);
        of_it
            .flat_map(|inside| &inside.procs)
            .filter(|(other, _)| *other == node)
            .map(|(_, procs)| procs)
            .sum()
    }
}

/// Returns the identity by which the processors of a reservation are held.
pub(super) fn held_by(at: u32) -> JobId {
    JobId(FIRST.saturating_add(at))
}
