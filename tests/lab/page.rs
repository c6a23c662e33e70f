//! A scenario as a page of a paper: a table of jobs with the expected starts under each policy.

use batchlab::Outcome;
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::{InteractiveRule, PlainJob};
use batchlab::traces::{Machine, Time, Workload};

use super::{Play, overrun, play};

/// A table of jobs on a machine.
#[derive(Clone)]
pub struct Page {
    jobs: Vec<PlainJob>,
    /// Expected starts in seconds: the name of each column, and its values job by job.
    columns: Vec<(String, Vec<f64>)>,
    machine: Vec<(String, i64)>,
    nodes: usize,
    unequal: Vec<Vec<i64>>,
    devices: Option<(usize, i64)>,
    task_procs: i64,
    by_node: bool,
    partitions: Vec<Vec<i64>>,
    events: String,
    overrun: Overrun,
    limits: String,
    priorities: String,
    calendar: (String, String),
    interactive: Option<InteractiveRule>,
    slurm: bool,
}

/// A page on a machine of `procs` processors.
///
/// The first line of the table names its columns: `job submit run estimate procs`, then further resources and `user` or
/// `partition` if needed, then `->` and one column of expected starts per policy. Times are seconds.
pub fn page(procs: i64, table: &str) -> Page {
    let mut lines = table.lines().map(str::trim).filter(|line| !line.is_empty());
    let (facts, names) = lines.next().and_then(|head| head.split_once("->")).expect("a head with ->");
    let facts: Vec<&str> = facts.split_whitespace().collect();
    let names = names.split_whitespace();
    let mut columns: Vec<(String, Vec<f64>)> = names.map(|name| (name.into(), Vec::new())).collect();
    let mut jobs = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split_whitespace().filter(|&cell| cell != "->").collect();
        assert_eq!(cells.len(), facts.len() + columns.len(), "a cell for each column: {line}");
        jobs.push(job(&facts, &cells, jobs.len()));
        for ((_, starts), cell) in columns.iter_mut().zip(&cells[facts.len()..]) {
            starts.push(cell.parse().unwrap());
        }
    }
    let resources = facts[4..].iter().filter(|&&name| is_resource(name));
    let machine = resources.map(|&name| (name.to_owned(), if name == "procs" { procs } else { 0 }));
    let machine = machine.collect();
    Page {
        jobs,
        columns,
        machine,
        nodes: 1,
        unequal: Vec::new(),
        devices: None,
        task_procs: 1,
        by_node: false,
        partitions: Vec::new(),
        events: "batch".into(),
        overrun: Overrun::Raise,
        limits: String::new(),
        priorities: String::new(),
        calendar: (String::new(), "none".into()),
        interactive: None,
        slurm: false,
    }
}

fn is_resource(name: &str) -> bool {
    name != "user" && name != "partition"
}

fn job(facts: &[&str], cells: &[&str], row: usize) -> PlainJob {
    let number = |name: &str| -> Option<f64> {
        let at = facts.iter().position(|&fact| fact == name)?;
        Some(cells[at].parse().unwrap())
    };
    let time = |name: &str| Time::from_secs_f64(number(name).unwrap());
    assert_eq!(number("job"), Some(row as f64 + 1.0), "jobs are numbered from 1 in the order of the table");
    PlainJob {
        estimate: time("estimate"),
        user: number("user").unwrap_or(1.0) as i64,
        partition: number("partition").unwrap_or(-1.0) as i64,
        ..PlainJob::new(
            time("submit"),
            time("run"),
            facts[4..]
                .iter()
                .filter(|&&name| is_resource(name))
                .map(|name| number(name).unwrap() as i64)
                .collect(),
        )
    }
}

impl Page {
    pub fn with(mut self, resource: &str, amount: i64) -> Page {
        let known = self.machine.iter_mut().find(|(name, _)| name == resource);
        known.expect("a column of that name").1 = amount;
        self
    }

    pub fn events(mut self, order: &str) -> Page {
        self.events = order.into();
        self
    }

    /// Makes it a machine of `nodes` nodes, each with the page's processors and further resources.
    pub fn nodes(mut self, nodes: usize) -> Page {
        self.nodes = nodes;
        self
    }

    /// Makes it a machine of nodes with these capacities, each listed in the order of the table's columns.
    pub fn unequal(mut self, nodes: &[&[i64]]) -> Page {
        self.unequal = nodes.iter().map(|amounts| amounts.to_vec()).collect();
        self
    }

    /// Makes a resource of the table come in devices of this capacity.
    pub fn devices(mut self, resource: &str, size: i64) -> Page {
        let at = self.machine.iter().position(|(name, _)| name == resource);
        self.devices = Some((at.expect("a column of that name"), size));
        self
    }

    pub fn partitions(mut self, partitions: &[&[i64]]) -> Page {
        self.partitions = partitions.iter().map(|named| named.to_vec()).collect();
        self
    }

    pub fn tasks_of(mut self, procs: i64) -> Page {
        self.task_procs = procs;
        self
    }

    /// Chooses nodes one by one even if there is only one node.
    pub fn by_node(mut self) -> Page {
        self.by_node = true;
        self
    }

    pub fn overrun(mut self, rule: Overrun) -> Page {
        self.overrun = rule;
        self
    }

    pub fn limits(mut self, limits: &str) -> Page {
        self.limits = limits.into();
        self
    }

    pub fn priorities(mut self, priorities: &str) -> Page {
        self.priorities = priorities.into();
        self
    }

    /// Sets the calendar of capacity for the following replays, in the form of a calendar file, and what policies know.
    pub fn calendar(mut self, foresight: &str, calendar: &str) -> Page {
        self.calendar = (calendar.into(), foresight.into());
        self
    }

    pub fn interactive(mut self, condition: &str) -> Page {
        self.interactive = Some(InteractiveRule::Condition(condition.into()));
        self
    }

    /// Makes it a Slurm installation with the defaults of 22.05 and `select/cons_tres`.
    pub fn slurm(mut self) -> Page {
        self.slurm = true;
        self
    }

    /// Replays a policy and compares every start with the named column.
    #[track_caller]
    pub fn outcome(&self, column: &str, spec: &str) -> Outcome {
        let (outcome, workload) = (self.replay(spec), self.play().scenario.workload);
        let (_, expected) =
            self.columns.iter().find(|(name, _)| name == column).expect("a column of that name");
        let mut starts = vec![0.0; expected.len()];
        for job in workload.jobs() {
            starts[workload.row(job)] = outcome.start(job).secs();
        }
        assert_eq!(&starts, expected, "starts of `{spec}` in {} against column {column}", self.events);
        outcome
    }

    pub fn replay(&self, spec: &str) -> Outcome {
        play(&self.play(), spec).0
    }

    /// The scenario, for a test's own policies.
    pub fn play(&self) -> Play {
        let jobs: Vec<PlainJob> = self.jobs.iter().map(|job| overrun(self.overrun, job)).collect();
        let resources = self.machine.iter().map(|(name, _)| match name.as_str() {
            "procs" => processors(),
            _ => Resource { name: name.clone(), unit: String::new(), sharing: Sharing::Space },
        });
        let amounts: Vec<i64> = self.machine.iter().map(|(_, amount)| *amount).collect();
        let equal = vec![amounts; self.nodes];
        let nodes = if self.unequal.is_empty() { &equal } else { &self.unequal };
        let mut machine = Machine::new(resources.collect(), nodes).unwrap();
        if !self.partitions.is_empty() {
            machine = machine.with_partitions(self.partitions.clone()).unwrap();
        }
        if let Some((resource, size)) = self.devices {
            machine = machine.with_devices(resource, size).unwrap();
        }
        let mut workload = Workload::from_jobs(&jobs).in_tasks_of(self.task_procs);
        if let Some(rule) = &self.interactive {
            workload = workload.with_interactive(rule, &machine).unwrap();
        }
        let play = Play::new(machine, workload).events(&self.events);
        let play = Play { overrun: self.overrun, by_node: self.by_node, ..play }
            .limits(&self.limits)
            .priorities(&self.priorities)
            .calendar(&self.calendar.0, &self.calendar.1);
        if self.slurm { play.slurm() } else { play }
    }
}
