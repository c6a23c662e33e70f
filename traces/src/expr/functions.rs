//! The functions that every expression may call.

/// The implementation of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Min,
    Max,
    Abs,
    Sqrt,
    Log2,
    Log10,
    Ln,
    Exp,
    Floor,
    Ceil,
    Round,
    If,
    Known,
    Date,
    Uniform,
    Normal,
    Lognormal,
    Exponential,
    Choice,
}

/// A function: its usage and its result.
#[derive(Clone, Copy, Debug)]
pub struct FunctionInfo {
    /// The name.
    pub name: &'static str,
    /// Its usage.
    pub usage: &'static str,
    /// Its result, in one line.
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
    FunctionInfo { name, usage, meaning, draws: false, call, least, most }
}

const fn draw(
    named: (&'static str, Call),
    usage: &'static str,
    count: (usize, usize),
    meaning: &'static str,
) -> FunctionInfo {
    FunctionInfo { draws: true, ..function(named, usage, count, meaning) }
}

const MANY: usize = usize::MAX;

/// All functions; random draws come last.
#[rustfmt::skip]
pub static FUNCTIONS: &[FunctionInfo] = &[
    function(("min", Call::Min), "min(a, b, ...)", (1, MANY), "the smallest"),
    function(("max", Call::Max), "max(a, b, ...)", (1, MANY), "the largest"),
    function(("abs", Call::Abs), "abs(x)", (1, 1), "x without its sign"),
    function(("sqrt", Call::Sqrt), "sqrt(x)", (1, 1), "square root of a number, of seconds or of KB"),
    function(("log2", Call::Log2), "log2(x)", (1, 1), "logarithm to base 2 of a number, of seconds or of KB"),
    function(("log10", Call::Log10), "log10(x)", (1, 1), "logarithm to base 10 of a number, seconds or KB"),
    function(("ln", Call::Ln), "ln(x)", (1, 1), "natural logarithm of a number, of seconds or of KB"),
    function(("exp", Call::Exp), "exp(x)", (1, 1), "e to the power of x"),
    function(("floor", Call::Floor), "floor(x)", (1, 1), "x rounded down to a whole number, second or KB"),
    function(("ceil", Call::Ceil), "ceil(x)", (1, 1), "x rounded up"),
    function(("round", Call::Round), "round(x)", (1, 1), "x rounded to the nearest, halves away from zero"),
    function(("if", Call::If), "if(condition, a, b)", (3, 3), "a where the condition holds, else b"),
    function(("known", Call::Known), "known(field)", (1, 1), "whether the field is known: field >= 0"),
    function(("date", Call::Date), "date(\"2006-12-18 07:00\")", (1, 1),
        "when the site's clock showed this, from the log's zero"),
    draw(("uniform", Call::Uniform), "uniform(a, b)", (2, 2), "evenly from a up to b, b left out"),
    draw(("normal", Call::Normal), "normal(m, v)", (2, 2), "normal with mean m and variance v"),
    draw(("lognormal", Call::Lognormal), "lognormal(mu, sigma)", (2, 2),
        "e to the power of a normal with mean mu and standard deviation sigma"),
    draw(("exponential", Call::Exponential), "exponential(mean)", (1, 1), "exponential with this mean"),
    draw(("choice", Call::Choice), "choice(a, b, ...)", (1, MANY), "one of them, with equal odds"),
];

impl FunctionInfo {
    /// Returns the function with a name.
    pub fn find(name: &str) -> Option<&'static FunctionInfo> {
        FUNCTIONS.iter().find(|function| function.name == name)
    }

    /// Whether the function accepts this number of arguments.
    pub(super) fn takes(&self, arguments: usize) -> bool {
        (self.least..=self.most).contains(&arguments)
    }
}
