//! Conversion of the rows of a trace to the jobs of a replay (replay semantics, "From a log to a replayable job").

use std::sync::Arc;

use super::demand::{OverAllocation, demand, demand_of, size};
use super::parts::Parts;
use super::room::MachineFit;
use super::sites::RowConstraint;
use super::times::{BUDGET, LONGEST, Times};
use super::{ATTRIBUTES, BATSIM, MEMORY, Meanings, PlainJob, ReadingError, Workload, depends, drops, given};
use crate::arrange::Arrange as _;
use crate::header::Named;
use crate::layout::LayoutRule;
use crate::machine::{Machine, Misfit};
use crate::models::tsafrir::AssignedEstimates;
use crate::reading::{Overrun, Reading, Size};
use crate::sorted::SortedMap;
use crate::{Example, Field, Finding, Findings, Kind, Number, Provenance, Refusal, Time, Trace, foreign};

/// The column of a log that names the heterogeneous job to which a job belongs.
pub const HET_JOB: &str = "het_job";

impl Workload {
    /// Reads the jobs of a trace for a machine under stated rules.
    ///
    /// The machine's first resource is the processors; one named `memory` is filled from fields 7 and 10
    /// (per processor × processors), any other from the trace's resource column of that name. Every drop and
    /// mend is a finding and a step of the provenance. O(n), plus a sort if the rows are not in the order of
    /// submission. No time of a replay exceeds [`Time::FARTHEST`], whatever the log contains.
    ///
    /// A job that does not fit the empty machine is dropped: a job larger than the machine, a job with a task that fits no node
    /// of its partition or with more tasks than these nodes can hold, and a job of a partition that no node takes.
    ///
    /// # Errors
    /// When a resource is missing, nothing is left, or strict reading refuses a finding.
    pub fn read(
        trace: &Trace,
        machine: &Machine,
        reading: &Reading,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<Workload, ReadingError> {
        let before = findings.list().to_vec();
        // These jobs get their own findings below, once their treatment is known.
        findings.withdraw(&drops::UNFINISHED);
        let parts = Parts::find(trace);
        let times = Times::new(trace, reading, &parts);
        let room = MachineFit::new(trace, machine, reading);
        let mut reader = Reader { trace, machine, room, reading, findings, parts: &parts, times };
        let rows = reader.rows()?;
        if rows.is_empty() {
            return Err(ReadingError::NoJobs { rows: trace.len() });
        }
        let workload = reader.jobs(rows)?;
        if reading.size == Size::Requested {
            workload.given_more(trace, machine, findings)?;
        }
        record_steps(findings.list(), &before, provenance);
        Ok(workload)
    }

    /// Returns a workload of explicitly given jobs; job numbers count from 1 in the given order. Nothing is
    /// checked: submissions, and the sum of all run times, must be well below [`Time::FARTHEST`].
    ///
    /// # Panics
    /// When the jobs demand different numbers of resources.
    pub fn from_jobs(jobs: &[PlainJob]) -> Workload {
        let kinds = jobs.first().map_or(1, |job| job.demand.len());
        let mut order: Vec<u32> = (0..jobs.len() as u32).collect();
        order.sort_by_key(|&row| jobs[row as usize].submit);
        let mut workload = Workload { kinds, ..Workload::default() };
        for &row in &order {
            let job = &jobs[row as usize];
            assert_eq!(job.demand.len(), kinds, "all jobs of a workload demand the same resources");
            workload.submit.push(job.submit);
            workload.run.push(job.run);
            workload.estimate.push(job.estimate);
            workload.demand.extend(&job.demand);
            workload.numbers.push(Number::whole(i64::from(row) + 1));
            for (column, field) in workload.attributes.iter_mut().zip(ATTRIBUTES) {
                let value = match field {
                    Field::User => job.user,
                    Field::Partition => job.partition,
                    _ => -1,
                };
                column.push(Number::whole(value));
            }
        }
        if workload.estimate == workload.run {
            workload.estimate.clear();
        }
        workload.rows = order.into_iter().map(|row| Number::whole(row.into())).collect();
        workload
    }
}

struct Reader<'a> {
    trace: &'a Trace,
    machine: &'a Machine,
    room: MachineFit<'a>,
    reading: &'a Reading,
    findings: &'a mut Findings,
    parts: &'a Parts,
    times: Times<'a>,
}

impl Reader<'_> {
    fn rows(&mut self) -> Result<Vec<u32>, ReadingError> {
        let mut rows = Vec::with_capacity(self.trace.len());
        let mut left = BUDGET;
        for row in 0..self.trace.len() {
            match self.judge(row, left) {
                Ok(run) => {
                    left -= run;
                    rows.push(row as u32);
                    if self.times.unfinished(row).is_some() {
                        self.report(&drops::UNFINISHED_KEPT, row)?;
                    }
                }
                Err(kind) => self.report(kind, row)?,
            }
        }
        for &row in self.parts.joined.keys() {
            let example = example(self.trace, row, "");
            self.findings.report(&drops::ORPHAN_PARTS, || example)?;
        }
        self.sort(&mut rows)?;
        self.drop_stretched(&mut rows)?;
        Ok(rows)
    }

    /// Sorts rows in the order in which they enter the queue, ties by submission and then as in the file.
    fn sort(&mut self, rows: &mut [u32]) -> Result<(), Refusal> {
        let submit = |row: u32| self.trace.time(row as usize, Field::Submit);
        let disorder = rows.windows(2).filter(|pair| submit(pair[1]) < submit(pair[0])).count() as u64;
        if disorder > 0 {
            rows.sort_by_key(|&row| submit(row));
        }
        let detail = || Example::of("sorted by submit time, ties as in the file");
        self.findings.report_many(&drops::UNSORTED, disorder, detail)?;
        self.times.first = rows.first().map_or(Time::ZERO, |&row| submit(row));
        if self.times.hold() {
            rows.sort_by_key(|&row| self.times.queued(row as usize));
        }
        Ok(())
    }

    /// Drops the rows whose times exceed the budget because of a load factor below 1 or a late eligibility.
    fn drop_stretched(&mut self, rows: &mut Vec<u32>) -> Result<(), Refusal> {
        let within = rows.partition_point(|&row| self.times.queued(row as usize) <= BUDGET);
        for row in rows.drain(within..) {
            self.report(&drops::BEYOND_TIME, row as usize)?;
        }
        Ok(())
    }

    /// Returns the run time to replay, or the reason to drop the row; `left` bounds the sum of all further run times.
    fn judge(&self, row: usize, left: Time) -> Result<Time, &'static Kind> {
        let (trace, reading) = (self.trace, self.reading);
        let joined = self.parts.joined.get(&row).copied();
        let recorded = self.times.recorded(row);
        if self.parts.skipped.contains(&row) {
            return Err(&drops::PARTS);
        }
        if joined.is_none()
            && !reading.statuses.is_empty()
            && !reading.statuses.contains(&trace.get(row, Field::Status).truncated())
        {
            return Err(&drops::OTHER_STATUS);
        }
        if trace.get(row, Field::Submit).is_unknown() {
            return Err(&drops::NO_SUBMIT);
        }
        if recorded < Time::ZERO {
            let unfinished = self.times.unfinished(row).is_some();
            return Err(if unfinished { &drops::UNFINISHED_DROPPED } else { &drops::NO_RUN });
        }
        let Some(procs) = size(trace, reading.size, row) else { return Err(&drops::NO_SIZE) };
        if reading.drop_zero_run && recorded == Time::ZERO {
            return Err(&drops::ZERO_RUN);
        }
        match self.room.misfit(row, procs) {
            None => {}
            Some(Misfit::Total { .. }) => return Err(&drops::OVERSIZED),
            Some(Misfit::Partition) if self.room.is_constrained(row) => return Err(&drops::NO_NODE_MEETS),
            Some(Misfit::Partition) => return Err(&drops::NO_PARTITION),
            Some(Misfit::Task { .. }) => return Err(&drops::TASK_OVERSIZED),
            Some(Misfit::Tasks { .. }) => return Err(&drops::TOO_MANY_TASKS),
        }
        let run = self.times.scaled(recorded);
        let beyond = run > LONGEST.min(left) || trace.time(row, Field::Submit) > BUDGET;
        if beyond { Err(&drops::BEYOND_TIME) } else { Ok(run) }
    }

    fn report(&mut self, kind: &'static Kind, row: usize) -> Result<(), Refusal> {
        let (trace, room) = (self.trace, &self.room);
        self.findings.report(kind, || {
            let detail = match kind.code {
                "job-beyond-time" => {
                    let [submit, run] = [Field::Submit, Field::Run].map(|field| trace.get(row, field));
                    format!(" submitted at {submit} s, with a run time of {run} s")
                }
                "job-unfinished-dropped" | "job-unfinished-kept" => self.times.words(row),
                _ => room.words(row).unwrap_or_default(),
            };
            example(trace, row, &detail)
        })
    }

    fn jobs(&mut self, mut rows: Vec<u32>) -> Result<Workload, ReadingError> {
        let trace = self.trace;
        let (kinds, task_procs) = (self.machine.kinds(), self.reading.layout.task_procs());
        let mut workload = Workload { kinds, task_procs, ..Workload::default() };
        let rule = self.reading.dependencies;
        let conditions = depends::conditions(trace, rule, &mut rows, &self.times, self.findings)?;
        if rows.is_empty() {
            return Err(ReadingError::NoJobs { rows: trace.len() });
        }
        self.fill_times(&rows, &mut workload)?;
        self.fill_demands(&rows, &mut workload)?;
        self.fill_layouts(&rows, &mut workload)?;
        self.fill_patience(&rows, &mut workload)?;
        self.report_components(&rows)?;
        workload.sites = self.room.constraints().sites(&rows);
        self.report_constraints(&rows)?;
        workload.memory = self.told_memory(&rows);
        workload.numbers = trace.column(Field::Job).gather(&rows);
        workload.attributes = ATTRIBUTES.map(|field| trace.column(field).gather(&rows));
        workload.rows = rows.iter().map(|&row| Number::whole(row.into())).collect();
        let own = trace.job_column(BATSIM).into_iter();
        workload.own = own.flat_map(|own| rows.iter().map(|&row| own.whole(row as usize))).collect();
        let mut texts: Vec<Named> = trace.header.noted(BATSIM).collect();
        texts.arrange_by_key(|named| named.number);
        workload.meanings = Arc::new(Meanings {
            queues: trace.header.queue.clone(),
            partitions: trace.header.partition.clone(),
            own: texts,
            given: if trace.provenance.source.format == BATSIM {
                given(&trace.header).map(<[_]>::to_vec).to_vec()
            } else {
                Vec::new()
            },
            calendar: trace.calendar,
            is_stretched: self.reading.load != 1.0,
        });
        Ok(workload.with_conditions(conditions))
    }

    fn fill_times(&mut self, rows: &[u32], workload: &mut Workload) -> Result<(), ReadingError> {
        self.model_estimates(rows)?;
        if self.times.hold() {
            workload.submitted = rows.iter().map(|&row| self.times.submitted(row as usize)).collect();
        }
        workload.submit.reserve(rows.len());
        workload.run.reserve(rows.len());
        for &row in rows {
            workload.submit.push(self.times.queued(row as usize));
            let (run, estimate) = self.times.run_and_estimate(row as usize);
            if estimate != run && workload.estimate.is_empty() {
                workload.estimate.reserve(rows.len());
                workload.estimate.extend_from_slice(&workload.run);
            }
            if estimate != run || !workload.estimate.is_empty() {
                workload.estimate.push(estimate);
            }
            workload.run.push(run);
        }
        if rows.iter().any(|&row| self.times.is_unlimited(row as usize)) {
            workload.unlimited = rows.iter().map(|&row| self.times.is_unlimited(row as usize)).collect();
        }
        let Times { overruns, guessed, unlimited, cut, .. } = self.times;
        let (overrun, killed) = match self.reading.overrun {
            Overrun::Raise => (&drops::OVERRUN_RAISED, 0),
            Overrun::Kill => (&drops::OVERRUN_KILLED, overruns),
            Overrun::Overdue => (&drops::OVERRUN_OVERDUE, 0),
        };
        workload.killed_at_limit = killed;
        let (held, jobs) = (workload.held_back(), rows.len());
        let detail = || Example::of(format!("{held} of {jobs} jobs"));
        if held > 0 {
            self.findings.withdraw(&drops::HELD);
        }
        self.findings.report_many(&drops::HELD_QUEUED, held, detail)?;
        let unlimited = (&drops::UNLIMITED, unlimited);
        let kinds =
            [(&drops::NO_ESTIMATES, guessed), unlimited, (&drops::LONG_ESTIMATE, cut), (overrun, overruns)];
        for (kind, count) in kinds {
            self.findings.report_many(kind, count, || Example::of(format!("{count} of {jobs} jobs")))?;
        }
        Ok(())
    }

    fn fill_patience(&mut self, rows: &[u32], workload: &mut Workload) -> Result<(), Refusal> {
        if !rows.iter().any(|&row| self.times.patience(row as usize).is_some()) {
            return Ok(());
        }
        let patience: Vec<Option<Time>> = rows.iter().map(|&row| self.times.patience(row as usize)).collect();
        for (&row, _) in rows.iter().zip(&patience).filter(|(_, patience)| patience.is_some()) {
            self.report(&drops::CANCELLED, row as usize)?;
        }
        *workload = std::mem::take(workload).with_patience(&patience);
        Ok(())
    }

    /// Draws the estimates of a model, if a model is used, and reports jobs that it could not serve.
    fn model_estimates(&mut self, rows: &[u32]) -> Result<(), Refusal> {
        let Some((drawn, longest, by)) = self.times.model(rows) else { return Ok(()) };
        let detail = || Example::of(format!("the longest is {longest} s, {by}"));
        self.findings.report_many(&drops::MODELLED_ESTIMATES, rows.len() as u64, detail)?;
        let AssignedEstimates { beyond, crowded, .. } = drawn;
        self.findings.report_many(&drops::BEYOND_ESTIMATES, beyond + crowded, || {
            let crowded = format!("{crowded} beyond those left by longer jobs");
            Example::of(format!("{beyond} beyond the longest estimate of {longest} s, {crowded}"))
        })
    }

    /// Returns the memory stated in the log if it is not a demand, for policies that order jobs by it; empty
    /// if no memory is known.
    fn told_memory(&self, rows: &[u32]) -> Vec<i64> {
        let fields = [Field::RequestedMemory, Field::UsedMemory];
        let unknown = |field| self.trace.column(field).constant().is_some_and(|value| value.to_micro() <= 0);
        let untold = self.trace.resource(MEMORY).is_none() && fields.into_iter().all(unknown);
        if untold || self.machine.resource(MEMORY).is_some() {
            return Vec::new();
        }
        let told = |&row: &u32| {
            let procs = size(self.trace, self.reading.size, row as usize)?;
            demand(self.trace, self.reading, row as usize, procs, MEMORY)
        };
        rows.iter().map(|row| told(row).unwrap_or(-1)).collect()
    }

    /// Gives each job its layout, if the log states any or the rule asks for one; reports jobs whose records state none.
    fn fill_layouts(&mut self, rows: &[u32], workload: &mut Workload) -> Result<(), Refusal> {
        if !self.room.has_layouts() {
            return Ok(());
        }
        for &row in rows {
            let procs = size(self.trace, self.reading.size, row as usize).unwrap_or(0);
            let told = self.room.layout(row as usize, procs);
            workload.layouts.push(told.layout);
            if !told.any && self.reading.layout == LayoutRule::Log {
                self.report(&drops::LAYOUT_UNTOLD, row as usize)?;
            }
            if told.cut {
                self.report(&drops::LAYOUT_CUT, row as usize)?;
            }
        }
        Ok(())
    }

    /// Reports jobs that are replayed as several components of one heterogeneous job.
    fn report_components(&mut self, rows: &[u32]) -> Result<(), Refusal> {
        let Some(column) = self.trace.resource(HET_JOB) else { return Ok(()) };
        let whole = |row: u32| Some(column.whole(row as usize)).filter(|&job| job > 0);
        let mut counts: SortedMap<i64, u64> = SortedMap::new();
        rows.iter().filter_map(|&row| whole(row)).for_each(|job| *counts.entry(job).or_default() += 1);
        let is_part = |row: &&u32| whole(**row).is_some_and(|job| counts[&job] > 1);
        let first = rows.iter().find(is_part).copied();
        let parts = rows.iter().filter(is_part).count() as u64;
        self.findings.report_many(&drops::COMPONENTS, parts, || {
            let part = |row: u32| format!(", a component of job {}", column.whole(row as usize));
            first.map_or(Example::of(""), |row| example(self.trace, row as usize, &part(row)))
        })
    }

    fn report_constraints(&mut self, rows: &[u32]) -> Result<(), Refusal> {
        let constraints = self.room.constraints();
        if !constraints.any() {
            return Ok(());
        }
        let unread =
            rows.iter().filter(|&&row| constraints.of(row as usize) == RowConstraint::Unread).count() as u64;
        let (unknown, names) = (constraints.unknown().len() as u64, constraints.unknown().join(" "));
        let kind = if self.machine.has_features() { &drops::CONSTRAINT_UNREAD } else { &drops::NO_FEATURES };
        let detail = || Example::of(format!("{unread} of {} jobs", rows.len()));
        self.findings.report_many(kind, unread, detail)?;
        let detail = || Example::of(foreign::quoted(&names, 200));
        self.findings.report_many(&drops::UNKNOWN_FEATURES, unknown, detail)
    }

    fn fill_demands(&mut self, rows: &[u32], workload: &mut Workload) -> Result<(), ReadingError> {
        let resources = self.machine.resources();
        let mut missing = vec![0u64; resources.len()];
        workload.demand.reserve(rows.len() * resources.len());
        for &row in rows {
            let procs = size(self.trace, self.reading.size, row as usize).unwrap_or(0);
            workload.demand.push(procs);
            for (index, missing) in missing.iter_mut().enumerate().skip(1) {
                let amount = demand_of(self.trace, self.machine, self.reading, (row as usize, procs), index);
                *missing += u64::from(amount.is_none());
                workload.demand.push(amount.unwrap_or(0));
            }
        }
        match missing.iter().position(|&count| count > 0) {
            None => Ok(()),
            Some(at) => Err(ReadingError::MissingResource {
                resource: resources[at].name.clone(),
                missing: missing[at],
                jobs: rows.len() as u64,
            }),
        }
    }
}

impl Workload {
    /// Warns if jobs are replayed at the requested size although they were allocated much more.
    fn given_more(&self, trace: &Trace, machine: &Machine, findings: &mut Findings) -> Result<(), Refusal> {
        let given = OverAllocation::of(trace, self.jobs().map(|job| (self.row(job), self.procs(job))));
        let Some(given) = given.filter(OverAllocation::is_much_more) else { return Ok(()) };
        findings.report_many(&drops::GIVEN_MORE, given.more, || {
            let load = self.offered_load(machine, 0);
            let load =
                load.map(|load| format!(": an offered load of {:.3}, not {load:.3}", load * given.factor));
            let detail = format!(
                "{} of {} jobs; by allocated processors the work is {:.2} times as much{}",
                given.more,
                given.of,
                given.factor,
                load.unwrap_or_default()
            );
            Example::of(detail)
        })
    }

    /// Withdraws the warning about jobs that were allocated more than they requested, unless they were allocated much more
    /// than they hold in this workload.
    pub fn compare_given(
        &self,
        trace: &Trace,
        machine: &Machine,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<(), Refusal> {
        if findings.count(drops::GIVEN_MORE.code) == 0 {
            return Ok(());
        }
        findings.withdraw(&drops::GIVEN_MORE);
        provenance.steps.retain(|step| step.name != drops::GIVEN_MORE.code);
        let before = findings.list().to_vec();
        self.given_more(trace, machine, findings)?;
        record_steps(findings.list(), &before, provenance);
        Ok(())
    }
}

fn example(trace: &Trace, row: usize, detail: &str) -> Example {
    Example::at(&trace.place(row), format!("job {}{detail}", trace.get(row, Field::Job)))
}

/// Records in the provenance the drops and mends since `before`.
fn record_steps(findings: &[Finding], before: &[Finding], provenance: &mut Provenance) {
    for finding in findings {
        let old = before.iter().find(|old| old.kind == finding.kind).map_or(0, |old| old.count);
        let (kind, count) = (finding.kind, finding.count - old);
        provenance.step(kind.code, format!("{}: {}", kind.what(count), kind.done(count)), count);
    }
}
