//! Files of priorities.

use toml::de::DeTable;

use super::Preempted;
use crate::class::JobClass;
use crate::finding::SourcePlace;
pub use crate::located::LocatedError as PrioritiesError;
use crate::located::{LocatedToml, LocatedValue, integer};
use crate::time::Time;

/// Classes of jobs with tiers, and with rules of preemption, as a file states them.
///
/// ```toml
/// [[class]]
/// partition = "urgent"   # or queue, user, group, account, qos: a number, a name, a list of them
/// priority = 10          # tier: jobs of a higher tier are served first; 0 for all other jobs
/// preempts = true        # takes processors from running jobs of lower tiers; or from those below a tier
///
/// [[class]]
/// qos = "scavenger"
/// priority = -10
/// preempted = "requeue"  # what becomes of its running jobs: requeue, cancel or suspend; without: never preempted
/// grace = "5m"           # time for which they continue to run after the decision
/// exempt = "10m"         # run time before which they cannot be preempted
/// ```
///
/// Before the classes, `releases = ["procs", "licences"]` names the resources that suspended jobs give back, as
/// `restrict_res_to_release_on_suspend` does in PBS Professional; without it, these are processors and devices.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorityFile {
    pub(super) classes: Vec<PriorityClass>,
    /// The resources that suspended jobs give back, if the file says so.
    pub(super) releases: Option<Vec<(String, SourcePlace)>>,
}

/// One `[[class]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PriorityClass {
    pub(super) members: JobClass,
    pub(super) tier: Option<(i32, SourcePlace)>,
    pub(super) reach: Option<(Reach, SourcePlace)>,
    pub(super) preempted: Option<(Preemptible, SourcePlace)>,
}

/// From which jobs a class takes processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// From none.
    Nobody,
    /// From jobs of all lower tiers.
    Lower,
    /// From jobs of tiers below this one.
    Below(i32),
}

/// How the running jobs of a class are preempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Preemptible {
    /// What becomes of them.
    pub preempted: Preempted,
    /// The time for which they continue to run after the decision.
    pub grace: Time,
    /// The run time before which they cannot be preempted.
    pub exempt: Time,
}

/// The name of the processors.
const PROCS: &str = "procs";

/// The bounds of tiers.
const MOST: i32 = 1_000_000;

const LENGTH: &str = "this is a length of time: a number of seconds from 0, or a text such as \"5m\"";

impl PriorityFile {
    /// Reads a file of priorities; `file` is its name as the user gave it.
    ///
    /// # Errors
    /// At the first error, with line and column; for an unknown key, with the one that was probably meant.
    pub fn parse(text: &str, file: &str) -> Result<PriorityFile, PrioritiesError> {
        let source = Source(LocatedToml::new(text, file));
        let table = source.0.parse()?;
        source.0.expect_keys(&table, &["releases", "class"])?;
        let releases = table.get("releases").map(|value| source.releases(value)).transpose()?;
        let tables = source.0.list(&table, "class")?;
        let classes = tables.into_iter().map(|(table, at)| source.class(table, at));
        Ok(PriorityFile { classes: classes.collect::<Result<_, _>>()?, releases })
    }
}

/// The text of a file, for places in errors.
struct Source<'a>(LocatedToml<'a>);

impl Source<'_> {
    fn class(&self, table: &DeTable<'_>, at: usize) -> Result<PriorityClass, PrioritiesError> {
        let keys = ["priority", "preempts", "preempted", "grace", "exempt"];
        self.0.expect_keys(table, &[JobClass::keys(), &keys[..]].concat())?;
        let members = JobClass::read(&self.0, table, at)?;
        if members.is_divided() {
            let what = "a class is about all its jobs alike: leave out the key whose value is \"*\"";
            return Err(self.0.error(at, what));
        }
        if !keys.iter().any(|&key| table.contains_key(key)) {
            return Err(self.0.error(at, format!("the class states nothing: give {}", keys.join(", "))));
        }
        let placed = |value: &LocatedValue<'_>| self.0.place(value.span().start);
        let tier = table.get("priority").map(|value| Ok((self.tier(value)?, placed(value)))).transpose()?;
        let reach = table.get("preempts").map(|value| Ok((self.reach(value)?, placed(value)))).transpose()?;
        if let (Some((tier, _)), Some((Reach::Below(below), place))) = (&tier, &reach)
            && below > tier
        {
            let what = format!(
                "jobs of tier {tier} take processors from jobs of lower tiers only, not below {below}"
            );
            return Err(PrioritiesError { place: place.clone(), what });
        }
        Ok(PriorityClass { members, tier, reach, preempted: self.preemptible(table)? })
    }

    fn releases(&self, value: &LocatedValue<'_>) -> Result<Vec<(String, SourcePlace)>, PrioritiesError> {
        let at = value.span().start;
        let what =
            "releases is a list of resources that suspended jobs give back, such as [\"procs\", \"gpu\"]";
        let items = value.get_ref().as_array().ok_or_else(|| self.0.error(at, what))?;
        let named = items.iter().map(|item| {
            let at = item.span().start;
            let name = item.get_ref().as_str().ok_or_else(|| self.0.error(at, what))?;
            Ok((name.to_owned(), self.0.place(at)))
        });
        let named: Vec<(String, SourcePlace)> = named.collect::<Result<_, _>>()?;
        if !named.iter().any(|(name, _)| name == PROCS) {
            let what = format!("suspended jobs give back their processors: add \"{PROCS}\" to releases");
            return Err(self.0.error(at, what));
        }
        Ok(named)
    }

    fn tier(&self, value: &LocatedValue<'_>) -> Result<i32, PrioritiesError> {
        let tier = integer(value.get_ref()).and_then(|tier| i32::try_from(tier).ok());
        tier.filter(|tier| (-MOST..=MOST).contains(tier)).ok_or_else(|| {
            self.0.error(value.span().start, format!("a tier is a whole number from -{MOST} to {MOST}"))
        })
    }

    fn reach(&self, value: &LocatedValue<'_>) -> Result<Reach, PrioritiesError> {
        match value.get_ref().as_bool() {
            Some(true) => Ok(Reach::Lower),
            Some(false) => Ok(Reach::Nobody),
            None => self.tier(value).map(Reach::Below).map_err(|error| PrioritiesError {
                what: "preempts is true, false, or a tier: the class preempts jobs of tiers below it".into(),
                ..error
            }),
        }
    }

    fn preemptible(
        &self,
        table: &DeTable<'_>,
    ) -> Result<Option<(Preemptible, SourcePlace)>, PrioritiesError> {
        let Some(value) = table.get("preempted") else {
            return match ["grace", "exempt"].into_iter().find_map(|key| table.get(key)) {
                Some(value) => Err(self.0.error(
                    value.span().start,
                    "`grace` and `exempt` are about jobs that are preempted: give `preempted` too",
                )),
                None => Ok(None),
            };
        };
        let at = value.span().start;
        let preempted = value.get_ref().as_str().and_then(Preempted::of_word).ok_or_else(|| {
            let what =
                "preempted is \"requeue\", \"cancel\" or \"suspend\"; without it, jobs are never preempted";
            self.0.error(at, what)
        })?;
        let length = |key| match table.get(key) {
            None => Ok(Time::ZERO),
            Some(value) => self.0.duration(value, LENGTH),
        };
        let (grace, exempt) = (length("grace")?, length("exempt")?);
        Ok(Some((Preemptible { preempted, grace, exempt }, self.0.place(at))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_line_and_column_and_what_would_be_correct() {
        let cases = [
            ("[class]\npriority = 3\n", "p.toml:1:1: `class` is written as tables, [[class]]"),
            ("[[class]]\nuser = 3\n", "p.toml:1:1: the class states nothing"),
            ("[[class]]\nprio = 3\n", "p.toml:2:1: unknown key `prio`"),
            ("[[class]]\npriority = 1.5\n", "p.toml:2:12: a tier is a whole number"),
            ("[[class]]\npriority = 3_000_000\n", "p.toml:2:12: a tier is a whole number"),
            ("[[class]]\nuser = \"*\"\npriority = 1\n", "p.toml:1:1: a class is about all its jobs alike"),
            ("[[class]]\npreempts = \"all\"\n", "p.toml:2:12: preempts is true, false, or a tier"),
            ("[[class]]\npriority = 1\npreempts = 2\n", "p.toml:3:12: jobs of tier 1 take processors"),
            ("[[class]]\npreempted = \"kill\"\n", "p.toml:2:13: preempted is \"requeue\""),
            ("[[class]]\npreempted = \"requeue\"\ngrace = -5\n", "p.toml:3:9: this is a length of time"),
            (
                "[[class]]\npreempted = \"cancel\"\nexempt = \"soon\"\n",
                "p.toml:3:10: this is a length of time",
            ),
            ("[[class]]\npriority = 1\ngrace = 5\n", "p.toml:3:9: `grace` and `exempt` are about jobs"),
            ("releases = \"gpu\"\n", "p.toml:1:12: releases is a list of resources"),
            ("releases = [\"procs\", 3]\n", "p.toml:1:22: releases is a list of resources"),
            ("releases = [\"gpu\"]\n", "p.toml:1:12: suspended jobs give back their processors"),
            ("release = [\"procs\"]\n", "p.toml:1:1: unknown key `release` (did you mean `releases`?)"),
        ];
        for (text, expected) in cases {
            let error = PriorityFile::parse(text, "p.toml").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
