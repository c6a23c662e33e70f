use crate::expr::draw::{Draw, Law};
use crate::expr::eval;
use crate::expr::program::{Code, Program, Set};
use crate::expr::table::TableCall;

/// The instructions of a program under construction.
pub(super) struct Emitter {
    program: Program,
    height: usize,
}

impl Emitter {
    pub(super) fn new(program: Program) -> Emitter {
        Emitter { program, height: 0 }
    }

    pub(super) fn finish(self) -> Program {
        self.program
    }

    /// Appends an instruction; an instruction whose operands are all constants is executed at once.
    pub(super) fn emit(&mut self, code: Code) {
        let (takes, leaves) = (self.takes(code), Self::leaves(code));
        let operands = self.program.code.len().saturating_sub(takes);
        self.program.code.push(code);
        if takes > 0 && self.folds(operands) {
            let results = eval::constants(&self.program, operands, leaves);
            self.program.code.truncate(operands);
            self.program.code.extend(results.into_iter().map(Code::Constant));
        }
        self.height = self.height + leaves - takes;
        self.program.registers = self.program.registers.max(self.height);
    }

    /// Appends the test whether the value in the last register lies within a set.
    pub(super) fn within(&mut self, set: Set) {
        self.program.sets.push(set);
        self.emit(Code::Within(self.program.sets.len() - 1));
    }

    /// Appends a draw from a law whose parameters are in the last registers.
    pub(super) fn draw(&mut self, law: Law, parameters: usize, streams: &(u64, String)) {
        let place = self.program.draws.len();
        self.program.draws.push(Draw::new(law, parameters, streams, place));
        self.emit(Code::Draw(place));
    }

    pub(super) fn table(&mut self, call: TableCall) {
        self.program.tables.push(call);
        self.emit(Code::Marks(self.program.tables.len() - 1));
    }

    /// Removes the last constant and appends an instruction.
    pub(super) fn emit_instead(&mut self, code: Code) {
        self.take_constant();
        self.emit(code);
    }

    /// Returns the constant in the last register, if it is one.
    pub(super) fn last_constant(&self) -> Option<f64> {
        match self.program.code.last() {
            Some(Code::Constant(value)) => Some(*value),
            _ => None,
        }
    }

    /// Removes the constant in the last register and returns it, if it is one.
    pub(super) fn take_constant(&mut self) -> Option<f64> {
        let value = self.last_constant()?;
        self.program.code.pop();
        self.height -= 1;
        Some(value)
    }

    /// Whether all instructions from a position on depend on constants only, without a draw.
    fn folds(&self, operands: usize) -> bool {
        let code = &self.program.code[operands..];
        let (last, operands) = code.split_last().map_or((None, code), |(last, rest)| (Some(last), rest));
        let constant = operands.iter().all(|code| matches!(code, Code::Constant(_)));
        constant && !matches!(last, Some(Code::Draw(_)))
    }

    fn takes(&self, code: Code) -> usize {
        match code {
            Code::Constant(_) | Code::Load(_) | Code::Marks(_) => 0,
            Code::Clock(_) | Code::Scale(_) | Code::Unary(_) | Code::Within(_) => 1,
            Code::Binary(_) | Code::Compare(_) => 2,
            Code::Choose => 3,
            Code::Draw(at) => self.program.draws[at].parameters,
        }
    }

    fn leaves(code: Code) -> usize {
        if matches!(code, Code::Compare(_)) { 2 } else { 1 }
    }
}
