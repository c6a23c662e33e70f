//! The plan of conservative backfilling: a profile with every running job and every reservation in it.

use std::collections::{BTreeSet, HashMap};

use batchlab_traces::{JobId, Time};

use crate::support::profile::{Profile, Slot};

/// Who holds the machine from when to when: running jobs until their expected ends, reservations of at
/// least one second each.
#[derive(Debug)]
pub struct Plan<const K: usize> {
    profile: Profile<K>,
    reserved: HashMap<JobId, Slot<K>>,
    running: HashMap<JobId, Slot<K>>,
    /// Reservations by start.
    starts: BTreeSet<(Time, JobId)>,
    /// Running jobs by the end of their slot: whoever stays longer is overdue.
    ends: BTreeSet<(Time, JobId)>,
}

impl<const K: usize> Plan<K> {
    /// Returns the plan of an empty machine.
    pub fn new(now: Time, capacity: [i64; K]) -> Plan<K> {
        Plan {
            profile: Profile::new(now, capacity),
            reserved: HashMap::new(),
            running: HashMap::new(),
            starts: BTreeSet::new(),
            ends: BTreeSet::new(),
        }
    }

    /// Lets time pass. Whoever runs beyond its slot is expected to end in a second.
    pub fn advance(&mut self, now: Time) {
        self.profile.advance(now);
        while let Some(&(to, job)) = self.ends.first() {
            if to > now {
                break;
            }
            self.runs_until(job, now + Time::SECOND, now);
        }
    }

    /// Reserves the earliest start for so long; `None` when the need never fits.
    pub fn reserve(&mut self, job: JobId, amount: [i64; K], duration: Time) -> Option<Time> {
        let from = self.profile.earliest(amount, duration)?;
        let slot = Slot { from, to: from.saturating_add(duration), amount };
        self.profile.take(slot);
        self.reserved.insert(job, slot);
        self.starts.insert((from, job));
        Some(from)
    }

    /// Moves a reservation to its earliest start, if that is earlier; returns it.
    pub fn move_up(&mut self, job: JobId) -> Option<Time> {
        let own = *self.reserved.get(&job)?;
        let from = self.profile.earlier(own)?;
        self.profile.give(own);
        let slot = Slot { from, to: from.saturating_add(own.to - own.from), ..own };
        self.profile.take(slot);
        self.reserved.insert(job, slot);
        self.starts.remove(&(own.from, job));
        self.starts.insert((from, job));
        Some(from)
    }

    /// Gives a reservation up.
    pub fn cancel(&mut self, job: JobId) {
        if let Some(slot) = self.reserved.remove(&job) {
            self.starts.remove(&(slot.from, job));
            self.profile.give(slot);
        }
    }

    /// A reserved job starts; one that starts late holds its slot from now on.
    pub fn starts(&mut self, job: JobId, now: Time) {
        let Some(slot) = self.reserved.remove(&job) else { return };
        self.starts.remove(&(slot.from, job));
        let running = Slot { from: now, to: now.saturating_add(slot.to - slot.from), ..slot };
        if slot.from != now {
            self.profile.give(slot);
            self.profile.take(running);
        }
        self.running.insert(job, running);
        self.ends.insert((running.to, job));
    }

    /// A running job is expected to end at another instant than before.
    pub fn runs_until(&mut self, job: JobId, to: Time, now: Time) {
        let Some(slot) = self.running.get_mut(&job) else { return };
        let old = *slot;
        slot.to = to;
        let new = *slot;
        self.ends.remove(&(old.to, job));
        self.ends.insert((to, job));
        self.profile.give(Slot { from: now, ..old });
        self.profile.take(Slot { from: now, ..new });
    }

    /// A job leaves the machine, or the queue; returns whether a hole has opened.
    pub fn leaves(&mut self, job: JobId, now: Time) -> bool {
        if self.reserved.contains_key(&job) {
            self.cancel(job);
            return true;
        }
        let Some(slot) = self.running.remove(&job) else { return false };
        self.ends.remove(&(slot.to, job));
        self.profile.give(Slot { from: now, ..slot });
        slot.to > now
    }

    /// Returns the jobs whose reservations are due.
    pub fn due(&self, now: Time) -> Vec<JobId> {
        self.starts.range(..=(now, JobId(u32::MAX))).map(|&(_, job)| job).collect()
    }

    /// Returns the next start that is reserved.
    pub fn next_start(&self) -> Option<Time> {
        self.starts.first().map(|&(from, _)| from)
    }
}
