//! Logs on the command line of verbs that take a log as it is.

use std::sync::Arc;

use batchlab_parsers::read::{read_explained, read_with_history};
use batchlab_parsers::table::takes_mapping;
use batchlab_parsers::{Explanation, FormatSpec, Formats, Input, Mapping, Options, read_trace};
use batchlab_traces::Trace;
use batchlab_traces::calendar::Zone;
use clap::Args;

use super::diff::read_text;
use super::{Failure, progress, redact, tell};
use crate::Registry;

/// The option whose values are the formats of the registry.
pub const FROM: &str = "from";

/// The options for reading a log.
#[derive(Args)]
pub struct SourceArgs {
    /// Format of the log, instead of detecting it from the content
    #[arg(long, value_name = "FORMAT", ignore_case = true, help_heading = "Reading")]
    from: Option<String>,
    /// Mapping file that describes the columns of the log, for any table; `list formats NAME --mapping`
    /// prints one to start from
    #[arg(long, value_name = "FILE.toml", help_heading = "Reading")]
    mapping: Option<String>,
    /// Columns of a log without a heading, for formats whose columns vary, such as JobID,Submit,Start,End,State
    #[arg(long, value_name = "A,B,...", help_heading = "Reading")]
    log_columns: Option<String>,
    /// Time zone of the log's clock, such as Europe/Stockholm or +02:00, instead of the format's own zone
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true, help_heading = "Reading")]
    zone: Option<Zone>,
    /// Print only errors on standard error
    #[arg(long, short, help_heading = "Reading")]
    pub quiet: bool,
}

impl SourceArgs {
    /// Reads a log into memory. With `--redact` its names are pseudonyms.
    pub fn read(&self, registry: &Registry, path: &str, strict: bool) -> Result<Trace, Failure> {
        Ok(self.read_explained(registry, path, strict, 0)?.0)
    }

    /// Reads a log into memory, with its names, and with `places` with what jobs of Slurm asked of nodes, and those on which
    /// they ran.
    pub fn read_named(
        &self,
        registry: &Registry,
        path: &str,
        places: bool,
        strict: bool,
    ) -> Result<Trace, Failure> {
        let options = Options { places, ..self.options(registry, strict)? };
        let input = progress::reading(Input::open(path)?, self.quiet);
        let trace = read_trace(input, &options)?;
        self.tell_damage(&trace);
        Ok(trace)
    }

    /// Reads the jobs that run and wait, with their names, and the accounting of the past beside them.
    pub fn read_queue(
        &self,
        registry: &Registry,
        (path, histories): (&str, &[String]),
        places: bool,
        strict: bool,
    ) -> Result<Trace, Failure> {
        let options = Options { places, is_queue: true, ..self.options(registry, strict)? };
        let input = progress::reading(Input::open(path)?, self.quiet);
        let opened: Result<Vec<Input>, _> = histories.iter().map(Input::open).collect();
        let mut trace = read_with_history(input, opened?, &options)?;
        self.tell_damage(&trace);
        if !histories.is_empty() {
            let past = (0..trace.len()).filter(|&row| trace.line(row) == 0).count() as u64;
            trace.provenance.step("history", format!("jobs of the past from {}", histories.join(", ")), past);
        }
        Ok(trace)
    }

    /// Reads a log into memory, and explains the columns of the first lines. With `--redact` its names are pseudonyms.
    pub fn read_explained(
        &self,
        registry: &Registry,
        path: &str,
        strict: bool,
        explain: usize,
    ) -> Result<(Trace, Explanation), Failure> {
        let options = Options { explain, ..self.options(registry, strict)? };
        let input = progress::reading(Input::open(path)?, self.quiet);
        let (mut trace, mut explanation) = read_explained(input, &options)?;
        self.tell_damage(&trace);
        redact::read(&mut trace);
        redact::explained(&mut explanation);
        Ok((trace, explanation))
    }

    /// Returns the options for reading a log.
    pub fn options(&self, registry: &Registry, strict: bool) -> Result<Options, Failure> {
        let formats = registry.formats().clone();
        let format = self.from.as_deref().and_then(|name| formats.named(name));
        let mapping = self.mapping.as_deref().map(|file| read_mapping(file, format, &formats)).transpose()?;
        let (zone, columns) = (self.zone, self.log_columns.clone());
        Ok(Options {
            strict,
            formats,
            format,
            zone,
            mapping,
            columns,
            places: false,
            is_queue: false,
            explain: 0,
        })
    }

    /// Reads a log that another file names, in any format.
    pub fn read_beside(&self, registry: &Registry, path: &str, strict: bool) -> Result<Trace, Failure> {
        let input = progress::reading(Input::open(path)?, self.quiet);
        let (formats, zone) = (registry.formats().clone(), self.zone);
        let trace = read_trace(input, &Options { strict, formats, zone, ..Options::default() })?;
        self.tell_damage(&trace);
        Ok(trace)
    }

    /// Prints that a file is damaged, where other findings are not printed.
    fn tell_damage(&self, trace: &Trace) {
        if self.quiet {
            tell::damage(&trace.findings);
        }
    }
}

fn read_mapping(file: &str, format: Option<&FormatSpec>, formats: &Formats) -> Result<Arc<Mapping>, Failure> {
    if let Some(format) = format.filter(|format| !takes_mapping(format.name)) {
        let tables: Vec<&str> =
            formats.specs().map(|spec| spec.name).filter(|name| takes_mapping(name)).collect();
        let (name, tables) = (format.name, tables.join(", "));
        return Err(Failure::Usage(format!("--from {name} takes no mapping; these do: {tables}")));
    }
    let text = read_text(file)?;
    let mapping = text.parse().map_err(|error| Failure::Input(format!("{file}, {error}")))?;
    Ok(Arc::new(mapping))
}
