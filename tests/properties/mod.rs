//! What must hold whatever the jobs.

mod anything;
mod equalities;
mod extremes;
mod promises;
mod reservations;
mod samples;
mod shaking;
