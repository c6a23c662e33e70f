//! `batchlab table`: the tables of an experiment, from its results.

use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use batchlab_traces::nearest::{meant, nearest};
use clap::Args;

use super::diff::read_text;
use super::form::print_tables;
use super::shown::{Shown, is_for_programs};
use super::{Failure, tell, text};
use crate::experiment::Folder;
use crate::experiment::folder::Contents;
use crate::report::tables::{Form, Names, Published, compared};
use crate::report::undeclared_tables;
use crate::study::Study;
use crate::table::writers::latex;
use crate::table::{Style, Table, TimeUnit, WriterSpec, writer};

/// Print the tables of an experiment: estimates, intervals, comparisons with the baseline
///
/// Tables are those that the experiment declares as `[[table]]`, or those of another file: new tables of old results
/// replay nothing. Exit code 1 when replays are missing. With none declared, all metrics are shown. CSV and JSON have a row for each value, for programs.
#[derive(Args)]
#[command(after_help = "\
A table:

  [[table]]
  name = \"main\"
  rows = [\"workload\", \"policy\"]
  metrics = [\"mean_wait\", \"mean_bsld\"]
  cells = [\"value\", \"interval\", \"percent\", \"p\"]
  best = true

Example: batchlab table results --format latex")]
pub struct TableVerb {
    /// The folder of the results
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only the table of this name, one of the folder's: those that are declared, and claims, multiverse and who; can be
    /// given several times
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Form of the tables: table, markdown, latex, html, csv or json
    #[arg(long, default_value = "table", value_name = "FORM")]
    format: String,
    /// Tables declared in this file instead of the experiment's
    #[arg(long, value_name = "FILE.toml")]
    spec: Option<String>,
    /// With --format latex, a document that compiles as it is
    #[arg(long)]
    document: bool,
    /// Write every table in every form into the folder tables of the results, and print nothing
    #[arg(long, conflicts_with_all = ["format", "document", "compare"])]
    write: bool,
    /// Put published numbers beside the measured ones: a CSV file with the columns workload, policy, metric, value, and
    /// those of parameters; low, high and source if you like
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["name", "spec"])]
    compare: Option<String>,
}

impl TableVerb {
    pub fn run(&self) -> Result<(), Failure> {
        let writer = writer(&self.format)?;
        let folder = Folder::new(&self.folder);
        let contents = folder.open()?;
        let frame = contents.frame();
        let (names, study) =
            (Names::of(&frame), Study::new(&frame).missing(contents.missing().len(), contents.replays()));
        if let Some(path) = &self.compare {
            return self.compare(path, writer, &names, &study).and_then(|()| complete(&contents));
        }
        let specs = self.specs(&folder, &contents, &study, &names)?;
        if self.write {
            specs.iter().try_for_each(|shown| shown.put(&folder, &study))?;
        } else {
            print_tables(&Shown::all(&specs, &study, writer, |table| self.text(writer, table)))?;
        }
        complete(&contents)
    }

    fn text(&self, writer: &WriterSpec, table: &Table) -> String {
        let style = style();
        if self.document && writer.name == "latex" {
            latex::document(table, &style)
        } else {
            (writer.write)(table, &style)
        }
    }

    /// Returns the tables that are wanted: those that are declared; where names are given also those that every
    /// experiment has.
    fn specs(
        &self,
        folder: &Folder,
        contents: &Contents,
        study: &Study<'_>,
        names: &Names,
    ) -> Result<Vec<Shown>, Failure> {
        let (text, file) = match &self.spec {
            Some(path) => (read_text(path)?, path.clone()),
            None => (contents.experiment.clone(), self.folder.join("experiment.toml").display().to_string()),
        };
        let mut specs = Shown::read_all(&text, &file, names)?;
        if !self.name.is_empty() && self.spec.is_none() {
            let undeclared = undeclared_tables(folder, contents, study)?;
            specs
                .extend(undeclared.into_iter().map(|(name, table)| Shown::Undeclared(name, Box::new(table))));
        }
        let known = || specs.iter().map(Shown::name);
        if let Some(unknown) = self.name.iter().find(|name| !known().any(|known| known == name.as_str())) {
            let meant = meant(nearest(unknown, known()));
            let known = known().collect::<Vec<_>>().join(", ");
            return Err(Failure::Usage(format!(
                "--name: there is no table `{unknown}`{meant}; there is {known}"
            )));
        }
        specs.retain(|spec| self.name.is_empty() || self.name.iter().any(|name| name == spec.name()));
        Ok(specs)
    }

    fn compare(
        &self,
        path: &str,
        writer: &WriterSpec,
        names: &Names,
        study: &Study<'_>,
    ) -> Result<(), Failure> {
        let text = read_text(path)?;
        let (published, findings) =
            Published::read(&text, path, names).map_err(|error| Failure::Input(error.to_string()))?;
        tell::findings(&findings);
        let form = if is_for_programs(writer) { Form::Long } else { Form::Wide };
        print_tables(&self.text(writer, &compared(&published, study, TimeUnit::Seconds, form)))
    }
}

/// Makes sure that all replays are there: tables of a part are no results of the experiment.
fn complete(contents: &Contents) -> Result<(), Failure> {
    let (missing, all) = (contents.missing().len() as u64, contents.replays() as u64);
    if missing == 0 {
        return Ok(());
    }
    let share = text::percent((all - missing) as f64 / all as f64);
    Err(Failure::Check(format!(
        "{} of {} are missing: the tables are of the {share} that there are; `batchlab run --resume` runs the rest, and \
         `batchlab merge` joins shards",
        text::count(missing),
        text::counted(all, "replay"),
    )))
}

/// Returns how tables are printed on standard output.
pub fn style() -> Style {
    let width = text::width().unwrap_or(Style::default().width);
    Style { colour: stdout().is_terminal(), width, ..Style::default() }
}
