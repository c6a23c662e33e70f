//! What tables say in words: sentences of clauses, which the notes of a paper join, shorten and say once.

use std::fmt;

/// What a sentence begins with whose clauses hold for all workloads.
pub const EVERY_WORKLOAD: &str = "every workload: ";

/// A clause of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clause {
    /// The words below a table; empty for a clause that only the notes of a paper have.
    pub text: String,
    /// The words in the notes of a paper if they differ; empty if a paper does without.
    pub paper: Option<String>,
    /// The heading of which it says the meaning; empty for most.
    pub defines: &'static str,
    /// Whether a sentence that begins with it begins with a capital letter: it does not begin with a name.
    pub is_prose: bool,
}

impl Clause {
    /// Returns a clause that does not begin with a name.
    pub fn prose(text: impl Into<String>) -> Clause {
        Clause { is_prose: true, ..Clause::from(text) }
    }

    /// Returns the clause with other words in the notes of a paper.
    #[must_use]
    pub fn in_a_paper(self, words: impl Into<String>) -> Clause {
        Clause { paper: Some(words.into()), ..self }
    }

    /// Returns the words in the notes of a paper.
    pub fn paper(&self) -> &str {
        self.paper.as_ref().unwrap_or(&self.text)
    }
}

impl<T: Into<String>> From<T> for Clause {
    fn from(text: T) -> Clause {
        Clause { text: text.into(), ..Clause::default() }
    }
}

/// A sentence without its full stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// What it begins with, such as "KTH: "; repeated with the clauses that only some tables of a paper have.
    pub of: String,
    /// What stands between its clauses.
    pub joint: &'static str,
    /// Its clauses, each of which stands for itself.
    pub clauses: Vec<Clause>,
}

impl Sentence {
    /// Returns a sentence of clauses that a semicolon separates.
    pub fn new(of: impl Into<String>, clauses: impl IntoIterator<Item = Clause>) -> Sentence {
        Sentence { of: of.into(), joint: "; ", clauses: clauses.into_iter().collect() }
    }

    /// Changes its texts; they become one if they are changed otherwise together than each by itself.
    pub(super) fn change(&mut self, shown: &dyn Fn(&str) -> String) {
        let whole = shown(&self.to_string());
        let texts = self.clauses.iter_mut().flat_map(|of| std::iter::once(&mut of.text).chain(&mut of.paper));
        texts.chain([&mut self.of]).for_each(|text| *text = shown(text));
        if self.to_string() != whole {
            *self = whole.into();
        }
    }
}

impl<T: Into<Clause>> From<T> for Sentence {
    fn from(clause: T) -> Sentence {
        Sentence::new("", [clause.into()])
    }
}

/// Writes it as it stands below a table.
impl fmt::Display for Sentence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = self.of.as_str();
        for clause in self.clauses.iter().filter(|clause| !clause.text.is_empty()) {
            write!(out, "{before}{}", clause.text)?;
            before = self.joint;
        }
        Ok(())
    }
}
