//! The problems of expressions, in words.

use crate::nearest::meant;

use crate::expr::kind::ExprType;

/// A problem of an expression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A text longer than the limit.
    #[error("the expression is longer than {0} bytes")]
    TooLong(usize),
    /// Parentheses, signs or powers nested more deeply than the limit.
    #[error("this is nested more than {0} levels deep")]
    TooDeep(usize),
    /// A character that is not part of the language.
    #[error("`{0}` is not part of an expression")]
    Character(char),
    /// A name with characters of another meaning, outside backquotes.
    #[error("`:` is not part of a word: write the column's name in backquotes, `{0}`")]
    Name(String),
    /// The spelling of another language.
    #[error("`{given}` is not part of an expression: write {right}")]
    Foreign {
        /// What was written.
        given: String,
        /// How it is written here.
        right: &'static str,
    },
    /// A number followed by something other than a unit.
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
    /// A unit separated from its number.
    #[error("a unit follows its number without a blank: write `{0}`")]
    UnitApart(String),
    /// A number beyond the largest float.
    #[error("the number is too large")]
    TooLarge,
    /// An unterminated text or column name.
    #[error("the closing {0} is missing")]
    Unclosed(char),
    /// Something else is expected here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What is expected here.
        expected: &'static str,
        /// What is found here.
        found: String,
    },
    /// A chain of comparisons that does not point one way.
    #[error("compared values must go up, down or be equal all the way: join two comparisons by `and`")]
    Chain,
    /// A name that does not exist in this context.
    #[error("{place} has no field `{given}`{}", meant(nearest.as_deref()))]
    UnknownField {
        /// Where the expression is used.
        place: &'static str,
        /// What was written.
        given: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// A field that exists but may not be used in this context.
    #[error("`{field}` cannot be used here: {reason}")]
    Hidden {
        /// The field.
        field: String,
        /// Why.
        reason: String,
    },
    /// A function that does not exist in this context.
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
    /// Two values whose units conflict.
    #[error("{left} and {right} do not go together here")]
    Mixed {
        /// The kind of the left value.
        left: ExprType,
        /// The kind of the right value.
        right: ExprType,
    },
    /// A value of another kind is needed.
    #[error("this is {given}, and {expected} is needed{hint}")]
    Kind {
        /// The kind given.
        given: ExprType,
        /// The kind needed.
        expected: &'static str,
        /// How to get from one to the other.
        hint: &'static str,
    },
    /// A text in a place where it has no meaning.
    #[error(
        "a text can only be compared by `=`, `!=` or `in` with a field that has names (queue, partition)"
    )]
    Text,
    /// A text compared with a field whose values have no names.
    #[error("the log gives no names to the values of `{0}`: compare it with a number")]
    NoNames(String),
    /// A name that the log does not define.
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
    /// An invalid date.
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
    /// A draw in a context where nothing may be random.
    #[error("`{0}` draws at random, and only augmentation may depend on chance")]
    Draw(String),
}

/// The most characters of the given text that an error repeats.
const REPEATED: usize = 40;

/// Returns given text for an error to repeat; truncated if it is long.
pub fn repeated(text: &str) -> String {
    match text.char_indices().nth(REPEATED) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.into(),
    }
}
