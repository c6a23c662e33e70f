//! Expressions in which one field, read once, goes through a chain of arithmetic with values that do not
//! read it: `-procs * (wait / estimate)^3` is wait, divided, cubed, multiplied.

use std::ops::Range;

use super::kernel::{Operator, Unary};
use super::program::{Code, Program};
use super::{ExprType, FieldId};

/// A step of a chain from x to the value; arithmetic takes the next operand y.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    Add,
    Subtract,
    /// y - x
    SubtractFrom,
    Multiply,
    Divide,
    Negate,
    Square,
    Cube,
}

impl Link {
    /// Whether the step takes an operand.
    pub fn takes_operand(self) -> bool {
        !matches!(self, Link::Negate | Link::Square | Link::Cube)
    }

    /// Returns the value that a chain makes of x, bit by bit that of the expression.
    #[inline]
    pub fn run(links: &[Link], operands: &[f64], x: f64) -> f64 {
        let mut operands = operands.iter();
        links.iter().fold(x, |x, link| {
            let y = if link.takes_operand() { operands.next().copied().unwrap_or(f64::NAN) } else { 0.0 };
            match link {
                Link::Add => x + y,
                Link::Subtract => x - y,
                Link::SubtractFrom => y - x,
                Link::Multiply => x * y,
                Link::Divide => x / y,
                Link::Negate => -x,
                Link::Square => x * x,
                Link::Cube => x * x * x,
            }
        })
    }
}

/// A chain of arithmetic on one field.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The steps.
    pub links: Vec<Link>,
    /// The operands of the steps that take one; none reads the field.
    pub operands: Vec<Program>,
}

/// The value in a register: independent of the field, or a chain on it.
enum Part {
    /// The instructions that compute it.
    Free(Range<usize>),
    Chain(Chain),
}

impl Program {
    /// Returns the program as a chain on a field; `None` if it has another form.
    pub fn chain(&self, field: FieldId) -> Option<Chain> {
        let mut parts: Vec<Part> = Vec::new();
        for (at, &code) in self.code.iter().enumerate() {
            let part = match code {
                Code::Load(id) if id == field => {
                    Part::Chain(Chain { links: Vec::new(), operands: Vec::new() })
                }
                Code::Constant(_) | Code::Load(_) => Part::Free(at..at + 1),
                Code::Clock(_) | Code::Scale(_) | Code::Unary(_) | Code::Within(_) => match parts.pop()? {
                    Part::Free(range) => Part::Free(range.start..at + 1),
                    Part::Chain(chain) => Part::Chain(chain.with(unary(code)?, None)),
                },
                Code::Binary(binary) => match (parts.pop()?, parts.pop()?) {
                    (Part::Free(_), Part::Free(first)) => Part::Free(first.start..at + 1),
                    (Part::Free(other), Part::Chain(chain)) => {
                        Part::Chain(chain.with(on_left(binary)?, Some(self.part(other))))
                    }
                    (Part::Chain(chain), Part::Free(other)) => {
                        Part::Chain(chain.with(on_right(binary)?, Some(self.part(other))))
                    }
                    (Part::Chain(_), Part::Chain(_)) => return None,
                },
                Code::Choose => match (parts.pop()?, parts.pop()?, parts.pop()?) {
                    (Part::Free(_), Part::Free(_), Part::Free(first)) => Part::Free(first.start..at + 1),
                    _ => return None,
                },
                Code::Compare(_) | Code::Marks(_) | Code::Draw(_) => return None,
            };
            parts.push(part);
        }
        match (parts.pop()?, parts.is_empty()) {
            (Part::Chain(chain), true) => Some(chain),
            _ => None,
        }
    }

    /// Returns the program of some instructions of this one.
    fn part(&self, range: Range<usize>) -> Program {
        Program { code: self.code[range].to_vec(), kind: ExprType::PLAIN, ..self.clone() }
    }
}

impl Chain {
    fn with(mut self, link: Link, operand: Option<Program>) -> Chain {
        self.links.push(link);
        self.operands.extend(operand);
        self
    }
}

fn unary(code: Code) -> Option<Link> {
    match code {
        Code::Unary(Unary::Negate) => Some(Link::Negate),
        Code::Unary(Unary::Square) => Some(Link::Square),
        Code::Unary(Unary::Cube) => Some(Link::Cube),
        _ => None,
    }
}

fn on_left(binary: Operator) -> Option<Link> {
    match binary {
        Operator::Subtract => Some(Link::Subtract),
        Operator::Divide => Some(Link::Divide),
        _ => on_right(binary).filter(|link| *link != Link::SubtractFrom),
    }
}

fn on_right(binary: Operator) -> Option<Link> {
    match binary {
        Operator::Add => Some(Link::Add),
        Operator::Subtract => Some(Link::SubtractFrom),
        Operator::Multiply => Some(Link::Multiply),
        _ => None,
    }
}
