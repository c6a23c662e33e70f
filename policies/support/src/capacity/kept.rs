use std::sync::Arc;

use batchlab_traces::capacity::{CapacityCalendar, Closure};
use batchlab_traces::machine::has_room;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use crate::cluster::State;
use crate::event::Event;
use crate::hosts::{Hosts, Offers};
use crate::placement::Placement;
use crate::policy::PolicyError;
use crate::turn::Turn;
use crate::view::padded;

/// Starts jobs in the reservations that a calendar keeps for them: at each decision, before the policy's, every waiting job
/// of an open reservation that fits into it and is expected to end by its end, in the order of submission.
pub(super) struct ReservationStarter {
    calendar: Arc<CapacityCalendar>,
    waiting: Vec<SortedSet<JobId>>,
    inside: SortedSet<JobId>,
}

impl ReservationStarter {
    /// Returns `None` if the calendar has no reservations.
    pub(super) fn new(calendar: &Arc<CapacityCalendar>) -> Option<ReservationStarter> {
        let count = calendar.reservations.len();
        let reserved = || ReservationStarter {
            calendar: calendar.clone(),
            waiting: vec![SortedSet::new(); count],
            inside: SortedSet::new(),
        };
        (count > 0).then(reserved)
    }

    pub(super) fn inside(&self) -> &SortedSet<JobId> {
        &self.inside
    }

    pub(super) fn has(&self, job: JobId) -> bool {
        self.inside.contains(&job)
    }

    /// Notes an event. Returns the event for the policy, which does not know of jobs in reservations: if one of them leaves,
    /// this is a change of capacity, because the reservation may be over at the same instant.
    pub(super) fn note(&mut self, turn: &Turn<'_>, event: Event) -> Option<Event> {
        match event {
            Event::Submitted(job) => {
                self.wait(turn, job);
                Some(event)
            }
            Event::Displaced(job) => {
                self.wait(turn, job);
                Some(if self.inside.remove(&job) { Event::Submitted(job) } else { event })
            }
            Event::Finished(job) | Event::Killed(job) => {
                for waiting in &mut self.waiting {
                    waiting.remove(&job);
                }
                Some(if self.inside.remove(&job) { Event::Capacity(turn.now()) } else { event })
            }
            Event::Released(job) | Event::Suspended(job) | Event::Resumed(job) | Event::Loaded(job) => {
                (!self.inside.contains(&job)).then_some(event)
            }
            Event::Woke(_) | Event::Capacity(_) => Some(event),
        }
    }

    fn wait(&mut self, turn: &Turn<'_>, job: JobId) {
        for (reservation, waiting) in self.calendar.reservations.iter().zip(&mut self.waiting) {
            if turn.is_reserved_for(reservation, job) {
                waiting.insert(job);
            }
        }
    }

    /// Starts the jobs that have room in reservations and are expected to end before the reservation does and before a known
    /// closure of their nodes; returns them. O(w · n + f) for w waiting jobs of open reservations, n nodes and f foreseen
    /// changes.
    pub(super) fn start(&mut self, turn: &mut Turn<'_>) -> Result<Vec<JobId>, PolicyError> {
        let mut started = Vec::new();
        for reservation in 0..self.waiting.len() {
            if self.waiting[reservation].is_empty() {
                continue;
            }
            let Some((until, mut room)) = turn.room_kept(reservation) else { continue };
            let interrupted = interrupted(turn, reservation, until);
            let waiting: Vec<JobId> = self.waiting[reservation].iter().copied().collect();
            for job in waiting {
                if turn.state(job) != State::Waiting {
                    self.waiting[reservation].remove(&job);
                    continue;
                }
                let estimate = turn.job(job).estimate().max(Time::SECOND);
                let end = turn.now().saturating_add(estimate);
                if end > until {
                    continue;
                }
                let safe = |node: u32| interrupted.get(&(node as usize)).is_none_or(|&from| end <= from);
                let Some(placement) = placement(turn, job, &room, safe) else { continue };
                if !turn.start_kept(job, reservation, &placement)? {
                    continue;
                }
                self.waiting[reservation].remove(&job);
                self.inside.insert(job);
                started.push(job);
                room = match turn.room_kept(reservation) {
                    Some((_, room)) => room,
                    None => break,
                };
            }
        }
        Ok(started)
    }
}

/// Returns for each node the instant, before the end of a reservation, from which it is known to be out of service for the
/// jobs of the reservation, too. On a pool other events take what is not reserved.
fn interrupted(turn: &Turn<'_>, reservation: usize, until: Time) -> SortedMap<usize, Time> {
    let mut from = SortedMap::new();
    let is_other = |closure: &&Closure| {
        let own = closure.kept_for.is_some_and(|kept| kept.reservation == reservation);
        !own && closure.from > turn.now() && !turn.machine().is_pool()
    };
    for closure in turn.foreseen().iter().take_while(|closure| closure.from < until).filter(is_other) {
        from.entry(closure.node).or_insert(closure.from);
    }
    from
}

/// Chooses nodes for a job, first fit among the `safe` nodes; `None` if they do not have room.
fn placement(
    turn: &Turn<'_>,
    job: JobId,
    room: &[Vec<i64>],
    safe: impl Fn(u32) -> bool,
) -> Option<Placement> {
    let (machine, view) = (turn.machine(), turn.job(job));
    let all_safe = (0..room.len()).all(|node| safe(node as u32));
    let left: Vec<Vec<i64>>;
    let room = if all_safe {
        room
    } else {
        let none = vec![0; machine.width()];
        let kept = |(node, room): (usize, &Vec<i64>)| if safe(node as u32) { room } else { &none }.clone();
        left = room.iter().enumerate().map(kept).collect();
        &left
    };
    let takes = |node| view.admitted(machine, node);
    if !has_room(machine, view.demand(), &view.layout(), takes, room) {
        return None;
    }
    match machine.width() {
        _ if machine.is_pool() => Some(Placement::on(0, view.procs())),
        1 => chosen::<1>(turn, job, room),
        2..=8 => chosen::<8>(turn, job, room),
        _ => chosen::<64>(turn, job, room),
    }
}

fn chosen<const K: usize>(turn: &Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Option<Placement> {
    let room: Vec<[i64; K]> = room.iter().map(|room| padded(room)).collect();
    let offers = Offers { room: &room, free: &room };
    let choice = Hosts::first_fit().choose(turn.machine(), turn.job(job), offers)?;
    Some(choice.placement)
}
