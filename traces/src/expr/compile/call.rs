use super::{Compiled, Compiler};
use crate::expr::ast::{Argument, ExprNode, Node};
use crate::expr::draw::Law;
use crate::expr::error::{ExprError, Problem, repeated};
use crate::expr::functions::{Call, FUNCTIONS, FunctionInfo};
use crate::expr::kernel::{Operator, Unary};
use crate::expr::program::Code;
use crate::expr::{Arguments, ExprType, TableCall, TableFunction};
use crate::nearest::nearest;
use crate::notation::instant::iso;

impl Compiler<'_> {
    pub(super) fn call(&mut self, node: &Node, name: &str, arguments: &[Argument]) -> Compiled {
        let Some(function) = FunctionInfo::find(name) else {
            return match self.vocabulary.table(name) {
                Some(function) => self.table(node, function, arguments),
                None => Err(self.error(node, self.unknown(name))),
            };
        };
        if function.draws && self.vocabulary.draws.is_none() {
            return Err(self.error(node, Problem::Draw(name.into())));
        }
        if !function.takes(arguments.len()) {
            let problem = Problem::Arguments { usage: function.usage.into(), given: arguments.len() };
            return Err(self.error(node, problem));
        }
        let values: Vec<&Node> = arguments.iter().map(|argument| &argument.value).collect();
        match function.call {
            Call::Fold(operator) => self.fold(&values, operator),
            Call::Same(unary) => self.mapped(values[0], unary),
            Call::Plain(unary) => self.mapped(values[0], unary).map(|_| ExprType::PLAIN),
            Call::If => self.choice(&values),
            Call::Known => self.known(values[0]),
            Call::Date => self.date(values[0]),
            Call::Draw(law) => self.draw(law, &values),
        }
    }

    fn unknown(&self, name: &str) -> Problem {
        let right = match name {
            "log" => "ln, log2 or log10",
            "pow" | "power" => "a^b",
            "mean" | "avg" | "average" => "(a + b) / 2",
            "mod" => "a - b * floor(a / b)",
            _ => {
                let names = FUNCTIONS.iter().map(|function| function.name).chain(self.vocabulary.tables());
                let nearest = nearest(name, names).map(Into::into);
                return Problem::UnknownFunction { given: repeated(name), nearest };
            }
        };
        Problem::Foreign { given: name.into(), right }
    }

    fn fold(&mut self, values: &[&Node], which: Operator) -> Compiled {
        let mut kind = self.number(values[0])?;
        for value in &values[1..] {
            let other = self.number(value)?;
            kind = self.beside(values[0], value, kind, other)?;
            self.program.emit(Code::Binary(which));
        }
        Ok(kind)
    }

    fn mapped(&mut self, value: &Node, function: Unary) -> Compiled {
        let kind = self.number(value)?;
        self.program.emit(Code::Unary(function));
        Ok(kind)
    }

    fn choice(&mut self, values: &[&Node]) -> Compiled {
        self.condition(values[0])?;
        let (yes, no) = (self.value(values[1])?, self.value(values[2])?);
        let kind = self.beside(values[1], values[2], yes, no)?;
        self.program.emit(Code::Choose);
        Ok(kind)
    }

    fn known(&mut self, value: &Node) -> Compiled {
        if !matches!(value.shape, ExprNode::Field(_) | ExprNode::Column(_)) {
            let found = format!("`{}`", repeated(&self.text[value.span.clone()]));
            return Err(self.error(value, Problem::Expected { expected: "the name of a field", found }));
        }
        self.value(value)?;
        self.program.emit(Code::Unary(Unary::Known));
        Ok(ExprType::Condition)
    }

    fn date(&mut self, value: &Node) -> Compiled {
        let ExprNode::Text(text) = &value.shape else { return Err(self.error(value, Problem::Date)) };
        let stamp = iso(text.trim().as_bytes());
        let stamp = stamp.filter(|stamp| stamp.offset.is_none() && stamp.micros % 1_000_000 == 0);
        let local = self.checked(value, stamp.ok_or(Problem::Date))?.secs();
        let calendar = self.checked(value, self.vocabulary.calendar.ok_or(Problem::NoCalendar))?;
        self.program.emit(Code::Constant(calendar.time_of(local).secs()));
        Ok(ExprType::TIME)
    }

    fn draw(&mut self, law: Law, values: &[&Node]) -> Compiled {
        let first = self.number(values[0])?;
        let mut kind = first;
        for value in &values[1..] {
            let given = self.number(value)?;
            match law {
                // A variance is in the square of the mean's unit, or in the mean's unit.
                Law::Normal if given == first.times(first, 1) => {}
                Law::Normal => drop(self.beside(values[0], value, first, given)?),
                _ => kind = self.beside(values[0], value, kind, given)?,
            }
            let spread = self.program.last_constant().unwrap_or(0.0);
            if matches!(law, Law::Normal | Law::Lognormal) && spread < 0.0 {
                let argument = if law == Law::Normal { "the variance" } else { "the standard deviation" };
                let problem = Problem::Argument { argument: argument.into(), expected: "at least 0".into() };
                return Err(self.error(value, problem));
            }
        }
        if let Some(streams) = &self.vocabulary.draws {
            self.program.draw(law, values.len(), streams);
        }
        Ok(if law == Law::Lognormal { ExprType::PLAIN } else { kind })
    }

    fn table(&mut self, node: &Node, function: &'static TableFunction, given: &[Argument]) -> Compiled {
        let mut arguments = Arguments::defaults(function);
        for (at, argument) in given.iter().enumerate() {
            let Some((name, span)) = &argument.name else {
                let problem = Problem::Arguments { usage: function.usage(), given: given.len() };
                return Err(self.error(node, problem));
            };
            let at_name = |problem| ExprError::new(self.text, span.clone(), problem);
            let parameter = function.parameter(name).map_err(at_name)?;
            if given[..at].iter().any(|before| before.name.as_ref().is_some_and(|(other, _)| other == name)) {
                return Err(at_name(Problem::Twice(name.clone())));
            }
            let kind = self.number(&argument.value)?;
            let value = self.program.take_constant();
            let value = self.checked(&argument.value, value.ok_or(Problem::Constant))?;
            self.checked(&argument.value, parameter.accept(value, kind))?;
            arguments.set(name, value);
        }
        self.program.table(TableCall { function, arguments });
        Ok(ExprType::Condition)
    }
}
