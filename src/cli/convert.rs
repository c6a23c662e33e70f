//! `batchlab convert`: converts any format to SWF.

mod explained;

use batchlab_parsers::{Output, swf};
use batchlab_traces::Trace;
use clap::Args;

use super::arguments::Careful;
use super::terminal::form::print;
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;

/// Convert a log to the Standard Workload Format
///
/// No record is lost: anything odd about a record becomes a finding on standard error. The file is written
/// whole or not at all.
#[derive(Args)]
#[command(after_help = "Example: batchlab convert KTH-SP2-1996-2.swf.gz -o kth.swf")]
pub struct Convert {
    /// The log: a file, packed or not, or - for standard input
    #[arg(value_name = "IN")]
    input: String,
    /// The SWF file to write; packed if its name ends in .gz; - for standard output
    #[arg(long, short, value_name = "OUT", required_unless_present = "explain")]
    output: Option<String>,
    /// Print which column of the first lines went where and with which value; without --output, nothing is
    /// written
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "3", require_equals = true)]
    explain: Option<usize>,
    #[command(flatten)]
    source: Careful<true>,
}

impl Convert {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if self.explain.is_some() && self.output.as_deref() == Some("-") {
            let why = "--explain prints to standard output, where -o - writes the log; name a file";
            return Err(Failure::Usage(why.into()));
        }
        // The output is opened first, so that a wrong name is found before time is spent on reading.
        let out = self.output.as_deref().map(|output| {
            Output::create(output).map(|out| (out, output)).map_err(|error| Failure::writing(output, error))
        });
        let out = out.transpose()?;
        let lines = self.explain.unwrap_or(0);
        let (trace, explanation) = self.source.read_explained(registry, &self.input, lines)?;
        if let Some((mut out, output)) = out {
            let writing = |error| Failure::writing(output, error);
            swf::write(&trace, &mut out).and_then(|()| out.commit()).map_err(writing)?;
        }
        if self.explain.is_some() {
            print(&explained::page(&explanation, &trace))?;
        }
        self.tell(&trace);
        Ok(())
    }

    fn tell(&self, trace: &Trace) {
        if self.source.quiet {
            return;
        }
        tell::findings(&trace.findings);
        let records = text::counted(trace.len() as u64, "record");
        let (input, format) = (&self.input, &trace.provenance.source.format);
        tell::note(&match &self.output {
            Some(output) => format!("{records} converted from {input} ({format}) to {output}"),
            None => format!("{records} read from {input} ({format})"),
        });
    }
}
