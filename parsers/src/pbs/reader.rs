use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::{Header, Kind, Time};

use super::fields::{PbsFields, PbsKey, System};
use super::job::{Fate, JobRecord, Pause, epoch};
use super::kinds;
use super::line::{self, PbsJobId, PbsRecord, job_id, record};
use super::open::{Open, OpenJobs};
use crate::clock::LocalClock;
use crate::columns::Columns;
use crate::error::Result;
use crate::explain::Explanation;
use crate::formats::{FormatSpec, share_of_lines};
use crate::lines::{End, Line};
use crate::normal::{LogPlan, Normaliser};
use crate::pass::{LineReader, Pass};
use crate::pauses::Pauses;
use crate::reporter::Reporter;

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "pbs",
    summary: "Accounting logs of PBS: OpenPBS, PBS Professional, Torque",
    cite: "PBS Professional Administrator's Guide and Torque Administrator Guide, accounting records",
    looks_like: "lines such as `12/21/2009 15:27:00;E;6.server;user=ann queue=batch ...`",
    likeness: |beginning| likeness(System::Pbs, beginning),
    read: |pass| read(pass, System::Pbs, &SPEC),
};

/// The entry of Cobalt in [`crate::FORMATS`].
pub const COBALT: FormatSpec = FormatSpec {
    name: "cobalt",
    summary: "Accounting logs of Cobalt and of its simulators: ALCF's Intrepid, Mira, Theta",
    cite: "Cobalt's src/lib/accounting.py, src/lib/Components/cqm.py and qsim.py",
    looks_like: "lines such as `03/01/2019 11:05:05;E;410001;Resource_List.nodect=128 ... start=1551434700.5 ...`",
    likeness: |beginning| likeness(System::Cobalt, beginning),
    read: |pass| read(pass, System::Cobalt, &COBALT),
};

/// Sure if the lines are records; a hint if they only contain words that records have.
fn likeness(system: System, beginning: &[u8]) -> u8 {
    let records = share_of_lines(beginning, |line| record(line).is_some());
    let is_of_cobalt = share_of_lines(beginning, line::is_of_cobalt) > 0;
    match system {
        System::Cobalt if is_of_cobalt => records,
        System::Cobalt => 0,
        System::Pbs if is_of_cobalt => records / 2,
        System::Pbs => records.max(share_of_lines(beginning, line::has_words) / 3),
    }
}

fn read(pass: &mut Pass<'_>, system: System, spec: &'static FormatSpec) -> Result<Header> {
    let mut reader = Reader {
        system,
        zone_named: pass.options.zone.is_some(),
        clock: LocalClock::new(pass.options.zone, None),
        normaliser: Normaliser::new(LogPlan { zone: pass.options.zone, ..LogPlan::default() }),
        columns: Columns::default(),
        open: OpenJobs::default(),
        ahead: None,
        extra: Vec::new(),
    };
    pass.lines(&mut reader)?;
    while let Some(job) = reader.open.oldest() {
        reader.unfinished(&job, &mut pass.reporter)?;
    }
    let Reader { normaliser, clock, .. } = reader;
    pass.finish(normaliser, Some(&clock), spec, "it has no records of jobs")
}

/// Seconds of a quarter of an hour; UTC offsets are multiples of it.
const QUARTER: i64 = 900;

/// Upper limit of epoch seconds that are accepted.
const FAR: i64 = 1 << 40;

struct Reader {
    system: System,
    zone_named: bool,
    clock: LocalClock,
    normaliser: Normaliser,
    columns: Columns,
    open: OpenJobs,
    /// Seconds by which the server's clock is ahead of UTC, from the last E record.
    ahead: Option<i64>,
    /// Buffer for the further columns of an entry, reused.
    extra: Vec<(usize, i64)>,
}

impl LineReader for Reader {
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::DROPPED_LINE];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let Some(record) = record(line.bytes) else {
            return Ok(reporter.report(&kinds::DROPPED_LINE, line, line.bytes, |text| text)?);
        };
        let job = job_id(record.id);
        match (record.letter, job) {
            (_, Some(PbsJobId { whole_array: true, .. })) => {
                Ok(reporter.report(&kinds::ARRAY_RECORD, line, record.id, |id| {
                    format!("{} of {id}", record.letter)
                })?)
            }
            ('Q' | 'S' | 'E' | 'D' | 'A' | 'R', Some(job)) => {
                self.event(line, &record, job, reporter, explained)
            }
            ('z' | 'r', Some(_)) if self.open.knows(record.id) => {
                self.paused(&record);
                Ok(())
            }
            _ => Ok(reporter
                .report(&kinds::OTHER_RECORD, line, record.id, |id| format!("{} of {id}", record.letter))?),
        }
    }
}

/// Returns the start of a run by a message, unless the message has an earlier end.
fn start_of_run(system: System, message: &[u8]) -> Option<Time> {
    let fields = PbsFields::of(system, message, None);
    let start = epoch(fields.get(PbsKey::Start)).filter(|&start| start > Time::ZERO)?;
    epoch(fields.get(PbsKey::End)).is_none_or(|end| end >= start).then_some(start)
}

impl Reader {
    /// Takes a record of a suspension (`z`) or a resumption (`r`).
    ///
    /// Source: `PBS_ACCT_SUSPEND` and `PBS_ACCT_RESUME` in `OpenPBS`'s `src/include/acct.h`.
    fn paused(&mut self, record: &PbsRecord<'_>) {
        let stamp = self.stamp(record);
        let job = self.open.get(record.id);
        match record.letter {
            'z' if job.started => job.pauses.suspend(stamp),
            'r' => job.pauses.resume(stamp),
            _ => {}
        }
    }

    /// Returns the suspensions of a run, which ended at this time if there is one.
    fn pauses(
        &mut self,
        mut pauses: Pauses,
        ended: Option<Stamp>,
        line: u32,
        reporter: &mut Reporter<'_>,
    ) -> Result<Pause> {
        if let Some(at) = ended {
            pauses.resume(at);
        }
        let [from, until, since] = [pauses.from, pauses.until, pauses.since];
        let mut instant = |stamp| self.instant(stamp, line, reporter);
        let (from, until, since) = (instant(from)?, instant(until)?, instant(since)?);
        Ok(Pause { total: Time::from_ticks(pauses.micros), between: from.zip(until), since })
    }

    fn event(
        &mut self,
        line: &Line<'_>,
        record: &PbsRecord<'_>,
        id: PbsJobId,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result {
        if record.letter == 'E' {
            return self.ended(line, record, id, reporter, explained);
        }
        let late = matches!(record.letter, 'D' | 'A') && !self.open.knows(record.id);
        if late && self.open.has_ended(record.id) {
            return Ok(reporter.report(&kinds::OTHER_RECORD, line, record.id, |id| {
                format!("{} of {id}, which has ended", record.letter)
            })?);
        }
        let (stamp, system) = (self.stamp(record), self.system);
        let job = self.open.get(record.id);
        (job.number, job.index, job.line) = (id.number, id.index, line.number);
        // The R record has the start and the end of a run whose S record is missing or in an older file. A server may write two R
        // records of one run.
        let start = Some(record.message)
            .filter(|_| record.letter == 'R')
            .and_then(|message| start_of_run(system, message));
        let untold = !job.started && start.is_some() && start != job.put_back;
        let ran = job.started || untold;
        match record.letter {
            'Q' => {
                job.queued.get_or_insert(stamp);
            }
            'S' => (job.started, job.gone, job.pauses) = (true, None, Pauses::default()),
            'R' => job.started = false,
            _ => (job.gone, job.aborted) = (Some(stamp), record.letter == 'A'),
        }
        if ran && record.letter == 'R' {
            let mut before = job.clone();
            job.pauses = Pauses::default();
            (job.requeued, job.put_back) =
                (Some(stamp), start.or_else(|| start_of_run(system, &job.message)));
            reporter.report(&kinds::REQUEUED, line, record.id, |id| id)?;
            if !PbsFields::of(system, record.message, None).get(PbsKey::Start).is_empty() {
                before.message = record.message.into();
            }
            self.run(&before, Fate::PutBack, Some(stamp), reporter)?;
        } else if ran && record.letter == 'S' {
            reporter.report(&kinds::RUN_LOST, line, record.id, |id| id)?;
        }
        let job = self.open.get(record.id);
        let told = record.message.len();
        if record.letter == 'S' || record.letter == 'Q' && !ran || told > 0 && job.message.is_empty() {
            self.open.keep(record.id, record.message);
        }
        while let Some(job) = self.open.overflow() {
            reporter.report_at(&kinds::TABLE_FULL, job.line, || format!("job {}", job.number))?;
            self.unfinished(&job, reporter)?;
        }
        Ok(())
    }

    fn ended(
        &mut self,
        line: &Line<'_>,
        record: &PbsRecord<'_>,
        id: PbsJobId,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result {
        let before = self.open.end(record.id).unwrap_or_default();
        let mut explained = explained.line(line.number);
        if let Some(explained) = explained.as_deref_mut() {
            explained.cell("time", &line.bytes[..line.bytes.len().min(19)], "end, if there is no other");
            explained.cell("type", &[record.letter as u8], "what happened");
            explained.cell("id", record.id, "job number");
        }
        let system = self.system;
        let fields = PbsFields::of(system, record.message, explained);
        self.learn(record.stamp, fields.get(PbsKey::End));
        let queued = self.instant(before.queued, line.number, reporter)?;
        let untold = fields.get(PbsKey::End).is_empty().then(|| self.stamp(record));
        let ended = self.instant(untold, line.number, reporter)?;
        let pause = self.pauses(before.pauses, Some(self.stamp(record)), line.number, reporter)?;
        // Cobalt aborts a job at its time limit (`_sm_kill` and `_sm_preempting__task_end` in its `cqm.py`), which is no deletion.
        let is_limit = system == System::Cobalt && before.aborted;
        let fate = Fate::Ended { deleted: before.gone.is_some() && !is_limit };
        let requeued = self.instant(before.requeued, line.number, reporter)?;
        let (number, index) = (id.number, id.index);
        let record =
            JobRecord { system, line: *line, fields, number, index, fate, queued, ended, requeued, pause };
        self.deliver(&record, reporter)
    }

    /// Takes a run without an E record; `end` is the time of another record that ended it.
    fn run(&mut self, job: &Open, fate: Fate, end: Option<Stamp>, reporter: &mut Reporter<'_>) -> Result {
        let system = self.system;
        let line = Line { number: job.line, bytes: &job.message, end: End::Feed };
        let fields = PbsFields::of(system, &job.message, None);
        let queued = self.instant(job.queued, job.line, reporter)?;
        let ended = self.instant(end, job.line, reporter)?;
        let requeued = self.instant(job.requeued, job.line, reporter)?;
        let pause = self.pauses(job.pauses, end, job.line, reporter)?;
        let (number, index) = (job.number, job.index);
        let record = JobRecord { system, line, fields, number, index, fate, queued, ended, requeued, pause };
        self.deliver(&record, reporter)
    }

    fn unfinished(&mut self, job: &Open, reporter: &mut Reporter<'_>) -> Result {
        let (kind, fate) = match (job.gone, job.started) {
            (Some(_), true) if job.aborted => (None, Fate::Aborted),
            (_, true) => (None, Fate::Running),
            (Some(_), false) => (Some(&kinds::NEVER_STARTED), Fate::Deleted),
            (None, false) => (None, Fate::Waiting),
        };
        if let Some(kind) = kind {
            reporter.report_at(kind, job.line, || format!("job {}", job.number))?;
        }
        self.run(job, fate, job.gone.filter(|_| fate != Fate::Running), reporter)
    }

    fn deliver(&mut self, record: &JobRecord<'_>, reporter: &mut Reporter<'_>) -> Result {
        let mut extra = std::mem::take(&mut self.extra);
        extra.clear();
        let entry = record.entry(&mut self.columns, &mut self.normaliser, extra, reporter)?;
        self.normaliser.entry(&entry, reporter)?;
        self.extra = entry.extra;
        Ok(())
    }

    /// Derives the UTC offset of the server's clock from a record written as its job ended: the local time
    /// and the epoch second of the end are the same instant.
    fn learn(&mut self, stamp: Stamp, end: &[u8]) {
        let Some(end) = epoch(end).map(|end| end.ticks() / 1_000_000).filter(|&end| end < FAR) else {
            return;
        };
        let ahead = stamp.micros.div_euclid(1_000_000) - end;
        let quarters = (ahead + QUARTER / 2).div_euclid(QUARTER) * QUARTER;
        if quarters.abs() <= 15 * 3600 && (ahead - quarters).abs() <= 120 {
            self.ahead = Some(quarters);
        }
    }

    /// Returns the time of a record: in the zone that the user named, else with the offset found so far.
    fn stamp(&self, record: &PbsRecord<'_>) -> Stamp {
        let offset = if self.zone_named { None } else { self.ahead };
        Stamp { offset, ..record.stamp }
    }

    fn instant(
        &mut self,
        stamp: Option<Stamp>,
        line: u32,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<Time>> {
        let offset = if self.zone_named { None } else { self.ahead };
        let known = stamp.map(|stamp| Stamp { offset: stamp.offset.or(offset), ..stamp });
        Ok(known.map(|stamp| self.clock.instant(stamp, line, reporter)).transpose()?)
    }
}
