//! The coming changes of the machine's capacity.

use std::sync::Arc;

use batchlab_support::cluster::Cluster;
use batchlab_support::stage::Stage;
use batchlab_traces::capacity::{CapacityCalendar, Closure};
use batchlab_traces::machine::has_room;
use batchlab_traces::{JobId, Time};

pub(super) enum Change {
    Opens(Closure),
    Closes(Closure),
    Announced(Closure),
}

#[derive(Default)]
pub(super) struct Changes {
    calendar: Option<Arc<CapacityCalendar>>,
    /// The instant, the kind (openings first, announcements last) and the closure of each change.
    coming: Vec<(Time, u8, usize)>,
    at: usize,
}

impl Changes {
    /// Returns the changes of a calendar; those that are known from the beginning become known to the policy.
    pub(super) fn new(calendar: Option<&Arc<CapacityCalendar>>, stage: &mut Stage) -> Changes {
        let Some(calendar) = calendar else { return Changes::default() };
        stage.closes = true;
        let mut coming = Vec::new();
        for (index, closure) in calendar.closures.iter().enumerate() {
            coming.push((closure.from, 1, index));
            if closure.to < Time::MAX {
                coming.push((closure.to, 0, index));
            }
            let known = calendar.foreseen_from(closure);
            if known < Time::ZERO {
                stage.foreseen.add(closure.clone());
            } else if known < closure.to {
                coming.push((known, 2, index));
            }
        }
        coming.sort_unstable();
        Changes { calendar: Some(calendar.clone()), coming, at: 0 }
    }

    pub(super) fn exist(&self) -> bool {
        !self.coming.is_empty()
    }

    #[inline]
    pub(super) fn next(&self) -> Option<Time> {
        self.coming.get(self.at).map(|&(at, ..)| at)
    }

    /// Takes the next change if it is due.
    pub(super) fn take(&mut self, now: Time) -> Option<Change> {
        let &(_, kind, index) = self.coming.get(self.at).filter(|&&(at, ..)| at <= now)?;
        self.at += 1;
        let closure = self.calendar.as_ref()?.closures.get(index)?.clone();
        Some(match kind {
            0 => Change::Opens(closure),
            1 => Change::Closes(closure),
            _ => Change::Announced(closure),
        })
    }
}

/// Returns the waiting jobs that the machine cannot hold with what is in service.
pub(super) fn too_large(cluster: &Cluster) -> Vec<JobId> {
    let (machine, workload) = (cluster.machine(), cluster.workload());
    let room: Vec<Vec<i64>> = (0..machine.nodes()).map(|node| cluster.in_service(node)).collect();
    let fits = |job: JobId| {
        let takes = |node| workload.admits(machine, job, node);
        has_room(machine, workload.demand(job), &workload.layout(job), takes, &room)
    };
    cluster.waiting().filter(|&job| !fits(job)).collect()
}
