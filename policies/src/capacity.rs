//! Capacity that comes and goes, around any policy: jobs for which too little is in service are not in its queue.

use std::collections::BTreeSet;

use batchlab_traces::machine::has_room;
use batchlab_traces::{JobId, Time};

use crate::cluster::State;
use crate::event::Event;
use crate::policy::{Late, Policy, PolicyError};
use crate::turn::Turn;

/// Returns a policy that sees the waiting jobs that fit on what is in service. As in batch systems, a job that does not
/// is not considered: it holds no reservation and blocks no other job, and is in the queue again when there is enough.
/// For a policy that `foresees` changes, what is known to come back counts as in service.
pub fn within<'a>(policy: &'a mut dyn Policy, foresees: bool) -> Box<dyn Policy + 'a> {
    Box::new(InService {
        inner: policy,
        foresees,
        room: Vec::new(),
        shown: BTreeSet::new(),
        parked: BTreeSet::new(),
    })
}

struct InService<'a> {
    inner: &'a mut dyn Policy,
    foresees: bool,
    /// What counts as in service, by node.
    room: Vec<Vec<i64>>,
    /// The jobs that the policy knows.
    shown: BTreeSet<JobId>,
    /// The jobs for which too little is in service.
    parked: BTreeSet<JobId>,
}

impl Policy for InService<'_> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let events = self.screen(turn);
        if events.is_empty() && !turn.events().is_empty() {
            return Ok(());
        }
        self.inner.decide(&mut turn.screened(&events, &self.shown))
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        self.inner.finish()
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.inner.expired(late)
    }
}

impl InService<'_> {
    /// Returns the events for the policy. O(nodes) for each job that arrives while less is in service; O(jobs · nodes)
    /// for each change of the capacity.
    fn screen(&mut self, turn: &Turn<'_>) -> Vec<Event> {
        let changed = turn.events().iter().any(|event| matches!(event, Event::Capacity(_)));
        if changed || self.room.is_empty() {
            let amounts = |node| if self.foresees { turn.coming_back(node) } else { turn.in_service(node) };
            self.room = (0..turn.machine().nodes()).map(amounts).collect();
        }
        let mut events = Vec::with_capacity(turn.events().len());
        for &event in turn.events() {
            match event {
                Event::Submitted(job) if !self.fits(turn, job) => {
                    self.parked.insert(job);
                    continue;
                }
                Event::Submitted(job) => drop(self.shown.insert(job)),
                Event::Killed(job) if self.parked.remove(&job) => continue,
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    self.shown.remove(&job);
                }
                Event::Displaced(_) | Event::Loaded(_) | Event::Woke(_) | Event::Capacity(_) => {}
            }
            events.push(event);
        }
        if changed {
            let waits = |job: &JobId| turn.state(*job) == State::Waiting;
            let over: Vec<JobId> =
                self.shown.iter().copied().filter(|job| waits(job) && !self.fits(turn, *job)).collect();
            let back: Vec<JobId> = self.parked.iter().copied().filter(|job| self.fits(turn, *job)).collect();
            for job in over {
                self.shown.remove(&job);
                self.parked.insert(job);
                events.push(Event::Killed(job));
            }
            for job in back {
                self.parked.remove(&job);
                self.shown.insert(job);
                events.push(Event::Submitted(job));
            }
        }
        events
    }

    fn fits(&self, turn: &Turn<'_>, job: JobId) -> bool {
        let view = turn.job(job);
        let takes = |node| view.admitted(turn.machine(), node);
        has_room(turn.machine(), view.demand(), &view.layout(), takes, &self.room)
    }
}
