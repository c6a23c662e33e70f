//! What must hold whatever the jobs.

mod aida;
mod anything;
mod equalities;
mod extremes;
mod promises;
mod samples;
mod shaking;
