//! The syntax tree of an expression.

use std::ops::Range;

use super::kernel::Operator;
use super::unit::ExprUnit;

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) shape: ExprNode,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum ExprNode {
    Number {
        value: f64,
        unit: Option<&'static ExprUnit>,
    },
    Truth(bool),
    Text(String),
    /// A field of [`super::FIELDS`], by its main name.
    Field(&'static str),
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
            ExprNode::Number { .. } | ExprNode::Truth(_) | ExprNode::Text(_) => false,
            ExprNode::Field(field) => *field == name,
            ExprNode::Column(column) => column == name,
            ExprNode::Not(node) | ExprNode::Negative(node) => within(node),
            ExprNode::Chain { first, rest } => within(first) || rest.iter().any(|(_, node)| within(node)),
            ExprNode::Power { base, exponent } => within(base) || within(exponent),
            ExprNode::Member { value, set, .. } => {
                let of = |member: &Member| match member {
                    Member::One(node) => within(node),
                    Member::Range(low, high) => within(low) || within(high),
                };
                within(value) || set.iter().any(of)
            }
            ExprNode::Call { arguments, .. } => arguments.iter().any(|argument| within(&argument.value)),
        }
    }
}

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
pub(super) enum Precedence {
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

    pub(super) fn find(spelling: &str) -> Option<Operator> {
        let found = Operator::SPELLINGS.iter().find(|(_, spellings)| spellings.contains(&spelling))?;
        Some(found.0)
    }

    pub(super) fn spelling(self) -> &'static str {
        Operator::SPELLINGS.iter().find(|(operator, _)| *operator == self).map_or("", |found| found.1[0])
    }

    pub(super) fn level(self) -> Precedence {
        match self {
            Operator::Or => Precedence::Or,
            Operator::And => Precedence::And,
            Operator::Add | Operator::Subtract => Precedence::Sum,
            Operator::Multiply | Operator::Divide => Precedence::Product,
            _ => Precedence::Compare,
        }
    }
}

impl ExprNode {
    pub(super) fn level(&self) -> Precedence {
        match self {
            ExprNode::Not(_) => Precedence::Not,
            ExprNode::Negative(_) => Precedence::Negative,
            ExprNode::Chain { rest, .. } => {
                rest.first().map_or(Precedence::Atom, |(operator, _)| operator.level())
            }
            ExprNode::Power { .. } => Precedence::Power,
            ExprNode::Member { .. } => Precedence::Compare,
            _ => Precedence::Atom,
        }
    }
}
