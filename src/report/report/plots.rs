//! Plots declared in an experiment: checked before anything runs, drawn from its results.
//!
//! A [`PlotSpec`] is read with the experiment. It names the [details](batchlab_study::experiment::detail) that it needs and their replays;
//! [`draw`] makes a [`Page`](batchlab_engine::plot::Page) of a [`Study`](batchlab_study::study::Study). A policy has the same look in all
//! plots of an experiment. A kind of plot is one file, its `mod` line, and one line in [`KINDS`].

mod accuracy;
mod accuracy_cdf;
mod bars;
mod boxes;
mod caption;
mod cdf;
mod chart;
mod density;
mod dimensions;
mod forest;
mod gantt;
mod heatmap;
mod job_boxes;
mod job_scatter;
mod keys;
mod kind;
mod letters;
mod lines;
mod load_grid;
mod lorenz;
mod page;
mod pooled;
mod promise_cdf;
mod quantity;
mod ranks;
mod read;
mod registry;
mod scatter;
mod scene;
mod selection;
mod spec;
mod timeline;
mod user_cdf;
mod weeks;
mod window;

pub use chart::{Chart, Colour, Reservations};
pub use gantt::page as gantt_page;
pub use keys::SECTION;
pub use kind::{PlotKind, Subject};
pub use page::draw;
pub use registry::KINDS;
pub use scene::Details;
pub use selection::{Dimension, PlotCell, Selection};
pub use spec::PlotSpec;
pub use timeline::page as timeline_page;
pub use window::windows;

#[cfg(test)]
mod tests;
