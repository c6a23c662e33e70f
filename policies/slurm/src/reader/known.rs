//! What each setting of an installation means to a replay: followed, without effect on starts, or not followed.
//!
//! | list | names of |
//! |---|---|
//! | [`settings`] | lines of `slurm.conf` |
//! | [`hardware`] | keys behind the name of a node, a partition and the like |
//! | [`options`] | words in the value of a setting that is a list |
//!
//! Source: the options that `read_config.c` of versions 17.11 to 25.05 knows, and `slurm.conf(5)` of these versions.

mod hardware;
mod options;
mod settings;

use batchlab_traces::Kind;

use super::kinds;
use crate::site::{ParameterFate, Scheduler};

pub(super) const FOLLOWED: &[&str] = settings::FOLLOWED;

pub(super) struct KnownNames {
    followed: &'static [&'static str],
    /// The names that change no start in a replay.
    harmless: &'static [&'static str],
    /// The names with some values that would change starts, and are not followed.
    effects: &'static [Effect],
}

pub(super) struct Effect {
    name: &'static str,
    /// The values that change nothing, in lower case.
    plain: &'static [&'static str],
    /// What the other values would change.
    what: &'static str,
    kind: &'static Kind,
}

/// What becomes of a setting in a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Followed,
    Harmless,
    /// What it would change, and the kind of the finding.
    Unfollowed(&'static str, &'static Kind),
    Unknown,
}

/// What a key stands behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Nothing: a line of its own.
    Setting,
    Node,
    Partition,
    /// `NodeSet`, `DownNodes`, `SwitchName` and others, whose keys are few.
    Other,
}

const fn effect(name: &'static str, plain: &'static [&'static str], what: &'static str) -> Effect {
    Effect { name, plain, what, kind: &kinds::UNSUPPORTED }
}

/// A program that slurmctld or slurmd runs for each job.
const fn script(name: &'static str, what: &'static str) -> Effect {
    Effect { name, plain: &[], what, kind: &kinds::SCRIPTS }
}

impl Effect {
    /// Whether a value changes nothing. Some versions print units.
    fn is_plain(&self, value: &str) -> bool {
        let value = value.trim().to_ascii_lowercase();
        let bare = value.trim_end_matches(" sec").trim_end_matches(" min");
        ["", "(null)", "n/a"].contains(&bare) || self.plain.contains(&bare)
    }
}

impl KnownNames {
    fn fate(&self, name: &str, value: &str) -> Standing {
        let is = |known: &&&str| known.eq_ignore_ascii_case(name);
        // A followed setting may have values that are not.
        if let Some(effect) = self.effects.iter().find(|effect| effect.name.eq_ignore_ascii_case(name)) {
            return match (effect.is_plain(value), self.followed.iter().any(|known| is(&known))) {
                (false, _) => Standing::Unfollowed(effect.what, effect.kind),
                (true, true) => Standing::Followed,
                (true, false) => Standing::Harmless,
            };
        }
        match () {
            () if self.followed.iter().any(|known| is(&known)) => Standing::Followed,
            () if self.harmless.iter().any(|known| is(&known)) => Standing::Harmless,
            () => Standing::Unknown,
        }
    }

    fn all(&self) -> impl Iterator<Item = &'static str> {
        let effects = self.effects.iter().map(|effect| effect.name);
        self.followed.iter().chain(self.harmless).copied().chain(effects)
    }
}

impl Scope {
    /// Returns the scope of the keys behind a first key, in lower case.
    pub(super) fn behind(head: &str) -> Scope {
        match head {
            "nodename" => Scope::Node,
            "partitionname" => Scope::Partition,
            "nodeset" | "downnodes" | "switchname" | "reservationname" | "frontendname" | "slurmctldhost" => {
                Scope::Other
            }
            _ => Scope::Setting,
        }
    }

    pub(super) fn has_several(self) -> bool {
        self != Scope::Setting
    }

    fn names(self) -> &'static KnownNames {
        match self {
            Scope::Setting => &settings::NAMES,
            Scope::Node => &hardware::NODES,
            Scope::Partition => &hardware::PARTITIONS,
            Scope::Other => &hardware::OTHERS,
        }
    }

    pub(super) fn fate(self, key: &str, value: &str) -> Standing {
        self.names().fate(key, value)
    }

    pub(super) fn known(self) -> impl Iterator<Item = &'static str> {
        self.names().all()
    }
}

pub(super) struct OptionList {
    /// The setting as the manual writes it.
    pub(super) of: &'static str,
    names: Option<&'static KnownNames>,
}

impl OptionList {
    /// Returns the list that a setting, in lower case, has as its value.
    pub(super) fn of(key: &str) -> Option<OptionList> {
        const PARAMETERS: &str = "SchedulerParameters";
        if key.eq_ignore_ascii_case(PARAMETERS) {
            return Some(OptionList { of: PARAMETERS, names: None });
        }
        let list = options::LISTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
        list.map(|(of, names)| OptionList { of, names: Some(names) })
    }

    pub(super) fn words(value: &str) -> impl Iterator<Item = &str> {
        let words = value.split(',').map(|word| word.trim().trim_start_matches('='));
        words.filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("(null)"))
    }

    pub(super) fn fate(&self, word: &str) -> Standing {
        let (name, value) = word.split_once('=').unwrap_or((word, "set"));
        let Some(names) = self.names else {
            return match Scheduler::parameter(name.trim()) {
                ParameterFate::Followed => Standing::Followed,
                ParameterFate::Indifferent => Standing::Harmless,
                ParameterFate::Unfollowed(what) => Standing::Unfollowed(what, &kinds::UNSUPPORTED),
                ParameterFate::Unknown => Standing::Unknown,
            };
        };
        names.fate(name.trim(), value)
    }

    /// Whether unknown words, and the effects of other words, are findings of this table; the scheduler's words have their own.
    pub(super) fn is_reported(&self) -> bool {
        self.names.is_some()
    }

    pub(super) fn known(&self) -> Vec<&'static str> {
        self.names.map_or_else(|| Scheduler::parameters().collect(), |names| names.all().collect())
    }
}

/// Returns the setting in whose list a word belongs.
pub(super) fn home(word: &str) -> Option<&'static str> {
    let name = word.split('=').next().unwrap_or_default().trim();
    let is_of = |(_, names): &&(&str, KnownNames)| names.fate(name, "set") != Standing::Unknown;
    let of_others = options::LISTS.iter().find(is_of).map(|(of, _)| *of);
    of_others
        .or_else(|| (Scheduler::parameter(name) != ParameterFate::Unknown).then_some("SchedulerParameters"))
}

#[cfg(test)]
mod tests {
    use super::*;

    use batchlab_traces::sorted::SortedSet;

    #[test]
    fn no_name_stands_in_two_lists() {
        let scopes = [Scope::Setting, Scope::Node, Scope::Partition, Scope::Other].map(Scope::names);
        for names in scopes.into_iter().chain(options::LISTS.iter().map(|(_, names)| names)) {
            let mut seen = SortedSet::new();
            let parts = names.followed.iter().chain(names.harmless).copied();
            for name in parts {
                assert!(seen.insert(name.to_ascii_lowercase()), "{name} twice");
            }
            for effect in names.effects {
                let is_harmless = names.harmless.iter().any(|name| name.eq_ignore_ascii_case(effect.name));
                assert!(!is_harmless, "{} is harmless and has an effect", effect.name);
            }
        }
    }

    /// The page lists what is not followed.
    #[test]
    fn the_page_has_every_setting_with_an_effect() {
        let page =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/SLURM.md")).unwrap();
        let scopes = [Scope::Setting, Scope::Node, Scope::Partition].map(Scope::names);
        let lists = options::LISTS.iter().map(|(_, names)| names);
        let effects = scopes.into_iter().chain(lists).flat_map(|names| names.effects);
        let missing: Vec<&str> =
            effects.map(|effect| effect.name).filter(|name| !page.contains(&format!("`{name}"))).collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn what_becomes_of_a_setting_depends_on_its_value() {
        let of = |key: &str, value: &str| Scope::Setting.fate(key, value);
        assert_eq!(of("killwait", "30"), Standing::Followed);
        assert_eq!(of("MailProg", "/bin/true"), Standing::Harmless);
        assert_eq!(of("SuspendTime", "-1"), Standing::Harmless);
        assert!(matches!(of("SuspendTime", "600"), Standing::Unfollowed(what, _) if what.contains("power")));
        assert_eq!(of("schedulertype", "sched/backfill"), Standing::Followed);
        assert!(matches!(of("SchedulerType", "sched/wiki2"), Standing::Unfollowed(..)));
        assert!(
            matches!(of("Epilog", "/e.sh"), Standing::Unfollowed(_, kind) if kind.code == "slurm-scripts")
        );
        assert_eq!(of("Epilog", "(null)"), Standing::Harmless);
        assert_eq!(of("PriorityWeightAges", "5"), Standing::Unknown);
        assert_eq!(Scope::Partition.fate("state", "UP"), Standing::Harmless);
        assert_eq!(Scope::Node.fate("CPUSpecList", "0"), Standing::Followed);
    }

    #[test]
    fn words_of_lists_are_told_apart() {
        let fate = |key: &str, word: &str| OptionList::of(key).unwrap().fate(word);
        assert_eq!(fate("schedulerparameters", "assoc_limit_continue"), Standing::Harmless);
        assert_eq!(fate("schedulerparameters", "enable_hetjob_steps"), Standing::Harmless);
        assert_eq!(fate("schedulerparameters", "rl_enable"), Standing::Unknown);
        assert_eq!(home("rl_enable"), Some("SlurmctldParameters"));
        assert_eq!(home("bf_window=9"), Some("SchedulerParameters"));
        assert_eq!(fate("slurmctldparameters", "enable_configless"), Standing::Harmless);
        assert_eq!(fate("selecttypeparameters", "CR_Core_Memory"), Standing::Followed);
        assert_eq!(fate("priorityflags", "DEPTH_OBLIVIOUS"), Standing::Followed);
        assert!(OptionList::of("mailprog").is_none());
    }
}
