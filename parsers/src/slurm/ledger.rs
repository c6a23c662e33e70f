mod columns;

use batchlab_traces::notation::tasks;
use batchlab_traces::trace::Suspension;
use batchlab_traces::workload::HELD;
use batchlab_traces::{Example, Header, Kind, Number, Time};

use self::columns::{JobColumns, JobRow};
use super::command::NodesAsked;
use super::depends::depends;
use super::entry::{self, RequestSource};
use super::job::{Accrued, Job};
use super::kinds;
use super::state::State;
use super::values::SlurmTimeLimit;
use crate::clock::{ClockReadings, LocalClock};
use crate::entry::{AccountingEntry, JobState, Member, Name};
use crate::error::{ReadError, Result};
use crate::formats::FormatSpec;
use crate::normal::{LogPlan, Normaliser, rules};
use crate::options::Options;
use crate::pass::Pass;
use crate::reporter::{Reporter, quoted};

pub(super) struct EntryConverter {
    normaliser: Normaliser,
    clock: LocalClock,
    /// The clusters that jobs name, in order of appearance.
    clusters: Vec<Vec<u8>>,
    columns: JobColumns,
    places: bool,
    /// As [`Options::is_queue`].
    goes_on: bool,
    source: JobSource,
    /// The latest instant in the log: it was written then or later.
    written: Option<Time>,
    /// Kept to reuse its allocation.
    extra: Vec<(usize, i64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JobSource {
    /// Accounting.
    Log,
    /// What runs and waits at an instant.
    Queue,
    /// Accounting beside a queue; the queue alone says which jobs run and wait.
    History,
}

/// The most tasks of an array that become records.
const MOST_TASKS: usize = 100_000;

impl EntryConverter {
    pub(super) fn new(options: &Options) -> EntryConverter {
        let clock = LocalClock::new(options.zone, None);
        let plan = LogPlan { zone: Some(clock.zone()), ..LogPlan::default() };
        let normaliser = Normaliser::new(plan);
        EntryConverter {
            normaliser,
            clock,
            clusters: Vec::new(),
            columns: JobColumns::default(),
            places: options.places,
            goes_on: options.is_queue,
            source: JobSource::Log,
            written: None,
            extra: Vec::new(),
        }
    }

    /// Takes a job. If a replay continues from the queue, tasks of an array that wait in one row are jobs of their own.
    pub(super) fn jobs(&mut self, job: &Job<'_>, reporter: &mut Reporter<'_>) -> Result {
        if job.state.1 == State::Waiting && tasks::is_cut(job.task_list) {
            let detail = || format!("{} of {}", quoted(job.task_list), job.number.unwrap_or_default());
            reporter.report_at(&kinds::ARRAY_CUT, job.line, detail)?;
        }
        let together = self.goes_on() && job.tasks > 1 && job.state.1 == State::Waiting;
        let tasks = if together { tasks::numbers(job.task_list, MOST_TASKS) } else { Vec::new() };
        let Some(array) = job.number.filter(|_| !tasks.is_empty()) else { return self.job(job, reporter) };
        for (at, &task) in tasks.iter().enumerate() {
            let member = Member { array: Some((array, task)), ..job.member };
            // The other tasks get numbers of their own when they start.
            let number = (at == 0).then_some(array);
            self.job(&Job { number, member, tasks: 1, ..job.clone() }, reporter)?;
        }
        Ok(())
    }

    fn job(&mut self, job: &Job<'_>, reporter: &mut Reporter<'_>) -> Result {
        let (started, ended) = (entry::started(job), entry::ended(job));
        let [submit, eligible, start, end] = self.clock.instants(&readings(job), job.line, reporter)?;
        let suspended = entry::suspended(job, start, end);
        let happened = [submit, start, end];
        if self.source == JobSource::History {
            if let Some(why) = self.left_out(happened, ended) {
                return Ok(reporter.report_at(why, job.line, || quoted(job.state.0))?);
            }
        } else {
            self.has_seen(job, happened, reporter)?;
        }
        // A job that was held until it was cancelled was never in the queue.
        let eligible = eligible.or(end.filter(|_| job.never_eligible && !started));
        let counted =
            start.zip(end).filter(|_| suspended > Time::ZERO).map(|(start, end)| end - start - suspended);
        let allocated = job.allocated.or(job.got.cpu).filter(|_| started);
        let requested = job.requested.or(job.asked.cpu);
        let requested_memory = entry::requested_memory(job);
        let resources = entry::requested_resources(job);
        let memory = requested_memory.map(|(kb, _)| kb);
        let held =
            eligible.zip(submit).map(|(eligible, submit)| (eligible - submit).ticks().div_euclid(1_000_000));
        self.extra.clear();
        let places = self.places;
        self.row().fill(job, memory, &resources, places);
        self.waits(job, (submit, held), reporter)?;
        let per_processor = |kb: i64| entry::share(kb, requested.filter(|&count| count > 0).or(allocated));
        let entry = AccountingEntry {
            line: job.line,
            number: job.number,
            cluster: self.cluster(job),
            member: job.member,
            is_several: job.tasks > 1,
            stage: stage(job.state.1, started),
            elapsed: job.elapsed.filter(|_| started && !ended),
            submit,
            start,
            end,
            measured_run: job.elapsed.filter(|_| started && ended).or(counted),
            suspension: Suspension { total: suspended, between: None },
            phase: entry::phase(job.state.1),
            fallback_run: None,
            never_started: !started,
            allocated,
            cpu: job.cpu.and_then(|cpu| per(cpu, allocated)),
            used_memory: job.used.and_then(|bytes| used(bytes, allocated)),
            requested,
            requested_time: job.limit.stated(),
            requested_memory: memory.and_then(per_processor),
            status: entry::status(job.state.1),
            user: Name::of(job.user),
            group: Name::of(job.account),
            executable: Name::of(job.name),
            queue: Name::of(job.first_partition()),
            partition: Name::of(job.first_partition()),
            extra: std::mem::take(&mut self.extra),
        };
        if self.normaliser.is_new(&entry, reporter)? {
            if entry.cluster > 0 {
                reporter.report_at(&kinds::CLUSTERS, job.line, || quoted(job.cluster))?;
            }
            remark(job, requested_memory, held.unwrap_or(0), reporter)?;
            remark_sources(job, &resources, reporter)?;
            self.normaliser.take(&entry, reporter)?;
        }
        self.extra = entry.extra;
        Ok(())
    }

    /// Whether a replay continues from the running and waiting jobs.
    fn goes_on(&self) -> bool {
        self.goes_on && self.source != JobSource::History
    }

    /// Marks the jobs as those of a queue to continue from, if the options say so, unless they are those of a history.
    pub(super) fn of_a_queue(self) -> EntryConverter {
        let source = if self.source == JobSource::Log { JobSource::Queue } else { self.source };
        EntryConverter { source, ..self }
    }

    pub(super) fn written_at(&mut self, at: Time) {
        if self.source != JobSource::History {
            self.written = self.written.max(Some(at));
        }
    }

    /// Takes the jobs of a history from now on: only jobs that had ended when the log was written.
    pub(super) fn of_the_past(mut self) -> EntryConverter {
        self.source = JobSource::History;
        self.normaliser.beside();
        self
    }

    /// Returns why a job of a history with these instants of submission, start and end is left out: it had not ended when the queue
    /// was written.
    fn left_out(&self, happened: [Option<Time>; 3], ended: bool) -> Option<&'static Kind> {
        let is_later = |at: Time| self.written.is_some_and(|written| at > written);
        if happened.into_iter().flatten().any(is_later) {
            return Some(&rules::HISTORY_LATER);
        }
        (!ended).then_some(&kinds::HISTORY_OPEN)
    }

    /// Notes that the log was written after the past instants in a job's record.
    fn has_seen(
        &mut self,
        job: &Job<'_>,
        happened: [Option<Time>; 3],
        reporter: &mut Reporter<'_>,
    ) -> Result {
        let [.., start, end] = happened;
        let ran = start.zip(job.elapsed).filter(|_| end.is_none());
        let considered =
            job.considered.map(|stamp| self.clock.instant(stamp, job.line, reporter)).transpose()?;
        let suspended = job.suspended.unwrap_or(Time::ZERO);
        let until = ran.map(|(start, elapsed)| start.saturating_add(elapsed).saturating_add(suspended));
        let latest = happened.into_iter().chain([until, considered]).flatten().max();
        self.written = self.written.max(latest);
        Ok(())
    }

    /// Passes all records on; `why` describes what was found if there are no jobs.
    pub(super) fn finish(
        mut self,
        pass: &mut Pass<'_>,
        format: &'static FormatSpec,
        why: &str,
    ) -> Result<Header> {
        let mut findings = pass.reporter.findings.list().iter();
        if let Some(finding) = findings.find(|finding| finding.kind.code == kinds::RELATIVE_TIME.code) {
            let example = finding.examples.first().map_or("", |example| example.detail.as_str());
            let why = format!(
                "its times are relative to the day on which it was written, such as {example}: write it again with \
                 SLURM_TIME_FORMAT=standard"
            );
            let (name, looked_for) = (pass.reporter.file.to_string(), format.looks_like);
            return Err(ReadError::NotFormat { name, format: format.name, why, looked_for });
        }
        if let Some(written) = self.written.filter(|_| self.goes_on) {
            self.normaliser.written(written);
        }
        let header = &mut self.normaliser.plan().header;
        if let Some(first) = self.clusters.first() {
            header.computer = Some(String::from_utf8_lossy(first).into_owned());
        }
        header.notes.push("Queues and partitions are both Slurm's partitions".into());
        pass.finish(self.normaliser, Some(&self.clock), format, why)
    }

    /// Fills in the columns about what a job waits or waited for, and what a queue states about a waiting job.
    fn waits(
        &mut self,
        job: &Job<'_>,
        (submit, held): (Option<Time>, Option<i64>),
        reporter: &mut Reporter<'_>,
    ) -> Result {
        if let Some(held) = held {
            self.row().held(held.max(0));
        }
        if self.places && job.state.1 == State::Waiting {
            let since = self.age_from(job, submit, reporter)?;
            self.row().queued(job, since);
        }
        self.depends(job, reporter)
    }

    /// Returns the seconds from the submission of a waiting job until its age began to count; -2 if it does not count yet.
    fn age_from(
        &mut self,
        job: &Job<'_>,
        submit: Option<Time>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<i64>> {
        let since = match job.waits.accrued {
            Accrued::Untold => return Ok(None),
            Accrued::NotYet => return Ok(Some(-2)),
            Accrued::Since(stamp) => self.clock.instant(stamp, job.line, reporter)?,
        };
        let seconds = |submit: Time| (since - submit).ticks().div_euclid(Time::SECOND.ticks()).max(0);
        Ok(submit.map(seconds))
    }

    fn row(&mut self) -> JobRow<'_> {
        JobRow { columns: &mut self.columns, normaliser: &mut self.normaliser, values: &mut self.extra }
    }

    fn depends(&mut self, job: &Job<'_>, reporter: &mut Reporter<'_>) -> Result {
        let all = match depends(job.command) {
            Ok(all) => all,
            Err(text) => {
                reporter.report_at(&kinds::ODD_DEPENDENCY, job.line, || quoted(text.as_bytes()))?;
                return Ok(());
            }
        };
        for (at, one) in all.iter().enumerate() {
            if !self.row().after(at, one) {
                reporter.report_at(&kinds::MANY_DEPENDENCIES, job.line, || format!("job {}", one.on))?;
            }
        }
        Ok(())
    }

    /// Returns the number of a job's cluster, from 0; a job without a cluster belongs to the first one.
    fn cluster(&mut self, job: &Job<'_>) -> u32 {
        if job.cluster.is_empty() {
            return 0;
        }
        let known = self.clusters.iter().position(|cluster| *cluster == *job.cluster);
        known.unwrap_or_else(|| {
            self.clusters.push(job.cluster.to_vec());
            self.clusters.len() - 1
        }) as u32
    }
}

fn readings(job: &Job<'_>) -> ClockReadings {
    let (started, ended) = (entry::started(job), entry::ended(job));
    let span = job.elapsed.map(|elapsed| elapsed.saturating_add(job.suspended.unwrap_or(Time::ZERO)));
    ClockReadings {
        submit: job.submit,
        eligible: job.eligible,
        start: job.start.filter(|_| started),
        end: job.end.filter(|_| ended),
        length: span.filter(|_| started && ended),
        planned: job.planned.filter(|_| started),
    }
}

fn stage(state: State, started: bool) -> JobState {
    match state {
        State::Unfinished | State::Suspended | State::Completing if started => JobState::Running,
        State::Unfinished | State::Suspended | State::Completing | State::Waiting => JobState::Waiting,
        State::Requeued | State::Resized => JobState::PutBack,
        State::Ended(_) | State::Unknown | State::NotTold => JobState::Ended,
    }
}

/// Counts the jobs whose requests for resources were taken from other places than the submission.
fn remark_sources(
    job: &Job<'_>,
    resources: &[(Vec<u8>, i64, RequestSource)],
    reporter: &mut Reporter<'_>,
) -> Result {
    let sources = [
        (RequestSource::Allocated, &kinds::RESOURCE_ALLOCATED),
        (RequestSource::Untracked, &kinds::RESOURCE_UNTRACKED),
    ];
    for (source, kind) in sources {
        if let Some((name, amount, _)) = resources.iter().find(|(.., known)| *known == source) {
            reporter.report_at(kind, job.line, || format!("{} {amount}", quoted(name)))?;
        }
    }
    Ok(())
}

/// Counts the notable properties of a job: its state, limit and number, the source of its memory request, and
/// the seconds for which it was held back.
fn remark(
    job: &Job<'_>,
    memory: Option<(i64, RequestSource)>,
    held: i64,
    reporter: &mut Reporter<'_>,
) -> Result {
    let (word, state) = job.state;
    let of_state = match state {
        State::Unknown => Some(&kinds::UNKNOWN_STATE),
        State::Requeued => Some(&kinds::REQUEUED),
        State::Resized => Some(&kinds::RESIZED),
        _ => None,
    };
    if let Some(kind) = of_state {
        reporter.report_at(kind, job.line, || quoted(word))?;
    }
    let of_limit = match job.limit {
        SlurmTimeLimit::Unlimited => Some(&kinds::UNLIMITED),
        SlurmTimeLimit::Partition => Some(&kinds::PARTITION_LIMIT),
        SlurmTimeLimit::Of(_) | SlurmTimeLimit::Unknown => None,
    };
    if let Some(kind) = of_limit {
        reporter.report_at(kind, job.line, || format!("partition {}", quoted(job.first_partition())))?;
    }
    if job.tasks > 1 {
        let (place, detail) = (Some(reporter.place(job.line)), format!("{} tasks in one row", job.tasks));
        reporter.findings.report_many(&kinds::ARRAY_REST, job.tasks, || Example { place, detail })?;
    }
    match memory {
        Some((_, RequestSource::Leaked)) => {
            reporter.report_at(&kinds::MEMORY_FLAG, job.line, || "2^31 MB".into())?;
        }
        Some((kb, RequestSource::Allocated)) => {
            reporter.report_at(&kinds::MEMORY_ALLOCATED, job.line, || format!("{kb} KB"))?;
        }
        Some((_, RequestSource::Requested | RequestSource::Untracked)) | None => {}
    }
    if NodesAsked::of(job.command).is_partial(job.nodes) {
        reporter.report_at(&kinds::PARTIAL_NODE_LIST, job.line, || quoted(job.command))?;
    }
    if held > 0 {
        reporter.report_at(&HELD, job.line, || format!("for {held} s"))?;
    }
    Ok(())
}

/// Returns a total time divided by the processors.
fn per(total: Time, processors: Option<i64>) -> Option<Time> {
    let processors = processors.filter(|&processors| processors > 0)?;
    Some(Time::from_ticks(total.ticks() / processors))
}

/// Returns used memory divided by the processors, KB; `None` if no memory was used.
fn used(bytes: i64, processors: Option<i64>) -> Option<Number> {
    entry::share(batchlab_traces::notation::size::kb(bytes), processors).filter(|_| bytes > 0)
}
