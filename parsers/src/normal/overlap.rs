//! Detects records of one job that overlapping extracts of an accounting log repeat or show in a later state.
//!
//! A job is identified by its own number (by its index in an array if it has none) and its submit time. Runs of a job that
//! was put back into the queue, and parts of a resized job, are separate records: they do not overlap in time.

use std::collections::HashMap;

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{Field, Record, Time};

use crate::entry::{AccountingEntry, JobState, Member};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct JobIdentity {
    cluster: u32,
    id: Id,
    submit: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Id {
    Number(i64),
    Member(Member),
}

impl JobIdentity {
    /// Returns the key of an entry. `None` if the log gives no number or no submit time, and for several array tasks in one row:
    /// the row has the array's number, which is also that of one of its tasks until they start.
    pub(super) fn of(entry: &AccountingEntry<'_>) -> Option<JobIdentity> {
        if entry.is_several && entry.stage == JobState::Ended {
            return None;
        }
        let member = Some(entry.member).filter(|&member| member != Member::default());
        let id = entry.number.map(Id::Number).or(member.map(Id::Member))?;
        Some(JobIdentity { cluster: entry.cluster, id, submit: entry.submit? })
    }
}

/// The state of a record whose job had not ended or went on afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unended {
    pub(super) stage: JobState,
    /// The time it had run, if the log gives it.
    pub(super) elapsed: Option<Time>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RecordRelation {
    /// The new record is about another run or another part of the job.
    Apart,
    /// The earlier record says the same; `fuller` if the new one has more values.
    Repeats { fuller: bool },
    /// The new record shows a later state of the job.
    Further,
    /// The earlier record shows a later state of the job.
    Outdated,
    /// The records contradict each other; the text says in which fields.
    Contradicts(String),
}

/// Rows by job, and the rows that were replaced.
#[derive(Debug, Default)]
pub(super) struct Overlap {
    first: HashMap<JobIdentity, u32>,
    /// Rows of jobs that have several.
    others: HashMap<JobIdentity, Vec<u32>>,
    unended: SortedMap<u32, Unended>,
    replaced: SortedSet<u32>,
}

impl Overlap {
    /// Returns the rows of a job that were not replaced.
    pub(super) fn rows(&self, key: &JobIdentity) -> Vec<u32> {
        let others = self.others.get(key).into_iter().flatten();
        let all = self.first.get(key).into_iter().chain(others).copied();
        all.filter(|row| !self.replaced.contains(row)).collect()
    }

    pub(super) fn add(&mut self, key: Option<JobIdentity>, row: u32, entry: &AccountingEntry<'_>) {
        if entry.stage != JobState::Ended {
            self.unended.insert(row, Unended { stage: entry.stage, elapsed: entry.elapsed });
        }
        let Some(key) = key else { return };
        if *self.first.entry(key).or_insert(row) != row {
            self.others.entry(key).or_default().push(row);
        }
    }

    pub(super) fn replace(&mut self, row: u32) {
        self.replaced.insert(row);
        self.unended.remove(&row);
    }

    pub(super) fn counts(&self, row: u32) -> bool {
        !self.replaced.contains(&row)
    }

    /// Returns the rows of jobs that had not ended.
    pub(super) fn open(&self) -> impl Iterator<Item = (u32, Unended)> {
        let open = |unended: &Unended| unended.stage != JobState::PutBack;
        self.unended.iter().filter(move |(_, unended)| open(unended)).map(|(&row, &unended)| (row, unended))
    }

    pub(super) fn weigh(
        &self,
        row: u32,
        earlier: &Record,
        entry: &AccountingEntry<'_>,
        record: &Record,
    ) -> RecordRelation {
        let ended = Unended { stage: JobState::Ended, elapsed: None };
        let old = self.unended.get(&row).copied().unwrap_or(ended);
        let new = Unended { stage: entry.stage, elapsed: entry.elapsed };
        let open = |unended: Unended| matches!(unended.stage, JobState::Running | JobState::Waiting);
        let (from, since) = (wait(earlier), wait(record));
        match (open(old), open(new)) {
            (true, true) => {
                let progress = |wait: Option<i64>, unended: Unended| (wait, unended.elapsed);
                match progress(since, new).cmp(&progress(from, old)) {
                    std::cmp::Ordering::Greater => RecordRelation::Further,
                    std::cmp::Ordering::Equal => RecordRelation::Repeats { fuller: false },
                    std::cmp::Ordering::Less => RecordRelation::Outdated,
                }
            }
            (true, false) if settles(new.stage, since, from) => RecordRelation::Further,
            (false, true) if settles(old.stage, from, since) => RecordRelation::Outdated,
            (true, false) | (false, true) => RecordRelation::Apart,
            (false, false) => match difference(earlier, record) {
                None => RecordRelation::Repeats { fuller: known(record) > known(earlier) },
                Some(_) if apart(earlier, record) => RecordRelation::Apart,
                // One record gives the end of a run, the other the job's return to the queue.
                Some(_) if old.stage != new.stage => RecordRelation::Apart,
                Some(difference) => RecordRelation::Contradicts(difference),
            },
        }
    }
}

/// Whether a run that ended is the run that had not ended, or a later one, judged by their waits.
fn settles(stage: JobState, ended: Option<i64>, open: Option<i64>) -> bool {
    match (open, ended) {
        (Some(open), Some(ended)) => ended >= open,
        // After its return to the queue the job waits again.
        (None, _) | (_, None) => stage == JobState::Ended,
    }
}

fn wait(record: &Record) -> Option<i64> {
    Some(record.get(Field::Wait).to_micro()).filter(|&wait| wait >= 0)
}

/// Whether two records of a job cover times that do not overlap.
fn apart(one: &Record, other: &Record) -> bool {
    let times = |record: &Record| {
        let run = Some(record.get(Field::Run).to_micro()).filter(|&run| run >= 0)?;
        let from = wait(record)?;
        Some((from, from.saturating_add(run)))
    };
    let (Some(one), Some(other)) = (times(one), times(other)) else { return false };
    one.0 != other.0 && (one.1 <= other.0 || other.1 <= one.0)
}

/// Lists the fields in which two records differ, if both give a value; `None` if they agree.
fn difference(one: &Record, other: &Record) -> Option<String> {
    let told = |value: i64| value >= 0;
    let fields = Field::ALL.into_iter().filter_map(|field| {
        let (this, that) = (one.get(field), other.get(field));
        let differ = this.to_micro() != that.to_micro() && !this.is_unknown() && !that.is_unknown();
        differ.then(|| format!("{} {this} against {that}", field.name()))
    });
    let extra = one.extra.iter().zip(&other.extra).filter(|(this, that)| this != that);
    let extra = extra
        .filter(|(this, that)| told(**this) && told(**that))
        .map(|(this, that)| format!("a further column: {this} against {that}"));
    let words: Vec<String> = fields.chain(extra).take(3).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn known(record: &Record) -> usize {
    let fields = Field::ALL.into_iter().filter(|&field| !record.get(field).is_unknown()).count();
    fields + record.extra.iter().filter(|&&amount| amount >= 0).count()
}
