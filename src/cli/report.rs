use std::path::PathBuf;

use super::arguments::{RESULTS, arguments, option, values};
use super::table::style;
use super::terminal::form::put;
use super::terminal::text as words;
use crate::Registry;
use crate::experiment::Folder;
use crate::lab::Failure;
use crate::parsers::Output;
use crate::plot::Picture;
use crate::report::page::page;
use crate::report::{Report, json, markdown, publish_png, text};
use crate::study::Study;

arguments! {
    /// Write the results of an experiment as one HTML page
    ///
    /// Verdict as a plot and in words, tables, crossings, plots, claims, findings, policies, the experiment and where
    /// everything comes from. The page needs no network, no server and no other file. The other forms have verdict,
    /// tables, claims and findings.
    #[command(after_help = "\
Example: batchlab report easy-or-conservative-results -o report.html
         batchlab report results --format text")]
    pub struct ReportVerb {
        folder: PathBuf = RESULTS,
        output: Option<String> =
            option("output", "FILE", "The file to write; - for standard output [default: -, none with --figures]")
                .short('o')
                .writes(),
        figures: Option<FigureForm> = option(
            "figures", "FORM", "Write the plots of the folder in one more form, beside SVG and PDF: plots/NAME.png, with 300 \
             dots per inch; the program has it if it was built with --features png",
        ),
        format: ReportForm = option(
            "format", "FORM",
            "Form of the report: one HTML page with plots in it, Markdown, text for a terminal, or JSON for programs",
        ).default("html"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReportForm {
    /// One page
    Html,
    /// Markdown, as the README.md of the folder
    Markdown,
    /// Plain text
    Text,
    /// An object with a key for each section
    Json,
}

/// A form of figures besides those that every folder has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FigureForm {
    /// PNG
    Png,
}

values!(ReportForm, FigureForm);

impl ReportVerb {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if self.figures.is_some() {
            Picture::of("plot.png").map_err(|error| Failure::Usage(format!("--figures png: {error}")))?;
        }
        let folder = Folder::new(&self.folder);
        let contents = folder.open()?;
        let missing = contents.missing().len() as u64;
        if missing > 0 {
            return Err(Failure::Input(format!(
                "{} of {} in {} {} missing: a report of a part would mislead; `batchlab run --resume` runs the rest, and \
                 `batchlab merge` joins shards",
                words::count(missing),
                words::counted(contents.replays() as u64, "replay"),
                self.folder.display(),
                if missing == 1 { "is" } else { "are" },
            )));
        }
        let frame = contents.frame();
        let study = Study::new(&frame);
        let report = Report::of(&folder, &contents, &study, registry.policies())?;
        let output = match (&self.output, self.figures) {
            (Some(output), _) => output,
            (None, None) => "-",
            (None, Some(_)) => "",
        };
        if self.figures.is_some() {
            publish_png(&folder, &report)?;
        }
        if output.is_empty() {
            return Ok(());
        }
        let text = match self.format {
            ReportForm::Html => page(&report),
            ReportForm::Markdown => markdown(&report),
            ReportForm::Text => text(&report, &style()),
            ReportForm::Json => json(&report).map_err(|error| Failure::Input(error.to_string()))?,
        };
        if output == "-" {
            return put(&text);
        }
        Output::write_text(output, &text).map_err(|error| Failure::writing(output, error))
    }
}
