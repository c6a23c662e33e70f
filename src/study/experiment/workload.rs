use std::fmt;

use batchlab_traces::SourcePlace;
use batchlab_traces::located::values::{Ordered, Scalar, Scalars, Verbatim};

use super::definition::at_most_32_bits;
use super::inputs::is_sha256;
use super::keys::{WORKLOAD, WorkloadKeys};
use super::section::{ExperimentError, Section};
use super::sweep::Sweep;
use batchlab_engine::replay::conditions::short_name;

/// A workload as declared, or, with names in braces replaced, at a point of the sweep.
#[derive(Clone, PartialEq)]
pub struct WorkloadSpec {
    pub name: String,
    pub source: JobSource,
    /// Rules: a file, a preset, or their text.
    pub rules: Option<String>,
    pub steps: Option<String>,
    pub cut: Cut,
    /// The number of replications, if the workload is random.
    pub replications: u32,
    /// The windows or replications that are replayed, as ranges of their numbers; none for all.
    pub units: Vec<(u32, u32)>,
    /// Options of `replay` by name, in the order of the file.
    pub options: Vec<(String, String)>,
    pub place: SourcePlace,
    /// SHA-256 of the log's file, as it lies on disk; `None` if any file will do.
    pub sha256: Option<String>,
    /// What this workload stands in for, if it is not the one that claims are about.
    pub substitute: Option<String>,
}

/// Prints what determines the jobs; keys of replays depend on this text.
#[expect(clippy::missing_fields_in_debug, reason = "the others do not determine the jobs")]
impl fmt::Debug for WorkloadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkloadSpec")
            .field("name", &self.name)
            .field("source", &self.source)
            .field("rules", &self.rules)
            .field("steps", &self.steps)
            .field("cut", &self.cut)
            .field("replications", &self.replications)
            .field("options", &self.options)
            .field("place", &self.place)
            .finish()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum JobSource {
    Log(String),
    Model {
        name: String,
        /// The number of jobs; `None` means the model's default.
        jobs: Option<String>,
        set: Vec<(String, String)>,
        log: Option<String>,
    },
}

/// How the units of a log are cut.
#[derive(Clone, Debug, PartialEq)]
pub enum Cut {
    /// The log is a single unit.
    None,
    /// Windows of submission time of this length, each replayed by itself.
    Windows(String),
    /// Blocks of submission time of this length, measured in one replay.
    Blocks(String),
}

impl WorkloadSpec {
    pub(super) fn read_all(
        whole: &Section<'_>,
        options: &[&str],
        replications: u32,
    ) -> Result<Vec<WorkloadSpec>, ExperimentError> {
        let mut workloads: Vec<WorkloadSpec> = Vec::new();
        for section in whole.sections("workload")? {
            let workload = WorkloadSpec::read(&section, options, replications)?;
            if workloads.iter().any(|known| known.name == workload.name) {
                return Err(section.wrong("name", &format!("there are two workloads `{}`", workload.name)));
            }
            workloads.push(workload);
        }
        if workloads.is_empty() {
            return Err(whole.error("the experiment has no [[workload]]"));
        }
        Ok(workloads)
    }

    fn read(
        section: &Section<'_>,
        options: &[&str],
        replications: u32,
    ) -> Result<WorkloadSpec, ExperimentError> {
        let own = WORKLOAD.names();
        section.known(&[&own[..], options].concat())?;
        let section: Section<'_, WorkloadKeys> = section.part()?;
        let keys = &section.keys;
        let source = source(&section)?;
        let text = |text: &Option<Verbatim>| text.as_ref().map(|text| text.0.clone());
        Ok(WorkloadSpec {
            name: match (&source, text(&keys.name)) {
                (_, Some(name)) => name,
                (JobSource::Model { name, .. }, None) => name.clone(),
                (JobSource::Log(path), None) => short_name(path).to_owned(),
            },
            rules: text(&keys.rules),
            steps: text(&keys.steps),
            cut: cut(&section, &source)?,
            units: units(&section)?,
            source,
            replications: keys.replications.map_or(replications, |own| at_most_32_bits(own.0)),
            options: section.rest::<Ordered<Scalars>>(&own)?.into_pairs(|values| values.0.join(",")),
            place: section.place("name"),
            sha256: sha256(&section)?,
            substitute: text(&keys.substitute),
        })
    }

    /// Whether a unit is among those that are replayed.
    pub fn has_unit(&self, unit: u32) -> bool {
        self.units.is_empty() || self.units.iter().any(|&(from, to)| (from..=to).contains(&unit))
    }

    /// Returns every text that may name swept parameters, with the position of the workload.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &SourcePlace)> {
        let (one, more): (Vec<&str>, &[(String, String)]) = match &self.source {
            JobSource::Log(path) => (vec![path], &[]),
            JobSource::Model { name, jobs, set, log } => (
                [Some(name), jobs.as_ref(), log.as_ref()].into_iter().flatten().map(String::as_str).collect(),
                set,
            ),
        };
        let cut = self.cut.length().map(|(_, length)| length);
        let pairs = more.iter().chain(&self.options).map(|(_, value)| value.as_str());
        let files = [self.rules.as_deref(), self.steps.as_deref(), cut].into_iter().flatten();
        one.into_iter().chain(files).chain(pairs).map(|text| (text, &self.place))
    }

    /// Returns the workload at a point of the sweep: with names in braces replaced, and with the swept options of `replay` that
    /// the workload itself does not set.
    pub fn at(&self, values: &[(&str, &str)], options: &[&str]) -> Result<WorkloadSpec, ExperimentError> {
        let fill = |text: &String| {
            Sweep::fill(text, values).map_err(|name| ExperimentError {
                place: self.place.clone(),
                what: format!("`{{{name}}}` of workload `{}` has no value under every reading", self.name),
            })
        };
        let maybe = |text: &Option<String>| text.as_ref().map(fill).transpose();
        let pairs = |pairs: &[(String, String)]| -> Result<Vec<(String, String)>, ExperimentError> {
            pairs.iter().map(|(name, value)| Ok((name.clone(), fill(value)?))).collect()
        };
        let mut filled = WorkloadSpec {
            source: match &self.source {
                JobSource::Log(path) => JobSource::Log(fill(path)?),
                JobSource::Model { name, jobs, set, log } => JobSource::Model {
                    name: fill(name)?,
                    jobs: maybe(jobs)?,
                    set: pairs(set)?,
                    log: maybe(log)?,
                },
            },
            rules: maybe(&self.rules)?,
            steps: maybe(&self.steps)?,
            cut: match &self.cut {
                Cut::None => Cut::None,
                Cut::Windows(length) => Cut::Windows(fill(length)?),
                Cut::Blocks(length) => Cut::Blocks(fill(length)?),
            },
            options: pairs(&self.options)?,
            ..self.clone()
        };
        let named: Vec<&str> = self.texts().flat_map(|(text, _)| Sweep::names(text)).collect();
        for (name, value) in values {
            let says_nothing = filled.options.iter().all(|(known, _)| known != name) && !named.contains(name);
            if options.contains(name) && says_nothing {
                filled.options.push(((*name).into(), (*value).into()));
            }
        }
        Ok(filled)
    }
}

/// Reads numbers of units: ranges and single numbers, separated by commas.
fn units(section: &Section<'_, WorkloadKeys>) -> Result<Vec<(u32, u32)>, ExperimentError> {
    let Some(Scalar(text)) = &section.keys.units else { return Ok(Vec::new()) };
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        (from <= to).then_some((from, to))
    };
    let ranges: Option<Vec<(u32, u32)>> = text.split(',').map(range).collect();
    ranges.filter(|_| section.keys.blocks.is_none()).ok_or_else(|| {
        section.wrong(
            "units",
            "`units` are numbers of windows or replications from 0, such as \"30-39\" or \"0, 4-7\"",
        )
    })
}

fn sha256(section: &Section<'_, WorkloadKeys>) -> Result<Option<String>, ExperimentError> {
    let Some(Verbatim(hash)) = &section.keys.sha256 else { return Ok(None) };
    match section.keys.trace {
        Some(_) if is_sha256(hash) => Ok(Some(hash.to_ascii_lowercase())),
        Some(_) => Err(section.wrong("sha256", "sha256: a hash has 64 hexadecimal digits")),
        None => Err(section.wrong("sha256", "`sha256` is about logs, and this is a model")),
    }
}

fn source(section: &Section<'_, WorkloadKeys>) -> Result<JobSource, ExperimentError> {
    let WorkloadKeys { trace, model, jobs, set, log, .. } = section.keys.clone();
    let of_models = ["jobs", "set", "log"];
    match (trace, model) {
        (Some(_), Some(_)) => Err(section.wrong("model", "a workload is a trace or a model, not both")),
        (None, None) => Err(section.error("[[workload]] needs `trace` (a log) or `model`")),
        (Some(path), None) => match of_models.into_iter().find(|key| section.has(key)) {
            Some(key) => Err(section.wrong(key, &format!("`{key}` is about models, and this is a log"))),
            None => Ok(JobSource::Log(path.0)),
        },
        (None, Some(name)) => Ok(JobSource::Model {
            name: name.0,
            jobs: jobs.map(|jobs| jobs.0),
            set: set.unwrap_or_default().into_pairs(|value| value.0),
            log: log.map(|log| log.0),
        }),
    }
}

impl Cut {
    /// Returns the key that cuts the workload, and the length; `None` if it is whole.
    pub(super) fn length(&self) -> Option<(&'static str, &str)> {
        match self {
            Cut::None => None,
            Cut::Windows(length) => Some(("windows", length)),
            Cut::Blocks(length) => Some(("blocks", length)),
        }
    }
}

fn cut(section: &Section<'_, WorkloadKeys>, source: &JobSource) -> Result<Cut, ExperimentError> {
    let cut = match (section.keys.windows.clone(), section.keys.blocks.clone()) {
        (Some(_), Some(_)) => {
            return Err(section.wrong("blocks", "the units are `windows` or `blocks`, not both"));
        }
        (Some(length), None) => Cut::Windows(length.0),
        (None, Some(length)) => Cut::Blocks(length.0),
        (None, None) => Cut::None,
    };
    if matches!(cut, Cut::Windows(_)) && matches!(source, JobSource::Model { .. }) {
        return Err(section.wrong("windows", "a model has replications; only logs are cut in windows"));
    }
    if let Some((key, length)) = cut.length().filter(|(_, length)| length.trim().parse::<f64>().is_ok()) {
        let what = format!("`{key}` needs a unit: \"{length}d\" are days, \"{length}h\" hours");
        let jobs = if key == "windows" { format!(", \"{length} jobs\" as many jobs") } else { String::new() };
        return Err(section.wrong(key, &(what + &jobs)));
    }
    if cut != Cut::None && section.keys.replications.is_some() {
        return Err(
            section.wrong("replications", "units are windows or blocks here: replications cannot be set")
        );
    }
    Ok(cut)
}
