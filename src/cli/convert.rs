//! `batchlab convert`: converts any format to SWF, to a table, or to a workload of Batsim.

mod explained;

use batchlab_parsers::{Output, batsim, swf};
use batchlab_traces::Trace;
use clap::{Args, ValueEnum};

use super::arguments::Careful;
use super::terminal::form::print;
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;

/// Convert a log to the Standard Workload Format, to a table (CSV), or to a workload of the simulator Batsim
///
/// No record is lost: anything odd about a record becomes a finding on standard error. The file is written
/// whole or not at all.
#[derive(Args)]
#[command(after_help = "\
Example: batchlab convert KTH-SP2-1996-2.swf.gz -o kth.swf
         batchlab convert kth.swf --to csv -o kth.csv")]
pub struct Convert {
    /// The log: a file, packed or not, or - for standard input
    #[arg(value_name = "IN")]
    input: String,
    /// The file to write; packed if its name ends in .gz; - for standard output
    #[arg(long, short, value_name = "OUT", required_unless_present = "explain")]
    output: Option<String>,
    /// What to write: the Standard Workload Format; a table with its fields, for R, pandas and spreadsheets; or a workload of Batsim,
    /// whose profiles are delays of the run times
    #[arg(long, value_name = "FORMAT", default_value = "swf")]
    to: Target,
    /// Print which column of the first lines went where and with which value; without --output, nothing is
    /// written
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "3", require_equals = true)]
    explain: Option<usize>,
    #[command(flatten)]
    source: Careful<true>,
}

/// The formats that can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The Standard Workload Format, with all columns
    Swf,
    /// The same columns between commas, with a heading and the header in lines that begin with `#`
    Csv,
    /// A workload of Batsim, in JSON
    Batsim,
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
            let left_out = match self.to {
                Target::Swf => swf::write(&trace, &mut out).map(|()| 0),
                Target::Csv => swf::csv::write(&trace, &mut out).map(|()| 0),
                Target::Batsim => batsim::write(&trace, &mut out),
            };
            let left_out = left_out.map_err(writing)?;
            out.commit().map_err(writing)?;
            if left_out > 0 && !self.source.quiet {
                let records = text::counted(left_out, "record");
                tell::note(&format!(
                    "{records} left out: a job of Batsim has a submit time, a run time and processors"
                ));
            }
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
