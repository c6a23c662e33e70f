//! A page: a title, panels in columns, a caption.

use batchlab_traces::located::values::{number, read_word_or};

use super::key::Key;
use super::panel::{Panel, PanelSlot};
use super::svg::{Anchor, Svg};
use super::text::fit;
use crate::table::PaperWidth;
use crate::table::writers::wrap::wrap;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    pub title: String,
    /// Its subtitle, in one line; may be empty.
    pub subtitle: String,
    pub panels: Vec<Panel>,
    /// The number of panels side by side.
    pub columns: usize,
    /// Whether each panel takes the whole width of a text or a slide.
    pub is_wide: bool,
    /// Whether the panels have one key in common, which is drawn once above them.
    pub shares_key: bool,
    /// The conditions of the plot and the meaning of the marks: one paragraph per entry.
    pub caption: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureSize {
    /// Panels of 400 × 250 pixels, for screens.
    Panel,
    /// A column of a two-column paper: 3.3 inches wide, panels one below the other.
    Column,
    /// The text width of a two-column paper: 7 inches wide.
    Text,
    /// A slide of 10 × 5.625 inches (16:9), with larger text.
    Slide,
    /// A column or the text of a class of papers, or a width in millimetres; at most as high as its page.
    Paper(PaperWidth),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLayout {
    pub size: FigureSize,
    pub has_title: bool,
    pub has_caption: bool,
}

impl PageLayout {
    pub const PAGE: PageLayout = PageLayout { size: FigureSize::Panel, has_title: true, has_caption: true };

    /// Returns the layout of a figure: title and caption are left to the document that includes it.
    pub const fn figure(size: FigureSize) -> PageLayout {
        PageLayout { size, has_title: false, has_caption: false }
    }

    /// Whether it is a page of its own, which needs a margin.
    fn is_page(self) -> bool {
        self.has_title && self.has_caption
    }
}

impl FigureSize {
    /// The sizes of no particular class, by their names.
    pub const ALL: [(&'static str, FigureSize); 4] = [
        ("panel", FigureSize::Panel),
        ("column", FigureSize::Column),
        ("text", FigureSize::Text),
        ("slide", FigureSize::Slide),
    ];

    /// Returns the size of a name, or of a width such as `122mm`.
    pub fn named(name: &str) -> Option<FigureSize> {
        let millimetres = name.strip_suffix("mm").and_then(|number| number.trim().parse().ok());
        let width = millimetres.and_then(PaperWidth::millimetres).map(FigureSize::Paper);
        FigureSize::words().into_iter().find(|(known, _)| *known == name).map(|(_, size)| size).or(width)
    }

    /// Returns all sizes that have names: those of pages and those of classes of papers.
    pub fn words() -> Vec<(&'static str, FigureSize)> {
        let papers = PaperWidth::NAMES.map(|(name, width)| (name, FigureSize::Paper(width)));
        FigureSize::ALL.into_iter().chain(papers).collect()
    }
}

impl<'de> serde::Deserialize<'de> for FigureSize {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = |value: &toml::Value| PaperWidth::millimetres(number(value)?).map(FigureSize::Paper);
        read_word_or(deserializer, &FigureSize::words(), "a width of 40 to 400 mm", given)
    }
}

#[derive(Clone, Copy)]
struct Lengths {
    panel: (f64, f64),
    head: f64,
    margin: f64,
    columns: usize,
    /// How much larger everything is drawn.
    zoom: f64,
}

/// The margin around a page for screens.
const MARGIN: f64 = 16.0;
const LINE: f64 = 14.0;
/// Height of the first line of a key that panels share.
const KEY: f64 = 18.0;
/// Characters of the caption per hundred pixels.
const LETTERS: f64 = 17.5;
/// Width of panels of rows, with texts on both sides.
const ROWS: f64 = 640.0;
/// 3.3 and 7 inches at 96 pixels each.
const COLUMN: f64 = 316.8;
const TEXT: f64 = 672.0;
/// Width, height and zoom of a slide, and the least height of its panels.
const SLIDE: (f64, f64, f64) = (600.0, 337.5, 1.6);
const LEAST: f64 = 130.0;
/// Width of a text from which panels stand side by side, and the width of a panel that is still legible.
const SIDE_BY_SIDE: f64 = 500.0;
const LEGIBLE: f64 = 150.0;
/// Pixels of a figure to a point of TeX.
const PIXELS: f64 = 96.0 / 72.27;
/// How much smaller a figure is drawn at most, and by a step.
const MOST_SHRUNK: f64 = 4.0;
const SHRINKS: f64 = 1.05;
/// The size of letters, and the least one in papers, in points of 1/72 inch.
const LETTER: f64 = 7.5;
const LEAST_LETTER: f64 = 6.0;
/// Shares of their height that panels have where a figure would be too high.
const LOWERED: [f64; 2] = [1.0, 0.8];
/// The share of a page's height that a figure takes at most: its caption stands on the same page.
const MOST_OF_PAGE: f64 = 0.85;

impl Page {
    /// Returns the page as SVG with title and caption; the same page gives the same bytes.
    pub fn to_svg(&self) -> String {
        self.to_svg_for(PageLayout::PAGE)
    }

    pub fn to_svg_for(&self, layout: PageLayout) -> String {
        let lengths = self.lengths(layout);
        let (width, height) = self.extent(layout, &lengths);
        let Lengths { panel: (panel_width, _), head, margin, columns, zoom } = lengths;
        let caption = self.wrapped_caption(layout, width - 2.0 * margin);
        let heights = self.row_heights(&lengths);
        let bottom = head + heights.iter().sum::<f64>();
        let titles: Vec<&str> =
            self.panels.iter().map(Panel::title).filter(|title| !title.is_empty()).collect();
        let mut svg = Svg::new((width, height), zoom, &self.title, &titles.join("; "));
        if layout.has_title {
            let title = "font-size=\"16\" font-weight=\"bold\"";
            svg.words((margin, 24.0), Anchor::Start, title, &fit(&self.title, width - 2.0 * margin, 17.0));
            svg.words((margin, 42.0), Anchor::Start, "font-size=\"12\"", &self.subtitle);
        }
        if let Some((key, (left, room))) = self.shared_key(&lengths) {
            let top = head - KEY + 9.0 - key.extra(room);
            key.draw(&mut svg, (margin + left, top), room);
        }
        let mut top = head;
        for (row, panels) in self.panels.chunks(columns).enumerate() {
            for (column, panel) in panels.iter().enumerate() {
                svg.open(margin + panel_width * column as f64, top);
                panel.draw(&mut svg, self.slot(&lengths), heights[row]);
                svg.close();
            }
            top += heights[row];
        }
        for (at, line) in caption.iter().enumerate() {
            svg.words((margin, bottom + LINE * (at + 1) as f64), Anchor::Start, "", line);
        }
        svg.finish()
    }

    /// Moves the messages of panels without data to the caption, and removes these panels; if no panel has
    /// data, the page stays as it is.
    #[must_use]
    pub fn without_empty_panels(mut self) -> Page {
        if self.panels.iter().any(|panel| panel.message().is_none()) {
            for panel in self.panels.iter().filter(|panel| panel.message().is_some()) {
                let title =
                    if panel.title().is_empty() { String::new() } else { format!("{}: ", panel.title()) };
                self.caption.push(format!("{title}{}.", panel.message().unwrap_or_default()));
            }
            self.panels.retain(|panel| panel.message().is_none());
            self.columns = self.columns.min(self.panels.len());
        }
        self
    }

    /// Returns the key of all panels with its place along x, if they share one.
    fn shared_key(&self, lengths: &Lengths) -> Option<(Key, (f64, f64))> {
        let keys = self.panels.iter().filter(|_| self.shares_key).map(Panel::key);
        let key = keys.fold(Key::default(), Key::with);
        // The key of rows may stand above their names and numbers.
        let (first, last) = (self.panels.first()?, self.panels.last()?);
        let [left, right] = if self.has_rows() {
            [0.0, 0.0]
        } else {
            [first.left(self.slot(lengths)), last.right(self.slot(lengths))]
        };
        let room = lengths.panel.0 * lengths.columns as f64 - left - right;
        (!key.is_empty()).then_some((key, (left, room)))
    }

    fn extent(&self, layout: PageLayout, lengths: &Lengths) -> (f64, f64) {
        let width = lengths.panel.0 * lengths.columns as f64 + 2.0 * lengths.margin;
        let lines = self.wrapped_caption(layout, width - 2.0 * lengths.margin).len();
        // The letters of the last line that reach below it.
        let below = if lines == 0 { lengths.margin } else { lengths.margin.max(4.0) };
        let panels: f64 = self.row_heights(lengths).iter().sum();
        (width, lengths.head + panels + LINE * lines as f64 + below)
    }

    fn lengths(&self, layout: PageLayout) -> Lengths {
        match layout.size {
            FigureSize::Paper(width) => self.lengths_in_paper(layout, width),
            _ => self.lengths_of(layout),
        }
    }

    /// Returns the layout for the whole text of a paper if the figure is not legible in a column.
    #[must_use]
    pub fn legible(&self, layout: PageLayout) -> PageLayout {
        let FigureSize::Paper(paper) = layout.size else { return layout };
        let is_legible = || self.legible_lengths(layout, paper).is_some();
        // Rows are as high in a wider figure.
        let wider = paper.wider().filter(|_| !self.has_rows() && !is_legible());
        PageLayout { size: FigureSize::Paper(wider.unwrap_or(paper)), ..layout }
    }

    /// Returns the size of the smallest letters of a figure, in points of 1/72 inch.
    pub fn least_letters(&self, layout: PageLayout) -> f64 {
        LETTER * self.lengths(layout).zoom
    }

    /// Returns the lengths of a figure of a given width that is no higher than its page.
    fn lengths_in_paper(&self, layout: PageLayout, paper: PaperWidth) -> Lengths {
        self.legible_lengths(layout, paper).unwrap_or_else(|| self.shrunk_lengths(layout, paper))
    }

    /// Returns the lengths at which letters have 6 pt or more and no text runs into another one; `None` if there are none. Of all
    /// such lengths it takes those with the largest letters, then the fewest panels side by side, then the highest panels.
    fn legible_lengths(&self, layout: PageLayout, paper: PaperWidth) -> Option<Lengths> {
        let width = paper.points() * PIXELS;
        let steps = (0..).map(|step| SHRINKS.powi(step)).take_while(|step| LETTER / step >= LEAST_LETTER);
        let layouts = steps.flat_map(|step| {
            let panels = self.side_by_side(layout, width, step);
            panels.flat_map(move |columns| LOWERED.map(|share| (step, columns, share)))
        });
        let mut lengths = layouts
            .map(|(step, columns, share)| self.lengths_for(layout, paper, (width * step, columns, share)));
        lengths
            .find(|lengths| self.fits(layout, paper, lengths) && self.least_width(lengths) <= lengths.panel.0)
    }

    /// Returns the lengths of a figure that is drawn smaller than legible: by five per cent a step.
    fn shrunk_lengths(&self, layout: PageLayout, paper: PaperWidth) -> Lengths {
        let width = paper.points() * PIXELS;
        let columns = self.side_by_side(layout, width, 1.0).last().unwrap_or(1);
        let lengths = |canvas: f64| self.lengths_for(layout, paper, (canvas, columns, 1.0));
        let mut canvas =
            width.max(self.least_width(&lengths(width)) * columns as f64).min(width * MOST_SHRUNK);
        while !self.fits(layout, paper, &lengths(canvas)) && canvas < width * MOST_SHRUNK {
            canvas *= SHRINKS;
        }
        lengths(canvas)
    }

    /// Returns the numbers of panels that may stand side by side in a width, drawn smaller by a factor.
    fn side_by_side(
        &self,
        layout: PageLayout,
        width: f64,
        smaller: f64,
    ) -> impl Iterator<Item = usize> + use<> {
        let least = self.lengths_of(PageLayout { size: base(width), ..layout }).columns;
        let can_split = !self.is_wide && !self.has_rows();
        let most =
            if can_split { self.panels.len().min((width * smaller / LEGIBLE) as usize) } else { least };
        least..=most.max(least)
    }

    /// Returns the lengths of a figure whose canvas is as wide as a paper, with panels of a share of their height.
    fn lengths_for(
        &self,
        layout: PageLayout,
        paper: PaperWidth,
        (canvas, columns, share): (f64, usize, f64),
    ) -> Lengths {
        let width = paper.points() * PIXELS;
        let like = self.lengths_of(PageLayout { size: base(width), ..layout });
        let height = if columns > 1 { like.panel.1.min(210.0) } else { like.panel.1 };
        let panel = (canvas / columns as f64, height * share);
        let mut lengths = Lengths { panel, head: 2.0, margin: 0.0, columns, zoom: width / canvas };
        lengths.head = self.head(layout, &lengths);
        lengths
    }

    /// Whether a figure is no higher than it may be in a paper.
    fn fits(&self, layout: PageLayout, paper: PaperWidth, lengths: &Lengths) -> bool {
        self.extent(layout, lengths).1 * lengths.zoom <= paper.height() * PIXELS * MOST_OF_PAGE
    }

    fn least_width(&self, lengths: &Lengths) -> f64 {
        self.panels.iter().map(|panel| panel.least_width(self.slot(lengths))).fold(0.0, f64::max)
    }

    fn head(&self, layout: PageLayout, lengths: &Lengths) -> f64 {
        let head = match (layout.has_title, layout.size) {
            (true, _) => 58.0,
            (false, FigureSize::Panel) => 10.0,
            (false, _) => 2.0,
        };
        self.shared_key(lengths).map_or(head, |(key, (_, room))| head + KEY + key.extra(room))
    }

    fn lengths_of(&self, layout: PageLayout) -> Lengths {
        let is_stacked =
            layout.size == FigureSize::Column || self.is_wide && layout.size != FigureSize::Panel;
        // Three panels fill a line of a paper's text or of a slide; two and one leave a hole.
        let is_line = self.columns == 2 && self.panels.len() == 3 && !self.has_rows();
        let columns = match layout.size {
            _ if is_stacked => 1,
            FigureSize::Text | FigureSize::Slide if is_line => 3,
            _ => self.columns.max(1),
        };
        let rows = self.panels.len().div_ceil(columns).max(1) as f64;
        let share = columns as f64;
        let around = if layout.is_page() { MARGIN } else { 0.0 };
        let (panel, margin, zoom) = match layout.size {
            FigureSize::Panel if self.has_rows() => ((ROWS, 250.0), MARGIN, 1.0),
            FigureSize::Panel => ((400.0, 250.0), MARGIN, 1.0),
            FigureSize::Column => ((COLUMN, if rows > 1.0 { 180.0 } else { 210.0 }), 0.0, 1.0),
            FigureSize::Text | FigureSize::Paper(_) => {
                (((TEXT - 2.0 * around) / share, if columns > 1 { 210.0 } else { 250.0 }), around, 1.0)
            }
            FigureSize::Slide => ((SLIDE.0 / share, 0.0), 0.0, SLIDE.2),
        };
        let mut lengths = Lengths { panel, head: 0.0, margin, columns, zoom };
        lengths.head = self.head(layout, &lengths);
        if layout.size == FigureSize::Slide {
            let extra: f64 = self.extras(&lengths).iter().sum();
            lengths.panel.1 = ((SLIDE.1 - lengths.head - extra) / rows).max(LEAST);
        }
        lengths
    }

    fn slot(&self, lengths: &Lengths) -> PanelSlot {
        PanelSlot { width: lengths.panel.0, height: lengths.panel.1, has_key: !self.shares_key }
    }

    /// Returns the height that keys and names need beyond that of a panel, for each row.
    fn extras(&self, lengths: &Lengths) -> Vec<f64> {
        let extra = |panel: &Panel| panel.extra(self.slot(lengths));
        let row = |panels: &[Panel]| panels.iter().map(extra).fold(0.0, f64::max);
        self.panels.chunks(lengths.columns).map(row).collect()
    }

    /// Returns the height of each row of panels, which is greater if keys and names need room.
    fn row_heights(&self, lengths: &Lengths) -> Vec<f64> {
        let height = |panel: &Panel| panel.height(lengths.panel.1);
        let row = |panels: &[Panel]| panels.iter().map(height).fold(0.0, f64::max);
        let heights = self.panels.chunks(lengths.columns).map(row);
        heights.zip(self.extras(lengths)).map(|(height, extra)| height + extra).collect()
    }

    /// Whether a panel consists of rows, which have their own height.
    fn has_rows(&self) -> bool {
        self.panels.iter().any(|panel| !panel.rows().is_empty())
    }

    fn wrapped_caption(&self, layout: PageLayout, room: f64) -> Vec<String> {
        let letters = (room * LETTERS / 100.0) as usize;
        let paragraphs = self.caption.iter().filter(|_| layout.has_caption);
        paragraphs.flat_map(|paragraph| wrap(paragraph, letters, "")).collect()
    }
}

fn base(width: f64) -> FigureSize {
    if width < SIDE_BY_SIDE { FigureSize::Column } else { FigureSize::Text }
}
