//! Tables that an experiment declares: which numbers they hold, their layout, and what a reader must know about them.
//!
//! A [`TableSpec`] is read from `[[table]]` and checked against [`Names`] before anything runs; [`table`]
//! fills it from a [`batchlab_study::study::Study`]. [`Published`] numbers can be compared with measured ones.

mod axis;
mod baseline;
mod best;
mod build;
mod caption;
mod cells;
mod check;
mod column;
mod crossing;
mod filled;
mod geometric;
mod labelled;
mod layout;
mod names;
mod notes;
mod pareto;
mod places;
mod published;
mod read;
mod rejected;
mod saturated;
mod spec;
mod statistics;
mod too_wide;
mod users;

pub use axis::Axis;
pub use baseline::Baseline;
pub use build::table;
pub(crate) use caption::experiment;
pub use cells::{Asks, CELLS, CellContent, CellKind, DEFAULT_CELL, Drawing, PolicyPlace};
pub use crossing::{CrossingSpec, SECTION as CROSSING, crossings, crossings_for_programs};
pub use names::Names;
pub use pareto::pareto;
pub use published::{Published, PublishedError, PublishedRow, compared};
pub use read::SECTION as TABLE;
pub(crate) use read::{found, labels, measured, parameter, position, positions, value, values};
pub use spec::{FamilyScope, Form, TableKind, TableSpec};
pub use statistics::{Statistic, statistics};
pub use users::users;
