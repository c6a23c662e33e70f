//! Comparisons, membership, and the names that a log gives to its numbers.

use super::{Compiled, Compiler};
use crate::arrange::Arrange as _;
use crate::expr::ast::{ExprNode, Member, Node};
use crate::expr::error::{ExprError, Problem, repeated};
use crate::expr::kernel::{Operator, Unary};
use crate::expr::kind::ExprType;
use crate::expr::program::{Code, Set};
use crate::header::Named;
use crate::nearest::nearest;

/// The most names that an error lists.
const LISTED: usize = 12;

impl Compiler<'_> {
    /// Compares neighbours; all comparisons of a chain must hold.
    pub(super) fn comparison(&mut self, first: &Node, rest: &[(Operator, Node)]) -> Compiled {
        let mut left = (first, ExprType::PLAIN);
        let last = rest.len().saturating_sub(1);
        for (at, (operator, node)) in rest.iter().enumerate() {
            let text = [left.0, node].into_iter().any(|side| matches!(side.shape, ExprNode::Text(_)));
            if text && !matches!(operator, Operator::Equal | Operator::Unequal) {
                return Err(self.error(if is_text(node) { node } else { left.0 }, Problem::Text));
            }
            if at == 0 {
                left.1 = self.side(first, node)?;
            }
            let right = self.side(node, left.0)?;
            let kind = self.beside(left.0, node, left.1, right)?;
            if kind == ExprType::Condition && !matches!(operator, Operator::Equal | Operator::Unequal) {
                return Err(self.error(node, kind.number().err().unwrap_or(Problem::Chain)));
            }
            self.program.emit(if at < last { Code::Compare(*operator) } else { Code::Binary(*operator) });
            left = (node, right);
        }
        for _ in 0..last {
            self.program.emit(Code::Binary(Operator::And));
        }
        Ok(ExprType::Condition)
    }

    /// Compiles one side of a comparison: a text is looked up among the names of the other side's values.
    fn side(&mut self, node: &Node, other: &Node) -> Compiled {
        let ExprNode::Text(text) = &node.shape else { return self.value(node) };
        let number = self.named(node, text, other)?;
        self.program.emit(Code::Constant(number as f64));
        Ok(ExprType::PLAIN)
    }

    pub(super) fn member(&mut self, value: &Node, negated: bool, set: &[Member]) -> Compiled {
        let kind = self.number(value)?;
        let mut ranges = Set::new();
        for member in set {
            let (low, high) = match member {
                Member::One(node) => (node, node),
                Member::Range(low, high) => (low, high),
            };
            let range = (self.element(low, value, kind)?, self.element(high, value, kind)?);
            if range.0 > range.1 {
                let span = low.span.start..high.span.end;
                return Err(ExprError::new(self.text, span, Problem::EmptyRange));
            }
            ranges.push(range);
        }
        self.program.within(apart(ranges));
        if negated {
            self.program.emit(Code::Unary(Unary::Not));
        }
        Ok(ExprType::Condition)
    }

    /// Returns an element of a set, which must be constant.
    fn element(&mut self, node: &Node, value: &Node, kind: ExprType) -> Result<f64, ExprError> {
        let given = self.side(node, value)?;
        self.checked(node, given.number())?;
        self.beside(value, node, kind, given)?;
        let constant = self.program.take_constant();
        self.checked(node, constant.filter(|value| !value.is_nan()).ok_or(Problem::Constant))
    }

    /// Returns the number that a log gives a name to: by the whole name, or by its first word.
    fn named(&self, node: &Node, given: &str, field: &Node) -> Result<i64, ExprError> {
        let ExprNode::Field(name) = field.shape else { return Err(self.error(node, Problem::Text)) };
        let known = self.vocabulary.values(name);
        let whole = |named: &&Named| named.name.trim() == given.trim();
        let first = |named: &&Named| named.name.split_whitespace().next() == Some(given.trim());
        let mut found: Vec<i64> = known.iter().filter(whole).map(|named| named.number).collect();
        if found.is_empty() {
            found = known.iter().filter(first).map(|named| named.number).collect();
        }
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [number] => Ok(number),
            [] => Err(self.error(node, unknown(name, given, known))),
            _ => {
                let numbers = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let problem = Problem::Ambiguous { field: name.into(), given: repeated(given), numbers };
                Err(self.error(node, problem))
            }
        }
    }
}

fn is_text(node: &Node) -> bool {
    matches!(node.shape, ExprNode::Text(_))
}

fn unknown(field: &str, given: &str, known: &[Named]) -> Problem {
    let names: Vec<&str> =
        known.iter().map(|named| named.name.trim()).filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        return Problem::NoNames(field.into());
    }
    let more = if names.len() > LISTED { ", ..." } else { "" };
    let words = names.iter().filter_map(|name| name.split_whitespace().next());
    Problem::UnknownName {
        field: field.into(),
        given: repeated(given),
        nearest: nearest(given, words).map(Into::into),
        known: format!("{}{more}", names[..names.len().min(LISTED)].join(", ")),
    }
}

/// Sorts intervals and joins those that overlap.
fn apart(mut ranges: Set) -> Set {
    ranges.arrange_by(|one, other| one.0.total_cmp(&other.0));
    let mut apart = Set::with_capacity(ranges.len());
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.0 <= last.1 => last.1 = last.1.max(range.1),
            _ => apart.push(range),
        }
    }
    apart
}
