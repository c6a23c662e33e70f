//! The sections of a report, in the order in which every form of it shows them.

use super::claims::Checked;
use super::named_table::NamedTable;
use super::verdict::Conclusion;
use batchlab_engine::plot::{Page, PageLayout};
use batchlab_study::study::pitfalls::Pitfall;

/// A section of a report. Every renderer matches all variants.
#[derive(Debug)]
pub enum ReportSection {
    /// What the results show, in words, and as a forest plot if policies are compared.
    Verdict(Conclusion, Option<NamedPlot>),
    /// The declared tables of values, or one table of all values.
    Tables(Vec<NamedTable>),
    /// The values of a parameter at which a metric of a policy reaches a bound.
    Crossings(Vec<NamedTable>),
    /// The share of single users, weeks and jobs in the means.
    Who(NamedTable),
    /// The declared plots.
    Plots(Vec<NamedPlot>),
    /// The verdict on each claim, and the table of claims.
    Claims(Vec<Checked>, NamedTable),
    /// The number of readings that each conclusion survives.
    Readings(NamedTable),
    /// The pitfalls that were found; shown even if there are none.
    Findings(Vec<Pitfall>),
}

#[derive(Debug)]
pub struct NamedPlot {
    pub name: String,
    /// The figure, or why there is none.
    pub figure: Result<Figure, String>,
    /// Whether it shows single replays: a queue over time, or the places of jobs.
    pub is_schedule: bool,
}

#[derive(Debug)]
pub struct Figure {
    pub page: Page,
    /// Its size, and what stands around it.
    pub layout: PageLayout,
    pub svg: String,
}

/// The least size of letters that is legible in print, in points.
const LEAST_LETTERS: f64 = 6.0;

impl Figure {
    /// Returns the figure of a page. One that is not legible in a column of a paper is as wide as its text, and says so.
    pub fn of(mut page: Page, layout: PageLayout) -> Figure {
        let wanted = layout;
        let layout = page.legible(layout);
        if layout != wanted {
            page.caption
                .push("Too much for a column: it is as wide as the text, for figure* of LaTeX.".into());
        }
        let letters = page.least_letters(layout);
        if letters < LEAST_LETTERS {
            page.caption.push(format!(
                "Its letters have {letters:.1} pt: fewer panels or policies keep them legible."
            ));
        }
        let svg = page.to_svg_for(layout);
        Figure { page, layout, svg }
    }

    /// Returns what a document says below the figure: the title in front, unless both stand in the figure.
    pub fn caption(&self) -> Vec<String> {
        let Page { title, subtitle, caption, .. } = &self.page;
        let gap = if subtitle.is_empty() { "" } else { ", " };
        let title = (!self.layout.has_title).then(|| format!("{title}{gap}{subtitle}."));
        let caption = caption.iter().filter(|_| !self.layout.has_caption).cloned();
        title.into_iter().chain(caption).collect()
    }
}

impl ReportSection {
    pub fn heading(&self) -> &'static str {
        self.names().1
    }

    /// Returns the name used by programs and links.
    pub fn key(&self) -> &'static str {
        self.names().0
    }

    fn names(&self) -> (&'static str, &'static str) {
        match self {
            ReportSection::Verdict(..) => ("verdict", "Verdict"),
            ReportSection::Tables(_) => ("tables", "Tables"),
            ReportSection::Crossings(_) => ("crossings", "Crossings"),
            ReportSection::Who(_) => ("who", "Who makes the means"),
            ReportSection::Plots(_) => ("plots", "Plots"),
            ReportSection::Claims(..) => ("claims", "Claims"),
            ReportSection::Readings(_) => ("readings", "Readings"),
            ReportSection::Findings(_) => ("findings", "Findings"),
        }
    }

    pub fn tables(&self) -> &[NamedTable] {
        match self {
            ReportSection::Tables(tables) | ReportSection::Crossings(tables) => tables,
            ReportSection::Who(table) | ReportSection::Claims(_, table) | ReportSection::Readings(table) => {
                std::slice::from_ref(table)
            }
            ReportSection::Verdict(..) | ReportSection::Plots(_) | ReportSection::Findings(_) => &[],
        }
    }

    pub fn tables_mut(&mut self) -> &mut [NamedTable] {
        match self {
            ReportSection::Tables(tables) | ReportSection::Crossings(tables) => tables,
            ReportSection::Who(table) | ReportSection::Claims(_, table) | ReportSection::Readings(table) => {
                std::slice::from_mut(table)
            }
            ReportSection::Verdict(..) | ReportSection::Plots(_) | ReportSection::Findings(_) => &mut [],
        }
    }

    pub fn plots(&self) -> &[NamedPlot] {
        match self {
            ReportSection::Verdict(_, figure) => figure.as_slice(),
            ReportSection::Plots(plots) => plots,
            _ => &[],
        }
    }
}
