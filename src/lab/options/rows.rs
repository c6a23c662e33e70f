//! The parts of which rows of options are made.

use std::any::TypeId;
use std::fmt::Display;
use std::num::{ParseFloatError, ParseIntError};
use std::str::FromStr;

use super::{Caller, Decides, Files, Help, OptionCondition, OptionSpec, ReplayFacts, Setter, Takes};
use crate::lab::parse::not_a_number;
use crate::lab::settings::{AllSettings, ScenarioSettings};

/// Returns a group of options, which stand under a heading and decide the same unless a row says otherwise.
pub const fn group<const N: usize>(
    heading: Option<&'static str>,
    decides: Decides,
    rows: [OptionSpec; N],
) -> [OptionSpec; N] {
    let mut rows = rows;
    let mut at = 0;
    while at < N {
        rows[at].heading = heading;
        if !matches!(rows[at].decides, Decides::Log) {
            rows[at].decides = decides;
        }
        at += 1;
    }
    rows
}

const fn of(name: &'static str, value: &'static str, help: &'static str, takes: Takes) -> OptionSpec {
    OptionSpec {
        name,
        short: None,
        value,
        help: Help::Text(help),
        heading: None,
        default: None,
        shows_default: true,
        hyphens: false,
        excludes: &[],
        requires: None,
        unless: None,
        required: false,
        takes,
        files: Files::No,
        decides: Decides::Nothing,
        withheld: &[],
        needs_whole_log: None,
        in_part: None,
        stated: None,
    }
}

/// An option that is on or off.
pub const fn flag(name: &'static str, help: &'static str, on: fn(&mut AllSettings)) -> OptionSpec {
    of(name, "", help, Takes::Nothing(on))
}

/// An option with a value.
pub const fn one(name: &'static str, value: &'static str, help: &'static str, set: Setter) -> OptionSpec {
    of(name, value, help, Takes::One(set))
}

/// An option that may be given several times.
pub const fn many(name: &'static str, value: &'static str, help: &'static str, add: Setter) -> OptionSpec {
    of(name, value, help, Takes::Many(add))
}

/// An option with a list of values.
pub const fn list(name: &'static str, value: &'static str, help: &'static str, add: Setter) -> OptionSpec {
    of(name, value, help, Takes::List(add))
}

/// An option with values of another kind.
pub const fn other(name: &'static str, value: &'static str, help: &'static str, takes: Takes) -> OptionSpec {
    of(name, value, help, takes)
}

impl OptionSpec {
    pub(super) const fn short(self, letter: char) -> OptionSpec {
        OptionSpec { short: Some(letter), ..self }
    }

    pub(super) const fn help(self, help: Help) -> OptionSpec {
        OptionSpec { help, ..self }
    }

    pub(super) const fn default(self, value: &'static str) -> OptionSpec {
        OptionSpec { default: Some(value), ..self }
    }

    pub(super) const fn default_unshown(self, value: &'static str) -> OptionSpec {
        OptionSpec { default: Some(value), shows_default: false, ..self }
    }

    pub(super) const fn hyphens(self) -> OptionSpec {
        OptionSpec { hyphens: true, ..self }
    }

    pub(super) const fn excludes(self, excludes: &'static [&'static str]) -> OptionSpec {
        OptionSpec { excludes, ..self }
    }

    pub(super) const fn requires(self, other: &'static str) -> OptionSpec {
        OptionSpec { requires: Some(other), ..self }
    }

    pub(super) const fn required_unless(self, other: &'static str) -> OptionSpec {
        OptionSpec { unless: Some(other), ..self }
    }

    pub(super) const fn required(self) -> OptionSpec {
        OptionSpec { required: true, ..self }
    }

    pub(super) const fn file(self) -> OptionSpec {
        OptionSpec { files: Files::Named, ..self }
    }

    pub(super) const fn file_or_text(self) -> OptionSpec {
        OptionSpec { files: Files::NamedOrText, ..self }
    }

    /// Says that it decides what is read from the log, whatever the others of its group decide.
    pub(super) const fn of_log(self) -> OptionSpec {
        OptionSpec { decides: Decides::Log, ..self }
    }

    pub(super) const fn not_in(self, withheld: &'static [Caller]) -> OptionSpec {
        OptionSpec { withheld, ..self }
    }

    pub(super) const fn whole_log(self, is_given: fn(&ScenarioSettings) -> bool) -> OptionSpec {
        OptionSpec { needs_whole_log: Some(is_given), ..self }
    }

    pub(super) const fn in_part(self, part: &'static str) -> OptionSpec {
        OptionSpec { in_part: Some(part), ..self }
    }

    /// States it at a place among the conditions, under its own name.
    pub(super) const fn stated(self, place: u8, value: fn(&ReplayFacts<'_>) -> Option<String>) -> OptionSpec {
        let name = self.name;
        self.stated_as(place, name, value)
    }

    pub(super) const fn stated_as(
        self,
        place: u8,
        name: &'static str,
        value: fn(&ReplayFacts<'_>) -> Option<String>,
    ) -> OptionSpec {
        OptionSpec { stated: Some(OptionCondition { place, name, value }), ..self }
    }
}

fn parsed<T: FromStr<Err: Display + 'static>>(text: &str) -> Result<T, String> {
    let is = |kind: TypeId| TypeId::of::<T::Err>() == kind;
    text.parse().map_err(|error: T::Err| {
        if is(TypeId::of::<ParseIntError>()) {
            format!("`{text}` is not a whole number")
        } else if is(TypeId::of::<ParseFloatError>()) {
            not_a_number(text)
        } else {
            error.to_string()
        }
    })
}

/// Sets what always has a value.
pub fn put<T: FromStr<Err: Display + 'static>>(to: &mut T, text: &str) -> Result<(), String> {
    *to = parsed(text)?;
    Ok(())
}

/// Sets what may have a value.
pub fn some<T: FromStr<Err: Display + 'static>>(to: &mut Option<T>, text: &str) -> Result<(), String> {
    *to = Some(parsed(text)?);
    Ok(())
}

/// Adds a value.
pub fn push<T: FromStr<Err: Display + 'static>>(to: &mut Vec<T>, text: &str) -> Result<(), String> {
    to.push(parsed(text)?);
    Ok(())
}

/// Sets what always has a value to one that has been parsed.
pub fn put_parsed<T, E: Display>(to: &mut T, value: Result<T, E>) -> Result<(), String> {
    *to = value.map_err(|error| error.to_string())?;
    Ok(())
}

/// Sets what may have a value to one that has been parsed.
pub fn some_parsed<T, E: Display>(to: &mut Option<T>, value: Result<T, E>) -> Result<(), String> {
    *to = Some(value.map_err(|error| error.to_string())?);
    Ok(())
}

/// Adds a value that has been parsed.
pub fn push_parsed<T, E: Display>(to: &mut Vec<T>, value: Result<T, E>) -> Result<(), String> {
    to.push(value.map_err(|error| error.to_string())?);
    Ok(())
}
