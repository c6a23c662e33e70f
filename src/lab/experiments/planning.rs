//! The plan of an experiment file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::charts::Glance;
use super::{ExperimentRun, forecast, usage};
use crate::Registry;
use crate::experiment::{Experiment, ExperimentError, ExperimentPlan, Loaded, Measuring};
use crate::lab::Failure;
use crate::lab::experiments::workloads;
use crate::lab::experiments::workloads::Workloads;
use crate::lab::settings::RunSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::texts::read_text;
use crate::metrics::MeasureOptions;
use crate::report::{Declared, plots};
use crate::study::pitfalls::{Preparation, WorkloadSetting};

pub struct Planning<'a> {
    pub text: String,
    pub plan: ExperimentPlan,
    pub workloads: Workloads<'a>,
    pub settings: Vec<WorkloadSetting>,
    /// What the windows of its Gantt charts contain.
    pub glances: Vec<Glance>,
    /// The policy that the others are compared with.
    pub baseline: Option<usize>,
}

impl<'a> Planning<'a> {
    /// Reads an experiment and plans it; `baseline` is the label of a policy that replaces the experiment's own baseline.
    pub fn read(
        file: &str,
        registry: &'a Registry,
        baseline: Option<&str>,
        limits: &LimitSettings,
    ) -> Result<Planning<'a>, Failure> {
        let settings = RunSettings { baseline: baseline.map(String::from), ..RunSettings::default() };
        let (experiment, limits) = (file.to_owned(), limits.clone());
        let run = ExperimentRun { experiment, settings, limits, ..ExperimentRun::default() };
        Planning::of(read_text(file)?, &run, registry, registry)
    }

    /// Plans an experiment that has been read or generated. The files that it names are relative to the folder of its own;
    /// logs that are not there are looked for in the folders of the run. Policies come from one registry, and what its files
    /// name from another.
    pub fn of(
        text: String,
        run: &ExperimentRun,
        registry: &Registry,
        of_files: &'a Registry,
    ) -> Result<Planning<'a>, Failure> {
        let ExperimentRun { experiment: file, settings, limits, observer, .. } = run;
        let file = file.as_str();
        let names = workloads::names();
        // All errors of the file at once, before a log is read.
        let read = Experiment::read(&text, file, &names);
        let keys = Declared::check_keys(&text, file).err();
        if let Some(errors) = ExperimentError::all(read.as_ref().err().cloned().into_iter().chain(keys)) {
            return Err(usage(errors));
        }
        let experiment = read.map_err(usage)?;
        let baseline = compared_with(&experiment, settings.baseline.as_deref())?;
        let measuring = Measuring::of(&experiment.measure).map_err(usage)?;
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let workloads = Workloads::new(of_files, folder, measuring.options.prefix, limits);
        let workloads = workloads.with_logs(&settings.logs).observed(observer.clone());
        let charts = plots::windows(&text, file);
        let (mut prepared, mut glances) = (Vec::new(), Vec::new());
        let mut plan =
            ExperimentPlan::of(experiment, registry, &names, &workloads, &mut |workload, loaded| {
                prepared.push(setting(workload, loaded, &measuring.options));
                glances.extend(Glance::all(&charts, workload, &loaded.scenario.workload));
            })?;
        plan.inputs = workloads.inputs(&plan)?;
        plan.options.clone_from(&run.options);
        Ok(Planning { text, plan, workloads, settings: prepared, glances, baseline })
    }

    pub fn time(&self) -> Result<Duration, Failure> {
        let all: Vec<usize> = (0..self.plan.tasks.len()).collect();
        forecast::time(&self.plan, &self.workloads, &all)
    }
}

/// Returns the folder of the results: the given one, or one named after the experiment.
pub fn folder(experiment: &str, out: Option<&Path>) -> PathBuf {
    out.map_or_else(|| format!("{experiment}-results").into(), Path::to_path_buf)
}

fn compared_with(experiment: &Experiment, label: Option<&str>) -> Result<Option<usize>, Failure> {
    let Some(label) = label else { return Ok(experiment.baseline) };
    let labels = || experiment.policies.iter().map(|policy| policy.label.as_str());
    experiment.policy(label).map(Some).ok_or_else(|| {
        let meant = batchlab_traces::nearest::meant(batchlab_traces::nearest::nearest(label, labels()));
        let known = labels().collect::<Vec<_>>().join(", ");
        Failure::Usage(format!("--baseline: unknown policy `{label}`{meant}; known are {known}"))
    })
}

fn setting(workload: usize, loaded: &Loaded, measure: &MeasureOptions) -> WorkloadSetting {
    let preparation = Preparation {
        trace: &loaded.trace,
        workload: &loaded.scenario.workload,
        machine: &loaded.scenario.machine,
        reading: &loaded.reading,
        provenance: &loaded.provenance,
        findings: &loaded.findings,
        measure,
        events: loaded.scenario.order,
    };
    WorkloadSetting::of(workload, &preparation)
}
