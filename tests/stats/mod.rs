//! The statistics against independent software, certified values and what must hold of any sample.

mod bootstrapped;
mod certified;
mod edges;
mod fixtures;
mod independent;
mod properties;
mod series;
