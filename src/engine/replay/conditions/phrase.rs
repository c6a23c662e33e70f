//! One condition in words.

use serde::{Deserialize, Serialize};

/// One condition in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// Its subject: one word, the same at every point of a sweep.
    pub about: String,
    /// The words; numbers are separated by spaces.
    pub text: String,
    /// Whether it is the default, which is not mentioned unless another point differs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_silent: bool,
}

impl Phrase {
    /// Returns a condition.
    pub fn new(about: impl Into<String>, text: impl Into<String>) -> Phrase {
        Phrase { about: about.into(), text: text.into(), is_silent: false }
    }

    /// Returns the condition, marked as a default if `is_silent`.
    #[must_use]
    pub fn silent_if(self, is_silent: bool) -> Phrase {
        Phrase { is_silent, ..self }
    }
}
