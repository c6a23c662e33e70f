//! The policies, formats and metrics of this process.

use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use batchlab::Registry;
use batchlab::catalogue::Catalogue;
use batchlab::policies::external::About;
use batchlab::policies::registry::SpecError;

use crate::course::Course;
use crate::guest::{Guest, Hosted};

struct Known {
    registry: Registry,
    hosted: Vec<(About, Arc<Hosted>)>,
}

static KNOWN: LazyLock<RwLock<Known>> =
    LazyLock::new(|| RwLock::new(Known { registry: Registry::builtin(), hosted: Vec::new() }));

/// What the library has, and policies in Python, which the work interrupts.
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

/// Adds a policy in Python for all later work, in the place of one with the same name; a name of an order, or of a policy
/// of another kind, is an error.
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
