//! The sources of definitions.

/// The source of a definition: its words, and the keys of the published works that they name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The source in words.
    pub words: &'static str,
    /// Keys of the works, as in the bibliography of the package `batchlab`; `None` if the definition comes
    /// from outside of this workspace, so that only the words can name works.
    pub works: Option<&'static [&'static str]>,
}

impl Citation {
    /// Returns a source with the keys of its works; no keys if nothing is published about it.
    pub const fn of(words: &'static str, keys: &'static [&'static str]) -> Citation {
        Citation { words, works: Some(keys) }
    }

    /// Returns the source of a definition from outside of this workspace, such as a plug-in's. Works are sought in its words.
    pub const fn foreign(words: &'static str) -> Citation {
        Citation { words, works: None }
    }
}
