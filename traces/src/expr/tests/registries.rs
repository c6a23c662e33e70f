use super::sample::trace;
use crate::Field;
use crate::expr::parse::RESERVED;
use crate::expr::{Expr, FIELDS, FUNCTIONS, FieldInfo, UNITS, Vocabulary};

fn unique(names: impl Iterator<Item = &'static str>) {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None);
}

#[test]
fn names_are_unique_and_not_reserved() {
    let fields = || FIELDS.iter().flat_map(|field| field.aliases.iter().copied().chain([field.name]));
    unique(fields().chain(RESERVED));
    unique(FUNCTIONS.iter().map(|function| function.name).chain(RESERVED));
    unique(UNITS.iter().flat_map(|unit| unit.aliases.iter().copied().chain([unit.name])));
}

#[test]
fn every_field_can_be_read_under_all_its_names() {
    let trace = trace();
    let values = |name: &str| Expr::parse(name).unwrap().compile(&Vocabulary::trace(&trace)).unwrap();
    for field in FIELDS {
        assert!(!field.meaning.is_empty());
        for alias in field.aliases {
            assert_eq!(values(alias), values(field.name), "{alias}");
        }
    }
}

#[test]
fn the_names_of_the_standard_workload_format_are_understood() {
    for field in Field::ALL {
        let name = field.name().to_lowercase().replace(' ', "_");
        assert!(FieldInfo::find(&name).is_some(), "{name}");
    }
}

#[test]
fn every_function_is_used_as_it_says() {
    let trace = trace();
    let vocabulary = Vocabulary::trace(&trace).drawing(1, "usage");
    for function in FUNCTIONS {
        let usage =
            function.usage.replace(", ...", "").replace("condition", "run > 4h").replace("field", "run");
        let usage = ["a", "b", "x", "mu", "sigma", "mean", "m", "v"].iter().fold(usage, |usage, name| {
            usage.replace(&format!("({name}"), "(3").replace(&format!(", {name}"), ", 4")
        });
        let program = Expr::parse(&usage).and_then(|expr| expr.compile(&vocabulary));
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.draws(), function.draws, "{usage}");
    }
}
