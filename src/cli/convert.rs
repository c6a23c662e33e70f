//! `batchlab convert`: any format to SWF.

use batchlab_parsers::{Output, swf};
use clap::Args;

use super::source::SourceArgs;
use super::{Failure, tell, text};

/// Convert a log to the Standard Workload Format
///
/// No record is lost: what is odd about one becomes a finding on standard error. The file is written whole
/// or not at all.
#[derive(Args)]
#[command(after_help = "Example: batchlab convert KTH-SP2-1996-2.swf.gz -o kth.swf")]
pub struct Convert {
    /// The log: a file, packed or not, or - for standard input
    #[arg(value_name = "IN")]
    input: String,
    /// The SWF file to write; packed if its name ends in .gz; - for standard output
    #[arg(long, short, value_name = "OUT")]
    output: String,
    /// Refuse at the first finding that drops, mends or guesses something, and write nothing
    #[arg(long, help_heading = "Reading")]
    strict: bool,
    #[command(flatten)]
    source: SourceArgs,
}

impl Convert {
    pub fn run(&self) -> Result<(), Failure> {
        let writing = |error| Failure::writing(&self.output, error);
        // Begun first: a wrong name should not cost the time of reading.
        let mut out = Output::create(&self.output).map_err(writing)?;
        let trace = self.source.read(&self.input, self.strict)?;
        swf::write(&trace, &mut out).and_then(|()| out.commit()).map_err(writing)?;
        if !self.source.quiet {
            tell::findings(&trace.findings);
            let records = text::counted(trace.len() as u64, "record");
            let format = &trace.provenance.source.format;
            tell::note(&format!("{records} converted from {} ({format}) to {}", self.input, self.output));
        }
        Ok(())
    }
}
