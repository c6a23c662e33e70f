use std::collections::HashMap;

use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::notation::whole;
use batchlab_traces::{Header, Kind, Time};

use super::job::JobFinishEvent;
use super::kinds;
use super::layout::{EventPositions, HEAD_NAMES, TAIL_NAMES, layout};
use super::words::{Word, event_name, split};
use crate::columns::Columns;
use crate::error::Result;
use crate::explain::{Explained, Explanation};
use crate::formats::{FormatSpec, share_of_lines};
use crate::lines::{End, LONGEST, Line};
use crate::normal::{LogPlan, Normaliser};
use crate::pass::{LineReader, Pass};
use crate::pauses::Pauses;
use crate::reporter::Reporter;

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "lsf",
    summary: "Accounting logs of LSF (lsb.acct): JOB_FINISH events",
    cite: "IBM Spectrum LSF Configuration Reference, lsb.acct, versions 6.2 to 10.1",
    looks_like: "lines such as `\"JOB_FINISH\" \"10.1\" 1389683139 404717 ...`",
    likeness,
    read,
};

/// Sure if a line begins like an event; a hint if only the name of the event occurs.
fn likeness(beginning: &[u8]) -> u8 {
    if share_of_lines(beginning, |line| event_name(line).is_some()) > 0 {
        return 95;
    }
    share_of_lines(beginning, |line| memchr::memmem::find(line, b"_FINISH\" \"").is_some()).min(30)
}

fn read(pass: &mut Pass<'_>) -> Result<Header> {
    let mut reader = Reader {
        normaliser: Normaliser::new(LogPlan { zone: pass.options.zone, ..LogPlan::default() }),
        columns: Columns::default(),
        words: Vec::new(),
        extra: Vec::new(),
        begun: None,
        pauses: HashMap::new(),
    };
    pass.lines(&mut reader)?;
    reader.give_up(&mut pass.reporter, pass.explanation)?;
    pass.finish(reader.normaliser, None, &SPEC, "it has no JOB_FINISH events")
}

/// Returns an instant on the clock of an event.
pub(super) fn stamp(time: Time) -> Stamp {
    Stamp { micros: time.ticks(), offset: Some(0) }
}

/// Statuses of a job that has started and was suspended.
const SUSPENDED_BY_SYSTEM: i64 = 8;
const SUSPENDED_BY_USER: i64 = 16;

struct Reader {
    normaliser: Normaliser,
    columns: Columns,
    /// Buffer for the words of an event, reused.
    words: Vec<Word>,
    /// Buffer for the further columns of an entry, reused.
    extra: Vec<(usize, i64)>,
    /// An event whose last string was not closed on its line.
    begun: Option<Begun>,
    /// The suspensions of jobs that have not ended, by number and index.
    pauses: HashMap<(i64, i64), Pauses>,
}

/// An event that continues on the next line.
struct Begun {
    line: u32,
    lines: u32,
    text: Vec<u8>,
}

impl LineReader for Reader {
    const WANTS_BLANKS: bool = true;
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::DROPPED_LINE];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let begins = event_name(line.bytes).is_some();
        if begins || self.begun.as_ref().is_some_and(|begun| begun.text.len() > LONGEST) {
            self.give_up(reporter, explained)?;
        }
        let balanced = memchr::memchr_iter(b'"', line.bytes).count().is_multiple_of(2);
        match self.begun.take() {
            Some(mut begun) => {
                begun.text.push(b'\n');
                begun.text.extend_from_slice(line.bytes);
                begun.lines += 1;
                if balanced {
                    self.begun = Some(begun);
                    return Ok(());
                }
                let joined = Line { number: begun.line, bytes: &begun.text, end: End::Feed };
                reporter.report_at(&kinds::JOINED_LINES, begun.line, || format!("{} lines", begun.lines))?;
                self.event(&joined, reporter, explained)
            }
            None if begins && !balanced => {
                self.begun = Some(Begun { line: line.number, lines: 1, text: line.bytes.to_vec() });
                Ok(())
            }
            None if begins => self.event(line, reporter, explained),
            None if line.bytes.trim_ascii().is_empty() || line.bytes.starts_with(b"#") => Ok(()),
            None => Ok(reporter.report(&kinds::DROPPED_LINE, line, line.bytes, |text| text)?),
        }
    }
}

impl Reader {
    /// Reads the first line of an event whose string was never closed: the following lines may be anything.
    fn give_up(&mut self, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let Some(begun) = self.begun.take() else { return Ok(()) };
        let first = memchr::memchr(b'\n', &begun.text).unwrap_or(begun.text.len());
        let line = Line { number: begun.line, bytes: &begun.text[..first], end: End::Feed };
        reporter.report(&kinds::OPEN_QUOTE, &line, line.bytes, |text| text)?;
        if begun.lines > 1 {
            let lost = u64::from(begun.lines - 1);
            let detail =
                || batchlab_traces::Example { place: None, detail: format!("behind line {}", begun.line) };
            reporter.findings.report_many(&kinds::DROPPED_LINE, lost, detail)?;
        }
        self.event(&line, reporter, explained)
    }

    /// Takes an event of a job's status, which `lsb.events` and `lsb.stream` have; returns whether a suspension begins or ends with it.
    ///
    /// Source: `JOB_STATUS` in lsb.events(5); `JOB_STAT_SSUSP` and `JOB_STAT_USUSP` in `lsbatch.h`.
    fn status(&mut self, line: &Line<'_>) -> bool {
        split(line.bytes, &mut self.words);
        let number = |at: usize| whole(self.words.get(at)?.text(line.bytes));
        let (Some(at), Some(job), Some(status)) = (number(2), number(3), number(4)) else { return false };
        // Before the exit status and the index stand the times and counts of getrusage, if there are any.
        let index = number(if number(9) == Some(1) { 30 } else { 11 }).unwrap_or(0).max(0);
        let is_suspended = matches!(status, SUSPENDED_BY_SYSTEM | SUSPENDED_BY_USER);
        if !is_suspended && !self.pauses.contains_key(&(job, index)) {
            return false;
        }
        let (pauses, at) = (self.pauses.entry((job, index)).or_default(), stamp(Time::from_secs(at)));
        if is_suspended {
            pauses.suspend(at);
        } else {
            pauses.resume(at);
        }
        true
    }

    fn event(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let name = event_name(line.bytes).unwrap_or_default();
        if name == b"JOB_STATUS" && self.status(line) {
            return Ok(());
        }
        if name != b"JOB_FINISH" {
            return Ok(reporter.report(&kinds::OTHER_EVENT, line, name, |name| name)?);
        }
        split(line.bytes, &mut self.words);
        let layout = layout(line.bytes, &self.words);
        if layout.is_none() {
            let words = self.words.len();
            reporter.report(&kinds::BROKEN_EVENT, line, line.bytes, |_| format!("{words} fields"))?;
        }
        if let Some(explained) = explained.line(line.number) {
            explain(line.bytes, &self.words, layout, explained);
        }
        let mut event = JobFinishEvent { line: *line, words: &self.words, layout, pauses: &mut self.pauses };
        let mut extra = std::mem::take(&mut self.extra);
        extra.clear();
        let entry = event.entry(&mut self.columns, &mut self.normaliser, extra, reporter)?;
        if entry.never_started {
            reporter.report_at(&kinds::NEVER_STARTED, line.number, || {
                format!("job {}", entry.number.unwrap_or(-1))
            })?;
        }
        self.normaliser.entry(&entry, reporter)?;
        self.extra = entry.extra;
        Ok(())
    }
}

fn explain(event: &[u8], words: &[Word], layout: Option<EventPositions>, explained: &mut Explained) {
    for ((name, goes), word) in HEAD_NAMES.into_iter().zip(words) {
        explained.cell(name, word.text(event), goes);
    }
    let Some(layout) = layout else { return };
    for word in &words[layout.hosts.0..layout.hosts.1] {
        explained.cell("execHosts", word.text(event), "allocated processors, nodes");
    }
    for (field, name, goes) in TAIL_NAMES {
        if let Some(word) = words.get(layout.tail + field) {
            explained.cell(name, word.text(event), goes);
        }
    }
    if let Some(limits) = layout.limits {
        let goes = ["requested time", "requested time", "requested memory, gpu"];
        for ((name, at), goes) in
            ["runLimit", "runLimit", "effectiveResReq"].into_iter().zip(limits).zip(goes)
        {
            explained.cell(name, words[at].text(event), goes);
        }
    }
}
