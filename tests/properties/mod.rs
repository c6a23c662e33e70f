//! Properties that must hold for any jobs.

mod aida;
mod anything;
mod cancelled;
mod capacity;
mod dependent;
mod equalities;
mod extremes;
mod gang;
mod leinberger;
mod limits;
mod machines;
mod naive;
mod nodes;
mod packing;
mod plans;
mod promises;
mod reservations;
pub mod samples;
mod setia;
mod shaking;
mod sharing;
mod sites;
mod streams;
mod suspension;
