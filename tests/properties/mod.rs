//! What must hold whatever the jobs.

mod anything;
mod equalities;
mod extremes;
mod nodes;
mod promises;
mod samples;
mod shaking;
