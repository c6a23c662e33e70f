//! What can be wrong with an expression, in words.

use crate::nearest::meant;

use super::super::kind::Kind;

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A text beyond the limit.
    #[error("the expression is longer than {0} bytes")]
    TooLong(usize),
    /// Parentheses, signs or powers within each other beyond the limit.
    #[error("this is nested more than {0} levels deep")]
    TooDeep(usize),
    /// A character that the language does not have.
    #[error("`{0}` is not part of an expression")]
    Character(char),
    /// A name with characters that have another meaning, outside backquotes.
    #[error("`:` is not part of a word: write the column's name in backquotes, `{0}`")]
    Name(String),
    /// Another language's way to say it.
    #[error("`{given}` is not part of an expression: write {right}")]
    Foreign {
        /// What was written.
        given: String,
        /// How it is written here.
        right: &'static str,
    },
    /// A number followed by what is no unit.
    #[error(
        "`{given}` is no unit{}; times take ms, s, min, h, d, w, memory B, KB, MB, GB, TB, shares %",
        meant(*nearest)
    )]
    Unit {
        /// What was written.
        given: String,
        /// The most similar unit.
        nearest: Option<&'static str>,
    },
    /// A unit that stands apart from its number.
    #[error("a unit follows its number without a blank: write `{0}`")]
    UnitApart(String),
    /// A number beyond the largest float.
    #[error("the number is too large")]
    TooLarge,
    /// A text or a column name without its end.
    #[error("the closing {0} is missing")]
    Unclosed(char),
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What could stand here.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A chain of comparisons that does not go one way.
    #[error("compared values must go up, down or be equal all the way: join two comparisons by `and`")]
    Chain,
    /// A name that nothing has here.
    #[error("{place} has no field `{given}`{}", meant(nearest.as_deref()))]
    UnknownField {
        /// Where the expression is used.
        place: &'static str,
        /// What was written.
        given: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// A field that exists and may not be used here.
    #[error("`{field}` cannot be used here: {reason}")]
    Hidden {
        /// The field.
        field: String,
        /// Why.
        reason: String,
    },
    /// A function that nothing has here.
    #[error("unknown function `{given}`{}", meant(nearest.as_deref()))]
    UnknownFunction {
        /// What was written.
        given: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// Too few or too many arguments.
    #[error("write `{usage}`; here {given} {} given", if *given == 1 { "argument is" } else { "arguments are" })]
    Arguments {
        /// How the function is written.
        usage: String,
        /// The number of arguments that were given.
        given: usize,
    },
    /// An argument that the function does not have.
    #[error("`{function}` has no argument `{given}`{}; write `{usage}`", meant(nearest.as_deref()))]
    UnknownArgument {
        /// The function.
        function: String,
        /// What was written.
        given: String,
        /// The most similar argument.
        nearest: Option<String>,
        /// How the function is written.
        usage: String,
    },
    /// An argument that was given twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A value beyond what the argument accepts.
    #[error("`{argument}` must be {expected}")]
    Argument {
        /// The argument.
        argument: String,
        /// What is accepted.
        expected: String,
    },
    /// Two values that do not go together.
    #[error("{left} and {right} do not go together here")]
    Mixed {
        /// What the left one is.
        left: Kind,
        /// What the right one is.
        right: Kind,
    },
    /// A value of another kind is needed.
    #[error("this is {given}, and {expected} is needed{hint}")]
    Kind {
        /// What it is.
        given: Kind,
        /// What is needed.
        expected: &'static str,
        /// How to get from one to the other.
        hint: &'static str,
    },
    /// A text where it can stand for nothing.
    #[error(
        "a text can only be compared by `=`, `!=` or `in` with a field that has names (queue, partition)"
    )]
    Text,
    /// A text compared with a field whose values have no names.
    #[error("the log gives no names to the values of `{0}`: compare it with a number")]
    NoNames(String),
    /// A name that the log does not give.
    #[error("no {field} is called `{given}`{}; the log names {known}", meant(nearest.as_deref()))]
    UnknownName {
        /// The field.
        field: String,
        /// What was written.
        given: String,
        /// The most similar name.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// A name that the log gives to several values.
    #[error("several values of `{field}` are called `{given}`: {numbers}; compare it with a number")]
    Ambiguous {
        /// The field.
        field: String,
        /// What was written.
        given: String,
        /// The values.
        numbers: String,
    },
    /// A date that is none.
    #[error("write a date as \"2006-12-18\" or \"2006-12-18 07:00\"")]
    Date,
    /// A date without a calendar.
    #[error("the log does not say when its zero was (UnixStartTime), so no date can be found in it")]
    NoCalendar,
    /// A value that must not depend on the job.
    #[error("this must be a constant")]
    Constant,
    /// A range whose end lies below its start.
    #[error("the range is empty: its end lies below its start")]
    EmptyRange,
    /// A draw where nothing may depend on chance.
    #[error("`{0}` draws at random, and only augmentation may depend on chance")]
    Draw(String),
}

/// How much of what was written an error repeats, in characters.
const REPEATED: usize = 40;

/// Returns what was written, for an error to repeat; cut when it is long.
pub(in crate::expr) fn repeated(text: &str) -> String {
    match text.char_indices().nth(REPEATED) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.into(),
    }
}
