//! Execution of programs over rows, a block at a time.

use std::ops::Range;

use super::program::{ClockField, Code, Program};
use super::{FieldId, Rows, kernel};
use crate::{Calendar, Time};

/// Rows of a block, chosen so that its registers stay in the first-level cache.
const BLOCK: usize = 1024;

/// The registers of an evaluation, reused by the next evaluation so that nothing is allocated again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    registers: Vec<f64>,
    keys: Vec<u64>,
}

impl Program {
    /// Returns whether the condition holds, for each row. A number counts as true unless it is zero.
    pub fn bools(&self, rows: &dyn Rows) -> Vec<bool> {
        let mut all = Vec::with_capacity(rows.len());
        self.visit(rows, 0..rows.len(), &mut Scratch::default(), |_, block| {
            all.extend(block.iter().map(|value| *value != 0.0));
        });
        all
    }

    /// Returns the value of each row, in seconds, KB or as a plain number; 1 and 0 for a condition.
    pub fn numbers(&self, rows: &dyn Rows) -> Vec<f64> {
        let mut all = Vec::with_capacity(rows.len());
        self.visit(rows, 0..rows.len(), &mut Scratch::default(), |_, block| all.extend(block));
        all
    }

    /// Visits the values of some rows block by block: the rows, and their values. O(rows · instructions); allocates only what the
    /// scratch does not hold yet, except for table functions, which are computed over all rows at each call.
    ///
    /// # Panics
    /// When the range goes beyond the rows.
    pub fn visit(
        &self,
        rows: &dyn Rows,
        range: Range<usize>,
        scratch: &mut Scratch,
        mut visitor: impl FnMut(Range<usize>, &[f64]),
    ) {
        assert!(range.end <= rows.len(), "rows {range:?} of {}", rows.len());
        let marks: Vec<Vec<bool>> = self.tables.iter().map(|call| rows.marks(call)).collect();
        let width = range.len().min(BLOCK);
        if scratch.registers.len() < self.registers * width {
            scratch.registers.resize(self.registers * width, 0.0);
        }
        for start in range.clone().step_by(BLOCK) {
            let block = start..range.end.min(start + BLOCK);
            if !self.draws.is_empty() {
                scratch.keys.clear();
                scratch.keys.extend(block.clone().map(|row| rows.key(row)));
            }
            let at = At { rows, block: block.clone(), marks: &marks, keys: &scratch.keys, width };
            self.run(&self.code, &mut scratch.registers, &at);
            visitor(block.clone(), &scratch.registers[..block.len()]);
        }
    }

    fn run(&self, code: &[Code], registers: &mut [f64], at: &At<'_>) {
        let (len, width) = (at.block.len(), at.width);
        let mut height = 0;
        for code in code {
            // The registers in use, and the registers above them.
            let (used, free) = registers.split_at_mut(height * width);
            match *code {
                Code::Constant(value) => free[..len].fill(value),
                Code::Load(field) => at.rows.fill(field, at.block.clone(), &mut free[..len]),
                Code::Marks(call) => {
                    let marks = at.marks[call].get(at.block.clone()).unwrap_or_default();
                    free[..len].fill(0.0);
                    free.iter_mut().zip(marks).for_each(|(to, mark)| *to = f64::from(u8::from(*mark)));
                }
                Code::Clock(clock) => read_clock(self.calendar, clock, &mut last(used, width)[..len]),
                Code::Scale(factor) => scale(&mut last(used, width)[..len], factor),
                Code::Unary(unary) => unary.run(&mut last(used, width)[..len]),
                Code::Within(set) => kernel::within(&mut last(used, width)[..len], &self.sets[set]),
                Code::Binary(binary) | Code::Compare(binary) => {
                    let (below, other) = used.split_at_mut((height - 1) * width);
                    binary.run(&mut last(below, width)[..len], &other[..len]);
                    height -= usize::from(matches!(code, Code::Binary(_)));
                }
                Code::Choose => {
                    let (below, no) = used.split_at_mut((height - 1) * width);
                    let (below, yes) = below.split_at_mut((height - 2) * width);
                    kernel::choose(&mut last(below, width)[..len], &yes[..len], &no[..len]);
                    height -= 2;
                }
                Code::Draw(draw) => {
                    let draw = &self.draws[draw];
                    height -= draw.parameters - 1;
                    draw.run(&mut used[(height - 1) * width..], width, at.keys);
                }
            }
            height += usize::from(matches!(code, Code::Constant(_) | Code::Load(_) | Code::Marks(_)));
        }
    }
}

struct At<'a> {
    rows: &'a dyn Rows,
    block: Range<usize>,
    marks: &'a [Vec<bool>],
    keys: &'a [u64],
    /// The capacity of a register, in numbers.
    width: usize,
}

/// Executes the end of a program that reads no rows, and returns the constants that it leaves.
pub(super) fn constants(program: &Program, start: usize, leaves: usize) -> Vec<f64> {
    let code = &program.code[start..];
    let mut registers = vec![0.0; code.len()];
    program.run(code, &mut registers, &At { rows: &Nothing, block: 0..1, marks: &[], keys: &[], width: 1 });
    registers.truncate(leaves);
    registers
}

/// The single row on which constants are evaluated.
struct Nothing;

impl Rows for Nothing {
    fn len(&self) -> usize {
        1
    }

    fn fill(&self, _: FieldId, _: Range<usize>, out: &mut [f64]) {
        out.fill(-1.0);
    }
}

fn last(registers: &mut [f64], width: usize) -> &mut [f64] {
    let start = registers.len() - width;
    &mut registers[start..]
}

/// Converts a column to seconds or KB; unknown values stay unknown.
fn scale(column: &mut [f64], factor: f64) {
    for value in column {
        *value = if *value < 0.0 { *value } else { *value * factor };
    }
}

/// Replaces submit times by readings of the site's clock; -1 for unknown times.
fn read_clock(calendar: Option<Calendar>, clock: ClockField, column: &mut [f64]) {
    use chrono::{Datelike, Timelike};
    for value in column {
        let local = (*value >= 0.0).then(|| calendar?.local(Time::from_secs_f64(*value))).flatten();
        *value = local.map_or(-1.0, |local| match clock {
            ClockField::Hour => f64::from(local.hour()),
            ClockField::Weekday => f64::from(local.weekday().num_days_from_monday()),
        });
    }
}
