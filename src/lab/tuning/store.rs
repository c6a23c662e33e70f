//! The files of a search: replays as they ended, candidates, plots.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use batchlab_parsers::OutputFolder;
use sha2::{Digest, Sha256};

use super::result::CandidateStanding;
use crate::experiment::ExperimentPlan;
use crate::lab::Failure;
use crate::plot::{Axis, Dot, Mark, Page, Panel, Point, Stroke};
use crate::tune::{Evaluation, Found, Goal};

/// | file | what |
/// |---|---|
/// | `replays.csv` | each replay of a candidate, as it ended; its first line says of what |
/// | `islands/I.csv` | the same of an island that was searched by itself; with `I.toml`, the experiment, once it has ended |
/// | `candidates.csv` | the finalists and the policies of the experiment, with their ratios to the baseline |
/// | `search.svg` | the best ratio against the number of replays; ratios in fitting against those in choosing |
/// | `judged/` | the results on the units that judge: an experiment's folder |
/// | `tuned.md` | what was found, in words |
pub(super) struct Store {
    folder: OutputFolder,
    /// The file of the replays.
    path: PathBuf,
    replays: Mutex<BufWriter<File>>,
}

/// The folder within that of a search that has the results on the units that judge.
pub const JUDGED: &str = "judged";

const REPLAYS: &str = "replays.csv";

/// The folder within that of a search that has the replays of islands.
const ISLANDS: &str = "islands";

impl Store {
    /// Opens the folder, and returns the replays that it and its islands have of the same workloads and measures; a last line that
    /// was cut off is left out.
    ///
    /// # Errors
    /// If there is a search already that is not to be continued, or the folder cannot be written.
    pub(super) fn begin(
        folder: &Path,
        plan: &ExperimentPlan,
        islands: usize,
        resume: bool,
    ) -> Result<(Store, Vec<Evaluation>), Failure> {
        let (out, of_islands) = (OutputFolder::new(folder), OutputFolder::new(folder.join(ISLANDS)));
        out.own(JUDGED)?;
        let mut paths = vec![out.own(REPLAYS)?];
        for island in 1..=islands {
            paths.push(of_islands.own(format!("{island}.csv"))?);
        }
        let identity = identity(plan);
        let mut known = Vec::new();
        for path in paths {
            let there = replays_of(&path, &identity)?;
            if there.is_some() && !resume {
                let what = format!(
                    "{} has a search already: --resume continues it, another --out begins a new one",
                    folder.display()
                );
                return Err(Failure::Usage(what));
            }
            known.extend(there.unwrap_or_default());
        }
        Ok((Store::open(out, REPLAYS, &identity, &known)?, known))
    }

    /// Opens the file of an island, and returns the replays that it has: an island is always continued.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn island(
        folder: &Path,
        plan: &ExperimentPlan,
        island: usize,
    ) -> Result<(Store, Vec<Evaluation>), Failure> {
        let (out, name, identity) =
            (OutputFolder::new(folder.join(ISLANDS)), format!("{island}.csv"), identity(plan));
        let known = replays_of(&out.own(&name)?, &identity)?.unwrap_or_default();
        Ok((Store::open(out, &name, &identity, &known)?, known))
    }

    fn open(out: OutputFolder, name: &str, identity: &str, known: &[Evaluation]) -> Result<Store, Failure> {
        let mut text = format!("# {identity}\n");
        text.extend(known.iter().map(line));
        out.put_text(name, &text)?;
        let path = out.path().join(name);
        let file = OpenOptions::new().append(true).open(&path).map_err(|error| failed(&path, &error))?;
        Ok(Store { folder: out, path, replays: Mutex::new(BufWriter::new(file)) })
    }

    /// Marks an island as ended by the experiment that it searched.
    pub(super) fn ended(&self, island: usize, experiment: &str) -> Result<(), Failure> {
        Ok(self.folder.put_text(format!("{island}.toml"), experiment)?)
    }

    pub(super) fn keep(&self, evaluations: &[Evaluation]) -> Result<(), Failure> {
        let mut replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        let mut put = || {
            evaluations.iter().try_for_each(|evaluation| replays.write_all(line(evaluation).as_bytes()))?;
            replays.flush()
        };
        put().map_err(|error| failed(&self.path, &error))
    }

    /// Writes the finalists and policies with their ratios.
    pub(super) fn candidates(&self, goal: &Goal, standing: &[CandidateStanding]) -> Result<(), Failure> {
        let mut table = csv::Writer::from_writer(Vec::new());
        let mut header =
            vec!["candidate".to_owned(), "spec".into(), "size".into(), "keeps_constraints".into()];
        for objective in &goal.objectives {
            header.extend(["fit", "choose"].map(|part| format!("{}: {part}", objective.words)));
        }
        let number = |ratio: &Option<f64>| ratio.map_or_else(String::new, |ratio| ratio.to_string());
        let rows = standing.iter().map(|one| {
            let size = one.size.map_or_else(String::new, |size| size.to_string());
            let ratios = one.ratios.iter().flatten().map(number);
            [one.label.clone(), one.spec.clone(), size, one.is_kept.to_string()]
                .into_iter()
                .chain(ratios)
                .collect()
        });
        for row in std::iter::once(header).chain(rows) {
            table.write_record(&row).map_err(|error| Failure::Input(error.to_string()))?;
        }
        let bytes = table.into_inner().map_err(|error| Failure::Input(error.to_string()))?;
        Ok(self.folder.put_text("candidates.csv", &String::from_utf8_lossy(&bytes))?)
    }

    /// Draws the history of the search, and how the finalists did on the units for choosing.
    pub(super) fn history(
        &self,
        label: &str,
        found: &Found,
        standing: &[CandidateStanding],
    ) -> Result<(), Failure> {
        let best: Vec<Point> =
            found.history.iter().map(|&(_, replays, ratio)| (replays as f64, ratio)).collect();
        let pairs: Vec<(&CandidateStanding, Point)> = standing
            .iter()
            .filter_map(|one| {
                let [fit, choose] = *one.ratios.first()?;
                Some((one, (fit?, choose?)))
            })
            .collect();
        let (Some(&(last, _)), false) = (best.last(), pairs.is_empty()) else { return Ok(()) };
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            let (low, high) =
                values.fold((1.0f64, 1.0f64), |(low, high), value| (low.min(value), high.max(value)));
            let room = ((high - low) * 0.05).max(1e-3);
            (low - room, high + room)
        };
        let (low, high) = ends(&mut best.iter().map(|point| point.1));
        let history =
            Panel::new("search", Axis::linear("replays", 0.0, last.max(1.0)), Axis::linear(label, low, high))
                .steps("best so far", Stroke::Solid, best);
        let (low, high) = ends(&mut pairs.iter().flat_map(|(_, point)| [point.0, point.1]));
        let mut curse = Panel::new(
            "finalists",
            Axis::linear("units that fit", low, high),
            Axis::linear("units that choose", low, high),
        )
        .line("equal", Stroke::Thin, vec![(low, low), (high, high)]);
        for (look, name, is_finalist) in [(0, "finalists", true), (1, "policies of the file", false)] {
            let of = pairs.iter().filter(|(one, _)| one.size.is_some() == is_finalist);
            let dots: Vec<Dot> =
                of.map(|(one, at)| Dot { at: *at, is_hollow: false, title: one.spec.clone() }).collect();
            curse = curse.dot(name, look).mark(Mark::Dots(look, dots));
        }
        let caption = vec![format!(
            "Left: the best ratio so far on the units that fit candidates ({label}; below 1 is better). Right: the same ratio on \
             other units. Both parts differ for the policies of the file, too, which nothing fitted: how much farther above the line \
             the finalists lie is luck on the units that fitted them."
        )];
        let page = Page {
            title: "Search".into(),
            panels: vec![history, curse],
            columns: 2,
            caption,
            ..Page::default()
        };
        Ok(self.folder.put_text("search.svg", &page.to_svg())?)
    }

    /// Writes what was found in words.
    pub(super) fn words(folder: &Path, words: &str) -> Result<(), Failure> {
        Ok(OutputFolder::new(folder).put_text("tuned.md", words)?)
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("{}: {error}", path.display()))
}

/// Returns a hash of what determines the values of a replay on a unit: the keys of the experiment's own replays.
fn identity(plan: &ExperimentPlan) -> String {
    let keys: Vec<&str> = plan.tasks.iter().map(|task| task.key.as_str()).collect();
    let measures: Vec<&str> = plan.measures.iter().map(|(_, measure)| measure.key.as_str()).collect();
    let hash = Sha256::digest(format!("{}|{}", keys.join(" "), measures.join(" ")));
    let start: [u8; 16] = std::array::from_fn(|at| hash[at]);
    format!("{:032x}", u128::from_be_bytes(start))
}

/// A line: unit, values or `failed`, and the spec, which may have commas, last.
fn line(Evaluation { spec, unit, values }: &Evaluation) -> String {
    let number = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let values = match values {
        Some(values) => values.iter().map(number).collect::<Vec<_>>().join(" "),
        None => "failed".into(),
    };
    format!("{unit},{values},{spec}\n")
}

/// Returns the replays that a file has; `None` where there is no file.
fn replays_of(path: &Path, identity: &str) -> Result<Option<Vec<Evaluation>>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(read(&text, identity))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, &error)),
    }
}

fn read(text: &str, identity: &str) -> Vec<Evaluation> {
    let Some((first, rest)) = text.split_once('\n') else { return Vec::new() };
    if first != format!("# {identity}") {
        return Vec::new();
    }
    // What stands behind the last end of line was cut off.
    let whole = rest.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let read = |line: &str| {
        let mut fields = line.splitn(3, ',');
        let unit = fields.next()?.parse().ok()?;
        let values = fields.next()?;
        let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
        let values = if values == "failed" {
            None
        } else {
            Some(values.split(' ').map(number).collect::<Option<_>>()?)
        };
        Some(Evaluation { spec: fields.next()?.to_owned(), unit, values })
    };
    whole.lines().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_are_read_as_they_were_written_and_a_cut_line_is_left_out() {
        let one = |spec: &str, unit, values| Evaluation { spec: spec.into(), unit, values };
        let all = [
            one("easy:order=expr(min(procs, 3)),k=2", 0, Some(vec![Some(1.5), None, Some(1e300)])),
            one("fcfs", 11, None),
        ];
        let text: String = std::iter::once("# id\n".to_owned()).chain(all.iter().map(line)).collect();
        assert_eq!(read(&text, "id"), all);
        assert_eq!(read(&(text.clone() + "3,1.25"), "id"), all);
        assert!(read(&text, "another").is_empty());
    }
}
