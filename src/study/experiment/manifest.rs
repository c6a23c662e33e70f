//! The description of a results folder: everything of a plan but the jobs.

use serde::{Deserialize, Serialize};

use batchlab_support::external::About;

use super::definition::Experiment;
use super::frame::{AbsentPolicy, Frame, FrameRow, Measure, Parameter, PolicyFacts, WorkloadFacts};
use super::inputs::InputFile;
use super::origin::Origin;
use super::plan::{ExperimentPlan, ReplayPlace};
use super::sweep::PaperReading;
use batchlab_engine::replay::conditions::TOOL;
use batchlab_traces::arrange::Arrange as _;

/// The description of an experiment's results; with the rows it makes a [`Frame`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The program and its version.
    pub tool: String,
    pub name: String,
    pub seed: u64,
    pub level: f64,
    pub baseline: Option<String>,
    pub parameters: Vec<Parameter>,
    pub readings: Vec<PaperReading>,
    pub workloads: Vec<WorkloadFacts>,
    pub origins: Vec<Origin>,
    pub policies: Vec<PolicyFacts>,
    /// The plug-ins among the policies, or within them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plugins: Vec<PluginFacts>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<InputFile>,
    /// The options that let its plug-ins in, in the form in which they are typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    pub measures: Vec<Measure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<AbsentPolicy>,
    pub notes: Vec<String>,
}

/// A plug-in's description of itself, recorded when it was loaded so that readers of results need not load it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginFacts {
    pub spec: String,
    pub cite: String,
    /// Of a command: the beginning of its specs, and the description that it gave of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub described: Option<(String, About)>,
}

/// The place of a replay in the results: a line of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub key: String,
    pub workload: usize,
    /// The value of each parameter, by position.
    pub point: Vec<usize>,
    pub policy: usize,
    pub spec: String,
    pub unit: u32,
    pub seed: u64,
}

impl Manifest {
    /// Returns the description of a plan; `baseline` is a policy by its position.
    pub fn of(plan: &ExperimentPlan, baseline: Option<usize>) -> Manifest {
        let Experiment { name, seed, level, policies, sweep, .. } = &plan.experiment;
        Manifest {
            tool: TOOL.into(),
            name: name.clone(),
            seed: *seed,
            level: *level,
            baseline: baseline.map(|at| policies[at].label.clone()),
            parameters: sweep.columns(),
            readings: sweep.readings.clone(),
            workloads: plan.workloads.clone(),
            origins: plan.origins.clone(),
            policies: plan.policies(),
            plugins: plan.plugins(),
            inputs: plan.inputs.clone(),
            options: plan.options.clone(),
            measures: plan.measures.iter().map(|(_, measure)| measure.clone()).collect(),
            absent: plan.absent.clone(),
            notes: plan.notes.clone(),
        }
    }

    /// Returns the results in the form that tables and plots read.
    pub fn frame(&self, rows: Vec<FrameRow>) -> Frame {
        let baseline = self.baseline.as_ref();
        Frame {
            name: self.name.clone(),
            seed: self.seed,
            level: self.level,
            baseline: baseline.and_then(|label| self.policies.iter().position(|known| known.label == *label)),
            parameters: self.parameters.clone(),
            workloads: self.workloads.clone(),
            policies: self.policies.clone(),
            measures: self.measures.clone(),
            absent: self.absent.clone(),
            rows,
        }
    }
}

impl Planned {
    /// Returns the lines of a plan, by workload, point, policy and unit.
    pub fn of(plan: &ExperimentPlan) -> Vec<Planned> {
        let line = |entry: &ReplayPlace| Planned {
            key: plan.tasks[entry.task].key.clone(),
            workload: entry.workload,
            point: entry.point.clone(),
            policy: entry.policy,
            spec: plan.tasks[entry.task].policy.canonical(),
            unit: entry.unit,
            seed: entry.seed,
        };
        let mut lines: Vec<Planned> = plan.entries.iter().map(line).collect();
        lines.arrange_by_key(|line| (line.workload, line.point.clone(), line.policy, line.unit));
        lines
    }
}
