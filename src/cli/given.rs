//! Options as they were typed, so that a verb can pass them on.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};

/// An option as typed: its name, and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Name without the dashes.
    pub name: String,
    /// Its values; `true` for a flag.
    pub values: Vec<String>,
}

/// Returns those of some options that were typed, with their values.
pub fn typed(matches: &ArgMatches, args: Vec<Arg>) -> Vec<Given> {
    let given = |arg: Arg| {
        let id = arg.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            return None;
        }
        let name = arg.get_long()?.to_owned();
        let raw = matches.get_raw(id).into_iter().flatten();
        let values = match arg.get_action() {
            ArgAction::SetTrue => vec!["true".to_owned()],
            _ => raw.map(|value| value.to_string_lossy().into_owned()).collect(),
        };
        Some(Given { name, values })
    };
    args.into_iter().filter_map(given).collect()
}
