use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::notation::tasks;
use batchlab_traces::{Refusal, Time};
use serde_json::Value;

use super::walk::{first, gres, instant, instants, job_number, limit, memory, number, pair, state, text};
use crate::entry::Member;
use crate::reporter::{Reporter, quoted};
use crate::slurm::destinations as to;
use crate::slurm::job::{Accrued, Job, QueuedJob, Usage, requeue, suspended_before};
use crate::slurm::kinds;
use crate::slurm::queued::ShapeStated;
use crate::slurm::state::State;
use crate::slurm::tres::Tres;

pub(super) fn job<'a>(
    job: &'a Value,
    _: &Usage,
    line: u32,
    command: &'a mut Vec<u8>,
    reporter: &mut Reporter<'_>,
) -> Result<Job<'a>, Refusal> {
    let number_of = job_number(job, line, reporter)?;
    let state = queue_state(&job["job_state"]);
    let (has_started, has_ended) = (state.1.has_started(), state.1.has_ended());
    let tasks = text(&job["array_task_string"]);
    let asked = tres(job, "tres_req_str", line, reporter)?;
    let got = if has_started { tres(job, "tres_alloc_str", line, reporter)? } else { Tres::default() };
    let processors = number(&job["cpus"]).filter(|&count| count > 0);
    let nodes = text(&job["nodes"]);
    let [submit, eligible, start, end] =
        instants(["submit_time", "eligible_time", "start_time", "end_time"].map(|key| &job[key]));
    *command = shape(job).command(state.1);
    Ok(Job {
        line,
        number: number_of,
        member: Member {
            array: pair(&job["array_job_id"], &job["array_task_id"]),
            het: pair(&job["het_job_id"], &job["het_job_offset"]),
        },
        tasks: if tasks.is_empty() { 1 } else { tasks::count(tasks).unwrap_or(1) },
        task_list: tasks,
        at_most: tasks::throttle(tasks).or_else(|| number(&job["array_max_tasks"]).filter(|&most| most > 0)),
        user: text(&job["user_name"]),
        account: first(text(&job["account"]), text(&job["group_name"])),
        name: text(&job["name"]),
        partition: text(&job["partition"]),
        qos: text(&job["qos"]),
        constraint: text(&job["features"]),
        alone: is_alone(job),
        reservation: text(&job["resv_name"]),
        hosts: nodes,
        reason: State::reason(state.0, text(&job["state_reason"])),
        cluster: text(&job["cluster"]),
        submit,
        eligible,
        start: start.filter(|_| has_started),
        considered: instant(&job["last_sched_evaluation"]),
        end: end.filter(|_| has_ended),
        elapsed: elapsed(job, state.1, start.zip(end)),
        suspended: suspended_before(
            state.1,
            start,
            instant(&job["suspend_time"]),
            number(&job["pre_sus_time"]),
        ),
        limit: limit(&job["time_limit"]),
        state,
        placed: Some(!nodes.is_empty()),
        requested: asked.cpu.or(processors),
        allocated: got.cpu.or(processors).filter(|_| has_started),
        requeue: requeue(flag(&job["requeue"]), flag(&job["batch_flag"])),
        of_core: of_core(job),
        nodes: number(&job["node_count"]).filter(|&nodes| nodes > 0).or(asked.nodes),
        memory: memory(job),
        gres: gres(job),
        asked,
        got,
        waits: waits(job),
        command,
        ..Job::default()
    })
}

fn tres<'a>(job: &'a Value, key: &str, line: u32, reporter: &mut Reporter<'_>) -> Result<Tres<'a>, Refusal> {
    let mut odd = None;
    let tres = Tres::of(text(&job[key]), |part| odd = Some(part));
    if let Some(part) = odd {
        reporter.report_at(&kinds::ODD_VALUE, line, || format!("{key} {}", quoted(part)))?;
    }
    Ok(tres)
}

/// Returns the state. It is a list, which also says how an ending job ends, and that a held job waits.
fn queue_state(value: &Value) -> (&[u8], State) {
    let ending = value.as_array().and_then(|list| list.iter().find(|word| *word == "COMPLETING"));
    let (word, state) = ending.map_or_else(|| state(value), |word| (text(word), State::Completing));
    (word, state.in_queue())
}

/// Returns how long a suspended or an ending job had run; for a running job it follows from the instant of the queue.
fn elapsed(job: &Value, state: State, run: Option<(Stamp, Stamp)>) -> Option<Time> {
    match state {
        State::Suspended => number(&job["pre_sus_time"]).filter(|&ran| ran >= 0).map(Time::from_secs),
        State::Completing => run.map(|(start, end)| Time::from_ticks(end.micros - start.micros)),
        _ => None,
    }
}

/// Whether no other job may share the nodes of a job: `shared` is `none`, or from version 26.05 on `exclusive` is `node`.
fn is_alone(job: &Value) -> bool {
    let is_word =
        |value: &Value, word: &str| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case(word));
    let is = |value: &Value, word: &str| match value {
        Value::Array(list) => list.iter().any(|value| is_word(value, word)),
        value => is_word(value, word),
    };
    is(&job["exclusive"], "node") || is(&job["shared"], "none")
}

fn shape(job: &Value) -> ShapeStated<'_> {
    let count = |key: &str| number(&job[key]);
    ShapeStated {
        dependency: text(&job["dependency"]),
        nodes: count("node_count"),
        most: count("max_nodes"),
        per_node: count("tasks_per_node"),
        task: count("cpus_per_task"),
        on_node: count("minimum_cpus_per_node"),
        alone: is_alone(job),
        required: text(&job["required_nodes"]),
        excluded: text(&job["excluded_nodes"]),
    }
}

fn waits(job: &Value) -> QueuedJob {
    QueuedJob {
        accrued: Accrued::of(instant(&job["accrue_time"]), number(&job["accrue_time"]) == Some(0)),
        priority: number(&job["priority"]),
        nice: number(&job["nice"]),
    }
}

/// Returns 1 or 0 for a value that is true or false, or such a number.
fn flag(value: &Value) -> Option<i64> {
    value.as_bool().map(i64::from).or_else(|| number(value).filter(|flag| [0, 1].contains(flag)))
}

/// Returns the processors of each core that a job may use, by its threads or its tasks for each core; 65535 tasks are any number.
fn of_core(job: &Value) -> Option<i64> {
    let count = |key: &str| number(&job[key]).filter(|count| (1..0xffff).contains(count));
    let tasks = count("tasks_per_core").map(|tasks| tasks * count("cpus_per_task").unwrap_or(1));
    count("threads_per_core").into_iter().chain(tasks).min()
}

pub(super) const PARTS: &[(&str, &str)] = &[
    ("job_id", "job number"),
    ("array_job_id", "array"),
    ("array_task_id", "array_task"),
    ("array_task_string", "tasks of an array in one row; array_limit"),
    ("user_name", "user"),
    ("account", "group"),
    ("name", "application"),
    ("partition", to::PARTITIONS),
    ("qos", "qos"),
    ("requeue", "asked_requeue"),
    ("batch_flag", "asked_requeue, likewise: jobs of srun may not"),
    ("features", "constraint"),
    ("resv_name", "reservation"),
    ("cluster", "computer"),
    ("dependency", "dependencies"),
    ("job_state", "status"),
    ("state_reason", "reason"),
    ("submit_time", "submit time"),
    ("eligible_time", to::ELIGIBLE),
    ("start_time", to::WAIT),
    ("end_time", to::RUN),
    ("last_sched_evaluation", to::WRITTEN),
    ("accrue_time", to::AGE_FROM),
    ("priority", to::PRIORITY_NOW),
    ("nice", to::NICE),
    ("time_limit", "requested time, min"),
    ("node_count", "nodes"),
    ("threads_per_core", to::BY_CORE),
    ("tasks_per_core", to::TASKS_BY_CORE),
    ("max_nodes", to::SHAPE),
    ("tasks_per_node", to::SHAPE),
    ("cpus_per_task", to::SHAPE),
    ("minimum_cpus_per_node", to::SHAPE),
    ("shared", "exclusive"),
    ("exclusive", "exclusive"),
    ("required_nodes", to::EXCLUDED),
    ("excluded_nodes", to::EXCLUDED),
    ("suspend_time", to::SUSPENDED),
    ("pre_sus_time", to::SUSPENDED),
    ("tres_req_str", to::ASKED),
    ("tres_alloc_str", "allocated resources"),
    ("tres_per_job", "gpu and other resources, if tres_req_str has none of the name"),
    ("tres_per_node", to::OF_NODE),
    ("tres_per_socket", to::OF_SOCKET),
    ("tres_per_task", to::OF_TASK),
];
