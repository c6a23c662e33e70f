//! The registry: the available policies, formats and metrics, including those of a user's crate.

use std::ops::{Deref, DerefMut};

use batchlab_engine::Inventory;
use batchlab_policies::external::{About, Ceilings, Opens};
use batchlab_policies::registry::Policies;

use crate::catalogue::Catalogue;
pub use batchlab_engine::RegisterError;

/// The policies, log formats and metrics of a program: the built-in ones, and those registered in addition.
///
/// Registered entries are treated like built-in ones: they are listed, suggested in errors, detected from a
/// log's content, and measured. `examples/site` is a complete program with one of each.
#[derive(Clone, Debug)]
pub struct Registry(Inventory);

impl Default for Registry {
    fn default() -> Registry {
        Registry::builtin()
    }
}

impl Registry {
    /// Returns a registry of everything built in.
    pub fn builtin() -> Registry {
        let mut policies = batchlab_policies::Registry::builtin();
        let registered = policies.register(batchlab_slurm::SPEC);
        debug_assert!(registered.is_ok(), "no other policy has the name");
        Registry(Inventory::new(policies.into()))
    }

    /// Allows plug-ins in native code.
    #[must_use]
    pub fn allow_native(self) -> Registry {
        Registry(self.0.with_policies(Policies::allow_native))
    }

    /// Allows plug-ins that run as separate processes.
    #[must_use]
    pub fn allow_exec(self) -> Registry {
        Registry(self.0.with_policies(Policies::allow_exec))
    }

    /// Restricts which plug-ins are opened; specs of others choose a placeholder that cannot be replayed.
    #[must_use]
    pub fn opening(self, opens: Opens) -> Registry {
        Registry(self.0.with_policies(|policies| policies.opening(opens)))
    }

    /// Takes these descriptions of commands in place of starting them.
    #[must_use]
    pub fn knowing(self, described: Vec<(String, About)>) -> Registry {
        Registry(self.0.with_policies(|policies| policies.knowing(described)))
    }

    /// Refuses specs that set a plug-in's limit above these values; used for specs in files.
    #[must_use]
    pub fn within(self, ceilings: Ceilings) -> Registry {
        Registry(self.0.with_policies(|policies| policies.within(ceilings)))
    }

    /// Takes a catalogue of logs by name in the place of the present one, which has no cache at first.
    #[must_use]
    pub fn with_catalogue(self, catalogue: Catalogue) -> Registry {
        Registry(self.0.with_catalogue(catalogue))
    }
}

impl Deref for Registry {
    type Target = Inventory;

    fn deref(&self) -> &Inventory {
        &self.0
    }
}

impl DerefMut for Registry {
    fn deref_mut(&mut self) -> &mut Inventory {
        &mut self.0
    }
}
