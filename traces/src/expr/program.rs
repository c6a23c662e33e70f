//! A compiled expression: a flat list of instructions over columns of numbers.

use super::draw::Draw;
use super::kernel::{Operator, Unary};
use super::{ExprType, FieldId, Problem, TableCall};
use crate::calendar::Calendar;

/// A compiled expression.
///
/// Its instructions work on blocks of rows, a column of numbers at a time. Registers are numbered by the depth of the expression
/// at that point; an instruction takes the last ones and puts its result in their place. Conditions are 1 and 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub(super) code: Vec<Code>,
    pub(super) registers: usize,
    pub(super) kind: ExprType,
    pub(super) sets: Vec<Set>,
    pub(super) tables: Vec<TableCall>,
    pub(super) draws: Vec<Draw>,
    pub(super) calendar: Option<Calendar>,
    pub(super) wait_grows: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Code {
    /// A new register with the same number in all rows.
    Constant(f64),
    /// A new register with a field.
    Load(FieldId),
    /// A new register with the marks of a table function.
    Marks(usize),
    /// The last register: from submit times to readings of the site's clock.
    Clock(ClockField),
    /// The last register, multiplied by a factor; unknown values stay unknown.
    Scale(f64),
    /// The last register.
    Unary(Unary),
    /// The last two registers, into one.
    Binary(Operator),
    /// The last two registers: the result goes into the first of them, the second is kept.
    Compare(Operator),
    /// The last three registers, into one: the second where the first is true, otherwise the third.
    Choose,
    /// The last register: whether it is in a set.
    Within(usize),
    /// A draw: takes one register per parameter, and leaves one.
    Draw(usize),
}

/// A reading of the site's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockField {
    Hour,
    Weekday,
}

/// Disjoint intervals in ascending order, both ends included.
pub(super) type Set = Vec<(f64, f64)>;

impl Program {
    /// Returns the kind of the values.
    pub fn kind(&self) -> ExprType {
        self.kind
    }

    /// Returns the fields that are read, in the order of [`FieldId`], each once.
    pub fn reads(&self) -> Vec<FieldId> {
        let load = |code: &Code| if let Code::Load(id) = code { Some(*id) } else { None };
        let mut fields: Vec<FieldId> = self.code.iter().filter_map(load).collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// Whether the value of a waiting job changes with time, because it reads the waiting time so far.
    pub fn depends_on_time(&self) -> bool {
        self.wait_grows && self.reads().contains(&FieldId::Wait)
    }

    /// Whether a row's value depends on other rows, through a function of the whole table.
    pub fn looks_at_all(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Whether values are drawn at random.
    pub fn draws(&self) -> bool {
        !self.draws.is_empty()
    }

    /// Returns the value if it is the same for all rows.
    pub fn constant(&self) -> Option<f64> {
        match self.code[..] {
            [Code::Constant(value)] => Some(value),
            _ => None,
        }
    }
}

impl ExprType {
    pub(super) fn condition(self) -> Result<(), Problem> {
        let hint = "; compare it with something, as in `procs > 8`";
        let problem = Problem::Kind { given: self, expected: "a condition", hint };
        if self == ExprType::Condition { Ok(()) } else { Err(problem) }
    }

    pub(super) fn number(self) -> Result<(), Problem> {
        let hint = "; write if(condition, 1, 0)";
        let problem = Problem::Kind { given: self, expected: "a number", hint };
        if self == ExprType::Condition { Err(problem) } else { Ok(()) }
    }
}
