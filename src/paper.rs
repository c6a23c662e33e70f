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

use std::path::Path;

use batchlab_traces::nearest::{meant, nearest};

use crate::experiment::{ExperimentError, Sheet};

pub use page::{Made, html, markdown, tally};
pub use part::{Log, Outcome, Part, StatedClaim};

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
        let sheet = Sheet::new(text, file);
        let table = sheet.parse()?;
        let whole = sheet.whole(&table);
        whole.known(&["title", "reference", "says", "found", "experiments"])?;
        let experiments = whole.texts("experiments")?.unwrap_or_default();
        let is_file = |name: &str| {
            Path::new(name).extension().is_some_and(|ending| ending == "toml") && !name.contains(['/', '\\'])
        };
        if let Some(other) = experiments.iter().find(|name| !is_file(name)) {
            let what = format!("experiments: `{other}` is no name of a .toml file in this folder");
            return Err(whole.wrong("experiments", &what));
        }
        if experiments.is_empty() {
            return Err(whole.error("the paper has no experiments"));
        }
        let needed = |key: &str| whole.needed(key).map(|text| text.trim().to_owned());
        Ok(Paper {
            title: needed("title")?,
            reference: needed("reference")?,
            says: needed("says")?,
            found: needed("found")?,
            experiments,
        })
    }
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
