//! What must hold whatever the jobs.

mod anything;
mod equalities;
mod extremes;
mod promises;
mod samples;
mod shaking;
mod sharing;
