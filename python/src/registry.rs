//! The policies, formats and metrics of this process.

use std::sync::{LazyLock, PoisonError, RwLock};

use batchlab::Registry;

static REGISTRY: LazyLock<RwLock<Registry>> = LazyLock::new(|| RwLock::new(Registry::builtin()));

/// Returns them as they are now.
pub fn now() -> Registry {
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Changes them for all later calls.
pub fn change<T>(change: impl FnOnce(&mut Registry) -> T) -> T {
    change(&mut REGISTRY.write().unwrap_or_else(PoisonError::into_inner))
}
