//! Properties that must hold for any jobs.

mod aida;
mod anything;
mod cancelled;
mod capacity;
mod combined;
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
mod priorities;
mod promises;
mod reservations;
pub mod samples;
mod setia;
mod shaking;
mod sharing;
pub mod sites;
mod slurm;
mod streams;
mod suspension;
