//! From the entries of an accounting log to records: the archive's conversion rules, named and counted.
//!
//! Source: the rules common to all conversions of the Parallel Workloads Archive (its `convert2swf.pm`,
//! version 3). No job is dropped; each correction, assumption or anomaly has an entry in [`rules`].

pub mod rules;

mod dates;
mod finish;
mod further;
mod mend;
mod names;
mod numbering;
mod overlap;

use batchlab_traces::calendar::Zone;
use batchlab_traces::header::{ColumnScope, RemarkedCount, ResourceDeclaration};
use batchlab_traces::notation::Bound;
use batchlab_traces::time::TICKS_PER_SECOND;
use batchlab_traces::trace::{
    CANCELLED, NO_LIMIT, STAGE, SUSPENDED, SUSPENDED_FROM, SUSPENDED_UNTIL, Suspension, TraceBuilder,
};
use batchlab_traces::{Field, Findings, Header, Number, Record, RecordSink, Time, status};

use crate::entry::{AccountingEntry, JobState, Name, RunPhase};
use crate::error::Result;
use crate::reporter::Reporter;
use dates::Dates;
use further::Further;
pub(crate) use names::Names;
use overlap::{JobIdentity, Overlap, RecordRelation};

/// Properties of a log that are known before its first entry.
#[derive(Clone, Debug, Default)]
pub struct LogPlan {
    /// The header's description of machine and site; times, counts, queues and columns are filled in later.
    pub header: Header,
    /// The site's time zone, for the header.
    pub zone: Option<Zone>,
    /// Queues with fixed numbers.
    pub queues: &'static [(&'static str, i64)],
    /// More queues with fixed numbers, for logs that a mapping file describes.
    pub further_queues: Vec<(String, i64)>,
    /// Groups with fixed numbers.
    pub groups: &'static [(&'static str, i64)],
    /// Whether times count from the log's own zero, whose date is unknown: they are kept unchanged, every value from zero on is a
    /// valid time, and the header has no dates. A log without any date is treated in the same way, with a finding.
    pub relative: bool,
}

/// Collects entries and, at the end, passes them on as records sorted by submit time, with the header.
///
/// Users, groups, applications, queues and partitions are numbered by first appearance in the log. The memory
/// used is that of the resulting columns; the time is O(n log n), for the sort.
pub struct Normaliser {
    plan: LogPlan,
    builder: TraceBuilder,
    record: Record,
    /// The names of users, groups, applications, queues and partitions.
    names: [Names; 5],
    columns: Vec<ResourceDeclaration>,
    further: Vec<Further>,
    /// The submit time of the previous entry, from 1970.
    before: Option<Time>,
    last_end: Option<Time>,
    dates: Dates,
    entries: u64,
    /// Records by job, to detect jobs that overlapping extracts repeat.
    overlap: Overlap,
    /// Columns of the job array and of the heterogeneous job: its number, and the job's index in it.
    members: [Option<[usize; 2]>; 2],
    /// Whether the entries come from a file other than the one that gives the log its name.
    is_beside: bool,
    /// When the log was written, from 1970, if the log states it.
    written: Option<Time>,
    remarks: Vec<(Time, String)>,
}

/// The most further columns that a log may have; every job has a value in each.
pub const MOST_COLUMNS: usize = 256;

/// The largest number that an identity keeps: floats represent all up to it exactly.
pub const LARGEST_IDENTITY: i64 = 1 << 53;

/// Words, and larger numbers, are numbered above this.
pub const WORDS: i64 = 9_000_000_000_000_000;

/// The handle of every column beyond [`MOST_COLUMNS`]; no column has it.
const NO_COLUMN: usize = usize::MAX;

/// The most letters of a further column's name.
const COLUMN_NAME: usize = 100;

const NAMED: [Field; 5] = [Field::User, Field::Group, Field::Executable, Field::Queue, Field::Partition];

impl Normaliser {
    /// Returns a normaliser without entries.
    pub fn new(plan: LogPlan) -> Normaliser {
        let further = plan.further_queues.iter().map(|(name, number)| (name.as_str(), *number));
        let queues: Vec<(&str, i64)> = plan.queues.iter().copied().chain(further).collect();
        let queues = Names::new(&queues, true);
        let groups = Names::new(plan.groups, false);
        let none_given = || Names::new(&[], false);
        Normaliser {
            plan,
            builder: TraceBuilder::new(),
            record: Record::default(),
            names: [none_given(), groups, none_given(), queues, none_given()],
            columns: Vec::new(),
            further: Vec::new(),
            before: None,
            last_end: None,
            dates: Dates::default(),
            entries: 0,
            overlap: Overlap::default(),
            members: [None; 2],
            is_beside: false,
            written: None,
            remarks: Vec::new(),
        }
    }

    /// Marks the following entries as those of a file beside the log: their records have no line.
    pub fn beside(&mut self) {
        self.is_beside = true;
    }

    /// Sets the instant at which the log was written, from 1970: a note records it, and running jobs ran until then.
    pub fn written(&mut self, at: Time) {
        self.written = Some(at);
    }

    /// Returns the handle of a further column, for [`AccountingEntry::extra`]; the same name gives the same handle. A
    /// job whose entry has no amount gets -1. Beyond [`MOST_COLUMNS`], the returned handle refers to no
    /// column, and its amounts are left out with a finding.
    pub fn column(&mut self, name: &str, unit: &str, scope: ColumnScope) -> usize {
        // Column names are used in headers and expressions: one word each.
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "_.:/-".contains(letter);
        let letters = name.chars().take(COLUMN_NAME);
        let word: String = letters.map(|letter| if fits(letter) { letter } else { '_' }).collect();
        let word = if word.is_empty() { "_".into() } else { word };
        if let Some(at) = self.columns.iter().position(|column| column.name == word) {
            return at;
        }
        if self.columns.len() >= MOST_COLUMNS {
            return NO_COLUMN;
        }
        let declaration = ResourceDeclaration { name: word, unit: unit.into(), capacity: None, scope };
        self.columns.push(declaration);
        self.further.push(Further::default());
        self.columns.len() - 1
    }

    /// Returns the handle of a further column that holds names, such as service classes.
    /// [`Normaliser::number`] numbers them by first appearance, from 1, and notes in the header list them.
    pub fn named_column(&mut self, name: &str) -> usize {
        let at = self.column(name, "", ColumnScope::Job);
        if let Some(further) = self.further.get_mut(at) {
            further.names.get_or_insert_with(|| Names::new(&[], false));
        }
        at
    }

    /// Returns the handle of a further column that holds texts of any length, which are numbered as names are.
    pub fn text_column(&mut self, name: &str) -> usize {
        let at = self.named_column(name);
        if let Some(names) = self.further.get_mut(at).and_then(|further| further.names.as_mut()) {
            names.whole = true;
        }
        at
    }

    /// Returns the number of a name in a column made by [`Normaliser::named_column`]; -1 if the name is unknown.
    pub fn number(&mut self, column: usize, name: Name<'_>) -> i64 {
        let names = self.further.get_mut(column).and_then(|further| further.names.as_mut());
        names.map_or(-1, |names| names.number(name))
    }

    /// Sets the amount of a further column, instead of -1, for jobs whose entry gives none, including the
    /// jobs before the column was created.
    pub fn absent(&mut self, column: usize, amount: i64) {
        if let Some(further) = self.further.get_mut(column) {
            further.absent = amount;
        }
    }

    /// Omits a further column if all jobs have the same amount.
    pub fn only_if_varied(&mut self, column: usize) {
        if let Some(further) = self.further.get_mut(column) {
            further.only_if_varied = true;
        }
    }

    /// Returns the further columns, by handle, so that capacities found late can be set.
    pub fn columns(&mut self) -> &mut [ResourceDeclaration] {
        &mut self.columns
    }

    /// Returns the plan, so that properties of the machine given in the middle of the log can be set.
    pub fn plan(&mut self) -> &mut LogPlan {
        &mut self.plan
    }

    /// Keeps a record of the log that is not a job, such as an outage: it becomes a comment among the jobs, after the jobs submitted
    /// until then.
    pub fn remark(&mut self, at: Time, text: String) {
        self.remarks.push((at, text));
    }

    /// Returns the number of entries taken.
    pub fn len(&self) -> u64 {
        self.entries
    }

    /// Whether no entry was taken.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Takes an entry, unless an earlier entry repeats it or shows a later state of its job.
    ///
    /// # Errors
    /// In strict reading, a value that a rule corrects.
    pub fn entry(&mut self, entry: &AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result {
        if self.is_new(entry, reporter)? { self.take(entry, reporter) } else { Ok(()) }
    }

    /// Whether no earlier entry repeats this one or shows a later state of its job. Drops an earlier entry that this one replaces.
    ///
    /// # Errors
    /// In strict reading, two records that contradict each other.
    pub fn is_new(&mut self, entry: &AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result<bool> {
        let Some(key) = JobIdentity::of(entry) else { return Ok(true) };
        let rows = self.overlap.rows(&key);
        if rows.is_empty() {
            return Ok(true);
        }
        // The entry's own findings are counted when it is taken.
        let mut unheard = Findings::lenient();
        let mut dates = self.dates;
        let relative = dates.see(entry, self.builder.len()) || self.plan.relative;
        let times = mend::times(entry, self.before, relative, &mut silent(&mut unheard, reporter))?;
        self.fill(entry, &times, &mut silent(&mut unheard, reporter))?;
        let mut earlier = Record::default();
        let mut contradictions = Vec::new();
        for row in rows {
            self.builder.copy(row as usize, &mut earlier);
            let verdict = self.overlap.weigh(row, &earlier, entry, &self.record);
            let both = || format!("job {}, of line {} too", entry.own_name(), earlier.line);
            match verdict {
                RecordRelation::Apart => {}
                RecordRelation::Repeats { fuller } => {
                    reporter.report_at(&rules::REPEATED, entry.line, both)?;
                    // For a job that has ended, accounting is preferred to the queue, even if the queue has more values.
                    let is_accounting = self.is_beside && earlier.line > 0;
                    if !fuller && !is_accounting {
                        return Ok(false);
                    }
                    self.overlap.replace(row);
                }
                // The log states what runs and waits: this happened within its last second.
                RecordRelation::Further if self.is_beside => {
                    reporter.report_at(&rules::HISTORY_LATER, entry.line, both)?;
                    return Ok(false);
                }
                RecordRelation::Further => {
                    reporter.report_at(&rules::SHOWN_FURTHER, earlier.line, || {
                        format!("job {}, see line {}", entry.own_name(), entry.line)
                    })?;
                    self.overlap.replace(row);
                }
                RecordRelation::Outdated => {
                    reporter.report_at(&rules::SHOWN_FURTHER, entry.line, || {
                        format!("job {}, see line {}", entry.own_name(), earlier.line)
                    })?;
                    return Ok(false);
                }
                RecordRelation::Contradicts(difference) => {
                    contradictions.push(format!("{}: {difference}", both()));
                }
            }
        }
        if !contradictions.is_empty() {
            reporter.report_at(&rules::CONTRADICTED, entry.line, || contradictions.join("; "))?;
        }
        Ok(true)
    }

    /// Takes an entry without comparing it with earlier ones of its job.
    pub fn take(&mut self, entry: &AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result {
        self.entries += 1;
        let relative = self.dates.see(entry, self.builder.len()) || self.plan.relative;
        let times = mend::times(entry, self.before, relative, reporter)?;
        self.before = Some(times.submit);
        self.last_end = self.last_end.max(times.end);
        self.fill(entry, &times, reporter)?;
        if entry.suspension.total >= Time::SECOND {
            let Suspension { total, .. } = entry.suspension;
            let detail = || format!("job {} for {total} s", entry.own_name());
            reporter.report_at(&rules::SUSPENDED, entry.line, detail)?;
        }
        self.overlap.add(JobIdentity::of(entry), self.builder.len() as u32, entry);
        self.builder.record(&self.record);
        Ok(())
    }

    fn fill(
        &mut self,
        entry: &AccountingEntry<'_>,
        times: &mend::MendedTimes,
        reporter: &mut Reporter<'_>,
    ) -> Result {
        let members = self.member_columns(entry);
        let facts = self.facts(entry, times);
        let procs = self.plan.header.max_procs.as_ref().map(|procs| procs.count);
        let record = &mut self.record;
        record.line = if self.is_beside { 0 } else { entry.line };
        record.set_whole(Field::Job, entry.number.filter(|number| *number <= LARGEST_IDENTITY).unwrap_or(-1));
        record.set(Field::Submit, seconds(Some(times.submit)));
        record.set(Field::Wait, seconds(times.wait));
        record.set(Field::Run, seconds(times.run));
        mend::amounts(entry, times.run, procs, record, reporter)?;
        record.set_whole(Field::Status, entry.status.unwrap_or(-1));
        let names = [entry.user, entry.group, entry.executable, entry.queue, entry.partition];
        for ((field, known), name) in NAMED.into_iter().zip(&mut self.names).zip(names) {
            record.set_whole(field, known.number(name));
        }
        record.extra.clear();
        record.extra.resize(self.columns.len(), -1);
        for &(at, amount) in &entry.extra {
            match record.extra.get_mut(at) {
                Some(place) => *place = amount,
                None => {
                    reporter
                        .report_at(&rules::MANY_COLUMNS, entry.line, || format!("an amount of {amount}"))?;
                }
            }
        }
        for (at, value) in facts {
            if let Some(place) = record.extra.get_mut(at) {
                *place = value;
            }
        }
        for (columns, (whole, part)) in members.into_iter().flatten() {
            (record.extra[columns[0]], record.extra[columns[1]]) = (whole, part);
        }
        Ok(())
    }

    /// Returns the columns for what only some jobs have, with their values.
    fn facts(&mut self, entry: &AccountingEntry<'_>, times: &mend::MendedTimes) -> Vec<(usize, i64)> {
        let mut facts = Vec::new();
        let mut put = |name: &str, unit: &str, value: i64| {
            facts.push((self.column(name, unit, ColumnScope::Job), value));
        };
        let seconds = |time: Time| time.ticks() / TICKS_PER_SECOND;
        if let Some(after) = cancelled(entry, times) {
            put(CANCELLED, "s", seconds(after));
        }
        if entry.requested_time == Some(Bound::Unlimited) {
            put(NO_LIMIT, "", 1);
        }
        if entry.suspension.total >= Time::SECOND {
            put(SUSPENDED, "s", seconds(entry.suspension.total));
            if let Some((from, until)) = entry.suspension.between {
                put(SUSPENDED_FROM, "s", seconds(from));
                put(SUSPENDED_UNTIL, "s", seconds(until));
            }
        }
        match entry.phase {
            _ if entry.stage != JobState::Running => {}
            RunPhase::Runs => {}
            RunPhase::Suspended => put(STAGE, "", 1),
            RunPhase::Ending => put(STAGE, "", 2),
        }
        facts
    }

    /// Returns the columns for the job's array and heterogeneous job, with their values.
    fn member_columns(&mut self, entry: &AccountingEntry<'_>) -> [Option<Part>; 2] {
        const NAMES: [[&str; 2]; 2] = [["array", "array_task"], ["het_job", "het_offset"]];
        let mut members = [None; 2];
        for (at, numbers) in [entry.member.array, entry.member.het].into_iter().enumerate() {
            let Some(numbers) = numbers else { continue };
            let known = self.members[at];
            let columns =
                known.unwrap_or_else(|| NAMES[at].map(|name| self.column(name, "", ColumnScope::Job)));
            self.members[at] = Some(columns);
            members[at] = Some((columns, numbers));
        }
        members
    }
}

/// Returns how long after its submission a job that never started was cancelled.
fn cancelled(entry: &AccountingEntry<'_>, times: &mend::MendedTimes) -> Option<Time> {
    let is_cancelled = entry.never_started
        && entry.stage == JobState::Ended
        && entry.status == Some(status::CANCELLED)
        && times.wait.is_none();
    let after = times.end.filter(|_| is_cancelled)? - times.submit;
    Some(after).filter(|&after| after >= Time::ZERO)
}

/// Two columns with their values for a job: the number of the array or heterogeneous job, and the job's index in it.
type Part = ([usize; 2], (i64, i64));

/// A machine's size, for headers.
pub fn counted(count: i64) -> Option<RemarkedCount> {
    Some(RemarkedCount { count, remark: String::new() })
}

fn seconds(time: Option<Time>) -> Number {
    time.map_or(Number::UNKNOWN, |time| Number::from_micro(time.ticks()))
}

fn silent<'a>(unheard: &'a mut Findings, reporter: &Reporter<'_>) -> Reporter<'a> {
    Reporter { findings: unheard, file: reporter.file.clone() }
}

#[cfg(test)]
mod tests;
