//! Capacity that comes and goes, around any policy: jobs for which too little is in service are not in its queue.

mod groups;
mod kept;

use std::sync::Arc;

use batchlab_traces::capacity::CapacityCalendar;
use batchlab_traces::machine::has_room;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use crate::cluster::State;
use crate::event::Event;
use crate::policy::{Aside, Late, Policy, PolicyError};
use crate::turn::Turn;
use crate::wrapper::{Wrapped, Wrapper};
use groups::Grouped;
use kept::ReservationStarter;

/// Returns a policy that sees only the waiting jobs that fit on the capacity in service. As in batch systems, any other job
/// is not considered: it holds no reservation, blocks no other job, and returns to the queue when there is enough. For a
/// policy that `foresees` changes, capacity that is known to come back counts as in service. Jobs that start in reservations
/// of the calendar leave the policy's queue, and it no longer knows of them.
pub fn within<'a>(
    policy: &'a mut dyn Policy,
    foresees: bool,
    calendar: &Arc<CapacityCalendar>,
) -> Box<dyn Policy + 'a> {
    Box::new(Wrapped(InService {
        inner: policy,
        foresees,
        room: Vec::new(),
        shown: SortedSet::new(),
        parked: SortedSet::new(),
        grouped: Grouped::default(),
        reserved: ReservationStarter::new(calendar),
    }))
}

struct InService<'a> {
    inner: &'a mut dyn Policy,
    foresees: bool,
    /// The capacity that counts as in service, by node.
    room: Vec<Vec<i64>>,
    shown: SortedSet<JobId>,
    parked: SortedSet<JobId>,
    grouped: Grouped,
    reserved: Option<ReservationStarter>,
}

impl Wrapper for InService<'_> {
    fn inner(&self) -> &dyn Policy {
        self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn Policy {
        self.inner
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let changed = self.measure(turn);
        self.pass_on(turn);
        let is_news = std::mem::take(&mut self.grouped.is_news);
        let mut events = self.screen(turn, changed);
        self.start_reserved(turn, &mut events)?;
        if events.is_empty() && !turn.events().is_empty() && !is_news {
            return Ok(());
        }
        let mut seen = turn.screened(&events, &self.shown);
        if let Some(reserved) = &self.reserved {
            seen = seen.without(reserved.inside());
        }
        self.inner.decide(&mut seen)
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        // The policy does not know of jobs in reservations.
        let inside = self.reserved.as_ref().is_some_and(|reserved| reserved.has(late.job.id()));
        if inside { None } else { self.inner.expired(late) }
    }

    /// Jobs of reservations leave the queue without an event: they are not put aside.
    fn aside(&mut self) -> Option<&mut dyn Aside> {
        if self.reserved.is_none() && self.inner.aside().is_some() { Some(self) } else { None }
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        let mut seen = turn.screened(&[], &self.shown);
        if let Some(reserved) = &self.reserved {
            seen = seen.without(reserved.inside());
        }
        self.inner.take_over(&mut seen, job, room)
    }
}

impl InService<'_> {
    /// Updates the capacity that counts as in service; returns whether it may have changed. O(nodes) for each change of capacity.
    fn measure(&mut self, turn: &Turn<'_>) -> bool {
        let changed = turn.events().iter().any(|event| matches!(event, Event::Capacity(_)));
        if changed || self.room.is_empty() {
            let amounts = |node| if self.foresees { turn.coming_back(node) } else { turn.in_service(node) };
            self.room = (0..turn.machine().nodes()).map(amounts).collect();
        }
        changed
    }

    /// Returns the events for the policy. O(nodes) for each job that arrives while less is in service; O(jobs · nodes)
    /// for each change of the capacity.
    fn screen(&mut self, turn: &Turn<'_>, changed: bool) -> Vec<Event> {
        let mut events = Vec::with_capacity(turn.events().len());
        for &event in turn.events() {
            let event = match &mut self.reserved {
                None => event,
                Some(reserved) => match reserved.note(turn, event) {
                    Some(event) => event,
                    None => continue,
                },
            };
            if let Event::Submitted(job)
            | Event::Displaced(job)
            | Event::Released(job)
            | Event::Finished(job)
            | Event::Killed(job) = event
            {
                self.grouped.remove(job);
            }
            match event {
                Event::Submitted(job) if !self.fits(turn, job) => {
                    self.parked.insert(job);
                    continue;
                }
                Event::Submitted(job) => drop(self.shown.insert(job)),
                // The job lost its processors to another job, and too little is in service for it to start again.
                Event::Displaced(job) if !self.fits(turn, job) => {
                    self.shown.remove(&job);
                    self.parked.insert(job);
                    events.extend([event, Event::Killed(job)]);
                    continue;
                }
                Event::Killed(job) if self.parked.remove(&job) => continue,
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    self.shown.remove(&job);
                }
                Event::Displaced(_)
                | Event::Suspended(_)
                | Event::Resumed(_)
                | Event::Loaded(_)
                | Event::Woke(_)
                | Event::Capacity(_) => {}
            }
            events.push(event);
        }
        if changed {
            let waits = |job: &JobId| turn.state(*job) == State::Waiting;
            let over: Vec<JobId> =
                self.shown.iter().copied().filter(|job| waits(job) && !self.fits(turn, *job)).collect();
            let back: Vec<JobId> = self.parked.iter().copied().filter(|job| self.fits(turn, *job)).collect();
            for job in over {
                self.parked.insert(job);
                if self.grouped.of(job).is_some() {
                    self.leaves(turn, job);
                    continue;
                }
                self.shown.remove(&job);
                events.push(Event::Killed(job));
            }
            for job in back {
                self.parked.remove(&job);
                if let Some(group) = self.grouped.of(job) {
                    self.joins(turn, job, group);
                    continue;
                }
                self.shown.insert(job);
                events.push(Event::Submitted(job));
            }
        }
        events
    }

    /// Starts jobs in reservations; the policy hears that they have left its queue.
    fn start_reserved(&mut self, turn: &mut Turn<'_>, events: &mut Vec<Event>) -> Result<(), PolicyError> {
        let Some(reserved) = &mut self.reserved else { return Ok(()) };
        for job in reserved.start(turn)? {
            self.parked.remove(&job);
            if self.shown.remove(&job) {
                match events.iter().position(|event| *event == Event::Submitted(job)) {
                    Some(at) => drop(events.remove(at)),
                    None => events.push(Event::Killed(job)),
                }
            }
        }
        Ok(())
    }

    fn fits(&self, turn: &Turn<'_>, job: JobId) -> bool {
        let view = turn.job(job);
        let takes = |node| view.admitted(turn.machine(), node);
        has_room(turn.machine(), view.demand(), &view.layout(), takes, &self.room)
    }
}
