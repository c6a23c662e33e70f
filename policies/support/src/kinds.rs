//! One policy for any number of resources: compiled for a few fixed numbers; other numbers are padded with zeros.

use crate::policy::Policy;
use crate::spec::{BuildError, Setting};

/// A policy that can be created for any fixed number of resources.
pub trait ForKinds {
    /// Creates it for K resources.
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError>;
}

/// The numbers of resources for which policies are compiled; each adds to the size of the program.
const COMPILED: &[usize] = &[1, 8, 64];

/// Creates a policy for the machine of a setting; a machine with one resource has the cost of one.
///
/// # Errors
/// When it cannot work in the setting, or a node of the machine has more than 64 resources and devices.
pub fn for_kinds(setting: &Setting<'_>, make: &impl ForKinds) -> Result<Box<dyn Policy>, BuildError> {
    let width = setting.machine.width();
    match COMPILED.iter().find(|&&kinds| width <= kinds) {
        Some(1) => make.build::<1>(setting),
        Some(8) => make.build::<8>(setting),
        Some(_) => make.build::<64>(setting),
        None => Err(BuildError::Unfit(format!(
            "{width} resources and devices of a node; built-in policies take up to 64"
        ))),
    }
}
