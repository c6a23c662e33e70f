//! The parts of which rows of options are made.

use std::any::TypeId;
use std::fmt::Display;
use std::num::{ParseFloatError, ParseIntError};
use std::str::FromStr;

use super::spec::{Caller, Decides, Files, Help, OptionCondition, OptionSpec, ReplayFacts, Setter, Takes};
use crate::lab::settings::parse::not_a_number;
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

pub const fn other<T: Copy>(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    takes: T,
) -> OptionSpec<T> {
    OptionSpec {
        name,
        is_place: false,
        short: None,
        value,
        help: Help::Text(help),
        is_common: false,
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

pub const fn flag(name: &'static str, help: &'static str, on: fn(&mut AllSettings)) -> OptionSpec {
    other(name, "", help, Takes::Nothing(on))
}

pub const fn one(name: &'static str, value: &'static str, help: &'static str, set: Setter) -> OptionSpec {
    other(name, value, help, Takes::One(set))
}

pub const fn many(name: &'static str, value: &'static str, help: &'static str, add: Setter) -> OptionSpec {
    other(name, value, help, Takes::Many(add))
}

pub const fn list(name: &'static str, value: &'static str, help: &'static str, add: Setter) -> OptionSpec {
    other(name, value, help, Takes::List(add))
}

impl<T: Copy> OptionSpec<T> {
    /// Says that it has no name on the command line.
    pub(crate) const fn place(self) -> OptionSpec<T> {
        OptionSpec { is_place: true, ..self }
    }

    /// Says that `-h` shows it where a verb has many options.
    pub(crate) const fn common(self) -> OptionSpec<T> {
        OptionSpec { is_common: true, ..self }
    }

    pub(crate) const fn short(self, letter: char) -> OptionSpec<T> {
        OptionSpec { short: Some(letter), ..self }
    }

    pub(crate) const fn help(self, help: Help) -> OptionSpec<T> {
        OptionSpec { help, ..self }
    }

    pub(crate) const fn default(self, value: &'static str) -> OptionSpec<T> {
        OptionSpec { default: Some(value), ..self }
    }

    pub(crate) const fn default_unshown(self, value: &'static str) -> OptionSpec<T> {
        OptionSpec { default: Some(value), shows_default: false, ..self }
    }

    pub(crate) const fn hyphens(self) -> OptionSpec<T> {
        OptionSpec { hyphens: true, ..self }
    }

    pub(crate) const fn excludes(self, excludes: &'static [&'static str]) -> OptionSpec<T> {
        OptionSpec { excludes, ..self }
    }

    pub(crate) const fn requires(self, other: &'static str) -> OptionSpec<T> {
        OptionSpec { requires: Some(other), ..self }
    }

    pub(crate) const fn required_unless(self, other: &'static str) -> OptionSpec<T> {
        OptionSpec { unless: Some(other), ..self }
    }

    pub(crate) const fn required(self) -> OptionSpec<T> {
        OptionSpec { required: true, ..self }
    }

    /// Says that it names files or folders that are read.
    pub(crate) const fn reads(self) -> OptionSpec<T> {
        self.files(Files::Read)
    }

    /// Says that it names a file that is written.
    pub(crate) const fn writes(self) -> OptionSpec<T> {
        self.files(Files::Written)
    }

    /// Says that it names a folder that is written into.
    pub(crate) const fn writes_into(self) -> OptionSpec<T> {
        self.files(Files::WrittenInto)
    }

    pub(crate) const fn files(self, files: Files) -> OptionSpec<T> {
        OptionSpec { files, ..self }
    }

    /// Says that it decides what is read from the log, whatever the others of its group decide.
    pub(crate) const fn of_log(self) -> OptionSpec<T> {
        OptionSpec { decides: Decides::Log, ..self }
    }

    pub(crate) const fn not_in(self, withheld: &'static [Caller]) -> OptionSpec<T> {
        OptionSpec { withheld, ..self }
    }

    pub(crate) const fn whole_log(self, is_given: fn(&ScenarioSettings) -> bool) -> OptionSpec<T> {
        OptionSpec { needs_whole_log: Some(is_given), ..self }
    }

    pub(crate) const fn in_part(self, part: &'static str) -> OptionSpec<T> {
        OptionSpec { in_part: Some(part), ..self }
    }

    /// States it at a place among the conditions, under its own name.
    pub(crate) const fn stated(
        self,
        place: u8,
        value: fn(&ReplayFacts<'_>) -> Option<String>,
    ) -> OptionSpec<T> {
        let name = self.name;
        self.stated_as(place, name, value)
    }

    pub(crate) const fn stated_as(
        self,
        place: u8,
        name: &'static str,
        value: fn(&ReplayFacts<'_>) -> Option<String>,
    ) -> OptionSpec<T> {
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

pub fn put<T: FromStr<Err: Display + 'static>>(to: &mut T, text: &str) -> Result<(), String> {
    *to = parsed(text)?;
    Ok(())
}

pub fn some<T: FromStr<Err: Display + 'static>>(to: &mut Option<T>, text: &str) -> Result<(), String> {
    *to = Some(parsed(text)?);
    Ok(())
}

pub fn push<T: FromStr<Err: Display + 'static>>(to: &mut Vec<T>, text: &str) -> Result<(), String> {
    to.push(parsed(text)?);
    Ok(())
}

pub fn put_parsed<T, E: Display>(to: &mut T, value: Result<T, E>) -> Result<(), String> {
    *to = value.map_err(|error| error.to_string())?;
    Ok(())
}

pub fn some_parsed<T, E: Display>(to: &mut Option<T>, value: Result<T, E>) -> Result<(), String> {
    *to = Some(value.map_err(|error| error.to_string())?);
    Ok(())
}

pub fn push_parsed<T, E: Display>(to: &mut Vec<T>, value: Result<T, E>) -> Result<(), String> {
    to.push(value.map_err(|error| error.to_string())?);
    Ok(())
}
