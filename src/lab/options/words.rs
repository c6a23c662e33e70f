//! Options that are given by name, and what is wrong with them, in the words of the command line.

use std::path::PathBuf;

use batchlab_parsers::Formats;

use super::spec::{FROM, OptionSpec, Setter, Takes};
use crate::lab::settings::AllSettings;

/// An option as given, so that it can be passed on: its name, and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Name without the dashes.
    pub name: String,
    /// Its values; `true` for a flag.
    pub values: Vec<String>,
}

/// Sets options to the values that were given; a list of values may be one value.
pub fn assign(
    settings: &mut AllSettings,
    given: &[(&'static OptionSpec, Vec<String>)],
    formats: &Formats,
) -> Result<(), String> {
    for (option, values) in given {
        for value in values {
            assign_one(settings, option, value, formats)?;
        }
    }
    let given: Vec<&OptionSpec> = given.iter().map(|(option, _)| *option).collect();
    conflict(&given).map_or(Ok(()), Err)
}

fn assign_one(
    settings: &mut AllSettings,
    option: &OptionSpec,
    value: &str,
    formats: &Formats,
) -> Result<(), String> {
    let wrong = |value: &str, why: String| format!("invalid value '{value}' for '{}': {why}", place(option));
    let mut set = |set: Setter, value: &str| set(settings, value).map_err(|why| wrong(value, why));
    match option.takes {
        Takes::One(_) if option.name == FROM && !is_format(value, formats) => {
            return Err(no_format(option, value, formats));
        }
        Takes::One(to) | Takes::Many(to) => set(to, value)?,
        Takes::List(to) => value.split(',').try_for_each(|value| set(to, value))?,
        Takes::Path(_) | Takes::Paths(_) if value.is_empty() => return Err(lacks_value(option)),
        Takes::Path(to) | Takes::Paths(to) => to(settings, PathBuf::from(value)),
        Takes::Nothing(on) => on(settings),
    }
    Ok(())
}

/// Returns an option as a command line has it.
pub fn flag(option: &OptionSpec) -> String {
    format!("--{}", option.name)
}

/// Returns an option with its placeholder, as errors name it.
pub fn place(option: &OptionSpec) -> String {
    match option.takes {
        Takes::Nothing(_) => flag(option),
        _ => format!("--{} <{}>", option.name, option.value),
    }
}

fn is_format(value: &str, formats: &Formats) -> bool {
    formats.specs().any(|format| format.name.eq_ignore_ascii_case(value))
}

fn no_format(option: &OptionSpec, value: &str, formats: &Formats) -> String {
    let known: Vec<&str> = formats.specs().map(|format| format.name).collect();
    let what = match value {
        "" => lacks_value(option),
        value => format!("invalid value '{value}' for '{}'", place(option)),
    };
    format!("{what}\n  [possible values: {}]", known.join(", "))
}

fn lacks_value(option: &OptionSpec) -> String {
    format!("a value is required for '{}' but none was supplied", place(option))
}

/// Returns the first option that cannot be given beside others, with these.
fn conflict(given: &[&OptionSpec]) -> Option<String> {
    let excludes = |a: &OptionSpec, b: &OptionSpec| a.excludes.contains(&b.name);
    let others = |one: &OptionSpec| -> Vec<String> {
        let others = given.iter().filter(|other| excludes(one, other) || excludes(other, one));
        let mut places: Vec<String> = others.map(|other| place(other)).collect();
        places.dedup();
        places
    };
    let (one, others) = given.iter().map(|one| (one, others(one))).find(|(_, others)| !others.is_empty())?;
    let one = place(one);
    Some(match &others[..] {
        [other] => format!("the argument '{one}' cannot be used with '{other}'"),
        others => format!("the argument '{one}' cannot be used with:\n  {}", others.join("\n  ")),
    })
}
