//! The columns that Slurm's jobs have beside the fields of SWF: the first job that needs a column creates it.

use batchlab_traces::Time;
use batchlab_traces::asked::{
    AGE_FROM, ASKED_CORE, ASKED_EACH, ASKED_LIMIT, ASKED_MEMORY_EACH, ASKED_MOST, ASKED_NODES, ASKED_OVER,
    ASKED_PARTITION, ASKED_PARTITIONS, ASKED_PER_NODE, ASKED_QOS, ASKED_REQUEUE, ASKED_SWITCHES, ASKED_TASK,
    BACKFILL, LEAST_NODES, MAIN, NICE, PRIORITY, PRIORITY_NOW, RAN_ON, REASON, RESERVATION, STARTED_BY,
    SUBMISSION, SWITCHES_WAIT,
};
use batchlab_traces::header::ColumnScope;
use batchlab_traces::notation::Bound;
use batchlab_traces::trace::{ARRAY_LIMIT, DependencyKind, StatedDependency, dependency_columns};
use batchlab_traces::workload::layout_columns::{EVEN_GPU, EVEN_MEMORY};

use crate::entry::Name;
use crate::normal::Normaliser;
use crate::slurm::command::{self, NodesAsked};
use crate::slurm::depends::throttle;
use crate::slurm::entry::{self, RequestSource};
use crate::slurm::job::Job;
use crate::slurm::state::State;

/// The most dependencies of a job that are kept.
const MOST_DEPENDENCIES: usize = 8;

/// Handles of the further columns that jobs have needed so far.
#[derive(Default)]
pub(super) struct JobColumns {
    known: Vec<(&'static str, usize)>,
    /// Of each dependency: number, kind, task and delay.
    after: [[Option<usize>; 4]; MOST_DEPENDENCIES],
    shared: crate::columns::Columns,
}

pub(super) struct JobRow<'a> {
    pub(super) columns: &'a mut JobColumns,
    pub(super) normaliser: &'a mut Normaliser,
    pub(super) values: &'a mut Vec<(usize, i64)>,
}

impl JobRow<'_> {
    /// Fills in all columns except dependencies; `places` says whether to keep the nodes that were asked for and used.
    pub(super) fn fill(
        &mut self,
        job: &Job<'_>,
        memory: Option<i64>,
        resources: &[(Vec<u8>, i64, RequestSource)],
        places: bool,
    ) {
        self.amounts(job, memory, resources);
        self.word("qos", job.qos);
        self.nodes_asked(job);
        self.word(STARTED_BY, started_by(job.flags).unwrap_or_default().as_bytes());
        self.stated(RESERVATION, job.reservation);
        self.stated(RAN_ON, if places { job.hosts } else { b"" });
        self.stated(REASON, &reason(job));
        if places {
            self.submit_line(job);
            self.on_each(job, resources);
        }
        // Most jobs have none.
        let of_queue = job.waits.nice.filter(|&nice| places && nice != 0);
        if let Some(nice) = command::nice(job.command).or(of_queue) {
            let at = self.at(NICE, |normaliser| {
                let at = normaliser.column(NICE, "", ColumnScope::Job);
                normaliser.absent(at, 0);
                at
            });
            self.values.push((at, nice));
        }
        let (memory, gpus) = entry::even_parts(job);
        self.count(EVEN_MEMORY, memory.then_some(1));
        self.count(EVEN_GPU, gpus.then_some(1));
        self.count(ARRAY_LIMIT, job.at_most.or_else(|| throttle(job.command)));
    }

    /// Fills in the seconds for which the job was held back before it could start.
    pub(super) fn held(&mut self, seconds: i64) {
        let at = self.at("eligible", |normaliser| {
            let at = normaliser.column("eligible", "s", ColumnScope::Job);
            normaliser.only_if_varied(at);
            at
        });
        self.values.push((at, seconds));
    }

    /// Fills in what a queue states about a waiting job; `since` are the seconds from its submission until its age counts.
    pub(super) fn queued(&mut self, job: &Job<'_>, since: Option<i64>) {
        self.count(AGE_FROM, since);
        self.count(LEAST_NODES, job.asked.nodes.filter(|&nodes| nodes > 0));
        self.count(PRIORITY_NOW, job.waits.priority.filter(|&priority| priority >= 0));
    }

    /// Fills in the dependency at this place; `false` if there are no columns for it.
    pub(super) fn after(&mut self, place: usize, one: &StatedDependency) -> bool {
        let Some(columns) = self.columns.after.get_mut(place) else { return false };
        let code = one.kind.code() + if one.any { DependencyKind::ANY } else { 0 };
        let delay = Some(one.delay).filter(|&delay| delay > Time::ZERO);
        let delay = delay.map_or(-1, |delay| delay.ticks() / Time::SECOND.ticks());
        let values = [one.on, code, one.task, delay];
        for ((column, name), value) in columns.iter_mut().zip(&dependency_columns(place)).zip(values) {
            if value >= 0 {
                let unit = if name.ends_with("_delay") { "s" } else { "" };
                let create = || self.normaliser.column(name, unit, ColumnScope::Job);
                self.values.push((*column.get_or_insert_with(create), value));
            }
        }
        true
    }

    fn amounts(&mut self, job: &Job<'_>, memory: Option<i64>, resources: &[(Vec<u8>, i64, RequestSource)]) {
        // For a job of several processors that never got nodes, Slurm writes one node if the request has no number.
        let procs = job.requested.or(job.asked.cpu);
        let is_stated = |nodes: i64| nodes > 1 || procs == Some(1) || entry::started(job);
        self.count("nodes", job.nodes.filter(|&nodes| nodes > 0 && is_stated(nodes)));
        if let Some(memory) = memory {
            let at = self.at("memory", |normaliser| normaliser.column("memory", "KB", ColumnScope::Pool));
            self.values.push((at, memory));
        }
        for (name, amount, _) in resources {
            let unit = if name.starts_with(b"bb/") { "MB" } else { "" };
            let at = self.normaliser.column(&String::from_utf8_lossy(name), unit, ColumnScope::Pool);
            self.normaliser.absent(at, 0);
            self.values.push((at, *amount));
        }
    }

    fn nodes_asked(&mut self, job: &Job<'_>) {
        let asked = NodesAsked::of(job.command);
        let constraint = asked.constraint(job.constraint, job.nodes);
        self.columns.shared.put_constraint(&constraint, self.values, self.normaliser);
        self.count("exclusive", (job.alone || asked.exclusive).then_some(1));
    }

    /// Fills in the request for nodes, tasks and switches by the line of the submission, and the priority.
    fn submit_line(&mut self, job: &Job<'_>) {
        let line = String::from_utf8_lossy(job.command);
        let switches = command::switches(&line);
        let nodes = command::nodes(&line);
        self.count(ASKED_NODES, nodes.map(|(least, _)| least));
        self.count(ASKED_MOST, nodes.filter(|(least, most)| most > least).map(|(_, most)| most));
        self.count(ASKED_TASK, command::task(&line));
        self.count(ASKED_PER_NODE, command::per_node(&line));
        self.count(ASKED_CORE, job.of_core.or_else(|| command::of_core(&line)));
        self.count(ASKED_MEMORY_EACH, entry::has_memory_each(job));
        let limit = job.limit.stated().and_then(Bound::most).map(|limit| (limit.secs() / 60.0).ceil() as i64);
        let asked = command::time(&line);
        self.count(ASKED_LIMIT, asked.filter(|&asked| limit.is_some_and(|limit| limit != asked)));
        self.count(ASKED_REQUEUE, job.requeue.or_else(|| command::requeue(&line)));
        self.count(ASKED_SWITCHES, switches.map(|(count, _)| count));
        self.count(SWITCHES_WAIT, switches.and_then(|(_, wait)| wait));
        if let Some(list) = partitions(job, &line) {
            self.word(ASKED_PARTITIONS, list);
        }
        for (name, asked, known) in [
            (ASKED_PARTITION, command::partition(&line), job.partition),
            (ASKED_QOS, command::qos(&line), job.qos),
        ] {
            let is_other = |asked: &&str| !known.is_empty() && asked.as_bytes() != known;
            self.word(name, asked.filter(is_other).map_or(b"", str::as_bytes));
        }
        self.count(PRIORITY, job.priority.filter(|&priority| priority > 0));
    }

    fn on_each(&mut self, job: &Job<'_>, resources: &[(Vec<u8>, i64, RequestSource)]) {
        let Some((names, over)) = entry::on_each(job, resources) else { return };
        for name in names {
            let name = format!("{ASKED_EACH}{}", String::from_utf8_lossy(&name));
            let at = self.normaliser.column(&name, "", ColumnScope::Job);
            self.values.push((at, 1));
        }
        self.count(ASKED_OVER, Some(over));
    }

    fn count(&mut self, name: &'static str, count: Option<i64>) {
        if let Some(count) = count {
            let at = self.at(name, |normaliser| normaliser.column(name, "", ColumnScope::Job));
            self.values.push((at, count));
        }
    }

    fn word(&mut self, name: &'static str, word: &[u8]) {
        if !word.is_empty() {
            let at = self.at(name, |normaliser| normaliser.named_column(name));
            self.values.push((at, self.normaliser.number(at, Name::of(word))));
        }
    }

    /// Fills in a name, unless it is one of Slurm's words for none.
    fn stated(&mut self, name: &'static str, word: &[u8]) {
        if !matches!(word, b"(null)" | b"None" | b"None assigned") {
            self.word(name, word);
        }
    }

    fn at(&mut self, name: &'static str, create: impl FnOnce(&mut Normaliser) -> usize) -> usize {
        if let Some(&(_, at)) = self.columns.known.iter().find(|(known, _)| *known == name) {
            return at;
        }
        let at = create(self.normaliser);
        self.columns.known.push((name, at));
        at
    }
}

/// Returns the list of the partitions in which a job may run, if there are several: that of a waiting job, or that of the submission
/// if the job ran in one of its partitions.
fn partitions<'a>(job: &Job<'a>, line: &'a str) -> Option<&'a [u8]> {
    if job.partition.contains(&b',') {
        return Some(job.partition);
    }
    let asked = command::partitions(line)?.as_bytes();
    asked.split(|&byte| byte == b',').any(|name| name == job.partition).then_some(asked)
}

/// Returns the loop of the scheduler that started a job.
fn started_by(flags: &[u8]) -> Option<&'static str> {
    let has = |flag: &str| flags.split(|&byte| byte == b',').any(|part| part == flag.as_bytes());
    let loops = [("SchedSubmit", SUBMISSION), ("SchedMain", MAIN), ("SchedBackfill", BACKFILL)];
    loops.into_iter().find(|(flag, _)| has(flag)).map(|(_, name)| name)
}

/// Returns why a job waits, in the words of `scontrol`, which has an underscore where `squeue` has a blank: "launch failed requeued
/// held". Names of accounts or service classes in parentheses are left out.
fn reason(job: &Job<'_>) -> Vec<u8> {
    let told = if job.state.1 == State::Waiting { job.reason } else { b"" };
    let told = told.split(|&byte| byte == b'(').next().unwrap_or_default();
    let told = told.trim_ascii().strip_suffix(b"_").unwrap_or(told.trim_ascii());
    told.iter().map(|&byte| if byte == b' ' { b'_' } else { byte }).collect()
}
