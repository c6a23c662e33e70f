//! A page: a title, panels in columns, a caption.

use super::panel::Panel;
use super::svg::{Anchor, Svg};
use crate::report::writers::wrap::wrap;

/// A page of panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// More about it, in one line; may be empty.
    pub subtitle: String,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// How many stand side by side.
    pub columns: usize,
    /// Under which conditions it was made and what the marks are: one paragraph per entry.
    pub caption: Vec<String>,
}

/// Size of a panel.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 250.0;
/// Room above the panels, around the page, and for a line of the caption.
const HEAD: f64 = 58.0;
const MARGIN: f64 = 16.0;
const LINE: f64 = 14.0;
/// Letters of the caption in a hundred pixels.
const LETTERS: f64 = 20.0;

impl Page {
    /// Returns the page as SVG, text for text and the same bytes for the same page.
    pub fn to_svg(&self) -> String {
        let columns = self.columns.max(1);
        let rows = self.panels.len().div_ceil(columns);
        let width = WIDTH * columns as f64 + 2.0 * MARGIN;
        let letters = ((width - 2.0 * MARGIN) * LETTERS / 100.0) as usize;
        let caption: Vec<String> =
            self.caption.iter().flat_map(|paragraph| wrap(paragraph, letters, "")).collect();
        let bottom = HEAD + HEIGHT * rows as f64;
        let height = bottom + LINE * caption.len() as f64 + MARGIN;
        let titles: Vec<&str> = self.panels.iter().map(Panel::title).collect();
        let mut svg = Svg::new(width, height, &self.title, &titles.join("; "));
        svg.words((MARGIN, 24.0), Anchor::Start, "font-size=\"16\" font-weight=\"bold\"", &self.title);
        svg.words((MARGIN, 42.0), Anchor::Start, "font-size=\"12\"", &self.subtitle);
        for (at, panel) in self.panels.iter().enumerate() {
            svg.open(MARGIN + WIDTH * (at % columns) as f64, HEAD + HEIGHT * (at / columns) as f64);
            panel.draw(&mut svg, WIDTH, HEIGHT);
            svg.close();
        }
        for (at, line) in caption.iter().enumerate() {
            svg.words((MARGIN, bottom + LINE * (at + 1) as f64), Anchor::Start, "", line);
        }
        svg.finish()
    }
}
