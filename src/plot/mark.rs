//! What is drawn in a panel, in the units of its axes.

/// A point: x and y.
pub type Point = (f64, f64);

/// How a line looks; all differ without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// One line.
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// A thin grey line, for reference.
    Thin,
}

/// How an area looks; all differ without colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Dark grey.
    Dark,
    /// Light grey, with a border.
    Light,
    /// Diagonal lines, with a border.
    Hatched,
    /// From white (0) to nearly black (1).
    Shade(f64),
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// From where to where along the x axis.
    pub x: (f64, f64),
    /// From where to where along the y axis.
    pub y: (f64, f64),
    /// How it looks.
    pub fill: Fill,
}

/// Something that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Points joined by straight lines; x ascends.
    Line(Stroke, Vec<Point>),
    /// Values that hold from their point until the next; x ascends.
    Steps(Stroke, Vec<Point>),
    /// Rectangles: bars, cells of a heat map, jobs of a Gantt chart.
    Areas(Vec<Area>),
}

impl Stroke {
    /// Returns the attributes of a line.
    pub(super) fn attributes(self) -> &'static str {
        match self {
            Stroke::Solid => "fill=\"none\" stroke=\"#000\" stroke-width=\"1.2\"",
            Stroke::Dashed => "fill=\"none\" stroke=\"#000\" stroke-width=\"1.2\" stroke-dasharray=\"6 3\"",
            Stroke::Dotted => {
                "fill=\"none\" stroke=\"#000\" stroke-width=\"1.2\" stroke-dasharray=\"1.5 2.5\""
            }
            Stroke::Thin => "fill=\"none\" stroke=\"#888\" stroke-width=\"0.8\"",
        }
    }
}

impl Fill {
    /// Returns the attributes of an area.
    pub(super) fn attributes(self) -> String {
        match self {
            Fill::Dark => "fill=\"#444\"".into(),
            Fill::Light => "fill=\"#ddd\" stroke=\"#444\" stroke-width=\"0.5\"".into(),
            Fill::Hatched => "fill=\"url(#hatch)\" stroke=\"#444\" stroke-width=\"0.5\"".into(),
            Fill::Shade(depth) => {
                let depth = if depth.is_nan() { 0.0 } else { depth.clamp(0.0, 1.0) };
                let grey = (255.0 - depth * 235.0).round() as u8;
                format!("fill=\"#{grey:02x}{grey:02x}{grey:02x}\"")
            }
        }
    }
}
