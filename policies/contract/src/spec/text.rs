//! The text of a spec, split into its name and its `key=value` pairs.

use std::fmt;
use std::str::FromStr;

/// The carriers of plug-ins, each with an example and the option that allows it; the text after the colon is not a pair.
pub const CARRIED: &[(&str, &str, Option<&str>)] = &[
    ("wasm", "wasm:policy.wasm", None),
    ("so", "so:policy.so", Some("--allow-native")),
    ("exec", "exec:(python3 policy.py)", Some("--allow-exec")),
    ("batsim", "batsim:(pybatsim scheduler.py -s {endpoint})", Some("--allow-exec")),
    (HOST, "python:mine", None),
];

/// The name before the colon for policies that the library's host registers: a Python interpreter, by the package `batchlab`.
pub const HOST: &str = "python";

/// A spec as written: a name and pairs; parentheses protect commas, colons and equals signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecText {
    /// The policy's name, or that of a carrier.
    pub name: String,
    /// What a carrier is to load, without its protecting parentheses.
    pub subject: Option<String>,
    /// The pairs in the order written.
    pub pairs: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its parts are")]
pub enum TextError {
    #[error("a policy spec starts with a name: name:key=value,key=value")]
    NoName,
    #[error("`{0}:` wants something to load, as in {1}")]
    NoSubject(&'static str, &'static str),
    #[error("`{0}` is not a key=value pair")]
    NoPair(String),
    #[error("`{0}` is given twice")]
    Twice(String),
    #[error("the parentheses of `{0}` do not match")]
    Parentheses(String),
}

impl FromStr for SpecText {
    type Err = TextError;
    fn from_str(text: &str) -> Result<SpecText, TextError> {
        let text = text.trim();
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim(), rest),
            None => (text, ""),
        };
        if name.is_empty() {
            return Err(TextError::NoName);
        }
        let carrier = CARRIED.iter().find(|(carrier, ..)| *carrier == name);
        let mut parts = split_outside(rest)?.into_iter().map(str::trim).filter(|part| !part.is_empty());
        let subject = carrier
            .map(|(carrier, example, _)| parts.next().ok_or(TextError::NoSubject(carrier, example)))
            .transpose()?
            .map(|subject| bare(subject).trim().to_owned());
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(|| TextError::NoPair(part.into()))?;
            let (key, value) = (key.trim(), value.trim());
            if key.is_empty() {
                return Err(TextError::NoPair(part.into()));
            }
            if pairs.iter().any(|(known, _)| known == key) {
                return Err(TextError::Twice(key.into()));
            }
            pairs.push((key.into(), value.into()));
        }
        Ok(SpecText { name: name.into(), subject, pairs })
    }
}

impl fmt::Display for SpecText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.subject {
            Some(subject) if subject.contains([',', '(', ')', ' ']) => write!(f, ":({subject})")?,
            Some(subject) => write!(f, ":{subject}")?,
            None => {}
        }
        for (index, (key, value)) in self.pairs.iter().enumerate() {
            let first = index == 0 && self.subject.is_none();
            write!(f, "{}{key}={value}", if first { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// Removes the parentheses that protect a spec within another, or a subject.
pub fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

/// Whether a value is the spec of a plug-in, judged by its carrier.
pub fn is_carried(value: &str) -> bool {
    let carrier = bare(value).split_once(':').map_or("", |(carrier, _)| carrier.trim());
    CARRIED.iter().any(|(name, ..)| *name == carrier)
}

fn split_outside(text: &str) -> Result<Vec<&str>, TextError> {
    let unmatched = || TextError::Parentheses(text.into());
    let (mut parts, mut depth, mut from) = (Vec::new(), 0usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or_else(unmatched)?,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(unmatched());
    }
    parts.push(&text[from..]);
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parentheses_protect_commas() {
        let spec: SpecText = "easy:order=expr(min(wait,procs)),threshold=3600".parse().unwrap();
        assert_eq!(spec.name, "easy");
        assert_eq!(spec.pairs[0], ("order".into(), "expr(min(wait,procs))".into()));
        assert_eq!(spec.to_string(), "easy:order=expr(min(wait,procs)),threshold=3600");
    }

    #[test]
    fn what_a_carrier_loads_stands_before_the_pairs() {
        let spec: SpecText = "exec:(python3 my.py -n 3),k=2".parse().unwrap();
        assert_eq!((spec.name.as_str(), spec.subject.as_deref()), ("exec", Some("python3 my.py -n 3")));
        assert_eq!(spec.to_string(), "exec:(python3 my.py -n 3),k=2");
        let spec: SpecText = "wasm:a:b.wasm#sjf".parse().unwrap();
        assert_eq!((spec.subject.as_deref(), spec.pairs.len()), (Some("a:b.wasm#sjf"), 0));
        let error = "wasm:".parse::<SpecText>().unwrap_err().to_string();
        assert_eq!(error, "`wasm:` wants something to load, as in wasm:policy.wasm");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| text.parse::<SpecText>().unwrap_err().to_string();
        assert_eq!(error(":k=1"), "a policy spec starts with a name: name:key=value,key=value");
        assert_eq!(error("depth:k"), "`k` is not a key=value pair");
        assert_eq!(error("depth:k=1,k=2"), "`k` is given twice");
        assert_eq!(error("easy:order=expr(1"), "the parentheses of `order=expr(1` do not match");
    }

    proptest! {
        #[test]
        fn a_spec_printed_back_reads_the_same(text in "[a-z:=,()0-9 -]{0,40}") {
            if let Ok(spec) = text.parse::<SpecText>() {
                prop_assert_eq!(spec.to_string().parse::<SpecText>(), Ok(spec));
            }
        }
    }
}
