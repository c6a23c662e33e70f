//! The syntax tree of an expression.

use std::ops::Range;

use super::kernel::Operator;
use super::unit::Unit;

/// A part of an expression, with its position in the text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) shape: Shape,
    pub(super) span: Range<usize>,
}

/// The form of a part of an expression.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Number {
        value: f64,
        unit: Option<&'static Unit>,
    },
    Truth(bool),
    Text(String),
    /// A field of [`super::FIELDS`], by its main name.
    Field(&'static str),
    /// A further column of the log.
    Column(String),
    Not(Box<Node>),
    Negative(Box<Node>),
    /// Operators of one level, from left to right; a comparison of more than two values is a chain.
    Chain {
        first: Box<Node>,
        rest: Vec<(Operator, Node)>,
    },
    Power {
        base: Box<Node>,
        exponent: Box<Node>,
    },
    Member {
        value: Box<Node>,
        negated: bool,
        set: Vec<Member>,
    },
    Call {
        name: String,
        arguments: Vec<Argument>,
    },
}

impl Node {
    /// Whether a field or a further column of this name is a part.
    pub(super) fn mentions(&self, name: &str) -> bool {
        let within = |node: &Node| node.mentions(name);
        match &self.shape {
            Shape::Number { .. } | Shape::Truth(_) | Shape::Text(_) => false,
            Shape::Field(field) => *field == name,
            Shape::Column(column) => column == name,
            Shape::Not(node) | Shape::Negative(node) => within(node),
            Shape::Chain { first, rest } => within(first) || rest.iter().any(|(_, node)| within(node)),
            Shape::Power { base, exponent } => within(base) || within(exponent),
            Shape::Member { value, set, .. } => {
                let of = |member: &Member| match member {
                    Member::One(node) => within(node),
                    Member::Range(low, high) => within(low) || within(high),
                };
                within(value) || set.iter().any(of)
            }
            Shape::Call { arguments, .. } => arguments.iter().any(|argument| within(&argument.value)),
        }
    }
}

/// A member of a set: a value, or a range.
#[derive(Clone, Debug)]
pub(super) enum Member {
    One(Node),
    Range(Node, Node),
}

/// An argument; those of table functions have names.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) name: Option<(String, Range<usize>)>,
    pub(super) value: Node,
}

/// The level of precedence of a shape, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
    Negative,
    Power,
    Atom,
}

impl Operator {
    /// Every operator with its spellings, the canonical one first.
    pub(super) const SPELLINGS: [(Operator, &'static [&'static str]); 12] = [
        (Operator::Or, &["or"]),
        (Operator::And, &["and"]),
        (Operator::Equal, &["=", "=="]),
        (Operator::Unequal, &["!=", "<>"]),
        (Operator::Less, &["<"]),
        (Operator::LessEqual, &["<="]),
        (Operator::Greater, &[">"]),
        (Operator::GreaterEqual, &[">="]),
        (Operator::Add, &["+"]),
        (Operator::Subtract, &["-"]),
        (Operator::Multiply, &["*"]),
        (Operator::Divide, &["/"]),
    ];

    /// Returns the operator with a spelling.
    pub(super) fn find(spelling: &str) -> Option<Operator> {
        let found = Operator::SPELLINGS.iter().find(|(_, spellings)| spellings.contains(&spelling))?;
        Some(found.0)
    }

    pub(super) fn spelling(self) -> &'static str {
        Operator::SPELLINGS.iter().find(|(operator, _)| *operator == self).map_or("", |found| found.1[0])
    }

    pub(super) fn level(self) -> Level {
        match self {
            Operator::Or => Level::Or,
            Operator::And => Level::And,
            Operator::Add | Operator::Subtract => Level::Sum,
            Operator::Multiply | Operator::Divide => Level::Product,
            _ => Level::Compare,
        }
    }
}

impl Shape {
    pub(super) fn level(&self) -> Level {
        match self {
            Shape::Not(_) => Level::Not,
            Shape::Negative(_) => Level::Negative,
            Shape::Chain { rest, .. } => rest.first().map_or(Level::Atom, |(operator, _)| operator.level()),
            Shape::Power { .. } => Level::Power,
            Shape::Member { .. } => Level::Compare,
            _ => Level::Atom,
        }
    }
}
