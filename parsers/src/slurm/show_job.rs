//! The output of `scontrol show job`, with or without `-o`: what the controller knows of the jobs that wait and run, and
//! of those that ended in the last minutes (`MinJobAge`).
//!
//! A job begins with `JobId=`; `Key=Value` follow, separated by blanks, over several lines or, with `-o`, on one. Nothing is
//! quoted: without `-o` a name extends to the end of its line, with it to the next known key. Of a key that appears twice,
//! the first counts. For a job that waits, `StartTime` is the controller's own forecast, and `EndTime` of one that runs is its
//! limit: both are left out. Sources: `scontrol(1)` of versions 20.11 to 25.05, and the output of version 22.05.8.

use batchlab_traces::{Kind, Refusal};

use super::depends::shown;
use super::gres::{GresAsked, Per};
use super::job::{Job, requeue};
use super::jobcomp::name;
use super::jobid;
use super::kinds;
use super::ledger::Ledger;
use super::state::State;
use super::tres::Tres;
use super::values::{self, Memory, Value};
use crate::entry::Member;
use crate::error::ReadError;
use crate::explain::Explanation;
use crate::lines::Line;
use crate::pass::{LineReader, Pass};
use crate::reporter::{Reporter, quoted};
use crate::text::date::Stamp;
use crate::text::whole;

pub(super) fn fill(pass: &mut Pass<'_>, ledger: Ledger) -> Result<(Ledger, String), ReadError> {
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
const KEYS: [(&[u8], &str); 59] = [
    (b"JobId", "job number"),
    (b"ArrayJobId", "array"),
    (b"ArrayTaskId", "array_task; tasks of an array in one row"),
    (b"ArrayTaskThrottle", "array_limit"),
    (b"HetJobId", "het_job"),
    (b"HetJobOffset", "het_offset"),
    (b"JobName", "application"),
    (b"UserId", "user"),
    (b"GroupId", "group, if Account is missing"),
    (b"MCS_label", "not used"),
    (b"Priority", "not used"),
    (b"Nice", "not used"),
    (b"Account", "group"),
    (b"QOS", "qos"),
    (b"Requeue", "with --slurm: whether it may be requeued"),
    (b"BatchFlag", "with --slurm: likewise; jobs of srun may not"),
    (b"WCKey", "not used"),
    (b"JobState", "status"),
    (b"Reason", "reason"),
    (b"Dependency", "dependencies"),
    (b"RunTime", "run time, or how long it has run"),
    (b"TimeLimit", "requested time"),
    (b"TimeMin", "not used"),
    (b"SubmitTime", "submit time"),
    (b"EligibleTime", "eligible, s after submission"),
    (b"StartTime", "wait time, unless it waits"),
    (b"EndTime", "run time, unless it runs"),
    (b"LastSchedEval", "check: the queue was written after it"),
    (b"Deadline", "not used"),
    (b"SecsPreSuspend", "not used"),
    (b"Partition", "queue and partition"),
    (b"NodeList", "check: whether it started"),
    (b"NumNodes", "nodes"),
    (b"NumCPUs", "requested processors; allocated ones, if it started"),
    (b"TRES", "requested memory, gpu and other resources"),
    (b"ReqTRES", "requested processors, memory, gpu and other resources"),
    (b"AllocTRES", "allocated resources"),
    (b"MinMemoryCPU", "requested memory of each processor"),
    (b"MinMemoryNode", "requested memory of each node"),
    (b"Features", "constraint"),
    (b"OverSubscribe", "exclusive"),
    (b"Contiguous", "not used"),
    (b"Command", "not used"),
    (b"WorkDir", "not used"),
    (b"Comment", "not used"),
    (b"NumTasks", "tasks, for TresPerTask"),
    (b"CPUs/Task", "processors of a task, for NtasksPerN:B:S:C"),
    (b"ReqB:S:C:T", "asked_core: processors of each core"),
    (b"NtasksPerN:B:S:C", "asked_core, likewise: tasks of each core"),
    (b"Socks/Node", "sockets, for TresPerSocket"),
    (b"TresPerJob", "gpu and other resources, if ReqTRES has none of the name"),
    (b"TresPerNode", "gpu and other resources of each node, likewise"),
    (b"Gres", "gpu and other resources of each node, likewise"),
    (b"TresPerSocket", "gpu and other resources of each socket, likewise"),
    (b"TresPerTask", "gpu and other resources of each task, likewise"),
    (b"SubmitLine", "not used"),
    (b"StdErr", "not used"),
    (b"StdIn", "not used"),
    (b"StdOut", "not used"),
];

/// The values of a job by key; empty if the key is missing.
struct Values<'a> {
    values: [&'a [u8]; KEYS.len()],
    line: u32,
}

impl<'a> Values<'a> {
    fn of(block: &'a [u8], number: u32) -> Values<'a> {
        let mut values: [Option<&[u8]>; KEYS.len()] = [None; KEYS.len()];
        for line in block.split(|&byte| byte == b'\n') {
            let mut current: Option<(usize, usize)> = None;
            for at in memchr::memchr_iter(b'=', line) {
                let blank = memchr::memrchr(b' ', &line[..at]).map_or(0, |blank| blank + 1);
                let Some(key) = KEYS.iter().position(|(key, _)| *key == &line[blank..at]) else { continue };
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
        let cut = |(key, value): (usize, Option<&'a [u8]>)| {
            let value = value.unwrap_or_default();
            let free =
                matches!(KEYS[key].0, b"JobName" | b"Command" | b"WorkDir" | b"Comment" | b"SubmitLine");
            if free { value } else { value.split(|&byte| byte == b' ').next().unwrap_or_default() }
        };
        let mut keys = values.into_iter().enumerate().map(cut);
        Values { values: std::array::from_fn(|_| keys.next().unwrap_or_default()), line: number }
    }

    /// Returns the value of a key; empty for `(null)` and `N/A`.
    fn get(&self, key: &str) -> &'a [u8] {
        let at = KEYS.iter().position(|(known, _)| *known == key.as_bytes());
        match at.map_or(&b""[..], |at| self.values[at]) {
            b"(null)" | b"N/A" => b"",
            value => value,
        }
    }

    fn value<T>(
        &self,
        key: &str,
        parse: impl Fn(&[u8]) -> Value<T>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<T>, Refusal> {
        let text = self.get(key);
        values::known(parse(text), self.line, || format!("{key}={}", quoted(text)), reporter)
    }

    /// Returns the resources of the keys beside the lists of trackable resources.
    fn gres(&self) -> GresAsked<'a> {
        let of = [
            (Per::Job, "TresPerJob"),
            (Per::Node, "TresPerNode"),
            (Per::Node, "Gres"),
            (Per::Task, "TresPerTask"),
            (Per::Socket, "TresPerSocket"),
        ];
        let count = |key| whole(self.get(key)).filter(|&count| count > 0);
        let gres = GresAsked::of(of.map(|(per, key)| (per, self.get(key))));
        GresAsked { tasks: count("NumTasks"), sockets: count("Socks/Node"), ..gres }
    }

    /// Returns how many processors of each core the job may use, by its threads or its tasks for each core.
    fn of_core(&self) -> Option<i64> {
        let last = |key| whole(self.get(key).rsplit(|&byte| byte == b':').next()?).filter(|&count| count > 0);
        let task = whole(self.get("CPUs/Task")).unwrap_or(1).max(1);
        let tasks = last("NtasksPerN:B:S:C").map(|tasks| tasks.saturating_mul(task));
        last("ReqB:S:C:T").into_iter().chain(tasks).min()
    }

    fn tres(&self, key: &str, reporter: &mut Reporter<'_>) -> Result<Tres<'a>, Refusal> {
        let mut odd = None;
        let tres = Tres::of(self.get(key), |part| odd = Some(part));
        if let Some(part) = odd {
            reporter.report_at(&kinds::ODD_VALUE, self.line, || format!("{key} {}", quoted(part)))?;
        }
        Ok(tres)
    }

    /// Returns the instants of submission, eligibility, start and end.
    fn instants(&self, reporter: &mut Reporter<'_>) -> Result<[Option<Stamp>; 4], Refusal> {
        let mut instants = [None; 4];
        let keys = ["SubmitTime", "EligibleTime", "StartTime", "EndTime"];
        for (instant, key) in instants.iter_mut().zip(keys) {
            *instant = self.value(key, values::counted, reporter)?;
        }
        Ok(values::known_instants(instants))
    }

    fn job<'b>(&self, command: &'b [u8], reporter: &mut Reporter<'_>) -> Result<Job<'b>, Refusal>
    where
        'a: 'b,
    {
        let word = self.get("JobState");
        let state = State::of(word);
        let number = jobid::job_id(self.get("JobId")).map(|id| id.number);
        let (has_started, has_ended) =
            (state != State::Waiting, !matches!(state, State::Waiting | State::Unfinished));
        // The least of a range such as 2-4, which a job that waits may have.
        let least = |text: &[u8]| values::count(text.split(|&byte| byte == b'-').next().unwrap_or_default());
        let task = self.get("ArrayTaskId");
        let pair = |first, second| whole(self.get(first)).zip(whole(self.get(second)));
        let asked = if self.get("ReqTRES").is_empty() { "TRES" } else { "ReqTRES" };
        let amount = |text: &[u8], of: fn(i64) -> Memory| match values::memory(text) {
            Ok(Some(Memory::Total(kb))) => Ok(Some(of(kb))),
            Ok(other) => Ok(other),
            Err(odd) => Err(odd),
        };
        let per_cpu = |each| Memory::PerCpu { each, leaked: false };
        let memory = match self.value("MinMemoryCPU", |text| amount(text, per_cpu), reporter)? {
            Some(memory) => Some(memory),
            None => self.value("MinMemoryNode", |text| amount(text, Memory::PerNode), reporter)?,
        };
        let processors = self.value("NumCPUs", least, reporter)?;
        let [submit, eligible, start, end] = self.instants(reporter)?;
        let account = self.get("Account");
        Ok(Job {
            line: self.line,
            number,
            member: Member {
                array: pair("ArrayJobId", "ArrayTaskId"),
                het: pair("HetJobId", "HetJobOffset"),
            },
            tasks: jobid::array_tasks(task).unwrap_or(1),
            task_list: task,
            at_most: whole(self.get("ArrayTaskThrottle"))
                .or_else(|| jobid::throttle(task))
                .filter(|&most| most > 0),
            user: name(self.get("UserId")),
            account: if account.is_empty() { name(self.get("GroupId")) } else { account },
            name: self.get("JobName"),
            partition: self.get("Partition").split(|&byte| byte == b',').next().unwrap_or_default(),
            qos: self.get("QOS"),
            constraint: self.get("Features"),
            alone: self.get("OverSubscribe") == b"NO",
            hosts: self.get("NodeList"),
            reason: self.get("Reason"),
            submit,
            eligible,
            start: start.filter(|_| has_started),
            considered: self.value("LastSchedEval", values::instant, reporter)?,
            end: end.filter(|_| has_ended),
            elapsed: self.value("RunTime", values::length, reporter)?.filter(|_| has_started),
            limit: self.value("TimeLimit", values::limit, reporter)?.unwrap_or_default(),
            state: (word, state),
            placed: Some(!self.get("NodeList").is_empty()),
            requested: processors,
            allocated: processors.filter(|_| has_started),
            of_core: self.of_core(),
            requeue: requeue(whole(self.get("Requeue")), whole(self.get("BatchFlag"))),
            nodes: self.value("NumNodes", least, reporter)?.filter(|&nodes| nodes > 0),
            memory: memory.unwrap_or_default(),
            gres: self.gres(),
            asked: self.tres(asked, reporter)?,
            got: self.tres("AllocTRES", reporter)?,
            command,
            ..Job::default()
        })
    }
}

struct Reader {
    ledger: Ledger,
    /// The lines of the job so far, and the number of the first.
    block: Vec<u8>,
    line: u32,
}

/// The most bytes of a job.
const LONGEST: usize = 1 << 20;

impl Reader {
    /// Takes the job that the lines so far describe.
    fn close(&mut self, reporter: &mut Reporter<'_>, explanation: &mut Explanation) -> Result<(), ReadError> {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        let values = Values::of(&block, self.line);
        // Other logs of Slurm have no word on when a job runs beside its name.
        if memchr::memmem::find(&block, b" JobName=").is_none() {
            return Ok(reporter.report_at(&kinds::NOT_A_JOB, self.line, || quoted(&block))?);
        }
        if values.get("JobState").is_empty() {
            reporter.report_at(&kinds::SHORT_ROW, self.line, || quoted(&block))?;
        }
        if let Some(explained) = explanation.line(self.line) {
            for ((key, to), value) in KEYS.iter().zip(values.values) {
                explained.cell(String::from_utf8_lossy(key), value, *to);
            }
        }
        let command = shown(values.get("Dependency"));
        let job = values.job(&command, reporter)?;
        self.ledger.jobs(&job, reporter)
    }
}

impl LineReader for Reader {
    const WANTS_BLANKS: bool = true;
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::NOT_A_JOB];

    fn line(
        &mut self,
        line: &Line<'_>,
        reporter: &mut Reporter<'_>,
        explanation: &mut Explanation,
    ) -> Result<(), ReadError> {
        let begins = line.bytes.starts_with(b"JobId=");
        let blank = line.bytes.trim_ascii().is_empty();
        if begins {
            self.close(reporter, explanation)?;
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
        let values = Values::of(block, 1);
        let text = |key| std::str::from_utf8(values.get(key)).unwrap();
        // A key within the name is read as a key: with -o the two look the same.
        assert_eq!((text("JobName"), text("UserId")), ("a  b=c", "x"));
        assert_eq!((text("MCS_label"), text("RunTime"), text("TimeLimit")), ("", "00:01:00", "01:00:00"));
        assert_eq!(shown(values.get("Dependency")), b"sbatch --dependency=afterok:5,after:6+3");
    }
}
