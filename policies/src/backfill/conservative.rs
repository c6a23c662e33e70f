//! Conservative backfilling: everybody holds a reservation.

mod plan;

use batchlab_traces::reading::Overrun;
use batchlab_traces::{JobId, Time};

use super::depth;
use crate::event::Event;
use crate::journal::Why;
use crate::policy::{Late, Needs, Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::Books;
use crate::support::estimates::{CORRECTOR, PREDICTOR};
use crate::support::front::Room;
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::{HALF_LIFE, LOG0, ORDER, ORIGIN, SRTF};
use crate::support::queue::THRESHOLD;
use crate::turn::Turn;
use crate::view::padded;
use plan::Plan;

/// What the policy says about itself.
pub const SPEC: PolicySpec = PolicySpec {
    name: "conservative",
    family: "backfilling",
    summary: "every job holds a reservation; nobody is delayed by a job behind it",
    cite: "Mu'alem, Feitelson, TPDS 12(6), 2001; replan: Zhang, Franke, Moreira, Sivasubramaniam, IPDPS 2000",
    params: &[VARIANT, ORDER, THRESHOLD, PREDICTOR, CORRECTOR, ORIGIN, LOG0, HALF_LIFE, SRTF],
    needs: Needs::POOL,
    build,
};

const VARIANT: ParamSpec = ParamSpec {
    name: "variant",
    kind: ParamKind::Choice(&["compress", "replan", "fixed"]),
    default: "compress",
    help: "at an end, reservations move up one by one in queue order, are all made anew, or stay",
};

fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let variant = params.text(VARIANT.name);
    if variant == "fixed" {
        let predicts = params.text(PREDICTOR.name) != "none";
        let reason = if setting.overrun == Overrun::Overdue {
            "jobs that are kept overdue (--overrun overdue)"
        } else if predicts {
            "predictions"
        } else if setting.periodic {
            "periodic decisions"
        } else {
            return for_kinds(setting, &Make { params, compress: false });
        };
        return Err(BuildError::Unfit(format!(
            "conservative:variant=fixed never moves a reservation, so {reason} break its promises; use \
             variant=compress or replan"
        )));
    }
    if variant == "replan" {
        return for_kinds(setting, &depth::Make(params, None));
    }
    for_kinds(setting, &Make { params, compress: true })
}

struct Make<'a> {
    params: &'a Params,
    compress: bool,
}

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let books = Books::new(self.params, setting);
        Ok(Box::new(Conservative::<K> {
            books,
            plan: None,
            compress: self.compress,
            restless: false,
            slipped: Vec::new(),
        }))
    }
}

struct Conservative<const K: usize> {
    books: Books<K>,
    /// Made at the first decision, when the machine is known.
    plan: Option<Plan<K>>,
    compress: bool,
    /// Whether the next end may let somebody move up: a hole has opened, or the last walk moved somebody.
    restless: bool,
    /// Jobs whose reservation fell due and did not fit: planned anew at the next event.
    slipped: Vec<JobId>,
}

impl<const K: usize> Policy for Conservative<K> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut plan = match self.plan.take() {
            Some(plan) => plan,
            None => Plan::new(turn.now(), padded(turn.machine().capacity(0))),
        };
        let decided = self.decide_with(turn, &mut plan);
        self.plan = Some(plan);
        decided
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        let longer = self.books.expired(late)?;
        if let Some(plan) = &mut self.plan {
            plan.runs_until(late.job.id(), late.started.saturating_add(longer), late.now);
        }
        Some(longer)
    }
}

impl<const K: usize> Conservative<K> {
    fn decide_with(&mut self, turn: &mut Turn<'_>, plan: &mut Plan<K>) -> Result<(), PolicyError> {
        let now = turn.now();
        // A wake-up alone is no event: else jobs behind an overdue one would slip and wake every second.
        let told = turn.events().iter().any(|event| !matches!(event, Event::Woke(_)));
        let mut newcomers = if told { std::mem::take(&mut self.slipped) } else { Vec::new() };
        let mut ended = false;
        for &event in turn.events() {
            match event {
                Event::Submitted(job) | Event::Displaced(job) => newcomers.push(job),
                Event::Released(job) => self.restless |= plan.leaves(job, now),
                Event::Finished(job) | Event::Killed(job) => {
                    ended = true;
                    self.restless |= plan.leaves(job, now);
                    newcomers.retain(|&other| other != job);
                }
                Event::Woke(_) => {}
            }
        }
        self.books.settle(turn);
        plan.advance(now);
        if self.compress && ended && self.restless {
            self.move_up(turn, plan);
        }
        self.reserve(turn, plan, newcomers)?;
        self.start_due(turn, plan)?;
        match plan.next_start().filter(|&at| at > now) {
            Some(at) => Ok(turn.wake_at(at)?),
            None => Ok(()),
        }
    }

    /// Lifts every reservation out in queue order and puts it back at its earliest start, never later.
    fn move_up(&mut self, turn: &mut Turn<'_>, plan: &mut Plan<K>) {
        let mut moved = Vec::new();
        // Where nobody fits into what has been given back, nobody needs to be asked.
        let opened = Room::unreserved(plan.most_opened());
        if self.books.queue.find(None, &opened).is_some() {
            self.books.queue.for_each(|job| moved.extend(plan.move_up(job).map(|at| (job, at))));
        }
        // A walk that moves nobody leaves nothing for the next one to do, until a hole opens.
        self.restless = !moved.is_empty();
        if !self.restless {
            plan.settled();
        }
        for (job, at) in moved {
            turn.promise(job, at);
        }
    }

    fn reserve(
        &mut self,
        turn: &mut Turn<'_>,
        plan: &mut Plan<K>,
        mut newcomers: Vec<JobId>,
    ) -> Result<(), PolicyError> {
        if newcomers.len() > 1 {
            newcomers.sort_by_key(|&job| {
                let view = turn.job(job);
                self.books.queue.rank(view, self.books.estimates.expected(view))
            });
        }
        for job in newcomers {
            let view = turn.job(job);
            let duration = self.books.estimates.expected(view).max(Time::SECOND);
            let Some(at) = plan.reserve(job, view.demands(), duration) else {
                return Err(PolicyError::Books { job, what: "it never fits" });
            };
            turn.promise(job, at);
        }
        Ok(())
    }

    /// Starts whoever's reservation is due, in queue order.
    fn start_due(&mut self, turn: &mut Turn<'_>, plan: &mut Plan<K>) -> Result<(), PolicyError> {
        let now = turn.now();
        let mut due = plan.due(now);
        if due.len() > 1 {
            due.sort_by_key(|&job| {
                let view = turn.job(job);
                self.books.queue.rank(view, self.books.estimates.expected(view))
            });
        }
        for job in due {
            if !turn.fits(job) {
                plan.cancel(job);
                self.slipped.push(job);
                turn.tally("slipped reservations");
                continue;
            }
            self.books.start(turn, job, Why::Reserved)?;
            if turn.state(job) == crate::cluster::State::Resident {
                plan.starts(job, now);
            } else {
                // It is gone already: its end finds the hole that the rest of its second leaves.
                plan.cancel(job);
                self.restless = true;
            }
        }
        Ok(())
    }
}
