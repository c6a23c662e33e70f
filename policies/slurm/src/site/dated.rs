//! Changes of jobs of the log, from the lines of slurmctld's log about them.
//!
//! Source: `_update_job`, `_hold_job_rec`, `_release_job_rec` (`job_mgr.c`) of Slurm 22.05.

use batchlab_traces::asked::{ASKED_LIMIT, ASKED_PARTITION, ASKED_PARTITIONS, ASKED_QOS};
use batchlab_traces::capacity::Instant;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Example, Field, Findings, Refusal, Time, Trace};

use super::SlurmSystem;
use super::changed::{CHANGE_KEPT, CHANGE_OF_NO_JOB, JobChange, LoggedChange, SiteChange};

/// Returns the changes of the jobs of a log, in order. O((changes + rows) log rows).
pub(super) fn changes(
    (system, logged): (&SlurmSystem, &[LoggedChange]),
    trace: &Trace,
    findings: &mut Findings,
) -> Result<Vec<SiteChange>, Refusal> {
    let mut all = Vec::new();
    if logged.is_empty() {
        return Ok(all);
    }
    let rows = Rows::of(trace);
    for one in logged {
        let example = |detail: &str| Example { place: Some(one.place.clone()), detail: detail.to_owned() };
        let Some(change) = one.change.or_else(|| named(system, &one.words)) else {
            // What follows may be a name.
            let words = one.words.split(" to ").next().unwrap_or_default();
            let words = words.split(" for ").next().unwrap_or_default();
            findings.report(&CHANGE_KEPT, || example(words))?;
            continue;
        };
        let at = trace
            .calendar
            .as_ref()
            .and_then(|calendar| Instant::of_slurm(&one.at)?.in_log(0, Some(calendar)));
        let of_job = rows.of_job(&one.job);
        let Some(at) = at.filter(|_| !of_job.is_empty()) else {
            findings.report(&CHANGE_OF_NO_JOB, || example(&one.job))?;
            continue;
        };
        all.extend(of_job.iter().map(|&row| SiteChange { at, row, change }));
    }
    all.sort_by_key(|one| one.at);
    // A job that is held has priority 0, as a further line says.
    all.retain(|one| one.change != JobChange::Priority(0));
    drop_unreleased(&mut all, trace);
    let firsts: Vec<SiteChange> = all.iter().filter_map(|one| first(system, one, trace)).collect();
    Ok(firsts.into_iter().chain(all).collect())
}

/// Returns the partition or the service class that a line gives to a job, if the installation has it.
fn named(system: &SlurmSystem, words: &str) -> Option<JobChange> {
    let (words, _) = words.rsplit_once(" for JobId=")?;
    if let Some(name) = words.strip_prefix("setting partition to ") {
        return system.partition(name).map(JobChange::Partition);
    }
    system.class(words.strip_prefix("setting QOS to ")?).map(JobChange::Qos)
}

/// Returns what a job had at its submission of what a line changed: accounting has the last. A limit is that of the submit line, a
/// partition or a service class otherwise the default one (`normal`). Of a partition with nodes that the last one has not, nothing is
/// told: the job has the nodes of the last one.
fn first(system: &SlurmSystem, one: &SiteChange, trace: &Trace) -> Option<SiteChange> {
    let asked = |name: &str| {
        let number = trace.resource(name)?.whole(one.row);
        trace.header.noted(name).find(|named| named.number == number).map(|named| named.name)
    };
    let change = match one.change {
        JobChange::Limit(_) => {
            let minutes = u32::try_from(trace.resource(ASKED_LIMIT)?.whole(one.row)).ok();
            JobChange::Limit(minutes.filter(|&minutes| minutes > 0)?)
        }
        JobChange::Partition(last) => {
            if trace.resource(ASKED_PARTITIONS).is_some_and(|list| list.whole(one.row) > 0) {
                return None;
            }
            let named = asked(ASKED_PARTITION).map(|name| system.partition(&name));
            let at = named.unwrap_or_else(|| system.default_partition())?;
            let has = |node| system.partitions[last].nodes.contains(node);
            JobChange::Partition(if system.partitions[at].nodes.iter().all(has) { at } else { last })
        }
        JobChange::Qos(_) => JobChange::Qos(system.class(asked(ASKED_QOS).as_deref().unwrap_or("normal"))?),
        _ => return None,
    };
    Some(SiteChange { at: Time::from_ticks(i64::MIN), change, ..*one })
}

/// Leaves out that jobs were held of which no line says that they were released, although they started: lines are missing.
fn drop_unreleased(all: &mut Vec<SiteChange>, trace: &Trace) {
    let mut open: SortedMap<usize, Time> = SortedMap::new();
    for one in all.iter() {
        match one.change {
            JobChange::Held => drop(open.insert(one.row, one.at)),
            JobChange::Released => drop(open.remove(&one.row)),
            _ => {}
        }
    }
    let has_started = |row: usize| {
        trace.time(row, Field::Wait) >= Time::ZERO && trace.get(row, Field::Allocated).truncated() > 0
    };
    all.retain(|one| {
        one.change != JobChange::Held || open.get(&one.row) != Some(&one.at) || !has_started(one.row)
    });
}

struct Rows {
    /// By the number, the task and the component.
    own: SortedMap<String, Vec<usize>>,
    /// The waiting tasks of arrays, by the array.
    arrays: SortedMap<i64, Vec<usize>>,
}

impl Rows {
    fn of(trace: &Trace) -> Rows {
        let mut rows = Rows { own: SortedMap::new(), arrays: SortedMap::new() };
        let array = trace.resource("array");
        for row in 0..trace.len() {
            let number = || trace.get(row, Field::Job).truncated().to_string();
            let own = trace.own_id(row).map_or_else(number, |id| id.to_string());
            rows.own.entry(own).or_default().push(row);
            if let Some(array) = array.map(|column| column.whole(row)).filter(|&array| array >= 0) {
                rows.arrays.entry(array).or_default().push(row);
            }
        }
        rows
    }

    /// Returns the rows of a job as slurmctld writes it: several if it ran several times, and for the tasks of an array that
    /// have no number of their own yet.
    fn of_job(&self, job: &str) -> &[usize] {
        if let Some(array) = job.strip_suffix("_*") {
            return array
                .parse()
                .ok()
                .and_then(|array: i64| self.arrays.get(&array))
                .map_or(&[], Vec::as_slice);
        }
        self.own.get(job.split('(').next().unwrap_or_default()).map_or(&[], Vec::as_slice)
    }
}
