//! Backfill Lowest: the candidate that requires most of the least used resources.

use std::cmp::{Ordering, Reverse};
use std::ops::ControlFlow;

use super::fractions::Fractions;
use super::pick::{Best, Pick, first_fit};
use crate::front::Room;
use crate::queue::{Queue, Rank};
use crate::spec::{ParamError, ParamKind, ParamSpec, Params, Setting, Words};
use crate::words;

pub const W: ParamSpec = ParamSpec {
    name: "w",
    kind: ParamKind::Count { least: 0, infinite: false },
    default: "1",
    help: "window: how many of the least used resources a job's largest requirements must match; at most K-1 count",
    ..ParamSpec::PLAIN
};

pub const MATCH: ParamSpec = ParamSpec {
    name: "match",
    kind: ParamKind::Choice(&["ordered", "set"]),
    default: "ordered",
    help: "whether the window is matched in order, the least used resource by the largest requirement, or in any order",
    ..ParamSpec::PLAIN
};

pub const MISS: ParamSpec = ParamSpec {
    name: "miss",
    kind: ParamKind::Choice(Miss::WORDS),
    default: "relax",
    help: "when no job matches: relax the window position by position, take the first job that fits, or \
        start none",
    ..ParamSpec::PLAIN
};

pub const FULLNESS: ParamSpec = ParamSpec {
    name: "fullness",
    kind: ParamKind::Choice(&["off", "among-matches"]),
    default: "off",
    help: "among jobs that match equally well: the first in the queue, or the one that leaves least free on average",
    ..ParamSpec::PLAIN
};

pub const LEAST_TIED: ParamSpec = ParamSpec {
    name: "least-tied",
    kind: ParamKind::Choice(LeastTied::WORDS),
    default: "lowest",
    help: "of equally used resources the first listed counts as used less, any may, or none has a place",
    ..ParamSpec::PLAIN
};

pub const LARGEST_TIED: ParamSpec = ParamSpec {
    name: "largest-tied",
    kind: ParamKind::Choice(&["yes", "no"]),
    default: "yes",
    help: "whether one of several equal requirements of a job counts as the larger one, whichever matches better",
    ..ParamSpec::PLAIN
};

/// Selects by the order of requirements compared with the order of use (policy `bl-easy`).
#[derive(Clone, Debug)]
pub struct Lowest<const K: usize> {
    fractions: Fractions<K>,
    /// The number of least used resources that count, from 1 to K - 1.
    window: usize,
    in_order: bool,
    miss: Miss,
    fullness: bool,
    least_tied: LeastTied,
    largest_tied: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Miss {
    Relax,
    FirstFit,
    Stop,
}

words!(Miss { Relax = "relax", FirstFit = "ff", Stop = "stop" });

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeastTied {
    Lowest,
    Any,
    None,
}

words!(LeastTied { Lowest = "lowest", Any = "any", None = "none" });

/// The rank of each resource by its use, the least used at 0; equally used ones may share a rank.
type Places<const K: usize> = [u8; K];

/// No rank, and no match.
const NOWHERE: u8 = u8::MAX;

/// The ranks of the resources of a job's largest requirements, in the order of the requirements; the lower,
/// the better it matches.
type Likeness<const K: usize> = [u8; K];

impl<const K: usize> Lowest<K> {
    /// Returns the rule that the parameters describe; `None` if the window is empty.
    pub fn new(params: &Params, setting: &Setting<'_>) -> Result<Option<Lowest<K>>, ParamError> {
        let fractions = Fractions::new(setting);
        let most = fractions.kinds().len() - 1;
        let window = params.count(W.name).map_or(most, |count| most.min(count.try_into().unwrap_or(most)));
        let rule = Lowest {
            fractions,
            window,
            in_order: params.is(&MATCH, "ordered")?,
            miss: params.word(&MISS)?,
            fullness: params.is(&FULLNESS, "among-matches")?,
            least_tied: params.word(&LEAST_TIED)?,
            largest_tied: params.is_on(&LARGEST_TIED)?,
        };
        Ok((window > 0).then_some(rule))
    }

    /// Examines candidates until one matches as well as possible: O(n·w·K) at worst.
    pub fn next(
        &self,
        candidates: &Queue<K>,
        rooms: &[Room<K>],
        mut admits: impl FnMut(Rank) -> bool,
    ) -> Option<Pick> {
        let used = self.fractions.used(&rooms.first()?.free);
        let Some(places) = self.places(&used) else {
            return first_fit(candidates, rooms, None, admits);
        };
        let exact = exact(self.window);
        let mut best = Best::none();
        candidates.for_each_fitting(rooms, |rank, need| {
            let mut likeness = self.likeness(&places, &need.demand);
            if likeness != exact && self.miss != Miss::Relax {
                likeness = [NOWHERE; K];
            }
            let matches = likeness[0] != NOWHERE;
            if matches || self.miss != Miss::Stop {
                let taken = if self.fullness && matches { self.taken(&need.demand) } else { 0 };
                best.offer((likeness, Reverse(taken)), rank, &mut admits);
            }
            let settled = !self.fullness && best.is_at(&(exact, Reverse(0)));
            if settled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best.pick(self.fullness)
    }

    /// Returns the ranks of the resources by their use; `None` if all are used alike.
    fn places(&self, used: &[i64; K]) -> Option<Places<K>> {
        let kinds = self.fractions.kinds();
        let compare = |left: usize, right: usize| self.fractions.cmp(used, left, right);
        if kinds.iter().all(|&kind| compare(kind, kinds[0]).is_eq()) {
            return None;
        }
        let mut places = [NOWHERE; K];
        for &kind in kinds {
            let count =
                |order: Ordering| kinds.iter().filter(|&&other| compare(other, kind) == order).count();
            let (below, alike) = (count(Ordering::Less), count(Ordering::Equal));
            let before = kinds.iter().filter(|&&other| other < kind && compare(other, kind).is_eq()).count();
            // As a set, a window that contains all of them does not depend on their order.
            let all_within = !self.in_order && below + alike <= self.window;
            places[kind] = match self.least_tied {
                LeastTied::Lowest => (below + before) as u8,
                LeastTied::None if alike > 1 && !all_within => NOWHERE,
                LeastTied::Any | LeastTied::None => below as u8,
            };
        }
        Some(places)
    }

    /// Returns how well a job's largest requirements match the least used resources: the lexicographically
    /// least ranks over all orders that ties in requirements and in use allow.
    fn likeness(&self, places: &Places<K>, demand: &[i64; K]) -> Likeness<K> {
        let mut likeness = [0; K];
        let mut named = [false; K];
        for (at, place_named) in likeness.iter_mut().enumerate().take(self.window) {
            let left = || self.fractions.kinds().iter().copied().filter(|&kind| !named[kind]);
            let compare = |a: usize, b: usize| self.fractions.cmp(demand, a, b);
            let Some(largest) = left().max_by(|&a, &b| compare(a, b)) else { break };
            let alike = || left().filter(|&kind| compare(kind, largest).is_eq());
            let told_apart = match alike().count() {
                1 => true,
                several => !self.in_order && several <= self.window - at,
            };
            // Among resources of equal rank, each further one counts one rank later.
            let place = |kind: usize| match places[kind] {
                NOWHERE => NOWHERE,
                place => place + (0..K).filter(|&other| named[other] && places[other] == place).count() as u8,
            };
            let Some(kind) = alike().min_by_key(|&kind| place(kind)) else { break };
            *place_named = place(kind);
            if *place_named == NOWHERE || !told_apart && !self.largest_tied {
                return [NOWHERE; K];
            }
            named[kind] = true;
        }
        if !self.in_order {
            likeness[..self.window].sort_unstable();
        }
        likeness
    }

    /// Returns the sum of a job's requirements: the higher, the fuller the machine.
    fn taken(&self, demand: &[i64; K]) -> i128 {
        self.fractions.kinds().iter().map(|&kind| self.fractions.part(kind, demand[kind])).sum()
    }
}

/// Returns the likeness of a job whose largest requirements match the window in order.
fn exact<const K: usize>(window: usize) -> Likeness<K> {
    let mut exact = [0; K];
    for (place, at) in exact.iter_mut().take(window).zip(0..) {
        *place = at;
    }
    exact
}
