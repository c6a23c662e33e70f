//! A page: a title, panels in columns, a caption.

use super::panel::Panel;
use super::svg::{Anchor, Svg};
use super::text::fit;
use crate::table::writers::wrap::wrap;

/// A page of panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// Its subtitle, in one line; may be empty.
    pub subtitle: String,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// The number of panels side by side.
    pub columns: usize,
    /// The conditions of the plot and the meaning of the marks: one paragraph per entry.
    pub caption: Vec<String>,
}

/// The medium for which a page is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A page of its own: title, panels 400 pixels wide, caption.
    Screen,
    /// A column of a paper, 3.3 inches wide with panels one below the other; title and caption are left to
    /// the paper.
    Column,
}

/// Lengths of a layout, in pixels.
struct Lengths {
    /// Width and height of a panel.
    panel: (f64, f64),
    /// Height above the panels.
    head: f64,
    /// Margin around the page.
    margin: f64,
    columns: usize,
}

/// Height of a line of the caption.
const LINE: f64 = 14.0;
/// Characters of the caption per hundred pixels.
const LETTERS: f64 = 17.5;
/// 3.3 inches at 96 pixels each.
const COLUMN: f64 = 316.8;

impl Page {
    /// Returns the page as SVG with title and caption; the same page gives the same bytes.
    pub fn to_svg(&self) -> String {
        self.to_svg_for(Layout::Screen)
    }

    /// Returns the page as SVG for a medium.
    pub fn to_svg_for(&self, layout: Layout) -> String {
        let lengths = self.lengths(layout);
        let Lengths { panel: (panel_width, _), head, margin, columns } = lengths;
        let width = panel_width * columns as f64 + 2.0 * margin;
        let caption = self.wrapped_caption(layout, width - 2.0 * margin);
        let heights = self.row_heights(&lengths);
        let bottom = head + heights.iter().sum::<f64>();
        let height = bottom + LINE * caption.len() as f64 + margin;
        let titles: Vec<&str> = self.panels.iter().map(Panel::title).collect();
        let mut svg = Svg::new(width, height, &self.title, &titles.join("; "));
        if layout == Layout::Screen {
            let title = "font-size=\"16\" font-weight=\"bold\"";
            svg.words((margin, 24.0), Anchor::Start, title, &fit(&self.title, width - 2.0 * margin, 17.0));
            svg.words((margin, 42.0), Anchor::Start, "font-size=\"12\"", &self.subtitle);
        }
        let mut top = head;
        for (row, panels) in self.panels.chunks(columns).enumerate() {
            for (column, panel) in panels.iter().enumerate() {
                svg.open(margin + panel_width * column as f64, top);
                panel.draw(&mut svg, panel_width, heights[row]);
                svg.close();
            }
            top += heights[row];
        }
        for (at, line) in caption.iter().enumerate() {
            svg.words((margin, bottom + LINE * (at + 1) as f64), Anchor::Start, "", line);
        }
        svg.finish()
    }

    fn lengths(&self, layout: Layout) -> Lengths {
        let columns = self.columns.max(1);
        match layout {
            Layout::Screen => Lengths { panel: (400.0, 250.0), head: 58.0, margin: 16.0, columns },
            Layout::Column => Lengths { panel: (COLUMN, 210.0), head: 2.0, margin: 0.0, columns: 1 },
        }
    }

    /// Returns the height of each row of panels, which is greater if keys and names need room.
    fn row_heights(&self, lengths: &Lengths) -> Vec<f64> {
        let (width, height) = lengths.panel;
        let row = |panels: &[Panel]| panels.iter().map(|panel| panel.extra(width)).fold(0.0, f64::max);
        self.panels.chunks(lengths.columns).map(|panels| height + row(panels)).collect()
    }

    fn wrapped_caption(&self, layout: Layout, room: f64) -> Vec<String> {
        let letters = (room * LETTERS / 100.0) as usize;
        let paragraphs = self.caption.iter().filter(|_| layout == Layout::Screen);
        paragraphs.flat_map(|paragraph| wrap(paragraph, letters, "")).collect()
    }
}
