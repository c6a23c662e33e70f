mod page;

use std::io::Write;

use batchlab_parsers::Output;

use super::arguments::{arguments, option, place, switch};
use super::table::style;
use super::terminal::form::{print, print_json, put};
use super::terminal::text;
use crate::Registry;
use crate::info::columns::LogColumn;
use crate::info::{DEFAULT_COLUMNS, Info, charts, logs_table};
use crate::lab::Failure;
use crate::lab::logs::reading::SourceSettings;
use crate::lab::options::Help;
use crate::plot::{FigureSize, Page, PageLayout, Picture};
use crate::table::{WriterSpec, writer};

arguments! {
    /// Print what is in logs: machine, period, jobs, users, sizes, times, load, anomalies
    ///
    /// One log is printed as a page, several as a table side by side, one row each: the table of workloads of a
    /// paper. JSON output contains everything about each log, unless columns are chosen.
    ///
    /// Offered load is the work of all jobs (processors x run time) divided by what the machine could have done
    /// between the first submission and the last. Quantiles interpolate linearly (R type 7).
    #[command(after_help = "\
Example: batchlab info KTH-SP2-1996-2.1-cln.swf.gz SDSC-SP2-1998-4.2-cln.swf.gz --format latex
         batchlab info sacct.txt --plot log.pdf")]
    pub struct InfoVerb {
        traces: Vec<String> =
            place("traces", "TRACE", "Logs: files, packed or not, or - for standard input").required().reads(),
        format: String = option("format", "FORM", "Form of the output: table, markdown, latex, html, csv or json")
            .default("table"),
        columns: Option<String> =
            option("columns", "A,B,C", "Columns of the table, by key, or all; see `batchlab list facts`"),
        full: bool =
            switch("full", "Print the page of each of several logs, one after the other").excludes(&["columns"]),
        plot: Option<String> = option("plot", "FILE.svg", "").help(Help::Long([
            "Draw the log: load over time, sizes, times, interarrival times, week, users; - for standard output, and \
             nothing else then",
            "A name that ends in .pdf makes a PDF with its fonts in it; any other name an SVG.",
        ])).writes(),
        plot_size: Option<String> = option(
            "plot-size", "SIZE", "Size of the plot: panel (with title and conditions); column or text for a paper with two \
             columns; ieee, acm or elsarticle for a column of that class, with -text for its whole text; llncs; a width such as 122mm; slide",
        ).requires("plot"),
        source: SourceSettings,
    }
}

enum Shape {
    /// A page for each log.
    Pages,
    /// Everything, for programs.
    Json,
    /// A table with a row for each log.
    Table(&'static WriterSpec, Vec<&'static LogColumn>),
}

impl InfoVerb {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let shape = self.shape()?;
        let layout = self.layout()?;
        let mut plot = self.plot()?;
        let mut infos = Vec::new();
        for (index, path) in self.traces.iter().enumerate() {
            let trace = self.source.read(registry, path)?;
            let info = Info::of(&trace);
            if let Some((path, file)) = plot.take() {
                draw(path, file, &charts::page(&trace, &info), layout)?;
                if path == "-" {
                    return Ok(());
                }
            }
            if let Shape::Pages = shape {
                // Printed at once, because the next log may take a while.
                let gap = if index == 0 { "" } else { "\n" };
                print(&format!("{gap}{}", page::page(&info, text::width())))?;
            } else {
                infos.push(info);
            }
        }
        match shape {
            Shape::Pages => Ok(()),
            Shape::Json => print_json(&infos),
            Shape::Table(writer, columns) => put(&(writer.write)(&logs_table(&infos, &columns), &style())),
        }
    }

    /// Creates the file of the plot, so that a file that cannot be written is reported before a long log is
    /// read.
    fn plot(&self) -> Result<Option<(&str, Output)>, Failure> {
        let Some(path) = self.plot.as_deref() else { return Ok(None) };
        Picture::of(path).map_err(|error| Failure::Usage(format!("--plot {path}: {error}")))?;
        if self.traces.len() > 1 {
            return Err(Failure::Usage("--plot draws one log: give one, or call it for each".into()));
        }
        let file = Output::create(path).map_err(|error| Failure::writing(path, error))?;
        Ok(Some((path, file)))
    }

    /// Returns how the plot is laid out: as a page of its own unless a size is given.
    fn layout(&self) -> Result<PageLayout, Failure> {
        let Some(name) = &self.plot_size else { return Ok(PageLayout::PAGE) };
        match FigureSize::named(name) {
            Some(FigureSize::Panel) => Ok(PageLayout::PAGE),
            Some(size) => Ok(PageLayout::figure(size)),
            None => {
                let known: Vec<&str> = FigureSize::words().into_iter().map(|(name, _)| name).collect();
                let known = known.join(", ");
                Err(Failure::Usage(format!(
                    "--plot-size: unknown size `{name}`; known are {known}, and widths such as 122mm"
                )))
            }
        }
    }

    fn shape(&self) -> Result<Shape, Failure> {
        let writer = writer(&self.format)?;
        Ok(match (writer.name, &self.columns) {
            (_, Some(columns)) => Shape::Table(writer, LogColumn::select(columns)?),
            ("table", None) if self.full || self.traces.len() == 1 => Shape::Pages,
            ("json", None) => Shape::Json,
            (_, None) if self.full => {
                return Err(Failure::Usage("--full prints pages: with --format table or json only".into()));
            }
            (_, None) => Shape::Table(writer, LogColumn::select(DEFAULT_COLUMNS)?),
        })
    }
}

/// Writes a page of plots to a file, in the form that its name ends with.
pub(super) fn draw(path: &str, mut file: Output, page: &Page, layout: PageLayout) -> Result<(), Failure> {
    let picture = Picture::of(path).and_then(|picture| picture.bytes(&page.to_svg_for(layout)));
    let bytes = picture.map_err(Failure::Input)?;
    let written = file.write_all(&bytes).and_then(|()| file.commit());
    written.map_err(|error| Failure::writing(path, error))
}
