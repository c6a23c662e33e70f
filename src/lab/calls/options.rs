//! Options of calls: those of the verbs, without the ones about output.

use std::path::PathBuf;

use batchlab_traces::nearest::{meant, nearest};

use super::Call;
use crate::lab::options::{
    Caller, Files, OF_READ, OF_REPLAY, OF_RUN, OF_SHAPE, OptionGroup, OptionSpec, Takes, assign,
};
use crate::lab::settings::AllSettings;
use crate::lab::{Failure, Given, overwriting};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Read,
    Shape,
    Replay,
    Compare,
    Run,
}

impl Verb {
    pub const ALL: [(&'static str, Verb); 5] = [
        ("read", Verb::Read),
        ("shape", Verb::Shape),
        ("replay", Verb::Replay),
        ("compare", Verb::Compare),
        ("run", Verb::Run),
    ];

    pub fn caller(self) -> Caller {
        match self {
            Verb::Read => Caller::Read,
            Verb::Shape => Caller::Shape,
            Verb::Replay => Caller::Replay,
            Verb::Compare => Caller::Compare,
            Verb::Run => Caller::Run,
        }
    }

    fn groups(self) -> &'static [OptionGroup] {
        match self {
            Verb::Read => OF_READ,
            Verb::Shape => OF_SHAPE,
            Verb::Replay | Verb::Compare => OF_REPLAY,
            Verb::Run => OF_RUN,
        }
    }

    /// Returns the options of its calls: those of the verb, without those that calls lack.
    fn options(self) -> impl Iterator<Item = &'static OptionSpec> {
        let has = move |option: &&OptionSpec| !option.withheld.contains(&self.caller());
        self.groups().iter().copied().flatten().filter(has)
    }

    pub(super) fn option(self, name: &str) -> Option<&'static OptionSpec> {
        let long = name.replace('_', "-");
        self.options().find(|option| option.name == long)
    }
}

#[derive(Clone, Debug)]
pub struct CallOption {
    pub name: String,
    /// What it is, in a sentence or two.
    pub help: String,
    /// Empty if it is on or off.
    pub value: &'static str,
    /// The value that it has without being given, if the help shows it.
    pub default: Option<&'static str>,
    pub is_flag: bool,
    pub is_list: bool,
}

/// Returns the options of a call, in the order of the verb's help.
pub fn option_list(verb: Verb) -> Vec<CallOption> {
    let option = |option: &OptionSpec| CallOption {
        name: option.name.replace('-', "_"),
        help: option.help.text(),
        value: if option.takes.is_nothing() { "" } else { option.value },
        default: option.default.filter(|_| option.shows_default),
        is_flag: option.takes.is_nothing(),
        is_list: option.takes.is_several(),
    };
    verb.options().map(option).collect()
}

impl Call<'_> {
    /// Returns the files that a call reads: those of its options, and its log and the plug-ins of its policies.
    pub(super) fn inputs(&self, verb: Verb, trace: &str, policies: &[String]) -> Vec<PathBuf> {
        let given = self.options.iter().filter_map(|given| Some((verb.option(&given.name)?, &given.values)));
        let values = given.flat_map(|(of, values)| values.iter().map(move |value| (of.files, &value[..])));
        let policies = policies.iter().map(|policy| (Files::Policy, &policy[..]));
        overwriting::inputs(values.chain([(Files::Read, trace)]).chain(policies))
    }

    /// Returns the settings of the options. Names may have underscores for dashes. A list for an option with one value is
    /// joined by commas.
    pub(super) fn settings(&self, verb: Verb) -> Result<AllSettings, Failure> {
        let mut settings = AllSettings::default();
        settings.scenario.source.quiet = true;
        settings.run.quiet = true;
        let mut given = Vec::new();
        for Given { name, values } in self.options {
            let option = verb.option(name).ok_or_else(|| unknown(verb, name))?;
            match (option.takes, &values[..]) {
                (Takes::Nothing(_), [value]) if value == "true" => given.push((option, values.clone())),
                (Takes::Nothing(_), [value]) if value == "false" => {}
                (Takes::Nothing(_), _) => return Err(Failure::Usage(format!("`{name}` is true or false"))),
                (takes, _) if takes.is_several() => given.push((option, values.clone())),
                _ => given.push((option, vec![values.join(",")])),
            }
        }
        assign(&mut settings, &given, self.registry.formats()).map_err(Failure::Usage)?;
        Ok(settings)
    }
}

fn unknown(verb: Verb, name: &str) -> Failure {
    let names = verb.options().map(|option| option.name);
    let meant = meant(nearest(&name.replace('_', "-"), names)).replace('-', "_");
    Failure::Usage(format!("unknown option `{name}`{meant}"))
}
