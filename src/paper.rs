//! Papers as folders of experiments: what a paper says, what came out, and the page about both.
//!
//! A folder has `paper.toml` and the experiment files that it names. Those of `tests/papers` are part of the program.
//!
//! ```toml
//! title = "Job Scheduling Scheme for Pure Space Sharing among Rigid Jobs"
//! reference = "K. Aida, H. Kasahara, S. Narita. ... JSSPP 1998."
//! says = "What the paper says, in a paragraph."
//! found = "What came out: FCFS saturates at {saturation} ..."   # {CLAIM}: what was measured for the claim
//! experiments = ["simulation.toml", "cenju.toml"]
//! ```

mod page;
mod part;

use batchlab_traces::located::LocatedToml;
use batchlab_traces::located::values::{Text, Texts};
use batchlab_traces::nearest::{meant, nearest};
use serde::Deserialize;

use crate::experiment::file_name::{LETTERS, is_file_name, is_same_file};
use crate::experiment::{ExperimentError, Section};

pub use page::{Made, html, markdown, tally};
pub use part::{Outcome, Part, RequiredLog, StatedClaim};

/// The pages of a paper, in the folder of its results: Markdown and HTML.
pub const PAGES: [&str; 2] = ["README.md", "index.html"];

/// The name of the folder with the files of a paper that is part of the program, beside its pages.
pub const EXPERIMENTS: &str = "experiments";

/// The name of the file that describes a paper.
pub const FILE: &str = "paper.toml";

/// A folder of a paper that is part of the program: its name, and its files with their contents.
pub type Shipped = (&'static str, &'static [(&'static str, &'static str)]);

/// The folders of papers that are part of the program, by name.
pub static SHIPPED: &[Shipped] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));

/// What `paper.toml` says.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Title of the paper.
    pub title: String,
    /// The reference.
    pub reference: String,
    /// What the paper says.
    pub says: String,
    /// What came out; `{CLAIM}` stands for what was measured for a claim.
    pub found: String,
    /// The files of its experiments, in their order.
    pub experiments: Vec<String>,
}

impl Paper {
    /// Reads `paper.toml`; `file` is its name as the user knows it.
    ///
    /// # Errors
    /// If a key is missing or unknown, or if an experiment's name is not that of a file in the folder.
    pub fn read(text: &str, file: &str) -> Result<Paper, ExperimentError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        let paper: Section<'_, PaperKeys> = Section::whole(&toml, &table).read()?;
        check_experiments(&paper.keys.experiments.0).map_err(|what| paper.wrong("experiments", &what))?;
        let PaperKeys { title, reference, says, found, experiments } = paper.keys;
        Ok(Paper {
            title: title.0,
            reference: reference.0,
            says: says.0,
            found: found.0,
            experiments: experiments.0,
        })
    }
}

/// The keys of `paper.toml`.
#[derive(Deserialize)]
struct PaperKeys {
    title: Text,
    reference: Text,
    says: Text,
    found: Text,
    experiments: Texts,
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

/// Returns a folder that is part of the program.
///
/// # Errors
/// If there is none of this name, with the nearest name.
pub fn shipped(name: &str) -> Result<&'static Shipped, String> {
    let names = || SHIPPED.iter().map(|(name, _)| *name);
    SHIPPED.iter().find(|(known, _)| *known == name).ok_or_else(|| {
        let meant = meant(nearest(name, names()));
        format!(
            "there is no paper `{name}`{meant}, and no folder of this name; there are {}",
            names().collect::<Vec<_>>().join(", ")
        )
    })
}
