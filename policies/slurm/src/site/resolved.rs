//! An installation, resolved for the jobs of a log: which partitions, service classes and associations they have.

use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_traces::asked::{RAN_ON, RESERVATION};
use batchlab_traces::finding::{Example, Findings, Refusal};
use batchlab_traces::header::Named;
use batchlab_traces::redact::Pseudonyms;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::trace::{Unfinished, UnfinishedJobs};
use batchlab_traces::{Field, Header, JobId, Time, Trace, Workload, kinds};

use super::accounts::AccountTree;
use super::announced::announced;
use super::blocks::Blocks;
use super::changed::SiteChange;
use super::dated::changes;
use super::jobs::{Index, JobSite, components, order, told};
use super::machine::{groups, places};
use super::phases::{cycle, limits_checked};
use super::queued::{QueuedJob, queued};
use super::{Association, SlurmPartition, SlurmSystem, ToldUsage, USAGE_OF_NO_QUEUE, affected, views};

kinds! {
    UNKNOWN_NAME: Warning "slurm-name-unknown",
        "{job|jobs} with a partition, QOS or association that the files of --slurm do not have",
        "an unknown partition counts as the default one, an unknown QOS has priority 0, and an unknown association has one \
         share of its account",
        "give the files of the time of the log: slurm.conf, sacctmgr -P show qos, sacctmgr -P show assoc";
    UNKNOWN_NODE: Warning "slurm-node-unknown",
        "{job|jobs} that ran on nodes that the files of --slurm do not have",
        "placed on other nodes; the machine of the replay may be smaller than that of the log",
        "give the slurm.conf of the time of the log";
    ABOVE_PARTITION: Warning "slurm-above-partition",
        "{job|jobs} that {requests|request} more time or nodes than {its|their} partition allows",
        "scheduled with the partition's MaxTime as the limit, and on the nodes requested: the log shows that Slurm did start \
         such jobs",
        "give the slurm.conf of the time of the log";
    RESERVATION_UNDATED: Warning "slurm-reservation-undated",
        "{reservation|reservations} whose times cannot be read, or a log without a date",
        "ignored: its jobs run anywhere, and others run on its nodes",
        "give the output of scontrol show reservation with full times (SLURM_TIME_FORMAT=standard), and a log with dates";
    MAINTENANCE_NAMED: Note "slurm-maintenance-named",
        "{reservation|reservations} for maintenance that jobs of the log name",
        "under the policy slurm {it serves|they serve} these jobs and no others; other policies do not follow \
         {it|them}, as any reservation for jobs that name it",
        "for other policies, give the maintenance with --calendar, too";
    RESERVATION_ANNOUNCED: Note "slurm-reservation-announced",
        "{reservation|reservations} of which the files do not say when {it was|they were} made",
        "known from the beginning of the log, or from the last start of a job that its limit would take into the reservation: \
         Slurm starts none once it knows of it",
        "look at what is beside it; maintenance can be given with --calendar, too, where `known` says when it was announced";
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlurmSite {
    pub system: Arc<SlurmSystem>,
    /// The tree of accounts and users, root first or not: each has its parent as an index. Each pair of account and user of
    /// the log is in it.
    pub tree: Vec<Association>,
    /// Instant of the log's zero, in seconds since 1970; 0 if unknown.
    pub epoch: i64,
    /// An instant at which a backfill cycle began, as the log's starts by this loop tell.
    pub cycle: Option<Time>,
    /// An instant at which slurmctld looked at the time limits of all jobs, as the ends of the jobs that it killed tell.
    pub limits_checked: Option<Time>,
    /// An instant at which priorities were computed, as the priorities that the log recorded tell: a second, or the tick before it if
    /// that comes before what else happens in the second. The policy that computes them finds it.
    pub computed: Option<Time>,
    /// When ends of jobs count that have another place within their second than the log has, as these priorities tell.
    pub ended: SortedMap<JobId, Time>,
    /// Raw usage of each association of the tree by jobs that are not of the replay, at an instant.
    pub used: Option<(Time, Vec<f64>)>,
    /// Whether it has what running jobs had used by the last computation of priorities.
    pub used_has_running: bool,
    /// What slurmctld has counted as usage at the instant of the queue (`sshare`), of the associations of the tree.
    pub told: Option<ToldUsage>,
    pub(super) queued: SortedMap<usize, QueuedJob>,
    pub(super) partitions: SortedMap<i64, usize>,
    /// The lists of partitions in which jobs may run, by their numbers.
    pub(super) lists: SortedMap<i64, Vec<usize>>,
    pub(super) jobs: Vec<JobSite>,
    pub(super) reservations: Vec<SiteReservation>,
    /// The licences, each with what jobs need of it by their rows.
    pub(super) licences: Vec<(String, i64, Vec<i64>)>,
    /// How jobs were changed as they waited or ran, in order.
    pub(super) changes: Vec<SiteChange>,
    /// The lists of nodes on which jobs ran.
    pub(super) places: SortedMap<i64, Vec<usize>>,
    /// For each constraint by its number: the groups of nodes between which a job must choose.
    pub(super) groups: SortedMap<i64, Arc<[Vec<usize>]>>,
    /// Whether jobs may hold more processors than they use, since cores or sockets are allocated as a whole.
    pub(crate) has_blocks: bool,
    pub(super) components: SortedMap<i64, usize>,
}

/// An advance reservation, on the log's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteReservation {
    pub from: Time,
    pub to: Time,
    /// From when, and until when, slurmctld knows of it.
    pub known: (Time, Time),
    pub maintains: bool,
    pub nodes: Vec<usize>,
    /// Processors of its nodes if it holds some of them only; empty if it holds whole nodes.
    pub cores: Vec<(usize, i64)>,
}

impl SlurmSite {
    /// Returns an installation for the jobs of a log that tells nothing more of them.
    pub fn new(system: Arc<SlurmSystem>) -> SlurmSite {
        SlurmSite { has_blocks: !Blocks::of(&system).are_single(), system, ..SlurmSite::default() }
    }

    /// Resolves of an installation what decides how the jobs of a log lie on nodes.
    pub(super) fn of_shapes(system: Arc<SlurmSystem>, workload: &Workload, trace: &Trace) -> SlurmSite {
        SlurmSite {
            partitions: system.numbers(&trace.header.partition),
            groups: groups(&system, &trace.header),
            lists: system.lists(&trace.header),
            jobs: told(&system, workload, trace),
            ..SlurmSite::new(system)
        }
    }

    pub fn resolve(
        system: Arc<SlurmSystem>,
        workload: &Workload,
        trace: &Trace,
        findings: &mut Findings,
    ) -> Result<SlurmSite, Refusal> {
        let header = &trace.header;
        let (reserved, reservations) = reservations(&system, trace, findings)?;
        let mut jobs = told(&system, workload, trace);
        let mut names = Names::new(&system, trace, reserved);
        for job in views(workload) {
            names.resolve(job, &mut jobs[job.row()]);
        }
        names.report(findings)?;
        order(&mut jobs, workload, trace);
        let places = places(&system, header);
        report_lost(&system, header, (&jobs, &places), findings)?;
        let nodes_of = |row: usize| jobs[row].place.and_then(|place| places.get(&place)).map(Vec::as_slice);
        affected::report(&system, (workload, trace), &nodes_of, findings)?;
        let told = ToldUsage::of(&names.tree.all, &system.shares);
        let unfinished = trace.unfinished();
        let have_ended = || workload.jobs().all(|job| unfinished.get(workload.row(job)).is_none());
        if let Some(told) = told.as_ref().filter(|_| have_ended()) {
            findings.report_many(&USAGE_OF_NO_QUEUE, told.found as u64, || Example {
                place: system.place.clone(),
                detail: "sshare".into(),
            })?;
        }
        Ok(SlurmSite {
            told,
            queued: queued(workload, trace),
            has_blocks: !Blocks::of(&system).are_single(),
            tree: names.tree.all,
            epoch: header.unix_start_time.unwrap_or(0),
            cycle: cycle(&system, workload, trace),
            limits_checked: limits_checked(workload, trace),
            computed: None,
            ended: SortedMap::new(),
            used: None,
            used_has_running: false,
            partitions: names.partitions,
            reservations,
            licences: licences(&system, trace),
            changes: changes((&system, &system.changes), trace, findings)?,
            groups: groups(&system, header),
            lists: system.lists(header),
            components: components(&jobs),
            places,
            jobs,
            system,
        })
    }

    /// Whether a job requests more time or nodes than its partition allows.
    pub fn exceeds_partition(&self, job: JobView<'_>) -> bool {
        self.partition(job).is_some_and(|at| exceeds(&self.system.partitions[at], job))
    }

    /// Replaces the names of accounts and users by pseudonyms; names that are not in the log get the next numbers.
    pub fn redact(&mut self, names: &Pseudonyms) {
        let pair = |association: &Association| (association.account.clone(), association.user.clone());
        let names = names.clone().with_accounts(self.tree.iter().map(pair));
        for association in &mut self.tree {
            names.account(&mut association.account);
            association.user.iter_mut().for_each(|user| names.user(user));
        }
    }
}

/// The names of a log, by which its jobs are found in an installation, and what was not found.
struct Names<'a> {
    system: Arc<SlurmSystem>,
    trace: &'a Trace,
    unfinished: UnfinishedJobs<'a>,
    partitions: SortedMap<i64, usize>,
    users: SortedMap<i64, String>,
    accounts: SortedMap<i64, String>,
    qos: SortedMap<i64, String>,
    reservations: SortedMap<i64, String>,
    /// The reservations that are followed, with their ends.
    reserved: Vec<(String, Time)>,
    tree: AccountTree,
    /// What the installation does not have, with how many jobs name it.
    unknown: SortedMap<String, u64>,
    /// Jobs beyond the limits of their partitions.
    above: u64,
}

impl<'a> Names<'a> {
    fn new(system: &Arc<SlurmSystem>, trace: &'a Trace, reserved: Vec<(String, Time)>) -> Names<'a> {
        let header = &trace.header;
        let accounts = header.noted("account").chain(header.noted("group"));
        Names {
            partitions: system.numbers(&header.partition),
            users: names(&header.users, header.noted("user")),
            accounts: names(&header.groups, accounts),
            qos: names(&[], header.noted("qos")),
            reservations: names(&[], header.noted(RESERVATION)),
            reserved,
            tree: AccountTree::new(system),
            unknown: SortedMap::new(),
            above: 0,
            system: system.clone(),
            unfinished: trace.unfinished(),
            trace,
        }
    }

    fn resolve(&mut self, job: JobView<'_>, site: &mut JobSite) {
        let (system, number) = (self.system.clone(), job.partition());
        let named = self.trace.header.partition.iter().find(|named| named.number == number);
        let named = named.map(|named| named.name.as_str());
        if let Some(name) = named.filter(|name| system.partition(name).is_none()) {
            self.miss(format!("partition {name}"));
        }
        site.qos = self.qos_of(job.row());
        site.reservation = self.reservation_of(job);
        site.association = self.association_of(job, named);
        let partition = self.partitions.get(&number).copied().or(system.default_partition());
        // A job that waits shows nothing of what Slurm does with it.
        let has_started = self.unfinished.get(job.row()) != Some(Unfinished::Waiting);
        let is_above = || partition.is_some_and(|at| exceeds(&system.partitions[at], job));
        self.above += u64::from(has_started && is_above());
    }

    fn miss(&mut self, what: String) {
        *self.unknown.entry(what).or_default() += 1;
    }

    fn qos_of(&mut self, row: usize) -> Option<Index> {
        let name = self.qos.get(&self.trace.resource("qos")?.whole(row))?;
        let found = self.system.qos.iter().position(|known| known.name == *name);
        if found.is_none() && !self.system.qos.is_empty() {
            self.miss(format!("QOS {name}"));
        }
        found.and_then(Index::new)
    }

    /// Finds the reservation that a job names. If several follow each other under one name, it is the reservation in which the job
    /// started, or the last one.
    fn reservation_of(&mut self, job: JobView<'_>) -> Option<Index> {
        let name = self.reservations.get(&self.trace.resource(RESERVATION)?.whole(job.row()))?;
        let start = job.submitted() + self.trace.time(job.row(), Field::Wait).max(Time::ZERO);
        let of_name = || self.reserved.iter().enumerate().filter(|(_, (known, _))| known == name);
        let found = of_name().find(|(_, (_, to))| *to > start).or(of_name().next_back()).map(|(at, _)| at);
        if found.is_none() && !self.system.reservations.iter().any(|known| known.name == *name) {
            self.miss(format!("reservation {name}"));
        }
        found.and_then(Index::new)
    }

    fn association_of(&mut self, job: JobView<'_>, partition: Option<&str>) -> Option<Index> {
        let of = |names: &SortedMap<i64, String>, field: Field| {
            let number = job.attribute(field);
            names.get(&number).cloned().unwrap_or_else(|| number.to_string())
        };
        let (user, account) = (of(&self.users, Field::User), of(&self.accounts, Field::Group));
        let (at, is_known) = self.tree.association(&account, &user, partition);
        if !is_known && !self.system.associations.is_empty() {
            self.miss(format!("association of {user} in {account}"));
        }
        Index::new(at)
    }

    /// Reports what the installation does not have, and the jobs beyond the limits of their partitions.
    fn report(&mut self, findings: &mut Findings) -> Result<(), Refusal> {
        for (name, count) in std::mem::take(&mut self.unknown) {
            findings.report_many(&UNKNOWN_NAME, count, || Example {
                place: None,
                detail: format!("{name} ({count})"),
            })?;
        }
        findings.report_many(&ABOVE_PARTITION, self.above, || Example {
            place: self.system.place.clone(),
            detail: "MaxTime or MaxNodes of the partition".into(),
        })
    }
}

/// Reports the jobs that ran on nodes that the installation lacks.
fn report_lost(
    system: &SlurmSystem,
    header: &Header,
    (jobs, places): (&[JobSite], &SortedMap<i64, Vec<usize>>),
    findings: &mut Findings,
) -> Result<(), Refusal> {
    let is_elsewhere = |place: &i64| *place > 0 && !places.contains_key(place);
    let elsewhere = || jobs.iter().filter_map(|site| site.place).filter(is_elsewhere);
    findings.report_many(&UNKNOWN_NODE, elsewhere().count() as u64, || {
        let first = elsewhere().next();
        let named = header.noted(RAN_ON).find(|named| Some(named.number) == first);
        Example {
            place: system.place.clone(),
            detail: named.map_or(String::new(), |named| format!("`{}`", named.name)),
        }
    })
}

/// Whether a job requests more time or nodes than its partition allows.
fn exceeds(partition: &SlurmPartition, job: JobView<'_>) -> bool {
    let layout = job.layout();
    let is_late = partition.max_time.most().is_some_and(|most| job.estimate() > most);
    is_late || partition.max_nodes.is_some_and(|most| layout.per_node == 1 && layout.count() > most)
}

type NameAndEnd = (String, Time);

fn reservations(
    system: &SlurmSystem,
    trace: &Trace,
    findings: &mut Findings,
) -> Result<(Vec<NameAndEnd>, Vec<SiteReservation>), Refusal> {
    let (mut reserved, mut made) = (Vec::new(), Vec::new());
    let first = (0..trace.len()).map(|row| trace.time(row, Field::Submit)).min();
    for (one, known) in system.reservations.iter().zip(announced(system, trace)) {
        let example = || Example {
            place: Some(one.place.clone()),
            detail: format!("`{}` from {} to {}", one.name, one.start, one.end),
        };
        let Some((from, to)) = trace.calendar.as_ref().and_then(|calendar| one.times(calendar)) else {
            findings.report(&RESERVATION_UNDATED, example)?;
            continue;
        };
        let of_log = trace.calendar.as_ref().and_then(|calendar| one.known(calendar));
        if first.is_some_and(|first| from > first) && of_log.is_none() {
            let since =
                known.map_or("the log's beginning".into(), |known| format!("{known} s of the log on"));
            let detail = format!("{}: known from {since}", example().detail);
            findings.report(&RESERVATION_ANNOUNCED, || Example { detail, ..example() })?;
        }
        let is_served = one.serves(trace);
        let until = of_log.map_or(Time::MAX, |(_, until)| until);
        // What a reservation that jobs name was before it began is left out.
        if is_served && until > from || !is_served && of_log.is_some() {
            if one.maintenance && one.is_named(trace) {
                findings.report(&MAINTENANCE_NAMED, example)?;
            }
            let to = if is_served { to.min(until) } else { to };
            reserved.push((one.name.clone(), to));
            let known = known.unwrap_or(Time::from_ticks(i64::MIN));
            made.push(SiteReservation {
                from,
                to,
                known: (known, until),
                maintains: one.maintenance,
                nodes: one.nodes.clone(),
                cores: one.cores.clone(),
            });
        }
    }
    Ok((reserved, made))
}

/// Returns how many there are of each licence that jobs need, and how many each job needs.
fn licences(system: &SlurmSystem, trace: &Trace) -> Vec<(String, i64, Vec<i64>)> {
    let of = |(name, count): &(String, i64)| {
        let column = trace.resource(&format!("{LICENCE}{name}"))?;
        let needs = (0..trace.len()).map(|row| column.whole(row).clamp(0, *count)).collect();
        Some((name.clone(), *count, needs))
    };
    system.licences.iter().filter_map(of).collect()
}

/// What the names of the columns of licences begin with.
pub(super) const LICENCE: &str = "license/";

/// Returns names by number; notes of the header come second.
fn names(known: &[Named], noted: impl Iterator<Item = Named>) -> SortedMap<i64, String> {
    noted.chain(known.iter().cloned()).map(|named| (named.number, named.name)).collect()
}
