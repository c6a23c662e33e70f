use crate::nearest::meant;

use crate::expr::kind::ExprType;

/// A problem of an expression; the message of each says what it is, and names its values.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages say what each is.
pub enum Problem {
    #[error("the expression is longer than {0} bytes")]
    TooLong(usize),
    #[error("this is nested more than {0} levels deep")]
    TooDeep(usize),
    #[error("`{0}` is not part of an expression")]
    Character(char),
    #[error("`:` is not part of a word: write the column's name in backquotes, `{0}`")]
    Name(String),
    #[error("`{given}` is not part of an expression: write {right}")]
    Foreign { given: String, right: &'static str },
    #[error(
        "`{given}` is no unit{}; times take ms, s, min, h, d, w, memory B, KB, MB, GB, TB, shares %",
        meant(*nearest)
    )]
    Unit { given: String, nearest: Option<&'static str> },
    #[error("a unit follows its number without a blank: write `{0}`")]
    UnitApart(String),
    #[error("the number is too large")]
    TooLarge,
    #[error("the closing {0} is missing")]
    Unclosed(char),
    #[error("expected {expected}, found {found}")]
    Expected { expected: &'static str, found: String },
    #[error("compared values must go up, down or be equal all the way: join two comparisons by `and`")]
    Chain,
    #[error("{place} has no field `{given}`{}", meant(nearest.as_deref()))]
    UnknownField { place: &'static str, given: String, nearest: Option<String> },
    #[error("`{field}` cannot be used here: {reason}")]
    Hidden { field: String, reason: String },
    #[error("unknown function `{given}`{}", meant(nearest.as_deref()))]
    UnknownFunction { given: String, nearest: Option<String> },
    #[error("write `{usage}`; here {given} {} given", if *given == 1 { "argument is" } else { "arguments are" })]
    Arguments { usage: String, given: usize },
    #[error("`{function}` has no argument `{given}`{}; write `{usage}`", meant(nearest.as_deref()))]
    UnknownArgument { function: String, given: String, nearest: Option<String>, usage: String },
    #[error("`{0}` is given twice")]
    Twice(String),
    #[error("`{argument}` must be {expected}")]
    Argument { argument: String, expected: String },
    #[error("{left} and {right} do not go together here")]
    Mixed { left: ExprType, right: ExprType },
    #[error("this is {given}, and {expected} is needed{hint}")]
    Kind { given: ExprType, expected: &'static str, hint: &'static str },
    #[error(
        "a text can only be compared by `=`, `!=` or `in` with a field that has names (queue, partition)"
    )]
    Text,
    #[error("the log gives no names to the values of `{0}`: compare it with a number")]
    NoNames(String),
    #[error("no {field} is called `{given}`{}; the log names {known}", meant(nearest.as_deref()))]
    UnknownName { field: String, given: String, nearest: Option<String>, known: String },
    #[error("several values of `{field}` are called `{given}`: {numbers}; compare it with a number")]
    Ambiguous { field: String, given: String, numbers: String },
    #[error("write a date as \"2006-12-18\" or \"2006-12-18 07:00\"")]
    Date,
    #[error("the log does not say when its zero was (UnixStartTime), so no date can be found in it")]
    NoCalendar,
    #[error("this must be a constant")]
    Constant,
    #[error("the range is empty: its end lies below its start")]
    EmptyRange,
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
