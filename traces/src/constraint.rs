//! What a job asks of its nodes: features that they have, or have not.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{all_consuming, opt};
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded};
use nom::{IResult, error::Error};

/// A condition on the features of a node.
///
/// One grammar reads the forms of batch systems: Slurm's `a&b`, `a|b`, `[a|b]`, `(a|b)&c` and `a*2`, the properties of PBS and
/// Torque, `a:b:^c`, and lists such as `a,b`. `&`, `:` and `,` are *and*, `|` is *or*, `^` and `!` are *not*. A name of a
/// node is a feature of that node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// The node has the feature.
    Feature(String),
    /// The node does not have the feature.
    Not(String),
    /// All hold; an empty list always holds.
    All(Vec<Constraint>),
    /// One of these holds.
    Any(Vec<Constraint>),
}

/// The deepest nesting that is read.
const DEEPEST: usize = 16;

impl Constraint {
    /// Reads a constraint; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Constraint> {
        let depth = text.bytes().filter(|byte| b"[(".contains(byte)).count();
        let text = text.trim();
        if depth > DEEPEST || text.is_empty() {
            return None;
        }
        all_consuming(any).parse(text).ok().map(|(_, constraint)| constraint)
    }

    /// Whether a node with these features meets it. A feature that is `known` of no node says nothing.
    pub fn holds(&self, features: &[String], known: &impl Fn(&str) -> bool) -> bool {
        let has = |feature: &String| features.contains(feature);
        match self {
            Constraint::Feature(feature) => has(feature) || !known(feature),
            Constraint::Not(feature) => !has(feature),
            Constraint::All(parts) => parts.iter().all(|part| part.holds(features, known)),
            Constraint::Any(parts) => parts.iter().any(|part| part.holds(features, known)),
        }
    }

    /// Returns every feature that it names, in order.
    pub fn features(&self) -> Vec<&str> {
        match self {
            Constraint::Feature(feature) | Constraint::Not(feature) => vec![feature],
            Constraint::All(parts) | Constraint::Any(parts) => {
                parts.iter().flat_map(Constraint::features).collect()
            }
        }
    }
}

fn any(text: &str) -> IResult<&str, Constraint> {
    joined(separated_list1(char('|'), all), Constraint::Any).parse(text)
}

fn all(text: &str) -> IResult<&str, Constraint> {
    joined(separated_list1(one_of("&:,"), one), Constraint::All).parse(text)
}

/// A list of one part is that part.
fn joined<'a>(
    list: impl Parser<&'a str, Output = Vec<Constraint>, Error = Error<&'a str>>,
    of: fn(Vec<Constraint>) -> Constraint,
) -> impl Parser<&'a str, Output = Constraint, Error = Error<&'a str>> {
    list.map(move |mut parts| if parts.len() == 1 { parts.remove(0) } else { of(parts) })
}

fn one(text: &str) -> IResult<&str, Constraint> {
    let group = alt((delimited(char('['), any, char(']')), delimited(char('('), any, char(')'))));
    let not = preceded(one_of("^!"), word).map(Constraint::Not);
    let feature = word.map(Constraint::Feature);
    let count = opt((char('*'), digit1));
    delimited(blanks, (alt((group, not, feature)), count).map(|(constraint, _)| constraint), blanks)
        .parse(text)
}

fn word(text: &str) -> IResult<&str, String> {
    let letter = |letter: char| letter.is_alphanumeric() || "_-./=".contains(letter);
    take_while1(letter).map(str::to_owned).parse(text)
}

fn blanks(text: &str) -> IResult<&str, &str> {
    take_while(|letter: char| letter == ' ').parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes, by their features, that meet a constraint.
    fn nodes(text: &str) -> Vec<&'static str> {
        let constraint = Constraint::parse(text).unwrap_or_else(|| panic!("{text}"));
        let nodes = ["v100", "v100 ib", "a100 ib", ""];
        let features = |node: &str| node.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let known = |feature: &str| ["v100", "a100", "ib"].contains(&feature);
        nodes.into_iter().filter(|node| constraint.holds(&features(node), &known)).collect()
    }

    #[test]
    fn the_forms_of_batch_systems_are_one_language() {
        assert_eq!(nodes("v100"), ["v100", "v100 ib"]);
        assert_eq!(nodes("v100&ib"), ["v100 ib"]);
        assert_eq!(nodes("v100|a100"), ["v100", "v100 ib", "a100 ib"]);
        assert_eq!(nodes("[v100|a100]&ib"), ["v100 ib", "a100 ib"]);
        assert_eq!(nodes("(v100|a100) & !ib"), ["v100"]);
        assert_eq!(nodes("v100:^ib"), ["v100"]);
        assert_eq!(nodes("ib,a100*2"), ["a100 ib"]);
    }

    #[test]
    fn features_that_no_node_has_say_nothing() {
        assert_eq!(nodes("v100:x86_64"), ["v100", "v100 ib"]);
        assert_eq!(nodes("^old"), ["v100", "v100 ib", "a100 ib", ""]);
    }

    #[test]
    fn what_is_no_constraint_is_not_read() {
        for text in ["", "&", "a|", "(a", "a b", "[a]]", &"(".repeat(40)] {
            assert_eq!(Constraint::parse(text), None, "{text}");
        }
        assert_eq!(Constraint::parse("a&(b|^c)").unwrap().features(), ["a", "b", "c"]);
    }
}
