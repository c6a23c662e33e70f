//! The registry: the built-in policies, to which those of a user's crate are added.

#[cfg(test)]
mod tests;

use std::ops::{Deref, DerefMut};

use crate::external::{Ceilings, Opens};
use crate::spec::PolicySpec;
pub use batchlab_support::registry::{BuiltIn, NameTaken, Policies, SpecError};

const POLICIES: &[PolicySpec] = &[
    crate::queue::fcfs::SPEC,
    crate::queue::first_fit::SPEC,
    crate::backfill::easy::SPEC,
    crate::backfill::depth::SPEC,
    crate::backfill::conservative::SPEC,
    crate::backfill::selective::SPEC,
    crate::backfill::selective_suspension::SPEC,
    crate::backfill::slack::SPEC,
    crate::backfill::relaxed::SPEC,
    crate::backfill::lookahead::SPEC,
    crate::aida::mpfs::SPEC,
    crate::aida::lpfs::SPEC,
    crate::aida::fpfs::SPEC,
    crate::aida::fpmpfs::SPEC,
    crate::aida::fplpfs::SPEC,
    crate::leinberger::ff_easy::SPEC,
    crate::leinberger::ff_cons::SPEC,
    crate::leinberger::bl_easy::SPEC,
    crate::leinberger::bb_easy::SPEC,
    crate::sheikhalishahi::mcbp::SPEC,
    crate::sheikhalishahi::bkfl::SPEC,
    crate::setia::dhc::SPEC,
    crate::zhang::bf::SPEC,
    crate::zhang::gs::SPEC,
    crate::zhang::bgs::SPEC,
    crate::zhang::mgs::SPEC,
    crate::zhang::mbgs::SPEC,
    crate::limits::SPEC,
];

const BUILT_IN: BuiltIn = BuiltIn {
    policies: POLICIES,
    in_order: crate::queue::fcfs::SPEC,
    predicting: crate::backfill::easy::SPEC,
    // Tsafrir, Etsion, Feitelson 2007.
    labels: &[
        ("easy++", "easy:candidates=sjf,predictor=last2,corrector=increment"),
        ("easy+", "easy:predictor=last2,corrector=increment"),
        ("easy-sjbf", "easy:candidates=sjf"),
        ("sjbf", "easy:candidates=sjf"),
    ],
};

/// A set of policies by name: the built-in ones, and those registered in addition.
#[derive(Clone, Debug)]
pub struct Registry(Policies);

impl Default for Registry {
    fn default() -> Registry {
        Registry::builtin()
    }
}

impl Registry {
    pub fn builtin() -> Registry {
        Registry(Policies::new(BUILT_IN))
    }

    /// As [`Policies::allow_native`].
    #[must_use]
    pub fn allow_native(self) -> Registry {
        Registry(self.0.allow_native())
    }

    /// As [`Policies::allow_exec`].
    #[must_use]
    pub fn allow_exec(self) -> Registry {
        Registry(self.0.allow_exec())
    }

    /// As [`Policies::opening`].
    #[must_use]
    pub fn opening(self, opens: Opens) -> Registry {
        Registry(self.0.opening(opens))
    }

    /// As [`Policies::within`].
    #[must_use]
    pub fn within(self, ceilings: Ceilings) -> Registry {
        Registry(self.0.within(ceilings))
    }
}

impl Deref for Registry {
    type Target = Policies;

    fn deref(&self) -> &Policies {
        &self.0
    }
}

impl DerefMut for Registry {
    fn deref_mut(&mut self) -> &mut Policies {
        &mut self.0
    }
}

impl From<Registry> for Policies {
    fn from(registry: Registry) -> Policies {
        registry.0
    }
}
