//! Expands an experiment into single replays, each with a key.

mod error;
mod policies;

pub use error::PlanError;

use std::collections::HashMap;
use std::sync::Arc;

use batchlab_support::spec::Chosen;
use batchlab_traces::SourcePlace;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::reading::parse_duration;
use batchlab_traces::seed::stream;
use batchlab_traces::sorted::SortedMap;
use chacha20::rand_core::Rng;
use sha2::{Digest, Sha256};

use self::policies::Policies;
use super::definition::{Experiment, PolicyText};
use super::frame::{AbsentPolicy, Measure, PolicyFacts, UnitKind, WorkloadFacts};
use super::inputs::InputFile;
use super::keys::Absent;
use super::loader::{Loaded, Loader, Survey};
use super::manifest::PluginFacts;
use super::measuring::Measuring;
use super::origin::Origin;
use super::workload::{Cut, JobSource, WorkloadSpec};
use batchlab_engine::Inventory;
use batchlab_engine::metrics::MeasureOptions;
use batchlab_engine::replay::capability;
use batchlab_engine::replay::conditions::{Phrase, TOOL};

#[derive(Debug)]
pub struct ExperimentPlan {
    pub experiment: Experiment,
    pub measuring: Measuring,
    /// The measures of a row, each with its place among those that a replay fills.
    pub measures: Vec<(usize, Measure)>,
    pub workloads: Vec<WorkloadFacts>,
    /// Units of workloads, each to be loaded once.
    pub batches: Vec<Batch>,
    /// Different replays, by batch.
    pub tasks: Vec<Task>,
    /// The place of each replay in the results: by workload, point, policy and unit. A replay may have several places.
    pub entries: Vec<ReplayPlace>,
    /// The origins of the workloads; several for a workload whose log or model is swept.
    pub origins: Vec<Origin>,
    /// The files that the replays read besides logs; empty until they have been read.
    pub inputs: Vec<InputFile>,
    /// The options of the command line that let plug-ins in; empty without plug-ins.
    pub options: Vec<String>,
    pub absent: Vec<AbsentPolicy>,
    pub notes: Vec<String>,
}

/// A unit of a workload, which several policies are replayed on.
#[derive(Clone, Debug)]
pub struct Batch {
    pub workload: Arc<WorkloadSpec>,
    pub unit: u32,
    pub seed: u64,
    pub kind: UnitKind,
}

/// One replay.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its key: equal for equal jobs, machine, policy, measurement and program version.
    pub key: String,
    /// The unit, by its position among the batches.
    pub batch: usize,
    pub policy: Arc<Chosen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayPlace {
    pub workload: usize,
    /// The value of each parameter, by position.
    pub point: Vec<usize>,
    pub policy: usize,
    pub unit: u32,
    pub seed: u64,
    pub task: usize,
}

impl ExperimentPlan {
    /// Plans an experiment: surveys every workload, loads one unit of each at each point, and builds every policy for it, so that
    /// combinations that cannot work are refused before anything runs. `seen` is called with the unit that was loaded, or with
    /// the log from which all units are cut, and with the position of its workload.
    pub fn of<L: Loader>(
        experiment: Experiment,
        registry: &Inventory,
        options: &[&str],
        loader: &L,
        seen: &mut dyn FnMut(usize, &Loaded),
    ) -> Result<ExperimentPlan, L::Error> {
        PlanError::check_count::<L::Error>(least_replays(&experiment), loader.most_replays())?;
        let measuring = Measuring::of(&experiment.measure).map_err(PlanError::from)?;
        let plan = ExperimentPlan {
            workloads: vec![WorkloadFacts::default(); experiment.workloads.len()],
            experiment,
            measuring,
            measures: Vec::new(),
            batches: Vec::new(),
            tasks: Vec::new(),
            entries: Vec::new(),
            origins: Vec::new(),
            inputs: Vec::new(),
            options: Vec::new(),
            absent: Vec::new(),
            notes: Vec::new(),
        };
        let mut planner = Planner {
            plan,
            registry,
            loader,
            design_points: Vec::new(),
            known: HashMap::new(),
            policies: Policies::default(),
        };
        let points = planner.plan.experiment.sweep.points();
        for workload in 0..planner.plan.experiment.workloads.len() {
            for point in &points {
                planner.design_point(workload, point, options, seen)?;
            }
        }
        planner.finish()
    }

    /// Puts the tasks of a unit next to each other, so that the unit can be dropped after the last of them.
    fn gather(&mut self) {
        let mut order: Vec<usize> = (0..self.tasks.len()).collect();
        order.arrange_by_key(|&task| self.tasks[task].batch);
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &task)| place[task] = at);
        self.tasks.arrange_by_key(|task| task.batch);
        for entry in &mut self.entries {
            entry.task = place[entry.task];
        }
    }

    pub fn policies(&self) -> Vec<PolicyFacts> {
        let facts =
            |policy: &PolicyText| PolicyFacts { label: policy.label.clone(), spec: policy.spec.clone() };
        self.experiment.policies.iter().map(facts).collect()
    }

    /// Returns the descriptions of the plug-ins among the policies and within them, each spec once.
    pub fn plugins(&self) -> Vec<PluginFacts> {
        let mut known = SortedMap::new();
        self.tasks.iter().for_each(|task| policies::describe(&task.policy, &mut known));
        known.into_values().collect()
    }

    /// Returns the replays of shard `index` (from 1) of `of`, by position. Replays of a unit stay together if there are enough units.
    pub fn shard(&self, index: usize, of: usize) -> Vec<usize> {
        let by_unit = self.batches.len() >= of;
        let number = |task: usize| if by_unit { self.tasks[task].batch } else { task };
        (0..self.tasks.len()).filter(|&task| number(task) % of == index - 1).collect()
    }
}

impl Batch {
    /// Returns the length of the blocks in which the unit is measured, if it is measured in blocks.
    pub fn block(&self) -> Option<batchlab_traces::Time> {
        match &self.workload.cut {
            Cut::Blocks(length) => parse_duration(length).ok(),
            _ => None,
        }
    }
}

struct PlannedPoint {
    workload: WorkloadSpec,
    survey: Survey,
    first: usize,
    /// The conditions under which its units are replayed.
    conditions: Vec<Phrase>,
}

/// A policy at a workload and a point of the sweep, by positions.
#[derive(Clone, Copy)]
struct Here<'a> {
    workload: usize,
    point: &'a [usize],
    design_point: usize,
    policy: usize,
}

struct Planner<'a, L> {
    plan: ExperimentPlan,
    registry: &'a Inventory,
    loader: &'a L,
    design_points: Vec<PlannedPoint>,
    /// Positions of tasks by key.
    known: HashMap<String, usize>,
    policies: Policies,
}

impl<L: Loader> Planner<'_, L> {
    fn design_point(
        &mut self,
        workload: usize,
        point: &[usize],
        options: &[&str],
        seen: &mut dyn FnMut(usize, &Loaded),
    ) -> Result<(), L::Error> {
        let sweep = self.plan.experiment.sweep.clone();
        let values = sweep.values(point);
        let plain = &self.plan.experiment.workloads[workload];
        let plain_name = plain.name.clone();
        let spec = plain.at(&values, options).map_err(PlanError::from)?;
        let known = self.design_points.iter().position(|design_point| design_point.workload == spec);
        let design_point = match known {
            Some(design_point) => design_point,
            None => self.survey(workload, spec, seen)?,
        };
        self.plan.workloads[workload].state(point, &self.design_points[design_point].conditions);
        let policies =
            self.plan.experiment.policies.iter().filter(|policy| policy.is_on(&plain_name)).count();
        let here = self.design_points[design_point].survey.units.len() * policies;
        let planned = self.plan.entries.len();
        PlanError::check_count::<L::Error>((planned + here) as u128, self.loader.most_replays())?;
        // Loaded only if some policy spec is new here: a spec that was checked before is not checked again.
        let mut loaded: Option<Loaded> = None;
        let mut why = Vec::new();
        for policy in 0..self.plan.experiment.policies.len() {
            let here = Here { workload, point, design_point, policy };
            if let Some(reason) = self.policy_here(&here, &values, &mut loaded)? {
                let label = &self.plan.experiment.policies[policy].label;
                why.push(format!("{label}: {reason}"));
                let absent = AbsentPolicy { workload, policy, why: reason };
                if !self.plan.absent.contains(&absent) {
                    self.plan.notes.push(absent.words(&plain_name, label));
                    self.plan.absent.push(absent);
                }
            }
        }
        if why.len() == self.plan.experiment.policies.len() {
            return Err(PlanError::NoPolicy { workload: plain_name, why }.into());
        }
        Ok(())
    }

    /// Plans the replays of a policy; returns why there are none if the policy is not for the workload, or cannot run on it
    /// and may be absent.
    fn policy_here(
        &mut self,
        here: &Here<'_>,
        values: &[(&str, &str)],
        loaded: &mut Option<Loaded>,
    ) -> Result<Option<String>, L::Error> {
        let Here { workload, point, design_point, policy } = *here;
        let text = &self.plan.experiment.policies[policy];
        if !text.is_on(&self.plan.experiment.workloads[workload].name) {
            return Ok(Some("its `workloads` leave it out".into()));
        }
        let may_be_absent = text.absent == Absent::Skip;
        let chosen = self.policies.choose(self.registry, text, values).map_err(|error| *error)?;
        let chosen = Arc::new(chosen);
        let carried = self.loader.plugins(&chosen).join("|");
        let units = self.design_points[design_point].survey.units.clone();
        for (index, &unit) in units.iter().enumerate() {
            let batch = self.design_points[design_point].first + index;
            let seed = self.plan.batches[batch].seed;
            let key = self.key(design_point, unit, seed, (&chosen, &carried));
            let task = match self.known.get(&key) {
                Some(&task) => task,
                None => {
                    if index == 0
                        && let Err(error) = self.check(design_point, policy, &chosen, loaded)?
                    {
                        if may_be_absent {
                            return Ok(Some(error.reason()));
                        }
                        return Err(error.into());
                    }
                    self.plan.tasks.push(Task { key: key.clone(), batch, policy: Arc::clone(&chosen) });
                    self.known.insert(key, self.plan.tasks.len() - 1);
                    self.plan.tasks.len() - 1
                }
            };
            let point = point.to_vec();
            self.plan.entries.push(ReplayPlace { workload, point, policy, unit, seed, task });
        }
        Ok(None)
    }

    fn survey(
        &mut self,
        workload: usize,
        spec: WorkloadSpec,
        tell: &mut dyn FnMut(usize, &Loaded),
    ) -> Result<usize, L::Error> {
        let experiment = self.plan.experiment.seed;
        let survey = self.loader.survey(&spec, seed(experiment, &spec.name, 0))?;
        let first = self.plan.batches.len();
        let shared = Arc::new(spec.clone());
        for &unit in &survey.units {
            let is_drawn = matches!(survey.kind, UnitKind::Replications | UnitKind::Draws | UnitKind::Shaken);
            let seed = if is_drawn { seed(experiment, &spec.name, unit) } else { experiment };
            self.plan.batches.push(Batch { workload: Arc::clone(&shared), unit, seed, kind: survey.kind });
        }
        let one = self.load(first)?;
        let whole = self.loader.whole(&spec, seed(experiment, &spec.name, 0))?;
        tell(workload, whole.as_ref().unwrap_or(&one));
        let measures = self.plan.measuring.here(self.registry, &one.scenario, &one.vocabulary());
        for (place, measure) in measures.map_err(PlanError::from)?.described() {
            if !self.plan.measures.iter().any(|(known, _)| *known == place) {
                self.plan.measures.push((place, measure));
            }
        }
        let facts = &mut self.plan.workloads[workload];
        if facts.name.is_empty() {
            *facts = WorkloadFacts {
                name: spec.name.clone(),
                units: survey.kind,
                units_words: spec.cut.length().map_or_else(String::new, |(_, length)| length.to_owned()),
                conditions: Vec::new(),
                substitute: spec.substitute.clone(),
            };
        }
        let conditions = conditions(&one, whole.as_ref(), self.plan.measuring.options, &survey);
        let origin = Origin::of(workload, &spec, &survey, &one);
        if !self.plan.origins.contains(&origin) {
            self.plan.origins.push(origin);
        }
        for note in &survey.notes {
            let note = format!("{}: {note}", spec.name);
            if !self.plan.notes.contains(&note) {
                self.plan.notes.push(note);
            }
        }
        self.design_points.push(PlannedPoint { workload: spec, survey, first, conditions });
        Ok(self.design_points.len() - 1)
    }

    fn load(&self, batch: usize) -> Result<Loaded, L::Error> {
        let Batch { workload, unit, seed, .. } = &self.plan.batches[batch];
        self.loader.load(workload, *unit, *seed)
    }

    /// Checks that a policy can be used with a workload; the inner error says why not.
    fn check(
        &mut self,
        design_point: usize,
        policy: usize,
        chosen: &Chosen,
        loaded: &mut Option<Loaded>,
    ) -> Result<Result<(), PlanError>, L::Error> {
        let one = match loaded {
            Some(one) => one,
            None => loaded.insert(self.load(self.design_points[design_point].first)?),
        };
        let workload = || self.design_points[design_point].workload.name.clone();
        if let Err(error) = capability::check(chosen, &one.scenario) {
            return Ok(Err(PlanError::Unmet { workload: workload(), error }));
        }
        Ok(self.policies.build(chosen, one).map_err(|error| {
            let place = self.plan.experiment.policies[policy].place.clone();
            PlanError::Unfit { place, workload: workload(), error }
        }))
    }

    /// Returns the key of a replay; `carried` has the hashes of the policy's plug-ins.
    fn key(&self, design_point: usize, unit: u32, seed: u64, (policy, carried): (&Chosen, &str)) -> String {
        let PlannedPoint { workload, survey, .. } = &self.design_points[design_point];
        // The number of replications, the name and the line in the file do not change the jobs; where they do matter, the seed
        // depends on them.
        let place = SourcePlace { file: "".into(), line: 0, column: 0 };
        let plain = WorkloadSpec { name: String::new(), place, replications: 0, ..workload.clone() };
        let spec = format!("{plain:?}");
        let parts = [
            TOOL,
            REVISION,
            &spec,
            &survey.identity.join("|"),
            &unit.to_string(),
            &seed.to_string(),
            &policy.canonical(),
            &self.plan.measuring.identity(),
        ];
        // The keys of policies without plug-ins are those of earlier versions.
        let parts = parts.into_iter().chain((!carried.is_empty()).then_some(carried)).collect::<Vec<_>>();
        let hash = Sha256::digest(parts.join("\u{1e}"));
        let start: [u8; 8] = std::array::from_fn(|at| hash[at]);
        format!("{:016x}", u64::from_be_bytes(start))
    }

    fn finish(mut self) -> Result<ExperimentPlan, L::Error> {
        self.plan.gather();
        self.plan.measures.arrange_by_key(|(place, _)| *place);
        let known: Vec<Measure> = self.plan.measures.iter().map(|(_, measure)| measure.clone()).collect();
        if !self.plan.batches.is_empty() {
            let one = self.load(0)?;
            self.plan.measuring.check(self.registry, &one.scenario, &known).map_err(PlanError::from)?;
        }
        Ok(self.plan)
    }
}

/// Returns the least number of rows that an experiment can have: one for each replication of a random workload, and at least one
/// unit for a log.
fn least_replays(experiment: &Experiment) -> u128 {
    let units = experiment.workloads.iter().map(|workload| {
        // A policy that may be absent may have no replay.
        let is_sure = |policy: &&PolicyText| policy.is_on(&workload.name) && policy.absent == Absent::Refuse;
        let policies = experiment.policies.iter().filter(is_sure).count() as u128;
        match workload.source {
            JobSource::Model { .. } if workload.cut == Cut::None => {
                policies.saturating_mul(u128::from(workload.replications))
            }
            _ => policies,
        }
    });
    let columns = experiment.sweep.columns();
    let points = columns.iter().fold(1u128, |all, column| all.saturating_mul(column.values.len() as u128));
    units.fold(0u128, u128::saturating_add).saturating_mul(points)
}

/// What rows mean, as part of their keys. 2: windows keep the zero of their log, and what waits is the backlog.
const REVISION: &str = "2";

/// Returns the seed of a unit: the same for all policies and points, so that all use common random numbers.
fn seed(experiment: u64, workload: &str, unit: u32) -> u64 {
    // The 53 upper bits: spreadsheets and scripts represent them exactly.
    stream(experiment, &format!("workload {workload} unit {unit}")).next_u64() >> 11
}

/// Returns the conditions of a workload's units: those of `one`, the first unit. The number of jobs, and conditions about jobs
/// other than machine and reading (such as how many were held back), are those of the whole log from which the units are cut.
fn conditions(one: &Loaded, whole: Option<&Loaded>, options: MeasureOptions, survey: &Survey) -> Vec<Phrase> {
    let whole = whole.map(|whole| whole.conditions(options));
    let mut conditions = one.conditions(options);
    if let Some(whole) = &whole {
        (conditions.further, conditions.replaced) = (whole.further.clone(), whole.replaced.clone());
    }
    let mut phrases = conditions.phrases();
    let log = whole.map(|whole| whole.log_words());
    let is_drawn = matches!(survey.kind, UnitKind::Replications | UnitKind::Draws | UnitKind::Shaken);
    for phrase in &mut phrases {
        match (phrase.about.as_str(), &log) {
            ("log", Some(log)) => phrase.text = format!("{log} in all"),
            ("log", None) if survey.units.len() > 1 => phrase.text += " in the first unit",
            ("seed", _) if is_drawn && survey.units.len() > 1 => {
                phrase.text = "a seed for each unit".into();
            }
            _ => {}
        }
    }
    phrases
}
