//! The parser: from tokens to a tree, by recursive descent over the levels of precedence.
//!
//! Tokens are cut by nom. On top of them one function per level is shorter than combinators, can count its
//! depth, and knows at each point what it would have accepted.

mod cursor;

use std::ops::Range;

use super::ast::{Argument, ExprNode, Member, Node, Precedence};
use super::kernel::Operator;
use super::token::{Lexeme, Token};
use super::{ExprError, FieldInfo, FunctionInfo, Problem};
use cursor::Parser;

/// Words that cannot be names.
pub(super) const RESERVED: [&str; 6] = ["and", "or", "not", "in", "true", "false"];

pub(super) fn parse(text: &str) -> Result<Node, ExprError> {
    let mut parser = Parser::new(text)?;
    let node = parser.chain(Precedence::Or)?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.left_over()),
    }
}

impl Parser<'_> {
    /// Parses operands of the next tighter level with operators of this one between them.
    fn chain(&mut self, level: Precedence) -> Result<Node, ExprError> {
        let first = self.operand(level)?;
        if level == Precedence::Compare
            && let Some(negated) = self.membership()
        {
            let set = self.set()?;
            let span = first.span.start..self.behind();
            return Ok(Node { shape: ExprNode::Member { value: first.into(), negated, set }, span });
        }
        let (mut rest, mut way): (Vec<(Operator, Node)>, Option<Operator>) = (Vec::new(), None);
        while let Some((operator, span)) = self.operator(level) {
            way = match way.map(|way| one_way(way, operator)) {
                Some(None) => return Err(self.error(span, Problem::Chain)),
                Some(way) => way,
                None => Some(operator),
            };
            rest.push((operator, self.operand(level)?));
        }
        let span = first.span.start..self.behind();
        Ok(if rest.is_empty() {
            first
        } else {
            Node { shape: ExprNode::Chain { first: first.into(), rest }, span }
        })
    }

    fn operand(&mut self, level: Precedence) -> Result<Node, ExprError> {
        match level {
            Precedence::Or => self.chain(Precedence::And),
            Precedence::And => self.not(),
            Precedence::Compare => self.chain(Precedence::Sum),
            Precedence::Sum => self.chain(Precedence::Product),
            _ => self.negative(),
        }
    }

    fn not(&mut self) -> Result<Node, ExprError> {
        match self.take_word("not") {
            None => self.chain(Precedence::Compare),
            Some(span) => {
                let of = self.deeper(&span, Self::not)?;
                let span = span.start..of.span.end;
                Ok(Node { shape: ExprNode::Not(of.into()), span })
            }
        }
    }

    fn negative(&mut self) -> Result<Node, ExprError> {
        match self.take("-") {
            None => self.power(),
            Some(span) => {
                let of = self.deeper(&span, Self::negative)?;
                let span = span.start..of.span.end;
                Ok(Node { shape: ExprNode::Negative(of.into()), span })
            }
        }
    }

    fn power(&mut self) -> Result<Node, ExprError> {
        let base = self.atom()?;
        let Some(span) = self.take("^") else { return Ok(base) };
        let exponent = self.deeper(&span, Self::negative)?;
        let span = base.span.start..exponent.span.end;
        Ok(Node { shape: ExprNode::Power { base: base.into(), exponent: exponent.into() }, span })
    }

    fn atom(&mut self) -> Result<Node, ExprError> {
        let Some(Lexeme { token, span }) = self.peek().cloned() else { return Err(self.expected("a value")) };
        let shape = match token {
            Token::Symbol("(") => {
                self.skip(1);
                let inner = self.deeper(&span, |parser| parser.chain(Precedence::Or))?;
                self.close(&span)?;
                return Ok(Node { shape: inner.shape, span: span.start..self.behind() });
            }
            Token::Word(name) if self.is_symbol(1, "(") && !RESERVED.contains(&name) => {
                return self.call(name, span);
            }
            Token::Number(value, unit) => ExprNode::Number { value, unit },
            Token::Text(text) => ExprNode::Text(text.into()),
            Token::Column(name) => ExprNode::Column(name.into()),
            Token::Word("true") => ExprNode::Truth(true),
            Token::Word("false") => ExprNode::Truth(false),
            Token::Word(name) if !RESERVED.contains(&name.to_ascii_lowercase().as_str()) => {
                match FieldInfo::find(name) {
                    Some(field) => ExprNode::Field(field.name),
                    None => ExprNode::Column(name.into()),
                }
            }
            _ => return Err(self.expected("a value")),
        };
        self.skip(1);
        Ok(Node { shape, span })
    }

    fn call(&mut self, name: &str, span: Range<usize>) -> Result<Node, ExprError> {
        self.skip(2);
        // The `=` of a table function's argument would be a comparison elsewhere.
        let named = FunctionInfo::find(name).is_none();
        let mut arguments = Vec::new();
        while self.take(")").is_none() {
            if !arguments.is_empty() && self.take(",").is_none() {
                return Err(self.expected("`,` or `)`"));
            }
            arguments.push(self.deeper(&span, |parser| parser.argument(named))?);
        }
        let span = span.start..self.behind();
        Ok(Node { shape: ExprNode::Call { name: name.into(), arguments }, span })
    }

    fn argument(&mut self, named: bool) -> Result<Argument, ExprError> {
        let mut name = None;
        if let Some(Lexeme { token: Token::Word(word), span }) = self.peek().cloned()
            && named
            && self.is_symbol(1, "=")
        {
            self.skip(2);
            name = Some((word.to_owned(), span));
        }
        Ok(Argument { name, value: self.chain(Precedence::Or)? })
    }

    /// Takes `in` or `not in`; returns whether it was negated.
    fn membership(&mut self) -> Option<bool> {
        if self.is_word(0, "not") && self.is_word(1, "in") {
            self.skip(2);
            return Some(true);
        }
        self.take_word("in").map(|_| false)
    }

    /// Parses what follows `in`: a list in parentheses, or a range.
    fn set(&mut self) -> Result<Vec<Member>, ExprError> {
        let Some(open) = self.take("(") else {
            let low = self.chain(Precedence::Sum)?;
            if self.take("..").is_none() {
                return Err(self.expected("a range such as 1..16, or a list such as (1, 2, 3)"));
            }
            return Ok(vec![Member::Range(low, self.chain(Precedence::Sum)?)]);
        };
        let mut set = Vec::new();
        loop {
            let low = self.deeper(&open, |parser| parser.chain(Precedence::Sum))?;
            set.push(match self.take("..") {
                None => Member::One(low),
                Some(_) => Member::Range(low, self.deeper(&open, |parser| parser.chain(Precedence::Sum))?),
            });
            if self.take(",").is_none() {
                self.close(&open)?;
                return Ok(set);
            }
        }
    }

    fn operator(&mut self, level: Precedence) -> Option<(Operator, Range<usize>)> {
        let Lexeme { token: Token::Symbol(spelling) | Token::Word(spelling), span } = self.peek()? else {
            return None;
        };
        let operator = Operator::find(spelling).filter(|operator| operator.level() == level)?;
        let span = span.clone();
        self.skip(1);
        Some((operator, span))
    }
}

/// Returns the operator that determines the direction of a chain, with one more operator in it; `None` if a
/// comparison points the other way.
fn one_way(way: Operator, next: Operator) -> Option<Operator> {
    match (slope(way), slope(next)) {
        (Some(one), Some(other)) if one == other || other == 0 => Some(way),
        (Some(0), Some(_)) => Some(next),
        _ => None,
    }
}

/// Returns the direction of a comparison: up, down or neither; `None` for one that cannot be in a chain.
fn slope(operator: Operator) -> Option<i8> {
    match operator {
        Operator::Less | Operator::LessEqual => Some(1),
        Operator::Greater | Operator::GreaterEqual => Some(-1),
        Operator::Unequal => None,
        _ => Some(0),
    }
}
