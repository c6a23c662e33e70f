//! Texts that live as long as the program: the names and parameters of plug-ins.
//!
//! The built-in policies are constants, and so are their names and texts. The texts of plug-ins are kept
//! forever too, each text once: their number grows with the plug-ins named, not with the jobs replayed.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Returns the text, kept for the life of the program.
pub fn intern(text: &str) -> &'static str {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.into());
    texts.insert(kept);
    kept
}
