//! The jobs in rows, in classes: jobs in the same rows get the same service at the same time.
//!
//! So service is counted by class. A job notes the service of its class when it enters, and is settled when it leaves the class,
//! not at each event: the cost of an event grows with the number of classes, at most 2^rows, and of jobs that change rows.

use batchlab_traces::JobId;
use rustc_hash::FxHashMap;

use super::rotation::Turns;

/// The service of a class, in ticks and stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Got {
    /// Slices without switches.
    pub(super) service: i64,
    /// Slices.
    pub(super) held: i64,
    /// How often they stopped.
    pub(super) stops: i64,
}

/// The jobs that are in the same rows and pay for the same switches.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// The rows by position, ascending.
    pub(super) rows: Box<[u32]>,
    /// Whether they do not pay for the switch of the current slice.
    pub(super) exempt: bool,
    pub(super) turns: Turns,
    pub(super) got: Got,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    class: u32,
    /// The service of the class when the job was settled.
    settled: Got,
}

#[derive(Debug, Default)]
pub(super) struct Members {
    of: FxHashMap<JobId, Member>,
    classes: Vec<Class>,
    known: FxHashMap<(Box<[u32]>, bool), u32>,
    /// Classes without jobs, to be used again.
    unused: Vec<u32>,
}

impl Got {
    fn minus(self, other: Got) -> Got {
        Got {
            service: self.service - other.service,
            held: self.held - other.held,
            stops: self.stops - other.stops,
        }
    }
}

impl Class {
    pub(super) fn is_in(&self, row: usize) -> bool {
        self.rows.binary_search(&(row as u32)).is_ok()
    }
}

impl Members {
    pub(super) fn any(&self) -> bool {
        !self.of.is_empty()
    }

    pub(super) fn has(&self, job: JobId) -> bool {
        self.of.contains_key(&job)
    }

    /// Returns the jobs, in no particular order.
    pub(super) fn jobs(&self) -> impl Iterator<Item = JobId> + '_ {
        self.of.keys().copied()
    }

    pub(super) fn class(&self, job: JobId) -> Option<&Class> {
        Some(&self.classes[self.of.get(&job)?.class as usize])
    }

    pub(super) fn classes(&mut self) -> impl Iterator<Item = &mut Class> + '_ {
        self.classes.iter_mut().filter(|class| class.count > 0)
    }

    /// Returns the jobs that do not pay for the switch of the current slice, ascending. O(jobs), O(classes) if there are none.
    pub(super) fn exempt(&self) -> Vec<JobId> {
        if !self.classes.iter().any(|class| class.count > 0 && class.exempt) {
            return Vec::new();
        }
        let is_exempt = |job: &JobId| self.class(*job).is_some_and(|class| class.exempt);
        let mut jobs: Vec<JobId> = self.jobs().filter(is_exempt).collect();
        jobs.sort_unstable();
        jobs
    }

    pub(super) fn rows(&self, job: JobId) -> &[u32] {
        self.class(job).map_or(&[], |class| &class.rows)
    }

    /// Returns the service of a job since it was settled.
    pub(super) fn unsettled(&self, job: JobId) -> Got {
        let Some(member) = self.of.get(&job) else { return Got::default() };
        self.classes[member.class as usize].got.minus(member.settled)
    }

    /// Returns the service of a job since it was settled, and settles it.
    pub(super) fn settle(&mut self, job: JobId) -> Got {
        let Some(member) = self.of.get_mut(&job) else { return Got::default() };
        let got = self.classes[member.class as usize].got;
        got.minus(std::mem::replace(&mut member.settled, got))
    }

    /// Counts one stop more, or fewer, for a job than for its class.
    pub(super) fn stops_more(&mut self, job: JobId, by: i64) {
        if let Some(member) = self.of.get_mut(&job) {
            member.settled.stops -= by;
        }
    }

    /// Brings a job, which is settled, into these rows, or out of all.
    pub(super) fn set(&mut self, job: JobId, rows: &[u32], exempt: bool) {
        if let Some(member) = self.of.remove(&job) {
            let class = &mut self.classes[member.class as usize];
            class.count -= 1;
            if class.count == 0 {
                self.known.remove(&(std::mem::take(&mut class.rows), class.exempt));
                self.unused.push(member.class);
            }
        }
        if rows.is_empty() {
            return;
        }
        let key = (rows.into(), exempt);
        let class = match self.known.get(&key) {
            Some(&class) => class,
            None => {
                let class = self.unused.pop().unwrap_or_else(|| {
                    self.classes.push(Class::default());
                    self.classes.len() as u32 - 1
                });
                self.classes[class as usize] = Class { rows: rows.into(), exempt, ..Class::default() };
                self.known.insert(key, class);
                class
            }
        };
        let own = &mut self.classes[class as usize];
        own.count += 1;
        self.of.insert(job, Member { class, settled: own.got });
    }
}
