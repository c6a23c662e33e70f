//! Plots as SVG: a page of panels, each with two axes and marks, legible in black and white.
//!
//! The same data gives the same bytes: coordinates are hundredths of a pixel, text stays text, and nothing is
//! fetched from elsewhere. A curve of any number of points is thinned to at most four points for each half
//! pixel, without a visible difference.
//!
//! Ink is `currentColor`, so that one file suits light and dark pages; six looks differ by colour, dash, marker and
//! pattern. `pdf` makes a PDF of the SVG element by element: an element that it does not know is an error, and a test
//! makes a PDF of every kind of plot. `png`, with the feature of that name, makes a PNG.
#![allow(missing_docs)] // Names of fields and variants say what is drawn.

mod axis;
mod draw;
mod font;
mod key;
mod look;
mod mark;
mod page;
mod panel;
mod pdf;
mod picture;
#[cfg(feature = "png")]
mod png;
mod rows;
mod scale;
mod svg;
mod text;
mod thin;
mod ticks;

pub use axis::Axis;
pub use look::{LOOKS, SHEET, TINT, patterns};
pub use mark::{Area, Dot, Fill, HorizontalRange, Mark, Point, Stroke, TextMark, VerticalRange};
pub use page::{FigureSize, Page, PageLayout};
pub use panel::Panel;
pub use pdf::pdf;
pub use picture::Picture;
pub use rows::{Row, row_y};
pub use scale::Scale;
pub use svg::{Anchor, Svg};
pub use ticks::Tick;

#[cfg(test)]
mod tests;
