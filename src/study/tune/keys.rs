//! `[tune]` and `[space]` of an experiment file.

use batchlab_traces::SourcePlace;
use batchlab_traces::located::LocatedToml;
use batchlab_traces::located::values::{Ordered, Scalar, Scalars, Texts, Verbatim};
use serde::Deserialize;

use super::budget::Budget;
use super::search::SearchKind;
use super::space::SearchSpace;
use super::split::Split;
use crate::experiment::keys::section;
use crate::experiment::{ExperimentError, Section, SectionSpec, Sweep};

/// How units are pooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pool {
    Units,
    Geometric,
}

section! {
    /// a search for the best spec, by `batchlab tune`; `batchlab run` of the file runs its policies alone
    "tune" => TuneKeys, TUNE;
    "[tune]\nspec = \"easy:order=expr({formula})\"\nobjective = \"mean_bsld\"\nbudget = \"2000 candidates\"\n\n[space]\nformula = \"power(procs, estimate)\""
    /// the policy, with the names of [space] in braces
    spec: Verbatim = "NAME:key={name},...";
    /// its name in tables
    label: Option<Verbatim> = "text", "tuned";
    /// what is to be as low as possible relative to the baseline: a metric, or a sum of metrics with weights such as
    /// "mean_bsld + 0.5*p95_wait@wide"; a metric of which more is better counts by its loss. Two or three of them give a front
    objective: Texts = "metric, weighted metrics, or a list of them";
    /// what has to hold, such as "p95_wait@wide <= 1.05 * EASY", where EASY is the label of a policy
    constraints: Option<Texts> = "list";
    /// how units make the number of an objective: `geometric`, the mean of their ratios, or `units`, the ratio of their means
    pool: Option<Pool> = "units or geometric", "geometric for slowdowns";
    /// when the search ends; with a time its result depends on the machine
    budget: Option<Scalar> = "N candidates, N replays, or time", "1000 candidates";
    /// searches that run apart, each with its share of the candidates, before the best of all is chosen; `batchlab slurm` gives each
    /// a task of an array
    islands: Option<u32> = "N", "1";
    /// `random` draws, `cma` adapts a normal distribution of numbers, `evolve` varies and crosses the best
    search: Option<SearchKind> = "random, cma or evolve", "cma for numbers, else evolve";
    /// the shares of each workload's units, in their order, that fit candidates, choose one of the best, and judge it
    split: Option<Vec<f64>> = "three shares", "[0.5, 0.25, 0.25]";
    /// workloads that only judge
    judges: Option<Texts> = "list", "none";
    /// whether the result is judged under more load, other estimates, and on shaken logs, too
    robust: Option<bool> = "true or false", "true";
}

/// `[space]`: its keys are the names in braces.
pub static SPACE: SectionSpec = SectionSpec {
    name: "space",
    summary: "what may stand in the braces of `[tune]`: a range \"0.1 .. 10\" (with `log`, `whole`), a list of texts, a sum of terms with \
        weights \"linear(procs, estimate)\", a product of powers \"power(procs, estimate)\", or a formula of at most 9 nodes \
        \"tree(procs, estimate, wait; 9)\"",
    example: "[space]\nk = \"1 .. 64 whole log\"\norder = [\"saf\", \"wfp3\"]",
    keys: &[],
};

/// The two sections, read.
#[derive(Clone, Debug)]
pub struct TuneFile {
    pub keys: TuneKeys,
    pub space: SearchSpace,
    /// The names of the space, each with what the file has beside it.
    pub written: Vec<(String, Vec<String>)>,
    pub budget: Budget,
    pub islands: usize,
    pub split: Split,
    pub search: SearchKind,
    /// The place of its objective.
    pub place: SourcePlace,
}

impl TuneFile {
    /// Reads the sections of an experiment file; `None` if it has no `[tune]`.
    ///
    /// # Errors
    /// If one of them is not as declared, or has a name that the other lacks.
    pub fn read(text: &str, file: &str) -> Result<Option<TuneFile>, ExperimentError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        let whole = Section::whole(&toml, &table);
        let Some(section) = whole.section("tune")? else {
            let alone = "[space] is what [tune] searches, and there is no [tune]";
            return if whole.has("space") { Err(whole.wrong("space", alone)) } else { Ok(None) };
        };
        section.known(&TUNE.names())?;
        let section: Section<'_, TuneKeys> = section.read()?;
        let keys = section.keys.clone();
        let Some(space) = whole.section("space")? else {
            return Err(section.error("[tune] searches a [space], which is not there"));
        };
        let written = space.rest::<Ordered<Scalars>>(&[])?.into_pairs(|values| values.0);
        let (space, of_space) = (SearchSpace::of(&written), space);
        let space = space.map_err(|(name, error)| of_space.wrong(&name, &format!("{name}: {error}")))?;
        let used: Vec<&str> = Sweep::names(&keys.spec.0).collect();
        if let Some(unused) = space.names().find(|name| !used.contains(name)) {
            return Err(
                of_space.wrong(unused, &format!("`{{{unused}}}` does not stand in the spec of [tune]"))
            );
        }
        if let Some(unknown) = used.iter().find(|name| !space.names().any(|known| known == **name)) {
            return Err(section.wrong("spec", &format!("`{{{unknown}}}` is not in [space]")));
        }
        if used.is_empty() {
            return Err(section
                .wrong("spec", "the spec has no name of [space] in braces, so there is nothing to search"));
        }
        let budget = keys.budget.as_ref().map_or(Some(Budget::default()), |budget| Budget::read(&budget.0));
        let budget = budget.ok_or_else(|| {
            section.wrong("budget", "a budget is such as \"2000 candidates\", \"50000 replays\" or \"10min\"")
        })?;
        let islands = keys.islands.unwrap_or(1) as usize;
        match budget {
            Budget::Candidates(all) if !(1..=all).contains(&islands) => {
                return Err(section.wrong("islands", "each island has one candidate at least"));
            }
            Budget::Replays(_) | Budget::Time(_) if islands != 1 => {
                return Err(
                    section.wrong("islands", "a budget that is divided among islands is one of candidates")
                );
            }
            _ => {}
        }
        let split = keys.split.as_ref().map_or(Some(Split::default()), |shares| Split::of(shares));
        let split = split.ok_or_else(|| {
            section.wrong(
                "split",
                "the shares are three numbers above 0 that add to 1, such as [0.5, 0.25, 0.25]",
            )
        })?;
        let search = keys.search.unwrap_or_else(|| SearchKind::of(&space));
        if search == SearchKind::Cma && !space.is_numeric() {
            return Err(section
                .wrong("search", "cma adapts numbers, and this space has choices or trees: take evolve"));
        }
        if !(1..=3).contains(&keys.objective.0.len()) {
            return Err(section.wrong("objective", "there are from one to three objectives"));
        }
        let place = section.place("objective");
        Ok(Some(TuneFile { keys, space, written, budget, islands, split, search, place }))
    }

    pub fn label(&self) -> &str {
        self.keys.label.as_ref().map_or("tuned", |label| label.0.as_str())
    }

    /// Returns the names of the workloads that only judge.
    pub fn judges(&self) -> &[String] {
        self.keys.judges.as_ref().map_or(&[], |names| &names.0)
    }

    /// Returns an error about its objectives or constraints.
    pub fn wrong(&self, what: impl std::fmt::Display) -> ExperimentError {
        ExperimentError { place: self.place.clone(), what: what.to_string() }
    }
}
