//! A Slurm installation as its files describe it: nodes, partitions, scheduler, priority, associations, service classes.
//!
//! The [readers](crate::reader) of the files fill it. [`SlurmSite`] resolves it for the jobs of a log.
//!
//! Source: the manual pages `slurm.conf(5)`, `sacctmgr(1)` and `scontrol(1)` of versions 20.11 to 25.05.

mod accounts;
mod affected;
mod announced;
mod blocks;
mod changed;
mod choice;
mod dated;
mod jobs;
mod layouts;
mod limits;
mod machine;
mod memory;
mod parameters;
mod phases;
mod placing;
mod precedence;
mod preemption;
mod priority;
mod queued;
mod resolved;
mod sharing;
mod topology;
mod usage;
mod version;

pub use affected::{ASLEEP, RESUBMITTED, SHARED};
pub use blocks::CORES_DIFFER;
pub use changed::{CHANGE_KEPT, CHANGE_OF_NO_JOB, ChangedJob, JobChange, LoggedChange, SiteChange};
pub use choice::SiteChoice;
pub use limits::{ABOVE_LIMIT, LIMIT_UNSUPPORTED, running_limits};
pub use parameters::{Backfill, MainLoop, ParameterFate, ParameterNote, Scheduler};
pub use phases::{StartLoop, cycles};
pub use placing::{UNPLACEABLE, placed};
pub use precedence::Precedence;
pub use preemption::{PreemptBy, PreemptMode, SlurmPreemption, preempted_names};
pub use priority::{
    Billing, FairshareRule, PriorityConfig, PriorityType, ResetPeriod, SizeRule, TresWeight, Weights,
};
pub use queued::is_held;
pub use resolved::{
    ABOVE_PARTITION, MAINTENANCE_NAMED, RESERVATION_ANNOUNCED, RESERVATION_UNDATED, SiteReservation,
    SlurmSite, UNKNOWN_NAME, UNKNOWN_NODE,
};
pub use topology::{Switch, SwitchWish, Topology};
pub use usage::{AssociationUsage, ToldUsage, USAGE_OF_NO_QUEUE};
pub use version::SlurmVersion;

use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_traces::asked::RESERVATION;
use batchlab_traces::capacity::{Instant, OutageLog};
use batchlab_traces::header::Named;
use batchlab_traces::notation::Bound;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{Calendar, Findings, SourcePlace, Time, Trace, Workload};

#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlurmSystem {
    /// The version whose defaults hold.
    pub version: SlurmVersion,
    /// The nodes, in the order of the files: the order in which slurmctld numbers them.
    pub nodes: Vec<SlurmNode>,
    pub partitions: Vec<SlurmPartition>,
    pub scheduler: Scheduler,
    pub priority: PriorityConfig,
    pub select: Select,
    /// The associations of accounts and users; empty if no file has them.
    pub associations: Vec<Association>,
    /// What slurmctld counted as the usage of associations at an instant (`sshare`); empty if no file has it.
    pub shares: Vec<AssociationUsage>,
    /// The service classes; empty if no file has them.
    pub qos: Vec<Qos>,
    /// Whether jobs that ask for no memory get some for each processor (`DefMemPerCPU`).
    pub memory_each: bool,
    /// The most memory for each processor, MB (`MaxMemPerCPU`): jobs that ask for more get more processors.
    pub most_memory_each: Option<i64>,
    /// Whether limits of associations and service classes hold (`AccountingStorageEnforce=limits`).
    pub enforces_limits: bool,
    /// Licences by name, with how many there are (`Licenses`).
    pub licences: Vec<(String, i64)>,
    /// How running jobs lose their nodes to others; `None` if they never do.
    pub preemption: Option<SlurmPreemption>,
    /// Whether jobs that do not ask for it are never requeued (`JobRequeue=0`).
    pub no_requeue: bool,
    /// The switches by which jobs are placed; `None` without a topology.
    pub topology: Option<Topology>,
    pub reservations: Vec<SlurmReservation>,
    /// When nodes were out of service (`sacctmgr show event`).
    pub outages: Vec<OutageLog>,
    /// How jobs were changed, in the order of slurmctld's log.
    pub changes: Vec<LoggedChange>,
    /// Time between the signal at the limit and the end by force (`KillWait`).
    pub kill_wait: Time,
    /// Time for which a job may exceed its limit (`OverTimeLimit`).
    pub over_time_limit: Time,
    /// How long the loops start no job while another one completes (`CompleteWait`); zero if they do not wait.
    pub complete_wait: Time,
    /// After how long without a job nodes are powered down (`SuspendTime`); `None` if they never are.
    pub asleep_after: Option<Time>,
    /// Whether a plug-in of the site may change jobs as they are submitted (`JobSubmitPlugins`).
    pub rewrites: bool,
    /// Where the description begins, for errors.
    pub place: Option<SourcePlace>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Installation {
    pub system: Arc<SlurmSystem>,
    pub findings: Findings,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SlurmNode {
    pub name: String,
    /// `CPUs`, or boards × sockets × cores × threads.
    pub cpus: i64,
    /// The processors of a core; 1 if `CPUs` counts cores.
    pub threads: i64,
    pub socket: i64,
    /// `RealMemory`, MB.
    pub memory: i64,
    pub features: Vec<String>,
    /// `Weight`: jobs go to the nodes with the smallest one.
    pub weight: i64,
    /// `Gres` by name, and by name and type (`gpu:a100`), with counts.
    pub gres: Vec<(String, i64)>,
}

#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "settings of a file, each on its own")]
pub struct SlurmPartition {
    pub name: String,
    /// Its nodes, as indices into [`SlurmSystem::nodes`], ascending.
    pub nodes: Vec<usize>,
    pub max_time: Bound<Time>,
    /// `DefaultTime`, of jobs that do not ask for a limit; `None` (`DefaultTime=NONE`) if these have `MaxTime`.
    pub default_time: Option<Bound<Time>>,
    pub max_nodes: Option<i64>,
    /// Whether jobs that name no partition go here.
    pub is_default: bool,
    /// Whether its jobs have their nodes to themselves (`OverSubscribe=EXCLUSIVE`).
    pub exclusive: bool,
    /// How many jobs may have a processor, whether they ask for it or not (`OverSubscribe=FORCE:4`); 1 without.
    pub rows: i64,
    /// Whether its jobs that ask for no memory get some for each processor (`DefMemPerCPU`).
    pub memory_each: bool,
    /// The most memory for each processor of its jobs, MB (`MaxMemPerCPU`); `None` if the installation's holds.
    pub most_memory_each: Option<i64>,
    /// Whether its nodes serve one user at a time (`ExclusiveUser`).
    pub exclusive_user: bool,
    /// Whether its jobs go to the nodes with the greatest share of free processors (`LLN`).
    pub least_loaded: bool,
    /// `QOS`: the service class whose limits all its jobs have.
    pub qos: Option<String>,
    /// `PriorityTier`: partitions with a higher one are served first.
    pub tier: i64,
    pub job_factor: i64,
    /// `PreemptMode` of its running jobs; `None` if the installation's holds.
    pub preempt_mode: Option<PreemptMode>,
    /// `GraceTime` of its running jobs.
    pub grace: Time,
    /// `TRESBillingWeights`.
    pub billing: Vec<TresWeight>,
    pub place: SourcePlace,
}

/// What is allocated to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "settings of a file, each on its own")]
pub struct Select {
    /// Whether jobs get whole nodes (`select/linear`); otherwise processors (`select/cons_tres`).
    pub whole_nodes: bool,
    /// Whether memory is allocated (`CR_..._Memory`).
    pub memory: bool,
    /// Whether all jobs go to the nodes with the greatest share of free processors (`CR_LLN`).
    pub least_loaded: bool,
    /// Whether a core serves one task unless a job asks for more (`CR_ONE_TASK_PER_CORE`).
    pub one_task: bool,
    /// What is allocated as a whole, unless nodes are.
    pub unit: SelectUnit,
}

/// What `select/cons_tres` allocates as a whole: a core or a socket never serves two jobs at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelectUnit {
    /// Cores; only the processors that a job uses are charged to it (`CR_CPU`).
    Cpu,
    /// Cores (`CR_Core`).
    #[default]
    Core,
    /// Sockets (`CR_Socket`).
    Socket,
}

impl Default for Select {
    fn default() -> Select {
        Select {
            whole_nodes: true,
            memory: false,
            least_loaded: false,
            one_task: false,
            unit: SelectUnit::Core,
        }
    }
}

/// A bound on a trackable resource, such as `cpu=100`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TresLimit {
    /// The resource: `cpu`, `node`, `mem` (MB), `gres/gpu`.
    pub resource: String,
    pub most: i64,
}

/// Bounds that an association or a service class sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlurmLimits {
    /// `GrpJobs`: running jobs of all.
    pub group_jobs: Option<i64>,
    /// `GrpTRES`.
    pub group_tres: Vec<TresLimit>,
    /// `GrpTRESRunMins`: processor-minutes that running jobs may still use.
    pub group_run_minutes: Vec<TresLimit>,
    /// `MaxJobs` of an association, `MaxJobsPU` of a service class: running jobs of one user.
    pub user_jobs: Option<i64>,
    /// `MaxTRESPU` of a service class.
    pub user_tres: Vec<TresLimit>,
    /// `MaxTRES` of one job.
    pub job_tres: Vec<TresLimit>,
    /// `MaxWall` of one job.
    pub wall: Option<Time>,
    /// What is set beside, and not followed, as written: `MaxJobsPA=2`.
    pub others: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Association {
    pub account: String,
    /// The user; `None` for the account itself.
    pub user: Option<String>,
    /// The partition, if the association is about one.
    pub partition: Option<String>,
    /// The account above, as an index; `None` for the root.
    pub parent: Option<usize>,
    /// `Fairshare`; `None` for `parent`: the user shares with the account.
    pub shares: Option<i64>,
    /// `Priority` of the association.
    pub priority: i64,
    /// Raw usage at the beginning, in billing-seconds.
    pub usage: f64,
    pub bounds: SlurmLimits,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Qos {
    pub name: String,
    pub priority: i64,
    /// `UsageFactor`.
    pub usage_factor: f64,
    /// The service classes whose running jobs its jobs preempt (`Preempt`).
    pub preempts: SortedSet<String>,
    /// `PreemptMode` of its running jobs; `None` if the installation's holds.
    pub preempt_mode: Option<PreemptMode>,
    /// `GraceTime` of its running jobs.
    pub grace: Time,
    /// Whether its limits come before those of the service class of a partition (`Flags=OverPartQOS`).
    pub over_partition: bool,
    /// `PreemptExemptTime` of its running jobs; `None` if the installation's holds.
    pub exempt: Option<Time>,
    pub bounds: SlurmLimits,
    pub place: SourcePlace,
}

/// An advance reservation (`scontrol show reservation`, `sacctmgr show reservation`).
#[derive(Clone, Debug, PartialEq)]
pub struct SlurmReservation {
    pub name: String,
    /// `StartTime`, as written: on the site's clock, or in seconds since 1970.
    pub start: String,
    pub end: String,
    pub nodes: Vec<usize>,
    /// Processors of its nodes if it holds some of them only; empty if it holds whole nodes.
    pub cores: Vec<(usize, i64)>,
    /// Whether it is for maintenance (`Flags=MAINT`): it keeps every job out that does not name it.
    pub maintenance: bool,
    /// When it was made, or came to be as it is, if slurmctld's log tells; as written there.
    pub known: Option<String>,
    /// When it was changed or removed, if slurmctld's log tells; as written there.
    pub until: Option<String>,
    pub place: SourcePlace,
}

fn views(workload: &Workload) -> impl Iterator<Item = JobView<'_>> {
    workload.jobs().map(|job| JobView::new(workload, job))
}

/// Returns an instant of a file on the time of a log.
fn on_log(text: &str, calendar: &Calendar) -> Option<Time> {
    Instant::of_slurm(text)?.in_log(0, Some(calendar))
}

impl SlurmReservation {
    /// Whether a job of the log names it.
    fn is_named(&self, trace: &Trace) -> bool {
        let names = |named: Named| named.name == self.name;
        trace.resource(RESERVATION).is_some() && trace.header.noted(RESERVATION).any(names)
    }

    /// Whether jobs run on its nodes: jobs that name it, or jobs beside the cores that it holds. Maintenance of whole nodes that
    /// no job of the log names keeps every job out.
    pub(crate) fn serves(&self, trace: &Trace) -> bool {
        !self.maintenance || !self.cores.is_empty() || self.is_named(trace)
    }

    /// Returns when it begins and ends, on the time of a log; `None` if its times cannot be read.
    pub(crate) fn times(&self, calendar: &Calendar) -> Option<(Time, Time)> {
        Some((on_log(&self.start, calendar)?, on_log(&self.end, calendar)?))
    }

    /// Returns from when and until when slurmctld knew of it as it is, if its log tells.
    pub(crate) fn known(&self, calendar: &Calendar) -> Option<(Time, Time)> {
        let until = self.until.as_ref().and_then(|text| on_log(text, calendar));
        Some((on_log(self.known.as_ref()?, calendar)?, until.unwrap_or(Time::MAX)))
    }

    /// Returns it as an event of a calendar (TOML) in which no job starts; `None` if jobs run in it, or its times cannot be read.
    fn event(&self, trace: &Trace, known: Option<Time>) -> Option<String> {
        let calendar = trace.calendar?;
        let (from, _) = self.times(&calendar)?;
        let until = self.known(&calendar).map_or(Time::MAX, |(_, until)| until);
        if self.nodes.is_empty() || self.serves(trace) || until <= from {
            return None;
        }
        let instant = |text: &str| match text.trim().parse::<i64>() {
            Ok(seconds) => seconds.saturating_sub(calendar.unix_start()).to_string(),
            Err(_) => format!("\"{}\"", text.replace('T', " ")),
        };
        let last = self.until.as_ref().filter(|_| self.times(&calendar).is_some_and(|(_, to)| until < to));
        let (start, end) = (instant(&self.start), instant(last.unwrap_or(&self.end)));
        let nodes = self.nodes.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let known = known.map_or(String::new(), |known| {
            let before = (from - known).ticks() / Time::SECOND.ticks();
            format!("known = \"{before}s\"\n")
        });
        Some(format!(
            "[[event]]\nkind = \"maintenance\"\nfrom = {start}\nto = {end}\nnodes = \"{nodes}\"\njobs = \"drain\"\n{known}"
        ))
    }
}

impl SlurmSystem {
    pub fn partition(&self, name: &str) -> Option<usize> {
        self.partitions.iter().position(|partition| partition.name == name)
    }

    pub fn class(&self, name: &str) -> Option<usize> {
        self.qos.iter().position(|known| known.name == name)
    }

    /// Returns the maintenance as a calendar of capacity (TOML): no job starts on its nodes. `None` without any. Reservations
    /// for the jobs that name them are in [`SlurmSite::reservations`], and so are reservations whose times cannot be read.
    pub fn calendar(&self, trace: &Trace) -> Option<String> {
        let known = announced::announced(self, trace);
        let events = self.reservations.iter().zip(known);
        let events: String = events.filter_map(|(one, known)| one.event(trace, known)).collect();
        (!events.is_empty()).then_some(events)
    }

    pub fn has_licence(&self, column: &str) -> bool {
        let name = column.strip_prefix(resolved::LICENCE);
        name.is_some_and(|name| self.licences.iter().any(|(known, _)| known == name))
    }

    /// Returns the partitions with a service class that no file describes, and its name.
    fn unknown_qos(&self) -> Vec<(&str, &str)> {
        let is_known = |name: &str| self.qos.iter().any(|qos| qos.name == name);
        let named = self.partitions.iter().filter_map(|one| Some((one.name.as_str(), one.qos.as_deref()?)));
        named.filter(|(_, name)| !is_known(name)).collect()
    }

    /// Returns the index of the partition of jobs that name none: the default one, else the only one.
    pub fn default_partition(&self) -> Option<usize> {
        let default = self.partitions.iter().position(|partition| partition.is_default);
        default.or_else(|| (self.partitions.len() == 1).then_some(0))
    }
}
