//! The output of `scontrol show job`, with or without `-o`: the waiting and running jobs that the controller knows, and jobs that
//! ended in the last minutes (`MinJobAge`).
//!
//! A job begins with `JobId=`; `Key=Value` follow, separated by blanks, over several lines or, with `-o`, on one. Nothing is
//! quoted: without `-o` a name extends to the end of its line, with it to the next known key. Of a key that appears twice,
//! the first counts. For a job that waits, `StartTime` is the controller's own forecast, and `EndTime` of one that runs is its
//! limit: both are left out. Sources: `scontrol(1)` of versions 20.11 to 25.05, and the output of version 22.05.8.

use batchlab_traces::notation::{tasks, whole};
use batchlab_traces::{Kind, Refusal};

use super::destinations as to;
use super::gres::Per;
use super::job::{Accrued, Job, QueuedJob, requeue, suspended_before};
use super::jobcomp::name;
use super::keyed::{Keyed, KeyedForm};
use super::ledger::EntryConverter;
use super::queued::ShapeStated;
use super::state::State;
use super::values::{self, MemoryRequest};
use super::{jobid, kinds};
use crate::entry::Member;
use crate::error::Result;
use crate::explain::Explanation;
use crate::lines::Line;
use crate::pass::{LineReader, Pass};
use crate::reporter::{Reporter, quoted};

pub(super) fn fill(pass: &mut Pass<'_>, ledger: EntryConverter) -> Result<(EntryConverter, String)> {
    let mut reader = Reader { ledger: ledger.of_a_queue(), block: Vec::new(), line: 0 };
    pass.lines(&mut reader)?;
    reader.close(&mut pass.reporter, pass.explanation)?;
    Ok((reader.ledger, "no line of it begins with JobId= and a JobState follows".into()))
}

pub(super) fn likeness(beginning: &[u8]) -> u8 {
    let start = beginning.trim_ascii_start();
    let keys = [&b"JobState="[..], b"SubmitTime=", b"RunTime=", b"NumNodes="];
    let found = keys.iter().all(|key| memchr::memmem::find(start, key).is_some());
    let job = memchr::memmem::find(start, b" JobName=").is_some();
    match (job && found, start.starts_with(b"JobId=")) {
        (true, true) => 95,
        // Another text stands before the first job.
        (true, false) => 45,
        (false, _) => 0,
    }
}

/// The keys that are used, with their destinations, and those that end a free text before them.
const KEYS: [(&str, &str); 65] = [
    ("JobId", "job number"),
    ("ArrayJobId", "array"),
    ("ArrayTaskId", to::TASKS),
    ("ArrayTaskThrottle", "array_limit"),
    ("HetJobId", "het_job"),
    ("HetJobOffset", "het_offset"),
    ("JobName", "application"),
    ("UserId", "user"),
    ("GroupId", to::GROUP),
    ("MCS_label", "not used"),
    ("Priority", to::PRIORITY_NOW),
    ("Nice", to::NICE),
    ("Account", "group"),
    ("QOS", "qos"),
    ("Requeue", "with --slurm: whether it may be requeued"),
    ("BatchFlag", "with --slurm: likewise; jobs of srun may not"),
    ("WCKey", "not used"),
    ("JobState", "status"),
    ("Reason", "reason"),
    ("Dependency", "dependencies"),
    ("RunTime", "run time, or how long it has run"),
    ("TimeLimit", "requested time"),
    ("TimeMin", "not used"),
    ("SubmitTime", "submit time"),
    ("EligibleTime", to::ELIGIBLE),
    ("AccrueTime", to::AGE_FROM),
    ("StartTime", to::WAIT),
    ("EndTime", to::RUN),
    ("LastSchedEval", to::WRITTEN),
    ("Deadline", "not used"),
    ("SuspendTime", "how long it was suspended"),
    ("SecsPreSuspend", "how long it was suspended"),
    ("Partition", to::PARTITIONS),
    ("NodeList", to::STARTED),
    ("NumNodes", "nodes"),
    ("MinCPUsNode", to::SHAPE),
    ("ReqNodeList", to::EXCLUDED),
    ("ExcNodeList", to::EXCLUDED),
    ("NumCPUs", to::PROCESSORS),
    ("TRES", "requested memory, gpu and other resources"),
    ("ReqTRES", to::ASKED),
    ("AllocTRES", "allocated resources"),
    ("MinMemoryCPU", "requested memory of each processor"),
    ("MinMemoryNode", "requested memory of each node"),
    ("Features", "constraint"),
    ("OverSubscribe", "exclusive"),
    ("Exclusive", "exclusive"),
    ("Contiguous", "not used"),
    ("Command", "not used"),
    ("WorkDir", "not used"),
    ("Comment", "not used"),
    ("NumTasks", "tasks, for TresPerTask"),
    ("CPUs/Task", "processors of a task, for NtasksPerN:B:S:C"),
    ("ReqB:S:C:T", to::BY_CORE),
    ("NtasksPerN:B:S:C", to::TASKS_BY_CORE),
    ("Socks/Node", "sockets, for TresPerSocket"),
    ("TresPerJob", "gpu and other resources, if ReqTRES has none of the name"),
    ("TresPerNode", to::OF_NODE),
    ("Gres", to::OF_NODE),
    ("TresPerSocket", to::OF_SOCKET),
    ("TresPerTask", to::OF_TASK),
    ("SubmitLine", "not used"),
    ("StdErr", "not used"),
    ("StdIn", "not used"),
    ("StdOut", "not used"),
];

const FORM: KeyedForm = KeyedForm { keys: &KEYS, unset: &[b"(null)", b"N/A"], between: '=' };

fn keyed<'a>(block: &'a [u8], number: u32) -> Keyed<'a> {
    let mut values: [Option<&[u8]>; KEYS.len()] = [None; KEYS.len()];
    for line in block.split(|&byte| byte == b'\n') {
        let mut current: Option<(usize, usize)> = None;
        for at in memchr::memchr_iter(b'=', line) {
            let blank = memchr::memrchr(b' ', &line[..at]).map_or(0, |blank| blank + 1);
            let Some(key) = KEYS.iter().position(|(key, _)| key.as_bytes() == &line[blank..at]) else {
                continue;
            };
            if let Some((last, from)) = current {
                values[last].get_or_insert(line[from..blank].trim_ascii_end());
            }
            current = Some((key, at + 1));
        }
        if let Some((last, from)) = current {
            values[last].get_or_insert(line[from..].trim_ascii_end());
        }
    }
    // Other keys on the line, which are not looked for, end a value.
    let cell = |((key, _), value): ((&'static str, &str), Option<&'a [u8]>)| {
        let value = value.unwrap_or_default();
        let is_free = matches!(key, "JobName" | "Command" | "WorkDir" | "Comment" | "SubmitLine");
        (key, if is_free { value } else { value.split(|&byte| byte == b' ').next().unwrap_or_default() })
    };
    Keyed { form: &FORM, cells: KEYS.into_iter().zip(values).map(cell).collect(), line: number }
}

/// The keys of resources beside the lists of trackable resources.
const GRES: [(Per, &str); 5] = [
    (Per::Job, "TresPerJob"),
    (Per::Node, "TresPerNode"),
    (Per::Node, "Gres"),
    (Per::Task, "TresPerTask"),
    (Per::Socket, "TresPerSocket"),
];

/// Returns how many processors of each core the job may use, by its threads or its tasks for each core.
fn of_core(keyed: &Keyed<'_>) -> Option<i64> {
    let last = |key| whole(keyed.get(key).rsplit(|&byte| byte == b':').next()?).filter(|&count| count > 0);
    let task = whole(keyed.get("CPUs/Task")).unwrap_or(1).max(1);
    let tasks = last("NtasksPerN:B:S:C").map(|tasks| tasks.saturating_mul(task));
    last("ReqB:S:C:T").into_iter().chain(tasks).min()
}

/// Returns how a job is to lie on nodes: `NumNodes=2-4`, or `2` if it did not ask for a number.
fn shape<'a>(keyed: &Keyed<'a>) -> ShapeStated<'a> {
    let count = |text: &[u8]| whole(text).filter(|&count| count > 0);
    let nodes = keyed.get("NumNodes");
    let (least, most) = match nodes.iter().position(|&byte| byte == b'-') {
        Some(at) => (count(&nodes[..at]), count(&nodes[at + 1..])),
        None => (count(nodes), None),
    };
    let per_node = keyed.get("NtasksPerN:B:S:C").split(|&byte| byte == b':').next().unwrap_or_default();
    ShapeStated {
        dependency: keyed.get("Dependency"),
        nodes: least,
        most,
        per_node: count(per_node),
        task: count(keyed.get("CPUs/Task")),
        on_node: count(keyed.get("MinCPUsNode")),
        alone: keyed.is_alone("Exclusive", "OverSubscribe"),
        required: keyed.get("ReqNodeList"),
        excluded: keyed.get("ExcNodeList"),
    }
}

fn job<'a>(keyed: &Keyed<'a>, command: &'a [u8], reporter: &mut Reporter<'_>) -> Result<Job<'a>, Refusal> {
    let word = keyed.get("JobState");
    let state = State::of(word).in_queue();
    let number = jobid::job_id(keyed.get("JobId")).map(|id| id.number);
    let task = keyed.get("ArrayTaskId");
    let asked = if keyed.get("ReqTRES").is_empty() { "TRES" } else { "ReqTRES" };
    let amount = |text: &[u8], of: fn(i64) -> MemoryRequest| match values::memory(text) {
        Ok(Some(MemoryRequest::Total(kb))) => Ok(Some(of(kb))),
        Ok(other) => Ok(other),
        Err(odd) => Err(odd),
    };
    let per_cpu = |each| MemoryRequest::PerCpu { each, leaked: false };
    let memory = match keyed.value("MinMemoryCPU", |text| amount(text, per_cpu), reporter)? {
        Some(memory) => Some(memory),
        None => keyed.value("MinMemoryNode", |text| amount(text, MemoryRequest::PerNode), reporter)?,
    };
    let processors = keyed.value("NumCPUs", values::least, reporter)?;
    let [submit, eligible, start, end] = keyed.instants(reporter)?;
    let suspended = keyed.value("SuspendTime", values::instant, reporter)?;
    let before = whole(keyed.get("SecsPreSuspend"));
    let account = keyed.get("Account");
    Ok(Job {
        line: keyed.line,
        number,
        member: Member {
            array: keyed.pair("ArrayJobId", "ArrayTaskId"),
            het: keyed.pair("HetJobId", "HetJobOffset"),
        },
        tasks: tasks::count(task).unwrap_or(1),
        task_list: task,
        at_most: whole(keyed.get("ArrayTaskThrottle"))
            .or_else(|| tasks::throttle(task))
            .filter(|&most| most > 0),
        user: name(keyed.get("UserId")),
        account: if account.is_empty() { name(keyed.get("GroupId")) } else { account },
        name: keyed.get("JobName"),
        partition: keyed.get("Partition"),
        qos: keyed.get("QOS"),
        constraint: keyed.get("Features"),
        alone: keyed.is_alone("Exclusive", "OverSubscribe"),
        hosts: keyed.get("NodeList"),
        reason: State::reason(word, keyed.get("Reason")),
        submit,
        eligible,
        start: start.filter(|_| state.has_started()),
        considered: keyed.value("LastSchedEval", values::instant, reporter)?,
        end: end.filter(|_| state.has_ended()),
        elapsed: keyed.value("RunTime", values::length, reporter)?.filter(|_| state.has_started()),
        suspended: suspended_before(state, start, suspended, before),
        limit: keyed.value("TimeLimit", values::limit, reporter)?.unwrap_or_default(),
        state: (word, state),
        placed: Some(!keyed.get("NodeList").is_empty()),
        requested: processors,
        allocated: processors.filter(|_| state.has_started()),
        of_core: of_core(keyed),
        requeue: requeue(whole(keyed.get("Requeue")), whole(keyed.get("BatchFlag"))),
        nodes: keyed.value("NumNodes", values::least, reporter)?.filter(|&nodes| nodes > 0),
        memory: memory.unwrap_or_default(),
        gres: keyed.gres(GRES, "NumTasks", "Socks/Node"),
        asked: keyed.tres(asked, reporter)?,
        got: keyed.tres("AllocTRES", reporter)?,
        waits: waits(keyed, reporter)?,
        command,
        ..Job::default()
    })
}

fn waits(keyed: &Keyed<'_>, reporter: &mut Reporter<'_>) -> Result<QueuedJob, Refusal> {
    let since = keyed.value("AccrueTime", values::instant, reporter)?;
    Ok(QueuedJob {
        accrued: Accrued::of(since, keyed.get("AccrueTime") == b"Unknown"),
        priority: whole(keyed.get("Priority")),
        nice: whole(keyed.get("Nice")),
    })
}

struct Reader {
    ledger: EntryConverter,
    /// The lines of the job so far, and the number of the first.
    block: Vec<u8>,
    line: u32,
}

const LONGEST: usize = 1 << 20;

impl Reader {
    /// Takes the job that the lines so far describe.
    fn close(&mut self, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        let values = keyed(&block, self.line);
        // Other logs of Slurm have no word on when a job runs beside its name.
        if memchr::memmem::find(&block, b" JobName=").is_none() {
            return Ok(reporter.report_at(&kinds::NOT_A_JOB, self.line, || quoted(&block))?);
        }
        if values.get("JobState").is_empty() {
            reporter.report_at(&kinds::SHORT_ROW, self.line, || quoted(&block))?;
        }
        values.explain(explained);
        let command = shape(&values).command(State::of(values.get("JobState")).in_queue());
        let job = job(&values, &command, reporter)?;
        self.ledger.jobs(&job, reporter)
    }
}

impl LineReader for Reader {
    const WANTS_BLANKS: bool = true;
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::NOT_A_JOB];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let begins = line.bytes.starts_with(b"JobId=");
        let blank = line.bytes.trim_ascii().is_empty();
        if begins {
            self.close(reporter, explained)?;
            self.line = line.number;
        } else if blank {
            // A job may end with a line of blanks.
            return Ok(());
        } else if self.block.is_empty() || !line.bytes.starts_with(b" ") {
            return Ok(reporter.report(&kinds::NOT_A_JOB, line, line.bytes, |text| text)?);
        }
        if self.block.len() + line.bytes.len() < LONGEST {
            self.block.extend_from_slice(line.bytes);
            self.block.push(b'\n');
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_with_its_line_or_at_the_next_key() {
        let block = b"JobId=7 JobName=a  b=c UserId=x\n   UserId=ann(1001) GroupId=staff(100) MCS_label=N/A\n   RunTime=00:01:00 \
            TimeLimit=01:00:00 TimeMin=N/A\n   Dependency=afterok:5(unfulfilled),after:6+3(unfulfilled)\n   Command=/a JobState=x\n";
        let values = keyed(block, 1);
        let text = |key| std::str::from_utf8(values.get(key)).unwrap();
        // A key within the name is read as a key: with -o the two look the same.
        assert_eq!((text("JobName"), text("UserId")), ("a  b=c", "x"));
        assert_eq!((text("MCS_label"), text("RunTime"), text("TimeLimit")), ("", "00:01:00", "01:00:00"));
        assert_eq!(shape(&values).command(State::Unfinished), b"sbatch --dependency=afterok:5,after:6+3");
    }
}
