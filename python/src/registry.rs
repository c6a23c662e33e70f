//! The policies, formats and metrics of this process.

use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use batchlab::Registry;
use batchlab::catalogue::Catalogue;
use batchlab::policies::external::About;
use batchlab::policies::registry::SpecError;

use crate::course::Course;
use crate::guest::{Guest, Hosted};

/// What the library has, and policies in Python.
struct Known {
    registry: Registry,
    hosted: Vec<(About, Arc<Hosted>)>,
}

static KNOWN: LazyLock<RwLock<Known>> =
    LazyLock::new(|| RwLock::new(Known { registry: Registry::builtin(), hosted: Vec::new() }));

/// Returns them for some work, which interrupts its policies in Python.
pub fn of(course: &Arc<Course>) -> Registry {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    let catalogue = Catalogue::of_user(|name| std::env::var_os(name));
    let mut registry = known.registry.clone().with_catalogue(catalogue);
    for (about, hosted) in &known.hosted {
        // Accepted when it was registered.
        let _ = registry.host_policy(about.clone(), guest(hosted, course));
    }
    registry
}

/// Adds a policy in Python for all later work; it takes the place of one with the same name.
///
/// # Errors
/// When a policy of another kind, or an order, has the name.
pub fn add(about: About, hosted: Hosted) -> Result<(), SpecError> {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let hosted = Arc::new(hosted);
    known.registry.clone().host_policy(about.clone(), guest(&hosted, &Arc::default()))?;
    known.hosted.retain(|(other, _)| other.name != about.name);
    known.hosted.push((about, hosted));
    Ok(())
}

fn guest(hosted: &Arc<Hosted>, course: &Arc<Course>) -> Arc<Guest> {
    Arc::new(Guest { hosted: Arc::clone(hosted), course: Arc::clone(course) })
}
