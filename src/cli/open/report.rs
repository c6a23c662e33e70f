//! The answer of a program without the page: a report of the log as one file, which any browser shows.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Registry;
use crate::cli::run_within;
use crate::lab::Failure;

/// The policies of the report, with their labels.
const POLICIES: [(&str, &str); 3] =
    [("FCFS", "fcfs"), ("EASY", "easy"), ("conservative backfilling", "conservative")];

/// The metrics of its table and of its verdict.
const METRICS: &str = "mean_wait median_wait p95_wait mean_bsld utilization";

/// Replays a log under the usual policies, prints the table, and writes the report as `NAME.html` into the folder in which the program
/// runs; returns that file.
pub fn write(registry: &Registry, log: &Path) -> Result<PathBuf, Failure> {
    let failed = |error: std::io::Error| Failure::Input(format!("{}: {error}", log.display()));
    let work = tempfile::tempdir().map_err(failed)?;
    let (file, results) = (work.path().join("experiment.toml"), work.path().join("results"));
    fs::write(&file, experiment(&fs::canonicalize(log).map_err(failed)?)).map_err(failed)?;
    let page = PathBuf::from(format!("{}.html", name(log)));
    // The findings are in the report: they name files of the folder of results, which is removed.
    let run: [&Path; 5] = ["run".as_ref(), &file, "--out".as_ref(), &results, "-q".as_ref()];
    let report: [&Path; 4] = ["report".as_ref(), &results, "-o".as_ref(), &page];
    for verb in [&run[..], &report] {
        let words = std::iter::once("batchlab".as_ref()).chain(verb.iter().copied()).map(OsString::from);
        if run_within(registry, words) != 0 {
            return Err(Failure::Input(format!("{}: there is no report of it", log.display())));
        }
    }
    Ok(page)
}

/// Returns the experiment. Texts and lists are those of JSON, which TOML reads alike.
fn experiment(log: &Path) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let policy = |(label, spec): &(&str, &str)| {
        format!("[[policy]]\nlabel = {}\nspec = {}\n", quoted(label), quoted(spec))
    };
    let policies: String = POLICIES.iter().map(policy).collect();
    let metrics = serde_json::Value::from(METRICS.split(' ').collect::<Vec<_>>());
    format!(
        "[experiment]\nname = \"report\"\n[[workload]]\nname = {}\ntrace = {}\n{policies}[measure]\nmetrics = {metrics}\n\
         [[table]]\nname = \"main\"\nmetrics = {metrics}\n",
        quoted(&name(log)),
        quoted(&log.to_string_lossy())
    )
}

/// Returns the name of a log without its endings, with a plain letter in the place of any other.
fn name(log: &Path) -> String {
    let file = log.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = file.strip_suffix(".gz").unwrap_or(&file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).trim_start_matches('.');
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let name: String = stem.chars().take(60).map(plain).collect();
    if name.is_empty() { "log".into() } else { name }
}
