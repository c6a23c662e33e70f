//! Marks in a panel, in the units of its axes.

use super::look;

/// A point: x and y.
pub type Point = (f64, f64);

/// The look of a line; all differ without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    Solid,
    Dashed,
    Dotted,
    /// A thick line.
    Heavy,
    /// A thin grey line, for reference.
    Thin,
    /// The look of one of several distinguished things, by its position; see [`look::LOOKS`](super::LOOKS).
    Of(usize),
}

/// The look of an area; all differ without colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    Dark,
    /// Light grey, with a border.
    Light,
    /// Diagonal lines, with a border.
    Hatched,
    /// A shade from that of the background (0) to nearly that of the ink (1).
    Shade(f64),
    /// The colour of a series by its position, from none (0) to the strongest on which text is legible (1).
    Tint(usize, f64),
    /// The look of one of several distinguished things, by its position.
    Of(usize),
    /// The colour of a series by its position, with an opacity.
    Flat(usize, f64),
    /// The same, with an outline of the full colour.
    Boxed(usize, f64),
    /// A band around the line of one of several distinguished things.
    Band(usize),
    /// The background colour with a border: hides what is behind it.
    Blank,
    /// The background colour without a border.
    Ground,
    /// A hypothetical position: grey without a border.
    Ghost,
    /// The same with its outline, for keys.
    Reserved,
    /// The outline of a hypothetical position, drawn above areas that hide it.
    Outline,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// The ends along the x axis.
    pub x: (f64, f64),
    /// The ends along the y axis.
    pub y: (f64, f64),
    pub fill: Fill,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    pub at: Point,
    /// Whether it is an outline only.
    pub is_hollow: bool,
    pub title: String,
}

/// A range along y at a value of x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerticalRange {
    pub x: f64,
    pub low: f64,
    pub high: f64,
}

/// A range along x at a value of y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HorizontalRange {
    pub y: f64,
    pub low: f64,
    pub high: f64,
}

/// A text centred at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMark {
    pub at: Point,
    /// Vertical offset downwards, in lines of text.
    pub below: f64,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Line(Stroke, Vec<Point>),
    /// Values that hold from their point until the next point; x ascends.
    Steps(Stroke, Vec<Point>),
    /// Rectangles: bars, cells of a heat map, jobs of a Gantt chart.
    Areas(Vec<Area>),
    /// Rectangles with tooltips.
    Titled(Vec<(Area, String)>),
    /// Rectangles with one look, drawn as one outline.
    Tiles(Fill, Vec<Area>),
    /// A band between the lower and the upper ends of ranges; x ascends.
    Band(usize, Vec<VerticalRange>),
    /// Lines with caps at both ends: intervals of bars and points.
    Whiskers(Stroke, Vec<VerticalRange>),
    /// Lines along x with caps at both ends, or arrows where they reach beyond the axis.
    Ranges(Stroke, Vec<HorizontalRange>),
    /// Markers of one of several distinguished things.
    Dots(usize, Vec<Dot>),
    Words(Vec<TextMark>),
}

impl Stroke {
    pub(super) fn attributes(self) -> String {
        let plain = |width: &str| format!("fill=\"none\" stroke=\"currentColor\" stroke-width=\"{width}\"");
        match self {
            Stroke::Solid => plain("1.2"),
            Stroke::Dashed => plain("1.2") + " stroke-dasharray=\"6 3\"",
            Stroke::Dotted => plain("1.2") + " stroke-dasharray=\"1.5 2.5\"",
            Stroke::Heavy => plain("2.4"),
            Stroke::Thin => plain("0.8") + " stroke-opacity=\"0.5\"",
            Stroke::Of(look) => look::line(look),
        }
    }

    /// Returns the attributes of a solid line of the same colour, for short lines.
    pub(super) fn undashed(self) -> String {
        let ink = if let Stroke::Of(look) = self { look::ink(look) + " " } else { String::new() };
        format!("{ink}fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.9\"")
    }
}

impl Fill {
    pub(super) fn attributes(self) -> String {
        let border = "stroke=\"currentColor\" stroke-width=\"0.5\"";
        match self {
            Fill::Dark => "fill=\"currentColor\" fill-opacity=\"0.75\"".into(),
            Fill::Light => format!("fill=\"currentColor\" fill-opacity=\"0.13\" {border}"),
            Fill::Hatched => format!("fill=\"url(#hatch)\" {border}"),
            Fill::Shade(depth) => format!("fill=\"currentColor\" fill-opacity=\"{}\"", opacity(depth)),
            Fill::Tint(look, strength) => {
                format!("{} fill=\"currentColor\" fill-opacity=\"{}\"", look::ink(look), tint(strength))
            }
            Fill::Flat(look, opacity) => {
                format!(
                    "{} fill=\"currentColor\" fill-opacity=\"{}\"",
                    look::ink(look),
                    thousandths(opacity.clamp(0.0, 1.0))
                )
            }
            Fill::Boxed(look, opacity) => {
                // Many outlines in ink would stand out more than areas in colour.
                let faint = if look == 0 && opacity > 0.0 { " stroke-opacity=\"0.5\"" } else { "" };
                let around = "stroke=\"currentColor\" stroke-width=\"0.4\"";
                format!("{} {around}{faint}", Fill::Flat(look, opacity).attributes())
            }
            Fill::Of(look) => look::bar(look),
            Fill::Band(look) => look::band(look),
            Fill::Blank => format!("class=\"ground\" fill=\"#fff\" {border}"),
            Fill::Ground => "class=\"ground\" fill=\"#fff\"".into(),
            Fill::Outline => format!("fill=\"none\" {border} stroke-dasharray=\"1.5 1.5\""),
            Fill::Reserved => {
                format!("fill=\"currentColor\" fill-opacity=\"0.2\" {border} stroke-dasharray=\"1.5 1.5\"")
            }
            Fill::Ghost => "fill=\"currentColor\" fill-opacity=\"0.2\"".into(),
        }
    }
}

/// Prints the opacity of a shade, with three decimals.
fn opacity(depth: f64) -> String {
    let depth = if depth.is_nan() { 0.0 } else { depth.clamp(0.0, 1.0) };
    thousandths(depth * 0.92)
}

/// Returns the opacity of a tint, in thousandths.
fn tint(strength: f64) -> String {
    let strength = if strength.is_nan() { 0.0 } else { strength.clamp(0.0, 1.0) };
    thousandths(strength * look::TINT)
}

fn thousandths(opacity: f64) -> String {
    let printed = format!("{opacity:.3}");
    printed.trim_end_matches('0').trim_end_matches('.').into()
}
