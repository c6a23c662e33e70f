//! Oddities of the input: what was found, where, how often, what was done, what to do.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::number::grouped;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing; nothing was changed. Strict reading lets it pass.
    Note,
    /// Something was dropped, mended or guessed. Strict reading refuses it.
    Warning,
    /// Something that shifts every result. Strict reading refuses it.
    Loud,
}

/// A kind of oddity: one constant next to the code that detects it.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Stable name, for scripts and tests.
    pub code: &'static str,
    /// How much it matters.
    pub level: Level,
    /// What was found, as a fragment; words that agree with the number as `{one|several}`: "{line|lines}
    /// with fewer than 18 fields".
    pub what: &'static str,
    /// What was done about it, in the same form: "the missing fields count as unknown".
    pub done: &'static str,
    /// What the user can do.
    pub advice: &'static str,
}

/// Defines kinds of findings, one per paragraph: name, level, code, what was found, what was done, what to do.
#[macro_export]
macro_rules! kinds {
    ($($name:ident: $level:ident $code:literal, $what:expr, $done:expr, $advice:expr;)+) => {
        $(#[doc = concat!("`", $code, "`")]
        pub static $name: $crate::Kind = $crate::Kind {
            code: $code,
            level: $crate::Level::$level,
            what: $what,
            done: $done,
            advice: $advice,
        };)+
    };
}

impl Kind {
    /// Returns what was found, in words that agree with the number: "line with fewer than 18 fields".
    pub fn what(&self, count: u64) -> String {
        agreeing(self.what, count)
    }

    /// Returns what was done, in words that agree with the number.
    pub fn done(&self, count: u64) -> String {
        agreeing(self.done, count)
    }

    /// Returns what to do, in words that agree with the number.
    pub fn advice(&self, count: u64) -> String {
        agreeing(self.advice, count)
    }
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SourcePlace {
    /// The file as the user named it.
    pub file: Arc<str>,
    /// Line from 1; 0 if the finding is about the whole file.
    pub line: u32,
    /// Column (byte of the line) from 1; 0 if the finding is about the whole line.
    pub column: u32,
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}", self.file),
            (line, 0) => write!(f, "{}:{line}", self.file),
            (line, column) => write!(f, "{}:{line}:{column}", self.file),
        }
    }
}

/// One example of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Where.
    pub place: Option<SourcePlace>,
    /// The particulars: the job, the value, the token.
    pub detail: String,
}

impl Example {
    /// Returns an example without a place.
    pub fn of(detail: impl Into<String>) -> Example {
        Example { place: None, detail: detail.into() }
    }

    /// Returns an example at a place.
    pub fn at(place: &SourcePlace, detail: impl Into<String>) -> Example {
        Example { place: Some(place.clone()), detail: detail.into() }
    }
}

#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: &'static Kind,
    pub count: u64,
    pub examples: Vec<Example>,
}

const EXAMPLES: usize = 3;

/// Writes "warning\[swf-short-line\]: 3 lines with ...", then the first place, what was done and what to do.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.kind.level {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Loud => "WARNING",
        };
        let (count, what, done) =
            (grouped(self.count), self.kind.what(self.count), self.kind.done(self.count));
        write!(f, "{level}[{}]: {count} {what}: {done}", self.kind.code)?;
        for example in &self.examples {
            write!(f, "\n  ")?;
            if let Some(place) = &example.place {
                write!(f, "{place}: ")?;
            }
            write!(f, "{}", example.detail)?;
        }
        if self.examples.len() == EXAMPLES && self.count > EXAMPLES as u64 {
            write!(f, "\n  and {} more", grouped(self.count - self.examples.len() as u64))?;
        }
        write!(f, "\n  help: {}", self.kind.advice(self.count))
    }
}

/// Serializes the keys `code level count what done advice examples`.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Finding", 7)?;
        object.serialize_field("code", self.kind.code)?;
        object.serialize_field("level", &self.kind.level)?;
        object.serialize_field("count", &self.count)?;
        object.serialize_field("what", &self.kind.what(self.count))?;
        object.serialize_field("done", &self.kind.done(self.count))?;
        object.serialize_field("advice", &self.kind.advice(self.count))?;
        object.serialize_field("examples", &self.examples)?;
        object.end()
    }
}

/// Strict reading refused at its first finding.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("refused by --strict: {0}")]
pub struct Refusal(pub Box<Finding>);

/// Findings grouped by kind, in the order in which each kind was first seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    list: Vec<Finding>,
    strict: bool,
    complete: bool,
    total: u64,
}

impl Findings {
    /// Returns an empty, lenient collection: everything is counted, nothing is refused.
    pub fn lenient() -> Findings {
        Findings::default()
    }

    /// Returns an empty collection that refuses at the first warning.
    pub fn strict() -> Findings {
        Findings { strict: true, ..Findings::default() }
    }

    /// Returns an empty, lenient collection that keeps every example.
    pub fn complete() -> Findings {
        Findings { complete: true, ..Findings::default() }
    }

    /// Counts one occurrence; `example` is called for the first few only.
    ///
    /// # Errors
    /// In strict mode, on every kind above [`Level::Note`].
    pub fn report(&mut self, kind: &'static Kind, example: impl FnOnce() -> Example) -> Result<(), Refusal> {
        self.report_many(kind, 1, example)
    }

    /// Counts several occurrences of a kind, with one example.
    ///
    /// # Errors
    /// In strict mode, on every kind above [`Level::Note`].
    pub fn report_many(
        &mut self,
        kind: &'static Kind,
        count: u64,
        example: impl FnOnce() -> Example,
    ) -> Result<(), Refusal> {
        let mut example = Some(example);
        self.add(kind, count, &mut || example.take().map(|example| example()))
    }

    /// The same, compiled once for all examples; `example` is called once at most.
    fn add(
        &mut self,
        kind: &'static Kind,
        count: u64,
        example: &mut dyn FnMut() -> Option<Example>,
    ) -> Result<(), Refusal> {
        if count == 0 {
            return Ok(());
        }
        // In nearly all calls this is the same constant as before.
        let same = self.list.iter().position(|finding| std::ptr::eq(finding.kind, kind));
        let alike = || self.list.iter().position(|finding| finding.kind.code == kind.code);
        let at = same.or_else(alike).unwrap_or_else(|| {
            self.list.push(Finding { kind, count: 0, examples: Vec::new() });
            self.list.len() - 1
        });
        let finding = &mut self.list[at];
        finding.count += count;
        self.total += count;
        if self.complete || finding.examples.len() < EXAMPLES {
            finding.examples.extend(example());
        }
        if self.strict && kind.level > Level::Note {
            return Err(Refusal(Box::new(finding.clone())));
        }
        Ok(())
    }

    /// Removes the findings of a kind, for example in favour of a more specific one.
    pub fn withdraw(&mut self, kind: &Kind) {
        self.list.retain(|finding| finding.kind.code != kind.code);
    }

    /// Adds the findings of another stage.
    pub fn extend(&mut self, other: Findings) {
        self.total += other.total;
        for theirs in other.list {
            match self.list.iter_mut().find(|ours| ours.kind.code == theirs.kind.code) {
                None => self.list.push(theirs),
                Some(ours) => {
                    ours.count += theirs.count;
                    ours.examples.extend(theirs.examples);
                    ours.examples.truncate(EXAMPLES);
                }
            }
        }
    }

    /// Returns the findings, one of each kind.
    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    pub(crate) fn details(&mut self) -> impl Iterator<Item = &mut String> {
        self.list.iter_mut().flat_map(|finding| &mut finding.examples).map(|example| &mut example.detail)
    }

    /// Returns the number of occurrences of all kinds.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the number of occurrences of a kind.
    pub fn count(&self, code: &str) -> u64 {
        self.list.iter().find(|finding| finding.kind.code == code).map_or(0, |finding| finding.count)
    }
}

/// Chooses between the two forms of every `{one|several}`.
fn agreeing(text: &str, count: u64) -> String {
    let mut chosen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, choice, after)) = next_choice(rest) {
        chosen.push_str(before);
        chosen.push_str(if count == 1 { choice.0 } else { choice.1 });
        rest = after;
    }
    chosen + rest
}

/// Splits at the first `{one|several}`: the text before it, its forms, the text behind it.
fn next_choice(text: &str) -> Option<(&str, (&str, &str), &str)> {
    let (before, rest) = text.split_once('{')?;
    let (choice, after) = rest.split_once('}')?;
    Some((before, choice.split_once('|')?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    static TORN: Kind = Kind {
        code: "torn",
        level: Level::Warning,
        what: "{line that breaks|lines that break} off",
        done: "left out, {it is|they are} not whole",
        advice: "fetch the log again",
    };
    static ODD: Kind =
        Kind { code: "odd", level: Level::Note, what: "odd lines", done: "kept", advice: "nothing" };

    fn at(line: u32) -> Example {
        Example {
            place: Some(SourcePlace { file: "a.swf".into(), line, column: 4 }),
            detail: format!("`{line}x`"),
        }
    }

    #[test]
    fn a_kind_is_counted_with_its_first_examples() {
        let mut findings = Findings::lenient();
        for line in 1..=5 {
            findings.report(&TORN, || at(line)).unwrap();
        }
        assert_eq!(findings.count("torn"), 5);
        assert_eq!(
            findings.list()[0].to_string(),
            "warning[torn]: 5 lines that break off: left out, they are not whole\n  a.swf:1:4: `1x`\n  \
             a.swf:2:4: `2x`\n  a.swf:3:4: `3x`\n  and 2 more\n  help: fetch the log again"
        );
    }

    #[test]
    fn a_complete_collection_keeps_every_example() {
        let mut findings = Findings::complete();
        for line in 1..=5 {
            findings.report(&TORN, || at(line)).unwrap();
        }
        assert_eq!((findings.list()[0].examples.len(), findings.count("torn")), (5, 5));
    }

    #[test]
    fn one_is_spoken_of_as_one_and_thousands_are_parted() {
        let first = |count| {
            let mut findings = Findings::lenient();
            findings.report_many(&TORN, count, || at(1)).unwrap();
            findings.list()[0].to_string().lines().next().unwrap().to_owned()
        };
        assert_eq!(first(1), "warning[torn]: 1 line that breaks off: left out, it is not whole");
        assert_eq!(first(12_003), "warning[torn]: 12,003 lines that break off: left out, they are not whole");
        for unfinished in ["a {b", "a {b} c", "a | b}"] {
            assert_eq!(agreeing(unfinished, 1), unfinished);
        }
    }

    #[test]
    fn strict_refuses_warnings_and_lets_notes_pass() {
        let mut findings = Findings::strict();
        assert!(findings.report(&ODD, || at(1)).is_ok());
        assert!(findings.report(&TORN, || at(2)).is_err());
    }
}
