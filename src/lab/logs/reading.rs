use std::sync::Arc;

use batchlab_parsers::read::{GZIP_TORN, read_explained, read_with_history};
use batchlab_parsers::table::takes_mapping;
use batchlab_parsers::{Explanation, FormatSpec, Formats, Input, Mapping, Options, read_trace};
use batchlab_traces::calendar::Zone;
use batchlab_traces::{Finding, Findings, Trace};

use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::growing::GrowingLogs;
use crate::lab::logs::redact;
use crate::lab::observer::Observed;
use crate::lab::texts::read_text;

#[derive(Clone, Debug, Default)]
pub struct SourceSettings {
    pub from: Option<String>,
    pub mapping: Option<String>,
    pub log_columns: Option<String>,
    /// The zone of the log's clock in the place of the format's own.
    pub zone: Option<Zone>,
    /// Whether the first finding that drops, mends or guesses something is refused.
    pub strict: bool,
    /// Whether nothing but damage and errors is said.
    pub quiet: bool,
    /// Who hears what there is to say.
    pub observer: Observed,
    /// The logs of which only what has been read so far counts.
    pub growing: GrowingLogs,
}

impl SourceSettings {
    /// Reads a log into memory. With `--redact` its names are pseudonyms.
    pub fn read(&self, registry: &Registry, path: &str) -> Result<Trace, Failure> {
        Ok(self.read_explained(registry, path, 0)?.0)
    }

    /// Reads a log into memory, with its names, and with `places` with what jobs of Slurm asked of nodes, and those on which
    /// they ran.
    pub fn read_named(&self, registry: &Registry, path: &str, places: bool) -> Result<Trace, Failure> {
        let options = Options { places, ..self.options(registry)? };
        let input = self.opened(registry, path)?;
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
    ) -> Result<Trace, Failure> {
        let options = Options { places, is_queue: true, ..self.options(registry)? };
        let input = self.opened(registry, path)?;
        let opened: Result<Vec<Input>, _> =
            histories.iter().map(|path| self.unobserved(registry, path)).collect();
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
        explain: usize,
    ) -> Result<(Trace, Explanation), Failure> {
        let options = Options { explain, ..self.options(registry)? };
        let input = self.opened(registry, path)?;
        let (mut trace, mut explanation) = read_explained(input, &options)?;
        self.tell_damage(&trace);
        redact::read(&mut trace);
        redact::explained(&mut explanation);
        Ok((trace, explanation))
    }

    pub fn options(&self, registry: &Registry) -> Result<Options, Failure> {
        let formats = registry.formats().clone();
        let format = self.from.as_deref().and_then(|name| formats.named(name));
        let mapping = self.mapping.as_deref().map(|file| read_mapping(file, format, &formats)).transpose()?;
        let (strict, zone, columns) = (self.strict, self.zone, self.log_columns.clone());
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
    pub fn read_beside(&self, registry: &Registry, path: &str) -> Result<Trace, Failure> {
        let input = self.opened(registry, path)?;
        let (strict, formats, zone) = (self.strict, registry.formats().clone(), self.zone);
        let trace = read_trace(input, &Options { strict, formats, zone, ..Options::default() })?;
        self.tell_damage(&trace);
        Ok(trace)
    }

    /// Opens a log, as [`open_log`] does; its reading is observed.
    fn opened(&self, registry: &Registry, path: &str) -> Result<Input, Failure> {
        Ok(self.watched(self.unobserved(registry, path)?))
    }

    fn unobserved(&self, registry: &Registry, path: &str) -> Result<Input, Failure> {
        self.growing.input(path).map_or_else(|| open_log(registry, path), Ok)
    }

    /// Makes the reading of an input observed, unless nothing is to be said.
    pub fn watched(&self, input: Input) -> Input {
        if self.quiet { input } else { self.observer.reading(input) }
    }

    /// Tells that a file is damaged, where other findings are not told.
    fn tell_damage(&self, trace: &Trace) {
        if self.quiet {
            self.observer.findings(&damage(&trace.findings));
        }
    }
}

/// Opens a log: a file, - for standard input, or one that the catalogue has by name.
pub fn open_log(registry: &Registry, path: &str) -> Result<Input, Failure> {
    Ok(Input::open(registry.catalogue().locate(path)?.as_ref())?)
}

/// Returns the findings about a damaged file, which no option hides: results lack its end.
pub fn damage(findings: &Findings) -> Vec<&Finding> {
    findings.list().iter().filter(|finding| finding.kind.code == GZIP_TORN.code).collect()
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
