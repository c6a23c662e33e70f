//! The operations of operators and functions on columns of numbers.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Negate,
    Abs,
    Sqrt,
    Log2,
    Log10,
    Ln,
    Exp,
    Floor,
    Ceil,
    Round,
    Known,
    Square,
    Cube,
}

/// An operation on two columns: an operator between two values, or an operation to which a power or a function is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
}

impl Unary {
    pub(super) fn run(self, column: &mut [f64]) {
        match self {
            // Conditions are 1 and 0.
            Unary::Not => each(column, |x| 1.0 - x),
            Unary::Negate => each(column, |x| -x),
            Unary::Abs => each(column, f64::abs),
            Unary::Sqrt => each(column, f64::sqrt),
            Unary::Log2 => each(column, f64::log2),
            Unary::Log10 => each(column, f64::log10),
            Unary::Ln => each(column, f64::ln),
            Unary::Exp => each(column, f64::exp),
            Unary::Floor => each(column, f64::floor),
            Unary::Ceil => each(column, f64::ceil),
            Unary::Round => each(column, f64::round),
            Unary::Known => each(column, |x| truth(x >= 0.0)),
            Unary::Square => each(column, |x| x * x),
            Unary::Cube => each(column, |x| x * x * x),
        }
    }
}

impl Operator {
    /// Writes the result into the first column.
    pub(super) fn run(self, to: &mut [f64], other: &[f64]) {
        match self {
            Operator::Equal => zip(to, other, |x, y| truth(x == y)),
            Operator::Unequal => zip(to, other, |x, y| truth(x != y)),
            Operator::Less => zip(to, other, |x, y| truth(x < y)),
            Operator::LessEqual => zip(to, other, |x, y| truth(x <= y)),
            Operator::Greater => zip(to, other, |x, y| truth(x > y)),
            Operator::GreaterEqual => zip(to, other, |x, y| truth(x >= y)),
            Operator::Add => zip(to, other, |x, y| x + y),
            Operator::Subtract => zip(to, other, |x, y| x - y),
            // Conditions are 1 and 0.
            Operator::And | Operator::Multiply => zip(to, other, |x, y| x * y),
            Operator::Divide => zip(to, other, |x, y| x / y),
            Operator::Power => zip(to, other, f64::powf),
            Operator::Min => zip(to, other, f64::min),
            Operator::Or | Operator::Max => zip(to, other, f64::max),
        }
    }
}

/// Writes the second column where the first is true, and the third elsewhere, into the first.
pub(super) fn choose(to: &mut [f64], yes: &[f64], no: &[f64]) {
    for ((to, yes), no) in to.iter_mut().zip(yes).zip(no) {
        *to = if *to == 0.0 { *no } else { *yes };
    }
}

/// Marks values that lie in one of the intervals. O(log intervals) per row.
pub(super) fn within(column: &mut [f64], set: &[(f64, f64)]) {
    each(column, |x| {
        let at = set.partition_point(|(low, _)| *low <= x);
        truth(at > 0 && x <= set[at - 1].1)
    });
}

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

#[inline]
fn each(column: &mut [f64], change: impl Fn(f64) -> f64) {
    for value in column {
        *value = change(*value);
    }
}

#[inline]
fn zip(to: &mut [f64], other: &[f64], join: impl Fn(f64, f64) -> f64) {
    for (to, other) in to.iter_mut().zip(other) {
        *to = join(*to, *other);
    }
}
