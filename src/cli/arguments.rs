//! Arguments of the command line, made of the rows of [`crate::lab::options`].

use std::ops::Deref;
use std::path::PathBuf;

use batchlab_traces::clean::Rules;
use clap::builder::{PossibleValuesParser, ValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use super::terminal::tell::Terminal;
use crate::Registry;
use crate::lab::limits::LimitSettings;
use crate::lab::measure::MeasureSettings;
use crate::lab::observer::Observed;
use crate::lab::options::{self, FROM, Help, OptionGroup, OptionSpec, Setter, Takes};
use crate::lab::plugins::PluginSettings;
use crate::lab::settings::{AllSettings, ScenarioSettings};
use crate::lab::source::SourceSettings;
use crate::lab::{Failure, Given, rules};

/// Something that options of some groups set, as a part of the arguments of verbs.
trait Part: Sized {
    /// The groups, in the order of the help.
    fn groups() -> Vec<OptionGroup>;

    /// Returns the argument before the options.
    fn first() -> Option<Arg> {
        None
    }

    /// Takes its part of the settings.
    fn of(settings: AllSettings, matches: &ArgMatches) -> Self;
}

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

/// The rules to apply.
#[derive(Args)]
pub struct RulesArgs {
    /// A file of rules (TOML; - for standard input), or a preset such as pwa:kth-sp2; see `batchlab list rules`
    #[arg(long, value_name = "RULES", help_heading = "Rules")]
    pub rules: String,
}

impl RulesArgs {
    /// Reads the rules.
    pub fn read(&self) -> Result<Rules, Failure> {
        rules::read(&self.rules)
    }
}

/// The name of the argument that is the log of a scenario.
const TRACE: &str = "trace";

fn trace() -> Arg {
    let help = "The log: a file, packed or not, or - for standard input";
    Arg::new(TRACE).value_name("TRACE").required(true).help(help)
}

fn with_trace(settings: AllSettings, matches: &ArgMatches) -> AllSettings {
    let trace = matches.get_one::<String>(TRACE).cloned().unwrap_or_default();
    let scenario = ScenarioSettings { trace, ..settings.scenario };
    AllSettings { scenario, ..settings }
}

/// Implements the traits of clap for parts: their groups, and what of the settings they are.
macro_rules! parts {
    ($($part:ty: [$($group:expr),+], $of:expr $(, $first:expr)?;)+) => {
        $(
            impl Part for $part {
                fn groups() -> Vec<OptionGroup> {
                    [$(&$group[..]),+].concat()
                }

                $(fn first() -> Option<Arg> {
                    Some($first)
                })?

                fn of(settings: AllSettings, matches: &ArgMatches) -> $part {
                    let of: fn(AllSettings, &ArgMatches) -> $part = $of;
                    of(settings, matches)
                }
            }

            impl FromArgMatches for $part {
                fn from_arg_matches(matches: &ArgMatches) -> Result<$part, Error> {
                    Ok(<$part as Part>::of(settings(matches, &<$part as Part>::groups())?, matches))
                }

                fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
                    *self = <$part>::from_arg_matches(matches)?;
                    Ok(())
                }
            }

            impl Args for $part {
                fn augment_args(command: Command) -> Command {
                    command.args(<$part as Part>::first()).args(arguments(&<$part as Part>::groups()))
                }

                fn augment_args_for_update(command: Command) -> Command {
                    Self::augment_args(command)
                }
            }
        )+
    };
}

parts! {
    SourceSettings: [[&options::SOURCE[..], &options::QUIET]], |settings, _| settings.scenario.source;
    Careful<false>: [[&options::STRICT_READING[..], &options::SOURCE, &options::QUIET]],
        |settings, _| Careful(settings.scenario.source);
    Careful<true>: [[&options::STRICT_WRITING[..], &options::SOURCE, &options::QUIET]],
        |settings, _| Careful(settings.scenario.source);
    ScenarioSettings: [options::SCENARIO], |settings, matches| with_trace(settings, matches).scenario, trace();
    LimitSettings: [[&options::LIMITS[..]]], |settings, _| settings.scenario.limits;
    PluginSettings: [[&options::PLUGINS[..]]], |settings, _| settings.plugins;
    MeasureSettings: [[&options::MEASURE[..]]], |settings, _| settings.measure;
    OfReplay: [options::OF_REPLAY], |settings, matches| OfReplay(with_trace(settings, matches)), trace();
    OfRun: [options::OF_RUN], |settings, _| OfRun(settings);
    OfShape: [options::OF_SHAPE], |settings, _| OfShape(settings);
}

/// Returns the arguments of groups of options.
pub fn arguments(groups: &[OptionGroup]) -> Vec<Arg> {
    groups.iter().copied().flatten().map(argument).collect()
}

/// Returns the argument of an option.
pub fn argument(option: &'static OptionSpec) -> Arg {
    let text = option.help.text();
    let long = match option.help {
        Help::Long([_, below]) => Some(format!("{text}\n\n{below}")),
        _ => None,
    };
    let mut arg = Arg::new(option.name)
        .long(option.name)
        .short(option.short)
        .help(text)
        .help_heading(option.heading)
        .required(option.required)
        .allow_hyphen_values(option.hyphens)
        .hide_default_value(!option.shows_default)
        .conflicts_with_all(option.excludes);
    if let Some(long) = long {
        arg = arg.long_help(long);
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
    let action = match option.takes {
        Takes::Nothing(_) => return arg.action(ArgAction::SetTrue),
        takes if takes.is_several() => ArgAction::Append,
        _ => ArgAction::Set,
    };
    let arg = arg.action(action).value_name(option.value).value_parser(parser(option.takes));
    if option.takes.is_list() { arg.value_delimiter(',') } else { arg }
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
fn settings(matches: &ArgMatches, groups: &[OptionGroup]) -> Result<AllSettings, Error> {
    let mut settings = AllSettings::default();
    settings.scenario.source.observer = Observed::by(Terminal);
    let typed = |option: &&OptionSpec| is_typed(matches, option.name);
    for option in groups.iter().copied().flatten().filter(typed) {
        let raw = || matches.get_raw(option.name).into_iter().flatten();
        match option.takes {
            Takes::Nothing(on) => on(&mut settings),
            Takes::Path(to) | Takes::Paths(to) => raw().for_each(|path| to(&mut settings, path.into())),
            Takes::One(set) | Takes::Many(set) | Takes::List(set) => {
                for value in raw() {
                    // The values were tried when they were parsed.
                    set(&mut settings, &value.to_string_lossy())
                        .map_err(|why| Error::raw(clap::error::ErrorKind::ValueValidation, why))?;
                }
            }
        }
    }
    Ok(settings)
}

fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns those of some options that were typed, with their values.
pub fn typed(matches: &ArgMatches, args: Vec<Arg>) -> Vec<Given> {
    let given = |arg: Arg| {
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
    args.into_iter().filter_map(given).collect()
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
        let bare = Command::new("batchlab").no_binary_name(true).disable_help_flag(true);
        with_formats(registry, bare.args(arguments(OF_REPLAY)).mut_arg("policy", |arg| arg.required(false)))
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
