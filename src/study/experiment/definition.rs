//! The contents of an experiment file: workloads, the sweep, policies, measures.

use batchlab_support::external::starts_process;
use batchlab_traces::SourcePlace;
use batchlab_traces::foreign::safe;
use batchlab_traces::located::values::{Ordered, Scalars};
use batchlab_traces::located::{LocatedToml, Spanned};
use serde::Deserialize;

use super::file_name::{LETTERS, is_file_name};
use super::frame::Parameter;
use super::keys::{Absent, ExperimentKeys, MEASURE, MeasureKeys, PolicyKeys, ReadingKeys};
use super::profile;
use super::section::{ExperimentError, Section};
use super::sweep::{PaperReading, Sweep};
use super::workload::WorkloadSpec;

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
    "tune",
    "space",
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
/// [[policy]] label = "EASY" spec = "easy"
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
    pub name: String,
    pub seed: u64,
    /// The policy that others are compared with, by its position; `None` with one policy.
    pub baseline: Option<usize>,
    pub level: f64,
    pub workloads: Vec<WorkloadSpec>,
    pub sweep: Sweep,
    pub policies: Vec<PolicyText>,
    pub measure: MeasureText,
}

#[derive(Clone, Debug)]
pub struct PolicyText {
    pub label: String,
    /// Its spec, with the names of swept parameters in braces.
    pub spec: String,
    /// The workloads that it is replayed on, by their labels; `None` for all.
    pub workloads: Option<Vec<String>>,
    /// Names in braces that are its command's own, such as `{endpoint}`: nothing of this name is swept.
    pub kept: Vec<String>,
    /// What happens on a workload that it cannot run on.
    pub absent: Absent,
    pub place: SourcePlace,
}

/// What is measured, as the file declares it.
#[derive(Clone, Debug, Default)]
pub struct MeasureText {
    pub metrics: Vec<String>,
    /// Classes of jobs: presets, and conditions as `NAME=CONDITION`.
    pub classes: Vec<String>,
    pub tau: Option<String>,
    pub warmup: Option<String>,
    pub cooldown: Option<String>,
    /// Time simulated before each window but not measured.
    pub prefix: Option<String>,
    /// The position of each key; for absent keys, that of the section or else of the file's beginning.
    places: Vec<(&'static str, SourcePlace)>,
}

impl Experiment {
    /// Reads an experiment; `file` is its name as the user gave it, `options` are those of `replay` that a workload may set.
    /// The error has those of all sections, each with its line and, for an unknown name, the nearest known one.
    pub fn read(text: &str, file: &str, options: &[&str]) -> Result<Experiment, ExperimentError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        let whole = Section::whole(&toml, &table);
        if whole.has("title") && whole.has("experiments") {
            return Err(whole.wrong(
                "title",
                "this is the paper.toml of a paper: `batchlab paper FOLDER` runs its experiments",
            ));
        }
        let workloads = WorkloadSpec::read_all(&whole, options, 1);
        let errors = [
            whole.known(SECTIONS).err(),
            profile::check(&toml, &table).err(),
            policies(&whole, workloads.as_deref().ok()).err(),
            workloads.err(),
            sweep(&whole).err(),
            MeasureText::read(&whole).err(),
        ];
        if let Some(errors) = ExperimentError::all(errors.into_iter().flatten()) {
            return Err(errors);
        }
        let Some(head) = whole.section("experiment")? else {
            return Err(whole.error("the file has no [experiment] with a name"));
        };
        let head: Section<'_, ExperimentKeys> = head.read()?;
        let replications = head.keys.replications.map_or(1, |number| at_most_32_bits(number.0));
        let workloads = WorkloadSpec::read_all(&whole, options, replications)?;
        let policies = policies(&whole, Some(&workloads))?;
        let mut experiment = Experiment {
            name: name(&head)?,
            seed: head.keys.seed.map_or(1, |seed| seed.0),
            baseline: baseline(&head, &policies)?,
            level: level(&head)?,
            workloads,
            sweep: sweep(&whole)?,
            measure: MeasureText::read(&whole)?,
            policies,
        };
        let variables = experiment.sweep.variables();
        experiment.policies.iter_mut().for_each(|policy| policy.keep_names(&variables));
        experiment.check_parameters(&whole, options)?;
        Ok(experiment)
    }

    pub fn policy(&self, label: &str) -> Option<usize> {
        self.policies.iter().position(|policy| policy.label == label)
    }

    /// Refuses parameters on which nothing depends, and unknown names in braces.
    fn check_parameters(&self, whole: &Section<'_>, options: &[&str]) -> Result<(), ExperimentError> {
        let variables = self.sweep.variables();
        let texts = || self.workloads.iter().flat_map(WorkloadSpec::texts);
        let specs = || self.policies.iter().map(|policy| (policy.spec.as_str(), &policy.place));
        let none: &[String] = &[];
        let kept = self.policies.iter().map(|policy| policy.kept.as_slice());
        let kept = texts().map(|_| none).chain(kept);
        for ((text, place), kept) in texts().chain(specs()).zip(kept) {
            let is_unknown = |name: &&str| !variables.contains(name) && kept.iter().all(|kept| kept != name);
            if let Some(unknown) = Sweep::names(text).find(is_unknown) {
                let known = if variables.is_empty() { "nothing".into() } else { variables.join(", ") };
                let what = format!("`{{{unknown}}}` names nothing that is swept; swept is {known}");
                return Err(ExperimentError { place: place.clone(), what });
            }
        }
        let used = |name: &str| {
            options.contains(&name)
                || texts().chain(specs()).any(|(text, _)| Sweep::names(text).any(|used| used == name))
        };
        let Some(unused) = variables.iter().find(|variable| !used(variable)) else { return Ok(()) };
        let is_parameter = self.sweep.parameters.iter().any(|parameter| parameter.name == *unused);
        let what = format!(
            "nothing depends on `{unused}`: it is not an option of `replay`, and no workload or policy has `{{{unused}}}`"
        );
        Err(whole.wrong(if is_parameter { "sweep" } else { "reading" }, &what))
    }
}

impl PolicyText {
    /// Keeps the names in braces of a command that nothing swept has: they are the command's.
    fn keep_names(&mut self, variables: &[&str]) {
        if starts_process(&self.spec) {
            let own = Sweep::names(&self.spec).filter(|name| !variables.contains(name));
            self.kept = own.map(str::to_owned).collect();
        }
    }

    /// Returns the spec at a point of the sweep; the error is a name without a value there.
    pub fn filled(&self, values: &[(&str, &str)]) -> Result<String, String> {
        let kept: Vec<String> = self.kept.iter().map(|name| format!("{{{name}}}")).collect();
        let kept = self.kept.iter().zip(&kept).map(|(name, text)| (name.as_str(), text.as_str()));
        Sweep::fill(&self.spec, &values.iter().copied().chain(kept).collect::<Vec<_>>())
    }

    /// Whether the policy is for a workload, by its label.
    pub fn is_on(&self, workload: &str) -> bool {
        self.workloads.as_ref().is_none_or(|workloads| workloads.iter().any(|known| known == workload))
    }
}

impl MeasureText {
    pub(super) fn read(whole: &Section<'_>) -> Result<MeasureText, ExperimentError> {
        let Some(section) = whole.section("measure")? else {
            let places = MEASURE.names().into_iter().map(|key| (key, whole.place("measure")));
            return Ok(MeasureText { places: places.collect(), ..MeasureText::default() });
        };
        let places = MEASURE.names().into_iter().map(|key| (key, section.place(key))).collect();
        let keys: MeasureKeys = section.read()?.keys;
        Ok(MeasureText {
            metrics: keys.metrics.map_or_else(Vec::new, |metrics| metrics.0),
            classes: keys.classes.map_or_else(Vec::new, |classes| classes.0),
            tau: keys.tau.map(|tau| tau.0),
            warmup: keys.warmup.map(|warmup| warmup.0),
            cooldown: keys.cooldown.map(|cooldown| cooldown.0),
            prefix: keys.prefix.map(|prefix| prefix.0),
            places,
        })
    }

    /// Returns it with another place for what is wrong about it.
    #[must_use]
    pub fn placed_at(self, place: &SourcePlace) -> MeasureText {
        let places = self.places.iter().map(|(key, _)| (*key, place.clone())).collect();
        MeasureText { places, ..self }
    }

    pub fn wrong(&self, key: &str, what: impl std::fmt::Display) -> ExperimentError {
        let place = self.places.iter().find(|(known, _)| *known == key).or(self.places.first());
        let place = place.map_or_else(nowhere, |(_, place)| place.clone());
        ExperimentError { place, what: format!("{key}: {what}") }
    }
}

fn nowhere() -> SourcePlace {
    SourcePlace { file: "the experiment".into(), line: 0, column: 0 }
}

/// Returns a number of replications; what is above the most possible one stands for it.
pub(super) fn at_most_32_bits(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn name(head: &Section<'_, ExperimentKeys>) -> Result<String, ExperimentError> {
    let name = &head.keys.name.0;
    if !is_file_name(name) {
        let what = format!("the name is made of {LETTERS}, at most 200 bytes, and no `.` first");
        return Err(head.wrong("name", &what));
    }
    Ok(name.clone())
}

fn level(head: &Section<'_, ExperimentKeys>) -> Result<f64, ExperimentError> {
    let level = head.keys.level.map_or(0.95, |level| level.0);
    // An interval of a level below one half is of no use; level 1 would be the whole line.
    if (0.5..1.0).contains(&level) {
        Ok(level)
    } else {
        Err(head.wrong("level", "a level is from 0.5 and below 1, such as 0.95"))
    }
}

/// Reads the policies, and checks the workloads that they name if the workloads are known.
fn policies(whole: &Section<'_>, known: Option<&[WorkloadSpec]>) -> Result<Vec<PolicyText>, ExperimentError> {
    let names = || known.into_iter().flatten().map(|workload| workload.name.as_str());
    let is_unknown = |name: &&String| known.is_some() && names().all(|known| known != *name);
    let mut policies: Vec<PolicyText> = Vec::new();
    for section in whole.sections("policy")? {
        let PolicyKeys { label, spec, workloads, absent } = section.read()?.keys;
        let workloads = workloads.map(|workloads| workloads.0);
        if let Some(unknown) = workloads.iter().flatten().find(is_unknown) {
            return Err(section.key("workloads").unknown(unknown, names()));
        }
        let is_known = |label: &String| policies.iter().any(|known| safe(&known.label) == safe(label));
        let short = || short(&spec.0).filter(|short| !is_known(short)).unwrap_or_else(|| spec.0.clone());
        let label = label.map_or_else(short, |label| label.0);
        if is_known(&label) {
            return Err(section.wrong("label", &format!("there are two policies `{label}`")));
        }
        let (place, absent) = (section.place("spec"), absent.unwrap_or_default());
        policies.push(PolicyText { label, spec: spec.0, workloads, kept: Vec::new(), absent, place });
    }
    if policies.is_empty() {
        return Err(whole.error("the experiment has no [[policy]]"));
    }
    Ok(policies)
}

/// Returns the words of the command of a scheduler of Batsim or of a child process, without its endpoint and folders.
fn short(spec: &str) -> Option<String> {
    let (command, _) =
        ["batsim:(", "exec:("].iter().find_map(|carrier| spec.strip_prefix(carrier))?.split_once(')')?;
    let words: Vec<&str> = command.split_whitespace().collect();
    let is_endpoint = |at: usize| words.get(at).is_some_and(|word| word.contains("{endpoint}"));
    let is_shown = |at: &usize| !(is_endpoint(*at) || words[*at].starts_with('-') && is_endpoint(at + 1));
    let name = |at: usize| words[at].trim_matches(['\'', '"']).rsplit('/').next().unwrap_or_default();
    Some((0..words.len()).filter(is_shown).map(name).collect::<Vec<_>>().join(" "))
        .filter(|short| !short.is_empty())
}

fn baseline(
    head: &Section<'_, ExperimentKeys>,
    policies: &[PolicyText],
) -> Result<Option<usize>, ExperimentError> {
    let Some(label) = &head.keys.baseline else { return Ok((policies.len() > 1).then_some(0)) };
    let at = policies.iter().position(|policy| policy.label == label.0);
    let known = policies.iter().map(|policy| policy.label.as_str());
    at.map(Some).ok_or_else(|| head.key("baseline").unknown(&label.0, known))
}

/// The key of a file under which its parameters stand.
#[derive(Deserialize)]
struct SweptKeys {
    #[serde(default)]
    sweep: Ordered<Scalars>,
}

fn sweep(whole: &Section<'_>) -> Result<Sweep, ExperimentError> {
    let swept = whole.part::<SweptKeys>()?.keys.sweep;
    let parameters = swept.0.into_iter().map(|(name, values)| parameter(whole, name.into_inner(), values));
    let parameters = parameters.collect::<Result<Vec<Parameter>, _>>()?;
    let mut readings: Vec<PaperReading> = Vec::new();
    for section in whole.sections("reading")? {
        let ReadingKeys { name, because, set } = section.read()?.keys;
        let name = name.0;
        if readings.iter().any(|known| known.name == name) {
            return Err(section.wrong("name", &format!("there are two readings `{name}`")));
        }
        let set = set.unwrap_or_default().into_pairs(|values| values.0.join(","));
        let is_swept = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        if let Some((twice, _)) = set.iter().find(|(name, _)| is_swept(name)) {
            return Err(section.wrong("set", &format!("`{twice}` is swept: a reading cannot set it too")));
        }
        readings.push(PaperReading { name, because: because.map(|because| because.0), set });
    }
    Ok(Sweep { parameters, readings })
}

fn parameter(
    whole: &Section<'_>,
    name: String,
    values: Spanned<Scalars>,
) -> Result<Parameter, ExperimentError> {
    let wrong = |what: String| Err(whole.key("sweep").inner(&name, &values).wrong(&what));
    let Scalars(texts) = values.get_ref();
    if let Some(twice) = (1..texts.len()).find(|&at| texts[..at].contains(&texts[at])) {
        return wrong(format!("{name} has `{}` twice", texts[twice]));
    }
    if RESERVED.contains(&name.as_str()) {
        return wrong(format!("`{name}` is a column of the results: take another name"));
    }
    Ok(Parameter { name, values: values.into_inner().0 })
}

/// Names of result columns, which no parameter may have.
const RESERVED: [&str; 12] = [
    "key", "workload", "policy", "spec", "unit", "seed", "metric", "class", "reading", "value", "units",
    "baseline",
];
