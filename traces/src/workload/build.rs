//! From the rows of a trace to the jobs of a replay (replay semantics, "From a log to a replayable job").

use rand_chacha::rand_core::Rng;

use super::drops;
use super::parts::Parts;
use super::{ATTRIBUTES, Workload};
use crate::column::Column;
use crate::field::Field;
use crate::finding::{Example, Findings, Kind, Refusal};
use crate::machine::Machine;
use crate::provenance::Provenance;
use crate::reading::{Estimate, Memory, Overrun, Reading, Size};
use crate::seed;
use crate::time::Time;
use crate::trace::Trace;

/// Why a trace cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// Strict reading met a finding.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The machine has a resource that the jobs do not tell about.
    #[error("{missing} of {jobs} jobs have no {resource}; leave it out of --capacity or supply it")]
    MissingResource {
        /// The resource's name.
        resource: String,
        /// Jobs without it.
        missing: u64,
        /// All jobs.
        jobs: u64,
    },
    /// Nothing to replay.
    #[error("no job is left to replay ({rows} rows in the trace)")]
    NoJobs {
        /// Rows of the trace.
        rows: usize,
    },
    /// Instants beyond what a clock counts.
    #[error(
        "the jobs of this replay, one after another, take longer than 70,000 years: look at the log's times, \
         --load and --scale-run"
    )]
    TooLong,
    /// No size anywhere.
    #[error(
        "the machine's size is unknown: no MaxProcs in the header and no job with a size; give --procs N"
    )]
    NoMachineSize,
}

impl Workload {
    /// Returns the size of the machine that a trace ran on: `MaxProcs` of its header, else the largest job
    /// seen, with a finding.
    ///
    /// # Errors
    /// When no job has a size, or strict reading refuses the guess.
    pub fn machine_size(
        trace: &Trace,
        reading: &Reading,
        findings: &mut Findings,
    ) -> Result<i64, ReadingError> {
        if let Some(procs) =
            trace.header.max_procs.as_ref().map(|procs| procs.count).filter(|&procs| procs > 0)
        {
            return Ok(procs);
        }
        let largest = (0..trace.len()).map(|row| size(trace, reading, row)).max().filter(|&procs| procs > 0);
        let largest = largest.ok_or(ReadingError::NoMachineSize)?;
        findings.report(&drops::NO_MACHINE_SIZE, || Example {
            place: None,
            detail: format!("the largest job has {largest} processors"),
        })?;
        Ok(largest)
    }

    /// Reads the jobs of a trace for a machine under stated rules.
    ///
    /// The machine's first resource is the processors; one named `memory` is filled from fields 7 and 10
    /// (per processor × processors), any other from the trace's resource column of that name. Every drop
    /// and mend is a finding and a step of the provenance. O(n), plus a sort when the rows are not in the
    /// order of submission.
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
        let mut reader = Reader { trace, machine, reading, findings, provenance, parts: Parts::find(trace) };
        let rows = reader.rows()?;
        if rows.is_empty() {
            return Err(ReadingError::NoJobs { rows: trace.len() });
        }
        reader.jobs(rows)
    }
}

struct Reader<'a> {
    trace: &'a Trace,
    machine: &'a Machine,
    reading: &'a Reading,
    findings: &'a mut Findings,
    provenance: &'a mut Provenance,
    parts: Parts,
}

impl Reader<'_> {
    /// Returns the rows to replay in the order of submission.
    fn rows(&mut self) -> Result<Vec<u32>, ReadingError> {
        let before = self.findings.list().to_vec();
        let mut rows = Vec::with_capacity(self.trace.len());
        for row in 0..self.trace.len() {
            match self.reason_to_drop(row) {
                None => rows.push(row as u32),
                Some(kind) => self.report(kind, row)?,
            }
        }
        for &row in self.parts.joined.keys() {
            let example = example(self.trace, row, "");
            self.findings.report(&drops::ORPHAN_PARTS, || example)?;
        }
        let submit = |row: u32| self.trace.time(row as usize, Field::Submit);
        let disorder = rows.windows(2).filter(|pair| submit(pair[1]) < submit(pair[0])).count() as u64;
        if disorder > 0 {
            let example =
                Example { place: None, detail: "sorted by submit time, ties as in the file".into() };
            self.findings.report_many(&drops::UNSORTED, disorder, || example)?;
            rows.sort_by_key(|&row| submit(row));
        }
        self.record_steps(&before);
        Ok(rows)
    }

    fn reason_to_drop(&self, row: usize) -> Option<&'static Kind> {
        let (trace, reading) = (self.trace, self.reading);
        let joined = self.parts.joined.get(&row).copied();
        let run = joined.unwrap_or_else(|| trace.time(row, Field::Run));
        let procs = size(trace, reading, row);
        if self.parts.skipped.contains(&row) {
            Some(&drops::PARTS)
        } else if joined.is_none()
            && !reading.statuses.is_empty()
            && !reading.statuses.contains(&trace.get(row, Field::Status).truncated())
        {
            Some(&drops::OTHER_STATUS)
        } else if trace.get(row, Field::Submit).is_unknown() {
            Some(&drops::NO_SUBMIT)
        } else if run < Time::ZERO {
            Some(&drops::NO_RUN)
        } else if procs <= 0 {
            Some(&drops::NO_SIZE)
        } else if reading.drop_zero_run && run == Time::ZERO {
            Some(&drops::ZERO_RUN)
        } else if procs > self.machine.procs() || self.too_large(row, procs) {
            Some(&drops::OVERSIZED)
        } else {
            None
        }
    }

    fn too_large(&self, row: usize, procs: i64) -> bool {
        (1..self.machine.kinds()).any(|resource| {
            let name = &self.machine.resources()[resource].name;
            demand(self.trace, self.reading, row, procs, name)
                .is_some_and(|amount| amount > self.machine.total(resource))
        })
    }

    fn report(&mut self, kind: &'static Kind, row: usize) -> Result<(), Refusal> {
        let (trace, reading, machine) = (self.trace, self.reading, self.machine);
        self.findings.report(kind, || {
            let detail = match kind.code {
                "job-oversized" => {
                    format!(
                        " of {} processors on a machine of {}",
                        size(trace, reading, row),
                        machine.procs()
                    )
                }
                _ => String::new(),
            };
            example(trace, row, &detail)
        })
    }

    /// Notes what this stage has dropped and mended in the provenance.
    fn record_steps(&mut self, before: &[crate::Finding]) {
        let steps: Vec<_> = self
            .findings
            .list()
            .iter()
            .map(|finding| {
                let old = before.iter().find(|old| old.kind == finding.kind).map_or(0, |old| old.count);
                (finding.kind, finding.count - old)
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        for (kind, count) in steps {
            self.provenance.step(kind.code, format!("{}: {}", kind.what, kind.done), count);
        }
    }

    fn jobs(&mut self, rows: Vec<u32>) -> Result<Workload, ReadingError> {
        let before = self.findings.list().to_vec();
        let trace = self.trace;
        let mut workload = Workload { kinds: self.machine.kinds(), ..Workload::default() };
        self.times(&rows, &mut workload)?;
        check_length(&workload)?;
        self.demands(&rows, &mut workload)?;
        workload.numbers = gather(trace, &rows, Field::Job);
        workload.attributes = ATTRIBUTES.map(|field| gather(trace, &rows, field));
        workload.rows = rows;
        self.record_steps(&before);
        Ok(workload)
    }

    fn times(&mut self, rows: &[u32], workload: &mut Workload) -> Result<(), ReadingError> {
        let (trace, reading) = (self.trace, self.reading);
        let first = trace.time(rows[0] as usize, Field::Submit);
        let scaled = |time: Time| {
            if reading.scale_run == 1.0 { time } else { Time::from_secs_f64(time.secs() * reading.scale_run) }
        };
        let (mut overruns, mut guessed) = (0u64, 0u64);
        let mut draw = Phi::new(reading.seed);
        for &row in rows {
            let row = row as usize;
            let submit = trace.time(row, Field::Submit);
            workload.submit.push(if reading.load == 1.0 {
                submit
            } else {
                compressed(first, submit, reading.load)
            });
            let mut run =
                scaled(self.parts.joined.get(&row).copied().unwrap_or_else(|| trace.time(row, Field::Run)));
            let request = scaled(trace.time(row, Field::RequestedTime));
            let mut estimate = match reading.estimate {
                Estimate::Requested if request > Time::ZERO => request,
                Estimate::Requested => {
                    guessed += 1;
                    run
                }
                Estimate::Actual => run,
                Estimate::Phi(phi) => draw.estimate(row, run, phi),
                Estimate::Factor(factor) => Time::from_secs_f64(run.secs() * factor),
            };
            if run > estimate {
                overruns += 1;
                match reading.overrun {
                    Overrun::Raise => estimate = run,
                    Overrun::Kill => run = estimate,
                    Overrun::Overdue => {}
                }
            }
            workload.run.push(run);
            workload.estimate.push(estimate);
        }
        let of = |count: u64| Example { place: None, detail: format!("{count} of {} jobs", rows.len()) };
        self.findings.report_many(&drops::NO_ESTIMATES, guessed, || of(guessed))?;
        let kind = match reading.overrun {
            Overrun::Raise => &drops::OVERRUN_RAISED,
            Overrun::Kill => &drops::OVERRUN_KILLED,
            Overrun::Overdue => &drops::OVERRUN_OVERDUE,
        };
        workload.killed_at_limit = if reading.overrun == Overrun::Kill { overruns } else { 0 };
        self.findings.report_many(kind, overruns, || of(overruns))?;
        Ok(())
    }

    fn demands(&mut self, rows: &[u32], workload: &mut Workload) -> Result<(), ReadingError> {
        let resources = self.machine.resources();
        let mut missing = vec![0u64; resources.len()];
        workload.demand.reserve(rows.len() * resources.len());
        for &row in rows {
            let procs = size(self.trace, self.reading, row as usize);
            workload.demand.push(procs);
            for (index, resource) in resources.iter().enumerate().skip(1) {
                let amount = demand(self.trace, self.reading, row as usize, procs, &resource.name);
                missing[index] += u64::from(amount.is_none());
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

/// Checks that no instant of any replay that does not stand still is beyond a quarter of what a time holds.
fn check_length(workload: &Workload) -> Result<(), ReadingError> {
    let ticks = |time: Time| i128::from(time.ticks());
    let work: i128 = workload.run.iter().map(|&run| ticks(run)).sum();
    let ends = [workload.submit.first(), workload.submit.last()];
    let farthest = ends.into_iter().flatten().map(|&submit| ticks(submit).abs()).max().unwrap_or_default();
    if farthest + work > i128::from(i64::MAX / 4) { Err(ReadingError::TooLong) } else { Ok(()) }
}

fn example(trace: &Trace, row: usize, detail: &str) -> Example {
    Example { place: Some(trace.place(row)), detail: format!("job {}{detail}", trace.get(row, Field::Job)) }
}

fn gather(trace: &Trace, rows: &[u32], field: Field) -> Column {
    rows.iter().map(|&row| trace.get(row as usize, field)).collect()
}

fn size(trace: &Trace, reading: &Reading, row: usize) -> i64 {
    let (first, second) = match reading.size {
        Size::Requested => (Field::Requested, Field::Allocated),
        Size::Allocated => (Field::Allocated, Field::Requested),
    };
    let procs = trace.get(row, first).truncated();
    if procs > 0 { procs } else { trace.get(row, second).truncated() }
}

fn demand(trace: &Trace, reading: &Reading, row: usize, procs: i64, resource: &str) -> Option<i64> {
    if let Some(column) = trace.resource(resource) {
        return Some(column.whole(row)).filter(|&amount| amount >= 0);
    }
    if resource != "memory" {
        return None;
    }
    let fields = match reading.memory {
        Memory::Requested => [Field::RequestedMemory, Field::UsedMemory],
        Memory::Used => [Field::UsedMemory, Field::RequestedMemory],
    };
    let per_proc =
        fields.into_iter().map(|field| trace.get(row, field).to_micro()).find(|&micro| micro > 0)?;
    // A decimal is rounded up to the whole unit: a job never holds less than it asked for.
    Some((i128::from(per_proc) * i128::from(procs) + 999_999).div_euclid(1_000_000).min(i128::from(i64::MAX))
        as i64)
}

/// Counts from the first submission and divides by the load factor, down to the tick.
fn compressed(first: Time, submit: Time, load: f64) -> Time {
    let since = submit.ticks().saturating_sub(first.ticks());
    first.saturating_add(Time::from_ticks((since as f64 / load).floor() as i64))
}

/// Draws of the Φ model, keyed by the row, so that filters and sweeps keep common random numbers.
struct Phi {
    stream: rand_chacha::ChaCha12Rng,
}

impl Phi {
    fn new(seed: u64) -> Phi {
        Phi { stream: seed::stream(seed, "estimate phi") }
    }

    fn estimate(&mut self, row: usize, run: Time, phi: f64) -> Time {
        self.stream.set_word_pos(row as u128 * 2);
        let y = (self.stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        if y < phi { run } else { Time::from_secs_f64(run.secs() * (1.0 - phi) / (1.0 - y)) }
    }
}
