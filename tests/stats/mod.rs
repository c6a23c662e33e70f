//! The statistics compared with independent software, certified values and general properties.

mod bootstrapped;
mod caution;
mod certified;
mod edges;
mod fixtures;
mod independent;
mod properties;
mod ranked;
mod saturated;
mod series;
mod verdicts;
