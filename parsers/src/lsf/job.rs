use std::collections::HashMap;

use batchlab_traces::notation::hosts::{SlotTally, Slots};
use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::notation::{Bound, number, size, whole};
use batchlab_traces::trace::Suspension;
use batchlab_traces::{Number, Time, status};

use super::kinds;
use super::layout::{EventPositions, head, tail};
use super::reader::stamp;
use super::request::{ReservedAmount, ReservedAmounts, ReservedPer, limit_in_command, reserved, run_limit};
use super::words::Word;
use crate::columns::{Columns, Shared, share};
use crate::entry::{AccountingEntry, Member, Name, has_started};
use crate::error::Result;
use crate::lines::Line;
use crate::normal::Normaliser;
use crate::pauses::Pauses;
use crate::reporter::Reporter;

pub(super) struct JobFinishEvent<'a> {
    pub(super) line: Line<'a>,
    pub(super) words: &'a [Word],
    /// `None` if the lists cannot be counted; only the fields before them are used then.
    pub(super) layout: Option<EventPositions>,
    pub(super) pauses: &'a mut HashMap<(i64, i64), Pauses>,
}

/// The flag of `bsub -x` among the options of a submission (`SUB_EXCLUSIVE`).
const EXCLUSIVE: i64 = 0x40;

impl<'a> JobFinishEvent<'a> {
    pub(super) fn entry(
        &mut self,
        columns: &mut Columns,
        normaliser: &mut Normaliser,
        extra: Vec<(usize, i64)>,
        reporter: &mut Reporter<'_>,
    ) -> Result<AccountingEntry<'a>> {
        let [submit, start, end] = self.instants(reporter)?;
        let slots = self.slots(reporter)?;
        let number = self.value(Some(head::JOB), whole, reporter)?;
        let index = self.value(self.tail(tail::INDEX), whole, reporter)?.filter(|&index| index > 0);
        let mut entry = AccountingEntry {
            line: self.line.number,
            // The jobs of an array share its number.
            number: number.filter(|_| index.is_none()),
            member: Member { array: number.zip(index), het: None },
            submit,
            end,
            never_started: !has_started(submit, start, end) || start == Some(Time::ZERO) && slots.slots == 0,
            start,
            allocated: Some(slots.slots).filter(|&slots| slots > 0),
            requested: self.value(Some(head::PROCESSORS), whole, reporter)?.filter(|&count| count > 0),
            user: Name::of(self.text(Some(head::USER))),
            queue: Name::of(self.text(Some(head::QUEUE))),
            group: Name::of(self.text(self.tail(tail::PROJECT))),
            executable: self.name(),
            requested_time: self.limit(reporter)?,
            extra,
            ..AccountingEntry::default()
        };
        entry.status = self.status(entry.never_started, reporter)?;
        self.suspend(&mut entry, number, index, reporter)?;
        self.usage(&mut entry, reporter)?;
        let reserved = self.reserved();
        let hosts = slots.hosts.max(1);
        let processors = entry.requested.or(entry.allocated);
        let of_host =
            |amount: Option<ReservedAmount>| amount.filter(|amount| amount.per == ReservedPer::Host);
        let [memory, gpus] = [reserved.memory, reserved.gpus]
            .map(|amount| amount.and_then(|amount| amount.total(hosts, processors.unwrap_or(1))));
        let memory = memory.map(size::kb);
        if memory.is_some() && of_host(reserved.memory).is_some() && hosts > 1 {
            reporter.report_at(&kinds::MEMORY_PER_HOST, self.line.number, || format!("{hosts} hosts"))?;
        }
        entry.requested_memory = memory.and_then(|memory| share(Number::whole(memory), processors));
        // Such a reservation is the same on each host, whatever the job's slots there.
        let uneven = processors.is_some_and(|slots| slots % hosts != 0);
        let even = |amount| of_host(amount).filter(|_| uneven).map(|_| 1);
        columns.put(Shared::EvenMemory, even(reserved.memory), &mut entry, normaliser);
        columns.put(Shared::EvenGpu, even(reserved.gpus), &mut entry, normaliser);
        let nodes = Some(slots.hosts).filter(|&hosts| hosts > 0);
        let begin = self.value(Some(head::BEGIN), epoch, reporter)?;
        let held =
            begin.zip(entry.submit).map(|(begin, submit)| (begin - submit).ticks().div_euclid(1_000_000));
        columns.put(Shared::Eligible, held.filter(|&held| held > 0), &mut entry, normaliser);
        columns.put(Shared::Nodes, nodes, &mut entry, normaliser);
        columns.put(Shared::Memory, memory, &mut entry, normaliser);
        columns.put(Shared::Gpu, gpus, &mut entry, normaliser);
        let options = self.value(Some(head::OPTIONS), whole, reporter)?;
        let alone = options.filter(|options| options & EXCLUSIVE != 0).map(|_| 1);
        columns.put(Shared::Exclusive, alone, &mut entry, normaliser);
        Ok(entry)
    }

    /// Fills in how long the job was suspended: by earlier events, else the time from start to end less `runTime`, the time in the
    /// state RUN. LSF takes some seconds from one state to the next: a difference of a minute at most is no suspension.
    ///
    /// Source: `runTime` of `JOB_FINISH` in lsb.acct(5).
    fn suspend(
        &mut self,
        entry: &mut AccountingEntry<'_>,
        number: Option<i64>,
        index: Option<i64>,
        reporter: &mut Reporter<'_>,
    ) -> Result {
        let known = number.and_then(|number| self.pauses.remove(&(number, index.unwrap_or(0))));
        let (Some(start), Some(end), false) = (entry.start, entry.end, entry.never_started) else {
            return Ok(());
        };
        let stay = end - start;
        let mut pauses = known.unwrap_or_default();
        pauses.resume(stamp(end));
        let mut total = Time::from_ticks(pauses.micros);
        if total <= Time::ZERO {
            let at = self.layout.and_then(|layout| layout.run_time);
            let run = self.value(at, whole, reporter)?.filter(|&run| run > 0).map(Time::from_secs);
            let missing = run.map_or(Time::ZERO, |run| stay - run);
            total = if missing > Time::from_secs(60) { missing } else { Time::ZERO };
        }
        if total > Time::ZERO && total <= stay {
            let from_start = |at: Stamp| Time::from_ticks(at.micros) - start;
            let between =
                pauses.from.zip(pauses.until).map(|(from, until)| (from_start(from), from_start(until)));
            entry.suspension = Suspension { total, between };
            entry.measured_run = Some(stay - total);
        }
        Ok(())
    }

    fn name(&self) -> Name<'a> {
        match Name::of(self.text(self.tail(tail::NAME))) {
            Name::Unknown => Name::of(self.text(self.tail(tail::COMMAND))),
            name @ Name::Text(_) => name,
        }
    }

    /// Returns submission, start and end.
    fn instants(&self, reporter: &mut Reporter<'_>) -> Result<[Option<Time>; 3]> {
        let mut instants = [None; 3];
        for (instant, field) in instants.iter_mut().zip([head::SUBMIT, head::START, head::EVENT_TIME]) {
            *instant = self.value(Some(field), epoch, reporter)?;
        }
        Ok(instants)
    }

    fn status(&self, never_started: bool, reporter: &mut Reporter<'_>) -> Result<Option<i64>> {
        let why = self.value(self.tail(tail::EXIT_INFO), whole, reporter)?;
        Ok(match (self.text(self.tail(tail::STATUS)), why) {
            (b"64", _) => Some(status::COMPLETED),
            (b"32", _) if never_started => Some(status::CANCELLED),
            // Killed by owner or administrator, with or without time to clean up.
            (b"32", Some(8 | 9 | 14 | 15)) => Some(status::CANCELLED),
            (b"32", _) => Some(status::FAILED),
            _ => never_started.then_some(status::CANCELLED),
        })
    }

    fn usage(&self, entry: &mut AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result {
        let processors = entry.allocated.or(entry.requested);
        let mut micros = None;
        for part in [tail::USER_TIME, tail::SYSTEM_TIME] {
            let time = self.value(self.tail(part), number, reporter)?;
            if let Some(time) = time.filter(|time| !time.is_unknown()) {
                micros = micros.unwrap_or(0_i64).checked_add(time.to_micro());
            }
        }
        let each = micros.and_then(|micros| share(Number::from_micro(micros), processors));
        entry.cpu = each.map(|each| Time::from_ticks(each.to_micro()));
        let memory = self.value(self.tail(tail::MEMORY), whole, reporter)?;
        entry.used_memory = memory.and_then(|memory| share(Number::whole(memory), processors));
        Ok(())
    }

    fn limit(&self, reporter: &mut Reporter<'_>) -> Result<Option<Bound<Time>>> {
        let told = |at: usize| whole(self.text(Some(at)));
        let limits = self.layout.and_then(|layout| layout.limits);
        let limit = limits.and_then(|[first, second, _]| run_limit(told(first), told(second)));
        if matches!(limit, Some(Bound::Most(_))) {
            return Ok(limit);
        }
        let command = self.text(self.tail(tail::COMMAND));
        let in_command = limit_in_command(command);
        if let Some(limit) = in_command {
            reporter.report_at(&kinds::LIMIT_FROM_COMMAND, self.line.number, || format!("{limit} s"))?;
        }
        Ok(in_command.map(Bound::Most).or(limit))
    }

    fn reserved(&self) -> ReservedAmounts {
        let limits = self.layout.and_then(|layout| layout.limits);
        let effective = reserved(self.text(limits.map(|[.., requirements]| requirements)));
        let asked = reserved(self.text(Some(head::REQUIREMENTS)));
        ReservedAmounts { memory: effective.memory.or(asked.memory), gpus: effective.gpus.or(asked.gpus) }
    }

    /// Counts slots and hosts: one name per slot, or `16*host`.
    fn slots(&self, reporter: &mut Reporter<'_>) -> Result<Slots> {
        let Some(EventPositions { hosts: (from, to), .. }) = self.layout else { return Ok(Slots::default()) };
        let mut tally = SlotTally::default();
        for text in (from..to).map(|at| self.text(Some(at))) {
            if tally.add_of_lsf(text).is_none() {
                reporter.report(&kinds::BAD_VALUE, &self.line, text, |host| format!("{host} as a host"))?;
            }
        }
        Ok(tally.total())
    }

    /// Returns the position of a field after the lists.
    fn tail(&self, field: usize) -> Option<usize> {
        self.layout.map(|layout| layout.tail + field)
    }

    /// Returns the text of a word; empty if the event has no such word.
    fn text(&self, at: Option<usize>) -> &'a [u8] {
        at.and_then(|at| self.words.get(at)).map_or(b"", |word| word.text(self.line.bytes))
    }

    /// Reads a field and reports a value that cannot be read.
    fn value<T>(
        &self,
        at: Option<usize>,
        parse: impl Fn(&'a [u8]) -> Option<T>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<T>> {
        let part = (&self.line, self.text(at));
        Ok(reporter.read(&kinds::BAD_VALUE, part, parse, |text| text)?)
    }
}

fn epoch(text: &[u8]) -> Option<Time> {
    whole(text).filter(|&seconds| seconds >= 0).map(Time::from_secs)
}
