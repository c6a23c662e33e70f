//! The queue of Algorithm 2: jobs by their match with the imbalance of all nodes.

use std::cmp::Reverse;

use super::options::PER;
use crate::spec::{ParamError, Params, Setting};
use crate::support::hosts::capacities::Capacities;
use crate::support::queue::Queue;
use crate::tally;
use crate::turn::Turn;
use crate::view::JobView;

/// Ranks the queue: the score of a job is the sum of its scores on all nodes, descending, equal scores in the order
/// of submission.
///
/// The score of Algorithm 1 is linear in the requests ([`Capacities`]), so the nodes are summed once:
/// O(nodes · K²) per decision, then O(K) per job and a sort.
#[derive(Clone, Debug)]
pub struct MatchRanking {
    capacities: Capacities,
    /// Whether the requests of the whole job count, rather than those of a task.
    whole: bool,
}

impl MatchRanking {
    pub fn new(params: &Params, setting: &Setting<'_>) -> Result<MatchRanking, ParamError> {
        let whole = !setting.by_node || params.is(&PER, "job")?;
        Ok(MatchRanking { capacities: Capacities::from_params(params)?, whole })
    }

    /// Ranks the queue by the amounts that are free now.
    pub fn rank<const K: usize>(&self, turn: &mut Turn<'_>, queue: &mut Queue<K>) {
        if queue.len() < 2 {
            return;
        }
        let sums: [i128; K] = self.capacities.over_nodes(turn.machine(), |node| turn.free(node));
        if sums == [0; K] && !queue.is_ranked() {
            // All scores are 0, as on every machine with one resource: the order of submission.
            turn.tied(tally::QUEUE_SCORES, queue.len() as u64, queue.len() as u64);
            return;
        }
        let score = |job| (Reverse(self.score(turn.job(job), &sums)), job);
        let mut scored: Vec<_> = queue.jobs().into_iter().map(score).collect();
        scored.sort_unstable();
        let (mut ranks, mut shared, mut rank) = (Vec::with_capacity(scored.len()), 0, 0.0);
        for group in scored.chunk_by(|a, b| a.0 == b.0) {
            ranks.extend(group.iter().map(|&(_, job)| (job, rank)));
            shared += if group.len() > 1 { group.len() as u64 } else { 0 };
            rank += 1.0;
        }
        turn.tied(tally::QUEUE_SCORES, scored.len() as u64, shared);
        queue.rank_by(ranks.into_iter());
    }

    fn score<const K: usize>(&self, job: JobView<'_>, sums: &[i128; K]) -> i128 {
        let task = job.layout().task;
        let requests = (0..job.demand().len())
            .map(|kind| if self.whole { job.demand()[kind] } else { job.held(kind, task) });
        let parts = requests.zip(sums).map(|(request, sum)| sum.saturating_mul(request.into()));
        parts.fold(0, i128::saturating_add)
    }
}
