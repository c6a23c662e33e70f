//! Multi-capacity bin-packing of queue and hosts.

use batchlab_traces::Citation;

use super::cycle::SchedulingInterval;
use super::options::{CYCLE, HOST, KEEP, PER, RESERVATIONS};
use super::ranking::MatchRanking;
use crate::backfill::depth::Depth;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, Params, PolicySpec, Setting};
use crate::support::books::Books;
use crate::support::hosts::capacities::{PAIRS, REQ};
use crate::support::hosts::options::{AVAILABILITY, RESCORE, SHARE};
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::select::SelectionRule;
use crate::turn::Turn;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// Every cycle ranks the queue by Algorithm 2 (section 3.5): the score of a job is the sum over all nodes of its score by
/// Algorithm 1 ([`crate::support::hosts::capacities`]), for what is free at that instant; the highest goes first, equal
/// scores in the order of submission. Then follows "intermediate backfilling" (section 4.3), which the simulator Haizea
/// calls N reservations: each job in this order goes to its earliest start. If that is now it starts, otherwise it holds a
/// reservation. After N reservations the remaining jobs start if the reservations leave room for their whole estimated
/// stay. This is `depth` with another queue order. Each task goes to the node with the highest score by Algorithm 1
/// (section 3.4), ties to the lowest node.
///
/// A pool counts as one node, and a job on it as one task.
///
/// Cost of a decision: O(nodes · K²) once, O(K + log n) per waiting job, and the cost of the reservations.
pub const SPEC: PolicySpec = PolicySpec {
    name: "mcbp",
    family: "Sheikhalishahi 2015",
    summary: "ranks the queue by how well jobs match the free resources of the nodes, and backfills around \
        N reservations",
    cite: CITE,
    rule: "At every cycle the queue is ranked by the sum, over all nodes, of Algorithm 1: for each pair of \
        resources of which the first is freer on the node, what the job requires of the first minus what it \
        requires of the second; highest first. The first N jobs that cannot start hold reservations, the others \
        start where these leave room. Each task goes to the node with the highest score.",
    params: &[RESERVATIONS, HOST, CYCLE, REQ, PAIRS, PER, AVAILABILITY, SHARE, RESCORE, KEEP],
    needs: Needs::FORESIGHT,
    build: |params, setting| for_kinds(setting, &McbpFactory { params, ranked: true }),
};

pub(super) const CITE: Citation = Citation::of(
    "Sheikhalishahi, Wallace, Grandinetti, Vazquez-Poletti, Guerriero, Future Generation Computer Systems, 2015, \
     sections 3.4, 3.5, 4.3 (doi 10.1016/j.future.2015.03.014)",
    &["sheikhalishahi15"],
);

pub(super) struct McbpFactory<'a> {
    pub params: &'a Params,
    /// Whether the queue is ranked by Algorithm 2.
    pub ranked: bool,
}

impl ForKinds for McbpFactory<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let depth = Depth::<K>::new(
            self.params,
            setting,
            self.params.count(RESERVATIONS.name),
            SelectionRule::FirstFit,
        )?;
        let keep = self.params.is_on(&KEEP)?;
        if keep && setting.tiers {
            let reason =
                "keep=true keeps the reservations of jobs of lower tiers before later jobs of higher tiers";
            return Err(BuildError::Unfit(format!("{reason} (--priorities); leave it out")));
        }
        Ok(keeping(Packing {
            depth: if keep { depth.keeping() } else { depth },
            ranking: self.ranked.then(|| MatchRanking::new(self.params, setting)).transpose()?,
            cycle: SchedulingInterval::from_params(self.params),
        }))
    }
}

struct Packing<const K: usize> {
    depth: Depth<K>,
    ranking: Option<MatchRanking>,
    cycle: SchedulingInterval,
}

impl<const K: usize> Keeper for Packing<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.depth.books
    }

    /// Ranks are given to the whole queue, and a cycle looks at how many jobs a decision has left.
    fn forgets(&self) -> bool {
        self.ranking.is_none() && self.cycle.is_every_event() && self.depth.forgets()
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.depth.settle(turn)?;
        let waiting = self.depth.books.queue.len();
        if !self.cycle.begins(turn, waiting > 0)? {
            return Ok(());
        }
        if let Some(ranking) = &self.ranking {
            ranking.rank(turn, &mut self.depth.books.queue);
        }
        self.depth.schedule(turn)?;
        let left = self.depth.books.queue.len();
        if (1..waiting).contains(&left) { self.cycle.goes_on(turn) } else { Ok(()) }
    }
}
