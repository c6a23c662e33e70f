//! Rows of a panel: names left of the frame and numbers right of it, under headings, as in a forest plot.

use super::svg::{Anchor, Svg};
use super::text::{fit, width as width_of};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The name, left of the frame; that of a heading may reach into it.
    pub name: String,
    /// The text right of the frame.
    pub beside: String,
    pub is_heading: bool,
}

pub(super) const HEIGHT: f64 = 16.0;
/// Width by which names are indented below headings.
const INDENT: f64 = 8.0;
/// Width between the frame and the texts beside it.
const GAP: f64 = 8.0;
/// The greatest shares of the panel's width for names and for the texts beside.
const NAMES: f64 = 0.36;
const BESIDE: f64 = 0.34;
const SIZE: f64 = 10.0;
/// Factor by which bold letters are wider.
const BOLD: f64 = 1.08;
const GROUND: &str = "class=\"ground\" fill=\"#fff\"";
const RULE: &str = "stroke=\"currentColor\" stroke-opacity=\"0.35\" stroke-width=\"0.5\"";

/// Returns the position of a row along the y axis: the first row is the topmost.
pub fn row_y(rows: usize, row: usize) -> f64 {
    (rows - row) as f64 - 0.5
}

pub(super) fn left(rows: &[Row], width: f64) -> f64 {
    let names = rows.iter().filter(|row| !row.is_heading).map(|row| width_of(&row.name, SIZE));
    (names.fold(0.0, f64::max) + INDENT + GAP).min(width * NAMES)
}

pub(super) fn right(rows: &[Row], width: f64) -> f64 {
    let texts = rows.iter().map(|row| width_of(&row.beside, SIZE));
    (texts.fold(0.0, f64::max) + 1.5 * GAP).min(width * BESIDE)
}

/// Draws the rows around an area of marks whose upper left corner is the origin, with widths left and right of it.
pub(super) fn draw(svg: &mut Svg, rows: &[Row], (width, height): (f64, f64), [left, right]: [f64; 2]) {
    let each = height / rows.len().max(1) as f64;
    for (at, row) in rows.iter().enumerate() {
        let top = each * at as f64;
        let base = top + each / 2.0 + 3.5;
        let (indent, weight, room) = if row.is_heading {
            (0.0, "font-weight=\"bold\"", left + width - GAP)
        } else {
            (INDENT, "", left - INDENT - GAP)
        };
        if row.is_heading && at > 0 {
            svg.line((-left, top), (width + right, top), RULE);
        }
        let name = fit(&row.name, room, SIZE);
        if row.is_heading {
            // Hides the lines of the grid behind the part of the heading that reaches into the frame.
            let reach = (width_of(&name, SIZE) * BOLD - left + 2.0).max(0.0);
            svg.rect((0.0, top + 1.0), reach.min(width), each - 2.0, GROUND);
        }
        svg.words((indent - left, base), Anchor::Start, weight, &name);
        svg.words((width + GAP, base), Anchor::Start, "", &fit(&row.beside, right - GAP, SIZE));
    }
}
