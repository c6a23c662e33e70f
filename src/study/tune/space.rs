//! The space of a search: what may stand in the braces of a spec.

use std::fmt;

use batchlab_traces::Machine;
use batchlab_traces::expr::{Expr, ExprType, Vocabulary};
use batchlab_traces::seed::unit;
use chacha20::rand_core::Rng;

use super::formula::{Formula, Grammar, below, rounded};
use crate::experiment::Sweep;

/// The names in braces, each with the values that it may take.
///
/// | written | values |
/// |---|---|
/// | `"0.1 .. 10"` | a number between them |
/// | `"0.1 .. 10 log"` | the same, evenly in its logarithm |
/// | `"1 .. 64 whole"` | a whole number; `log` may follow |
/// | `["saf", "wfp3"]` | one of these texts |
/// | `"linear(procs, estimate)"` | a sum of the terms with weights from -1 to 1 |
/// | `"power(procs, estimate)"` | a product of the terms, each to a power from -3 to 3 |
/// | `"tree(procs, estimate, wait; 9)"` | a formula of the terms, of at most 9 nodes |
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpace {
    dimensions: Vec<Dimension>,
    names: Vec<(String, Form)>,
}

/// What varies by itself.
#[derive(Clone, Debug, PartialEq)]
enum Dimension {
    /// A number from 0 to 1 that a scale turns into a text.
    Number(Scale),
    Choice(Vec<String>),
    Tree(Grammar),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    from: f64,
    to: f64,
    is_log: bool,
    is_whole: bool,
}

/// How the text of a name is made of dimensions, from the first of them on.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    One(usize),
    Linear(usize, Vec<String>),
    Power(usize, Vec<String>),
}

/// A point of a space: a value for each dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Genome(pub(super) Vec<Gene>);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Gene {
    /// From 0 to 1.
    Number(f64),
    Choice(usize),
    Tree(Formula),
}

/// Why a text is no range, list or form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceError(pub String);

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The most terms of a form and choices of a name, and the most nodes of a tree.
const MOST: usize = 64;

impl SearchSpace {
    /// Makes a space of names with the values that were written beside them; the error has the name that it is about.
    pub fn of(written: &[(String, Vec<String>)]) -> Result<SearchSpace, (String, SpaceError)> {
        let mut space = SearchSpace { dimensions: Vec::new(), names: Vec::new() };
        for (name, values) in written {
            let form = space.add(values).map_err(|error| (name.clone(), error))?;
            space.names.push((name.clone(), form));
        }
        Ok(space)
    }

    fn add(&mut self, values: &[String]) -> Result<Form, SpaceError> {
        let first = self.dimensions.len();
        if values.len() > 1 {
            if values.len() > MOST {
                return Err(SpaceError(format!("at most {MOST} values stand in a list")));
            }
            self.dimensions.push(Dimension::Choice(values.to_vec()));
            return Ok(Form::One(first));
        }
        let text = values.first().map_or("", |text| text.trim());
        let Some((kind, terms)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
            self.dimensions.push(Dimension::Number(Scale::read(text)?));
            return Ok(Form::One(first));
        };
        let (terms, most) = terms.rsplit_once(';').map_or((terms, None), |(terms, most)| (terms, Some(most)));
        let terms = terms_of(terms);
        if terms.is_empty() || terms.len() > MOST {
            return Err(SpaceError(format!(
                "`{text}` needs from 1 to {MOST} terms, such as procs and estimate"
            )));
        }
        let weights = |space: &mut SearchSpace, most: f64| {
            let scale = Scale { from: -most, to: most, is_log: false, is_whole: false };
            space.dimensions.extend(vec![Dimension::Number(scale); terms.len()]);
        };
        match (kind.trim(), most) {
            ("linear", None) => {
                weights(self, 1.0);
                Ok(Form::Linear(first, terms))
            }
            ("power", None) => {
                weights(self, 3.0);
                Ok(Form::Power(first, terms))
            }
            ("tree", most) => {
                let most = most.map_or(Ok(9), |most| most.trim().parse());
                let most = most.ok().filter(|most| (1..=MOST).contains(most)).ok_or_else(|| {
                    SpaceError(format!(
                        "the size of a tree is a whole number of nodes from 1 to {MOST}: `{text}`"
                    ))
                })?;
                let terms = terms.iter().map(|term| without_unit(term)).collect();
                self.dimensions.push(Dimension::Tree(Grammar { terms, most }));
                Ok(Form::One(first))
            }
            _ => Err(SpaceError(format!(
                "`{text}` is no form: known are linear(...), power(...) and tree(...; 9)"
            ))),
        }
    }

    /// Whether each dimension is a number.
    pub fn is_numeric(&self) -> bool {
        self.dimensions.iter().all(|dimension| matches!(dimension, Dimension::Number(_)))
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions.len()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the texts of a point by name.
    pub fn texts(&self, genome: &Genome) -> Vec<(String, String)> {
        self.names.iter().map(|(name, form)| (name.clone(), self.text(form, genome))).collect()
    }

    fn text(&self, form: &Form, Genome(genes): &Genome) -> String {
        let number = |at: usize| match (&self.dimensions[at], &genes[at]) {
            (Dimension::Number(scale), Gene::Number(gene)) => scale.value(*gene),
            _ => 0.0,
        };
        let weighted = |first: usize, terms: &[String], word: &dyn Fn(f64, &str) -> String| -> Vec<String> {
            let weighted = terms.iter().enumerate().map(|(at, term)| (number(first + at), term));
            weighted.filter(|(weight, _)| *weight != 0.0).map(|(weight, term)| word(weight, term)).collect()
        };
        let joined = |parts: Vec<String>, sign: &str| {
            if parts.is_empty() { "0".to_owned() } else { parts.join(sign) }
        };
        match form {
            Form::Linear(first, terms) => joined(
                weighted(*first, terms, &|weight, term| format!("{weight}*{}", bracketed(term))),
                " + ",
            ),
            Form::Power(first, terms) => {
                let word = |weight: f64, term: &str| {
                    if weight == 1.0 { bracketed(term) } else { format!("{}^{weight}", bracketed(term)) }
                };
                joined(weighted(*first, terms, &word), "*")
            }
            Form::One(at) => match (&self.dimensions[*at], &genes[*at]) {
                (Dimension::Choice(texts), Gene::Choice(chosen)) => texts[*chosen].clone(),
                (Dimension::Tree(grammar), Gene::Tree(formula)) => formula.text(&grammar.terms),
                _ => number(*at).to_string(),
            },
        }
    }

    /// Returns a spec with the texts of a point in its braces. Names that are not of the space stay.
    pub fn spec(&self, spec: &str, genome: &Genome) -> String {
        let texts = self.texts(genome);
        let mut values: Vec<(&str, &str)> =
            texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let others: Vec<(&str, String)> =
            Sweep::names(spec).map(|name| (name, format!("{{{name}}}"))).collect();
        values.extend(others.iter().map(|(name, text)| (*name, text.as_str())));
        Sweep::fill(spec, &values).unwrap_or_default()
    }

    /// The number of weights and nodes of a point: what a reader of the spec has to understand.
    pub fn size(&self, Genome(genes): &Genome) -> usize {
        let size = |(dimension, gene): (&Dimension, &Gene)| match (dimension, gene) {
            (_, Gene::Tree(formula)) => formula.size(),
            (Dimension::Number(scale), Gene::Number(gene)) => usize::from(scale.value(*gene) != 0.0),
            _ => 1,
        };
        self.dimensions.iter().zip(genes).map(size).sum()
    }

    pub fn draw(&self, random: &mut impl Rng) -> Genome {
        let gene = |dimension: &Dimension| match dimension {
            Dimension::Number(_) => Gene::Number(unit(random)),
            Dimension::Choice(texts) => Gene::Choice(below(texts.len(), random)),
            Dimension::Tree(grammar) => {
                let most = 1 + below(grammar.most, random);
                Gene::Tree(grammar.draw(most, random))
            }
        };
        Genome(self.dimensions.iter().map(gene).collect())
    }

    /// Returns a point near another: each dimension varies with a probability, at least one of them.
    pub fn vary(&self, genome: &Genome, random: &mut impl Rng) -> Genome {
        let sure = below(self.dimensions.len(), random);
        let share = 1.0 / self.dimensions.len() as f64;
        let mut varied = genome.clone();
        for (at, (dimension, gene)) in self.dimensions.iter().zip(&mut varied.0).enumerate() {
            if at != sure && unit(random) >= share {
                continue;
            }
            match (dimension, gene) {
                (Dimension::Tree(grammar), Gene::Tree(formula)) => *formula = grammar.vary(formula, random),
                (Dimension::Choice(texts), Gene::Choice(chosen)) => *chosen = below(texts.len(), random),
                (_, Gene::Number(number)) => *number = (*number + 0.15 * normal(random)).clamp(0.0, 1.0),
                _ => {}
            }
        }
        varied
    }

    /// Returns a point between two: each gene is of one of them, and trees exchange parts.
    pub fn cross(&self, one: &Genome, other: &Genome, random: &mut impl Rng) -> Genome {
        let gene = |(dimension, (a, b)): (&Dimension, (&Gene, &Gene))| match (dimension, a, b) {
            (Dimension::Tree(grammar), Gene::Tree(a), Gene::Tree(b)) => {
                Gene::Tree(grammar.cross(a, b, random))
            }
            _ if unit(random) < 0.5 => a.clone(),
            _ => b.clone(),
        };
        Genome(self.dimensions.iter().zip(one.0.iter().zip(&other.0)).map(gene).collect())
    }

    /// Returns the points that have one weight, node or part less.
    pub fn simpler(&self, genome: &Genome) -> Vec<Genome> {
        let with = |at: usize, gene: Gene| {
            let mut simpler = genome.clone();
            simpler.0[at] = gene;
            simpler
        };
        let weights = self.names.iter().flat_map(|(_, form)| match form {
            Form::Linear(first, terms) | Form::Power(first, terms) => *first..first + terms.len(),
            Form::One(_) => 0..0,
        });
        let dropped =
            weights.filter(|&at| genome.0[at] != Gene::Number(0.5)).map(|at| with(at, Gene::Number(0.5)));
        let trees = genome.0.iter().enumerate().flat_map(|(at, gene)| match gene {
            Gene::Tree(formula) => {
                formula.simpler().into_iter().map(|formula| with(at, Gene::Tree(formula))).collect()
            }
            _ => Vec::new(),
        });
        dropped.chain(trees).collect()
    }

    /// Returns the point of a space of numbers; values outside are moved to its edge.
    pub(super) fn of_numbers(numbers: &[f64]) -> Genome {
        Genome(numbers.iter().map(|number| Gene::Number(number.clamp(0.0, 1.0))).collect())
    }
}

impl Genome {
    /// Returns the numbers of a point of a space of numbers.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let number = |gene: &Gene| if let Gene::Number(number) = gene { *number } else { 0.0 };
        self.0.iter().map(number).collect()
    }
}

impl Scale {
    fn read(text: &str) -> Result<Scale, SpaceError> {
        let wrong = || {
            SpaceError(format!(
                "`{text}` is no range such as \"0.1 .. 10\", \"1 .. 64 whole\" or \"1 .. 1000 log\", no list and no form \
                 such as \"linear(procs, estimate)\""
            ))
        };
        let (from, rest) = text.split_once("..").ok_or_else(wrong)?;
        let mut words = rest.split_whitespace();
        let ends = (from.trim().parse(), words.next().unwrap_or_default().parse());
        let (Ok(from), Ok(to)): (Result<f64, _>, Result<f64, _>) = ends else { return Err(wrong()) };
        let mut scale = Scale { from, to, is_log: false, is_whole: false };
        for word in words {
            match word {
                "log" => scale.is_log = true,
                "whole" => scale.is_whole = true,
                _ => return Err(wrong()),
            }
        }
        if !(from.is_finite() && to.is_finite() && from < to) {
            return Err(SpaceError(format!("a range goes from a number to a greater one: `{text}`")));
        }
        if scale.is_log && from <= 0.0 {
            return Err(SpaceError(format!("a range with `log` begins above 0: `{text}`")));
        }
        Ok(scale)
    }

    /// Returns the value of a gene: a whole number, or three digits.
    fn value(self, gene: f64) -> f64 {
        let Scale { from, to, .. } = self;
        let value = if self.is_log { from * (to / from).powf(gene) } else { from + (to - from) * gene };
        let value = if self.is_whole { value.round() } else { rounded(value, 3) };
        // A thousandth of the range is as good as nothing.
        let is_nothing = from < 0.0 && to > 0.0 && value.abs() < (to - from) / 2000.0;
        if is_nothing { 0.0 } else { value.clamp(from, to) }
    }
}

fn bracketed(term: &str) -> String {
    let is_plain = term.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.');
    let is_call = term.ends_with(')')
        && term.split('(').next().is_some_and(|name| name.chars().all(char::is_alphanumeric))
        && term.matches('(').count() == 1;
    if is_plain || is_call { term.into() } else { format!("({term})") }
}

/// Returns a term as a number without a unit, which any formula may add to any other: a time is divided by `1s`. A term that only
/// the machine's own resources explain stays as it is.
fn without_unit(term: &str) -> String {
    let kind = Machine::pool(1).ok().and_then(|machine| {
        let program = Expr::parse(term).and_then(|term| term.number(&Vocabulary::policy(&machine)));
        program.ok().map(|program| program.kind())
    });
    match kind {
        Some(ExprType::Quantity { time: 1, memory: 0 }) => format!("{}/1s", bracketed(term)),
        Some(ExprType::Quantity { time: 0, memory: 1 }) => format!("{}/1KB", bracketed(term)),
        _ => term.to_owned(),
    }
}

/// Splits terms at commas outside of parentheses.
fn terms_of(text: &str) -> Vec<String> {
    let (mut terms, mut depth) = (vec![String::new()], 0);
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                terms.push(String::new());
                continue;
            }
            _ => {}
        }
        terms.last_mut().unwrap_or(&mut String::new()).push(letter);
    }
    terms.iter().map(|term| term.trim().to_owned()).filter(|term| !term.is_empty()).collect()
}

/// Returns a draw of the standard normal distribution, by Box and Muller's method.
pub(super) fn normal(random: &mut impl Rng) -> f64 {
    let (radius, turn) = (1.0 - unit(random), unit(random));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::seed::stream;

    fn space(values: &[&str]) -> Result<SearchSpace, (String, SpaceError)> {
        SearchSpace::of(&[("x".into(), values.iter().map(|text| (*text).into()).collect())])
    }

    fn text(values: &[&str], genes: &[f64]) -> String {
        space(values).unwrap().spec("{x}", &SearchSpace::of_numbers(genes))
    }

    #[test]
    fn a_number_has_its_range_scale_and_digits() {
        assert_eq!(text(&["0.1 .. 10"], &[0.5]), "5.05");
        assert_eq!(text(&["0.1 .. 10 log"], &[0.5]), "1");
        assert_eq!(text(&["1 .. 64 whole"], &[0.49]), "32");
        assert_eq!(text(&["1 .. 1000 whole log"], &[0.3]), "8");
    }

    #[test]
    fn forms_leave_out_what_weighs_nothing() {
        assert_eq!(text(&["linear(procs, 1 + wait)"], &[0.75, 0.25]), "0.5*procs + -0.5*(1 + wait)");
        assert_eq!(text(&["linear(procs, estimate)"], &[0.5, 1.0]), "1*estimate");
        assert_eq!(text(&["power(procs, max(wait, 1))"], &[2.0 / 3.0, 0.25]), "procs*max(wait, 1)^-1.5");
        assert_eq!(text(&["power(procs)"], &[0.5]), "0");
    }

    #[test]
    fn terms_of_a_tree_have_no_unit() {
        let units = ["procs", "estimate", "1 + wait", "sqrt(estimate)", "gpu"].map(without_unit);
        assert_eq!(units, ["procs", "estimate/1s", "(1 + wait)/1s", "sqrt(estimate)", "gpu"]);
    }

    #[test]
    fn names_that_are_not_of_the_space_stay() {
        let one = space(&["a", "b"]).unwrap();
        assert_eq!(one.spec("easy:order={x},k={k}", &Genome(vec![Gene::Choice(1)])), "easy:order=b,k={k}");
    }

    #[test]
    fn what_is_no_space_is_refused_with_what_would_be() {
        let reason = |text: &str| space(&[text]).unwrap_err().1.0;
        assert!(reason("1 to 3").contains("is no range such as"));
        assert!(reason("3 .. 1").starts_with("a range goes from a number to a greater one"));
        assert!(reason("0 .. 1 log").starts_with("a range with `log` begins above 0"));
        assert!(reason("tree(procs; 0)").starts_with("the size of a tree"));
        assert!(reason("sum(procs)").contains("is no form"));
        assert!(reason("linear()").contains("needs from 1 to 64 terms"));
    }

    #[test]
    fn varied_and_crossed_points_stay_in_the_space() {
        let written =
            [("a", vec!["-1 .. 1"]), ("b", vec!["saf", "sjf"]), ("c", vec!["tree(procs, wait; 5)"])];
        let written: Vec<(String, Vec<String>)> =
            written.map(|(name, of)| (name.into(), of.into_iter().map(String::from).collect())).to_vec();
        let (space, mut random) = (SearchSpace::of(&written).unwrap(), stream(1, "space"));
        let mut last = space.draw(&mut random);
        for _ in 0..500 {
            let next = space.cross(&space.vary(&last, &mut random), &space.draw(&mut random), &mut random);
            let texts = space.texts(&next);
            assert!((-1.0..=1.0).contains(&texts[0].1.parse::<f64>().unwrap()));
            assert!(["saf", "sjf"].contains(&texts[1].1.as_str()));
            assert!(space.size(&next) <= 7);
            last = next;
        }
        assert!(space.simpler(&last).iter().all(|simpler| space.size(simpler) < space.size(&last)));
    }
}
