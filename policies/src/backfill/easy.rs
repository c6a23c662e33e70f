//! EASY backfilling: one reservation, for the head.

use super::depth;
use crate::cluster::Placed;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting, Words};
use crate::support::books::{Books, CANDIDATES, COMMIT};
use crate::support::estimates::{CORRECTOR, PREDICT};
use crate::support::front::{Need, Room};
use crate::support::hosts::PLACE;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::outlook::Outlook;
use crate::support::params::{ORDERED, params};
use crate::support::predictor::PREDICTOR;
use crate::support::profile::Slot;
use crate::support::queue::{Rank, THRESHOLD};
use crate::support::releases::{ExtraRule, Shadow};
use crate::support::select::{SelectionRule, Selector};
use crate::turn::Turn;
use crate::view::padded;
use batchlab_traces::{Citation, JobId, Time};

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "easy",
    family: "backfilling",
    summary: "reserves for the head; other jobs start if they end by its shadow time or use extra \
        processors only",
    cite: Citation::of(
        "Lifka, JSSPP 1995; candidate orders, predictors: Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007",
        &["lifka95", "tsafrir07"],
    ),
    rule: "Heads start while they fit. For the head that does not, the shadow time is the earliest instant \
         at which the expected ends of running jobs leave room for it, all ends at that instant counted; \
         extra is the amount free then beyond its need. The other jobs are tried in candidate order: one \
         that fits starts if it is expected to end by the shadow time, or fits into the rest of extra, \
         which it then uses up. The reservation is recomputed at every decision. On nodes it is a \
         placement, which candidates leave intact or leave in time; where the capacity comes and goes, it is the \
         interval of the head's stay, beside and behind the closures that are known.",
    params: params![
        &[ORDER, CANDIDATES, THRESHOLD, COMMIT, PREDICTOR, PREDICT, CORRECTOR, PLACE, EXTRA],
        ORDERED
    ],
    needs: Needs::FORESIGHT,
    build,
};

/// Builds EASY. On nodes the reservation is a placement, fixed at the shadow time, which is [`depth`] with one
/// reservation.
fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let rule = params.word(&EXTRA)?;
    if setting.foresees && params.is_on(&COMMIT)? {
        let reason = "easy: commit=true does not go with changes of the capacity that are known in advance";
        return Err(BuildError::Unfit(format!("{reason}; leave it out, or set --foresight none")));
    }
    let beside_events = setting.foresees && rule != ExtraRule::All;
    if !(setting.by_node || beside_events) {
        return for_kinds(setting, &EasyFactory { params, selection: SelectionRule::FirstFit, rule });
    }
    if rule != ExtraRule::All {
        let reason = "extra is about the extra processors of a pool; on nodes, and beside changes of the capacity that \
                      are known in advance, a candidate leaves the head's reservation alone";
        return Err(BuildError::Unfit(format!("easy: {reason}; leave it out")));
    }
    depth::build(params, setting, Some(1))
}

const EXTRA: ParamSpec = ParamSpec {
    name: "extra",
    kind: ParamKind::Choice(ExtraRule::WORDS),
    default: "all",
    help: "extra processors count all releases at the shadow time, or only those up to the one that lets the head fit; none: \
        candidates use none and end by the shadow time, before: earlier",
    ..ParamSpec::PLAIN
};

/// Creates EASY on a pool with a rule that selects among the candidates.
pub(crate) struct EasyFactory<'a> {
    pub params: &'a Params,
    pub selection: SelectionRule,
    pub rule: ExtraRule,
}

impl ForKinds for EasyFactory<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        Ok(keeping(Easy::<K> {
            books: Books::new(self.params, setting)?,
            rule: self.rule,
            selector: Selector::new(self.selection, self.params, setting)?,
            left: None,
        }))
    }
}

struct Easy<const K: usize> {
    books: Books<K>,
    rule: ExtraRule,
    selector: Selector<K>,
    /// The result of the last decision, if the next one can continue from it.
    left: Option<Left<K>>,
}

/// The result of a decision on a plain pool. As long as only submissions follow, no waiting job may start: free resources
/// and running jobs stay the same, and the shadow time comes nearer.
#[derive(Clone, Copy)]
struct Left<const K: usize> {
    head: Rank,
    free: [i64; K],
    /// The head's reservation, if it was made.
    shadow: Option<Shadow<K>>,
}

impl<const K: usize> Keeper for Easy<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.books
    }

    /// Choices by score are counted, so that a decision must not end early.
    fn forgets(&self) -> bool {
        matches!(self.selector, Selector::FirstFit) && !self.books.commits()
    }

    /// Starts heads while they fit, then backfills around the reservation of the first that does not. If no job fits, the
    /// reservation changes nothing, and is made for the journal only.
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let left = self.left.take();
        if self.goes_on(turn, left)? || self.books.start_alone(turn)? {
            return Ok(());
        }
        self.books.settle(turn)?;
        if turn.has_closures() && self.rule == ExtraRule::All {
            return self.decide_beside_closures(turn);
        }
        self.books.start_heads(turn)?;
        let Some(head) = self.books.queue.head() else { return Ok(()) };
        let free = padded(turn.free(0));
        let none_fits = self.books.candidates().find(None, &Room::unreserved(free)).is_none();
        if none_fits && !turn.is_journalled() {
            self.leave(turn, None);
            return Ok(());
        }
        match Reserved::of(&self.books, turn, head, self.rule) {
            Some(reserved) if none_fits => turn.promise(head, reserved.shadow.at),
            Some(reserved) => return self.backfill(turn, head, reserved),
            None if none_fits => {}
            None => {
                let what = "all running jobs' ends do not make it fit";
                return Err(PolicyError::Books { job: head, what });
            }
        }
        Ok(())
    }
}

impl<const K: usize> Easy<K> {
    /// Starts candidates that do not delay the head, as the selector picks them. The head keeps its
    /// reservation until the next decision, even if a start changes the queue order.
    fn backfill(
        &mut self,
        turn: &mut Turn<'_>,
        head: JobId,
        mut reserved: Reserved<K>,
    ) -> Result<(), PolicyError> {
        turn.promise(head, reserved.shadow.at);
        let mut from = None;
        loop {
            let pick = self.selector.next(self.books.candidates(), &[reserved.room(turn)], from, anyone);
            let Some(rank) = pick.map(|pick| pick.told(turn)) else { break };
            reserved.start(&mut self.books, turn, rank.job())?;
            from = self.books.candidates().onward(rank);
        }
        self.leave(turn, Some(reserved.shadow));
        if self.rule == ExtraRule::All
            && let Some(head) = self.books.queue.first()
        {
            self.books.awaits(turn.now(), head, reserved.room(turn));
        }
        Ok(())
    }

    /// Remembers what this decision leaves, if all releases count: then a candidate that has started changes neither the
    /// shadow time nor what else is free then.
    fn leave(&mut self, turn: &Turn<'_>, shadow: Option<Shadow<K>>) {
        if self.rule == ExtraRule::All && self.forgets() {
            let free = padded(turn.free(0));
            self.left = self.books.queue.first().map(|head| Left { head, free, shadow });
        }
    }

    /// Decides about a single submission, if nothing else has happened since the last decision: the job starts if it does
    /// not delay the head, or waits. Returns whether this is the case.
    fn goes_on(&mut self, turn: &mut Turn<'_>, left: Option<Left<K>>) -> Result<bool, PolicyError> {
        let Some((left, job)) = left.zip(self.books.newcomer(turn)) else { return Ok(false) };
        let (books, view) = (&mut self.books, turn.job(job));
        let (need, room) = (books.need(view), Room::unreserved(padded(turn.free(0))));
        let is_behind = books.queue.rank(view, books.estimates.expected(view)) > left.head;
        if !is_behind || room.free != left.free || books.running.has_overdue(turn.now()) {
            return Ok(false);
        }
        if !need.fits(&room) {
            books.wait(turn, job);
            self.left = Some(left);
            return Ok(true);
        }
        let known = left.shadow.map(|shadow| Reserved { shadow, rule: self.rule });
        let reserved = known.or_else(|| Reserved::of(books, turn, left.head.job(), self.rule));
        let Some(mut reserved) = reserved else { return Ok(false) };
        if need.fits(&reserved.room(turn)) {
            let (ends_in_time, why) = terms(turn, &need, reserved.shadow.at);
            let placed = books.start_newcomer(turn, job, why)?;
            reserved.take(placed, ends_in_time, need.demand);
        } else {
            books.wait(turn, job);
        }
        self.left = Some(Left { free: padded(turn.free(0)), shadow: Some(reserved.shadow), ..left });
        Ok(true)
    }

    /// Decides on a machine with closures: a head starts if there is room for its whole stay. The first head that does not
    /// fit reserves the interval of its stay; candidates leave this interval intact, as they do the closures.
    fn decide_beside_closures(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        while let Some(head) = self.books.queue.head() {
            let free = Room::unreserved(padded(turn.free(0)));
            let none_fits = self.books.candidates().find(None, &free).is_none();
            if none_fits {
                self.books.stay_head(turn, head);
            }
            if none_fits && !turn.is_journalled() {
                return Ok(());
            }
            let view = turn.job(head);
            let (amount, stay) = (view.demands(), self.books.stay(view));
            let earliest = Outlook::new(turn, &self.books).earliest(amount, stay);
            if none_fits {
                if let Some(from) = earliest {
                    turn.promise(head, from);
                }
                return Ok(());
            }
            let Some(from) = earliest else {
                return Err(PolicyError::Books { job: head, what: "it never fits" });
            };
            if from > now {
                self.books.stay_head(turn, head);
                let held = Slot { from, to: from.saturating_add(stay), amount };
                return self.backfill_beside(turn, head, &held);
            }
            self.books.start(turn, head, Why::Head)?;
        }
        Ok(())
    }

    /// As [`Easy::backfill`], for a reservation that is an interval.
    fn backfill_beside(
        &mut self,
        turn: &mut Turn<'_>,
        head: JobId,
        reserved: &Slot<K>,
    ) -> Result<(), PolicyError> {
        turn.promise(head, reserved.from);
        let mut from = None;
        loop {
            let candidates = self.books.candidates();
            let rooms = Outlook::new(turn, &self.books).rooms(reserved, candidates.longest());
            let pick = self.selector.next(candidates, &rooms, from, anyone);
            let Some(rank) = pick.map(|pick| pick.told(turn)) else { return Ok(()) };
            start_candidate(&mut self.books, turn, rank.job(), reserved.from)?;
            from = self.books.candidates().onward(rank);
        }
    }
}

/// The reservation of a head during a decision, and the room that it leaves to candidates.
pub(super) struct Reserved<const K: usize> {
    /// The shadow time, and the extra amounts that candidates have not used up.
    pub shadow: Shadow<K>,
    rule: ExtraRule,
}

impl<const K: usize> Reserved<K> {
    /// Returns the reservation of a head that does not fit now; `None` if even all ends together do not free enough.
    pub fn of(books: &Books<K>, turn: &Turn<'_>, head: JobId, rule: ExtraRule) -> Option<Reserved<K>> {
        let need = turn.job(head).demands();
        let shadow = books.running.shadow(turn.now(), padded(turn.free(0)), need, rule)?;
        Some(Reserved { shadow, rule })
    }

    #[inline]
    pub fn room(&self, turn: &Turn<'_>) -> Room<K> {
        let window = self.rule.last_end(self.shadow.at) - turn.now();
        Room { free: padded(turn.free(0)), window, extra: self.shadow.extra }
    }

    /// Starts a candidate in this room. If it is to hold resources beyond the shadow time, it takes them from the extra
    /// amounts.
    pub fn start(
        &mut self,
        books: &mut Books<K>,
        turn: &mut Turn<'_>,
        job: JobId,
    ) -> Result<(), PolicyError> {
        let demand = turn.job(job).demands::<K>();
        let (placed, ends_in_time) = start_candidate(books, turn, job, self.shadow.at)?;
        self.take(placed, ends_in_time, demand);
        Ok(())
    }

    /// Takes from the extra amounts those that a started candidate will hold beyond the shadow time.
    fn take(&mut self, placed: Placed, ends_in_time: bool, demand: [i64; K]) {
        if !ends_in_time && placed == Placed::Holds {
            for (extra, need) in self.shadow.extra.iter_mut().zip(demand) {
                *extra -= need;
            }
        }
    }
}

/// Starts a candidate; returns what happened to it, and whether it is expected to end by the head's reservation.
fn start_candidate<const K: usize>(
    books: &mut Books<K>,
    turn: &mut Turn<'_>,
    job: JobId,
    shadow: Time,
) -> Result<(Placed, bool), PolicyError> {
    let (ends_in_time, why) = terms(turn, &books.need(turn.job(job)), shadow);
    Ok((books.start(turn, job, why)?, ends_in_time))
}

/// The room alone admits candidates.
#[inline]
fn anyone(_: Rank) -> bool {
    true
}

/// Returns whether a candidate is expected to end by the head's reservation, and the rule by which it then starts.
#[inline]
fn terms<const K: usize>(turn: &Turn<'_>, need: &Need<K>, shadow: Time) -> (bool, Why) {
    let ends_in_time = need.time <= shadow - turn.now();
    (ends_in_time, if ends_in_time { Why::EndsByShadow { shadow } } else { Why::Extra { shadow } })
}
