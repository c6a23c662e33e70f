use batchlab_slurm::reader::{FACTORS, PriorityTable};
use batchlab_slurm::twin::{Computed, Ranking, SeenAge};
use batchlab_traces::{JobId, Time};

use super::RankedQueue;

const AGE: usize = 1;
const _: () = assert!(FACTORS.len() > AGE);

/// Returns when priorities were computed last before an instant, and in words by what that is known: the ages that `sprio` told, the
/// priorities that the queue has, those that the log recorded at submissions; else the instant itself.
pub fn last_computed<'a>(
    queue: &RankedQueue<'a>,
    now: Time,
    sprio: Option<&PriorityTable>,
    ranking: impl Fn(Computed) -> Option<Ranking<'a>>,
) -> (Computed, &'static str) {
    let find = |ages: Vec<SeenAge>| Computed::by_ages(queue.site, queue.workload, ages.into_iter(), now);
    if let Some(computed) = sprio.and_then(|table| find(told(queue, table))) {
        return (computed, "the ages of sprio");
    }
    let by_log = Computed::of_log(queue.site, now);
    let told_by_queue = || find(left(queue, &ranking(by_log)?));
    if let Some(computed) = told_by_queue() {
        return (computed, "the priorities of the queue");
    }
    match queue.site.computed {
        Some(_) => (by_log, "the priorities of the log"),
        None => (by_log, "nothing: ages are those of the instant"),
    }
}

/// Returns the ages that `sprio` told.
fn told(queue: &RankedQueue<'_>, table: &PriorityTable) -> Vec<SeenAge> {
    let weight = queue.site.system.priority.weights.age;
    let seen = |&job: &JobId| {
        let number = queue.number(job);
        let shown = table.rows.iter().find(|row| row.job == number)?.factors[AGE]?;
        let (factor, rounding) =
            if table.normalized { (shown * weight, weight * 6e-8) } else { (shown, 0.5) };
        Some(SeenAge { job, least: factor - rounding, below: factor + rounding })
    };
    queue.jobs.iter().filter_map(seen).collect()
}

/// Returns what is left for the age in the priorities of the queue, of jobs in one partition.
fn left(queue: &RankedQueue<'_>, ranking: &Ranking<'_>) -> Vec<SeenAge> {
    let seen = |&job: &JobId| {
        let priority = queue.told(job).filter(|&priority| priority > 1)? as f64;
        let partitions = queue.partitions(job);
        let [partition] = partitions[..] else { return None };
        let factors = ranking.factors(job, Some(partition));
        let age = priority - (factors.sum() - factors.age);
        Some(SeenAge { job, least: age, below: age + 1.0 })
    };
    queue.jobs.iter().filter_map(seen).collect()
}
