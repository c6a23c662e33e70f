use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use batchlab_traces::foreign::SafeText;
use batchlab_traces::nearest::{meant, nearest};
use clap::builder::PossibleValuesParser;

use super::arguments::{FORMS, RESULTS, arguments, option, switch};
use super::terminal::form::put;
use super::terminal::{tell, text};
use crate::Registry;
use crate::experiment::Folder;
use crate::experiment::folder::Contents;
use crate::lab::Failure;
use crate::lab::texts::read_text;
use crate::report::tables::{Form, Names, Published, compared};
use crate::report::{Declared, NamedTable, TableSource, put_tables};
use crate::study::Study;
use crate::table::writers::latex;
use crate::table::{Conditions, Float, Style, Table, TimeUnit, WriterSpec, captions_once, writer};

arguments! {
    /// Print the tables of an experiment: estimates, intervals, comparisons with the baseline
    ///
    /// Prints the tables that the experiment, or another file (--spec), declares as `[[table]]`; new tables of
    /// old results need no replay. Without a declared table, all metrics are shown. Exit code 1 if replays are
    /// missing. CSV and JSON have a row for each value, for programs.
    #[command(after_help = "\
A table:

  [[table]]
  name = \"main\"
  rows = [\"workload\", \"policy\"]
  metrics = [\"mean_wait\", \"mean_bsld\"]
  cells = [\"value\", \"interval\", \"percent\", \"p\"]
  best = true

Example: batchlab table results --format latex
         batchlab table results --name verdict --format markdown")]
    pub struct TableVerb {
        folder: PathBuf = RESULTS,
        name: Vec<String> = option(
            "name", "NAME", "Only the table of this name: a declared table, or claims, multiverse or who; may be given several \
             times",
        ),
        format: String = FORMS,
        spec: Option<String> =
            option("spec", "FILE.toml", "Tables declared in this file instead of the experiment's").reads(),
        document: Option<String> = option(
            "document", "CLASS",
            "With --format latex, a document that compiles without changes, of this class [default: article]",
        ).by(|arg| arg.num_args(0..=1).require_equals(true).default_missing_value(latex::CLASS)),
        float: Option<String> = option(
            "float", "FLOAT",
            "With --format latex, the float of every table: column (table), page (table*) or long (longtable)",
        ).by(|arg| arg.value_parser(by_name(&Float::NAMES))),
        conditions: Option<String> = option(
            "conditions", "PLACE", "With --format latex, where conditions, notes and definitions are printed: file (behind all \
             tables, each sentence once) or note (below each table)",
        ).by(|arg| arg.value_parser(by_name(&Conditions::NAMES))),
        write: bool = switch(
            "write", "Write every table in every form into the folder tables of the results, and print nothing",
        ).excludes(&["format", "document", "float", "conditions", "compare"]),
        compare: Option<String> = option(
            "compare", "FILE.csv", "Show published numbers beside the measured ones: a CSV file with the columns workload, \
             policy, metric, value and those of parameters; optionally low, high and source",
        ).excludes(&["name", "spec"]).reads(),
    }
}

impl TableVerb {
    pub fn run(&self, _: &Registry) -> Result<(), Failure> {
        let writer = writer(&self.format)?;
        let folder = Folder::new(&self.folder);
        let contents = folder.open()?;
        let frame = contents.frame();
        let (names, study) =
            (Names::of(&frame), Study::new(&frame).missing(contents.missing().len(), contents.replays()));
        if let Some(path) = &self.compare {
            return self.compare(path, writer, &names, &study).and_then(|()| complete(&contents));
        }
        let (text, file) = match &self.spec {
            Some(path) => (read_text(path)?, path.clone()),
            None => (contents.experiment.clone(), self.folder.join("experiment.toml").display().to_string()),
        };
        let declared = Declared::read(&text, &file, &names);
        let declared = declared.map_err(|error| Failure::Usage(error.to_string()))?;
        let mut tables = self.tables(&folder, &declared, &study)?;
        NamedTable::share_signs(&mut tables);
        if self.write {
            put_tables(&folder, &tables.iter().collect::<Vec<_>>())?;
        } else {
            put(&self.text(writer, &tables)?)?;
        }
        complete(&contents)
    }

    fn text(&self, writer: &WriterSpec, tables: &[NamedTable]) -> Result<SafeText, Failure> {
        if writer.name == latex::SPEC.name {
            return self.latex(tables);
        }
        let given = [
            ("document", self.document.is_some()),
            ("float", self.float.is_some()),
            ("conditions", self.conditions.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Failure::Usage(format!("--{option} needs --format latex"))),
            None => Ok(tables_text(tables, writer, |table| (writer.write)(table, &style()))),
        }
    }

    fn latex(&self, tables: &[NamedTable]) -> Result<SafeText, Failure> {
        let mut tables: Vec<Table> = tables.iter().map(|table| table.for_readers.clone()).collect();
        for table in &mut tables {
            table.paper.float = named(self.float.as_deref(), &Float::NAMES).or(table.paper.float);
            if let Some(conditions) = named(self.conditions.as_deref(), &Conditions::NAMES) {
                table.paper.conditions = conditions;
            }
        }
        let Some(class) = &self.document else {
            let write = |table: &Table| (latex::SPEC.write)(table, &style());
            let texts = tables.iter().map(write).chain([latex::notes_of(&tables)]);
            return Ok(SafeText::lines(texts.filter(|text| !text.is_empty())));
        };
        if !class.chars().all(|of| of.is_ascii_alphanumeric() || of == '-') {
            return Err(Failure::Usage(format!("--document: `{class}` is not the name of a LaTeX class")));
        }
        Ok(latex::document(&tables, &style(), class))
    }

    /// Returns the requested tables: the declared ones; if names are given, also those that every experiment
    /// has.
    fn tables(
        &self,
        folder: &Folder,
        declared: &Declared,
        study: &Study<'_>,
    ) -> Result<Vec<NamedTable>, Failure> {
        let made = |source: &TableSource<'_>| source.make(folder, declared, study);
        let sources: Vec<TableSource<'_>> = declared.sources().collect();
        if self.name.is_empty() {
            return Ok(sources.iter().filter_map(made).collect());
        }
        let is_wanted = |name: &str| self.name.iter().any(|wanted| wanted == name);
        let mut names: Vec<&str> = sources.iter().map(TableSource::name).collect();
        let mut tables: Vec<NamedTable> =
            sources.iter().filter(|source| is_wanted(source.name())).filter_map(made).collect();
        if self.spec.is_none() {
            for source in &[TableSource::Claims, TableSource::Readings, TableSource::Who] {
                let Some(table) = made(source) else { continue };
                names.push(source.name());
                tables.extend(is_wanted(source.name()).then_some(table));
            }
        }
        if let Some(unknown) = self.name.iter().find(|name| !names.contains(&name.as_str())) {
            let meant = meant(nearest(unknown, names.iter().copied()));
            return Err(Failure::Usage(format!(
                "--name: unknown table `{unknown}`{meant}; known are {}",
                names.join(", ")
            )));
        }
        Ok(tables)
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
        let form = if writer.for_programs { Form::Long } else { Form::Wide };
        let table = compared(&published, study, TimeUnit::Seconds, form);
        put(&self.text(writer, &[NamedTable::new("compared", table, None)])?)
    }
}

/// Returns a parser of the names of values.
fn by_name<T: Copy>(names: &[(&'static str, T)]) -> PossibleValuesParser {
    PossibleValuesParser::new(names.iter().map(|(name, _)| *name))
}

/// Returns the value of a name that [`by_name`] has accepted.
fn named<T: Copy>(name: Option<&str>, names: &[(&str, T)]) -> Option<T> {
    names.iter().find(|(known, _)| Some(*known) == name).map(|(_, value)| *value)
}

/// Returns tables in a form, as written by `write`. On a terminal, caption lines that tables share are
/// printed once.
pub fn tables_text(
    tables: &[NamedTable],
    writer: &WriterSpec,
    write: impl Fn(&Table) -> SafeText,
) -> SafeText {
    let mut tables: Vec<Table> = tables.iter().map(|table| table.table_for(writer).clone()).collect();
    if writer.name == "table" {
        tables = captions_once(tables);
    }
    SafeText::lines(tables.iter().map(write))
}

/// Checks that all replays are there: tables of a part are not the results of the experiment.
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

pub fn style() -> Style {
    let width = text::width().unwrap_or(Style::default().width);
    Style { colour: stdout().is_terminal(), width, ..Style::default() }
}
