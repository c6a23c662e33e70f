//! How many jobs of a log are affected by settings that no replay follows.
//!
//! Source: `_build_row_bitmaps` (`select/cons_tres`), `power_save.c` and `job_submit_g_submit` of Slurm 22.05.

use batchlab_traces::asked::{ASKED_LIMIT, ASKED_PARTITION, ASKED_QOS};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Example, Field, Findings, Refusal, Time, Trace, Workload, kinds};

use super::{SlurmSystem, views};

kinds! {
    SHARED: Warning "slurm-processors-shared",
        "{job|jobs} in partitions with OverSubscribe=FORCE, where several jobs have a processor",
        "each has its processors to itself, and may start later than really",
        "read waits in other partitions only, or those of slurm-check by partition";
    ASLEEP: Warning "slurm-nodes-asleep",
        "{job|jobs} that really began on nodes which had been idle for SuspendTime",
        "nodes are always up, so that a start may be earlier than really by the time in which they boot",
        "nothing, if waits are longer than ResumeTimeout; nodes of SuspendExcNodes are among these";
    RESUBMITTED: Note "slurm-job-rewritten",
        "{job|jobs} with another partition, service class or limit than {it|they} asked for, beside JobSubmitPlugins",
        "what accounting has holds from the submission on",
        "if operators changed them later: lines of slurmctld's log say when, and slurm-collect collects them";
}

/// Reports the settings of an installation that affect jobs of a log, with their number; `nodes_of` has the nodes of the job of a row.
/// O(jobs log jobs).
pub(super) fn report<'n>(
    system: &SlurmSystem,
    (workload, trace): (&Workload, &Trace),
    nodes_of: &dyn Fn(usize) -> Option<&'n [usize]>,
    findings: &mut Findings,
) -> Result<(), Refusal> {
    let example = |detail: String| Example { place: system.place.clone(), detail };
    let numbers = system.numbers(&trace.header.partition);
    let mut of_partition: SortedMap<usize, u64> = SortedMap::new();
    for job in views(workload) {
        let named = numbers.get(&job.attribute(Field::Partition)).copied();
        if let Some(at) = named.or(system.default_partition()).filter(|&at| system.partitions[at].rows > 1) {
            *of_partition.entry(at).or_default() += 1;
        }
    }
    for (at, count) in of_partition {
        let partition = &system.partitions[at];
        let detail = format!("partition `{}` (FORCE:{}): {count}", partition.name, partition.rows);
        findings.report_many(&SHARED, count, || example(detail))?;
    }
    if let Some(after) = system.asleep_after {
        let count = woken(after, (workload, trace), nodes_of);
        findings.report_many(&ASLEEP, count, || example(format!("SuspendTime={}", after.secs())))?;
    }
    if system.rewrites {
        let columns = [ASKED_PARTITION, ASKED_QOS, ASKED_LIMIT].map(|name| trace.resource(name));
        let is_other = |row: usize| columns.iter().flatten().any(|column| column.whole(row) > 0);
        let count = views(workload).filter(|job| is_other(job.row())).count() as u64;
        findings.report_many(&RESUBMITTED, count, || example("JobSubmitPlugins".into()))?;
    }
    Ok(())
}

/// Returns how many jobs really began on a node on which no job had run for some time; the first job of a node does not tell.
fn woken<'n>(
    after: Time,
    (workload, trace): (&Workload, &Trace),
    nodes_of: &dyn Fn(usize) -> Option<&'n [usize]>,
) -> u64 {
    let run = |job: batchlab_contract::JobView<'_>| {
        let wait = trace.time(job.row(), Field::Wait);
        let start = (wait >= Time::ZERO).then(|| job.submitted().saturating_add(wait))?;
        Some((start, start.saturating_add(workload.run(job.id())), nodes_of(job.row())?))
    };
    let mut runs: Vec<_> = views(workload).filter_map(run).collect();
    runs.sort_unstable();
    let mut left: SortedMap<usize, Time> = SortedMap::new();
    let mut count = 0;
    for (start, end, nodes) in runs {
        let slept = nodes.iter().any(|node| left.get(node).is_some_and(|&left| start - left >= after));
        count += u64::from(slept);
        for &node in nodes {
            let left = left.entry(node).or_insert(end);
            *left = end.max(*left);
        }
    }
    count
}
