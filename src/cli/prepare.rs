//! From the options that `replay`, `verify`, `diff` and `explain` share to a scenario.

use std::sync::Arc;

use batchlab_policies::Registry;
use batchlab_policies::registry::Chosen;
use batchlab_traces::machine::{Resource, Sharing, processors};
use batchlab_traces::reading::{Estimate, Memory, Overrun, Size};
use batchlab_traces::shape::Target;
use batchlab_traces::{Findings, Machine, Provenance, Reading, Trace, Workload};
use clap::Args;

use super::shaping::StepsFile;
use super::source::SourceArgs;
use super::{Failure, rules, tell};
use crate::engine::{EventOrder, Scenario};
use crate::{calibration, capability};

/// The log, and how it is read as jobs for a machine.
#[derive(Args)]
pub struct ScenarioArgs {
    /// The log: a file, packed or not, or - for standard input
    pub trace: String,
    #[command(flatten)]
    pub source: SourceArgs,
    /// Processors of the machine [default: `MaxProcs` of the header]
    #[arg(long, value_name = "N", help_heading = "Machine")]
    pub procs: Option<i64>,
    /// Capacity of a further resource of the whole machine, such as memory=64GB
    #[arg(long, value_name = "NAME=AMOUNT", value_delimiter = ',', value_parser = capacity, help_heading = "Machine")]
    pub capacity: Vec<(String, i64)>,
    /// Memory of a job: what was requested, or what was used
    #[arg(long, default_value = "requested", value_name = "requested|used", help_heading = "Machine")]
    pub memory: Memory,
    /// Size of a job: requested processors, or allocated ones
    #[arg(long, default_value = "requested", value_name = "requested|allocated", help_heading = "Jobs")]
    pub size: Size,
    /// What schedulers are told of run times: requested, actual, phi:X, factor:X, tsafrir or tsafrir:MAX
    #[arg(long, default_value = "requested", value_name = "KIND", help_heading = "Jobs")]
    pub estimate: Estimate,
    /// A job that ran longer than its estimate: raise the estimate, kill the job at it, or keep both
    #[arg(long, default_value = "raise", value_name = "raise|kill|overdue", help_heading = "Jobs")]
    pub overrun: Overrun,
    /// Only jobs with one of these values in the log's status field
    #[arg(long, value_delimiter = ',', value_name = "CODE,...", help_heading = "Jobs")]
    pub status: Vec<i64>,
    /// Leave out jobs with a run time of zero
    #[arg(long, help_heading = "Jobs")]
    pub drop_zero_run: bool,
    /// Multiply the offered load: submit times, counted from the first, are divided by F
    #[arg(long, default_value_t = 1.0, value_name = "F", value_parser = positive, help_heading = "Jobs")]
    pub load: f64,
    /// Multiply run times and requested times by F
    #[arg(long, default_value_t = 1.0, value_name = "F", value_parser = positive, help_heading = "Jobs")]
    pub scale_run: f64,
    /// Order of simultaneous events: batch, submit-first, finish-first or periodic:S
    #[arg(long, default_value = "batch", value_name = "ORDER", help_heading = "Replay")]
    pub events: EventOrder,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1, value_name = "S", help_heading = "Replay")]
    pub seed: u64,
    /// Clean the log first: a file of rules (TOML), or a preset such as pwa:kth-sp2
    #[arg(long, value_name = "RULES", help_heading = "Reading")]
    pub rules: Option<String>,
    /// Then shape it by the steps of a file (TOML); see `batchlab list steps`
    #[arg(long, value_name = "STEPS", help_heading = "Reading")]
    pub steps: Option<String>,
    /// Refuse at the first finding that drops, mends or guesses something
    #[arg(long, help_heading = "Reading")]
    pub strict: bool,
}

/// A log, ready to be replayed.
pub struct Prepared {
    /// The log.
    pub trace: Trace,
    /// Jobs, machine, event order, seed.
    pub scenario: Scenario,
    /// How the log was read.
    pub reading: Reading,
    /// What was odd about the log and its jobs.
    pub findings: Findings,
    /// Where the jobs come from.
    pub provenance: Provenance,
    /// The file of the steps that the log was shaped by, if there is one.
    pub steps: Option<String>,
}

impl Prepared {
    /// Makes sure that the jobs tell what policies need, and counts those that do not where some do.
    pub fn suit<'a>(
        &mut self,
        policies: impl IntoIterator<Item = &'a Chosen> + Clone,
    ) -> Result<(), Failure> {
        for policy in policies.clone() {
            capability::check(policy, &self.scenario)?;
        }
        Ok(capability::report(policies, &self.scenario, &mut self.findings, &mut self.provenance)?)
    }

    /// Prints the findings to standard error, unless they are not wanted.
    pub fn tell(&self, quiet: bool) {
        if !quiet {
            tell::findings(&self.findings);
        }
    }
}

impl ScenarioArgs {
    /// Reads the log and makes the scenario.
    ///
    /// Policies of the registry are there for steps that are calibrated with one.
    pub fn prepare(&self, registry: &Registry) -> Result<Prepared, Failure> {
        let mut trace = self.shaped(registry)?;
        let mut findings = std::mem::take(&mut trace.findings);
        let mut provenance = trace.provenance.clone();
        let scenario = self.scenario(&trace, &mut findings, &mut provenance);
        if matches!(scenario, Err(Failure::Input(_))) && !self.source.quiet {
            // They say why nothing is left.
            tell::findings(&findings);
        }
        let steps = self.steps.clone();
        Ok(Prepared { scenario: scenario?, reading: self.reading(), trace, findings, provenance, steps })
    }

    /// Reads the log and cleans it by the rules, if there are any.
    fn cleaned(&self) -> Result<Trace, Failure> {
        let trace = self.source.read(&self.trace, self.strict)?;
        let Some(rules) = &self.rules else { return Ok(trace) };
        rules::cleaned(&trace, rules, self.source.quiet)
    }

    /// Reads the log, cleans it, and applies the steps to it, if there are any.
    fn shaped(&self, registry: &Registry) -> Result<Trace, Failure> {
        let Some(path) = &self.steps else { return self.cleaned() };
        let steps = StepsFile::read(path)?;
        if steps.splits() {
            return Err(Failure::Usage(format!(
                "{path} splits the log, and one log is wanted: write the parts with `batchlab shape` first"
            )));
        }
        let trace = self.cleaned()?;
        let measure = |trace: &Trace, target: &Target| {
            let scenario = self.scenario(trace, &mut Findings::lenient(), &mut Provenance::default())?;
            calibration::measure(registry, &scenario, self.overrun, target).map_err(Failure::Input)
        };
        let shaped = steps.apply(trace, self.seed, &self.source, self.strict, &measure)?;
        let mut logs = shaped.logs.into_iter().map(|log| log.trace);
        logs.next().ok_or_else(|| Failure::Input(format!("{path} leaves no log")))
    }

    /// Reads a trace as the jobs of a replay.
    fn scenario(
        &self,
        trace: &Trace,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<Scenario, Failure> {
        let reading = self.reading();
        let procs = match self.procs {
            Some(procs) => procs,
            None => Workload::machine_size(trace, &reading, findings)?,
        };
        let machine = self.machine(procs)?;
        let workload = Workload::read(trace, &machine, &reading, findings, provenance)?;
        Ok(Scenario {
            workload: Arc::new(workload),
            machine: Arc::new(machine),
            order: self.events,
            seed: self.seed,
        })
    }

    fn reading(&self) -> Reading {
        Reading {
            size: self.size,
            estimate: self.estimate,
            overrun: self.overrun,
            memory: self.memory,
            statuses: self.status.clone(),
            drop_zero_run: self.drop_zero_run,
            load: self.load,
            scale_run: self.scale_run,
            seed: self.seed,
        }
    }

    fn machine(&self, procs: i64) -> Result<Machine, Failure> {
        let mut resources = vec![processors()];
        let mut amounts = vec![procs];
        for (name, amount) in &self.capacity {
            if resources.iter().any(|known| known.name == *name) {
                return Err(Failure::Usage(format!("--capacity names {name} twice")));
            }
            let unit = if name == "memory" { "KB" } else { "" };
            resources.push(Resource { name: name.clone(), unit: unit.into(), sharing: Sharing::Space });
            amounts.push(*amount);
        }
        Ok(Machine::new(resources, &[amounts])?)
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("it must be above zero".into()) }
}

/// Parses `memory=64GB` (kept in KB) or `gpu=16`; `mem` is memory.
fn capacity(text: &str) -> Result<(String, i64), String> {
    let error = || format!("`{text}` is no NAME=AMOUNT such as memory=64GB or gpu=16");
    let (name, amount) = text.split_once('=').ok_or_else(error)?;
    let name = if name == "mem" { "memory" } else { name };
    let digits = amount.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let factor = match &amount[digits.len()..] {
        "" | "KB" => 1.0,
        "MB" => 1024.0,
        "GB" => 1024.0 * 1024.0,
        "TB" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(error()),
    };
    let number: f64 = digits.parse().map_err(|_| error())?;
    if name.is_empty() || name == "procs" || !(number >= 0.0 && number * factor < 9e18) {
        return Err(error());
    }
    Ok((name.into(), (number * factor) as i64))
}
