use std::borrow::Cow;

use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::notation::{tasks, whole};
use batchlab_traces::{Refusal, Time};
use serde_json::Value;

use crate::entry::Member;
use crate::explain::Explanation;
use crate::reporter::{Reporter, quoted};
use crate::slurm::destinations as to;
use crate::slurm::gres::{GresAsked, Per};
use crate::slurm::job::{Job, Usage};
use crate::slurm::kinds;
use crate::slurm::state::State;
use crate::slurm::tres::Tres;
use crate::slurm::values::{MemoryRequest, SlurmTimeLimit, known_instants};

pub(super) fn job<'a>(
    job: &'a Value,
    usage: &Usage,
    line: u32,
    _: &'a mut Vec<u8>,
    reporter: &mut Reporter<'_>,
) -> Result<Job<'a>, Refusal> {
    let time = &job["time"];
    let (asked, got) = (tres(&job["tres"]["requested"]), tres(&job["tres"]["allocated"]));
    let nodes = number(&job["allocation_nodes"]).filter(|&nodes| nodes > 0).or(asked.nodes);
    let tasks = text(&job["array"]["task"]);
    let [submit, eligible, start, end] =
        instants(["submission", "eligible", "start", "end"].map(|key| &time[key]));
    Ok(Job {
        line,
        number: job_number(job, line, reporter)?,
        member: Member {
            array: pair(&job["array"]["job_id"], &job["array"]["task_id"]),
            het: pair(&job["het"]["job_id"], &job["het"]["job_offset"]),
        },
        tasks: if tasks.is_empty() { 1 } else { tasks::count(tasks).unwrap_or(1) },
        task_list: tasks,
        at_most: number(&job["array"]["limits"]["max"]["running"]["tasks"]).filter(|&at_most| at_most > 0),
        user: first(text(&job["user"]), text(&job["association"]["user"])),
        account: first(text(&job["account"]), text(&job["group"])),
        name: text(&job["name"]),
        partition: text(&job["partition"]),
        qos: text(&job["qos"]),
        priority: number(&job["priority"]),
        constraint: text(&job["constraints"]),
        reservation: text(&job["reservation"]["name"]),
        hosts: text(&job["nodes"]),
        reason: text(&job["state"]["reason"]),
        cluster: text(&job["cluster"]),
        submit,
        eligible,
        never_eligible: eligible.is_none() && number(&time["eligible"]) == Some(0),
        start,
        end,
        elapsed: number(&time["elapsed"]).filter(|&seconds| seconds >= 0).map(Time::from_secs),
        suspended: number(&time["suspended"]).filter(|&seconds| seconds >= 0).map(Time::from_secs),
        limit: time.get("limit").map_or(SlurmTimeLimit::Unknown, limit),
        state: state(&job["state"]["current"]),
        placed: job["nodes"].as_str().map(|nodes| !matches!(nodes, "" | "None assigned")),
        requested: number(&job["required"]["CPUs"]).filter(|&count| count >= 0),
        allocated: got.cpu,
        nodes,
        cpu: length(&time["total"]).filter(|&cpu| cpu > Time::ZERO).or(usage.cpu),
        used: usage.memory,
        memory: memory(&job["required"]),
        gres: gres(job),
        asked,
        got,
        command: text(&job["submit_line"]),
        ..Job::default()
    })
}

pub(super) const PARTS: &[(&str, &str)] = &[
    ("job_id", "job number"),
    ("user", "user"),
    ("account", "group"),
    ("name", "application"),
    ("partition", "queue and partition"),
    ("qos", "qos"),
    ("priority", "priority, with --slurm"),
    ("constraints", "constraint"),
    ("reservation.name", "reservation"),
    ("cluster", "computer"),
    ("time.submission", "submit time"),
    ("time.eligible", to::ELIGIBLE),
    ("time.start", "wait time"),
    ("time.end", "run time, if elapsed is missing"),
    ("time.elapsed", "run time"),
    ("time.suspended", "check: end - start - elapsed"),
    ("time.limit", "requested time, min"),
    ("time.total", "CPU time"),
    ("state.current", "status"),
    ("nodes", to::STARTED),
    ("allocation_nodes", "nodes"),
    ("required", "requested processors; memory, if tres is missing"),
    ("tres.requested", "memory, gpu and other resources"),
    ("tres.allocated", "allocated processors"),
    (
        "submit_line",
        "dependencies (after1, after1_kind, ...), array_limit, exclusive, constraint, nice; gpu, if tres has none",
    ),
    ("steps", "used memory, CPU time"),
];

pub(super) fn explain(parts: &[(&str, &str)], job: &Value, line: u32, explanation: &mut Explanation) {
    let Some(explained) = explanation.line(line) else { return };
    for &(path, to) in parts {
        let value = path.split('.').fold(job, |value, key| &value[key]);
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        explained.cell(path, text.as_bytes(), to);
    }
}

pub(super) fn job_number(
    job: &Value,
    line: u32,
    reporter: &mut Reporter<'_>,
) -> Result<Option<i64>, Refusal> {
    let found = number(&job["job_id"]).filter(|&number| number > 0);
    if found.is_none() {
        let detail = || format!("job_id {}", quoted(job["job_id"].to_string().as_bytes()));
        reporter.report_at(&kinds::ODD_VALUE, line, detail)?;
    }
    Ok(found)
}

/// Returns the number of an array or a heterogeneous job, which is zero for other jobs, and that of a part.
pub(super) fn pair(whole: &Value, part: &Value) -> Option<(i64, i64)> {
    number(whole).filter(|&whole| whole > 0).zip(number(part).filter(|&part| part >= 0))
}

pub(super) fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => {
            let float = || number.as_f64().filter(|float| float.abs() < 9e15).map(|float| float as i64);
            number.as_i64().or_else(float)
        }
        Value::String(text) => whole(text.as_bytes()),
        Value::Object(_) if value["set"] == false || value["infinite"] == true => None,
        Value::Object(parts) => parts.get("number").filter(|number| number.is_number()).and_then(number),
        Value::Null | Value::Bool(_) | Value::Array(_) => None,
    }
}

pub(super) fn text(value: &Value) -> &[u8] {
    value.as_str().unwrap_or_default().as_bytes()
}

pub(super) fn first<'a>(one: &'a [u8], other: &'a [u8]) -> &'a [u8] {
    if one.is_empty() { other } else { one }
}

pub(super) fn instant(value: &Value) -> Option<Stamp> {
    counted(value).filter(|stamp| stamp.micros > 0)
}

/// As [`instant`], with the second 0 of logs that count from their own zero.
fn counted(value: &Value) -> Option<Stamp> {
    let seconds = number(value).filter(|seconds| (0..1 << 40).contains(seconds))?;
    Some(Stamp { micros: seconds * 1_000_000, offset: Some(0) })
}

/// Returns the instants of a job's submission, eligibility, start and end.
pub(super) fn instants(values: [&Value; 4]) -> [Option<Stamp>; 4] {
    known_instants(values.map(counted))
}

fn length(value: &Value) -> Option<Time> {
    let (seconds, micros) = (number(&value["seconds"])?, number(&value["microseconds"]).unwrap_or(0));
    let valid = (0..1 << 40).contains(&seconds) && (0..1 << 40).contains(&micros);
    valid.then(|| Time::from_ticks(seconds * 1_000_000 + micros))
}

/// Versions before 23.11 write null both for no limit and for the partition's limit.
pub(super) fn limit(value: &Value) -> SlurmTimeLimit {
    match (value, number(value)) {
        (_, Some(minutes @ 1..=0xff_ffff_ffff)) => SlurmTimeLimit::Of(Time::from_secs(minutes * 60)),
        (Value::Null, _) => SlurmTimeLimit::Unlimited,
        (Value::Object(_), _) if value["infinite"] == true => SlurmTimeLimit::Unlimited,
        _ => SlurmTimeLimit::Unknown,
    }
}

/// Returns the state; of several states, the one that shows whether the job went on.
pub(super) fn state(value: &Value) -> (&[u8], State) {
    let words: Vec<&[u8]> = match value {
        Value::Array(list) => list.iter().map(text).collect(),
        one => vec![text(one)],
    };
    let mut states = words.iter().map(|&word| (word, State::of(word)));
    let went_on = states.clone().find(|(_, state)| matches!(state, State::Requeued | State::Resized));
    went_on.or_else(|| states.next()).unwrap_or((b"", State::NotTold))
}

/// Returns a list of resources; its memory is in MB.
fn tres(list: &Value) -> Tres<'_> {
    let mut tres = Tres::default();
    for part in list.as_array().into_iter().flatten() {
        let Some(amount) = number(&part["count"]).filter(|&amount| amount >= 0) else { continue };
        let (kind, name) = (text(&part["type"]), text(&part["name"]));
        let kind =
            if name.is_empty() { Cow::Borrowed(kind) } else { Cow::Owned([kind, b"/", name].concat()) };
        let amount = if kind.as_ref() == b"mem" { amount.saturating_mul(1024) } else { amount };
        tres.add(kind, amount);
    }
    tres
}

/// Returns the resources beside the lists of trackable resources.
pub(super) fn gres(job: &Value) -> GresAsked<'_> {
    let of = [
        (Per::Job, "tres_per_job"),
        (Per::Node, "tres_per_node"),
        (Per::Task, "tres_per_task"),
        (Per::Socket, "tres_per_socket"),
    ];
    let count = |key| number(&job[key]).filter(|&count| count > 0);
    let gres = GresAsked::of(of.map(|(per, key)| (per, text(&job[key]))));
    GresAsked { tasks: count("tasks"), sockets: count("sockets_per_node"), ..gres }
}

/// Returns the separate memory request, MB, for jobs whose resources are not listed.
pub(super) fn memory(required: &Value) -> MemoryRequest {
    let kb = |key: &str| number(&required[key]).filter(|mb| (1..1 << 40).contains(mb)).map(|mb| mb * 1024);
    if let Some(each) = kb("memory_per_cpu") {
        return MemoryRequest::PerCpu { each, leaked: false };
    }
    kb("memory_per_node").map_or(MemoryRequest::Unknown, MemoryRequest::PerNode)
}

pub(super) fn step(step: &Value, usage: &mut Usage) {
    // In this schema, "requested" holds the resources that a step used.
    let taken = &step["tres"]["requested"];
    let memory = |list: &Value| -> Option<i64> {
        let part = list.as_array()?.iter().find(|part| part["type"] == "mem")?;
        number(&part["count"]).filter(|bytes| (0..1 << 60).contains(bytes))
    };
    let (total, most) = (memory(&taken["total"]), memory(&taken["max"]));
    usage.step(total, most, number(&step["tasks"]["count"]), length(&step["time"]["total"]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn numbers_come_bare_and_in_objects() {
        assert_eq!(number(&json("7")), Some(7));
        assert_eq!(number(&json(r#"{"set":true,"infinite":false,"number":7}"#)), Some(7));
        assert_eq!(number(&json(r#"{"set":false,"infinite":false,"number":0}"#)), None);
        assert_eq!(
            (number(&json("\"7\"")), number(&json("null")), number(&json("1e300"))),
            (Some(7), None, None)
        );
        assert_eq!(limit(&json(r#"{"set":false,"infinite":true,"number":0}"#)), SlurmTimeLimit::Unlimited);
        assert_eq!(limit(&json("5")), SlurmTimeLimit::Of(Time::from_secs(300)));
    }

    #[test]
    fn states_come_bare_and_in_lists() {
        assert_eq!(state(&json("\"TIMEOUT\"")).1, State::Ended(0));
        assert_eq!(state(&json(r#"["COMPLETED"]"#)).1, State::Ended(1));
        assert_eq!(state(&json(r#"["PREEMPTED","REQUEUED"]"#)).1, State::Requeued);
        assert_eq!((state(&json("null")).1, state(&json("[]")).1), (State::NotTold, State::NotTold));
    }
}
