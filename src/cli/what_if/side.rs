//! The options of one side: those of both sides, and its own in place of them.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error};

use batchlab_slurm::reader::Setting;

use crate::cli::arguments::{Argument, Arguments, POLICY, arguments, first_words, option, typed, values};
use crate::lab::scenario::installation::replacement;
use crate::lab::settings::ScenarioSettings;
use crate::lab::{Failure, Given};

arguments! {
    struct SideArguments {
        scenario: ScenarioSettings,
        policy: Option<String> = POLICY,
        set: Vec<Setting> = option(
            "set", "KEY[=VALUE]", "A setting of `slurm.conf` or of its `SchedulerParameters` in the place of the one in \
             the files of --slurm, such as `PriorityWeightAge=1000`, `bf_window=1440` or the flag `defer`; may be given \
             several times",
        ).heading("Machine"),
    }
}

values!(Setting);

/// The options of `replay` on one side.
pub struct Side {
    pub scenario: ScenarioSettings,
    policy: Option<String>,
    /// Files of --slurm that others have replaced on this side.
    pub replaced: Vec<String>,
}

/// The options of both sides, as they were typed.
pub struct SideOptions(pub Vec<Given>);

impl Arguments for SideOptions {
    fn arguments() -> Vec<Argument> {
        // The manual page has them in their own order, beside those of the verb.
        let options = SideArguments::arguments().into_iter().filter(|option| !option.arg.is_positional());
        let ordered =
            |(at, option): (usize, Argument)| Argument { arg: option.arg.display_order(at), ..option };
        options.enumerate().map(ordered).collect()
    }

    fn of(matches: &ArgMatches) -> Result<SideOptions, Error> {
        Ok(SideOptions(typed(matches, SideOptions::arguments())))
    }
}

fn command() -> Command {
    let bare =
        Command::new("batchlab").no_binary_name(true).disable_help_flag(true).disable_version_flag(true);
    SideArguments::augment_args(bare)
}

impl Side {
    /// Returns a side: the options of both sides, without those that an option in `own` replaces or excludes, and `own`.
    /// `option` is the name of the option that has `own` as its value.
    pub fn new(option: &str, trace: &str, both: &[Given], own: &[String]) -> Result<Side, Failure> {
        let command = command();
        let wrong = |error: &Error| {
            let words = first_words(error).split_whitespace().collect::<Vec<_>>().join(" ");
            Failure::Usage(format!("--{option} '{}': {words}", own.join(" ")))
        };
        let own_words = [trace.to_owned()].into_iter().chain(own.iter().cloned());
        let matches = command.clone().try_get_matches_from(own_words).map_err(|error| wrong(&error))?;
        let own_options = typed(&matches, SideOptions::arguments());
        let mut replaced = Vec::new();
        let mut all = Vec::new();
        for given in both {
            all.extend(kept(&command, given, &own_options, &mut replaced)?);
        }
        let all = all.iter().chain(&own_options).flat_map(|given| as_words(&command, given));
        let words = [trace.to_owned()].into_iter().chain(all);
        let matches = command.clone().try_get_matches_from(words).map_err(|error| wrong(&error))?;
        let SideArguments { mut scenario, policy, set } =
            Arguments::of(&matches).map_err(|error| wrong(&error))?;
        if !set.is_empty() && !scenario.slurm.is_given() {
            let what = "--set is about the files of --slurm: give them, too";
            return Err(Failure::Usage(what.into()));
        }
        // Of one key, the last setting counts.
        let settings = &mut scenario.slurm.settings;
        for setting in set {
            settings.retain(|known| !known.is_of_key(&setting));
            settings.push(setting);
        }
        Ok(Side { scenario, policy, replaced })
    }

    pub fn spec(&self) -> String {
        self.scenario.slurm.policy(self.policy.as_deref())
    }

    pub fn quiet(&self) -> bool {
        self.scenario.source.quiet
    }
}

/// Splits a text of options into words, as a shell does.
pub fn words(text: &str) -> Result<Vec<String>, Failure> {
    let what = || Failure::Usage(format!("`{text}` is no list of options: a quotation mark is not closed"));
    shlex::split(text).ok_or_else(what)
}

/// Returns what stays of an option of both sides: all, or nothing if an own option replaces it. Files of --slurm are replaced
/// by those of their kind, and settings one by one. `replaced` gets the files that do not stay.
fn kept(
    command: &Command,
    given: &Given,
    own: &[Given],
    replaced: &mut Vec<String>,
) -> Result<Option<Given>, Failure> {
    match own.iter().find(|own| replaces(command, own, given)) {
        Some(own) if own.name == "slurm" && given.name == "slurm" => {
            let files = replacement(&given.values, &own.values)?;
            replaced.extend(files.replaced);
            let kept = Given { values: files.kept, ..given.clone() };
            Ok((!kept.values.is_empty()).then_some(kept))
        }
        Some(own) if own.name != "set" || given.name != "set" => Ok(None),
        _ => Ok(Some(given.clone())),
    }
}

/// Whether an option takes the place of another: they have the same name, or exclude each other.
fn replaces(command: &Command, own: &Given, other: &Given) -> bool {
    let excludes = |a: &str, b: &str| {
        let argument = argument(command, a);
        let conflicts = argument.map(|argument| command.get_arg_conflicts_with(argument)).unwrap_or_default();
        conflicts.iter().any(|conflict| conflict.get_long() == Some(b))
    };
    own.name == other.name || excludes(&own.name, &other.name) || excludes(&other.name, &own.name)
}

fn argument<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|argument| argument.get_long() == Some(name))
}

/// Returns an option as words of a command line.
fn as_words(command: &Command, given: &Given) -> Vec<String> {
    let Given { name, values } = given;
    let is_flag =
        argument(command, name).is_some_and(|argument| matches!(argument.get_action(), ArgAction::SetTrue));
    if is_flag {
        return vec![format!("--{name}")];
    }
    values.iter().map(|value| format!("--{name}={value}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(options: &[(&str, &str)]) -> Vec<Given> {
        let given =
            |(name, value): &(&str, &str)| Given { name: (*name).into(), values: vec![(*value).into()] };
        options.iter().map(given).collect()
    }

    fn side(both: &[(&str, &str)], own: &str) -> Result<Side, Failure> {
        Side::new("after", "log.swf", &given(both), &words(own)?)
    }

    #[test]
    fn an_option_of_a_side_replaces_the_one_of_both() {
        let both = [("procs", "128"), ("policy", "fcfs"), ("load", "1.2")];
        let side = side(&both, "--procs 256 --policy 'easy:order=sjf'").unwrap();
        assert_eq!(
            (side.scenario.procs, &*side.spec(), side.scenario.load),
            (Some(256), "easy:order=sjf", 1.2)
        );
        assert_eq!(side.scenario.trace, "log.swf");
    }

    #[test]
    fn an_option_of_a_side_replaces_the_options_that_it_excludes() {
        let both = [("procs", "128"), ("nodes", "16"), ("drop-zero-run", "true")];
        let changed = side(&both, "--machine site.toml").unwrap();
        let ScenarioSettings { procs, nodes, machine, drop_zero_run, .. } = &changed.scenario;
        assert_eq!(
            (*procs, *nodes, machine.as_deref(), *drop_zero_run),
            (None, None, Some("site.toml"), true)
        );
        assert_eq!(side(&[("machine", "site.toml")], "--procs 64").unwrap().scenario.machine, None);
    }

    #[test]
    fn a_wrong_option_is_an_error_that_names_the_side() {
        let error = |text: &str| side(&[], text).err().unwrap().to_string();
        assert!(error("--nodez 3").starts_with("--after '--nodez 3': unexpected argument '--nodez' found"));
        assert!(error("--procs x").contains("invalid value 'x' for '--procs <N>'"));
        assert!(error("--procs '12").contains("a quotation mark is not closed"));
    }
}
