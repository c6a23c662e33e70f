//! A panel: a title, two axes, marks, and a key that names them.

use super::axis::Axis;
use super::mark::{Area, Fill, Mark, Point, Stroke};
use super::svg::{Anchor, Svg};
use super::thin::thin;

/// A plot of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    title: String,
    x: Axis,
    y: Axis,
    marks: Vec<Mark>,
    key: Vec<(Sample, String)>,
    message: Option<String>,
}

/// What stands beside a name in the key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sample {
    Line(Stroke),
    Area(Fill),
}

impl Sample {
    /// Returns how wide it is drawn.
    fn width(self) -> f64 {
        match self {
            Sample::Line(_) => 20.0,
            Sample::Area(_) => 10.0,
        }
    }
}

/// Room around the marks for title, key, ticks and labels.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 38.0;
const BOTTOM: f64 = 38.0;
/// Width of a letter, about: what a key takes is not worth measuring.
const LETTER: f64 = 5.2;

const FRAME: &str = "fill=\"none\" stroke=\"#000\" stroke-width=\"0.8\"";
const BORDER: &str = "fill=\"none\" stroke=\"#444\" stroke-width=\"0.5\"";
const GRID: &str = "stroke=\"#ddd\" stroke-width=\"0.5\"";
const TICK: &str = "stroke=\"#000\" stroke-width=\"0.8\"";

impl Panel {
    /// Returns a panel without marks.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel { title: title.into(), x, y, marks: Vec::new(), key: Vec::new(), message: None }
    }

    /// Returns a panel that says why there is nothing to show.
    pub fn without(title: impl Into<String>, reason: impl Into<String>) -> Panel {
        let axis = Axis { ticks: Vec::new(), ..Axis::linear("", 0.0, 1.0) };
        Panel { message: Some(reason.into()), ..Panel::new(title, axis.clone(), axis) }
    }

    /// Adds straight lines through points, with a name in the key.
    #[must_use]
    pub fn line(self, name: &str, stroke: Stroke, points: Vec<Point>) -> Panel {
        self.named(Sample::Line(stroke), name).mark(Mark::Line(stroke, points))
    }

    /// Adds values that hold from their point until the next, with a name in the key.
    #[must_use]
    pub fn steps(self, name: &str, stroke: Stroke, points: Vec<Point>) -> Panel {
        self.named(Sample::Line(stroke), name).mark(Mark::Steps(stroke, points))
    }

    /// Adds rectangles.
    #[must_use]
    pub fn areas(self, areas: Vec<Area>) -> Panel {
        self.mark(Mark::Areas(areas))
    }

    /// Names a fill in the key.
    #[must_use]
    pub fn fill(self, name: &str, fill: Fill) -> Panel {
        self.named(Sample::Area(fill), name)
    }

    /// Adds a mark without a name.
    #[must_use]
    pub fn mark(mut self, mark: Mark) -> Panel {
        self.marks.push(mark);
        self
    }

    fn named(mut self, sample: Sample, name: &str) -> Panel {
        self.key.push((sample, name.into()));
        self
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Draws the panel into a rectangle whose upper left corner is at zero.
    pub fn draw(&self, svg: &mut Svg, width: f64, height: f64) {
        svg.words((LEFT, 13.0), Anchor::Start, "font-size=\"12\" font-weight=\"bold\"", &self.title);
        self.draw_key(svg);
        let inside = Inside { width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
        svg.open(LEFT, TOP);
        match &self.message {
            Some(message) => {
                let middle = (inside.width / 2.0, inside.height / 2.0);
                svg.words(middle, Anchor::Middle, "fill=\"#444\"", message);
            }
            None => {
                self.draw_grid(svg, &inside);
                for mark in &self.marks {
                    self.draw_mark(svg, &inside, mark);
                }
                self.draw_axes(svg, &inside);
            }
        }
        svg.rect((0.0, 0.0), inside.width, inside.height, FRAME);
        svg.close();
    }

    fn draw_key(&self, svg: &mut Svg) {
        let mut x = LEFT;
        let middle = 25.0;
        for (sample, name) in &self.key {
            match sample {
                Sample::Line(stroke) => {
                    svg.line((x, middle), (x + sample.width(), middle), stroke.attributes());
                }
                Sample::Area(fill) => {
                    svg.rect((x, middle - 4.0), sample.width(), 8.0, &fill.attributes());
                    svg.rect((x, middle - 4.0), sample.width(), 8.0, BORDER);
                }
            }
            x += sample.width() + 4.0;
            svg.words((x, middle + 3.5), Anchor::Start, "", name);
            x += LETTER * name.chars().count() as f64 + 10.0;
        }
    }

    fn draw_grid(&self, svg: &mut Svg, inside: &Inside) {
        for tick in self.x.ticks.iter().filter(|_| self.x.has_grid) {
            let x = inside.x(&self.x, tick.value);
            svg.line((x, 0.0), (x, inside.height), GRID);
        }
        for tick in self.y.ticks.iter().filter(|_| self.y.has_grid) {
            let y = inside.y(&self.y, tick.value);
            svg.line((0.0, y), (inside.width, y), GRID);
        }
    }

    fn draw_mark(&self, svg: &mut Svg, inside: &Inside, mark: &Mark) {
        let placed = |points: &[Point]| -> Vec<Point> {
            let place = |&(x, y): &Point| (inside.x(&self.x, x), inside.y(&self.y, y));
            thin(&points.iter().map(place).collect::<Vec<_>>())
        };
        match mark {
            Mark::Line(stroke, points) => svg.lines(&placed(points), stroke.attributes()),
            Mark::Steps(stroke, points) => svg.steps(&placed(points), stroke.attributes()),
            Mark::Areas(areas) => {
                for area in areas {
                    let (left, right) = (inside.x(&self.x, area.x.0), inside.x(&self.x, area.x.1));
                    let (low, high) = (inside.y(&self.y, area.y.0), inside.y(&self.y, area.y.1));
                    let (width, height) = (right - left, low - high);
                    if width > 0.0 && height > 0.0 {
                        svg.rect((left, high), width, height, &area.fill.attributes());
                    }
                }
            }
        }
    }

    fn draw_axes(&self, svg: &mut Svg, inside: &Inside) {
        let bottom = inside.height;
        for tick in &self.x.ticks {
            let x = inside.x(&self.x, tick.value);
            svg.line((x, bottom), (x, bottom + 4.0), TICK);
            svg.words((x, bottom + 14.0), Anchor::Middle, "", &tick.label);
        }
        for tick in &self.y.ticks {
            let y = inside.y(&self.y, tick.value);
            svg.line((-4.0, y), (0.0, y), TICK);
            svg.words((-6.0, y + 3.5), Anchor::End, "", &tick.label);
        }
        svg.words((inside.width / 2.0, bottom + 29.0), Anchor::Middle, "", &self.x.label);
        svg.words_upwards((14.0 - LEFT, bottom / 2.0), &self.y.label);
    }
}

/// The rectangle of the marks.
struct Inside {
    width: f64,
    height: f64,
}

impl Inside {
    fn x(&self, axis: &Axis, value: f64) -> f64 {
        axis.scale.position(value) * self.width
    }

    fn y(&self, axis: &Axis, value: f64) -> f64 {
        (1.0 - axis.scale.position(value)) * self.height
    }
}
