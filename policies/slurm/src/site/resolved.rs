//! An installation, resolved for the jobs of a log: whose partitions, service classes and associations they have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::accounts::Tree;
use super::blocks::{Block, Blocks, Request};
use super::sharing::{PARTS, SharedGpus};
use super::{
    Association, PreemptBy, Qos, SelectUnit, SlurmNode, SlurmPartition, SlurmSystem, SwitchWish, hosts,
};
use batchlab_policies::JobView;
use batchlab_traces::asked::{
    ASKED_CORE, ASKED_MEMORY_EACH, ASKED_MOST, ASKED_NODES, ASKED_PER_NODE, ASKED_REQUEUE, ASKED_SWITCHES,
    ASKED_TASK, BACKFILL, NICE, PRIORITY, RAN_ON, RESERVATION, STARTED_BY, SWITCHES_WAIT,
};
use batchlab_traces::constraint::Constraint;
use batchlab_traces::field::Field;
use batchlab_traces::finding::{Example, Findings, Kind, Level, Refusal};
use batchlab_traces::header::{Header, Named};
use batchlab_traces::layout::Layout;
use batchlab_traces::machine::{Fit, Machine, MachineError, Resource, Sharing, processors};
use batchlab_traces::priorities::{Preempted, Preemptible};
use batchlab_traces::redact::Pseudonyms;
use batchlab_traces::time::Time;
use batchlab_traces::trace::Trace;
use batchlab_traces::workload::{CONSTRAINT, HET_JOB, JobId, MEMORY, Workload, layout_columns};

/// A name of the log that the installation does not have.
pub static UNKNOWN_NAME: Kind = Kind {
    code: "slurm-name-unknown",
    level: Level::Warning,
    what: "{job|jobs} with a partition, QOS or association that the files of --slurm do not have",
    done: "an unknown partition counts as the default one, an unknown QOS has priority 0, and an unknown association has one \
           share of its account",
    advice: "give the files of the time of the log: slurm.conf, sacctmgr -P show qos, sacctmgr -P show assoc",
};

/// Nodes of the log that the installation does not have.
pub static UNKNOWN_NODE: Kind = Kind {
    code: "slurm-node-unknown",
    level: Level::Warning,
    what: "{job|jobs} that ran on nodes that the files of --slurm do not have",
    done: "placed on other nodes: the machine of the replay may be smaller than the one of the log",
    advice: "give the slurm.conf of the time of the log",
};

/// A job beyond the limits of its partition.
pub static ABOVE_PARTITION: Kind = Kind {
    code: "slurm-above-partition",
    level: Level::Warning,
    what: "{job|jobs} that {requests|request} more time or nodes than {its|their} partition allows",
    done: "scheduled with the partition's MaxTime as the limit, and on the nodes requested: the log shows that Slurm did start \
           such jobs",
    advice: "give the slurm.conf of the time of the log",
};

/// A reservation without dates on the log's time.
pub static RESERVATION_UNDATED: Kind = Kind {
    code: "slurm-reservation-undated",
    level: Level::Warning,
    what: "{reservation|reservations} whose times cannot be read, or a log without a date",
    done: "ignored: its jobs run anywhere, and others run on its nodes",
    advice: "give the output of scontrol show reservation with full times (SLURM_TIME_FORMAT=standard), and a log with dates",
};

/// Maintenance in which jobs of the log run.
pub static MAINTENANCE_NAMED: Kind = Kind {
    code: "slurm-maintenance-named",
    level: Level::Note,
    what: "{reservation|reservations} for maintenance that jobs of the log name",
    done: "under the policy slurm {it serves|they serve} these jobs and no others; other policies do not follow \
           {it|them}, as any reservation for jobs that name it",
    advice: "for other policies, give the maintenance with --calendar, too",
};

/// A Slurm installation, resolved for the jobs of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlurmSite {
    /// The installation.
    pub system: Arc<SlurmSystem>,
    /// The tree of accounts and users, root first or not: each has its parent as an index. Each pair of account and user of
    /// the log is in it.
    pub tree: Vec<Association>,
    /// Instant of the log's zero, in seconds since 1970; 0 if unknown.
    pub epoch: i64,
    /// An instant at which a backfill cycle began, as the log's starts by this loop tell.
    pub cycle: Option<Time>,
    /// An instant at which slurmctld looked at the time limits of all jobs, as the ends of those that it killed tell.
    pub limits_checked: Option<Time>,
    /// An instant at which priorities were computed, as the priorities that the log recorded tell. The policy that computes
    /// them finds it.
    pub computed: Option<Time>,
    /// Raw usage of each association of the tree by jobs that are not of the replay, and the instant at which it is so much.
    pub used: Option<(Time, Vec<f64>)>,
    /// Index of the partition of jobs by their number in the log.
    partitions: BTreeMap<i64, usize>,
    /// By the row of a job in the trace.
    jobs: Vec<JobSite>,
    /// The reservations for the jobs that name them.
    reservations: Vec<Reservation>,
    /// The licences, each with what jobs need of it by their rows.
    licences: Vec<(i64, Vec<i64>)>,
    /// The lists of nodes on which jobs ran.
    places: BTreeMap<i64, Vec<usize>>,
    /// For each constraint by its number: the groups of nodes of which a job gets one.
    groups: BTreeMap<i64, Arc<[Vec<usize>]>>,
    /// Whether jobs may hold more processors than they use.
    has_blocks: bool,
    /// How many components each heterogeneous job has.
    components: BTreeMap<i64, usize>,
}

/// An advance reservation, on the log's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Time,
    /// Its nodes.
    pub nodes: Vec<usize>,
    /// Processors of its nodes if it holds some of them only; empty if it holds whole nodes.
    pub cores: Vec<(usize, i64)>,
}

/// What the installation knows of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct JobSite {
    /// Index of the service class; `u32::MAX` without one.
    qos: u32,
    /// Index in the tree.
    association: u32,
    /// Its place in the order of submission.
    order: i64,
    /// The array that it is a task of; 0 for none.
    array: i64,
    /// How many tasks of its array come after it.
    behind: u64,
    /// The heterogeneous job that it is a component of; 0 for none.
    het: i64,
    /// By how much its priority is lower.
    nice: i64,
    /// Its priority at its submission; 0 if unknown.
    priority: i64,
    /// How many nodes it asked for, at least; 0 for any number.
    asked: i64,
    /// How many nodes it asked for at most, if more than that.
    asked_most: i64,
    /// How many tasks it asked for on each node; 0 for any number.
    per_node: i64,
    /// Whether it may be requeued: 1 if it asked for it, 0 if it must not, else as the installation has it.
    requeue: i64,
    /// On how many leaf switches it asked to be; 0 for any number.
    switches: i64,
    /// How many seconds it waits for that; -1 for as long as it may.
    patience: i64,
    /// How many processors it asked for; 0 if unknown.
    procs: i64,
    /// How many processors it got; 0 if unknown.
    given: i64,
    /// The processors of each of its tasks; 0 if unknown.
    task: i64,
    /// How many processors of each core it may use; 0 for all of them.
    of_core: i64,
    /// Whether it asked for memory by processors: 1 or 0; -1 if unknown.
    memory_each: i64,
    /// Index of its reservation; `u32::MAX` without one.
    reservation: u32,
    /// The number of the list of nodes on which it ran; -1 if it is not told.
    place: i64,
    /// The number of its constraint; 0 without one.
    constraint: i64,
}

impl JobSite {
    const UNKNOWN: JobSite = JobSite {
        qos: NONE,
        association: 0,
        order: 0,
        array: 0,
        behind: 0,
        het: 0,
        nice: 0,
        priority: 0,
        asked: 0,
        asked_most: 0,
        per_node: 0,
        requeue: -1,
        switches: 0,
        patience: -1,
        procs: 0,
        given: 0,
        task: 0,
        of_core: 0,
        memory_each: -1,
        reservation: NONE,
        place: -1,
        constraint: 0,
    };
}

/// No service class, no reservation.
const NONE: u32 = u32::MAX;

impl SlurmSystem {
    /// Returns the machine: its nodes with processors, memory if it is allocated, and the further resources that the log
    /// names; nodes have the partitions of the log by their names.
    ///
    /// # Errors
    /// When there are no nodes, or more than can be replayed.
    pub fn machine(&self, header: &Header) -> Result<Machine, MachineError> {
        let mut resources = vec![processors()];
        let space = |name: &str, unit: &str| Resource {
            name: name.into(),
            unit: unit.into(),
            sharing: Sharing::Space,
        };
        if self.select.memory {
            resources.push(space(MEMORY, "KB"));
        }
        for declared in &header.resources {
            let is_here =
                self.nodes.iter().any(|node| node.gres.iter().any(|(name, _)| *name == declared.name));
            if is_here && !resources.iter().any(|known| known.name == declared.name) {
                resources.push(space(&declared.name, &declared.unit));
            }
        }
        let shared = SharedGpus::of(&self.nodes, header);
        if shared.is_some() {
            resources.push(space(PARTS, ""));
        }
        let nodes: Vec<Vec<i64>> = self
            .nodes
            .iter()
            .map(|node| {
                let amount = |resource: &Resource| match resource.name.as_str() {
                    MEMORY => node.memory.saturating_mul(1024),
                    PARTS => shared.as_ref().map_or(0, |shared| shared.on(node)),
                    name => node.gres.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count),
                };
                std::iter::once(node.cpus).chain(resources[1..].iter().map(amount)).collect()
            })
            .collect();
        let sums = shared.iter().map(SharedGpus::sum).collect();
        let machine = Machine::new(resources, &nodes)?.with_sums(sums);
        let numbers = self.numbers(&header.partition);
        let mut of_nodes: Vec<Vec<i64>> = vec![Vec::new(); self.nodes.len()];
        for (number, partition) in numbers {
            for &node in self.partitions.get(partition).map_or(&[][..], |partition| &partition.nodes) {
                of_nodes[node].push(number);
            }
        }
        // Without an entry a node would take every job: those in no partition of the log take none.
        if !self.partitions.is_empty() && of_nodes.iter().any(|of_node| !of_node.is_empty()) {
            for of_node in of_nodes.iter_mut().filter(|of_node| of_node.is_empty()) {
                of_node.push(NOWHERE);
            }
        }
        let features =
            self.nodes.iter().map(|node| node.features.iter().chain([&node.name]).cloned().collect());
        machine.with_partitions(of_nodes)?.with_features(features.collect())
    }

    /// Returns the index of the partition of each number of the log; unknown names are the default partition.
    fn numbers(&self, named: &[Named]) -> BTreeMap<i64, usize> {
        let index = |named: &Named| self.partition(&named.name).or(self.default_partition());
        named.iter().filter_map(|named| Some((named.number, index(named)?))).collect()
    }
}

/// Returns what the log tells of each job of the workload by itself, by its row.
fn told(workload: &Workload, trace: &Trace) -> Vec<JobSite> {
    let columns = ["array", ASKED_NODES, NICE, PRIORITY, RAN_ON, CONSTRAINT].map(|name| trace.resource(name));
    let shape = [ASKED_PER_NODE, ASKED_SWITCHES, SWITCHES_WAIT, ASKED_MOST, ASKED_REQUEUE]
        .map(|name| trace.resource(name));
    let het = trace.resource(HET_JOB);
    let cores = [ASKED_TASK, ASKED_CORE, ASKED_MEMORY_EACH].map(|name| trace.resource(name));
    let mut jobs = vec![JobSite::UNKNOWN; trace.len()];
    for row in workload.jobs().map(|job| workload.row(job)) {
        let site = &mut jobs[row];
        let [array, asked, nice, priority, place, constraint] =
            columns.map(|column| column.map(|column| column.whole(row)));
        site.array = array.map_or(site.array, |array| array.max(0));
        site.het = het.map_or(site.het, |column| column.whole(row).max(0));
        site.asked = asked.map_or(site.asked, |asked| asked.max(0));
        site.nice = nice.unwrap_or(site.nice);
        site.priority = priority.unwrap_or(site.priority);
        site.place = place.unwrap_or(site.place);
        site.constraint = constraint.unwrap_or(site.constraint);
        let [per_node, switches, patience, most, requeue] =
            shape.map(|column| column.map(|column| column.whole(row)));
        site.asked_most = most.map_or(site.asked_most, |most| most.max(0));
        site.per_node = per_node.map_or(site.per_node, |tasks| tasks.max(0));
        site.switches = switches.map_or(site.switches, |switches| switches.max(0));
        site.patience = patience.unwrap_or(site.patience);
        site.requeue = requeue.unwrap_or(site.requeue);
        let [task, of_core, memory_each] = cores.map(|column| column.map(|column| column.whole(row)));
        site.task = task.map_or(site.task, |procs| procs.max(0));
        site.of_core = of_core.map_or(site.of_core, |procs| procs.max(0));
        site.memory_each = memory_each.unwrap_or(site.memory_each);
        [site.procs, site.given] =
            [Field::Requested, Field::Allocated].map(|field| trace.get(row, field).truncated().max(0));
    }
    jobs
}

/// A partition that no job has.
const NOWHERE: i64 = i64::MAX;

impl SlurmSite {
    /// Returns an installation for jobs of which the log tells nothing more.
    pub fn new(system: Arc<SlurmSystem>) -> SlurmSite {
        SlurmSite { has_blocks: !Blocks::of(&system).are_single(), system, ..SlurmSite::default() }
    }

    /// Resolves of an installation what decides how the jobs of a log lie on nodes.
    pub(super) fn of_shapes(system: Arc<SlurmSystem>, workload: &Workload, trace: &Trace) -> SlurmSite {
        SlurmSite {
            partitions: system.numbers(&trace.header.partition),
            groups: groups(&system, &trace.header),
            jobs: told(workload, trace),
            ..SlurmSite::new(system)
        }
    }

    /// Resolves an installation for the jobs of a log.
    ///
    /// # Errors
    /// In strict mode, at the first name of the log that the installation does not have.
    pub fn resolve(
        system: Arc<SlurmSystem>,
        workload: &Workload,
        trace: &Trace,
        findings: &mut Findings,
    ) -> Result<SlurmSite, Refusal> {
        let header = &trace.header;
        let partitions = system.numbers(&header.partition);
        let mut tree = Tree::new(&system);
        let users: BTreeMap<i64, String> = names(&header.users, header.noted("user"));
        let noted = header.noted("account").chain(header.noted("group"));
        let accounts: BTreeMap<i64, String> = names(&header.groups, noted);
        let qos_names: BTreeMap<i64, String> = names(&[], header.noted("qos"));
        let qos_column = trace.resource("qos");
        let mut jobs = told(workload, trace);
        let (reservation_column, reservation_names) =
            (trace.resource(RESERVATION), names(&[], header.noted(RESERVATION)));
        let (reserved, reservations) = reservations(&system, trace, findings)?;
        let mut unknown: BTreeMap<String, u64> = BTreeMap::new();
        let mut above = 0;
        for job in workload.jobs() {
            let row = workload.row(job);
            let number = |field| workload.attribute(job, field);
            let partition = number(Field::Partition);
            let name = header.partition.iter().find(|named| named.number == partition);
            if let Some(named) = name.filter(|named| system.partition(&named.name).is_none()) {
                *unknown.entry(format!("partition {}", named.name)).or_default() += 1;
            }
            if let Some(column) = qos_column {
                let qos = column.whole(row);
                let name = qos_names.get(&qos);
                let found = name.and_then(|name| system.qos.iter().position(|known| known.name == *name));
                jobs[row].qos = found.map_or(NONE, |at| at as u32);
                if let (Some(name), None, false) = (name, found, system.qos.is_empty()) {
                    *unknown.entry(format!("QOS {name}")).or_default() += 1;
                }
            }
            if let Some(name) =
                reservation_column.and_then(|column| reservation_names.get(&column.whole(row)))
            {
                match reserved.iter().position(|known| known == name) {
                    Some(at) => jobs[row].reservation = at as u32,
                    None if system.reservations.iter().any(|known| known.name == *name) => {}
                    None => *unknown.entry(format!("reservation {name}")).or_default() += 1,
                }
            }
            let of = |names: &BTreeMap<i64, String>, number: i64| {
                names.get(&number).cloned().unwrap_or_else(|| number.to_string())
            };
            let (user, account) = (of(&users, number(Field::User)), of(&accounts, number(Field::Group)));
            let partition_name = name.map(|named| named.name.as_str());
            let (at, is_known) = tree.association(&account, &user, partition_name);
            jobs[row].association = at as u32;
            if !is_known && !system.associations.is_empty() {
                *unknown.entry(format!("association of {user} in {account}")).or_default() += 1;
            }
            let partition = partitions.get(&partition).copied().or(system.default_partition());
            above += u64::from(
                partition.is_some_and(|at| exceeds(&system.partitions[at], JobView::new(workload, job))),
            );
        }
        order(&mut jobs, workload, trace);
        for (name, count) in unknown {
            findings.report_many(&UNKNOWN_NAME, count, || Example {
                place: None,
                detail: format!("{name} ({count})"),
            })?;
        }
        findings.report_many(&ABOVE_PARTITION, above, || Example {
            place: system.place.clone(),
            detail: "MaxTime or MaxNodes of the partition".into(),
        })?;
        let epoch = header.unix_start_time.unwrap_or(0);
        let cycle = cycle(&system, workload, trace);
        let places = places(&system, header);
        let elsewhere = |site: &&JobSite| site.place > 0 && !places.contains_key(&site.place);
        let lost = jobs.iter().filter(elsewhere).count() as u64;
        findings.report_many(&UNKNOWN_NODE, lost, || {
            let first = jobs.iter().find(elsewhere).map(|site| site.place);
            let named = header.noted(RAN_ON).find(|named| Some(named.number) == first);
            Example { place: system.place.clone(), detail: named.map_or(String::new(), |named| named.name) }
        })?;
        let licences = licences(&system, trace);
        let groups = groups(&system, header);
        let components = components(&jobs);
        Ok(SlurmSite {
            has_blocks: !Blocks::of(&system).are_single(),
            tree: tree.all,
            system,
            epoch,
            cycle,
            limits_checked: limits_checked(workload, trace),
            computed: None,
            used: None,
            partitions,
            jobs,
            reservations,
            licences,
            places,
            groups,
            components,
        })
    }

    /// Returns the same jobs, laid out as Slurm may place them, and with what they hold: whole cores or sockets.
    pub(super) fn laid_out(&self, workload: Workload, trace: &Trace, fit: &Fit<'_>) -> Workload {
        let alone = trace.resource(layout_columns::EXCLUSIVE);
        let blocks = Blocks::of(&self.system);
        let layout = |job: JobId| {
            let row = workload.row(job);
            let partition =
                self.partition(JobView::new(&workload, job)).map(|at| &self.system.partitions[at]);
            let of_partition = partition.is_some_and(|partition| partition.exclusive);
            let of_job = alone.is_some_and(|column| column.whole(row) > 0);
            if self.system.select.whole_nodes {
                let layout = workload.layout(job);
                return if of_partition || of_job { layout.exclusively() } else { layout };
            }
            if of_partition || of_job {
                return self.alone(JobView::new(&workload, job), fit);
            }
            self.in_blocks(JobView::new(&workload, job), &blocks)
        };
        let layouts: Vec<Layout> = workload.jobs().map(layout).collect();
        if blocks.are_single() {
            return workload.laid_out(&layouts);
        }
        self.holding(workload, &layouts, &blocks, fit.machine()).laid_out(&layouts)
    }

    /// Returns the layout of a job that gets processors, or the cores and sockets that they are in.
    fn in_blocks(&self, job: JobView<'_>, blocks: &Blocks) -> Layout {
        let (block, largest) = blocks.get(self.partition(job));
        let site = self.jobs.get(job.row()).unwrap_or(&JobSite::UNKNOWN);
        let (procs, task) = (job.procs(), site.task.max(1));
        let even = self.spread(job, task);
        if block.procs == 1 {
            return even.unwrap_or_else(|| Layout::of_tasks(procs, task));
        }
        let nodes = even.as_ref().map_or(site.asked, Layout::count);
        let request = Request {
            procs,
            task: task.min(procs.max(1)),
            of_core: self.of_core(job),
            nodes,
            is_even: even.is_some(),
            is_given: self.is_given(job, block),
        };
        request.layout(block, largest)
    }

    /// Returns how many processors of each core a job may use, 0 for all of them.
    fn of_core(&self, job: JobView<'_>) -> i64 {
        let site = self.jobs.get(job.row()).unwrap_or(&JobSite::UNKNOWN);
        let single = if self.system.select.one_task { site.task.max(1) } else { 0 };
        if site.of_core > 0 { site.of_core } else { single }
    }

    /// Whether the size of a job is what it got, in whole blocks: by the reading, or as a log tells it of a running job. A job
    /// that uses some processors of its cores gets more than it asks for.
    fn is_given(&self, job: JobView<'_>, block: Block) -> bool {
        let site = self.jobs.get(job.row()).unwrap_or(&JobSite::UNKNOWN);
        let uses_some = block.usable(self.of_core(job)) < block.procs;
        let is_whole = site.given == site.procs && site.given % block.procs == 0;
        job.procs() != site.procs || uses_some && is_whole
    }

    /// Returns the same jobs with the processors of their layouts, and with memory for each that they can use if they asked for it
    /// by processors.
    fn holding(
        &self,
        workload: Workload,
        layouts: &[Layout],
        blocks: &Blocks,
        machine: &Machine,
    ) -> Workload {
        let memory = machine.resource(MEMORY);
        let share = |job: JobId, procs: i64| {
            let job = JobView::new(&workload, job);
            let (asked, (block, _)) = (job.procs(), blocks.get(self.partition(job)));
            let usable = procs / block.procs * block.usable(self.of_core(job));
            let has_more = procs != asked && !self.is_given(job, block);
            (has_more && self.has_memory_each(job)).then_some((usable.max(asked), asked))
        };
        let held = workload.jobs().zip(layouts).map(|(job, layout)| {
            let procs = layout.task * layout.tasks + layout.rest * layout.rests;
            (procs, share(job, procs))
        });
        let held: Vec<(i64, Option<(i64, i64)>)> = held.collect();
        let first = workload.jobs().next().map_or(0, |job| job.0);
        workload.with_demands(|job, demand| {
            let (procs, share) = held[(job.0 - first) as usize];
            demand[0] = procs;
            if let (Some(kind), Some((usable, asked))) = (memory, share) {
                let amount = (i128::from(demand[kind]) * i128::from(usable) + i128::from(asked) - 1)
                    / i128::from(asked.max(1));
                demand[kind] = i64::try_from(amount).unwrap_or(i64::MAX);
            }
        })
    }

    /// Whether a job has memory for each of its processors, by its request or by default.
    fn has_memory_each(&self, job: JobView<'_>) -> bool {
        match self.jobs.get(job.row()).map_or(-1, |site| site.memory_each) {
            0 => false,
            1.. => true,
            _ => {
                let partition = self.partition(job).map(|at| &self.system.partitions[at]);
                self.system.memory_each || partition.is_some_and(|partition| partition.memory_each)
            }
        }
    }

    /// Returns the layout of a job alone on its nodes: on as many as it asked for; of several numbers, on the least that
    /// suffices.
    fn alone(&self, job: JobView<'_>, fit: &Fit<'_>) -> Layout {
        let Some(site) = self.jobs.get(job.row()).filter(|site| site.asked > 0) else {
            return job.layout().exclusively();
        };
        let on = |nodes| Layout::on_nodes(job.procs(), nodes, 1).exclusively();
        let takes = |node| job.admitted(fit.machine(), node);
        let suffices = |layout: &Layout| fit.misfit(job.demand(), layout, takes).is_none();
        let most = site.asked_most.min(fit.machine().nodes() as i64);
        (site.asked..=most).map(on).find(suffices).unwrap_or_else(|| on(site.asked))
    }

    /// Returns the layout of a job that asked for a number of tasks on each node (`--ntasks-per-node`), if it has as many on each.
    fn spread(&self, job: JobView<'_>, task: i64) -> Option<Layout> {
        let per_node = self.jobs.get(job.row()).map(|site| site.per_node).filter(|&tasks| tasks > 0)?;
        let (procs, each) = (job.procs(), per_node.checked_mul(task)?);
        let nodes = procs / each;
        let is_even = procs % each == 0 && [0, nodes].contains(&self.asked_nodes(job));
        is_even.then(|| Layout::on_nodes(procs, nodes, 1))
    }

    /// Returns on how few leaf switches a job asks to be, if it does.
    pub fn switches(&self, job: JobView<'_>) -> Option<SwitchWish> {
        let site = self.jobs.get(job.row()).filter(|site| site.switches > 0)?;
        let patience = (site.patience >= 0).then(|| Time::from_secs(site.patience.min(1 << 32)));
        Some(SwitchWish { most: site.switches, patience })
    }

    /// Returns how many nodes a job asked for; 0 if it did not.
    pub fn asked_nodes(&self, job: JobView<'_>) -> i64 {
        self.jobs.get(job.row()).map_or(0, |site| site.asked)
    }

    /// Returns how many nodes a job asked for, the least and the most, if its layout does not tell; 0 for any number.
    pub fn nodes_asked(&self, job: JobView<'_>) -> (i64, i64) {
        let layout = job.layout();
        let site = self.jobs.get(job.row()).filter(|site| site.asked > 0);
        let Some(site) = site.filter(|_| layout.per_node > 1 && !layout.exclusive) else { return (0, 0) };
        let least = site.asked.min(layout.count());
        (least, site.asked_most.clamp(least, layout.count()))
    }

    /// Returns the numbers of a job's partition and of its constraint.
    pub(super) fn named(&self, job: JobView<'_>) -> (i64, i64) {
        let constraint = self.jobs.get(job.row()).map_or(0, |site| site.constraint);
        (job.attribute(Field::Partition), constraint)
    }

    /// Returns how many processors a job asked for, if the log tells; whole nodes may have more.
    pub fn asked_procs(&self, job: JobView<'_>) -> Option<i64> {
        self.jobs.get(job.row()).map(|site| site.procs).filter(|&procs| procs > 0)
    }

    /// Whether jobs may hold more processors than they use, since cores or sockets are allocated as a whole.
    pub fn has_blocks(&self) -> bool {
        self.has_blocks
    }

    /// Returns how many processors are charged to a job: those that it holds, but with `CR_CPU` those that it asked for.
    pub fn charged_procs(&self, job: JobView<'_>) -> i64 {
        let held = job.procs();
        match self.system.select.unit {
            SelectUnit::Cpu if self.has_blocks => self.asked_procs(job).map_or(held, |asked| asked.min(held)),
            _ => held,
        }
    }

    /// Returns the index of a job's partition; `None` if the installation has none.
    pub fn partition(&self, job: JobView<'_>) -> Option<usize> {
        let number = job.attribute(Field::Partition);
        self.partitions.get(&number).copied().or(self.system.default_partition())
    }

    /// Returns the index of a job's service class.
    pub fn qos(&self, job: JobView<'_>) -> Option<usize> {
        let qos = self.jobs.get(job.row())?.qos;
        (qos != NONE).then_some(qos as usize)
    }

    /// Returns a job's place in the order of submission: by the instant, then by the number that Slurm gave to the job, or to the
    /// array that it is a task of, then by task.
    pub fn order(&self, job: JobView<'_>) -> i64 {
        let row = job.row();
        self.jobs.get(row).map_or(row as i64, |site| site.order)
    }

    /// Returns how many tasks of its array come after a job.
    pub fn tasks_behind(&self, job: JobView<'_>) -> u64 {
        self.jobs.get(job.row()).map_or(0, |site| site.behind)
    }

    /// Returns the array that a job is a task of.
    pub fn array(&self, job: JobView<'_>) -> Option<i64> {
        self.jobs.get(job.row()).map(|site| site.array).filter(|&array| array > 0)
    }

    /// Returns the heterogeneous job that a job is a component of, with the number of its components in the workload.
    pub fn components(&self, job: JobView<'_>) -> Option<(i64, usize)> {
        let het = self.jobs.get(job.row()).map(|site| site.het).filter(|&het| het > 0)?;
        Some((het, self.components.get(&het).copied().unwrap_or(1)))
    }

    /// Returns by how much a job's priority is lower (`--nice`).
    pub fn nice(&self, job: JobView<'_>) -> i64 {
        self.jobs.get(job.row()).map_or(0, |site| site.nice)
    }

    /// Returns the priority that the log recorded of a job: that at its submission.
    pub fn recorded_priority(&self, job: JobView<'_>) -> Option<i64> {
        self.jobs.get(job.row()).map(|site| site.priority).filter(|&priority| priority > 0)
    }

    fn partition_and_qos(&self, job: JobView<'_>) -> (Option<&SlurmPartition>, Option<&Qos>) {
        let partition = self.partition(job).map(|at| &self.system.partitions[at]);
        (partition, self.qos(job).map(|at| &self.system.qos[at]))
    }

    /// Whether a waiting job may take the nodes of a running one.
    pub fn preempts(&self, waiting: JobView<'_>, running: JobView<'_>) -> bool {
        let (waiting, running) = (self.partition_and_qos(waiting), self.partition_and_qos(running));
        self.system.preempts((waiting.0, running.0), (waiting.1, running.1))
    }

    /// Returns how a running job loses its nodes to others; `None` if it keeps them.
    pub fn preemptible(&self, job: JobView<'_>) -> Option<Preemptible> {
        let (partition, qos) = self.partition_and_qos(job);
        let how = self.system.preemptible(partition, qos)?;
        let is_killed = how.preempted == Preempted::Requeued && !self.may_requeue(job);
        Some(if is_killed { Preemptible { preempted: Preempted::Cancelled, ..how } } else { how })
    }

    /// Whether a job may be put back into the queue; otherwise it is killed where others would be (`slurm_job_preempt`).
    fn may_requeue(&self, job: JobView<'_>) -> bool {
        match self.jobs.get(job.row()).map_or(-1, |site| site.requeue) {
            0 => false,
            1 => true,
            _ => !self.system.no_requeue,
        }
    }

    /// Returns the rank by which jobs are preempted, the lowest first: their tier, or the priority of their service class.
    pub fn preempted_rank(&self, job: JobView<'_>) -> i64 {
        let (partition, qos) = self.partition_and_qos(job);
        match self.system.preemption.map(|preemption| preemption.by) {
            Some(PreemptBy::Qos) => qos.map_or(0, |known| known.priority),
            _ => partition.map_or(1, |known| known.tier),
        }
    }

    /// Returns the advance reservations for the jobs that name them.
    pub fn reservations(&self) -> &[Reservation] {
        &self.reservations
    }

    /// Returns the index of the reservation that a job names.
    pub fn reservation(&self, job: JobView<'_>) -> Option<usize> {
        let at = self.jobs.get(job.row())?.reservation;
        (at != NONE).then_some(at as usize)
    }

    /// Returns how many there are of each licence.
    pub fn licences(&self) -> impl Iterator<Item = i64> + '_ {
        self.licences.iter().map(|(count, _)| *count)
    }

    /// Returns what a job needs of each licence.
    pub fn licences_of(&self, job: JobView<'_>) -> impl Iterator<Item = i64> + '_ {
        let row = job.row();
        self.licences.iter().map(move |(_, needs)| needs.get(row).copied().unwrap_or(0))
    }

    /// Returns the nodes on which a job ran, if the log tells.
    pub fn ran_on(&self, job: JobView<'_>) -> Option<&[usize]> {
        let place = self.jobs.get(job.row())?.place;
        self.places.get(&place).map(Vec::as_slice)
    }

    /// Returns the groups of nodes of which a job gets one, as its constraint asks (`[rack1|rack2]`); empty if it may mix nodes.
    pub fn groups(&self, job: JobView<'_>) -> &[Vec<usize>] {
        let constraint = self.jobs.get(job.row()).map_or(0, |site| site.constraint);
        self.groups.get(&constraint).map_or(&[], |groups| &groups[..])
    }

    /// Returns the index of a job's association in [`SlurmSite::tree`].
    pub fn association(&self, job: JobView<'_>) -> Option<usize> {
        self.jobs.get(job.row()).map(|site| site.association as usize).filter(|&at| at < self.tree.len())
    }
}

/// Returns for each constraint, by its number, the groups of nodes of which a job gets one.
fn groups(system: &SlurmSystem, header: &Header) -> BTreeMap<i64, Arc<[Vec<usize>]>> {
    let all: BTreeSet<&str> = system
        .nodes
        .iter()
        .flat_map(|node| node.features.iter().chain([&node.name]))
        .map(String::as_str)
        .collect();
    let known = |feature: &str| all.contains(feature);
    let groups = |named: Named| {
        let parts = Constraint::parse(&named.name)?.groups();
        let nodes = |part: &Constraint| {
            let holds = |node: &SlurmNode| {
                let features: Vec<String> = node.features.iter().chain([&node.name]).cloned().collect();
                part.holds(&features, &known)
            };
            let all = system.nodes.iter().enumerate();
            all.filter(|(_, node)| holds(node)).map(|(at, _)| at).collect::<Vec<usize>>()
        };
        (!parts.is_empty()).then(|| (named.number, parts.iter().map(nodes).collect()))
    };
    header.noted(CONSTRAINT).filter_map(groups).collect()
}

/// Numbers the jobs in the order of submission, and the tasks of arrays from behind. The rows of a log may have the tasks of an
/// array behind jobs that were submitted after it in the same second.
fn order(jobs: &mut [JobSite], workload: &Workload, trace: &Trace) {
    let task = trace.resource("array_task");
    let key = |job: JobView<'_>| {
        let row = job.row();
        let array = Some(jobs[row].array).filter(|&array| array > 0);
        let number = array.unwrap_or_else(|| job.number());
        (job.submitted(), number, task.map_or(0, |column| column.whole(row)), row)
    };
    let mut keys: Vec<_> = views(workload).map(key).collect();
    keys.sort_unstable();
    let mut behind: BTreeMap<i64, u64> = BTreeMap::new();
    for (at, (.., row)) in keys.into_iter().enumerate().rev() {
        let job = &mut jobs[row];
        job.order = at as i64;
        if job.array > 0 {
            let count = behind.entry(job.array).or_default();
            job.behind = *count;
            *count += 1;
        }
    }
}

/// Returns how many components each heterogeneous job has.
fn components(jobs: &[JobSite]) -> BTreeMap<i64, usize> {
    let mut components = BTreeMap::new();
    for het in jobs.iter().map(|site| site.het).filter(|&het| het > 0) {
        *components.entry(het).or_default() += 1;
    }
    components
}

/// Whether a job requests more time or nodes than its partition allows.
fn exceeds(partition: &SlurmPartition, job: JobView<'_>) -> bool {
    let layout = job.layout();
    let is_late = partition.max_time.is_some_and(|most| job.estimate() > most);
    is_late || partition.max_nodes.is_some_and(|most| layout.per_node == 1 && layout.count() > most)
}

/// Returns the phase of the backfill cycles: the most frequent second of a period in which this loop started jobs.
fn cycle(system: &SlurmSystem, workload: &Workload, trace: &Trace) -> Option<Time> {
    let interval = system.scheduler.backfill.interval?;
    let column = trace.resource(STARTED_BY)?;
    let number = trace.header.noted(STARTED_BY).find(|named| named.name == BACKFILL)?.number;
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    for job in views(workload).filter(|&job| column.whole(job.row()) == number) {
        let wait = trace.time(job.row(), Field::Wait);
        if wait >= Time::ZERO {
            let start = job.submitted() + wait;
            *counts.entry(start.ticks().rem_euclid(interval.ticks())).or_default() += 1;
        }
    }
    let most = counts.iter().max_by_key(|&(&phase, &count)| (count, -phase))?;
    Some(Time::from_ticks(*most.0))
}

/// Returns the phase of the loop over the time limits: the most frequent second of half a minute in which jobs ended that had
/// reached their limits.
fn limits_checked(workload: &Workload, trace: &Trace) -> Option<Time> {
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    for job in views(workload) {
        let row = job.row();
        let [wait, run, limit] =
            [Field::Wait, Field::Run, Field::RequestedTime].map(|field| trace.time(row, field));
        if wait >= Time::ZERO && limit > Time::ZERO && run > limit {
            let end = job.submitted() + wait + run;
            *counts.entry(end.ticks().rem_euclid(30 * Time::SECOND.ticks())).or_default() += 1;
        }
    }
    let most = counts.iter().max_by_key(|&(&phase, &count)| (count, -phase))?;
    Some(Time::from_ticks(*most.0))
}

/// Returns the jobs with what is known of them at their submission.
fn views(workload: &Workload) -> impl Iterator<Item = JobView<'_>> {
    workload.jobs().map(|job| JobView::new(workload, job))
}

/// Returns the names and the times of the reservations for the jobs that name them.
fn reservations(
    system: &SlurmSystem,
    trace: &Trace,
    findings: &mut Findings,
) -> Result<(Vec<String>, Vec<Reservation>), Refusal> {
    let (mut known, mut made) = (Vec::new(), Vec::new());
    for one in &system.reservations {
        let example = || Example {
            place: Some(one.place.clone()),
            detail: format!("{} from {} to {}", one.name, one.start, one.end),
        };
        let Some((from, to)) = trace.calendar.as_ref().and_then(|calendar| one.times(calendar)) else {
            findings.report(&RESERVATION_UNDATED, example)?;
            continue;
        };
        if one.serves(trace) {
            if one.maintenance && one.is_named(trace) {
                findings.report(&MAINTENANCE_NAMED, example)?;
            }
            known.push(one.name.clone());
            made.push(Reservation { from, to, nodes: one.nodes.clone(), cores: one.cores.clone() });
        }
    }
    Ok((known, made))
}

/// Returns the nodes of each list on which jobs ran; lists with nodes that the installation lacks are left out.
fn places(system: &SlurmSystem, header: &Header) -> BTreeMap<i64, Vec<usize>> {
    let index: BTreeMap<&str, usize> =
        system.nodes.iter().enumerate().map(|(at, node)| (node.name.as_str(), at)).collect();
    let nodes = |list: &str| -> Option<Vec<usize>> {
        hosts(list)?.iter().map(|name| index.get(name.as_str()).copied()).collect()
    };
    header.noted(RAN_ON).filter_map(|named| Some((named.number, nodes(&named.name)?))).collect()
}

/// Returns how many there are of each licence that jobs need, and how many each job needs.
fn licences(system: &SlurmSystem, trace: &Trace) -> Vec<(i64, Vec<i64>)> {
    let of = |(name, count): &(String, i64)| {
        let column = trace.resource(&format!("{LICENCE}{name}"))?;
        Some((*count, (0..trace.len()).map(|row| column.whole(row).clamp(0, *count)).collect()))
    };
    system.licences.iter().filter_map(of).collect()
}

/// What the names of the columns of licences begin with.
pub(super) const LICENCE: &str = "license/";

/// Returns names by number; notes of the header come second.
fn names(known: &[Named], noted: impl Iterator<Item = Named>) -> BTreeMap<i64, String> {
    noted.chain(known.iter().cloned()).map(|named| (named.number, named.name)).collect()
}

impl SlurmSite {
    /// Replaces the names of accounts and users by pseudonyms; those that the log does not name get the next numbers.
    pub fn redact(&mut self, names: &Pseudonyms) {
        let of = |one: &Association| (one.account.clone(), one.user.clone());
        let names = names.clone().with_accounts(self.tree.iter().map(of));
        for one in &mut self.tree {
            names.account(&mut one.account);
            one.user.iter_mut().for_each(|user| names.user(user));
        }
    }
}
