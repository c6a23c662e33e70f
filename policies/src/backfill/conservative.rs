//! Conservative backfilling: every job holds a reservation.
//!
//! At its submission a job is put at its earliest start in the plan. `compress`: at each end, every waiting
//! job in queue order is lifted out and put back at its earliest start, never later than before. `fixed`:
//! reservations never move. `replan`: all reservations are recomputed at every decision, which is `depth`
//! with infinite depth (Mu'alem, Feitelson, TPDS 12(6), 2001, section 2; replan: Zhang et al. 2000, section
//! 2.2). Starts may fall at instants without another event.
//!
//! A reservation holds as long as it is free, for its whole length, beside the running jobs and the reservations of
//! the jobs ahead of it in the queue. One that no longer holds, because a running job stays longer than expected, has
//! slipped (`slipped`): it is made again, beside these alone, so that no job is delayed by a job behind
//! it; the jobs behind keep theirs if they hold beside it. At the end of this walk all reservations hold again.
//!
//! On machines with nodes a reservation is a placement, chosen by `place` when the reservation is made. With
//! `compress` it changes nodes only when it moves to an earlier start. `rechoose` is `compress` with the rule of Batsim's
//! `conservative_bf` (Dutot, Mercier, Poquet, Richard, JSSPP 2015): at each end the nodes are chosen again, also for the
//! same start. On a pool the two are one.
//!
//! A decision costs one search of the plan ([`crate::support::profile::Profile`] on a pool,
//! [`crate::support::window::Window`] on nodes) for each newcomer. An end that opens a hole asks each waiting
//! job: on a pool the plan is searched once for a class of equal jobs and once for jobs that start together, and
//! only where room was given back since; on nodes once for each job.

mod due;
mod ledger;
mod node_plan;
mod pool_plan;
mod slipped;

use std::cell::Cell;

use batchlab_traces::reading::Overrun;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{Citation, JobId, Time};

use super::depth;
use crate::cluster::State;
use crate::event::Event;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Late, Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting, Words};
use crate::support::books::Books;
use crate::support::front::Room;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::predictor::PREDICTOR;
use crate::support::queue::Rank;
use crate::turn::Turn;
use crate::view::padded;
use crate::words;
use ledger::ReservationTable;
use node_plan::NodePlan;
use pool_plan::PoolPlan;
use slipped::Lateness;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "conservative",
    family: "backfilling",
    summary: "every job holds a reservation; no job is delayed by a job behind it",
    cite: Citation::of(
        "Mu'alem, Feitelson, TPDS 12(6), 2001; replan: Zhang, Franke, Moreira, Sivasubramaniam 2000",
        &["mualem01", "zhang01"],
    ),
    rule: "Every job holds a reservation, made at its submission at the earliest start that delays no other \
        reservation. At an end, compress lifts each waiting job out in queue order and puts it back at its \
        earliest start, never later than before; replan recomputes all reservations in queue order; fixed \
        leaves them. On nodes, compress keeps the nodes of a reservation that does not move, and rechoose is \
        compress that chooses the nodes of every reservation again at each end. A reservation slips if running jobs that stay longer than expected, or jobs ahead that \
        have slipped, leave it no room: it is made again at the earliest start beside the running jobs and the \
        reservations of the jobs ahead, before those of the jobs behind.",
    params: params![&[VARIANT, ORDER], BOOKED],
    needs: Needs::FORESIGHT,
    build,
};

const VARIANT: ParamSpec = ParamSpec {
    name: "variant",
    kind: ParamKind::Choice(Variant::WORDS),
    default: "compress",
    help: "at an end, reservations move up one by one in queue order (compress: on nodes they keep theirs unless they \
        move; rechoose: nodes are chosen again, as in Batsim), are all recomputed, or stay",
    ..ParamSpec::PLAIN
};

fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let at_ends = match params.word(&VARIANT)? {
        Variant::Compress => AtEnds::MoveUp,
        Variant::Rechoose => AtEnds::Rechoose,
        Variant::Replan => return depth::build(params, setting, None),
        Variant::Fixed => {
            check_fixed(params, setting)?;
            AtEnds::Stay
        }
    };
    for_kinds(setting, &Make { params, at_ends })
}

/// Checks that nothing moves the reservations of `variant=fixed`.
fn check_fixed(params: &Params, setting: &Setting<'_>) -> Result<(), BuildError> {
    let reason = if setting.overrun == Overrun::Overdue {
        "jobs that are kept overdue (--overrun overdue)"
    } else if !params.is(&PREDICTOR, PREDICTOR.default)? {
        "predictions"
    } else if setting.periodic {
        "periodic decisions"
    } else if setting.tiers {
        "jobs of higher tiers (--priorities)"
    } else {
        return Ok(());
    };
    Err(BuildError::Unfit(format!(
        "conservative:variant=fixed never moves a reservation, so {reason} break its promises; use \
             variant=compress or replan"
    )))
}

/// What happens to reservations, as its parameter says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Compress,
    Rechoose,
    Replan,
    Fixed,
}

words!(Variant { Compress = "compress", Rechoose = "rechoose", Replan = "replan", Fixed = "fixed" });

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtEnds {
    Stay,
    MoveUp,
    /// They move to the earliest start; on nodes, which are chosen again.
    Rechoose,
}

struct Make<'a> {
    params: &'a Params,
    at_ends: AtEnds,
}

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let books = Books::<K>::new(self.params, setting)?;
        let predicts = !self.params.is(&PREDICTOR, PREDICTOR.default)?;
        let lateness = Lateness::new(predicts || setting.overrun == Overrun::Overdue);
        if setting.by_node {
            let rechooses = self.at_ends == AtEnds::Rechoose;
            return Ok(self.with(books, lateness, NodePlan::new(self.params, setting, rechooses)?));
        }
        Ok(self.with(books, lateness, PoolPlan::new(Time::ZERO, padded(setting.machine.capacity(0)))))
    }
}

impl Make<'_> {
    fn with<const K: usize>(
        &self,
        books: Books<K>,
        lateness: Lateness,
        plan: impl ReservationTable<K> + 'static,
    ) -> Box<dyn Policy> {
        keeping(Conservative {
            books,
            plan,
            lateness,
            compress: self.at_ends != AtEnds::Stay,
            restless: false,
            broken: false,
            knows: false,
        })
    }
}

#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
struct Conservative<const K: usize, L> {
    books: Books<K>,
    plan: L,
    lateness: Lateness,
    compress: bool,
    /// Whether the next end may let a job move up: a hole has opened, or the last walk moved a job.
    restless: bool,
    /// Whether running jobs hold something for longer than the reservations were made beside.
    broken: bool,
    /// Whether the plan has taken over the changes of the capacity that are known from the beginning.
    knows: bool,
}

impl<const K: usize, L: ReservationTable<K>> Keeper for Conservative<K, L> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.books
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let mut newcomers = Vec::new();
        let (mut ended, mut changed) = (false, !turn.foreseen().is_empty() && !self.knows);
        self.knows = true;
        let mut moved = Vec::new();
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => newcomers.push(job),
                Event::Displaced(job) => {
                    ended = true;
                    self.restless |= self.plan.leaves(turn.job(job), now);
                    newcomers.push(job);
                }
                Event::Released(job) => self.restless |= self.plan.leaves(turn.job(job), now),
                Event::Finished(job) | Event::Killed(job) => {
                    ended = true;
                    self.restless |= self.plan.leaves(turn.job(job), now);
                    // A job that was displaced may be withdrawn at once.
                    newcomers.retain(|&other| other != job);
                }
                Event::Capacity(_) => changed = true,
                Event::Suspended(job) | Event::Resumed(job) => moved.push(job),
                Event::Loaded(_) | Event::Woke(_) => {}
            }
        }
        self.books.settle(turn)?;
        if self.plan.advance(turn) {
            self.lateness.outlived(now);
        }
        for job in moved {
            let to = self.books.expected_end(turn, job).max(now + Time::SECOND);
            self.plan.runs_until(turn.job(job), to, now);
            self.broken = true;
        }
        if changed && self.plan.is_new(turn) {
            self.lift_all(turn, &mut newcomers);
            self.plan.close(turn);
        }
        if std::mem::take(&mut self.broken) {
            self.lift_all(turn, &mut newcomers);
        }
        self.make_slipped_again(turn)?;
        self.lift_lower(turn, &mut newcomers);
        if self.compress && ended && (self.restless || self.plan.rechooses()) {
            self.move_up(turn);
        }
        self.reserve(turn, newcomers)?;
        self.start_all_due(turn)?;
        match self.plan.next_start().filter(|&at| at > now) {
            Some(at) => Ok(turn.wake_at(at)?),
            None => Ok(()),
        }
    }

    fn prolonged(&mut self, late: Late<'_>, longer: Time) {
        let to = late.started.saturating_add(longer);
        self.plan.runs_until(late.job, to, late.now);
        self.lateness.stays_until(to);
    }

    fn taken_over(&mut self, turn: &Turn<'_>, job: JobId) {
        let view = turn.job(job);
        let stay = self.books.stay(view);
        self.plan.takes_over(turn, view, stay);
        self.broken = true;
    }
}

impl<const K: usize, L: ReservationTable<K>> Conservative<K, L> {
    /// Cancels all reservations, which are made again. O(n).
    fn lift_all(&mut self, turn: &Turn<'_>, newcomers: &mut Vec<JobId>) {
        for job in self.books.queue.jobs() {
            self.plan.cancel(turn.job(job));
            if !newcomers.contains(&job) {
                newcomers.push(job);
            }
        }
        self.lateness.clear();
    }

    /// Cancels the reservations of jobs of lower tiers than a newcomer's, which are made again behind it. O(n) if there is
    /// one.
    fn lift_lower(&mut self, turn: &Turn<'_>, newcomers: &mut Vec<JobId>) {
        let Some(highest) = newcomers.iter().map(|&job| turn.job(job).tier()).max() else { return };
        let is_lower = |job: &JobId| turn.job(*job).tier() < highest;
        if !turn.has_tiers() || self.books.queue.last().is_none_or(|last| !is_lower(&last)) {
            return;
        }
        let known: SortedSet<JobId> = newcomers.iter().copied().collect();
        let mut lifted = self.books.queue.jobs();
        lifted.retain(|job| is_lower(job) && !known.contains(job));
        for &job in &lifted {
            self.plan.cancel(turn.job(job));
        }
        newcomers.extend(lifted);
    }

    /// Lifts every reservation out in queue order and puts it back at its earliest start, never later.
    fn move_up(&mut self, turn: &mut Turn<'_>) {
        let mut moved = Vec::new();
        // If no waiting job fits into the room that was given back, skip the walk.
        let opened = Cell::new(self.plan.most_opened());
        if self.books.queue.find(None, &Room::unreserved(opened.get())).is_some() {
            self.books.queue.for_each_within(&opened, |job| {
                if let Some(at) = self.plan.move_up(turn, turn.job(job)) {
                    moved.push((job, at));
                    opened.set(self.plan.opened());
                }
            });
        }
        // After a walk that moves no job, another walk is useless until a hole opens.
        self.restless = !moved.is_empty();
        if !self.restless {
            self.plan.settled();
        }
        for (job, at) in moved {
            self.lateness.moved_up(job);
            turn.promise(job, at);
        }
    }

    fn reserve(&mut self, turn: &mut Turn<'_>, newcomers: Vec<JobId>) -> Result<(), PolicyError> {
        for job in self.sorted(turn, newcomers) {
            let view = turn.job(job);
            let stay = self.books.stay(view);
            let at = self.plan.reserve(turn, view, stay)?;
            turn.promise(job, at);
        }
        Ok(())
    }

    /// Starts the jobs whose reservations are due, in queue order; returns the jobs that do not fit.
    fn start_due(&mut self, turn: &mut Turn<'_>) -> Result<SortedSet<JobId>, PolicyError> {
        let (now, mut unfit) = (turn.now(), SortedSet::new());
        let due = self.plan.due(now);
        for job in self.sorted(turn, due) {
            let Some(reservation) = self.plan.reservation(job) else { continue };
            if !self.books.fits_in(turn, job, &reservation) {
                unfit.insert(job);
                continue;
            }
            self.books.start_in(turn, job, &reservation, Why::Reserved)?;
            if turn.state(job) == State::Resident {
                self.plan.starts(turn.job(job), now);
            } else {
                // The job has ended within this instant: its end event finds the hole that remains of its second.
                self.plan.cancel(turn.job(job));
                self.restless = true;
            }
        }
        Ok(unfit)
    }

    /// Returns jobs in queue order.
    fn sorted(&self, turn: &Turn<'_>, jobs: Vec<JobId>) -> Vec<JobId> {
        if jobs.len() < 2 {
            return jobs;
        }
        let rank = |job| {
            let view = turn.job(job);
            self.books.queue.rank(view, self.books.estimates.expected(view))
        };
        let mut ranks: Vec<Rank> = jobs.into_iter().map(rank).collect();
        ranks.sort_unstable();
        ranks.into_iter().map(Rank::job).collect()
    }
}
