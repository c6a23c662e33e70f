use std::fmt;

/// A parameter of a model.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key of `key=value`.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: ModelParamKind,
    /// The value used if it is not set; setting it to this value changes nothing.
    pub default: &'static str,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
}

impl Param {
    pub(super) const fn of(name: &'static str, kind: ModelParamKind, default: &'static str) -> Param {
        Param { name, kind, default, help: "" }
    }

    pub(super) const fn help(self, help: &'static str) -> Param {
        Param { help, ..self }
    }

    /// Joins lists of `N` parameters in all.
    pub(super) const fn joined<const N: usize>(parts: &[&[Param]]) -> [Param; N] {
        let mut all = [parts[0][0]; N];
        let (mut at, mut part) = (0, 0);
        while part < parts.len() {
            let mut from = 0;
            while from < parts[part].len() {
                all[at] = parts[part][from];
                at += 1;
                from += 1;
            }
            part += 1;
        }
        all
    }
}

/// The values that a parameter accepts.
#[derive(Clone, Copy, Debug)]
pub enum ModelParamKind {
    /// A number within inclusive bounds.
    #[allow(missing_docs)]
    Number { least: f64, most: f64 },
    /// A whole number within inclusive bounds.
    #[allow(missing_docs)]
    Count { least: u64, most: u64 },
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any other form.
    Form {
        /// The accepted values, to end the sentence "the value must be …".
        expected: &'static str,
        /// Whether a value is accepted.
        valid: fn(&str) -> bool,
    },
}

impl ModelParamKind {
    /// Whether a value is accepted.
    pub fn accepts(&self, value: &str) -> bool {
        match self {
            ModelParamKind::Number { least, most } => {
                value.parse::<f64>().is_ok_and(|number| (*least..=*most).contains(&number))
            }
            ModelParamKind::Count { least, most } => {
                value.parse::<u64>().is_ok_and(|count| (*least..=*most).contains(&count))
            }
            ModelParamKind::Word(words) => words.contains(&value),
            ModelParamKind::Form { valid, .. } => valid(value),
        }
    }
}

/// Writes the accepted values, to end the sentence "the value must be …".
impl fmt::Display for ModelParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelParamKind::Number { least, most } => write!(f, "a number from {least} to {most}"),
            ModelParamKind::Count { least, most } => write!(f, "a whole number from {least} to {most}"),
            ModelParamKind::Word(words) => write!(f, "one of {}", words.join(", ")),
            ModelParamKind::Form { expected, .. } => f.write_str(expected),
        }
    }
}
