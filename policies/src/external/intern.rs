//! Texts that live as long as the program: what plug-ins call themselves and their parameters.
//!
//! The built-in policies are constants, and so is all that they say about themselves. What a plug-in says is kept for
//! ever too, each text once: there are as many as plug-ins are named, not as jobs are replayed.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Returns the text, kept for ever.
pub fn intern(text: &str) -> &'static str {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.into());
    texts.insert(kept);
    kept
}
