//! The contents of an experiment file: workloads, the sweep, policies, measures.

use batchlab_traces::SourcePlace;

use super::file_name::{LETTERS, is_file_name};
use super::frame::Parameter;
use super::keys;
use super::profile;
use super::section::{ExperimentError, Section, Sheet};
use super::sweep::{PaperReading, Sweep};
use super::workload::WorkloadSpec;

/// The tables of an experiment file.
pub const SECTIONS: &[&str] = &[
    "experiment",
    "measure",
    "workload",
    "sweep",
    "reading",
    "policy",
    "table",
    "crossing",
    "plot",
    "claim",
    "profile",
];

/// An experiment as declared in its file; the logs and models that it names have not been read yet.
///
/// ```toml
/// [experiment]
/// name = "easy-or-not"        # of the results folder, too
/// seed = 1                    # of all random numbers [1]
/// replications = 20           # of models, and of logs with random steps [1]
/// baseline = "EASY"           # the policy that others are compared with, by its label [the first]
/// level = 0.95                # of confidence [0.95]
/// multiverse = "events"       # swept parameter: how many of its values does each conclusion survive? [reading]
///
/// [[workload]]
/// name = "KTH-SP2"
/// trace = "KTH-SP2.swf.gz"    # or model = "lublin", with jobs, procs, set = { ... } and log
/// windows = "7d"              # each replayed by itself; or blocks = "7d" of one replay
/// estimate = "{estimate}"     # any option of `replay`
///
/// [sweep]
/// load = [0.8, 1.0]           # an option of `replay`, for all workloads that say nothing of it
/// estimate = ["requested", "actual"]      # or a name that stands in braces somewhere
///
/// [[policy]]
/// label = "EASY"
/// spec = "easy"
///
/// [measure]
/// metrics = ["mean_wait", "mean_bsld"]
///
/// [[crossing]]                # the load up to which a metric stays within a bound
/// metric = "mean_bsld"
/// along = "load"              # a parameter with three numbers or more
/// bound = 20
/// ```
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// The policy that others are compared with, by its position; `None` with one policy.
    pub baseline: Option<usize>,
    /// Level of confidence.
    pub level: f64,
    /// The workloads.
    pub workloads: Vec<WorkloadSpec>,
    /// The swept parameters and readings.
    pub sweep: Sweep,
    /// The policies.
    pub policies: Vec<PolicyText>,
    /// The measures.
    pub measure: MeasureText,
}

/// A policy of an experiment.
#[derive(Clone, Debug)]
pub struct PolicyText {
    /// Its label in tables.
    pub label: String,
    /// Its spec, with the names of swept parameters in braces.
    pub spec: String,
    /// Its position in the file.
    pub place: SourcePlace,
}

/// What is measured, as the file declares it.
#[derive(Clone, Debug)]
pub struct MeasureText {
    /// Keys of metrics; empty means the default metrics of tables.
    pub metrics: Vec<String>,
    /// Classes of jobs: presets, and conditions as `NAME=CONDITION`.
    pub classes: Vec<String>,
    /// Bound of the bounded slowdown.
    pub tau: Option<String>,
    /// Trimmed from the beginning.
    pub warmup: Option<String>,
    /// Trimmed from the end.
    pub cooldown: Option<String>,
    /// Time simulated before each window but not measured.
    pub prefix: Option<String>,
    /// The position of each key; keys that are absent have the position of the section, or of the file's
    /// beginning if it has no such section.
    places: Vec<(&'static str, SourcePlace)>,
}

impl Experiment {
    /// Reads an experiment; `file` is its name as the user gave it, and `options` are the options of `replay`
    /// that a workload may set.
    ///
    /// # Errors
    /// At the first error, with its line; for an unknown name, with the nearest known one.
    pub fn read(text: &str, file: &str, options: &[&str]) -> Result<Experiment, ExperimentError> {
        let sheet = Sheet::new(text, file);
        let table = sheet.parse()?;
        let whole = sheet.whole(&table);
        whole.known(SECTIONS)?;
        profile::check(&sheet, &table)?;
        let Some(head) = whole.section("experiment", "[experiment]")? else {
            return Err(whole.error("the file has no [experiment] with a name"));
        };
        keys::EXPERIMENT.check(&head)?;
        let replications = head.whole("replications", 1)?.unwrap_or(1);
        let replications = u32::try_from(replications).unwrap_or(u32::MAX);
        let policies = policies(&whole)?;
        let experiment = Experiment {
            name: name(&head)?,
            seed: head.whole("seed", 0)?.unwrap_or(1),
            baseline: baseline(&head, &policies)?,
            level: level(&head)?,
            workloads: WorkloadSpec::read_all(&whole, options, replications)?,
            sweep: sweep(&whole)?,
            measure: MeasureText::read(&whole)?,
            policies,
        };
        experiment.check_parameters(&whole, options)?;
        Ok(experiment)
    }

    /// Returns the position of a policy by its label.
    pub fn policy(&self, label: &str) -> Option<usize> {
        self.policies.iter().position(|policy| policy.label == label)
    }

    /// Refuses parameters on which nothing depends, and unknown names in braces.
    fn check_parameters(&self, whole: &Section<'_>, options: &[&str]) -> Result<(), ExperimentError> {
        let variables = self.sweep.variables();
        let texts = || self.workloads.iter().flat_map(WorkloadSpec::texts);
        let specs = || self.policies.iter().map(|policy| (policy.spec.as_str(), &policy.place));
        for (text, place) in texts().chain(specs()) {
            if let Some(unknown) = Sweep::names(text).find(|name| !variables.contains(name)) {
                let known = if variables.is_empty() { "nothing".into() } else { variables.join(", ") };
                let what = format!("`{{{unknown}}}` names nothing that is swept; swept is {known}");
                return Err(ExperimentError { place: place.clone(), what });
            }
        }
        let used = |name: &str| {
            options.contains(&name)
                || texts().chain(specs()).any(|(text, _)| Sweep::names(text).any(|used| used == name))
        };
        match variables.iter().find(|variable| !used(variable)) {
            None => Ok(()),
            Some(unused) => Err(whole.wrong(
                if self.sweep.parameters.iter().any(|parameter| parameter.name == *unused) {
                    "sweep"
                } else {
                    "reading"
                },
                &format!(
                    "nothing depends on `{unused}`: it is not an option of `replay`, and no workload or \
                        policy has `{{{unused}}}`"
                ),
            )),
        }
    }
}

impl MeasureText {
    pub(super) fn read(whole: &Section<'_>) -> Result<MeasureText, ExperimentError> {
        let section = whole.section("measure", "[measure]")?;
        let Some(section) = section else {
            let names = keys::MEASURE.names().into_iter();
            let places = names.map(|key| (key, whole.place("measure"))).collect();
            let (metrics, classes) = Default::default();
            return Ok(MeasureText {
                metrics,
                classes,
                tau: None,
                warmup: None,
                cooldown: None,
                prefix: None,
                places,
            });
        };
        keys::MEASURE.check(&section)?;
        Ok(MeasureText {
            metrics: section.texts("metrics")?.unwrap_or_default(),
            classes: section.texts("classes")?.unwrap_or_default(),
            tau: section.scalar("tau")?,
            warmup: section.scalar("warmup")?,
            cooldown: section.scalar("cooldown")?,
            prefix: section.scalar("prefix")?,
            places: keys::MEASURE.names().into_iter().map(|key| (key, section.place(key))).collect(),
        })
    }

    /// Returns an error about a value, with its position in the file.
    pub fn wrong(&self, key: &str, what: impl std::fmt::Display) -> ExperimentError {
        let place = self.places.iter().find(|(known, _)| *known == key).or(self.places.first());
        let place = place.map_or_else(nowhere, |(_, place)| place.clone());
        ExperimentError { place, what: format!("{key}: {what}") }
    }
}

fn nowhere() -> SourcePlace {
    SourcePlace { file: "the experiment".into(), line: 0, column: 0 }
}

/// Returns the name of an experiment, which is also the name of its folder.
fn name(head: &Section<'_>) -> Result<String, ExperimentError> {
    let name = head.needed("name")?;
    if !is_file_name(&name) {
        let what = format!("the name is made of {LETTERS}, at most 200 bytes, and no `.` first");
        return Err(head.wrong("name", &what));
    }
    Ok(name)
}

fn level(head: &Section<'_>) -> Result<f64, ExperimentError> {
    let level = head.number("level")?.unwrap_or(0.95);
    // An interval of a level below one half is of no use; level 1 would be the whole line.
    if (0.5..1.0).contains(&level) {
        Ok(level)
    } else {
        Err(head.wrong("level", "a level is from 0.5 and below 1"))
    }
}

fn policies(whole: &Section<'_>) -> Result<Vec<PolicyText>, ExperimentError> {
    let mut policies: Vec<PolicyText> = Vec::new();
    for section in whole.sections("policy", "[[policy]]")? {
        keys::POLICY.check(&section)?;
        let spec = section.needed("spec")?;
        let label = section.text("label")?.unwrap_or_else(|| spec.clone());
        if policies.iter().any(|known| known.label == label) {
            return Err(section.wrong("label", &format!("there are two policies `{label}`")));
        }
        policies.push(PolicyText { label, spec, place: section.place("spec") });
    }
    if policies.is_empty() {
        return Err(whole.error("the experiment has no [[policy]]"));
    }
    Ok(policies)
}

fn baseline(head: &Section<'_>, policies: &[PolicyText]) -> Result<Option<usize>, ExperimentError> {
    let Some(label) = head.text("baseline")? else { return Ok((policies.len() > 1).then_some(0)) };
    let known = policies.iter().map(|policy| policy.label.as_str());
    match policies.iter().position(|policy| policy.label == label) {
        Some(at) => Ok(Some(at)),
        None => Err(head.unknown("baseline", &label, known)),
    }
}

fn sweep(whole: &Section<'_>) -> Result<Sweep, ExperimentError> {
    let mut parameters: Vec<Parameter> = Vec::new();
    if let Some(section) = whole.section("sweep", "[sweep]")? {
        for key in section.keys() {
            let values = section.scalars(key)?.unwrap_or_default();
            if let Some(twice) = (1..values.len()).find(|&at| values[..at].contains(&values[at])) {
                return Err(section.wrong(key, &format!("{key} has `{}` twice", values[twice])));
            }
            if RESERVED.contains(&key) {
                return Err(
                    section.wrong(key, &format!("`{key}` is a column of the results: take another name"))
                );
            }
            parameters.push(Parameter { name: key.into(), values });
        }
    }
    let mut readings: Vec<PaperReading> = Vec::new();
    for section in whole.sections("reading", "[[reading]]")? {
        keys::READING.check(&section)?;
        let name = section.needed("name")?;
        if readings.iter().any(|known| known.name == name) {
            return Err(section.wrong("name", &format!("there are two readings `{name}`")));
        }
        let set = section.lists("set")?;
        let is_swept = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        if let Some((twice, _)) = set.iter().find(|(name, _)| is_swept(name)) {
            return Err(section.wrong("set", &format!("`{twice}` is swept: a reading cannot set it too")));
        }
        readings.push(PaperReading { name, because: section.text("because")?, set });
    }
    Ok(Sweep { parameters, readings })
}

/// Names of result columns, which no parameter may have.
const RESERVED: [&str; 12] = [
    "key", "workload", "policy", "spec", "unit", "seed", "metric", "class", "reading", "value", "units",
    "baseline",
];
