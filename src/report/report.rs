//! The report of an experiment: verdict, tables, crossings, plots, claims, findings.
//!
//! A [`Report`] is data, made once from the results folder. [`publish`] writes it as files; [`markdown()`],
//! [`text()`], [`json()`] and [`page`] each render it as one text. It never reads the workloads, so the same
//! folder gives the same bytes on any machine.

pub mod citation;
pub mod claims;
mod declared;
mod file_sections;
mod files;
mod findings;
mod json;
mod markdown;
mod multiverse;
mod named_table;
pub mod page;
pub mod plots;
mod section;
pub mod tables;
mod text;
mod verdict;
mod who;

pub use declared::Declared;
pub use file_sections::SECTIONS;
pub use files::{is_made, publish, publish_png, put_tables, withdraw};
pub use findings::{copy_settings, put_settings};
pub use json::json;
pub use markdown::markdown;
pub use multiverse::Multiverse;
pub use named_table::{NamedTable, TableSource};
pub use section::{Figure, NamedPlot, ReportSection};
pub use text::text;
pub use verdict::{Conclusion, Paragraph, conclude, figure, place};

use crate::report::claims::Checked;
use crate::report::plots::{PlotSpec, Subject, draw};
use crate::report::tables::{Axis, Names, Statistic, TableSpec, table};
use batchlab_engine::metrics::Warmup;
use batchlab_engine::table::Table;
use batchlab_study::experiment::folder::{Contents, Folder, FolderError};
use batchlab_study::experiment::{ExperimentError, Measuring};
use batchlab_study::study::Study;
use batchlab_study::study::pitfalls::Pitfall;
use batchlab_support::registry::Policies;

/// Returns the statistics that the tables of an experiment show, with the rule of its warm-up.
pub fn statistics(contents: &Contents, study: &Study<'_>) -> Result<Vec<Statistic>, ReportError> {
    let (experiment, file) = (&contents.experiment, "experiment.toml");
    let declared = Declared::read(experiment, file, &Names::of(study.frame()))?;
    let mut used: Vec<Statistic> =
        declared.tables.iter().flat_map(|spec| tables::statistics(spec, study)).collect();
    used.extend(declared.plots.iter().filter_map(PlotSpec::statistic));
    let warmup = Measuring::read(experiment, file)?.options.warmup;
    used.extend((warmup == Warmup::Mser5).then_some(Statistic::Mser5));
    Ok(used)
}

/// The whole report of an experiment, as data.
#[derive(Debug)]
pub struct Report<'a> {
    pub contents: &'a Contents,
    pub study: &'a Study<'a>,
    /// The sections, in the order in which they are shown.
    pub sections: Vec<ReportSection>,
}

/// Why no report can be made of a folder.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl<'a> Report<'a> {
    /// Makes the report of a folder: estimates, contrasts and plots of everything that the experiment declares.
    pub fn of(
        folder: &Folder,
        contents: &'a Contents,
        study: &'a Study<'a>,
        policies: &Policies,
    ) -> Result<Report<'a>, ReportError> {
        let frame = study.frame();
        let declared = Declared::read(&contents.experiment, "experiment.toml", &Names::of(frame))?;
        let made = |source: TableSource<'_>| source.make(folder, &declared, study);
        let values = declared.tables.iter().map(TableSource::Values);
        let crossings: Vec<NamedTable> =
            declared.crossings.iter().map(TableSource::Crossings).filter_map(made).collect();
        let plot = |spec: &PlotSpec| {
            let page = draw(spec, study, &|key, detail| folder.detail(key, detail));
            let figure = page.map(|page| Figure::of(page, spec.layout));
            let is_schedule = spec.kind.subject == Subject::Replay;
            NamedPlot { name: spec.name.clone(), figure, is_schedule }
        };
        let plots: Vec<NamedPlot> = declared.plots.iter().map(plot).collect();
        let claims = declared.check(study);
        let pitfalls = findings::find(folder, frame, &declared, policies)?;

        let mut sections = vec![
            ReportSection::Verdict(conclude(study, &pitfalls), figure(study, declared.figure_size())),
            ReportSection::Tables(values.filter_map(made).collect()),
        ];
        sections.extend((!crossings.is_empty()).then_some(ReportSection::Crossings(crossings)));
        sections.extend(made(TableSource::Who).map(ReportSection::Who));
        sections.extend((!plots.is_empty()).then_some(ReportSection::Plots(plots)));
        if !claims.is_empty() {
            let table = NamedTable::new(claims::NAME, claims::table(&claims, frame), None);
            sections.push(ReportSection::Claims(claims, table));
        }
        sections.extend(made(TableSource::Readings).map(ReportSection::Readings));
        sections.push(ReportSection::Findings(pitfalls));
        NamedTable::share_signs(sections.iter_mut().flat_map(ReportSection::tables_mut));
        Ok(Report { contents, study, sections })
    }

    pub fn claims(&self) -> &[Checked] {
        self.sections
            .iter()
            .find_map(|of| if let ReportSection::Claims(claims, _) = of { Some(claims) } else { None })
            .map_or(&[], Vec::as_slice)
    }

    pub fn plots(&self) -> impl Iterator<Item = &NamedPlot> {
        self.sections.iter().flat_map(|section| match section {
            ReportSection::Plots(plots) => plots.as_slice(),
            _ => &[],
        })
    }

    pub fn pitfalls(&self) -> &[Pitfall] {
        self.sections
            .iter()
            .find_map(|of| if let ReportSection::Findings(met) = of { Some(met) } else { None })
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the table of one policy: every metric, for all jobs and for each class, at every design point.
    pub fn of_policy(&self, policy: usize) -> Result<Option<Table>, ReportError> {
        let names = Names::of(self.study.frame());
        let base = declared::of_everything(&names)?;
        Ok(base.first().map(|base| table(&values_of(base, policy, &names), self.study)))
    }
}

fn values_of(base: &TableSpec, policy: usize, names: &Names) -> TableSpec {
    let mut spec = TableSpec {
        policies: vec![policy],
        columns: vec![Axis::Metric],
        classes: names.classes().into_iter().map(String::from).collect(),
        best: false,
        ..base.clone()
    };
    let in_rows = |axis: &Axis| *axis != Axis::Metric && (spec.count(*axis) > 1 || *axis == Axis::Workload);
    spec.rows = Axis::all(names).into_iter().filter(in_rows).collect();
    spec
}
