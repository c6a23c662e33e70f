//! Lists of classes, in the form of options and files: presets, and named conditions.

use batchlab_traces::expr::{ExprError, Vocabulary};

use super::class::{Class, ClassPreset, UnknownClasses};

#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClassesError {
    #[error(transparent)]
    Unknown(#[from] UnknownClasses),
    #[error("{name}:\n{error}")]
    Condition { name: String, error: ExprError },
    #[error("{name} is defined twice")]
    Twice { name: String },
}

/// Returns the classes of a list of presets and `NAME=CONDITION`; conditions may use the names of the vocabulary.
pub fn classes(texts: &[String], vocabulary: &Vocabulary) -> Result<Vec<Class>, ClassesError> {
    let mut classes: Vec<Class> = Vec::new();
    for text in texts {
        match named(text) {
            None => classes.extend((ClassPreset::find(text)?.classes)()),
            Some((name, condition)) => {
                let class = Class::of(name, condition, vocabulary);
                let wrong = |error| ClassesError::Condition { name: name.into(), error };
                classes.push(class.map_err(wrong)?);
            }
        }
    }
    let is_known = |at: usize| classes[..at].iter().any(|earlier| earlier.name == classes[at].name);
    match (1..classes.len()).find(|&at| is_known(at)) {
        Some(at) => Err(ClassesError::Twice { name: classes[at].name.clone() }),
        None => Ok(classes),
    }
}

/// Splits `NAME=CONDITION`; `None` for a text that does not begin with a name and a single equals sign.
fn named(text: &str) -> Option<(&str, &str)> {
    let (name, condition) = text.split_once('=')?;
    let name = name.trim();
    let word =
        !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter));
    (word && !condition.starts_with('=')).then_some((name, condition))
}
