//! What must hold whatever the jobs.

mod aida;
mod anything;
mod equalities;
mod extremes;
mod gang;
mod leinberger;
mod machines;
mod naive;
mod nodes;
mod packing;
mod promises;
mod reservations;
pub mod samples;
mod setia;
mod shaking;
mod sharing;
mod sites;
mod suspension;
