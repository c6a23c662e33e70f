//! What an installation knows of each job of a log, and what the rules ask about it.

use std::num::{NonZeroI64, NonZeroU32};

use batchlab_contract::JobView;
use batchlab_traces::asked::{
    ASKED_CORE, ASKED_MEMORY_EACH, ASKED_MOST, ASKED_NODES, ASKED_PARTITIONS, ASKED_PER_NODE, ASKED_REQUEUE,
    ASKED_SWITCHES, ASKED_TASK, LEAST_NODES, NICE, PRIORITY, RAN_ON, SWITCHES_WAIT,
};
use batchlab_traces::priorities::{Preempted, Preemptible};
use batchlab_traces::shape::first_runs;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::{CONSTRAINT, HET_JOB};
use batchlab_traces::{Field, Time, Trace, Workload};

use super::changed::{ChangedJob, SiteChange};
use super::machine::admitted_by;
use super::memory::widen;
use super::queued::{Accrual, QueuedJob};
use super::{
    PreemptBy, Qos, SelectUnit, SiteReservation, SlurmPartition, SlurmSite, SlurmSystem, SwitchWish, views,
};

/// The column of a log with the array that a job is a task of.
const ARRAY: &str = "array";

/// What the installation knows of a job; the log does not tell a field without a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JobSite {
    pub(super) qos: Option<Index>,
    /// Its place in the tree.
    pub(super) association: Option<Index>,
    pub(super) reservation: Option<Index>,
    /// Its place in the order of submission.
    order: i64,
    array: Option<NonZeroI64>,
    /// How many tasks of its array come after it.
    behind: u64,
    het: Option<NonZeroI64>,
    /// By how much its priority is lower.
    nice: i64,
    priority: Option<NonZeroI64>,
    /// How many nodes it asked for, at least.
    pub(super) asked: Option<NonZeroI64>,
    /// How many nodes it asked for at most, if more than that.
    pub(super) asked_most: Option<NonZeroI64>,
    pub(super) per_node: Option<NonZeroI64>,
    /// Whether it may be requeued, if it asked for that or against it.
    requeue: Option<bool>,
    /// On how few leaf switches it asked to be.
    switches: Option<SwitchWish>,
    /// How many processors it asked for.
    pub(super) procs: Option<NonZeroI64>,
    /// How many processors it got.
    pub(super) given: Option<NonZeroI64>,
    pub(super) task: Option<NonZeroI64>,
    /// How many processors of each core it may use, if not all of them.
    pub(super) of_core: Option<NonZeroI64>,
    pub(super) memory_each: Option<bool>,
    /// The number of the list of nodes on which it ran.
    pub(super) place: Option<i64>,
    constraint: Option<NonZeroI64>,
    /// The number of the list of partitions in which it may run.
    list: Option<NonZeroI64>,
}

// There is one for each job of a log.
const _: () = assert!(size_of::<JobSite>() <= 176);

/// An index that takes no more memory if it is optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Index(NonZeroU32);

impl Index {
    /// Returns the index; `None` beyond four billion.
    pub(super) fn new(at: usize) -> Option<Index> {
        u32::try_from(at + 1).ok().and_then(NonZeroU32::new).map(Index)
    }

    pub(super) fn get(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Returns a positive number of a log; `None` for 0 and below.
pub(super) fn positive(number: i64) -> Option<NonZeroI64> {
    NonZeroI64::new(number.max(0))
}

/// Returns a number, 0 for `None`.
pub(super) fn count(number: Option<NonZeroI64>) -> i64 {
    number.map_or(0, NonZeroI64::get)
}

/// Sets what a job asked for by the number in a column of the log.
type Set = fn(&mut JobSite, i64);

/// The columns of a log that tell what its jobs asked for, in an order in which they can be set.
const COLUMNS: [(&str, Set); 16] = [
    (ARRAY, |site, array| site.array = positive(array)),
    (HET_JOB, |site, het| site.het = positive(het)),
    (NICE, |site, nice| site.nice = nice),
    (PRIORITY, |site, priority| site.priority = positive(priority)),
    (RAN_ON, |site, place| site.place = Some(place)),
    (CONSTRAINT, |site, constraint| site.constraint = NonZeroI64::new(constraint)),
    (ASKED_PARTITIONS, |site, list| site.list = positive(list)),
    (ASKED_NODES, |site, nodes| site.asked = positive(nodes)),
    (ASKED_MOST, |site, nodes| site.asked_most = positive(nodes)),
    (ASKED_PER_NODE, |site, tasks| site.per_node = positive(tasks)),
    (ASKED_REQUEUE, |site, number| site.requeue = [0, 1].contains(&number).then_some(number == 1)),
    (ASKED_SWITCHES, |site, most| {
        site.switches = positive(most).map(|most| SwitchWish { most: most.get(), patience: None });
    }),
    (SWITCHES_WAIT, |site, seconds| {
        if let Some(wish) = &mut site.switches {
            wish.patience = (seconds >= 0).then(|| Time::from_secs(seconds.min(1 << 32)));
        }
    }),
    (ASKED_TASK, |site, procs| site.task = positive(procs)),
    (ASKED_CORE, |site, procs| site.of_core = positive(procs)),
    (ASKED_MEMORY_EACH, |site, each| site.memory_each = (each >= 0).then_some(each > 0)),
];

/// Returns what the log tells of each job of the workload, by its row, without the other jobs.
pub(super) fn told(system: &SlurmSystem, workload: &Workload, trace: &Trace) -> Vec<JobSite> {
    let mut jobs = vec![JobSite::default(); trace.len()];
    let rows: Vec<usize> = workload.jobs().map(|job| workload.row(job)).collect();
    for (name, set) in COLUMNS {
        if let Some(column) = trace.resource(name) {
            for &row in &rows {
                set(&mut jobs[row], column.whole(row));
            }
        }
    }
    for &row in &rows {
        [jobs[row].procs, jobs[row].given] =
            [Field::Requested, Field::Allocated].map(|field| positive(trace.get(row, field).truncated()));
    }
    widen(system, &mut jobs, &rows, trace);
    ask_least(system, &mut jobs, &rows, trace);
    jobs
}

/// Gives the waiting jobs of a queue the number of nodes that they asked for, where the queue states none: if it counts more nodes for a
/// job than its processors take on the largest nodes of its partition, the job asked for that number.
fn ask_least(system: &SlurmSystem, jobs: &mut [JobSite], rows: &[usize], trace: &Trace) {
    let Some(least) = trace.resource(LEAST_NODES) else { return };
    let numbers = system.numbers(&trace.header.partition);
    let largest =
        |nodes: &[usize]| nodes.iter().map(|&node| system.nodes[node].cpus).max().unwrap_or(1).max(1);
    let each: Vec<i64> = system.partitions.iter().map(|partition| largest(&partition.nodes)).collect();
    for &row in rows {
        let (job, least) = (&mut jobs[row], least.whole(row));
        let number = trace.get(row, Field::Partition).truncated();
        let partition = numbers.get(&number).copied().or(system.default_partition());
        let Some(each) = partition.map(|at| each[at]).filter(|_| job.asked.is_none()) else { continue };
        let procs = count(job.procs).max(1);
        if job.per_node.is_none() && least > (procs + each - 1) / each {
            job.asked = positive(least);
        }
    }
}

/// Numbers the jobs in the order of submission, and the tasks of arrays from behind. The rows of a log may have the tasks of an
/// array behind jobs that were submitted after it in the same second. A job that was requeued keeps its place.
pub(super) fn order(jobs: &mut [JobSite], workload: &Workload, trace: &Trace) {
    let (task, id) = (trace.resource("array_task"), trace.resource("id"));
    let named = |job: JobView<'_>| {
        let row = job.row();
        let own = id.map(|column| column.whole(row)).filter(|&own| own >= 0);
        let number = jobs[row].array.map(NonZeroI64::get).or(own).unwrap_or_else(|| job.number());
        (number, task.map_or(0, |column| column.whole(row)))
    };
    let runs = first_runs(trace);
    let mut first: SortedMap<usize, Time> = SortedMap::new();
    for job in views(workload) {
        if let Some(&run) = runs.get(&job.row()) {
            let known = first.entry(run).or_insert(job.submitted());
            *known = job.submitted().min(*known);
        }
    }
    let key = |job: JobView<'_>| {
        let (number, task) = named(job);
        let submitted = runs.get(&job.row()).and_then(|run| first.get(run).copied());
        let submitted = submitted.unwrap_or_else(|| job.submitted());
        (submitted, number, task, job.row())
    };
    let mut keys: Vec<_> = views(workload).map(key).collect();
    keys.sort_unstable();
    let mut behind: SortedMap<NonZeroI64, u64> = SortedMap::new();
    for (at, (.., row)) in keys.into_iter().enumerate().rev() {
        let job = &mut jobs[row];
        job.order = at as i64;
        if let Some(array) = job.array {
            let count = behind.entry(array).or_default();
            job.behind = *count;
            *count += 1;
        }
    }
}

pub(super) fn components(jobs: &[JobSite]) -> SortedMap<i64, usize> {
    let mut components = SortedMap::new();
    for het in jobs.iter().filter_map(|site| site.het) {
        *components.entry(het.get()).or_default() += 1;
    }
    components
}

impl JobSite {
    /// Gives the job a multiple of its processors, for each of its tasks.
    pub(super) fn widen(&mut self, times: i64) {
        self.procs = self.procs.and_then(|procs| positive(procs.get().saturating_mul(times)));
        self.task = positive(count(self.task).max(1).saturating_mul(times));
    }
}

impl SlurmSite {
    pub(super) fn of(&self, job: JobView<'_>) -> JobSite {
        self.jobs.get(job.row()).copied().unwrap_or_default()
    }

    pub fn switches(&self, job: JobView<'_>) -> Option<SwitchWish> {
        self.of(job).switches
    }

    pub fn asked_nodes(&self, job: JobView<'_>) -> Option<i64> {
        self.of(job).asked.map(NonZeroI64::get)
    }

    /// Returns how many nodes a job asked for, the least and the most, if its layout does not tell; 0 for any number.
    pub fn nodes_asked(&self, job: JobView<'_>) -> (i64, i64) {
        let layout = job.layout();
        let is_told = layout.per_node == 1 || layout.exclusive;
        let site = self.of(job);
        let Some(asked) = site.asked.filter(|_| !is_told) else { return (0, 0) };
        let least = asked.get().min(layout.count());
        (least, count(site.asked_most).clamp(least, layout.count()))
    }

    /// Returns the numbers of a job's partition and of its constraint.
    pub(super) fn named(&self, job: JobView<'_>) -> (i64, i64) {
        (job.attribute(Field::Partition), count(self.of(job).constraint))
    }

    /// Returns how many processors a job asked for, if the log tells; whole nodes may have more.
    pub fn asked_procs(&self, job: JobView<'_>) -> Option<i64> {
        self.of(job).procs.map(NonZeroI64::get)
    }

    /// Returns how many processors are charged to a job that shares its nodes: as it holds them, but with `CR_CPU` as it asked for
    /// them.
    pub fn charged_procs(&self, job: JobView<'_>) -> i64 {
        let held = job.procs();
        match self.system.select.unit {
            SelectUnit::Cpu if self.has_blocks => self.asked_procs(job).map_or(held, |asked| asked.min(held)),
            _ => held,
        }
    }

    pub fn given_procs(&self, job: JobView<'_>) -> Option<i64> {
        self.of(job).given.map(NonZeroI64::get)
    }

    /// Whether a job has memory for each of its processors, by its request or by default.
    pub fn has_memory_each(&self, job: JobView<'_>) -> bool {
        self.of(job).memory_each.unwrap_or_else(|| {
            let partition = self.partition(job).map(|at| &self.system.partitions[at]);
            self.system.memory_each || partition.is_some_and(|partition| partition.memory_each)
        })
    }

    pub fn partition(&self, job: JobView<'_>) -> Option<usize> {
        let number = job.attribute(Field::Partition);
        self.partitions.get(&number).copied().or(self.system.default_partition())
    }

    /// Returns the indices of the partitions in which a job may run, as it named them; empty if it named one.
    pub fn partitions(&self, job: JobView<'_>) -> &[usize] {
        self.lists.get(&count(self.of(job).list)).map_or(&[], Vec::as_slice)
    }

    /// Returns the number that the log has for a partition, if jobs ran there.
    pub fn number_of(&self, partition: usize) -> Option<i64> {
        self.partitions.iter().find(|(_, at)| **at == partition).map(|(&number, _)| number)
    }

    /// Returns the number by which the nodes of a job's partitions admit it, by its row; -1 where it named one.
    pub(super) fn admission(&self, row: usize) -> i64 {
        let list = self.jobs.get(row).map_or(0, |site| count(site.list));
        if self.lists.contains_key(&list) { admitted_by(list) } else { -1 }
    }

    pub fn qos(&self, job: JobView<'_>) -> Option<usize> {
        self.of(job).qos.map(Index::get)
    }

    /// Returns the service classes whose limits hold for a job, in the order in which they count: the class of its partition, and its
    /// own (`acct_policy_set_qos_order`).
    pub fn governing(&self, job: JobView<'_>) -> impl Iterator<Item = usize> + use<> {
        let own = self.qos(job);
        let of_partition = self.partition(job).and_then(|at| self.system.partitions[at].qos.as_ref());
        let of_partition =
            of_partition.and_then(|name| self.system.qos.iter().position(|known| known.name == *name));
        let is_over = own.is_some_and(|at| self.system.qos[at].over_partition);
        let (first, second) = if is_over { (own, of_partition) } else { (of_partition, own) };
        first.into_iter().chain(second.filter(|_| first != second))
    }

    /// Returns a job's place in the order of submission: by the instant, then by the number that Slurm gave to the job, or to the
    /// array that it is a task of, then by task.
    pub fn order(&self, job: JobView<'_>) -> i64 {
        let row = job.row();
        self.jobs.get(row).map_or(row as i64, |site| site.order)
    }

    /// Returns how many tasks of its array come after a job, and get reservations though a throttle keeps them from starting: until
    /// 22.05, since later cycles count the running tasks, too (`_attempt_backfill` of 23.02.4).
    pub fn tasks_behind(&self, job: JobView<'_>) -> u64 {
        if self.system.version.from(23, 2) { 0 } else { self.of(job).behind }
    }

    pub fn array(&self, job: JobView<'_>) -> Option<i64> {
        self.of(job).array.map(NonZeroI64::get)
    }

    pub fn components(&self, job: JobView<'_>) -> Option<(i64, usize)> {
        let het = self.of(job).het?.get();
        Some((het, self.components.get(&het).copied().unwrap_or(1)))
    }

    pub fn nice(&self, job: JobView<'_>) -> i64 {
        self.of(job).nice
    }

    pub fn recorded_priority(&self, job: JobView<'_>) -> Option<i64> {
        self.of(job).priority.map(NonZeroI64::get)
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
        self.of(job).requeue.unwrap_or(!self.system.no_requeue)
    }

    /// Returns the rank by which jobs are preempted, the lowest first: their tier, or the priority of their service class.
    pub fn preempted_rank(&self, job: JobView<'_>) -> i64 {
        let (partition, qos) = self.partition_and_qos(job);
        match self.system.preemption.map(|preemption| preemption.by) {
            Some(PreemptBy::Qos) => qos.map_or(0, |known| known.priority),
            _ => partition.map_or(1, |known| known.tier),
        }
    }

    pub fn reservations(&self) -> &[SiteReservation] {
        &self.reservations
    }

    pub fn reservation(&self, job: JobView<'_>) -> Option<usize> {
        self.of(job).reservation.map(Index::get)
    }

    pub fn changes(&self) -> &[SiteChange] {
        &self.changes
    }

    /// Forgets the changes after an instant.
    pub fn forget_changes_after(&mut self, now: Time) {
        self.changes.retain(|one| one.at <= now);
    }

    /// Returns what changes have made of the jobs that were changed by an instant, by their rows.
    pub fn changed_by(&self, now: Time) -> SortedMap<usize, ChangedJob> {
        let mut changed: SortedMap<usize, ChangedJob> = SortedMap::new();
        for one in self.changes.iter().filter(|one| one.at <= now) {
            changed.entry(one.row).or_default().change(one.change);
        }
        changed
    }

    pub fn licences(&self) -> impl Iterator<Item = i64> + '_ {
        self.licences.iter().map(|(_, count, _)| *count)
    }

    pub fn licences_of(&self, job: JobView<'_>) -> impl Iterator<Item = i64> + '_ {
        let row = job.row();
        self.licences.iter().map(move |(.., needs)| needs.get(row).copied().unwrap_or(0))
    }

    pub fn licence_of(&self, job: JobView<'_>, name: &str) -> i64 {
        let mut all = self.licences.iter().zip(self.licences_of(job));
        all.find(|((known, ..), _)| known == name).map_or(0, |(_, need)| need)
    }

    /// Returns the nodes on which a job ran, if the log tells.
    pub fn ran_on(&self, job: JobView<'_>) -> Option<&[usize]> {
        self.places.get(&self.of(job).place?).map(Vec::as_slice)
    }

    /// Returns the groups of nodes between which a job must choose, as its constraint asks (`[rack1|rack2]`); empty if it may mix nodes.
    pub fn groups(&self, job: JobView<'_>) -> &[Vec<usize>] {
        self.groups.get(&count(self.of(job).constraint)).map_or(&[], |groups| &groups[..])
    }

    pub fn association(&self, job: JobView<'_>) -> Option<usize> {
        self.of(job).association.map(Index::get)
    }

    /// Returns how many processors a job asked for and how many for each task, if it asked for several for each task and got fewer
    /// in all. Slurm looks for nodes with the number of processors that the job asked for, each with enough for a task, and gives
    /// the job fewer where its tasks do not use them up.
    ///
    /// Source: `_allocate_sc` and `_eval_nodes` of `cons_tres` in Slurm 22.05, which count processors that are free, not whole tasks,
    /// and jobs of 22.05.8 with `--ntasks=8 --cpus-per-task=4` that got 26 to 31 processors.
    pub fn asked_whole(&self, job: JobView<'_>) -> Option<(i64, i64)> {
        let site = self.of(job);
        let (procs, task) = (count(site.procs), count(site.task));
        let is_less = job.procs() < procs && task > 1 && procs % task == 0;
        let is_whole = self.has_blocks || job.layout().exclusive || self.system.select.whole_nodes;
        (is_less && !is_whole).then_some((procs, task))
    }

    /// Returns since when the age of a job counts; `None` as long as it does not.
    pub fn age_since(&self, job: JobView<'_>) -> Option<Time> {
        match self.queued.get(&job.row()).map(QueuedJob::accrual).unwrap_or_default() {
            Accrual::After(time) => Some(job.submitted().saturating_add(time)),
            Accrual::NotYet => None,
            Accrual::Untold if self.system.priority.accrue_always => Some(job.submitted()),
            Accrual::Untold => Some(job.submit()),
        }
    }

    /// Returns the priority of a waiting job at the instant of its queue, if the queue tells; 0 if it is held.
    pub fn priority_now(&self, job: JobView<'_>) -> Option<i64> {
        self.queued.get(&job.row())?.priority
    }

    /// Returns how many nodes a waiting job needs at least, as the queue tells.
    pub fn least_nodes(&self, job: JobView<'_>) -> Option<i64> {
        self.queued.get(&job.row())?.least_nodes
    }

    pub fn partitions_of(&self, job: JobView<'_>) -> Vec<usize> {
        match self.partitions(job) {
            [] => self.partition(job).into_iter().collect(),
            several => several.to_vec(),
        }
    }
}
