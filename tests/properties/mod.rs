//! What must hold whatever the jobs.

mod anything;
mod equalities;
mod extremes;
mod naive;
mod packing;
mod promises;
mod samples;
mod shaking;
