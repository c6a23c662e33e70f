//! What must hold whatever the jobs.

mod anything;
mod equalities;
mod extremes;
mod leinberger;
mod naive;
mod nodes;
mod packing;
mod promises;
mod samples;
mod shaking;
mod sites;
mod sharing;
