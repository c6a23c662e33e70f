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

/// What all options of [`crate::lab::options`] set; a verb has those of some groups. The rows of the options say what fields mean.
#[derive(Clone, Debug, Default)]
pub struct AllSettings {
    pub scenario: ScenarioSettings,
    pub plugins: PluginSettings,
    pub measure: MeasureSettings,
    pub replay: ReplaySettings,
    pub run: RunSettings,
    pub shape: ShapeSettings,
    /// Whether a log is read with what its jobs of Slurm asked of nodes, and those on which they ran.
    pub places: bool,
}

/// The log, and how it is read as jobs for a machine.
#[derive(Clone, Debug)]
pub struct ScenarioSettings {
    pub trace: String,
    pub source: SourceSettings,
    pub procs: Option<i64>,
    pub nodes: Option<usize>,
    pub layout: Option<LayoutRule>,
    pub task_procs: Option<i64>,
    pub machine: Option<String>,
    pub capacity: Vec<(String, ChosenCapacity)>,
    pub memory: Memory,
    pub size: Size,
    pub queue_from: QueueFrom,
    pub dependencies: Dependencies,
    pub cancel: Cancel,
    pub requeues: Requeues,
    pub feedback: Option<Sessions>,
    pub estimate: Estimate,
    pub overrun: Overrun,
    pub status: Vec<i64>,
    pub running: Running,
    pub drop_zero_run: bool,
    pub interactive: InteractiveRule,
    pub load: f64,
    pub scale_run: f64,
    pub events: EventOrder,
    pub cost: Costs,
    pub stop: StopRule,
    pub seed: u64,
    pub usage_limits: Option<String>,
    pub priorities: Option<String>,
    pub calendar: Option<String>,
    pub foresight: Foresight,
    pub slurm: SlurmSettings,
    pub limits: LimitSettings,
    pub rules: Option<String>,
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
    pub policy: Vec<String>,
    pub clairvoyant: bool,
    pub bounds: bool,
    pub format: String,
    pub schedule: Option<String>,
    pub out: Option<String>,
    pub evalys: Option<String>,
    pub schedule_columns: Option<String>,
    pub stream: bool,
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

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "flags of the command line")]
pub struct RunSettings {
    pub out: Option<PathBuf>,
    pub resume: bool,
    pub shard: Option<(usize, usize)>,
    pub threads: Option<usize>,
    pub profile: Option<String>,
    pub logs: Vec<PathBuf>,
    pub baseline: Option<String>,
    pub schedules: bool,
    pub schedule_columns: Option<String>,
    pub dry_run: bool,
    pub key: Option<String>,
    pub schedule: Option<String>,
    pub format: String,
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

#[derive(Clone, Debug)]
pub struct ShapeSettings {
    pub steps: String,
    pub output: String,
    pub seed: u64,
}

impl Default for ShapeSettings {
    fn default() -> ShapeSettings {
        ShapeSettings { steps: String::new(), output: String::new(), seed: 1 }
    }
}
