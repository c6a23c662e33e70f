//! Single settings of `slurm.conf` that replace settings of the files.

use std::str::FromStr;

use crate::site::Scheduler;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::nearest::likeness;

use super::file::place;
use super::grammar::{Pair, Statement, WrittenBy};
use super::known::FOLLOWED;

/// Settings that are followed without being misspelt by others.
const FURTHER: &[&str] = &["DependencyParameters", "JobSubmitPlugins"];

/// The key of the setting whose value holds the scheduler's parameters.
const PARAMETERS: &str = "SchedulerParameters";

/// The least likeness of a name that is offered for an unknown name, and how many names are offered.
const LIKE: (f64, usize) = (0.5, 3);

/// A setting of `slurm.conf`, or a parameter in its `SchedulerParameters`, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    key: &'static str,
    /// Its value; `None` for a parameter that is a flag.
    value: Option<String>,
    is_parameter: bool,
}

impl Setting {
    /// Returns the keys: settings of `slurm.conf`, then parameters of the scheduler.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        FOLLOWED.iter().chain(FURTHER).copied().chain(Scheduler::parameters())
    }

    pub fn is_of_key(&self, other: &Setting) -> bool {
        self.key == other.key
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}", self.key),
            None => f.write_str(self.key),
        }
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
            None => (text.trim(), None),
        };
        let key = Setting::keys().find(|key| key.eq_ignore_ascii_case(name)).ok_or_else(|| unknown(name))?;
        let is_parameter = Scheduler::parameters().any(|known| known == key);
        if value.is_none() && (!is_parameter || Scheduler::takes_value(key)) {
            return Err(format!("`{text}` has no value: write {key}=VALUE"));
        }
        let setting = Setting { key, value, is_parameter };
        if is_parameter && let Some(wrong) = Scheduler::wrong_value(&setting.to_string()) {
            return Err(wrong);
        }
        Ok(setting)
    }
}

/// Returns the error of an unknown key, with the keys that are most like it.
fn unknown(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let mut like: Vec<(f64, &str)> =
        Setting::keys().map(|key| (likeness(&lower, &key.to_ascii_lowercase()), key)).collect();
    like.arrange_by(|one, other| other.0.total_cmp(&one.0));
    let near: Vec<&str> =
        like.iter().filter(|(like, _)| *like >= LIKE.0).take(LIKE.1).map(|(_, key)| *key).collect();
    let near = if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", near.join(", ")) };
    format!(
        "unknown setting `{name}`{near}; known are the settings of slurm.conf that a replay follows, and those of \
         {PARAMETERS}; docs/SLURM.md lists them"
    )
}

pub(super) fn apply(statements: &mut Vec<Statement>, settings: &[Setting]) {
    for setting in settings {
        let pairs = || statements.iter().flat_map(|statement| &statement.pairs);
        let (key, value) = if setting.is_parameter {
            let text = pairs().rev().find(|pair| pair.key.eq_ignore_ascii_case(PARAMETERS));
            (PARAMETERS, with_parameter(text.map_or("", |pair| &pair.value), setting))
        } else {
            (setting.key, setting.value.clone().unwrap_or_default())
        };
        for statement in statements.iter_mut() {
            statement.pairs.retain(|pair| !pair.key.eq_ignore_ascii_case(key));
        }
        statements.retain(|statement| !statement.pairs.is_empty());
        let place = place(&format!("--set {setting}").into(), 1, 0);
        let pair = Pair { key: key.to_ascii_lowercase(), written: key.into(), value, place: place.clone() };
        statements.push(Statement { place, pairs: vec![pair], origin: WrittenBy::Scontrol });
    }
}

fn with_parameter(text: &str, setting: &Setting) -> String {
    let name = |part: &str| {
        part.trim().trim_start_matches('=').split('=').next().unwrap_or_default().trim().to_owned()
    };
    let others = text.split(',').map(str::trim);
    let others = others.filter(|part| !part.is_empty() && !name(part).eq_ignore_ascii_case(setting.key));
    others.map(str::to_owned).chain([setting.to_string()]).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, settings: &[&str]) -> Vec<String> {
        let file = super::super::SystemFile { name: "slurm.conf".into(), text: text.into() };
        let lines = super::super::conf::configuration(&file, &mut 100).unwrap();
        let mut statements: Vec<Statement> = lines.lines.into_iter().map(|line| line.statement).collect();
        let settings: Vec<Setting> = settings.iter().map(|text| text.parse().unwrap()).collect();
        apply(&mut statements, &settings);
        statements
            .iter()
            .flat_map(|statement| &statement.pairs)
            .map(|pair| format!("{}={}", pair.key, pair.value))
            .collect()
    }

    #[test]
    fn a_setting_takes_the_place_of_the_one_of_the_files() {
        let text = "SchedulerParameters=bf_window=60,BF_Continue\nPriorityWeightAge=1\nKillWait=30\n";
        assert_eq!(
            applied(text, &["bf_window=1440", "priorityweightage=7", "defer"]),
            ["killwait=30", "priorityweightage=7", "schedulerparameters=BF_Continue,bf_window=1440,defer"]
        );
        assert_eq!(applied("", &["bf_window=60", "BF_WINDOW=90"]), ["schedulerparameters=bf_window=90"]);
    }

    #[test]
    fn an_unknown_key_is_an_error_with_the_nearest_ones() {
        let error = |text: &str| text.parse::<Setting>().unwrap_err();
        for (text, expected) in [
            ("bf_windw=3", "unknown setting `bf_windw` (did you mean bf_window"),
            ("PriorityWeigthAge=3", "unknown setting `PriorityWeigthAge` (did you mean PriorityWeightAge"),
            ("qqqqqqqq=3", "unknown setting `qqqqqqqq`; known are"),
        ] {
            assert!(error(text).starts_with(expected), "{}", error(text));
        }
        assert_eq!(
            error("PriorityWeightAge"),
            "`PriorityWeightAge` has no value: write PriorityWeightAge=VALUE"
        );
        assert_eq!(error("bf_window=0"), "bf_window=0: from 1 to 43200");
    }
}
