//! What options set, without the words in which they are given.

pub(crate) mod limits;
pub(crate) mod measure;
pub(crate) mod parse;
pub(crate) mod plugins;

use std::path::PathBuf;

use batchlab_policies::Costs;
use batchlab_traces::capacity::Foresight;
use batchlab_traces::layout::LayoutRule;
use batchlab_traces::machine::ChosenCapacity;
use batchlab_traces::reading::{
    Cancel, Dependencies, Estimate, Memory, Overrun, QueueFrom, Requeues, Running, Size,
};
use batchlab_traces::shape::Sessions;
use batchlab_traces::workload::InteractiveRule;

use crate::lab::logs::reading::SourceSettings;
use crate::lab::scenario::installation::SlurmSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::settings::measure::MeasureSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::outcome::StopRule;
use crate::replay::engine::EventOrder;

/// What all options of [`crate::lab::options`] set; a verb has those of some groups.
#[derive(Clone, Debug, Default)]
pub struct AllSettings {
    /// Log, machine, jobs and replay.
    pub scenario: ScenarioSettings,
    /// The plug-ins that are let in.
    pub plugins: PluginSettings,
    /// The measurement.
    pub measure: MeasureSettings,
    /// What is replayed of a log.
    pub replay: ReplaySettings,
    /// How an experiment is run.
    pub run: RunSettings,
    /// How a log is shaped.
    pub shape: ShapeSettings,
    /// Whether a log is read with what its jobs of Slurm asked of nodes, and those on which they ran.
    pub places: bool,
}

/// The log, and how it is read as jobs for a machine.
#[derive(Clone, Debug)]
pub struct ScenarioSettings {
    /// The log: the name of a file, or `-` for standard input.
    pub trace: String,
    /// How the log is read.
    pub source: SourceSettings,
    /// Processors of the machine.
    pub procs: Option<i64>,
    /// Nodes of the machine.
    pub nodes: Option<usize>,
    /// How jobs lie on nodes.
    pub layout: Option<LayoutRule>,
    /// Processors of a task.
    pub task_procs: Option<i64>,
    /// The file that describes the machine.
    pub machine: Option<String>,
    /// Capacities of further resources by name.
    pub capacity: Vec<(String, ChosenCapacity)>,
    /// What the memory of a job is.
    pub memory: Memory,
    /// What the size of a job is.
    pub size: Size,
    /// The instant from which a job waits.
    pub queue_from: QueueFrom,
    /// Whether jobs wait for those that they depend on.
    pub dependencies: Dependencies,
    /// What becomes of jobs that were cancelled before they started.
    pub cancel: Cancel,
    /// What becomes of the runs of requeued jobs.
    pub requeues: Requeues,
    /// What the sessions of users are, if users react to the schedule.
    pub feedback: Option<Sessions>,
    /// The run times that schedulers see.
    pub estimate: Estimate,
    /// What becomes of a job that ran longer than its estimate.
    pub overrun: Overrun,
    /// The values of the log's status whose jobs are kept; all, if there is none.
    pub status: Vec<i64>,
    /// What becomes of jobs that had not ended when the log was written.
    pub running: Running,
    /// Whether jobs with a run time of zero are left out.
    pub drop_zero_run: bool,
    /// Which jobs are interactive.
    pub interactive: InteractiveRule,
    /// The factor of the offered load.
    pub load: f64,
    /// The factor of run times and requested times.
    pub scale_run: f64,
    /// The order of simultaneous events.
    pub events: EventOrder,
    /// What switches, migrations and swapping cost.
    pub cost: Costs,
    /// When the replay ends.
    pub stop: StopRule,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The file of limits on usage.
    pub usage_limits: Option<String>,
    /// The file of priorities.
    pub priorities: Option<String>,
    /// The calendar of capacity.
    pub calendar: Option<String>,
    /// What policies know in advance of the calendar.
    pub foresight: Foresight,
    /// The files of a Slurm installation.
    pub slurm: SlurmSettings,
    /// The limits on the resources that the program may take.
    pub limits: LimitSettings,
    /// The rules by which the log is cleaned.
    pub rules: Option<String>,
    /// The steps by which it is shaped.
    pub steps: Option<String>,
    /// Whether the message of a failure has the findings that explain it, because they are not told otherwise.
    pub is_call: bool,
}

impl Default for ScenarioSettings {
    fn default() -> ScenarioSettings {
        ScenarioSettings {
            trace: String::new(),
            source: SourceSettings::default(),
            procs: None,
            nodes: None,
            layout: None,
            task_procs: None,
            machine: None,
            capacity: Vec::new(),
            memory: Memory::default(),
            size: Size::default(),
            queue_from: QueueFrom::default(),
            dependencies: Dependencies::default(),
            cancel: Cancel::default(),
            requeues: Requeues::default(),
            feedback: None,
            estimate: Estimate::default(),
            overrun: Overrun::default(),
            status: Vec::new(),
            running: Running::default(),
            drop_zero_run: false,
            interactive: InteractiveRule::default(),
            load: 1.0,
            scale_run: 1.0,
            events: EventOrder::default(),
            cost: Costs::default(),
            stop: StopRule::default(),
            seed: 1,
            usage_limits: None,
            priorities: None,
            calendar: None,
            foresight: Foresight::default(),
            slurm: SlurmSettings::default(),
            limits: LimitSettings::default(),
            rules: None,
            steps: None,
            is_call: false,
        }
    }
}

/// What is replayed of a log, and what is shown.
#[derive(Clone, Debug)]
pub struct ReplaySettings {
    /// The specs of the policies.
    pub policy: Vec<String>,
    /// Whether each policy has a twin that knows the run times.
    pub clairvoyant: bool,
    /// Whether there is a row of lower bounds.
    pub bounds: bool,
    /// The form of the table.
    pub format: String,
    /// The file of the schedule of the one policy.
    pub schedule: Option<String>,
    /// The folder of all schedules.
    pub out: Option<String>,
    /// The folder of all schedules as Batsim writes them.
    pub evalys: Option<String>,
    /// Further columns of schedules.
    pub schedule_columns: Option<String>,
    /// Whether the log is replayed while it is read.
    pub stream: bool,
    /// The policies that are replayed at the same time.
    pub threads: Option<usize>,
}

impl Default for ReplaySettings {
    fn default() -> ReplaySettings {
        ReplaySettings {
            policy: Vec::new(),
            clairvoyant: false,
            bounds: false,
            format: "table".into(),
            schedule: None,
            out: None,
            evalys: None,
            schedule_columns: None,
            stream: false,
            threads: None,
        }
    }
}

/// How an experiment is run.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "flags of the command line")]
pub struct RunSettings {
    /// The folder of the results.
    pub out: Option<PathBuf>,
    /// Whether existing results are continued.
    pub resume: bool,
    /// The part that is run, and the number of parts.
    pub shard: Option<(usize, usize)>,
    /// The replays that run at the same time.
    pub threads: Option<usize>,
    /// The profile of the file.
    pub profile: Option<String>,
    /// Folders in which logs are looked for.
    pub logs: Vec<PathBuf>,
    /// The baseline in the place of the experiment's.
    pub baseline: Option<String>,
    /// Whether the schedule of every replay is kept.
    pub schedules: bool,
    /// Columns of schedules beside the first five.
    pub schedule_columns: Option<String>,
    /// Whether only the plan is shown.
    pub dry_run: bool,
    /// The key of the one replay to repeat.
    pub key: Option<String>,
    /// The file of its schedule.
    pub schedule: Option<String>,
    /// The form of the tables.
    pub format: String,
    /// Whether only errors are told.
    pub quiet: bool,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            out: None,
            resume: false,
            shard: None,
            threads: None,
            profile: None,
            logs: Vec::new(),
            baseline: None,
            schedules: false,
            schedule_columns: None,
            dry_run: false,
            key: None,
            schedule: None,
            format: "table".into(),
            quiet: false,
        }
    }
}

/// How a log is shaped.
#[derive(Clone, Debug)]
pub struct ShapeSettings {
    /// The file of steps.
    pub steps: String,
    /// The file to write.
    pub output: String,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Default for ShapeSettings {
    fn default() -> ShapeSettings {
        ShapeSettings { steps: String::new(), output: String::new(), seed: 1 }
    }
}
