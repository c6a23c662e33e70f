//! Jobs that become eligible at an unknown time, as the queue says in Slurm's words.

use batchlab_slurm::site::is_held;
use batchlab_traces::asked::REASON;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::trace::ARRAY_LIMIT;
use batchlab_traces::workload::Standing;
use batchlab_traces::{Example, Findings, JobId, Kind, Refusal, Trace, Workload, foreign};

use super::kinds::{HELD, NOT_ELIGIBLE};

/// The beginning of Slurm's word for jobs whose dependencies cannot be met any more.
const NEVER_REASON: &str = "DependencyNeverSatisfied";

/// The beginning of Slurm's words for jobs that wait for others.
const DEPENDENCY_REASON: &str = "Dependency";

/// The beginning of Slurm's words for jobs that wait for their begin time.
const BEGIN_REASON: &str = "BeginTime";

/// The beginning of Slurm's words for tasks that the throttle of their array holds.
const THROTTLE_REASON: &str = "JobArrayTaskLimit";

/// The beginnings of Slurm's words for jobs that are not eligible, where it is unknown when they will be.
const NOT_ELIGIBLE_REASONS: [&str; 5] =
    ["PartitionDown", "PartitionInactive", "DeadLine", "Cleaning", "FedJobLock"];

/// Removes from a standing the jobs that become eligible at an unknown time: the queue says so in its own words, or they
/// wait for such a job. Returns them with these words, and reports them.
///
/// # Errors
/// In strict reading, the first warning.
pub fn barred(
    trace: &Trace,
    workload: &Workload,
    standing: &mut Standing,
    findings: &mut Findings,
) -> Result<SortedMap<JobId, String>, Refusal> {
    let words: SortedMap<i64, String> =
        trace.header.noted(REASON).map(|named| (named.number, named.name)).collect();
    let word =
        |job: JobId| trace.resource(REASON).and_then(|column| words.get(&column.whole(workload.row(job))));
    let coming: SortedSet<JobId> = standing.coming.iter().map(|&(_, job)| job).collect();
    let kind = |job: JobId| {
        let word = word(job)?;
        let is_coming = coming.contains(&job);
        Some((job, (why_barred(word, is_coming, &told(trace, workload, job))?, word.clone())))
    };
    let mut barred: SortedMap<JobId, (&Kind, String)> = workload.jobs().filter_map(kind).collect();
    for (job, before) in standing.without(workload, |job| barred.contains_key(&job)) {
        let word = format!("job {}, which is not foretold", workload.number(before));
        barred.insert(job, (&NOT_ELIGIBLE, word));
    }
    for (&job, (kind, word)) in &barred {
        findings.report(kind, || Example {
            place: None,
            detail: format!("job {}: {}", workload.number(job), foreign::line(word, 60)),
        })?;
    }
    Ok(barred.into_iter().map(|(job, (_, word))| (job, word)).collect())
}

/// What the log states of a job's eligibility, whether or not it has come: a begin time, dependencies, a throttle.
struct Told {
    begin: bool,
    dependencies: bool,
    throttle: bool,
}

fn told(trace: &Trace, workload: &Workload, job: JobId) -> Told {
    let row = workload.row(job);
    Told {
        begin: workload.submit(job) > workload.submitted(job),
        dependencies: workload.condition(job).is_some_and(|known| !known.on.is_empty()),
        throttle: trace.resource(ARRAY_LIMIT).is_some_and(|column| column.whole(row) > 0),
    }
}

/// Returns why a job is barred, by Slurm's word for its waiting; `None` if a replay follows what the log states of it.
fn why_barred(word: &str, is_coming: bool, told: &Told) -> Option<&'static Kind> {
    let begins = |beginning: &&str| word.starts_with(*beginning);
    let followed = [
        (BEGIN_REASON, told.begin),
        (DEPENDENCY_REASON, told.dependencies),
        (THROTTLE_REASON, told.throttle),
    ];
    let mut named = followed.iter().filter(|(reason, _)| begins(reason)).peekable();
    let untold = named.peek().is_some() && !is_coming && !named.any(|&(_, told)| told);
    if is_held(word) {
        return Some(&HELD);
    }
    (untold || [NEVER_REASON].iter().chain(&NOT_ELIGIBLE_REASONS).any(begins)).then_some(&NOT_ELIGIBLE)
}
