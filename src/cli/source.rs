//! Logs named on the command line, for the verbs that take one as it is.

use batchlab_parsers::{FORMATS, Input, Options, format, read_trace};
use batchlab_traces::Trace;
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{Failure, progress};

/// How a log is read.
#[derive(Args)]
pub struct SourceArgs {
    /// Format of the log, instead of finding out from its content
    #[arg(long, value_name = "FORMAT", ignore_case = true, value_parser = names(), help_heading = "Reading")]
    from: Option<String>,
    /// Nothing but errors on standard error
    #[arg(long, short, help_heading = "Reading")]
    pub quiet: bool,
}

impl SourceArgs {
    /// Reads a log into memory.
    pub fn read(&self, path: &str, strict: bool) -> Result<Trace, Failure> {
        let input = progress::reading(Input::open(path)?, self.quiet);
        let format = self.from.as_deref().and_then(format);
        Ok(read_trace(input, &Options { strict, format, ..Options::default() })?)
    }

    /// Reads a log that another file names, of whatever format.
    pub fn read_beside(&self, path: &str, strict: bool) -> Result<Trace, Failure> {
        let input = progress::reading(Input::open(path)?, self.quiet);
        Ok(read_trace(input, &Options { strict, ..Options::default() })?)
    }
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
}
