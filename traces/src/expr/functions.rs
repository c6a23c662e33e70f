use super::draw::Law;
use super::kernel::{Operator, Unary};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Joins its arguments one by one.
    Fold(Operator),
    /// Maps a number to one of the same unit.
    Same(Unary),
    /// Maps a number of seconds or KB to a plain number.
    Plain(Unary),
    If,
    Known,
    Date,
    Draw(Law),
}

/// A function: its usage and its result.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug)]
pub struct FunctionInfo {
    pub name: &'static str,
    pub usage: &'static str,
    pub meaning: &'static str,
    /// Whether it draws at random, which only augmentation may do.
    pub draws: bool,
    pub(super) call: Call,
    least: usize,
    most: usize,
}

const fn function(
    (name, call): (&'static str, Call),
    usage: &'static str,
    (least, most): (usize, usize),
    meaning: &'static str,
) -> FunctionInfo {
    FunctionInfo { name, usage, meaning, draws: matches!(call, Call::Draw(_)), call, least, most }
}

const MANY: usize = usize::MAX;

/// All functions; random draws come last.
#[rustfmt::skip]
pub static FUNCTIONS: &[FunctionInfo] = &[
    function(("min", Call::Fold(Operator::Min)), "min(a, b, ...)", (1, MANY), "the smallest"),
    function(("max", Call::Fold(Operator::Max)), "max(a, b, ...)", (1, MANY), "the largest"),
    function(("abs", Call::Same(Unary::Abs)), "abs(x)", (1, 1), "x without its sign"),
    function(("sqrt", Call::Plain(Unary::Sqrt)), "sqrt(x)", (1, 1), "square root of a number, of seconds or of KB"),
    function(("log2", Call::Plain(Unary::Log2)), "log2(x)", (1, 1), "logarithm to base 2 of a number, of seconds or of KB"),
    function(("log10", Call::Plain(Unary::Log10)), "log10(x)", (1, 1), "logarithm to base 10 of a number, seconds or KB"),
    function(("ln", Call::Plain(Unary::Ln)), "ln(x)", (1, 1), "natural logarithm of a number, of seconds or of KB"),
    function(("exp", Call::Plain(Unary::Exp)), "exp(x)", (1, 1), "e to the power of x"),
    function(("floor", Call::Same(Unary::Floor)), "floor(x)", (1, 1), "x rounded down to a whole number, second or KB"),
    function(("ceil", Call::Same(Unary::Ceil)), "ceil(x)", (1, 1), "x rounded up"),
    function(("round", Call::Same(Unary::Round)), "round(x)", (1, 1), "x rounded to the nearest, halves away from zero"),
    function(("if", Call::If), "if(condition, a, b)", (3, 3), "a where the condition holds, else b"),
    function(("known", Call::Known), "known(field)", (1, 1), "whether the field is known: field >= 0"),
    function(("date", Call::Date), "date(\"2006-12-18 07:00\")", (1, 1),
        "when the site's clock showed this, from the log's zero"),
    function(("uniform", Call::Draw(Law::Uniform)), "uniform(a, b)", (2, 2), "evenly from a up to b, b left out"),
    function(("normal", Call::Draw(Law::Normal)), "normal(m, v)", (2, 2), "normal with mean m and variance v"),
    function(("lognormal", Call::Draw(Law::Lognormal)), "lognormal(mu, sigma)", (2, 2),
        "e to the power of a normal with mean mu and standard deviation sigma"),
    function(("exponential", Call::Draw(Law::Exponential)), "exponential(mean)", (1, 1), "exponential with this mean"),
    function(("choice", Call::Draw(Law::Choice)), "choice(a, b, ...)", (1, MANY), "one of them, with equal odds"),
];

impl FunctionInfo {
    /// Returns the function with a name.
    pub fn find(name: &str) -> Option<&'static FunctionInfo> {
        FUNCTIONS.iter().find(|function| function.name == name)
    }

    pub(super) fn takes(&self, arguments: usize) -> bool {
        (self.least..=self.most).contains(&arguments)
    }
}
