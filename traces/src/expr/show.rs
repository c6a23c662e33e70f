//! Printing of expressions in canonical form.

use std::fmt;

use super::ast::{Argument, ExprNode, Member, Node, Precedence};
use super::kernel::Operator;
use super::parse::RESERVED;
use super::{ExprType, ExprUnit, FieldInfo};

/// Writes a part of an expression with the fewest parentheses that keep its meaning.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            ExprNode::Number { value, unit } => {
                write!(f, "{}{}", number(*value), unit.map_or("", |unit| unit.name))
            }
            ExprNode::Truth(truth) => write!(f, "{truth}"),
            ExprNode::Text(text) => {
                let quote = if text.contains('"') { '\'' } else { '"' };
                write!(f, "{quote}{text}{quote}")
            }
            ExprNode::Field(name) => f.write_str(name),
            ExprNode::Column(name) if is_plain(name) => f.write_str(name),
            ExprNode::Column(name) => write!(f, "`{name}`"),
            ExprNode::Not(of) => write!(f, "not {}", Within(of, Precedence::Not)),
            ExprNode::Negative(of) => write!(f, "-{}", Within(of, Precedence::Negative)),
            ExprNode::Power { base, exponent } => {
                write!(f, "{}^{}", Within(base, Precedence::Atom), Within(exponent, Precedence::Negative))
            }
            ExprNode::Chain { first, rest } => chain(f, first, rest),
            ExprNode::Member { value, negated, set } => {
                let not = if *negated { " not" } else { "" };
                write!(f, "{}{not} in {}", Within(value, Precedence::Sum), List(set))
            }
            ExprNode::Call { name, arguments } => write!(f, "{name}({})", Commas(arguments)),
        }
    }
}

fn chain(f: &mut fmt::Formatter<'_>, first: &Node, rest: &[(Operator, Node)]) -> fmt::Result {
    let level = rest.first().map_or(Precedence::Atom, |(operator, _)| operator.level());
    // A chain of comparisons differs from a comparison of a condition with a value.
    let left = if level == Precedence::Compare { Precedence::Sum } else { level };
    write!(f, "{}", Within(first, left))?;
    for (operator, node) in rest {
        write!(f, " {} {}", operator.spelling(), Within(node, tighter(level)))?;
    }
    Ok(())
}

fn tighter(level: Precedence) -> Precedence {
    match level {
        Precedence::Or => Precedence::And,
        Precedence::And => Precedence::Not,
        Precedence::Not | Precedence::Compare => Precedence::Sum,
        Precedence::Sum => Precedence::Product,
        _ => Precedence::Negative,
    }
}

/// A part that needs parentheses unless it binds at least as tightly as a level.
struct Within<'a>(&'a Node, Precedence);

impl fmt::Display for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.shape.level() < self.1 { write!(f, "({})", self.0) } else { write!(f, "{}", self.0) }
    }
}

struct List<'a>(&'a [Member]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_number = |node: &Node| matches!(node.shape, ExprNode::Number { .. });
        if let [Member::Range(low, high)] = self.0
            && is_number(low)
            && is_number(high)
        {
            return write!(f, "{low}..{high}");
        }
        write!(f, "({})", Commas(self.0))
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Member::One(node) => write!(f, "{}", Within(node, Precedence::Sum)),
            Member::Range(low, high) => {
                write!(f, "{}..{}", Within(low, Precedence::Sum), Within(high, Precedence::Sum))
            }
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some((name, _)) => write!(f, "{name}={}", self.value),
            None => write!(f, "{}", self.value),
        }
    }
}

struct Commas<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Commas<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if at > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// Whether a column can be written without backquotes.
fn is_plain(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let names = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    starts && names && FieldInfo::find(name).is_none() && !RESERVED.contains(&&*name.to_ascii_lowercase())
}

/// Writes a number so that reading it gives the same value; very large and very small ones with an exponent.
fn number(value: f64) -> String {
    let plain = value == 0.0 || (1e-7..1e17).contains(&value.abs());
    if plain { format!("{value}") } else { format!("{value:e}") }
}

/// Writes a quantity in the largest unit in which it is whole.
pub(super) fn quantity(value: f64, kind: ExprType) -> String {
    let units: &[&str] = match kind {
        ExprType::TIME => &["d", "h", "min", "s"],
        ExprType::MEMORY => &["GB", "MB", "KB"],
        _ => &[],
    };
    let size = |name: &str| ExprUnit::find(name).map_or(1.0, |unit| unit.value(1.0));
    let whole = units.iter().find(|unit| value != 0.0 && value % size(unit) == 0.0).or(units.last());
    match whole {
        Some(unit) => format!("{}{unit}", number(value / size(unit))),
        None => number(value),
    }
}
