//! What a job asks of its nodes: features that they must have or lack.

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::error::{Error, ErrorKind};
use nom::multi::{many0, separated_list1};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use crate::notation::hosts;

/// A condition on the features of a node.
///
/// One grammar reads the forms of batch systems: Slurm's `a&b`, `a|b`, `[a|b]`, `(a|b)&c` and `a*2`, the properties of PBS and
/// Torque, `a:b:^c`, and lists such as `a,b`. `&`, `:` and `,` are *and*, `|` is *or*, `^` and `!` are *not*. A name of a
/// node is a feature of that node, and `n[1-3,07]` stands for any of n1, n2, n3 and n07, as in a list of hosts.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    Feature(String),
    Not(String),
    /// All hold; an empty list always holds.
    All(Vec<Constraint>),
    Any(Vec<Constraint>),
    /// One of these holds, the same one on all nodes of a job: Slurm's `[rack1|rack2]`.
    OneOf(Vec<Constraint>),
}

const DEEPEST: usize = 16;

impl Constraint {
    /// Reads a constraint; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Constraint> {
        let step = |depth: &mut usize, letter: char| {
            match letter {
                '[' | '(' => *depth += 1,
                ']' | ')' => *depth = depth.saturating_sub(1),
                _ => {}
            }
            Some(*depth)
        };
        let text = text.trim();
        if text.is_empty() || text.chars().scan(0, step).any(|depth| depth > DEEPEST) {
            return None;
        }
        all_consuming(any).parse(text).ok().map(|(_, constraint)| constraint)
    }

    /// Whether a node with these features meets it. A feature that is not `known`, because no node has it, excludes no node.
    pub fn holds(&self, features: &[String], known: &impl Fn(&str) -> bool) -> bool {
        let has = |feature: &String| features.contains(feature);
        match self {
            Constraint::Feature(feature) => has(feature) || !known(feature),
            Constraint::Not(feature) => !has(feature),
            Constraint::All(parts) => parts.iter().all(|part| part.holds(features, known)),
            Constraint::Any(parts) | Constraint::OneOf(parts) => {
                parts.iter().any(|part| part.holds(features, known))
            }
        }
    }

    /// Returns the alternatives of a list (all nodes of a job must meet the same one), each with the further conditions; empty
    /// unless the constraint is such a list, or a conjunction with one.
    pub fn groups(&self) -> Vec<Constraint> {
        match self {
            Constraint::OneOf(parts) => parts.clone(),
            Constraint::All(parts) => {
                let Some(at) = parts.iter().position(|part| matches!(part, Constraint::OneOf(_))) else {
                    return Vec::new();
                };
                let with = |one: Constraint| {
                    let mut parts = parts.clone();
                    parts[at] = one;
                    Constraint::All(parts)
                };
                parts[at].groups().into_iter().map(with).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns every feature that it names, in order.
    pub fn features(&self) -> Vec<&str> {
        match self {
            Constraint::Feature(feature) | Constraint::Not(feature) => vec![feature],
            Constraint::All(parts) | Constraint::Any(parts) | Constraint::OneOf(parts) => {
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
    let same = joined(separated_list1(char('|'), all), Constraint::OneOf);
    let group = alt((delimited(char('['), same, char(']')), delimited(char('('), any, char(')'))));
    let not = preceded(one_of("^!"), words).map(|words| each(words, Constraint::Not, Constraint::All));
    let feature = words.map(|words| each(words, Constraint::Feature, Constraint::Any));
    let count = opt((char('*'), digit1));
    delimited(blanks, (alt((group, not, feature)), count).map(|(constraint, _)| constraint), blanks)
        .parse(text)
}

/// The most nodes that one word stands for.
const MOST_NODES: usize = 10_000;

/// Makes a constraint of each word; a single one stands alone.
fn each(
    mut words: Vec<String>,
    of: fn(String) -> Constraint,
    joined: fn(Vec<Constraint>) -> Constraint,
) -> Constraint {
    if words.len() == 1 { of(words.remove(0)) } else { joined(words.into_iter().map(of).collect()) }
}

/// A word, or the names of nodes that ranges in brackets stand for.
fn words(text: &str) -> IResult<&str, Vec<String>> {
    let inside = take_while1(|letter: char| letter.is_ascii_digit() || ",-".contains(letter));
    let bracket = recognize(delimited(char('['), inside, char(']')));
    let (rest, list) = recognize((word, many0(alt((bracket, word))))).parse(text)?;
    let wrong = || nom::Err::Error(Error::new(text, ErrorKind::Digit));
    Ok((rest, hosts::names(list, MOST_NODES).ok_or_else(wrong)?))
}

fn word(text: &str) -> IResult<&str, &str> {
    take_while1(|letter: char| letter.is_alphanumeric() || "_-./=".contains(letter)).parse(text)
}

fn blanks(text: &str) -> IResult<&str, &str> {
    take_while(|letter: char| letter == ' ').parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn nodes_of_one_group_meet_the_same_part() {
        let groups = |text: &str| -> Vec<String> {
            let parts = Constraint::parse(text).unwrap().groups();
            parts.iter().map(|part| part.features().join("&")).collect()
        };
        assert_eq!(groups("[v100|a100]"), ["v100", "a100"]);
        assert_eq!(groups("ib&[v100|a100&new]"), ["ib&v100", "ib&a100&new"]);
        assert!(groups("v100|a100").is_empty() && groups("(v100|a100)&ib").is_empty());
    }

    #[test]
    fn features_that_no_node_has_say_nothing() {
        assert_eq!(nodes("v100:x86_64"), ["v100", "v100 ib"]);
        assert_eq!(nodes("^old"), ["v100", "v100 ib", "a100 ib", ""]);
    }

    #[test]
    fn names_of_nodes_may_be_ranges() {
        let names = |text: &str| Constraint::parse(text).map(|asked| asked.features().join(" "));
        assert_eq!(names("n[8-10,07]").as_deref(), Some("n8 n9 n10 n07"));
        assert_eq!(names("!r1n[1-2].ib&a").as_deref(), Some("r1n1.ib r1n2.ib a"));
        assert_eq!(names("(r[1-2]n[1-2]|m4)&ib").as_deref(), Some("r1n1 r1n2 r2n1 r2n2 m4 ib"));
        assert_eq!(names(&vec!["r[1]n[1]"; 20].join("|")).map(|names| names.len()), Some(20 * 5 - 1));
        assert_eq!((names("n[3-1]"), names("n[1-20000]"), names("n[]")), (None, None, None));
        let on =
            |text: &str, node: &str| Constraint::parse(text).unwrap().holds(&[node.to_owned()], &|_| true);
        assert!(on("(n[1-2]|m4)", "n2") && on("(n[1-2]|m4)", "m4") && !on("n[1-2]", "n3"));
        assert!(on("!n[1-2]", "n3") && !on("!n[1-2]", "n2"));
    }

    #[test]
    fn what_is_no_constraint_is_not_read() {
        for text in ["", "&", "a|", "(a", "a b", "[a]]", &"(".repeat(40)] {
            assert_eq!(Constraint::parse(text), None, "{text}");
        }
        assert_eq!(Constraint::parse("a&(b|^c)").unwrap().features(), ["a", "b", "c"]);
    }
}
