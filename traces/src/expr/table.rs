//! Functions of the whole trace, computed before rows are evaluated.

use super::error::{Problem, repeated};
use super::kind::ExprType;
use super::show;
use crate::nearest::nearest;
use crate::trace::Trace;

/// A function of a whole trace that marks some of its rows, such as the flurries of single users.
///
/// It is written with named arguments, `flurries(user_share=0.5, window=7d)`; omitted arguments have their defaults.
#[derive(Clone, Copy, Debug)]
pub struct TableFunction {
    /// The name.
    pub name: &'static str,
    /// The rows it marks, in one line.
    pub meaning: &'static str,
    /// Its arguments.
    pub parameters: &'static [TableParameter],
    /// Returns whether each row is marked, one value per row of the trace.
    pub compute: fn(&Trace, &Arguments) -> Vec<bool>,
}

/// An argument of a [`TableFunction`]; its numbers are in seconds or KB.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug)]
pub struct TableParameter {
    pub name: &'static str,
    pub kind: ExprType,
    pub default: f64,
    /// The smallest and the largest value accepted.
    pub range: (f64, f64),
    pub meaning: &'static str,
}

/// The arguments of one call, including defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments(Vec<(&'static str, f64)>);

/// A call of a table function in a program.
#[derive(Clone, Debug)]
pub struct TableCall {
    /// The function.
    pub function: &'static TableFunction,
    /// Its arguments.
    pub arguments: Arguments,
}

impl PartialEq for TableCall {
    fn eq(&self, other: &TableCall) -> bool {
        self.function.name == other.function.name && self.arguments == other.arguments
    }
}

impl Arguments {
    /// Returns an argument in seconds or KB; not a number if the function declares no argument of that name.
    pub fn get(&self, name: &str) -> f64 {
        self.0.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |found| found.1)
    }

    /// Returns the defaults of a function.
    pub fn defaults(function: &TableFunction) -> Arguments {
        Arguments(function.parameters.iter().map(|parameter| (parameter.name, parameter.default)).collect())
    }

    pub(super) fn set(&mut self, name: &str, value: f64) {
        if let Some(known) = self.0.iter_mut().find(|(known, _)| *known == name) {
            known.1 = value;
        }
    }
}

impl TableFunction {
    /// Returns its usage, with its defaults.
    pub fn usage(&self) -> String {
        let shown = |parameter: &TableParameter| {
            format!("{}={}", parameter.name, show::quantity(parameter.default, parameter.kind))
        };
        format!("{}({})", self.name, self.parameters.iter().map(shown).collect::<Vec<_>>().join(", "))
    }

    pub(super) fn parameter(&self, name: &str) -> Result<&'static TableParameter, Problem> {
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let names = self.parameters.iter().map(|parameter| parameter.name);
            Problem::UnknownArgument {
                function: self.name.into(),
                given: repeated(name),
                nearest: nearest(name, names).map(Into::into),
                usage: self.usage(),
            }
        })
    }
}

impl TableParameter {
    pub(super) fn accept(&self, value: f64, kind: ExprType) -> Result<(), Problem> {
        let (low, high) = self.range;
        if self.kind.beside(kind) == Some(self.kind) && (low..=high).contains(&value) {
            return Ok(());
        }
        let shown = |value| show::quantity(value, self.kind);
        let range = match (low.is_finite(), high.is_finite()) {
            (true, true) => format!(" from {} to {}", shown(low), shown(high)),
            (true, false) => format!(", at least {}", shown(low)),
            (false, true) => format!(", at most {}", shown(high)),
            (false, false) => String::new(),
        };
        Err(Problem::Argument { argument: self.name.into(), expected: format!("{}{range}", self.kind) })
    }
}
