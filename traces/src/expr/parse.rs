//! From words to a tree, by recursive descent over the levels of precedence.
//!
//! Words are cut by nom; on top of them one function per level is shorter than combinators, can count how
//! deep it is, and knows at each point what it would have accepted.

use std::ops::Range;

use super::ast::{Argument, Level, Member, Node, Operator, Shape};
use super::error::{ExprError, Problem, repeated};
use super::fields::FieldInfo;
use super::functions::FunctionInfo;
use super::token::{Lexeme, Token, tokens};
use super::unit::Unit;

/// How many parentheses, signs and powers may stand within each other.
pub(super) const DEEPEST: usize = 100;

/// Words that are no names.
pub(super) const RESERVED: [&str; 6] = ["and", "or", "not", "in", "true", "false"];

/// Parses a text.
pub(super) fn parse(text: &str) -> Result<Node, ExprError> {
    let mut parser = Parser { text, lexemes: tokens(text)?, at: 0, depth: 0 };
    let node = parser.chain(Level::Or)?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.left_over()),
    }
}

struct Parser<'a> {
    text: &'a str,
    lexemes: Vec<Lexeme<'a>>,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// Operands of the next tighter level with operators of this one between them.
    fn chain(&mut self, level: Level) -> Result<Node, ExprError> {
        let first = self.operand(level)?;
        if level == Level::Compare
            && let Some(negated) = self.membership()
        {
            let set = self.set()?;
            let span = first.span.start..self.behind();
            return Ok(Node { shape: Shape::Member { value: first.into(), negated, set }, span });
        }
        let mut rest: Vec<(Operator, Node)> = Vec::new();
        while let Some((operator, span)) = self.operator(level) {
            if !rest.iter().all(|(before, _)| one_way(*before, operator)) {
                return Err(self.error(span, Problem::Chain));
            }
            rest.push((operator, self.operand(level)?));
        }
        let span = first.span.start..self.behind();
        Ok(if rest.is_empty() {
            first
        } else {
            Node { shape: Shape::Chain { first: first.into(), rest }, span }
        })
    }

    fn operand(&mut self, level: Level) -> Result<Node, ExprError> {
        match level {
            Level::Or => self.chain(Level::And),
            Level::And => self.not(),
            Level::Compare => self.chain(Level::Sum),
            Level::Sum => self.chain(Level::Product),
            _ => self.negative(),
        }
    }

    fn not(&mut self) -> Result<Node, ExprError> {
        match self.take_word("not") {
            None => self.chain(Level::Compare),
            Some(span) => {
                let of = self.deeper(&span, Self::not)?;
                let span = span.start..of.span.end;
                Ok(Node { shape: Shape::Not(of.into()), span })
            }
        }
    }

    fn negative(&mut self) -> Result<Node, ExprError> {
        match self.take("-") {
            None => self.power(),
            Some(span) => {
                let of = self.deeper(&span, Self::negative)?;
                let span = span.start..of.span.end;
                Ok(Node { shape: Shape::Negative(of.into()), span })
            }
        }
    }

    fn power(&mut self) -> Result<Node, ExprError> {
        let base = self.atom()?;
        let Some(span) = self.take("^") else { return Ok(base) };
        let exponent = self.deeper(&span, Self::negative)?;
        let span = base.span.start..exponent.span.end;
        Ok(Node { shape: Shape::Power { base: base.into(), exponent: exponent.into() }, span })
    }

    fn atom(&mut self) -> Result<Node, ExprError> {
        let Some(Lexeme { token, span }) = self.peek().cloned() else { return Err(self.expected("a value")) };
        let shape = match token {
            Token::Symbol("(") => {
                self.at += 1;
                let inner = self.deeper(&span, |parser| parser.chain(Level::Or))?;
                self.close(&span)?;
                return Ok(Node { shape: inner.shape, span: span.start..self.behind() });
            }
            Token::Word(name) if self.is_symbol(self.at + 1, "(") && !RESERVED.contains(&name) => {
                return self.call(name, span);
            }
            Token::Number(value, unit) => Shape::Number { value, unit },
            Token::Text(text) => Shape::Text(text.into()),
            Token::Column(name) => Shape::Column(name.into()),
            Token::Word("true") => Shape::Truth(true),
            Token::Word("false") => Shape::Truth(false),
            Token::Word(name) if !RESERVED.contains(&name.to_ascii_lowercase().as_str()) => {
                match FieldInfo::find(name) {
                    Some(field) => Shape::Field(field.name),
                    None => Shape::Column(name.into()),
                }
            }
            _ => return Err(self.expected("a value")),
        };
        self.at += 1;
        Ok(Node { shape, span })
    }

    fn call(&mut self, name: &str, span: Range<usize>) -> Result<Node, ExprError> {
        self.at += 2;
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
        Ok(Node { shape: Shape::Call { name: name.into(), arguments }, span })
    }

    fn argument(&mut self, named: bool) -> Result<Argument, ExprError> {
        let mut name = None;
        if let Some(Lexeme { token: Token::Word(word), span }) = self.peek().cloned()
            && named
            && self.is_symbol(self.at + 1, "=")
        {
            self.at += 2;
            name = Some((word.to_owned(), span));
        }
        Ok(Argument { name, value: self.chain(Level::Or)? })
    }

    /// Takes `in` or `not in`; tells whether it was negated.
    fn membership(&mut self) -> Option<bool> {
        if self.is_word(self.at, "not") && self.is_word(self.at + 1, "in") {
            self.at += 2;
            return Some(true);
        }
        self.take_word("in").map(|_| false)
    }

    /// What follows `in`: a list in parentheses, or a range.
    fn set(&mut self) -> Result<Vec<Member>, ExprError> {
        let Some(open) = self.take("(") else {
            let low = self.chain(Level::Sum)?;
            if self.take("..").is_none() {
                return Err(self.expected("a range such as 1..16, or a list such as (1, 2, 3)"));
            }
            return Ok(vec![Member::Range(low, self.chain(Level::Sum)?)]);
        };
        let mut set = Vec::new();
        loop {
            let low = self.deeper(&open, |parser| parser.chain(Level::Sum))?;
            set.push(match self.take("..") {
                None => Member::One(low),
                Some(_) => Member::Range(low, self.deeper(&open, |parser| parser.chain(Level::Sum))?),
            });
            if self.take(",").is_none() {
                self.close(&open)?;
                return Ok(set);
            }
        }
    }

    fn operator(&mut self, level: Level) -> Option<(Operator, Range<usize>)> {
        let Lexeme { token: Token::Symbol(spelling) | Token::Word(spelling), span } = self.peek()? else {
            return None;
        };
        let operator = Operator::find(spelling).filter(|operator| operator.level() == level)?;
        let span = span.clone();
        self.at += 1;
        Some((operator, span))
    }

    /// Parses one level further in, or refuses to go deeper.
    fn deeper<T>(
        &mut self,
        span: &Range<usize>,
        part: impl FnOnce(&mut Self) -> Result<T, ExprError>,
    ) -> Result<T, ExprError> {
        if self.depth == DEEPEST {
            return Err(self.error(span.clone(), Problem::TooDeep(DEEPEST)));
        }
        self.depth += 1;
        let parsed = part(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    fn close(&mut self, open: &Range<usize>) -> Result<(), ExprError> {
        match (self.take(")"), self.peek()) {
            (Some(_), _) => Ok(()),
            (None, None) => Err(self.error(open.clone(), Problem::Unclosed(')'))),
            (None, Some(_)) => Err(self.left_over()),
        }
    }

    fn peek(&self) -> Option<&Lexeme<'a>> {
        self.lexemes.get(self.at)
    }

    fn is_symbol(&self, at: usize, symbol: &str) -> bool {
        self.lexemes.get(at).is_some_and(|lexeme| lexeme.token == Token::Symbol(symbol))
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.lexemes.get(at).is_some_and(|lexeme| lexeme.token == Token::Word(word))
    }

    fn take(&mut self, symbol: &str) -> Option<Range<usize>> {
        let span = self.peek().filter(|lexeme| lexeme.token == Token::Symbol(symbol))?.span.clone();
        self.at += 1;
        Some(span)
    }

    fn take_word(&mut self, word: &str) -> Option<Range<usize>> {
        let span = self.peek().filter(|lexeme| lexeme.token == Token::Word(word))?.span.clone();
        self.at += 1;
        Some(span)
    }

    /// Returns the byte behind what was taken last.
    fn behind(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.lexemes.get(at)).map_or(0, |lexeme| lexeme.span.end)
    }

    fn error(&self, span: Range<usize>, problem: Problem) -> ExprError {
        ExprError::new(self.text, span, problem)
    }

    /// What follows a whole value and is no operator.
    fn left_over(&self) -> ExprError {
        self.expected("an operator or the end")
    }

    fn expected(&self, expected: &'static str) -> ExprError {
        let Some(Lexeme { token, span }) = self.peek() else {
            let end = self.text.trim_end().len();
            return self.error(end..end, Problem::Expected { expected, found: "the end".into() });
        };
        let given = repeated(&self.text[span.clone()]);
        let Token::Word(word) = token else {
            return self.error(span.clone(), Problem::Expected { expected, found: format!("`{given}`") });
        };
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        if let Some(Lexeme { token: Token::Number(_, None), span: number }) = before
            && Unit::find(word).is_some()
        {
            let together = format!("{}{word}", &self.text[number.clone()]);
            return self.error(number.start..span.end, Problem::UnitApart(together));
        }
        let problem = match capitals(word) {
            Some(right) => Problem::Foreign { given, right },
            None => Problem::Expected { expected, found: format!("`{given}`") },
        };
        self.error(span.clone(), problem)
    }
}

/// Returns how a word is written that was written in capitals.
fn capitals(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let known = [("and", "`and`"), ("or", "`or`"), ("not", "`not`"), ("in", "`in`")];
    known.iter().find(|(name, _)| *name == lower && *name != word).map(|found| found.1)
}

/// Whether two operators may stand in one chain: comparisons must all go the same way.
fn one_way(one: Operator, other: Operator) -> bool {
    use Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, Unequal};
    match one {
        Less | LessEqual => matches!(other, Less | LessEqual | Equal),
        Greater | GreaterEqual => matches!(other, Greater | GreaterEqual | Equal),
        Equal => other != Unequal,
        Unequal => false,
        _ => true,
    }
}
