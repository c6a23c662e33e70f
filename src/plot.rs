//! Plots as SVG: a page of panels, each with two axes and marks, in black and white.
//!
//! The same data gives the same bytes: coordinates are hundredths of a pixel, text stays text, and nothing is
//! fetched from elsewhere. A curve of any number of points is drawn with at most four for each half pixel,
//! and looks the same.

mod axis;
mod mark;
mod page;
mod panel;
mod scale;
mod svg;
mod thin;
mod ticks;

pub use axis::Axis;
pub use mark::{Area, Fill, Mark, Point, Stroke};
pub use page::Page;
pub use panel::Panel;
pub use scale::Scale;
pub use svg::{Anchor, Svg};
pub use ticks::Tick;

#[cfg(test)]
mod tests;
