//! One policy for any number of resources: compiled for a few fixed numbers; other numbers are padded with
//! zeros.

use crate::policy::Policy;
use crate::spec::{BuildError, Setting};

/// A policy that can be created for any fixed number of resources.
pub trait ForKinds {
    /// Creates it for K resources.
    ///
    /// # Errors
    /// When it cannot work in the setting.
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError>;
}

/// Creates a policy for the machine of a setting; a machine with one resource has the cost of one.
///
/// # Errors
/// When it cannot work in the setting, or a node of the machine has more than 64 resources and devices.
pub fn for_kinds(setting: &Setting<'_>, make: &impl ForKinds) -> Result<Box<dyn Policy>, BuildError> {
    match setting.machine.width() {
        1 => make.build::<1>(setting),
        2 => make.build::<2>(setting),
        3..=4 => make.build::<4>(setting),
        5..=8 => make.build::<8>(setting),
        9..=16 => make.build::<16>(setting),
        17..=64 => make.build::<64>(setting),
        more => Err(BuildError::Unfit(format!(
            "{more} resources and devices of a node; built-in policies take up to 64"
        ))),
    }
}
