//! Papers as folders of experiments: what a paper says, what came out, and the page about both.
//!
//! A folder has `paper.toml` and the experiment files that it names. Its page opens with the paper's main conclusions. The
//! folders of `tests/papers` are part of the program.
//!
//! ```toml
//! title = "Job Scheduling Scheme for Pure Space Sharing among Rigid Jobs"
//! reference = "K. Aida, H. Kasahara, S. Narita. ... JSSPP 1998."
//! says = "What the paper says, in a paragraph."
//! found = "What came out: FCFS saturates at {saturation} ..."   # {CLAIM}: what was measured for the claim
//! experiments = ["simulation.toml", "cenju.toml"]
//! in_words = "One line: what came out."
//! checked = "How it was checked."
//!
//! [[conclusion]]                    # a main conclusion of the paper; the page opens with them
//! says = "Migration improves gang scheduling"
//! source = "section 5.6"
//! claims = ["simulation/migration"] # EXPERIMENT/CLAIM: all hold, some, or none
//! number = "slowdown of MGS is {simulation/ratio} of that of GS (published .64)"
//! condition = "under the stated mix of sizes"
//! ```

mod answer;
mod cells;
mod conclusion;
mod markdown;
mod named;
mod page;
mod part;
mod statement;

use batchlab_traces::located::LocatedToml;
use batchlab_traces::located::values::{Text, Texts};
use serde::Deserialize;
use serde::de::IgnoredAny;

use self::named::{Reference, references};
use batchlab_study::experiment::file_name::{LETTERS, is_file_name, is_same_file};
use batchlab_study::experiment::{ExperimentError, Section};

pub use answer::PaperAnswer;
pub use conclusion::PaperConclusion;
pub use named::{ClaimId, StatedClaims};
pub use page::{Made, html, markdown, summary};
pub use part::{Outcome, Part, RequiredLog, StatedClaim};
pub use statement::{PaperClaim, Statement, counted, statements};

/// The pages of a paper, in the folder of its results: Markdown and HTML.
pub const PAGES: [&str; 2] = ["README.md", "index.html"];

/// The name of the folder with the files of a paper that is part of the program, beside its pages.
pub const EXPERIMENTS: &str = "experiments";

/// The most letters of what came out in one line.
const IN_WORDS: usize = 200;

/// The name of the file that describes a paper.
pub const FILE: &str = "paper.toml";

/// What `paper.toml` says.
#[derive(Clone, Debug)]
pub struct Paper {
    pub title: String,
    pub reference: String,
    /// What the paper says.
    pub says: String,
    /// What came out; `{CLAIM}` stands for what was measured for a claim.
    pub found: String,
    /// The files of its experiments, in their order.
    pub experiments: Vec<String>,
    pub in_words: Option<String>,
    pub checked: Option<String>,
    /// The main conclusions, the most important first.
    pub conclusions: Vec<PaperConclusion>,
    /// The claims that the file refers to.
    refers: Vec<Reference>,
}

impl Paper {
    /// Reads `paper.toml`; `file` is its name as the user knows it.
    ///
    /// # Errors
    /// If a key is missing or unknown, or if an experiment's name is not that of a file in the folder.
    pub fn read(text: &str, file: &str) -> Result<Paper, ExperimentError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        let whole = Section::whole(&toml, &table);
        if let Some(section) = OF_EXPERIMENTS.into_iter().find(|section| whole.has(section)) {
            let what = format!(
                "`{section}` belongs in the file of an experiment, which `experiments` names; a paper has [[conclusion]]"
            );
            return Err(whole.wrong(section, &what));
        }
        let paper: Section<'_, PaperKeys> = whole.read()?;
        check_experiments(&paper.keys.experiments.0).map_err(|what| paper.wrong("experiments", &what))?;
        let mut refers = Vec::new();
        let of_sections = whole.sections("conclusion")?;
        let conclusions = of_sections.iter().map(|of| PaperConclusion::read(of, &mut refers));
        let conclusions = conclusions.collect::<Result<Vec<_>, _>>()?;
        let texts = [("found", Some(&paper.keys.found)), ("in_words", paper.keys.in_words.as_ref())];
        for (key, text) in texts.into_iter().chain([("checked", paper.keys.checked.as_ref())]) {
            refers.extend(text.iter().flat_map(|text| references(&paper, key, &text.0)));
        }
        let in_words = paper.keys.in_words.as_ref();
        if let Some(letters) = in_words.map(|text| text.0.chars().count()).filter(|of| *of > IN_WORDS) {
            let what =
                format!("in_words: {letters} letters; at most {IN_WORDS}, as it is one line of a list");
            return Err(paper.wrong("in_words", &what));
        }
        let PaperKeys { title, reference, says, found, experiments, in_words, checked, .. } = paper.keys;
        Ok(Paper {
            title: title.0,
            reference: reference.0,
            says: says.0,
            found: found.0,
            experiments: experiments.0,
            in_words: in_words.map(|text| text.0),
            checked: checked.map(|text| text.0),
            conclusions,
            refers,
        })
    }

    /// Checks the names of claims in the paper and its experiments, which state these.
    ///
    /// # Errors
    /// At the first reference to a claim that no experiment states, and at a claim that is part of itself.
    pub fn check(&self, stated: &StatedClaims) -> Result<(), ExperimentError> {
        named::check(&self.refers, stated)
    }
}

/// Sections of experiments that a paper may be taken to have.
const OF_EXPERIMENTS: [&str; 6] = ["claim", "experiment", "plot", "policy", "table", "workload"];

/// The keys of `paper.toml`.
#[derive(Deserialize)]
struct PaperKeys {
    title: Text,
    reference: Text,
    says: Text,
    found: Text,
    experiments: Texts,
    in_words: Option<Text>,
    checked: Option<Text>,
    #[serde(rename = "conclusion")]
    _conclusions: Option<IgnoredAny>,
}

/// Returns the name of an experiment of a paper: its file without the ending, which is also the folder of its results.
pub fn experiment_name(file: &str) -> &str {
    file.strip_suffix(".toml").unwrap_or(file)
}

/// Checks that the results of each experiment have a folder of their own within that of the paper.
fn check_experiments(files: &[String]) -> Result<(), String> {
    for (at, file) in files.iter().enumerate() {
        let name = experiment_name(file);
        if name == file || !is_file_name(name) {
            return Err(format!(
                "experiments: `{}` is no name of a .toml file in this folder: {LETTERS} before .toml, and no `.` first",
                file.escape_debug()
            ));
        }
        if let Some(taken) = PAGES.iter().find(|taken| is_same_file(taken, name)) {
            return Err(format!(
                "experiments: `{file}` has its results in `{name}`, which is the page {taken}"
            ));
        }
        let is_other = |other: &&String| is_same_file(experiment_name(other), name);
        if let Some(other) = files[..at].iter().find(is_other) {
            return Err(format!("experiments: `{other}` and `{file}` have their results in the same folder"));
        }
    }
    Ok(())
}
