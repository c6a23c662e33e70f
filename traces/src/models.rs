//! Workload models: one file each, and one line in [`MODELS`].
//!
//! A model draws jobs (submit time, size, run time, class). The parts common to all models (estimates, users, the header that
//! states how the file was made) are added here, so that a model's file contains the model alone.

mod aida;
mod downey;
mod draw;
mod error;
mod estimates;
mod feitelson;
mod header;
pub mod jann;
mod lublin;
mod param;
mod setia;
mod settings;
mod spec;
pub mod tsafrir;
mod users;
mod zhang;

pub use error::ModelError;
pub use param::{ModelParamKind, Param};
pub use settings::ModelSettings;
pub use spec::{DrawnJob, Fitted, GeneratedJobs, ModelClass, ModelSpec, Request};

use crate::nearest::nearest;

/// All models, in the order in which they are listed.
pub static MODELS: &[ModelSpec] = &[
    lublin::SPEC,
    feitelson::SPEC_96,
    feitelson::SPEC_97,
    downey::SPEC,
    jann::SPEC,
    aida::SPEC,
    zhang::SPEC,
    setia::SPEC,
];

/// Returns a model by name.
pub fn find(name: &str) -> Result<&'static ModelSpec, ModelError> {
    let names = || MODELS.iter().map(|model| model.name);
    MODELS.iter().find(|model| model.name == name).ok_or_else(|| ModelError::UnknownModel {
        given: name.into(),
        nearest: nearest(name, names()),
        known: names().collect::<Vec<_>>().join(", "),
    })
}

#[cfg(test)]
mod checks;
#[cfg(test)]
mod tests;
