//! The closures of a machine, now and later, as far as a policy may know them.

use batchlab_traces::Time;

use crate::turn::Turn;

/// Amounts of a node that are out of service for an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Out {
    pub from: Time,
    /// Up to, but not including, this instant; [`Time::MAX`] if nothing is known about the end.
    pub to: Time,
    /// The node; 0 on a pool.
    pub node: usize,
    pub amounts: Vec<i64>,
}

impl Out {
    /// The part of it in the present and the future, for comparisons.
    #[inline]
    fn key(&self, now: Time) -> Key<'_> {
        (self.from.max(now), self.to, self.node, &self.amounts)
    }
}

type Key<'a> = (Time, Time, usize, &'a [i64]);

/// The closures in force at a decision, and the known later ones.
#[derive(Clone, Debug, Default)]
pub struct OutOfService {
    /// The number of announcements up to then.
    announced: Option<u64>,
    /// The known closures, then the capacity that is out of service without a known end.
    list: Vec<Out>,
    known: usize,
}

impl OutOfService {
    pub fn new(turn: &Turn<'_>) -> OutOfService {
        let known = turn.foreseen().iter().map(|closure| Out {
            from: closure.from,
            to: closure.to,
            node: closure.node,
            amounts: closure.amounts.clone(),
        });
        let mut list: Vec<Out> = known.collect();
        let known = list.len();
        list.extend(lost(turn));
        OutOfService { announced: Some(turn.announced()), list, known }
    }

    #[inline]
    pub fn list(&self) -> &[Out] {
        &self.list
    }

    /// Whether a list made now would be the same. O(nodes) if at most closures have ended, otherwise O(c log c) for c closures.
    #[inline]
    pub fn still_holds(&self, turn: &Turn<'_>) -> bool {
        let now = turn.now();
        let gone: Vec<Out> = lost(turn).collect();
        let gone = || gone.iter().map(|out| out.key(now));
        let was_lost = self.list[self.known..].iter().map(|out| out.key(now));
        if self.announced == Some(turn.announced()) && was_lost.eq(gone()) {
            return true;
        }
        let left = self.list.iter().filter(|out| out.to > now);
        let mut before: Vec<Key<'_>> = left.map(|out| out.key(now)).collect();
        let foreseen = turn.foreseen().iter().filter(|closure| closure.to > now);
        let foreseen =
            foreseen.map(|closure| (closure.from.max(now), closure.to, closure.node, &closure.amounts[..]));
        let mut after: Vec<Key<'_>> = foreseen.chain(gone()).collect();
        before.sort_unstable();
        after.sort_unstable();
        before == after
    }
}

/// Returns the capacity that is out of service now and not known to come back.
fn lost<'a>(turn: &'a Turn<'_>) -> impl Iterator<Item = Out> + 'a {
    (0..turn.machine().nodes()).filter_map(|node| {
        let amounts: Vec<i64> = turn
            .machine()
            .amounts(node)
            .iter()
            .zip(turn.coming_back(node))
            .map(|(all, left)| all - left)
            .collect();
        let any = amounts.iter().any(|&amount| amount > 0);
        any.then(|| Out { from: turn.now(), to: Time::MAX, node, amounts })
    })
}
