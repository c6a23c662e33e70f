//! The text of `squeue` in columns separated by bars: the jobs that run and wait at one instant.
//!
//! Any subset of columns in any order, named by a heading: `squeue -a -r -o "%i|%u|…"`, `squeue -o %all`, and
//! `squeue -O "JobID:|,UserName:|,…"`. The default output, in columns of fixed width, is refused: it has neither processors
//! nor limits, and cuts names off.
//!
//! Nothing is quoted: a name may hold line ends, so that its row continues on the lines below. Bars beyond those of the heading
//! belong to the job's name. `START_TIME` of a waiting job is its begin time, if the job waits for it, else the controller's own
//! forecast; `END_TIME` of a running job is its limit. Forecast and limit are left out. `MIN_MEMORY` may be for each node or for each
//! processor: the memory is taken from `TRES_ALLOC` (`-O tres-alloc`) instead, the request of a waiting job.
//!
//! Sources: `squeue(1)` of versions 20.11 to 25.05, and the output of version 22.05.8.

use batchlab_traces::notation::{tasks, whole};
use batchlab_traces::{Kind, Refusal};

use super::delimiter::Delimiter;
use super::destinations as to;
use super::gres::Per;
use super::job::{Accrued, Job, QueuedJob};
use super::jobid::job_id;
use super::keyed::{Keyed, KeyedForm};
use super::ledger::EntryConverter;
use super::partial::Partial;
use super::queued::ShapeStated;
use super::state::{State, spelt_out};
use super::{kinds, values};
use crate::entry::Member;
use crate::error::{ReadError, Result};
use crate::explain::Explanation;
use crate::lines::{End, Line};
use crate::pass::{LineReader, Pass};
use crate::reporter::{Reporter, quoted};

/// How to write the queue instead, where an output lacks columns.
const COMMAND: &str = "write it with squeue -a --json, with scontrol show job, or with squeue -a -O \
    \"JobID:|,ArrayJobID:|,ArrayTaskID:|,UserName:|,Account:|,Partition:|,QOS:|,State:|,Reason:|,SubmitTime:|,StartTime:|,TimeUsed:|,TimeLimit:|,NumCPUs:|,\
    NumNodes:|,tres-alloc:|,tres-per-job:|,tres-per-node:|,tres-per-socket:|,tres-per-task:|,Feature:|,OverSubscribe:|,\
    Dependency:|,Reservation:|,NodeList:|,Name:|\"";

const COLUMNS: [(&str, &str); 44] = [
    ("JOBID", "job number"),
    ("ARRAY_JOB_ID", "array"),
    ("ARRAY_TASK_ID", to::TASKS),
    ("NAME", "application"),
    ("USER", "user"),
    ("UID", "user, if USER is missing"),
    ("ACCOUNT", "group"),
    ("PARTITION", to::PARTITIONS),
    ("QOS", "qos"),
    ("STATE", "status"),
    ("ST", "status, if STATE is missing"),
    ("REASON", "reason"),
    ("SUBMIT_TIME", "submit time"),
    ("START_TIME", "wait time, unless it waits; eligible, if it waits for its begin time"),
    ("ELIGIBLE_TIME", "eligible"),
    ("ACCRUE_TIME", to::AGE_FROM),
    ("PRIORITY", to::PRIORITY_NOW),
    ("NICE", to::NICE),
    ("LAST_SCHED_EVAL", to::WRITTEN),
    ("TIME", "how long it has run"),
    ("TIME_LIMIT", "requested time"),
    ("CPUS", to::PROCESSORS),
    ("NODES", "nodes"),
    ("MAX_NODES", to::SHAPE),
    ("NTASKS_PER_NODE", to::SHAPE),
    ("CPUS_PER_TASK", to::SHAPE),
    ("MIN_CPUS", to::SHAPE),
    ("TRES_ALLOC", to::ASKED),
    ("TRES_PER_JOB", "gpu and other resources, if TRES_ALLOC has none of the name"),
    ("TRES_PER_NODE", to::OF_NODE),
    ("GRES", to::OF_NODE),
    ("TRES_PER_SOCKET", to::OF_SOCKET),
    ("TRES_PER_TASK", to::OF_TASK),
    ("TASKS", "tasks, for TRES_PER_TASK"),
    ("SOCKETS_PER_NODE", "sockets, for TRES_PER_SOCKET"),
    ("FEATURES", "constraint"),
    ("OVER_SUBSCRIBE", "exclusive"),
    ("EXCLUSIVE", "exclusive"),
    ("REQ_NODES", to::EXCLUDED),
    ("EXC_NODES", to::EXCLUDED),
    ("DEPENDENCY", "dependencies"),
    ("RESERVATION", "reservation"),
    ("NODELIST", to::STARTED),
    (NODES_OR_REASON, "reason, of a job that waits; where it started, with --slurm"),
];

/// The heading of `%R`: the reason in parentheses, or the nodes of a job that has some.
const NODES_OR_REASON: &str = "NODELIST(REASON)";

/// Returns why a job waits, and the nodes that it has.
fn reason_and_hosts<'a>(keyed: &Keyed<'a>) -> (&'a [u8], &'a [u8]) {
    let either = keyed.get(NODES_OR_REASON);
    let reason = either.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")"));
    let or = |column: &'a [u8], other: &'a [u8]| if column.is_empty() { other } else { column };
    let hosts = if reason.is_some() { &[] } else { either };
    (or(keyed.get("REASON"), reason.unwrap_or_default()), or(keyed.get("NODELIST"), hosts))
}

/// Columns without which no start can be forecast.
const NEEDED: [&str; 3] = ["SUBMIT_TIME", "TIME_LIMIT", "CPUS"];

pub(super) const NAME: &str = "squeue";

pub(super) const LOOKS_LIKE: &str =
    "lines of columns separated by `|` below a heading such as JOBID|USER|STATE|TIME_LIMIT|CPUS";

pub(super) fn fill(pass: &mut Pass<'_>, ledger: EntryConverter) -> Result<(EntryConverter, String)> {
    let mut reader = Reader {
        ledger: ledger.of_a_queue(),
        names: Vec::new(),
        delimiter: Delimiter::default(),
        partial: Partial::default(),
    };
    pass.lines(&mut reader)?;
    reader.close(&mut pass.reporter)?;
    Ok((reader.ledger, "no line below its heading is a row of a job".into()))
}

pub(super) fn likeness(beginning: &[u8]) -> u8 {
    let mut lines = beginning.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).take(20);
    // The columns of sacct that have the same names are in mixed case.
    if lines.any(|line| heading(line).is_some() || fixed_width(line)) { 97 } else { 0 }
}

fn heading(line: &[u8]) -> Option<(Vec<String>, Delimiter)> {
    let delimiter = Delimiter::of_heading(line)?;
    let names: Vec<String> =
        delimiter.split(line).map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()).collect();
    // The names of sacct's columns are in mixed case.
    let has = |name: &str| names.iter().any(|known| known == name);
    (names.len() > 2 && has("JOBID") && (has("STATE") || has("ST"))).then_some((names, delimiter.clone()))
}

fn fixed_width(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).collect();
    let has = |name: &[u8]| words.contains(&name);
    has(b"JOBID") && has(b"PARTITION") && (has(b"ST") || has(b"STATE"))
}

/// How `squeue` writes values.
const FORM: KeyedForm = KeyedForm { keys: &COLUMNS, unset: &[b"(null)", b"N/A", b"n/a"], between: ' ' };

/// Divides a row into the columns of the heading; `None` if it has too few. Bars beyond those of the heading belong to the
/// name; also returns whether there are any.
fn keyed<'a>(names: &'a [String], delimiter: &'a Delimiter, line: &Line<'a>) -> Option<(Keyed<'a>, bool)> {
    let mut parts: Vec<&[u8]> = delimiter.split(line.bytes).collect();
    let wide = delimiter.bytes().len();
    let more = parts.len().checked_sub(names.len())?;
    let name = names.iter().position(|name| name == "NAME").filter(|_| more > 0);
    if let Some(at) = name {
        let begin: usize = parts[..at].iter().map(|part| part.len() + wide).sum();
        let length: usize = parts[at..=at + more].iter().map(|part| part.len() + wide).sum();
        let joined = &line.bytes[begin..begin + length - wide];
        parts.splice(at..=at + more, [joined]);
    }
    let cells = names.iter().map(String::as_str).zip(parts.into_iter().map(<[u8]>::trim_ascii)).collect();
    Some((Keyed { form: &FORM, cells, line: line.number }, more > 0))
}

/// The columns of resources beside `TRES_ALLOC`.
const GRES: [(Per, &str); 5] = [
    (Per::Job, "TRES_PER_JOB"),
    (Per::Node, "TRES_PER_NODE"),
    (Per::Node, "GRES"),
    (Per::Task, "TRES_PER_TASK"),
    (Per::Socket, "TRES_PER_SOCKET"),
];

fn shape<'a>(keyed: &Keyed<'a>) -> ShapeStated<'a> {
    let count = |key| values::least(keyed.get(key)).ok().flatten();
    let nodes = count("NODES");
    ShapeStated {
        dependency: keyed.get("DEPENDENCY"),
        nodes,
        // Without a number of nodes that the job asked for, squeue shows that of NODES again.
        most: count("MAX_NODES").filter(|&most| nodes.is_some_and(|nodes| most > nodes)),
        per_node: count("NTASKS_PER_NODE"),
        task: count("CPUS_PER_TASK"),
        on_node: count("MIN_CPUS"),
        alone: keyed.is_alone("EXCLUSIVE", "OVER_SUBSCRIBE"),
        required: keyed.get("REQ_NODES"),
        excluded: keyed.get("EXC_NODES"),
    }
}

fn job<'a>(keyed: &Keyed<'a>, command: &'a [u8], reporter: &mut Reporter<'_>) -> Result<Job<'a>, Refusal> {
    let word = spelt_out(keyed.first(["STATE", "ST"]));
    let state = State::of(word).in_queue();
    let has_started = state.has_started();
    // %i and %A have the same heading: a task of an array, and the number of its job.
    let ids = keyed.cells.iter().filter(|(name, _)| *name == "JOBID").filter_map(|(_, cell)| job_id(cell));
    let ids: Vec<_> = ids.collect();
    let Some(first) = ids.iter().find(|id| !id.own || id.tasks > 1).or(ids.first()) else {
        reporter
            .report_at(&kinds::ODD_VALUE, keyed.line, || format!("JOBID {}", quoted(keyed.get("JOBID"))))?;
        return Ok(Job { line: keyed.line, ..Job::default() });
    };
    let task = keyed.get("ARRAY_TASK_ID");
    let own = ids.iter().find(|id| id.own).map(|id| id.number);
    let array = keyed.pair("ARRAY_JOB_ID", "ARRAY_TASK_ID");
    let member = Member { array: first.member.array.or(array), ..first.member };
    // A task that waits has no number of its own yet.
    let number = own.filter(|&own| has_started || member.array.is_none_or(|(array, _)| array != own));
    let nodes = keyed.value("NODES", values::least, reporter)?.filter(|&nodes| nodes > 0);
    let processors = keyed.value("CPUS", values::least, reporter)?;
    let asked = keyed.tres("TRES_ALLOC", reporter)?;
    let start = keyed.value("START_TIME", values::instant, reporter)?;
    let (reason, hosts) = reason_and_hosts(keyed);
    // Slurm shows the begin time as the start of a job that waits for it.
    let begin = match keyed.get("ELIGIBLE_TIME") {
        b"" => start.filter(|_| reason == b"BeginTime"),
        _ => keyed.value("ELIGIBLE_TIME", values::instant, reporter)?,
    };
    Ok(Job {
        line: keyed.line,
        number,
        member,
        tasks: if first.tasks > 1 { first.tasks } else { tasks::count(task).unwrap_or(1) },
        task_list: if first.tasks > 1 { first.list } else { task },
        at_most: first.at_most.or_else(|| tasks::throttle(task)),
        user: keyed.first(["USER", "UID"]),
        account: keyed.get("ACCOUNT"),
        name: keyed.get("NAME"),
        partition: keyed.get("PARTITION"),
        qos: keyed.get("QOS"),
        constraint: keyed.get("FEATURES"),
        alone: keyed.is_alone("EXCLUSIVE", "OVER_SUBSCRIBE"),
        reservation: keyed.get("RESERVATION"),
        hosts,
        reason: State::reason(word, reason),
        submit: keyed.value("SUBMIT_TIME", values::instant, reporter)?,
        eligible: begin,
        start: start.filter(|_| has_started),
        considered: keyed.value("LAST_SCHED_EVAL", values::instant, reporter)?,
        elapsed: keyed.value("TIME", values::length, reporter)?.filter(|_| has_started && !state.has_ended()),
        limit: keyed.value("TIME_LIMIT", values::limit, reporter)?.unwrap_or_default(),
        state: (word, state),
        placed: Some(has_started),
        requested: processors,
        allocated: processors.filter(|_| has_started),
        nodes,
        gres: keyed.gres(GRES, "TASKS", "SOCKETS_PER_NODE"),
        asked,
        waits: QueuedJob {
            accrued: Accrued::of(keyed.value("ACCRUE_TIME", values::instant, reporter)?, false),
            // %p is a part of the greatest priority.
            priority: whole(keyed.get("PRIORITY")),
            nice: whole(keyed.get("NICE")),
        },
        command,
        ..Job::default()
    })
}

struct Reader {
    ledger: EntryConverter,
    /// The heading; empty before it.
    names: Vec<String>,
    delimiter: Delimiter,
    /// A row whose last columns have not come yet.
    partial: Partial,
}

impl Reader {
    /// Whether a row is complete: it has all columns, with a job's number and a state in theirs.
    fn is_complete(&self, line: &Line<'_>) -> bool {
        keyed(&self.names, &self.delimiter, line).is_some_and(|(row, _)| {
            let state = State::of(spelt_out(row.first(["STATE", "ST"])));
            job_id(row.get("JOBID")).is_some() && !matches!(state, State::Unknown | State::NotTold)
        })
    }

    /// Whether a line that is too short may begin a row.
    fn begins(&self, line: &[u8]) -> bool {
        let parts: Vec<&[u8]> = self.delimiter.split(line).map(<[u8]>::trim_ascii).collect();
        let number = self.names.iter().position(|name| name == "JOBID").and_then(|at| parts.get(at));
        match number {
            Some(number) => job_id(number).is_some(),
            None => parts.len() > 1,
        }
    }

    /// Reports a row that was never completed.
    fn close(&mut self, reporter: &mut Reporter<'_>) -> Result {
        let partial = std::mem::take(&mut self.partial);
        if partial.open() {
            reporter.report_at(&kinds::SHORT_ROW, partial.line, || quoted(&partial.row))?;
        }
        Ok(())
    }

    fn row(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let Some((row, barred)) = keyed(&self.names, &self.delimiter, line) else {
            return Ok(reporter.report(&kinds::SHORT_ROW, line, line.bytes, |text| text)?);
        };
        if barred {
            reporter.report(&kinds::BARS, line, line.bytes, |text| text)?;
        }
        row.explain(explained);
        let command = shape(&row).command(State::of(spelt_out(row.first(["STATE", "ST"]))).in_queue());
        let job = job(&row, &command, reporter)?;
        if job.state.1 == State::NotTold {
            return Ok(());
        }
        self.ledger.jobs(&job, reporter)
    }

    fn part(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let is_complete = self.is_complete(line);
        if self.partial.open() && !is_complete && self.partial.join(line.bytes) {
            let partial = std::mem::take(&mut self.partial);
            let joined = Line { number: partial.line, bytes: &partial.row, end: End::Feed };
            if !self.is_complete(&joined) {
                self.partial = partial;
                return Ok(());
            }
            reporter.report_at(&kinds::CONTINUED, partial.line, || format!("{} lines", partial.lines))?;
            return self.row(&joined, reporter, explained);
        }
        self.close(reporter)?;
        let is_short = keyed(&self.names, &self.delimiter, line).is_none();
        if is_short && self.begins(line.bytes) {
            self.partial.begin(line.bytes, line.number);
            return Ok(());
        }
        if is_short && self.names.last().is_some_and(|name| name == "NAME") {
            return Ok(reporter.report(&kinds::CONTINUED, line, line.bytes, |text| text)?);
        }
        self.row(line, reporter, explained)
    }
}

impl LineReader for Reader {
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::NOT_A_JOB, &kinds::SHORT_ROW];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let file = reporter.file.clone();
        let refused = |why: String| {
            let name = file.to_string();
            ReadError::NotFormat { name, format: NAME, why, looked_for: LOOKS_LIKE }
        };
        if self.names.is_empty() && fixed_width(line.bytes) {
            let why =
                format!("its columns have fixed widths: they have no limits, and cut values off; {COMMAND}");
            return Err(refused(why));
        }
        if let Some((names, delimiter)) = heading(line.bytes) {
            self.close(reporter)?;
            if let Some(why) = delimiter.conflict(names.iter().map(String::as_str)) {
                return Err(refused(format!("{why}; {COMMAND}")));
            }
            let missing = |name: &&&str| !names.iter().any(|known| known == **name);
            if let Some(name) = NEEDED.iter().find(missing) {
                return Err(refused(format!("it has no column {name}; {COMMAND}")));
            }
            if !names.iter().any(|name| name == "TRES_ALLOC") && names.iter().any(|name| name == "MIN_MEMORY")
            {
                reporter.report(&kinds::MEMORY_UNCLEAR, line, line.bytes, |_| "MIN_MEMORY".into())?;
            }
            (self.names, self.delimiter) = (names, delimiter);
            return Ok(());
        }
        if self.names.is_empty() {
            return Ok(reporter.report(&kinds::NOT_A_JOB, line, line.bytes, |text| text)?);
        }
        self.part(line, reporter, explained)
    }
}
