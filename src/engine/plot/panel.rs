//! A panel: a title, two axes, marks, and a key that names them.

use super::axis::Axis;
use super::draw::PlotArea;
use super::key::{Key, Sample};
use super::mark::{Area, Fill, Mark, Point, Stroke};
use super::rows::{self, Row};
use super::svg::{Anchor, Svg};
use super::text::{fit, lines, width as width_of};
use super::ticks::Tick;
use crate::table::writers::wrap::wrap;

#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Panel {
    title: String,
    x: Axis,
    y: Axis,
    marks: Vec<Mark>,
    key: Key,
    rows: Vec<Row>,
    /// The least height of a category of the y axis, in pixels; 0 leaves the panel as high as others.
    least: f64,
    message: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PanelSlot {
    pub width: f64,
    /// The height before keys and names take more.
    pub height: f64,
    pub has_key: bool,
}

/// Default margins around the marks, for title, key, ticks and labels.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 38.0;
const BOTTOM: f64 = 38.0;
/// Height saved by a panel without a title, and without a key of its own.
const TITLE: f64 = 14.0;
const KEY: f64 = 16.0;
/// Height left below a panel whose x axis stands above it.
const MARGIN: f64 = 8.0;
/// The greatest share of the panel's width for names along the y axis.
const NAMES: f64 = 0.35;
/// The greatest height in pixels for slanted names along the x axis, and their angle.
const HANGING: f64 = 70.0;
const SLANT: f64 = 35.0;
const SIZE: f64 = 10.0;
/// The most lines of a label, and the height of each after the first.
const MOST_LINES: usize = 2;
const LINE: f64 = 11.0;
/// The space between texts in neighbouring cells.
const BETWEEN: f64 = 4.0;
/// Characters of a message per hundred pixels.
const LETTERS: f64 = 19.0;

const FRAME: &str = "fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.8\"";
const GRID: &str = "stroke=\"currentColor\" stroke-opacity=\"0.13\" stroke-width=\"0.5\"";
const TICK: &str = "stroke=\"currentColor\" stroke-width=\"0.8\"";

impl Panel {
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel {
            title: title.into(),
            x,
            y,
            marks: Vec::new(),
            key: Key::default(),
            rows: Vec::new(),
            least: 0.0,
            message: None,
        }
    }

    /// Returns a panel of rows, the first one topmost; [`row_y`](super::row_y) is the place of a row's marks.
    pub fn of_rows(title: impl Into<String>, x: Axis, rows: Vec<Row>) -> Panel {
        let y = Axis::rows(rows.len());
        Panel { rows, ..Panel::new(title, x, y) }
    }

    /// Returns a panel that gives the reason why there is nothing to show.
    pub fn without(title: impl Into<String>, reason: impl Into<String>) -> Panel {
        let axis = Axis { ticks: Vec::new(), ..Axis::linear("", 0.0, 1.0) };
        Panel { message: Some(reason.into()), ..Panel::new(title, axis.clone(), axis) }
    }

    /// Adds straight lines through points, with a name in the key.
    pub fn line(self, name: &str, stroke: Stroke, points: Vec<Point>) -> Panel {
        self.named(Sample::Line(stroke), name).mark(Mark::Line(stroke, points))
    }

    /// Adds values that hold from their point until the next point, with a name in the key.
    pub fn steps(self, name: &str, stroke: Stroke, points: Vec<Point>) -> Panel {
        self.named(Sample::Line(stroke), name).mark(Mark::Steps(stroke, points))
    }

    pub fn areas(self, areas: Vec<Area>) -> Panel {
        self.mark(Mark::Areas(areas))
    }

    pub fn fill(self, name: &str, fill: Fill) -> Panel {
        self.named(Sample::Area(fill), name)
    }

    /// Names a line with markers in the key, by its look.
    pub fn look(self, name: &str, look: usize) -> Panel {
        self.named(Sample::Marked(look), name)
    }

    /// Names a line without markers in the key, by its look.
    pub fn look_of_line(self, name: &str, look: usize) -> Panel {
        self.named(Sample::Line(Stroke::Of(look)), name)
    }

    pub fn dot(self, name: &str, look: usize) -> Panel {
        self.named(Sample::Dot(look, false), name)
    }

    pub fn hollow(self, name: &str, look: usize) -> Panel {
        self.named(Sample::Dot(look, true), name)
    }

    /// Adds a mark without a name.
    pub fn mark(mut self, mark: Mark) -> Panel {
        self.marks.push(mark);
        self
    }

    fn named(mut self, sample: Sample, name: &str) -> Panel {
        self.key.add(sample, name);
        self
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    pub fn labelled(mut self, x: Option<&str>, y: Option<&str>) -> Panel {
        for (axis, label) in [(&mut self.x, x), (&mut self.y, y)] {
            if let Some(label) = label {
                label.clone_into(&mut axis.label);
            }
        }
        self
    }

    pub fn with_x(mut self, x: Axis) -> Panel {
        self.x = x;
        self
    }

    /// Makes the panel so high that each category of its y axis has at least a height in pixels.
    pub fn with_categories_of(self, least: f64) -> Panel {
        Panel { least, ..self }
    }

    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn key(&self) -> &Key {
        &self.key
    }

    /// Returns the additional height that the panel needs for its names and its label, and for its key if it draws one of its own.
    pub(super) fn extra(&self, slot: PanelSlot) -> f64 {
        let room = slot.width - self.left(slot) - self.right(slot);
        let below = self.hanging(room) + LINE * (self.x_label(slot.width, room).len() - 1) as f64;
        below + if slot.has_key { self.key.extra(room) } else { 0.0 }
    }

    /// Returns the least width at which no text in a cell runs into that of its neighbour.
    pub(super) fn least_width(&self, slot: PanelSlot) -> f64 {
        let texts = self.marks.iter().flat_map(|mark| match mark {
            Mark::Words(words) if !self.x.has_grid => &words[..],
            _ => &[],
        });
        let widest = texts.map(|words| width_of(&words.text, SIZE) + BETWEEN).fold(0.0, f64::max);
        let cells = self.x.scale.to() - self.x.scale.from();
        widest * cells + self.left(slot) + self.right(slot)
    }

    fn x_label(&self, width: f64, room: f64) -> Vec<String> {
        let most = if self.x.is_on_top { 1 } else { MOST_LINES };
        lines(&self.x.label, if self.rows.is_empty() { room + RIGHT } else { width }, SIZE, most)
    }

    /// Returns the lines of the label of the y axis, which are as long as the frame and the space above it.
    fn y_label(&self, slot: PanelSlot) -> Vec<String> {
        let spared = [
            (self.title.is_empty(), TITLE),
            (!slot.has_key, KEY),
            (self.x.label.is_empty() && !slot.has_key, TITLE),
        ];
        let spared: f64 = spared.iter().filter(|(is_spared, _)| *is_spared).map(|(_, height)| height).sum();
        lines(&self.y.label, self.height(slot.height) - BOTTOM + spared, SIZE, MOST_LINES)
    }

    fn label_width(&self, slot: PanelSlot) -> f64 {
        if self.y.label.is_empty() { 8.0 } else { 11.0 + LINE * self.y_label(slot).len() as f64 }
    }

    /// Returns the height of the panel: that of its rows, or the given one.
    pub(super) fn height(&self, given: f64) -> f64 {
        let untitled = if self.title.is_empty() { TITLE } else { 0.0 };
        let around = TOP - untitled - KEY + BOTTOM;
        match self.rows.len() {
            0 => given.max(around + self.least * self.y.ticks.len() as f64),
            rows => around + rows as f64 * rows::HEIGHT,
        }
    }

    /// Draws the panel as high as its row of panels; the upper left corner is the origin.
    pub(super) fn draw(&self, svg: &mut Svg, slot: PanelSlot, height: f64) {
        let PanelSlot { width, has_key, .. } = slot;
        let (left, right) = (self.left(slot), self.right(slot));
        let room = width - left - right;
        let untitled = if self.title.is_empty() { TITLE } else { 0.0 };
        let (above, hanging) = (if has_key { self.key.extra(room) } else { -KEY }, self.hanging(room));
        let top = TOP - untitled + above;
        let title = "font-size=\"12\" font-weight=\"bold\"";
        svg.words((left, 13.0), Anchor::Start, title, &fit(&self.title, room, 12.6));
        if has_key {
            self.key.draw(svg, (left, 25.0 - untitled), room);
        }
        let unlabelled = if self.x.label.is_empty() && !has_key { TITLE } else { 0.0 };
        let label = self.x_label(width, room);
        let below = hanging + LINE * (label.len() - 1) as f64;
        let height = (height - top - BOTTOM + unlabelled - below).max(1.0);
        let inside = PlotArea { width: room, height, x: &self.x, y: &self.y };
        let lowered = if self.x.is_on_top { BOTTOM - MARGIN } else { 0.0 };
        svg.open(left, top + lowered);
        match &self.message {
            Some(message) => draw_message(svg, &inside, message),
            None => {
                self.draw_grid(svg, &inside);
                for mark in &self.marks {
                    inside.draw(svg, mark);
                }
                self.draw_x_axis(svg, &inside, hanging);
                self.draw_x_label(svg, &inside, left, &label, hanging);
                self.draw_y_axis(svg, &inside, slot);
                rows::draw(svg, &self.rows, (room, height), [left, right]);
            }
        }
        if self.rows.is_empty() {
            svg.rect((0.0, 0.0), inside.width, inside.height, FRAME);
        } else {
            let axis = if self.x.is_on_top { 0.0 } else { inside.height };
            svg.line((0.0, axis), (inside.width, axis), TICK);
        }
        svg.close();
    }

    /// Returns the width left of the y axis, which is greater if its names are long.
    pub(super) fn left(&self, slot: PanelSlot) -> f64 {
        if !self.rows.is_empty() {
            return rows::left(&self.rows, slot.width);
        }
        let widest = self.y.ticks.iter().map(|tick| width_of(&tick.label, SIZE)).fold(0.0, f64::max);
        (widest + self.label_width(slot)).min(slot.width * NAMES).max(LEFT)
    }

    /// Returns the width right of the frame, which is greater if texts stand beside rows.
    pub(super) fn right(&self, slot: PanelSlot) -> f64 {
        if self.rows.is_empty() { RIGHT } else { rows::right(&self.rows, slot.width) }
    }

    /// Returns the additional height of slanted names along the x axis; 0 if they are not slanted.
    fn hanging(&self, room: f64) -> f64 {
        if self.x.has_grid || self.x.is_on_top {
            return 0.0;
        }
        let place = |tick: &Tick| self.x.scale.position(tick.value) * room;
        let slot = self.x.ticks.windows(2).map(|pair| place(&pair[1]) - place(&pair[0]));
        let slot = slot.fold(room, f64::min) - 3.0;
        let widest = self.x.ticks.iter().map(|tick| width_of(&tick.label, SIZE)).fold(0.0, f64::max);
        if widest <= slot { 0.0 } else { (widest * SLANT.to_radians().sin()).min(HANGING) }
    }

    fn draw_grid(&self, svg: &mut Svg, inside: &PlotArea<'_>) {
        for tick in self.x.ticks.iter().filter(|_| self.x.has_grid) {
            let x = inside.x(tick.value);
            svg.line((x, 0.0), (x, inside.height), GRID);
        }
        for tick in self.y.ticks.iter().filter(|_| self.y.has_grid) {
            let y = inside.y(tick.value);
            svg.line((0.0, y), (inside.width, y), GRID);
        }
    }

    fn draw_x_axis(&self, svg: &mut Svg, inside: &PlotArea<'_>, hanging: f64) {
        let is_on_top = self.x.is_on_top;
        let (bottom, outwards) = if is_on_top { (0.0, -4.0) } else { (inside.height, 4.0) };
        // A text that would overlap the one before it is left out.
        let mut taken = f64::NEG_INFINITY;
        for tick in &self.x.ticks {
            let x = inside.x(tick.value);
            svg.line((x, bottom), (x, bottom + outwards), TICK);
            if hanging > 0.0 {
                let label = fit(&tick.label, hanging / SLANT.to_radians().sin(), SIZE);
                svg.words_slanted((x + 3.0, bottom + 12.0), SLANT, &label);
                continue;
            }
            let half = width_of(&tick.label, SIZE) / 2.0;
            if x - half > taken {
                let base = if is_on_top { bottom - 6.0 } else { bottom + 14.0 };
                svg.words((x, base), Anchor::Middle, "", &tick.label);
                taken = x + half + 2.0;
            }
        }
    }

    fn draw_x_label(&self, svg: &mut Svg, inside: &PlotArea<'_>, left: f64, label: &[String], hanging: f64) {
        // Between rows' names and numbers a long label keeps to the panel.
        let half = label.iter().map(|line| width_of(line, SIZE)).fold(0.0, f64::max) / 2.0;
        let least = if self.rows.is_empty() { 0.0 } else { half - left };
        let middle = (inside.width / 2.0).max(least);
        let base = if self.x.is_on_top { -20.0 } else { inside.height + 29.0 + hanging };
        for (at, line) in label.iter().enumerate() {
            svg.words((middle, base + LINE * at as f64), Anchor::Middle, "", line);
        }
    }

    fn draw_y_axis(&self, svg: &mut Svg, inside: &PlotArea<'_>, slot: PanelSlot) {
        let left = self.left(slot);
        let room = left - self.label_width(slot);
        for tick in &self.y.ticks {
            let y = inside.y(tick.value);
            svg.line((-4.0, y), (0.0, y), TICK);
            svg.words((-6.0, y + 3.5), Anchor::End, "", &fit(&tick.label, room, SIZE));
        }
        for (at, line) in self.y_label(slot).iter().enumerate() {
            svg.words_upwards((14.0 - left + LINE * at as f64, inside.height / 2.0), line);
        }
    }
}

fn draw_message(svg: &mut Svg, inside: &PlotArea<'_>, message: &str) {
    let lines = wrap(message, (inside.width * LETTERS / 100.0) as usize, "");
    for (at, line) in lines.iter().enumerate() {
        let middle = (inside.width / 2.0, inside.height / 2.0 + 13.0 * at as f64);
        svg.words(middle, Anchor::Middle, "fill-opacity=\"0.75\"", line);
    }
}
