//! Arguments of the command line, made of the rows of [`crate::lab::options`].
//!
//! [`arguments!`] declares the arguments of a verb: each is a field with its row, or a part that verbs share.

use std::ops::Deref;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Error};

use super::terminal::form::OutputForm;
use super::terminal::tell::Terminal;
use crate::Registry;
use crate::lab::Given;
use crate::lab::logs::reading::SourceSettings;
use crate::lab::observer::Observed;
use crate::lab::options::{self, FROM, Files, Help, OptionSpec, Setter, Takes, rows};
use crate::lab::scenario::job::JobName;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::settings::measure::MeasureSettings;
use crate::lab::settings::parse::threads;
use crate::lab::settings::plugins::PluginSettings;
use crate::lab::settings::{AllSettings, ScenarioSettings};

/// The row of a field: what it takes follows from the type of the field, and from what is said to clap in addition.
pub type OptionRow = OptionSpec<fn(Arg) -> Arg>;

pub const fn option(name: &'static str, value: &'static str, help: &'static str) -> OptionRow {
    let takes: fn(Arg) -> Arg = |arg| arg;
    rows::other(name, value, help, takes).common()
}

pub const fn switch(name: &'static str, help: &'static str) -> OptionRow {
    option(name, "", help)
}

pub const fn place(name: &'static str, value: &'static str, help: &'static str) -> OptionRow {
    option(name, value, help).place()
}

pub const TRACE: OptionRow =
    place("trace", "TRACE", "The log: a file, packed or not, or - for standard input").reads();

pub const FORM: OptionRow =
    option("format", "FORM", "Form of the table: table, markdown, latex, html, csv or json").default("table");

pub const FORMS: OptionRow =
    option("format", "FORM", "Form of the tables: table, markdown, latex, html, csv or json")
        .default("table");

pub const RESULTS: OptionRow = place("folder", "DIR", "The folder of the results").reads();

pub const WRITTEN_SWF: OptionRow =
    option("output", "OUT", "The SWF file to write; packed if its name ends in .gz; - for standard output")
        .short('o')
        .writes();

pub const SCRIPT: OptionRow = option("output", "SCRIPT.sh", "The script to write; - for standard output")
    .short('o')
    .default("-")
    .writes();

pub const RULES: OptionRow = option(
    "rules",
    "RULES",
    "A file of rules (TOML; - for standard input), or a preset such as pwa:kth-sp2; see `batchlab list rules`",
)
.heading("Rules")
.reads();

pub const POLICY: OptionRow = option(
    "policy",
    "SPEC",
    "The policy, as name:key=value,key=value; see `batchlab list policies` [default: easy, with --slurm slurm]",
)
.policy();

pub const THREADS: OptionRow =
    option("threads", "T", "Replays that run at the same time [default: one per core]")
        .by(|arg| arg.value_parser(threads));

pub const QUIET: OptionRow = switch("quiet", "Print only errors on standard error").short('q');

impl OptionRow {
    /// Says more to clap.
    pub(super) const fn by(self, takes: fn(Arg) -> Arg) -> OptionRow {
        OptionRow { takes, ..self }
    }

    /// Says that `-h` leaves it out where a verb has many options.
    pub(super) const fn rare(self) -> OptionRow {
        OptionRow { is_common: false, ..self }
    }

    pub(super) const fn heading(self, heading: &'static str) -> OptionRow {
        OptionRow { heading: Some(heading), ..self }
    }

    pub(super) const fn policy(self) -> OptionRow {
        self.files(Files::Policy)
    }
}

/// An argument, and what its values have to do with files.
pub struct Argument {
    pub arg: Arg,
    pub files: Files,
    /// Whether `-h` shows it where a verb has many.
    pub is_common: bool,
}

/// Arguments that belong together, and their values.
pub trait Arguments: Sized {
    fn arguments() -> Vec<Argument>;

    fn of(matches: &ArgMatches) -> Result<Self, Error>;
}

impl<P: Arguments> Arguments for Box<P> {
    fn arguments() -> Vec<Argument> {
        P::arguments()
    }

    fn of(matches: &ArgMatches) -> Result<Box<P>, Error> {
        P::of(matches).map(Box::new)
    }
}

pub trait ArgumentField: Sized {
    fn taken(arg: Arg) -> Arg;

    fn of(matches: &ArgMatches, id: &str) -> Result<Self, Error>;

    fn argument(row: OptionRow) -> Argument {
        Argument { arg: (row.takes)(Self::taken(plain(&row))), files: row.files, is_common: row.is_common }
    }
}

pub trait ArgumentValue: Clone + Send + Sync + 'static {
    fn parser() -> ValueParser;
}

/// Makes types values: as clap parses them, or as a function does.
macro_rules! values {
    ($kind:ty: $parser:expr) => {
        impl $crate::cli::arguments::ArgumentValue for $kind {
            fn parser() -> clap::builder::ValueParser {
                clap::builder::ValueParser::from($parser)
            }
        }
    };
    ($($kind:ty),+) => {
        $($crate::cli::arguments::values!($kind: clap::value_parser!($kind));)+
    };
}

pub(super) use values;

values!(String, PathBuf, u8, u16, u32, u64, usize, f64, JobName, OutputForm);

impl ArgumentField for bool {
    fn taken(arg: Arg) -> Arg {
        arg.action(ArgAction::SetTrue)
    }

    fn of(matches: &ArgMatches, id: &str) -> Result<bool, Error> {
        Ok(matches.get_flag(id))
    }
}

impl<T: ArgumentValue> ArgumentField for T {
    fn taken(arg: Arg) -> Arg {
        let is_required = arg.get_default_values().is_empty();
        arg.required(is_required).value_parser(T::parser())
    }

    fn of(matches: &ArgMatches, id: &str) -> Result<T, Error> {
        matches.get_one(id).cloned().ok_or_else(|| Error::new(ErrorKind::MissingRequiredArgument))
    }
}

impl<T: ArgumentValue> ArgumentField for Option<T> {
    fn taken(arg: Arg) -> Arg {
        arg.value_parser(T::parser())
    }

    fn of(matches: &ArgMatches, id: &str) -> Result<Option<T>, Error> {
        Ok(matches.get_one(id).cloned())
    }
}

impl<T: ArgumentValue> ArgumentField for Vec<T> {
    fn taken(arg: Arg) -> Arg {
        let arg = if arg.is_positional() { arg.num_args(1..) } else { arg };
        arg.action(ArgAction::Append).value_parser(T::parser())
    }

    fn of(matches: &ArgMatches, id: &str) -> Result<Vec<T>, Error> {
        Ok(matches.get_many(id).into_iter().flatten().cloned().collect())
    }
}

/// Declares the arguments of a verb, in the order of the help: fields with rows, and fields that are parts. Comments and
/// attributes before it are those of clap's command.
macro_rules! arguments {
    (@arguments $kind:ty, $row:expr) => { vec![<$kind as $crate::cli::arguments::ArgumentField>::argument($row)] };
    (@arguments $kind:ty) => { <$kind as $crate::cli::arguments::Arguments>::arguments() };
    (@of $matches:ident, $kind:ty, $row:expr) => {
        <$kind as $crate::cli::arguments::ArgumentField>::of($matches, $row.name)?
    };
    (@of $matches:ident, $kind:ty) => { <$kind as $crate::cli::arguments::Arguments>::of($matches)? };
    (
        $(#[$head:meta])*
        $seen:vis struct $name:ident { $($of:vis $field:ident: $kind:ty $(= $row:expr)?),* $(,)? }
    ) => {
        $seen struct $name { $($of $field: $kind),* }

        impl $crate::cli::arguments::Arguments for $name {
            fn arguments() -> Vec<$crate::cli::arguments::Argument> {
                let parts: Vec<Vec<_>> = vec![$($crate::cli::arguments::arguments!(@arguments $kind $(, $row)?)),*];
                parts.into_iter().flatten().collect()
            }

            fn of(matches: &clap::ArgMatches) -> Result<$name, clap::Error> {
                let _ = matches;
                Ok($name { $($field: $crate::cli::arguments::arguments!(@of matches, $kind $(, $row)?)),* })
            }
        }

        impl clap::FromArgMatches for $name {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<$name, clap::Error> {
                $crate::cli::arguments::Arguments::of(matches)
            }

            fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
                *self = $crate::cli::arguments::Arguments::of(matches)?;
                Ok(())
            }
        }

        impl clap::Args for $name {
            fn augment_args(command: clap::Command) -> clap::Command {
                #[derive(clap::Args)]
                #[group(skip)]
                $(#[$head])*
                struct Head {}
                let arguments = <$name as $crate::cli::arguments::Arguments>::arguments();
                <Head as clap::Args>::augment_args(command.args(arguments.into_iter().map(|argument| argument.arg)))
            }

            fn augment_args_for_update(command: clap::Command) -> clap::Command {
                <Self as clap::Args>::augment_args(command)
            }
        }
    };
}

pub(super) use arguments;

/// How a log is read by a verb that refuses findings if asked to: one that `WRITES` a log, or one that does not.
pub struct Careful<const WRITES: bool>(pub SourceSettings);

impl<const WRITES: bool> Deref for Careful<WRITES> {
    type Target = SourceSettings;

    fn deref(&self) -> &SourceSettings {
        &self.0
    }
}

/// All that `replay` has.
pub struct OfReplay(pub AllSettings);

/// All that `run` has, without the experiment.
pub struct OfRun(pub AllSettings);

/// All that `shape` has, without the log.
pub struct OfShape(pub AllSettings);

/// Makes parts of groups of rows, and of what they set.
macro_rules! parts {
    ($($part:ty: $groups:expr, $of:expr;)+) => {
        $(
            impl Arguments for $part {
                fn arguments() -> Vec<Argument> {
                    $groups.concat().iter().map(argument).collect()
                }

                fn of(matches: &ArgMatches) -> Result<$part, Error> {
                    let of: fn(AllSettings) -> $part = $of;
                    Ok(of(settings(matches, &$groups.concat())?))
                }
            }
        )+
    };
}

parts! {
    SourceSettings: [&options::SOURCE[..], &options::QUIET], |settings| settings.scenario.source;
    Careful<false>: [&options::STRICT_READING[..], &options::SOURCE, &options::QUIET],
        |settings| Careful(settings.scenario.source);
    Careful<true>: [&options::STRICT_WRITING[..], &options::SOURCE, &options::QUIET],
        |settings| Careful(settings.scenario.source);
    ScenarioSettings: [&options::TRACE[..], &options::SCENARIO.concat()], |settings| settings.scenario;
    LimitSettings: [&options::LIMITS[..]], |settings| settings.scenario.limits;
    PluginSettings: [&options::PLUGINS[..]], |settings| settings.plugins;
    MeasureSettings: [&options::MEASURE[..]], |settings| settings.measure;
    OfReplay: [&options::TRACE[..], &options::OF_REPLAY.concat()], OfReplay;
    OfRun: options::OF_RUN, OfRun;
    OfShape: options::OF_SHAPE, OfShape;
}

/// Returns the argument of an option, without what it takes.
fn plain<T: Copy>(option: &OptionSpec<T>) -> Arg {
    let text = option.help.text();
    let mut arg = Arg::new(option.name)
        .short(option.short)
        .help_heading(option.heading)
        .required(option.required)
        .allow_hyphen_values(option.hyphens)
        .hide_default_value(!option.shows_default)
        .conflicts_with_all(option.excludes);
    if !option.is_place {
        arg = arg.long(option.name);
    }
    if !option.value.is_empty() {
        arg = arg.value_name(option.value);
    }
    if let Help::Long([_, below]) = option.help {
        arg = arg.long_help(format!("{text}\n\n{below}"));
    }
    if let Some(other) = option.unless {
        arg = arg.required_unless_present(other);
    }
    if let Some(other) = option.requires {
        arg = arg.requires(other);
    }
    if let Some(value) = option.default {
        arg = arg.default_value(value);
    }
    arg.help(text)
}

/// Returns the argument of an option of the scenario, of the measurement or of what else programs call.
pub fn argument(option: &OptionSpec) -> Argument {
    let arg = plain(option);
    let arg = match option.takes {
        Takes::Nothing(_) => arg.action(ArgAction::SetTrue),
        takes if takes.is_several() => arg.action(ArgAction::Append).value_parser(parser(takes)),
        takes => arg.value_parser(parser(takes)),
    };
    let arg = if option.takes.is_list() { arg.value_delimiter(',') } else { arg };
    Argument { arg, files: option.files, is_common: option.is_common }
}

fn parser(takes: Takes) -> ValueParser {
    match takes {
        Takes::One(set) | Takes::Many(set) | Takes::List(set) => {
            ValueParser::from(move |text: &str| tried(set, text))
        }
        Takes::Path(_) | Takes::Paths(_) => clap::value_parser!(PathBuf),
        Takes::Nothing(_) => ValueParser::bool(),
    }
}

/// Returns a value that an option takes.
fn tried(set: Setter, text: &str) -> Result<String, String> {
    set(&mut AllSettings::default(), text).map(|()| text.into())
}

/// Returns the settings of what was typed; messages go to the terminal.
fn settings(matches: &ArgMatches, options: &[OptionSpec]) -> Result<AllSettings, Error> {
    let mut settings = AllSettings::default();
    settings.scenario.source.observer = Observed::by(Terminal);
    let typed = |option: &&OptionSpec| is_typed(matches, option.name);
    for option in options.iter().filter(typed) {
        let raw = || matches.get_raw(option.name).into_iter().flatten();
        match option.takes {
            Takes::Nothing(on) => on(&mut settings),
            Takes::Path(to) | Takes::Paths(to) => raw().for_each(|path| to(&mut settings, path.into())),
            Takes::One(set) | Takes::Many(set) | Takes::List(set) => {
                for value in raw() {
                    // The values were tried when they were parsed.
                    set(&mut settings, &value.to_string_lossy())
                        .map_err(|why| Error::raw(ErrorKind::ValueValidation, why))?;
                }
            }
        }
    }
    Ok(settings)
}

pub fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns those of some options that were typed, with their values.
pub fn typed(matches: &ArgMatches, arguments: Vec<Argument>) -> Vec<Given> {
    let given = |Argument { arg, .. }: Argument| {
        let id = arg.get_id().as_str();
        if !is_typed(matches, id) {
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
    arguments.into_iter().filter_map(given).collect()
}

/// Makes the option `--from` of a verb accept the formats of the registry.
pub fn with_formats(registry: &Registry, verb: Command) -> Command {
    let formats = PossibleValuesParser::new(registry.formats().specs().map(|format| format.name));
    let known = |arg: Arg| arg.value_parser(formats.clone()).ignore_case(true);
    verb.mut_args(|arg| if arg.get_id() == FROM { known(arg) } else { arg })
}

/// Returns clap's message without its advice, which is about a command line that the user did not type.
pub fn first_words(error: &Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::options::{OF_REPLAY, assign, spec};

    fn command(registry: &Registry) -> Command {
        let options = OF_REPLAY.concat().iter().map(|option| argument(option).arg).collect::<Vec<_>>();
        let bare = Command::new("batchlab").no_binary_name(true).disable_help_flag(true);
        with_formats(registry, bare.args(options).mut_arg("policy", |arg| arg.required(false)))
    }

    #[test]
    fn whoever_gives_an_option_hears_the_same() {
        let registry = Registry::builtin();
        let mut said = 0;
        let mut same = |given: &[(&str, &str)]| {
            let words = given.iter().map(|(name, value)| format!("--{name}={value}"));
            let words = words.chain(["--policy=easy".to_owned()]);
            let typed = command(&registry).try_get_matches_from(words);
            let typed = typed.map_err(|error| first_words(&error).trim_end().to_owned()).map(drop);
            let given: Vec<_> =
                given.iter().map(|(name, value)| (spec(name).unwrap(), vec![(*value).to_owned()])).collect();
            let set = assign(&mut AllSettings::default(), &given, registry.formats());
            said += usize::from(set.is_err());
            assert_eq!(set, typed);
        };
        for option in OF_REPLAY.iter().copied().flatten().filter(|option| !option.takes.is_nothing()) {
            if spec(option.name).is_none() {
                continue;
            }
            for value in ["", "x", "0", "-1", "1,x", "1.5", "SWF", "none", "a=b", "memory=1,x"] {
                same(&[(option.name, value)]);
            }
            for other in option.excludes {
                same(&[(option.name, "1"), (other, "1")]);
                same(&[(other, "1"), (option.name, "tasks:1")]);
            }
        }
        same(&[("slurm", "a"), ("nodes", "2"), ("procs", "3")]);
        same(&[("nodes", "2"), ("slurm", "a"), ("slurm", "b"), ("procs", "3")]);
        assert!(said > 100, "{said}");
    }
}
