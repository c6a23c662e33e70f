//! `batchlab report`: the results of an experiment as one HTML page.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{Failure, text};
use crate::experiment::Folder;
use crate::parsers::Output;
use crate::report::Report;
use crate::report::page::page;
use crate::study::Study;

/// Write the results of an experiment as one HTML page
///
/// Verdict in words, tables, plots, findings, policies, the experiment and where everything comes from. The page needs no
/// network, no server and no other file.
#[derive(Args)]
#[command(after_help = "Example: batchlab report easy-or-conservative-results -o report.html")]
pub struct ReportVerb {
    /// The folder of the results
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The page to write; - for standard output
    #[arg(long, short, value_name = "FILE.html")]
    output: String,
}

impl ReportVerb {
    pub fn run(&self) -> Result<(), Failure> {
        let folder = Folder::new(&self.folder);
        let contents = folder.open()?;
        let missing = contents.missing().len() as u64;
        if missing > 0 {
            return Err(Failure::Input(format!(
                "{} of {} in {} {} missing: a report of a part would mislead; `batchlab run --resume` runs the rest, and \
                 `batchlab merge` joins shards",
                text::count(missing),
                text::counted(contents.replays() as u64, "replay"),
                self.folder.display(),
                if missing == 1 { "is" } else { "are" },
            )));
        }
        let frame = contents.frame();
        let study = Study::new(&frame);
        let text = page(&Report::of(&folder, &contents, &study)?);
        let written = || {
            let mut out = Output::create(&self.output)?;
            out.write_all(text.as_bytes())?;
            out.commit()
        };
        written().map_err(|error| Failure::writing(&self.output, error))
    }
}
