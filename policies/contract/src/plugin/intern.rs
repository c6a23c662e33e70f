//! Texts that live as long as the program: the names and parameters of plug-ins.
//!
//! The built-in policies are constants, and so are their names and texts. The texts and parameters of plug-ins are kept
//! forever too, each once: their number grows with the plug-ins named, not with the replays, nor with the jobs replayed.

use std::sync::{Mutex, PoisonError};

use batchlab_traces::sorted::SortedSet;

use crate::spec::ParamSpec;

static TEXTS: Mutex<SortedSet<&'static str>> = Mutex::new(SortedSet::new());

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

/// Slices, each once.
struct Kept<T: 'static>(Mutex<Vec<&'static [T]>>);

static PARAMS: Kept<ParamSpec> = Kept(Mutex::new(Vec::new()));

static WORDS: Kept<&str> = Kept(Mutex::new(Vec::new()));

impl<T: Clone + PartialEq> Kept<T> {
    fn keep(&self, items: &[T]) -> &'static [T] {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.iter().find(|known| ***known == *items) {
            return known;
        }
        let kept: &'static [T] = Vec::leak(items.to_vec());
        all.push(kept);
        kept
    }
}

/// Returns the parameters, kept for the life of the program. O(different ones that are kept).
pub fn intern_params(params: &[ParamSpec]) -> &'static [ParamSpec] {
    PARAMS.keep(params)
}

/// Returns the words, kept for the life of the program. O(different lists that are kept).
pub fn intern_words(words: &[String]) -> &'static [&'static str] {
    let words: Vec<&'static str> = words.iter().map(|word| intern(word)).collect();
    WORDS.keep(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_are_kept_once() {
        let params = || intern_params(&[ParamSpec::PLAIN, ParamSpec::PLAIN]);
        assert!(std::ptr::eq(params(), params()) && params() == [ParamSpec::PLAIN, ParamSpec::PLAIN]);
        let words = || intern_words(&["slow".into(), "fast".into()]);
        assert!(std::ptr::eq(words(), words()) && words() == ["slow", "fast"]);
    }
}
