//! Cuts the records of a log into sections, the jobs of each submitted after those of the one before.

use std::sync::mpsc::SyncSender;

use batchlab_traces::provenance::Source;
use batchlab_traces::trace::TraceBuilder;
use batchlab_traces::{Field, Findings, Header, Record, RecordSink, Trace};

/// Records of a section, if the log is sorted.
const LENGTH: usize = 1 << 16;

/// The most records of a section: a log whose order is disturbed over more is refused.
const MOST: usize = 1 << 20;

/// A log that is not sorted well enough.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name}: the log is not sorted by submit times, and near line {line} (job {job}, submitted at {submit} s) not even nearly; leave \
     --stream out, or sort the log first"
)]
pub struct Unsorted {
    name: String,
    line: u32,
    job: String,
    submit: String,
}

/// A sink of records that sends sections on. A section is kept back until the next is complete, and joined with it if that has
/// earlier jobs.
pub struct Cutter {
    full: SyncSender<Trace>,
    header: Header,
    name: String,
    before: Part,
    now: Part,
    sent: i64,
    /// Whether the receiver of sections has gone, or the log is not sorted.
    is_closed: bool,
    unsorted: Option<Unsorted>,
}

/// Records with the range of their submit times, in millionths of a second.
struct Part {
    records: TraceBuilder,
    first: i64,
    last: i64,
}

impl Default for Part {
    fn default() -> Part {
        Part { records: TraceBuilder::new(), first: i64::MAX, last: i64::MIN }
    }
}

impl Part {
    fn add(&mut self, record: &Record) {
        let submit = record.get(Field::Submit);
        if !submit.is_unknown() {
            self.first = self.first.min(submit.to_micro());
            self.last = self.last.max(submit.to_micro());
        }
        self.records.record(record);
    }
}

impl Cutter {
    pub fn new(full: SyncSender<Trace>, header: Header, name: &str) -> Cutter {
        Cutter {
            full,
            header,
            name: name.into(),
            before: Part::default(),
            now: Part::default(),
            sent: i64::MIN,
            is_closed: false,
            unsorted: None,
        }
    }

    /// Sends what is left; called at the end of the log.
    pub fn finish(mut self) -> Result<(), Unsorted> {
        if self.now.first < self.before.last {
            self.join();
        }
        for part in [std::mem::take(&mut self.before), std::mem::take(&mut self.now)] {
            self.send(part);
        }
        self.unsorted.map_or(Ok(()), Err)
    }

    /// The present section is complete.
    fn cut(&mut self) {
        if self.now.first < self.before.last {
            self.join();
            return;
        }
        let now = std::mem::take(&mut self.now);
        let before = std::mem::replace(&mut self.before, now);
        self.send(before);
    }

    fn join(&mut self) {
        let (now, mut record) = (std::mem::take(&mut self.now), Record::default());
        for row in 0..now.records.len() {
            now.records.copy(row, &mut record);
            self.before.add(&record);
        }
        if self.before.records.len() > MOST || self.before.first < self.sent {
            self.unsorted = Some(Unsorted {
                name: self.name.clone(),
                line: record.line,
                job: record.get(Field::Job).to_string(),
                submit: record.get(Field::Submit).to_string(),
            });
            self.is_closed = true;
        }
    }

    fn send(&mut self, part: Part) {
        if part.records.is_empty() || self.is_closed {
            return;
        }
        self.sent = self.sent.max(part.last);
        let source = Source { name: self.name.clone(), ..Source::default() };
        match part.records.finish(self.header.clone(), source, Findings::lenient()) {
            Ok(section) => self.is_closed = self.full.send(section).is_err(),
            Err(_) => self.is_closed = true,
        }
    }
}

impl RecordSink for Cutter {
    fn record(&mut self, record: &Record) {
        if self.is_closed {
            return;
        }
        self.now.add(record);
        if self.now.records.len() >= LENGTH {
            self.cut();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::Number;
    use std::sync::mpsc::sync_channel;

    /// Sends jobs with these submit times; returns the submit times of each section.
    fn cut(submits: impl Iterator<Item = i64>) -> Result<Vec<Vec<i64>>, Unsorted> {
        let (full, sections) = sync_channel(1000);
        let mut cutter = Cutter::new(full, Header::default(), "a.swf");
        for (row, submit) in submits.enumerate() {
            let mut record = Record { line: row as u32 + 1, ..Record::default() };
            record.set(Field::Job, Number::whole(row as i64 + 1));
            record.set(Field::Submit, Number::whole(submit));
            cutter.record(&record);
        }
        cutter.finish()?;
        let times = |section: Trace| section.column(Field::Submit).iter().map(Number::truncated).collect();
        Ok(sections.iter().map(times).collect())
    }

    #[test]
    fn sections_of_a_sorted_log_follow_each_other() {
        let sections = cut(0..200_000).unwrap();
        assert_eq!(
            sections.iter().map(Vec::len).collect::<Vec<_>>(),
            [LENGTH, LENGTH, LENGTH, 200_000 - 3 * LENGTH]
        );
        assert!(sections.into_iter().flatten().eq(0..200_000));
    }

    #[test]
    fn sections_that_overlap_are_joined() {
        // A job comes 40,000 records too late, across the end of the first section.
        let late = |row: i64| if row == 90_000 { 50_000 } else { row };
        let sections = cut((0..200_000).map(late)).unwrap();
        assert_eq!(
            sections.iter().map(Vec::len).collect::<Vec<_>>(),
            [2 * LENGTH, LENGTH, 200_000 - 3 * LENGTH]
        );
        assert_eq!(
            sections.iter().map(|section| section.iter().min()).collect::<Vec<_>>(),
            [Some(&0), Some(&(2 * LENGTH as i64)), Some(&(3 * LENGTH as i64))]
        );
    }

    #[test]
    fn a_log_that_is_far_from_sorted_is_refused() {
        let text = cut((0..400_000).map(|row| if row == 390_000 { 5 } else { row })).unwrap_err().to_string();
        assert!(
            text.starts_with("a.swf: the log is not sorted by submit times, and near line 393216 "),
            "{text}"
        );
        // Backwards: every section is earlier than the one before.
        assert!(cut((0..2_000_000).rev()).is_err());
    }
}
