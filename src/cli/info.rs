//! `batchlab info`: what is in a log.

mod page;

use clap::Args;

use super::form::{Form, print, print_json};
use super::source::SourceArgs;
use super::{Failure, text};
use crate::info::Info;

/// Print what is in logs: machine, period, jobs, users, sizes, times, load, anomalies
///
/// Offered load is the work of all jobs (processors x run time) divided by what the machine could have done
/// between the first submission and the last. Quantiles interpolate linearly (R type 7). One log is printed
/// after the other; as JSON they are one array.
#[derive(Args)]
#[command(after_help = "Example: batchlab info KTH-SP2-1996-2.1-cln.swf.gz")]
pub struct InfoVerb {
    /// Logs: files, packed or not, or - for standard input
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<String>,
    /// For people, or for programs
    #[arg(long, default_value = "table", value_name = "FORM")]
    format: Form,
    #[command(flatten)]
    source: SourceArgs,
}

impl InfoVerb {
    pub fn run(&self) -> Result<(), Failure> {
        let mut infos = Vec::new();
        for (index, path) in self.traces.iter().enumerate() {
            let info = Info::of(&self.source.read(path, false)?);
            match self.format {
                // Printed as soon as it is there: the next log may take a while.
                Form::Table => {
                    let gap = if index == 0 { "" } else { "\n" };
                    print(&format!("{gap}{}", page::page(&info, text::width())))?;
                }
                Form::Json => infos.push(info),
            }
        }
        match self.format {
            Form::Table => Ok(()),
            Form::Json => print_json(&infos),
        }
    }
}
