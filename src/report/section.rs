//! The sections of a report, in the order in which every form of it shows them.

use super::claims::Checked;
use super::named_table::NamedTable;
use super::verdict::Conclusion;
use crate::study::pitfalls::Pitfall;

/// A section of a report. Whatever renders reports matches all of them.
#[derive(Debug)]
pub enum ReportSection {
    /// What the results show, in words.
    Verdict(Conclusion),
    /// The tables of values that the experiment declares, or one of everything.
    Tables(Vec<NamedTable>),
    /// Where a metric of a policy reaches a bound.
    Crossings(Vec<NamedTable>),
    /// What single users, weeks and jobs make of the means.
    Who(NamedTable),
    /// The plots that the experiment declares.
    Plots(Vec<NamedPlot>),
    /// What came of each claim, and the table of it.
    Claims(Vec<Checked>, NamedTable),
    /// How many readings each conclusion survives.
    Readings(NamedTable),
    /// The pitfalls that were met; shown even where there is none.
    Findings(Vec<Pitfall>),
}

/// A plot.
#[derive(Debug)]
pub struct NamedPlot {
    /// The name of its file.
    pub name: String,
    /// The plot, as SVG.
    pub svg: String,
}

impl ReportSection {
    /// Returns the heading.
    pub fn heading(&self) -> &'static str {
        self.names().1
    }

    /// Returns the name by which programs and links refer to it.
    pub fn key(&self) -> &'static str {
        self.names().0
    }

    fn names(&self) -> (&'static str, &'static str) {
        match self {
            ReportSection::Verdict(_) => ("verdict", "Verdict"),
            ReportSection::Tables(_) => ("tables", "Tables"),
            ReportSection::Crossings(_) => ("crossings", "Crossings"),
            ReportSection::Who(_) => ("who", "Who makes the means"),
            ReportSection::Plots(_) => ("plots", "Plots"),
            ReportSection::Claims(..) => ("claims", "Claims"),
            ReportSection::Readings(_) => ("readings", "Readings"),
            ReportSection::Findings(_) => ("findings", "Findings"),
        }
    }

    /// Returns the tables in it.
    pub fn tables(&self) -> &[NamedTable] {
        match self {
            ReportSection::Tables(tables) | ReportSection::Crossings(tables) => tables,
            ReportSection::Who(table) | ReportSection::Claims(_, table) | ReportSection::Readings(table) => {
                std::slice::from_ref(table)
            }
            ReportSection::Verdict(_) | ReportSection::Plots(_) | ReportSection::Findings(_) => &[],
        }
    }
}
