mod explained;

use std::io;

use batchlab_parsers::slurm::{self, NotInAccounting};
use batchlab_parsers::{Output, batsim, swf};
use batchlab_traces::Trace;
use clap::ValueEnum;

use super::arguments::{Careful, arguments, option, place, values};
use super::terminal::form::print;
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;

arguments! {
    /// Convert a log to the Standard Workload Format, to a table (CSV), to a workload of the simulator Batsim, or to accounting of Slurm
    ///
    /// No record is lost: anything odd about a record becomes a finding on standard error. The file is written
    /// whole or not at all.
    #[command(after_help = "\
Example: batchlab convert KTH-SP2-1996-2.swf.gz -o kth.swf
         batchlab convert kth.swf --to csv -o kth.csv")]
    pub struct Convert {
        input: String = place("input", "IN", "The log: a file, packed or not, or - for standard input").reads(),
        output: Option<String> =
            option("output", "OUT", "The file to write; packed if its name ends in .gz; - for standard output")
                .short('o')
                .required_unless("explain")
                .writes(),
        to: Target = option(
            "to", "FORMAT", "What to write: the Standard Workload Format; a table with its fields, for R, pandas and \
             spreadsheets; the same table in Parquet; a workload of Batsim, whose profiles are delays of the run times; or \
             accounting of Slurm, for tools that read the output of sacct",
        ).default("swf"),
        explain: Option<usize> = option(
            "explain", "LINES", "Print which column of the first lines went where and with which value; without --output, \
             nothing is written",
        ).by(|arg| arg.num_args(0..=1).default_missing_value("3").require_equals(true)),
        source: Careful<true>,
    }
}

/// The formats that can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The Standard Workload Format, with all columns
    Swf,
    /// The same columns between commas, with a heading and the header in lines that begin with `#`
    Csv,
    /// The columns of csv in Parquet, by a program that is built with the feature `parquet`
    Parquet,
    /// A workload of Batsim, in JSON
    Batsim,
    /// Accounting of Slurm, as sacct -P prints it
    Sacct,
}

values!(Target);

impl Target {
    /// Writes a log; returns a note about each kind of data that the format cannot express.
    fn write(self, trace: &Trace, out: &mut Output) -> io::Result<Vec<String>> {
        match self {
            Target::Swf => swf::write(trace, out).map(|()| Vec::new()),
            Target::Csv => swf::csv::write(trace, out).map(|()| Vec::new()),
            Target::Parquet => write_parquet(trace, out).map(|()| Vec::new()),
            Target::Batsim => {
                let why = "a job of Batsim has a submit time, a run time and processors";
                batsim::write(trace, out).map(|records| left_out(records, why))
            }
            Target::Sacct => slurm::write_sacct(trace, out).map(|missing| not_in_accounting(trace, &missing)),
        }
    }
}

#[cfg(feature = "parquet")]
fn write_parquet(trace: &Trace, out: &mut Output) -> io::Result<()> {
    swf::parquet::write(trace, out)
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(_: &Trace, _: &mut Output) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, NO_PARQUET))
}

fn left_out(records: u64, why: &str) -> Vec<String> {
    (records > 0)
        .then(|| format!("{} left out: {why}", text::counted(records, "record")))
        .into_iter()
        .collect()
}

/// Returns what accounting of Slurm does not have of a log.
fn not_in_accounting(trace: &Trace, missing: &NotInAccounting) -> Vec<String> {
    let mut notes = left_out(missing.records, "a job of Slurm has a submit time");
    if missing.fractions > 0 {
        let records = text::counted(missing.fractions, "record");
        notes.push(format!("parts of a second left out of {records}: accounting has whole seconds"));
    }
    if missing.starts > 0 {
        let records = text::counted(missing.starts, "record");
        notes.push(format!("the wait of {records} is unknown: the submit time stands for the start"));
    }
    if !missing.columns.is_empty() {
        notes.push(format!("columns left out, which sacct does not have: {}", missing.columns.join(", ")));
    }
    if let Some(procs) = trace.header.max_procs.as_ref().or(trace.header.max_nodes.as_ref()) {
        notes.push(format!(
            "accounting does not have the size of the machine: replay it with --procs {}",
            procs.count
        ));
    }
    notes
}

/// What a program without Parquet says.
const NO_PARQUET: &str = "this program is built without Parquet: build it with `cargo build --features parquet`, or write a table with \
     --to csv, and in Python pandas.read_csv(\"OUT.csv\", comment=\"#\").to_parquet(\"OUT.parquet\")";

impl Convert {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if self.to == Target::Parquet && cfg!(not(feature = "parquet")) {
            return Err(Failure::Usage(NO_PARQUET.into()));
        }
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
            let notes = self.to.write(&trace, &mut out).map_err(writing)?;
            out.commit().map_err(writing)?;
            if !self.source.quiet {
                for note in &notes {
                    tell::note(note);
                }
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
