//! Formulas as trees, as genetic programming varies them (Koza, Genetic Programming, 1992).

use batchlab_traces::seed::unit;
use chacha20::rand_core::Rng;

/// A formula over terms, which are texts of the expression language.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A term, by its position.
    Term(usize),
    Number(f64),
    Call(Function, Box<Formula>),
    Pair(Operator, Box<Formula>, Box<Formula>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Root,
    Logarithm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Least,
    Greatest,
}

const OPERATORS: [Operator; 6] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Least,
    Operator::Greatest,
];

/// What formulas are made of, and how large they may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Grammar {
    pub terms: Vec<String>,
    /// The most nodes of a formula.
    pub most: usize,
}

impl Formula {
    /// The number of its nodes.
    pub fn size(&self) -> usize {
        1 + match self {
            Formula::Term(_) | Formula::Number(_) => 0,
            Formula::Call(_, of) => of.size(),
            Formula::Pair(_, a, b) => a.size() + b.size(),
        }
    }

    /// Returns it in the expression language. What has no value there, such as a quotient of 0, serves the job last.
    pub fn text(&self, terms: &[String]) -> String {
        match self {
            Formula::Term(term) => terms[*term].clone(),
            Formula::Number(number) => format!("{number}"),
            Formula::Call(Function::Root, of) => format!("sqrt(max({}, 0))", of.text(terms)),
            Formula::Call(Function::Logarithm, of) => format!("log2(max({}, 1))", of.text(terms)),
            Formula::Pair(operator, a, b) => {
                let sign = match operator {
                    Operator::Add => " + ",
                    Operator::Subtract => " - ",
                    Operator::Multiply => "*",
                    Operator::Divide => "/",
                    Operator::Least => return format!("min({}, {})", a.text(terms), b.text(terms)),
                    Operator::Greatest => return format!("max({}, {})", a.text(terms), b.text(terms)),
                };
                format!("{}{sign}{}", a.operand(terms), b.operand(terms))
            }
        }
    }

    fn operand(&self, terms: &[String]) -> String {
        let text = self.text(terms);
        let is_plain =
            |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || ".()".contains(letter));
        match self {
            Formula::Pair(operator, ..) if !matches!(operator, Operator::Least | Operator::Greatest) => {
                format!("({text})")
            }
            Formula::Term(_) if !is_plain(&text) => format!("({text})"),
            Formula::Number(number) if *number < 0.0 => format!("({text})"),
            _ => text,
        }
    }

    /// Returns the formula at a position in the order of reading, the whole at 0.
    fn at(&self, position: usize) -> &Formula {
        if position == 0 {
            return self;
        }
        match self {
            Formula::Call(_, of) => of.at(position - 1),
            Formula::Pair(_, a, _) if position <= a.size() => a.at(position - 1),
            Formula::Pair(_, a, b) => b.at(position - 1 - a.size()),
            Formula::Term(_) | Formula::Number(_) => self,
        }
    }

    /// Returns it with another formula at a position.
    fn with(&self, position: usize, other: &Formula) -> Formula {
        if position == 0 {
            return other.clone();
        }
        let boxed = |formula: &Formula, position: usize| Box::new(formula.with(position, other));
        match self {
            Formula::Call(function, of) => Formula::Call(*function, boxed(of, position - 1)),
            Formula::Pair(operator, a, b) if position <= a.size() => {
                Formula::Pair(*operator, boxed(a, position - 1), b.clone())
            }
            Formula::Pair(operator, a, b) => {
                Formula::Pair(*operator, a.clone(), boxed(b, position - 1 - a.size()))
            }
            Formula::Term(_) | Formula::Number(_) => self.clone(),
        }
    }

    /// Returns all smaller formulas in which one node that has parts is replaced by one of its parts.
    pub fn simpler(&self) -> Vec<Formula> {
        (0..self.size())
            .flat_map(|position| {
                let parts: Vec<&Formula> = match self.at(position) {
                    Formula::Call(_, of) => vec![of],
                    Formula::Pair(_, a, b) => vec![a, b],
                    Formula::Term(_) | Formula::Number(_) => Vec::new(),
                };
                parts.into_iter().map(move |part| self.with(position, part)).collect::<Vec<_>>()
            })
            .collect()
    }
}

impl Grammar {
    /// Draws a formula of at most this many nodes.
    pub fn draw(&self, most: usize, random: &mut impl Rng) -> Formula {
        let kind = unit(random);
        if most < 3 && (most < 2 || kind < 0.8) || kind < 0.15 {
            return self.leaf(random);
        }
        if most < 3 || kind < 0.35 {
            let function = *among(&[Function::Root, Function::Logarithm], random);
            return Formula::Call(function, Box::new(self.draw(most - 1, random)));
        }
        let operator = *among(&OPERATORS, random);
        let left = 1 + below(most - 2, random);
        let a = self.draw(left, random);
        let b = self.draw(most - 1 - a.size(), random);
        Formula::Pair(operator, Box::new(a), Box::new(b))
    }

    fn leaf(&self, random: &mut impl Rng) -> Formula {
        if unit(random) < 0.75 {
            return Formula::Term(below(self.terms.len(), random));
        }
        // Numbers of a few digits, from thousandths to a million: more digits only make formulas longer.
        let number = 10f64.powf(-3.0 + 9.0 * unit(random));
        Formula::Number(rounded(number, 2))
    }

    /// Returns a formula that differs in one place.
    pub fn vary(&self, formula: &Formula, random: &mut impl Rng) -> Formula {
        let position = below(formula.size(), random);
        let there = formula.at(position);
        let room = self.most - (formula.size() - there.size());
        let kind = unit(random);
        let other = match there {
            Formula::Number(number) if kind < 0.7 => {
                Formula::Number(rounded(number * 4f64.powf(2.0 * unit(random) - 1.0), 2))
            }
            Formula::Pair(_, a, b) if kind < 0.3 => {
                Formula::Pair(*among(&OPERATORS, random), a.clone(), b.clone())
            }
            Formula::Pair(_, a, b) if kind < 0.5 => {
                if unit(random) < 0.5 {
                    (**a).clone()
                } else {
                    (**b).clone()
                }
            }
            Formula::Call(_, of) if kind < 0.3 => (**of).clone(),
            _ => self.draw(room.min(there.size() + 3), random),
        };
        formula.with(position, &other)
    }

    /// Returns a formula with a part of another; the first if the result would be too large.
    pub fn cross(&self, one: &Formula, other: &Formula, random: &mut impl Rng) -> Formula {
        let part = other.at(below(other.size(), random));
        let crossed = one.with(below(one.size(), random), part);
        if crossed.size() <= self.most { crossed } else { one.clone() }
    }
}

/// Returns a whole number below another, which is above 0.
pub(super) fn below(end: usize, random: &mut impl Rng) -> usize {
    ((unit(random) * end as f64) as usize).min(end.saturating_sub(1))
}

fn among<'a, T>(all: &'a [T], random: &mut impl Rng) -> &'a T {
    &all[below(all.len(), random)]
}

/// Returns a number rounded to this many significant digits.
pub(super) fn rounded(number: f64, digits: i32) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let text = format!("{number:.*e}", (digits - 1).max(0) as usize);
    text.parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::Machine;
    use batchlab_traces::expr::{Expr, Vocabulary};
    use batchlab_traces::seed::stream;

    fn grammar(most: usize) -> Grammar {
        Grammar { terms: ["procs", "estimate/1s", "(1 + wait)/1s"].map(String::from).to_vec(), most }
    }

    #[test]
    fn a_formula_is_an_expression_of_the_language() {
        let sum = Formula::Pair(Operator::Add, Formula::Term(0).into(), Formula::Number(-2.0).into());
        let quotient = Formula::Pair(Operator::Divide, sum.into(), Formula::Term(2).into());
        let root = Formula::Call(Function::Root, quotient.into());
        assert_eq!(root.text(&grammar(9).terms), "sqrt(max((procs + (-2))/((1 + wait)/1s), 0))");
        assert_eq!(root.size(), 6);
    }

    #[test]
    fn drawn_varied_and_crossed_formulas_keep_their_size_and_can_be_read() {
        let (grammar, mut random) = (grammar(7), stream(1, "formulas"));
        let known = Vocabulary::policy(&Machine::pool(64).unwrap());
        let mut last = grammar.draw(7, &mut random);
        for _ in 0..2000 {
            let drawn = grammar.draw(7, &mut random);
            for next in [grammar.vary(&last, &mut random), grammar.cross(&last, &drawn, &mut random), drawn] {
                assert!((1..=7).contains(&next.size()), "{next:?}");
                let text = next.text(&grammar.terms);
                assert!(Expr::parse(&text).unwrap().number(&known).is_ok(), "{text}");
                last = next;
            }
        }
    }

    #[test]
    fn a_simpler_formula_has_a_part_in_the_place_of_the_whole() {
        let sum = Formula::Pair(Operator::Add, Formula::Term(0).into(), Formula::Term(1).into());
        let root = Formula::Call(Function::Root, sum.clone().into());
        let terms = grammar(9).terms;
        let simpler: Vec<String> = root.simpler().iter().map(|formula| formula.text(&terms)).collect();
        assert_eq!(simpler, ["procs + (estimate/1s)", "sqrt(max(procs, 0))", "sqrt(max(estimate/1s, 0))"]);
    }
}
