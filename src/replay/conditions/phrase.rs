//! One condition in words.

use serde::{Deserialize, Serialize};

/// One condition in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// What it is about: one word, the same at every point.
    pub about: String,
    /// The words; numbers stand between spaces.
    pub text: String,
    /// Whether it is the default, which goes without saying unless another point has something else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_silent: bool,
}

impl Phrase {
    /// Returns a condition.
    pub fn new(about: impl Into<String>, text: impl Into<String>) -> Phrase {
        Phrase { about: about.into(), text: text.into(), is_silent: false }
    }

    /// Returns the condition as one that goes without saying, if it does.
    #[must_use]
    pub fn silent_if(self, is_silent: bool) -> Phrase {
        Phrase { is_silent, ..self }
    }
}
