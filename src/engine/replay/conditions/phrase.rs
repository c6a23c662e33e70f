use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// Its subject: one word, the same at every point of a sweep.
    pub about: String,
    /// The words; numbers are separated by spaces.
    pub text: String,
    /// Whether it is the default, which is not mentioned unless another point differs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_silent: bool,
    /// What was put in the place of the jobs' data, with the number of jobs; part of the words, too.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub replaced: String,
}

impl Phrase {
    pub fn new(about: impl Into<String>, text: impl Into<String>) -> Phrase {
        Phrase { about: about.into(), text: text.into(), is_silent: false, replaced: String::new() }
    }

    /// Returns the condition with what was put in the place of the jobs' data, in parentheses.
    #[must_use]
    pub fn replacing(self, replaced: &str) -> Phrase {
        let text = if replaced.is_empty() { self.text } else { format!("{} ({replaced})", self.text) };
        Phrase { text, replaced: replaced.into(), ..self }
    }

    /// Returns the words without what was put in the place of the jobs' data.
    pub fn rule(&self) -> &str {
        self.text.strip_suffix(&format!(" ({})", self.replaced)).unwrap_or(&self.text)
    }

    /// Returns the condition, marked as a default if `is_silent`.
    #[must_use]
    pub fn silent_if(self, is_silent: bool) -> Phrase {
        Phrase { is_silent, ..self }
    }
}
