//! A job as plug-ins see it.

use batchlab_traces::workload::Preceding;
use batchlab_traces::{Field, JobId, Time};

use super::conversation::Asked;

/// The facts of a job that are sent to a plug-in at its submission. A fact is `None`, or an empty list, if it is unknown, has
/// its default, or is not asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say the rest.
pub struct ToldJob {
    /// Its number in the replay.
    pub job: JobId,
    pub number: i64,
    /// When it entered the queue.
    pub submit: Time,
    /// Its requested run time.
    pub estimate: Time,
    /// Its processors.
    pub procs: i64,
    pub task_procs: i64,
    /// Number of smaller tasks, if there is more than one.
    pub smaller_tasks: Option<i64>,
    /// The most tasks on a node.
    pub tasks_per_node: Option<i64>,
    /// Whether it has its nodes to itself.
    pub exclusive: bool,
    /// Its demand of each resource; empty if there are only processors.
    pub demand: Vec<i64>,
    pub memory: Option<i64>,
    pub run: Option<Time>,
    /// The facts of [`FACTS`], as numbers in the log.
    pub facts: [Option<i64>; FACTS.len()],
    /// Processors of a smaller task.
    pub smaller_procs: Option<i64>,
    /// The resources that each of its nodes has in equal parts.
    pub even: Vec<i64>,
    /// First and last node of each range on which it may be; `None` if it may be on every node.
    pub sites: Option<Vec<(usize, usize)>>,
    /// The jobs on which it depended.
    pub after: Vec<Preceding>,
}

/// The facts of a job that are numbers in the log, with their names.
pub const FACTS: [(Field, &str); 5] = [
    (Field::User, "user"),
    (Field::Group, "group"),
    (Field::Executable, "executable"),
    (Field::Queue, "queue"),
    (Field::Partition, "partition"),
];

impl ToldJob {
    /// Collects the facts of a job. O(nodes) if the plug-in asks for layouts.
    pub fn new(asked: &Asked<'_, '_>, id: JobId) -> ToldJob {
        let (job, asks) = (asked.turn.job(id), asked.asks);
        let layout = job.layout();
        let kinds = job.demand().len();
        let even = (0..kinds).filter(|&kind| asks.layout && layout.over == 0 && layout.is_even(kind));
        let oracle = asked.turn.oracle().filter(|_| asked.clairvoyant);
        ToldJob {
            job: id,
            number: job.number(),
            submit: job.submit(),
            estimate: job.estimate(),
            procs: job.procs(),
            task_procs: layout.task,
            smaller_tasks: Some(layout.rests).filter(|&rests| rests > 1),
            tasks_per_node: Some(layout.per_node).filter(|&most| most < i64::MAX),
            exclusive: layout.exclusive,
            demand: if kinds > 1 { job.demand().to_vec() } else { Vec::new() },
            memory: job.told_memory(),
            run: oracle.map(|oracle| oracle.run(id)),
            facts: FACTS.map(|(field, _)| Some(job.attribute(field)).filter(|&value| value >= 0)),
            smaller_procs: Some(layout.rest).filter(|_| asks.layout && layout.rests > 0),
            even: even.map(|kind| kind as i64).collect(),
            sites: if asks.layout { sites(asked, id) } else { None },
            after: if asks.dependencies { job.preceding().to_vec() } else { Vec::new() },
        }
    }
}

/// Returns the first and the last node of each range on which a job may be; `None` if it may be on every node.
fn sites(asked: &Asked<'_, '_>, id: JobId) -> Option<Vec<(usize, usize)>> {
    let machine = asked.turn.machine();
    let job = asked.turn.job(id);
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for node in (0..machine.nodes()).filter(|&node| job.admitted(machine, node)) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == node => *last = node,
            _ => ranges.push((node, node)),
        }
    }
    (ranges != [(0, machine.nodes() - 1)]).then_some(ranges)
}
