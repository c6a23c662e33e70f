use batchlab_slurm::site::is_held;
use batchlab_support::JobView;
use batchlab_traces::asked::REASON;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::trace::ARRAY_LIMIT;
use batchlab_traces::workload::Standing;
use batchlab_traces::{Example, Findings, JobId, Kind, Refusal, Trace, foreign};

use super::Recorded;
use super::kinds::{HELD, LIMIT_UNKNOWN, NOT_ELIGIBLE, REFUSED, SUSPENDED};
use crate::replay::engine::Scenario;

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

/// The beginnings of Slurm's words for jobs that wait for what neither time nor the end of other jobs brings: they ask for more than
/// a partition, a service class, an account or a reservation grants.
///
/// Source: the table in `src/common/job_state_reason.c` of Slurm, versions 20.11 to 26.05; the last two are the words of
/// `part_policy_valid_acct` and `part_policy_valid_qos` (`src/slurmctld/partition_mgr.c`).
const REFUSED_REASONS: &str = "PartitionNodeLimit PartitionTimeLimit PartitionConfig InvalidAccount InvalidQOS \
    AccountNotAllowed QOSNotAllowed AccountingPolicy ReservationDeleted ReservationInvalid AssociationTimeLimit QOSTimeLimit \
    QOSUsageThreshold QOSMin MaxMemPerLimit Job's_account_not_permitted Job's_QOS_not_permitted";

/// Whether a word of Slurm's is a limit of an association, of a service class, or of an account or user within one.
fn is_limit(word: &str) -> bool {
    ["Assoc", "QOS"].into_iter().any(|beginning| word.starts_with(beginning))
        || word.starts_with("Max") && (word.contains("PerAccount") || word.contains("PerUser"))
}

/// Whether a limit concerns a job by itself, or a budget that is used up, so that no end of a job helps: `AssocMaxCpuPerJobLimit`,
/// `QOSMaxWallDurationPerJobLimit`, `AssocGrpCPUMinutesLimit`, but not `AssocGrpCPURunMinutesLimit`.
fn is_endless(word: &str) -> bool {
    let of_budget = word.contains("Minutes") && !word.contains("RunMin") || word.contains("GrpWall");
    word.contains("PerJob") || word.contains("PerNode") || of_budget
}

/// Removes from a standing the jobs that become eligible at an unknown time: the queue says so in its own words, or they
/// wait for such a job, or they wait for a limit that keeps them for ever or is unknown. Removes the jobs that an operator suspended,
/// too, and marks those that are ending, if the standing is that of the log. Returns the jobs with these words, and reports them.
pub fn barred(
    trace: &Trace,
    (scenario, recorded): (&Scenario, &Recorded),
    standing: &mut Standing,
    findings: &mut Findings,
) -> Result<SortedMap<JobId, String>, Refusal> {
    let workload = &scenario.workload;
    let words: SortedMap<i64, String> =
        trace.header.noted(REASON).map(|named| (named.number, named.name)).collect();
    let word =
        |job: JobId| trace.resource(REASON).and_then(|column| words.get(&column.whole(workload.row(job))));
    let coming: SortedSet<JobId> = standing.coming.iter().map(|&(_, job)| job).collect();
    let queued: SortedSet<JobId> = standing.queued().collect();
    let kind = |job: JobId| {
        let word = word(job).map_or("", String::as_str);
        if word.is_empty() && !queued.contains(&job) {
            return None;
        }
        let is_coming = coming.contains(&job);
        let why = why_barred(word, is_coming, &told(trace, scenario, job));
        let is_above = || queued.contains(&job) && is_refused(scenario, job, word);
        match why {
            Some(kind) => Some((job, (kind, word.to_owned()))),
            None => is_above().then(|| (job, (&REFUSED, "PartitionTimeLimit".to_owned()))),
        }
    };
    let mut barred: SortedMap<JobId, (&Kind, String)> = workload.jobs().filter_map(kind).collect();
    if recorded.written.is_some_and(|written| standing.now >= written) {
        standing.ending = recorded.ending.iter().copied().collect();
        standing.ran = recorded.ran.clone();
        // A job that a higher tier suspended resumes when that job ends; when an operator resumes one is unknown.
        let go_on = scenario.slurm.as_ref().is_some_and(|site| site.system.suspends());
        let suspended = recorded.suspended.iter().filter(|_| !go_on);
        barred.extend(suspended.map(|&job| (job, (&SUSPENDED, "SUSPENDED".to_owned()))));
    }
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
    /// What a replay follows, by the beginning of Slurm's word for it.
    followed: [(&'static str, bool); 3],
    /// A limit on the jobs that run together, of which the job is one.
    limit: bool,
}

fn told(trace: &Trace, scenario: &Scenario, job: JobId) -> Told {
    let workload = &scenario.workload;
    let row = workload.row(job);
    Told {
        followed: [
            (BEGIN_REASON, workload.submit(job) > workload.submitted(job)),
            (DEPENDENCY_REASON, workload.condition(job).is_some_and(|known| !known.on.is_empty())),
            (THROTTLE_REASON, trace.resource(ARRAY_LIMIT).is_some_and(|column| column.whole(row) > 0)),
        ],
        limit: scenario.limits.iter().flat_map(|table| &table.limits).any(|limit| limit.binds(workload, job)),
    }
}

/// Returns why a job is barred, by Slurm's word for its waiting; `None` if a replay follows what the log states of it.
fn why_barred(word: &str, is_coming: bool, told: &Told) -> Option<&'static Kind> {
    let begins = |beginning: &&str| word.starts_with(*beginning);
    let mut named = told.followed.iter().filter(|(reason, _)| begins(reason)).peekable();
    let untold = named.peek().is_some() && !is_coming && !named.any(|&(_, told)| told);
    if is_held(word) {
        return Some(&HELD);
    }
    if REFUSED_REASONS.split(' ').any(|reason| begins(&reason)) || is_limit(word) && is_endless(word) {
        return Some(&REFUSED);
    }
    if is_limit(word) && !told.limit {
        return Some(&LIMIT_UNKNOWN);
    }
    (untold || [NEVER_REASON].iter().chain(&NOT_ELIGIBLE_REASONS).any(begins)).then_some(&NOT_ELIGIBLE)
}

/// Whether a job asks for more than its partition allows, where the queue does not say why it waits: a job that Slurm does consider
/// has a QOS that exempts it.
fn is_refused(scenario: &Scenario, job: JobId, word: &str) -> bool {
    let view = JobView::new(&scenario.workload, job);
    matches!(word, "" | "None") && scenario.slurm.as_ref().is_some_and(|site| site.exceeds_partition(view))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_end_with_other_jobs_or_not_at_all() {
        let told = |limit: bool| Told {
            followed: [BEGIN_REASON, DEPENDENCY_REASON, THROTTLE_REASON].map(|reason| (reason, false)),
            limit,
        };
        let code = |word: &str, limit: bool| why_barred(word, false, &told(limit)).map(|kind| kind.code);
        let refused = "PartitionTimeLimit PartitionNodeLimit InvalidAccount InvalidQOS AccountNotAllowed QOSNotAllowed \
            ReservationDeleted AssocGrpCPUMinutesLimit AssocGrpGRESMinutes QOSGrpBillingMinutes AssocGrpWallLimit \
            QOSMaxBillingPerJob QOSMaxCpuPerNode QOSMaxWallDurationPerJobLimit AssocMaxNodePerJobLimit QOSMinCpuNotSatisfied \
            Job's_account_not_permitted_to_use_this_partition_(dragen_allows_gpdragen_not_broad)";
        for word in refused.split(' ') {
            assert_eq!([true, false].map(|known| code(word, known)), [Some("when-refused"); 2], "{word}");
        }
        let limits = "QOSGrpCpuLimit QOSMaxJobsPerUserLimit QOSMaxGRESPerUser AssocMaxJobsLimit AssocGrpCPURunMinutesLimit \
            MaxCpuPerAccount MaxGRESRunMinsPerUser";
        for word in limits.split(' ') {
            assert_eq!((code(word, true), code(word, false)), (None, Some("when-limit-unknown")), "{word}");
        }
        for word in ["", "None", "Priority", "Resources", "Licenses", "Reservation", "ReqNodeNotAvail"] {
            assert_eq!(code(word, false), None, "{word}");
        }
        assert_eq!(code("JobHeldUser", true), Some("when-held"));
        assert_eq!(code("REQUEUE_HOLD", true), Some("when-held"));
    }
}
