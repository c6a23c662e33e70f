//! EXPRESSIONS.md lists exactly what exists, and its examples have the values it states.

use super::sample::{trace, values};
use crate::expr::{ExprType, FIELDS, FUNCTIONS, UNITS, Vocabulary};
use crate::machine::Machine;

const PAGE: &str = include_str!("../../../EXPRESSIONS.md");

/// The rows of the tables of a section, cell by cell, without their headings.
fn rows(section: &str) -> Vec<Vec<String>> {
    let (_, rest) = PAGE.split_once(&format!("\n## {section}\n")).unwrap();
    let text = rest.split("\n## ").next().unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    let is_row = |at: &usize| {
        !lines[*at].starts_with("|---") && !lines.get(at + 1).is_some_and(|next| next.starts_with("|---"))
    };
    (0..lines.len()).filter(is_row).map(|at| cells(lines[at])).collect()
}

fn names(name: &str, aliases: &[&str]) -> String {
    [&[name], aliases].concat().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_page_lists_every_field_and_which_of_them_a_policy_may_read() {
    let policy = Vocabulary::policy(&Machine::pool(1).unwrap()).told_memory().dated(trace().calendar);
    let listed = FIELDS.iter().map(|field| {
        let unit = if field.kind == ExprType::TIME {
            "s"
        } else if field.kind == ExprType::MEMORY {
            "KB"
        } else {
            ""
        };
        let known = if policy.names().any(|name| name == field.name) { "yes" } else { "" };
        [&*names(field.name, field.aliases), unit, known, field.meaning].map(String::from).to_vec()
    });
    assert_eq!(rows("Fields"), listed.collect::<Vec<_>>());
}

#[test]
fn the_page_lists_every_function_and_unit() {
    let functions =
        FUNCTIONS.iter().map(|function| vec![format!("`{}`", function.usage), function.meaning.into()]);
    assert_eq!(rows("Functions"), functions.collect::<Vec<_>>());
    let units = UNITS.iter().map(|unit| vec![names(unit.name, unit.aliases), unit.meaning.into()]);
    assert_eq!(rows("Units"), units.collect::<Vec<_>>());
}

#[test]
fn the_grammar_of_the_page_is_the_one_beside_the_parser() {
    let source = include_str!("../../expr.rs");
    let beside = source.split("//! ```text\n").nth(1).and_then(|rest| rest.split("//! ```").next()).unwrap();
    let beside: Vec<&str> = beside.lines().map(|line| line.trim_start_matches("//! ")).collect();
    let shown = PAGE.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(shown.lines().collect::<Vec<_>>(), beside);
}

#[test]
fn the_examples_of_the_page_are_worth_what_it_says() {
    let examples = rows("Examples");
    for row in &examples {
        let text = row[0].trim_matches('`');
        let expected: f64 = row[1].parse().unwrap();
        assert_eq!(values(text)[0], expected, "{text}");
    }
    assert!(examples.len() >= 14, "{}", examples.len());
}
