//! From all entries of a log to its records, in the order of submission, and its header.

use batchlab_traces::calendar::Zone;
use batchlab_traces::header::{ColumnScope, ResourceDeclaration};
use batchlab_traces::provenance::Source;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::time::TICKS_PER_SECOND;
use batchlab_traces::trace::{ELAPSED, Suspensions, WRITTEN};
use batchlab_traces::workload::UNFINISHED;
use batchlab_traces::{Field, Findings, Header, Number, Record, RecordSink, Time, Trace};

use super::numbering::Numbering;
use super::overlap::Unended;
use super::{NAMED, Normaliser, dates, further, rules};
use crate::entry::JobState;
use crate::error::Result;
use crate::reporter::{Reporter, quoted};

impl Normaliser {
    /// Passes all records on in the order of submission and returns the header.
    pub fn finish(mut self, reporter: &mut Reporter<'_>, sink: &mut dyn RecordSink) -> Result<Header> {
        self.report_single_names(reporter)?;
        if self.dates.is_own_zero() && !std::mem::replace(&mut self.plan.relative, true) {
            reporter.report_at(&rules::OWN_ZERO, 0, || "no instant is a date".into())?;
        }
        let header = std::mem::take(&mut self.plan.header);
        let builder = std::mem::take(&mut self.builder);
        let declared = Header { resources: self.columns.clone(), ..Header::default() };
        let trace = builder.finish(declared, Source::default(), Findings::lenient())?;
        let kept: Vec<usize> = (0..self.columns.len())
            .filter(|&at| {
                let constant =
                    trace.resource(&self.columns[at].name).is_none_or(|column| column.constant().is_some());
                !(constant && self.further[at].tells_nothing())
            })
            .collect();
        let open = self.open(&trace, reporter)?;
        let mut rows: Vec<u32> = (0..trace.len() as u32).filter(|&row| self.overlap.counts(row)).collect();
        let markers = self.dates.markers();
        let dated = rows.iter().filter(|&&row| row >= markers && !self.plan.relative);
        let first = dated.map(|&row| trace.time(row as usize, Field::Submit)).min().unwrap_or_default();
        let is_marker = |row: u32| self.dates.is_marker(row) && !self.plan.relative;
        let submit = |row: u32| if is_marker(row) { first } else { trace.time(row as usize, Field::Submit) };
        let jumps = rows.windows(2).filter(|pair| submit(pair[1]) < submit(pair[0])).count() as u64;
        if jumps > 0 {
            rows.sort_by_key(|&row| submit(row));
            let detail = || batchlab_traces::Example { place: None, detail: "sorted by submit time".into() };
            reporter.findings.report_many(&rules::UNSORTED, jumps, detail)?;
        }
        let zero = rows.first().map_or(0, |&row| submit(row).ticks());
        let zero = if self.plan.relative { 0 } else { zero.div_euclid(1_000_000) };
        let remarks = std::mem::take(&mut self.remarks);
        let later_comments = place_remarks(remarks, &trace, &rows);
        let numbering = Numbering::of(&trace, &rows, reporter)?;
        let mut record = Record::default();
        for (&row, place) in rows.iter().zip(1..) {
            trace.record(row as usize, &mut record);
            if is_marker(row) {
                dates::without_times(&mut record, first, reporter)?;
            }
            if markers > 0 {
                dates::in_own_units(&mut record);
            }
            let submit = record.get(Field::Submit).to_micro() - zero * 1_000_000;
            record.set(Field::Submit, Number::from_micro(submit));
            record.extra.resize(self.columns.len(), -1);
            further::settle(&self.further, &kept, &mut record.extra);
            let own = record.get(Field::Job).truncated();
            if let Some(number) = numbering.number(row, place) {
                record.set_whole(Field::Job, number);
            }
            record.extra.extend(numbering.is_apart().then_some(own));
            record.extra.extend(open.as_ref().map(|open| open.get(&row).copied().unwrap_or(-1)));
            sink.record(&record);
        }
        let mut header = self.describe(header, &kept, rows.len(), zero);
        let column = |name: &str, unit: &str| ResourceDeclaration {
            name: name.into(),
            unit: unit.into(),
            capacity: None,
            scope: ColumnScope::Job,
        };
        header.resources.extend(numbering.is_apart().then(|| column("id", "")));
        header.resources.extend(open.is_some().then(|| column(ELAPSED, "s")));
        Ok(Header { later_comments, ..header })
    }

    /// Counts the jobs that had not ended when the log was written, and returns the seconds for which each had run: by the log, else
    /// up to the log's last instant. `None` if all jobs had ended.
    fn open(&self, trace: &Trace, reporter: &mut Reporter<'_>) -> Result<Option<SortedMap<u32, i64>>> {
        let start = |row: usize| {
            let wait = trace.time(row, Field::Wait);
            trace.time(row, Field::Submit).saturating_add(wait.max(Time::ZERO))
        };
        let mut open = SortedMap::new();
        let mut last = None;
        for (row, Unended { stage, elapsed }) in self.overlap.open() {
            let is_running = stage == JobState::Running;
            let elapsed = elapsed.filter(|_| is_running).unwrap_or_else(|| {
                let latest = || (0..trace.len()).map(start).max().max(self.last_end).unwrap_or_default();
                let last = *last.get_or_insert_with(|| self.written.unwrap_or_else(latest));
                let suspended = Suspensions::of(trace).get(row as usize).total;
                if is_running { last - start(row as usize) - suspended } else { Time::ZERO }
            });
            let elapsed = elapsed.max(Time::ZERO);
            reporter.report_at(&UNFINISHED, trace.line(row as usize), || match stage {
                JobState::Running => format!("running for {elapsed} s"),
                _ => "waiting".into(),
            })?;
            open.insert(row, elapsed.ticks().div_euclid(1_000_000));
        }
        Ok((!open.is_empty()).then_some(open))
    }

    /// Reports the columns with a single name: the archive's conversions leave them out.
    fn report_single_names(&self, reporter: &mut Reporter<'_>) -> Result {
        for (field, names) in NAMED.into_iter().zip(&self.names) {
            if names.distinct() == 1 && self.entries > 1 {
                let name = quoted(names.listed()[0].name.as_bytes());
                reporter.report_at(&rules::ONE_NAME, 0, || format!("{}: {name}", field.name()))?;
            }
        }
        Ok(())
    }

    fn describe(&self, mut header: Header, kept: &[usize], jobs: usize, zero: i64) -> Header {
        header.version.get_or_insert_with(|| "2.2".into());
        header.max_jobs = Some(jobs as i64);
        header.max_records = Some(jobs as i64);
        // Without any instant, zero is no date.
        if !self.plan.relative && zero > 0 {
            header.unix_start_time = Some(zero);
            let zone = self.plan.zone.unwrap_or(Zone::UTC);
            header.time_zone_string = Some(zone.to_string());
            let at = |seconds: i64| dates::date(seconds, zone);
            header.start_time = at(zero);
            header.end_time = self
                .last_end
                .and_then(|end| at(end.ticks().div_euclid(1_000_000)))
                .or(header.end_time.take());
        }
        (header.users, header.groups) = (self.names[0].listed(), self.names[1].listed());
        header.queue = self.names[3].listed();
        header.partition = self.names[4].listed();
        header.max_queues = Some(header.queue.len() as i64).filter(|&count| count > 0);
        header.max_partitions = Some(header.partition.len() as i64).filter(|&count| count > 0);
        header.resources = kept.iter().map(|&at| self.columns[at].clone()).collect();
        let written = |at: Time| {
            format!("{WRITTEN} {}: when the log was written", at.ticks().div_euclid(TICKS_PER_SECOND))
        };
        header.notes.extend(self.written.map(written));
        header.notes.extend(kept.iter().flat_map(|&at| self.further[at].notes(&self.columns[at].name)));
        header
    }
}

/// Returns each remark with the number of records before it.
fn place_remarks(mut remarks: Vec<(Time, String)>, trace: &Trace, rows: &[u32]) -> Vec<(u64, String)> {
    remarks.sort_by_key(|(at, _)| *at);
    let place = |(at, text): (Time, String)| {
        let before = rows.partition_point(|&row| trace.time(row as usize, Field::Submit) <= at);
        (before as u64, format!("; {text}"))
    };
    remarks.into_iter().map(place).collect()
}
