//! The file of Slurm's plug-in `jobcomp/filetxt`: one line for each run that ended, `Key=Value` separated by
//! blanks, in a fixed order of keys.
//!
//! Nothing is quoted, and names of jobs and folders may contain blanks: a value ends where the next known key
//! begins. A name ends at the last `JobState` and a folder at the last `ReservationName`; anything before it
//! that looks like a key is part of the text. The plug-in writes the request (`Tres`, up to 20.02 `Gres`, both
//! of the whole job: `gres_req` of `_fill_in_gres_fields` in slurmctld's `node_scheduler.c`) and the allocation
//! (`ProcCnt`, `NodeCnt`). It gives no run time, so suspensions count as run time. `PENDING` is the state of a run
//! whose job was put back into the queue. Lines of version 2.0 and before have no `SubmitTime`: the start counts as submission.

use batchlab_traces::notation::{tasks, whole};
use batchlab_traces::{Kind, Refusal};

use super::destinations as to;
use super::gres::{GresAsked, Per};
use super::job::Job;
use super::keyed::{Keyed, KeyedForm};
use super::ledger::EntryConverter;
use super::partial::Partial;
use super::state::State;
use super::{entry, jobid, kinds, values};
use crate::entry::Member;
use crate::error::Result;
use crate::explain::Explanation;
use crate::formats::share_of_lines;
use crate::lines::Line;
use crate::pass::{LineReader, Pass};
use crate::reporter::{Reporter, quoted};

pub(super) fn fill(pass: &mut Pass<'_>, ledger: EntryConverter) -> Result<(EntryConverter, String)> {
    let mut reader = Reader { ledger, partial: Partial::default() };
    pass.lines(&mut reader)?;
    reader.close(&mut pass.reporter, pass.explanation)?;
    Ok((reader.ledger, "no line of it begins with JobId= and has a JobState".into()))
}

pub(super) fn likeness(beginning: &[u8]) -> u8 {
    let fits = |line: &[u8]| {
        let keys = [&b" UserId="[..], b" Name=", b" JobState=", b" StartTime="];
        line.starts_with(b"JobId=") && keys.iter().all(|key| memchr::memmem::find(line, key).is_some())
    };
    match share_of_lines(beginning, fits) {
        share @ 1.. => 50 + share / 2,
        0 => 0,
    }
}

/// The keys in their order; a free text extends to the next key.
const KEYS: [(&str, &str); 28] = [
    ("JobId", "job number"),
    ("UserId", "user"),
    ("GroupId", to::GROUP),
    ("Name", "application"),
    ("JobState", "status"),
    ("Partition", "queue and partition"),
    ("TimeLimit", "requested time, min"),
    ("StartTime", "wait time"),
    ("EndTime", "run time"),
    ("NodeList", to::STARTED),
    ("NodeCnt", "nodes"),
    ("ProcCnt", "allocated processors"),
    ("WorkDir", "not used"),
    ("ReservationName", "reservation"),
    ("Gres", "gpu and other resources"),
    ("Tres", to::ASKED),
    ("Account", "group"),
    ("QOS", "qos"),
    ("WcKey", "not used"),
    ("Cluster", "computer"),
    ("SubmitTime", "submit time"),
    ("EligibleTime", to::ELIGIBLE),
    ("ArrayJobId", "array"),
    ("ArrayTaskId", to::TASKS),
    ("HetJobId", "het_job"),
    ("HetJobOffset", "het_offset"),
    ("DerivedExitCode", "not used"),
    ("ExitCode", "not used"),
];

/// Free texts, each with the key that follows it.
const FREE: [(usize, usize); 2] = [(3, 4), (12, 13)];

const FORM: KeyedForm = KeyedForm { keys: &KEYS, unset: &[], between: '=' };

fn keyed(line: &[u8], number: u32) -> Keyed<'_> {
    let values = KEYS.into_iter().map(|(key, _)| key).zip(values(line));
    Keyed { form: &FORM, cells: values.collect(), line: number }
}

/// Returns the value of each key; empty if the key is missing.
fn values(line: &[u8]) -> [&[u8]; KEYS.len()] {
    let mut values = [&line[..0]; KEYS.len()];
    // Position of the value of each key, if the key was found.
    let mut begin: [Option<usize>; KEYS.len()] = [None; KEYS.len()];
    let mut current: Option<(usize, usize)> = None;
    let ends =
        FREE.map(|(_, next)| memchr::memmem::rfind(line, &[b" ", KEYS[next].0.as_bytes(), b"="].concat()));
    for at in memchr::memchr_iter(b'=', line) {
        let blank = memchr::memrchr(b' ', &line[..at]).map_or(0, |blank| blank + 1);
        let Some(key) = KEYS.iter().position(|(key, _)| key.as_bytes() == &line[blank..at]) else { continue };
        let inside = FREE.iter().zip(ends).any(|(&(free, next), end)| {
            current.is_some_and(|(last, _)| last == free) && key != next && end.is_some_and(|end| at < end)
        });
        let free = FREE.iter().find(|(_, next)| *next == key).map(|(free, _)| *free);
        let before = free.and_then(|free| Some((free, begin[free]?)));
        match (begin[key], before) {
            _ if inside => continue,
            (None, _) => {
                if let Some((last, from)) = current {
                    values[last] = line[from..blank].trim_ascii_end();
                }
            }
            // The free text before the key contained the same key: it extends up to this one.
            (Some(_), Some((free, from))) => {
                for (value, begin) in
                    values.iter_mut().zip(&mut begin).filter(|(_, begin)| **begin > Some(from))
                {
                    (*value, *begin) = (&line[..0], None);
                }
                values[free] = line[from..blank].trim_ascii_end();
            }
            (Some(_), None) => continue,
        }
        begin[key] = Some(at + 1);
        current = Some((key, at + 1));
    }
    if let Some((last, from)) = current {
        values[last] = line[from..].trim_ascii_end();
    }
    values
}

fn job<'a>(keyed: &Keyed<'a>, reporter: &mut Reporter<'_>) -> Result<Job<'a>, Refusal> {
    let word = keyed.get("JobState");
    let [submit, eligible, start, end] = keyed.instants(reporter)?;
    let state = match State::of(word) {
        // The plug-in writes when a run has ended: a pending job was put back into the queue.
        State::Waiting if end.is_some() => State::Requeued,
        state => state,
    };
    let asked = keyed.tres("Tres", reporter)?;
    let told = keyed.value("NodeCnt", values::count, reporter)?.filter(|&nodes| nodes > 0);
    let nodes = told.or(asked.nodes);
    let account = keyed.get("Account");
    let user = name(keyed.get("UserId"));
    Ok(Job {
        line: keyed.line,
        number: jobid::job_id(keyed.get("JobId")).map(|id| id.number),
        member: Member {
            array: keyed.pair("ArrayJobId", "ArrayTaskId"),
            het: keyed.pair("HetJobId", "HetJobOffset"),
        },
        tasks: tasks::count(keyed.get("ArrayTaskId")).unwrap_or(1),
        user,
        account: if account.is_empty() { name(keyed.get("GroupId")) } else { account },
        name: keyed.get("Name"),
        partition: keyed.get("Partition"),
        qos: keyed.get("QOS"),
        reservation: keyed.get("ReservationName"),
        hosts: keyed.get("NodeList"),
        cluster: keyed.get("Cluster"),
        submit,
        eligible,
        never_eligible: eligible.is_none() && values::is_never(keyed.get("EligibleTime")),
        start,
        end,
        limit: keyed.value("TimeLimit", values::limit, reporter)?.unwrap_or_default(),
        state: (word, state),
        placed: Some(!matches!(keyed.get("NodeList"), b"" | b"(null)" | b"None assigned")),
        allocated: keyed.value("ProcCnt", values::count, reporter)?,
        nodes,
        gres: GresAsked::of([(Per::Job, keyed.get("Gres"))]),
        asked,
        ..Job::default()
    })
}

/// Removes the number from `alice(1001)`; a number without a name is kept.
pub(super) fn name(text: &[u8]) -> &[u8] {
    match memchr::memrchr(b'(', text) {
        Some(at) if at > 0 && text[at + 1..].strip_suffix(b")").is_some_and(|id| whole(id).is_some()) => {
            &text[..at]
        }
        _ => text.strip_prefix(b"(null)").unwrap_or(text),
    }
}

struct Reader {
    ledger: EntryConverter,
    partial: Partial,
}

impl Reader {
    fn close(&mut self, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        if !self.partial.open() {
            return Ok(());
        }
        let partial = std::mem::take(&mut self.partial);
        let complete = memchr::memmem::find(&partial.row, b" ProcCnt=").is_some();
        let kind = if complete { &kinds::CONTINUED } else { &kinds::SHORT_ROW };
        reporter.report_at(kind, partial.line, || quoted(&partial.row))?;
        self.row(&partial.row, partial.line, reporter, explained)
    }

    fn row(
        &mut self,
        row: &[u8],
        line: u32,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result {
        let values = keyed(row, line);
        let job = job(&values, reporter)?;
        // The controller's view of a job has its name under another key.
        let foreign = memchr::memmem::find(row, b" JobName=").is_some() && values.get("Name").is_empty();
        if foreign || job.number.is_none() && !entry::started(&job) && job.submit.is_none() {
            return Ok(reporter.report_at(&kinds::NOT_A_JOB, line, || quoted(row))?);
        }
        values.explain(explained);
        self.ledger.jobs(&job, reporter)
    }
}

impl LineReader for Reader {
    const WANTS_BLANKS: bool = true;
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::NOT_A_JOB];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        if !line.bytes.starts_with(b"JobId=") {
            if self.partial.open() && self.partial.join(line.bytes) {
                return Ok(());
            }
            self.close(reporter, explained)?;
            if !line.bytes.trim_ascii().is_empty() {
                reporter.report(&kinds::NOT_A_JOB, line, line.bytes, |text| text)?;
            }
            return Ok(());
        }
        self.close(reporter, explained)?;
        if memchr::memmem::find(line.bytes, b" ProcCnt=").is_none() {
            self.partial.begin(line.bytes, line.number);
            return Ok(());
        }
        self.row(line.bytes, line.number, reporter, explained)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_contain_blanks_and_texts_like_keys() {
        let line = b"JobId=7 UserId=ann(1001) GroupId=staff(100) Name=a  b=c Partition=z JobState=x JobState=FAILED Partition=p \
            WorkDir=/a dir/Tres=1 ReservationName= Tres=cpu=4,mem=5M Account= ";
        let values = keyed(line, 1);
        let text = |key| std::str::from_utf8(values.get(key)).unwrap();
        assert_eq!(text("Name"), "a  b=c Partition=z JobState=x");
        assert_eq!((text("JobState"), text("Partition"), text("WorkDir")), ("FAILED", "p", "/a dir/Tres=1"));
        assert_eq!((text("Tres"), text("Account"), text("QOS")), ("cpu=4,mem=5M", "", ""));
        assert_eq!(name(values.get("UserId")), b"ann");
        assert_eq!((name(b"(null)"), name(b"1001"), name(b"a(b)")), (&b""[..], &b"1001"[..], &b"a(b)"[..]));
    }
}
