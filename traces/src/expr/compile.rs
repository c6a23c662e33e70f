//! Compilation of a tree into a program: names are resolved, units checked, constants folded.

mod call;
mod compare;
mod emit;

use self::emit::Emitter;
use super::ast::{ExprNode, Node};
use super::kernel::{Operator, Unary};
use super::program::{ClockField, Code, Program};
use super::vocabulary::{Vocabulary, VocabularyEntry};
use super::{ExprError, ExprType, FieldId, Problem};

pub(super) fn compile(text: &str, root: &Node, vocabulary: &Vocabulary) -> Result<Program, ExprError> {
    let program = Program {
        code: Vec::new(),
        registers: 0,
        kind: ExprType::PLAIN,
        sets: Vec::new(),
        tables: Vec::new(),
        draws: Vec::new(),
        calendar: vocabulary.calendar,
        wait_grows: vocabulary.wait_grows,
    };
    let mut compiler = Compiler { text, vocabulary, program: Emitter::new(program) };
    let kind = compiler.value(root)?;
    Ok(Program { kind, ..compiler.program.finish() })
}

/// A program under construction, with the text and the names of which it is made.
struct Compiler<'a> {
    text: &'a str,
    vocabulary: &'a Vocabulary,
    program: Emitter,
}

type Compiled = Result<ExprType, ExprError>;

impl Compiler<'_> {
    /// Compiles a part; its value is in the next register.
    fn value(&mut self, node: &Node) -> Compiled {
        match &node.shape {
            ExprNode::Number { value, unit } => {
                self.program.emit(Code::Constant(unit.map_or(*value, |unit| unit.value(*value))));
                Ok(unit.map_or(ExprType::PLAIN, |unit| unit.kind))
            }
            ExprNode::Truth(truth) => {
                self.program.emit(Code::Constant(f64::from(u8::from(*truth))));
                Ok(ExprType::Condition)
            }
            ExprNode::Text(_) => Err(self.error(node, Problem::Text)),
            ExprNode::Field(name) => {
                let entry = self.checked(node, self.vocabulary.field(name))?;
                Ok(self.load(&entry))
            }
            ExprNode::Column(name) => {
                let entry = self.checked(node, self.vocabulary.column(name))?;
                Ok(self.load(&entry))
            }
            ExprNode::Not(of) => {
                self.condition(of)?;
                self.program.emit(Code::Unary(Unary::Not));
                Ok(ExprType::Condition)
            }
            ExprNode::Negative(of) => {
                let kind = self.number(of)?;
                self.program.emit(Code::Unary(Unary::Negate));
                Ok(kind)
            }
            ExprNode::Power { base, exponent } => self.power(base, exponent),
            ExprNode::Chain { first, rest } => self.chain(first, rest),
            ExprNode::Member { value, negated, set } => self.member(value, *negated, set),
            ExprNode::Call { name, arguments } => self.call(node, name, arguments),
        }
    }

    fn condition(&mut self, node: &Node) -> Result<(), ExprError> {
        let kind = self.value(node)?;
        self.checked(node, kind.condition())
    }

    /// Compiles a part that must be a number, with or without a unit.
    fn number(&mut self, node: &Node) -> Compiled {
        let kind = self.value(node)?;
        self.checked(node, kind.number())?;
        Ok(kind)
    }

    /// Compiles a number without a unit.
    fn plain(&mut self, node: &Node) -> Result<(), ExprError> {
        let given = self.number(node)?;
        let hint = "; divide by a unit, as in `run / 1h`";
        let problem = Problem::Kind { given, expected: "a plain number", hint };
        if given == ExprType::PLAIN { Ok(()) } else { Err(self.error(node, problem)) }
    }

    fn load(&mut self, entry: &VocabularyEntry) -> ExprType {
        match entry.id {
            FieldId::Hour | FieldId::Weekday => {
                let clock = if entry.id == FieldId::Hour { ClockField::Hour } else { ClockField::Weekday };
                self.program.emit(Code::Load(FieldId::Submit));
                self.program.emit(Code::Clock(clock));
            }
            id => self.program.emit(Code::Load(id)),
        }
        if entry.scale != 1.0 {
            self.program.emit(Code::Scale(entry.scale));
        }
        entry.kind
    }

    fn power(&mut self, base: &Node, exponent: &Node) -> Compiled {
        let kind = self.number(base)?;
        self.plain(exponent)?;
        let constant = self.program.last_constant();
        match constant {
            // Products are exact where powers are not, and ten times as fast.
            Some(2.0) => self.program.emit_instead(Code::Unary(Unary::Square)),
            Some(3.0) => self.program.emit_instead(Code::Unary(Unary::Cube)),
            _ => self.program.emit(Code::Binary(Operator::Power)),
        }
        Ok(kind.power(constant))
    }

    fn chain(&mut self, first: &Node, rest: &[(Operator, Node)]) -> Compiled {
        match rest.first() {
            Some((Operator::Or | Operator::And, _)) => {
                self.condition(first)?;
                for (operator, node) in rest {
                    self.condition(node)?;
                    self.program.emit(Code::Binary(*operator));
                }
                Ok(ExprType::Condition)
            }
            Some((Operator::Add | Operator::Subtract, _)) => {
                let mut kind = self.number(first)?;
                for (operator, node) in rest {
                    let right = self.number(node)?;
                    kind = self.beside(first, node, kind, right)?;
                    self.program.emit(Code::Binary(*operator));
                }
                Ok(kind)
            }
            Some((Operator::Multiply | Operator::Divide, _)) => {
                let mut kind = self.number(first)?;
                for (operator, node) in rest {
                    let power = if *operator == Operator::Divide { -1 } else { 1 };
                    kind = kind.times(self.number(node)?, power);
                    self.program.emit(Code::Binary(*operator));
                }
                Ok(kind)
            }
            _ => self.comparison(first, rest),
        }
    }

    /// Refuses two values whose units conflict.
    fn beside(&self, first: &Node, node: &Node, left: ExprType, right: ExprType) -> Compiled {
        let problem =
            || ExprError::new(self.text, first.span.start..node.span.end, Problem::Mixed { left, right });
        left.beside(right).ok_or_else(problem)
    }

    fn checked<T>(&self, node: &Node, result: Result<T, Problem>) -> Result<T, ExprError> {
        result.map_err(|problem| self.error(node, problem))
    }

    fn error(&self, node: &Node, problem: Problem) -> ExprError {
        ExprError::new(self.text, node.span.clone(), problem)
    }
}
