//! Limit files.

use toml::de::{DeTable, DeValue};

use super::{Counted, LimitedQuantity};
use crate::finding::SourcePlace;
pub use crate::located::LocatedError as LimitError;
use crate::located::{LocatedToml, LocatedValue, NotTables, integer, number, unknown_key};
use crate::reading::parse_duration;
use crate::time::Time;

/// Limits as a file states them.
///
/// ```toml
/// [[limit]]
/// partition = "gpu"      # jobs of this partition, by number or by a name of the log's header
/// user = "*"             # each user separately; without the key, all users together
/// running_jobs = 4       # at most 4 jobs
/// procs = 256            # on at most 256 processors
/// node_hours = 1000      # with at most this much left of their requests
/// wall_time = "24h"      # no job may request more
/// count = "running"      # jobs on the machine count; "eligible": waiting jobs within the limit count too
/// ```
///
/// The classes of jobs are `partition`, `queue`, `user`, `group`, `account` and `qos`, each a number, a name, a
/// list of them (together), or "*" (each separately).
#[derive(Clone, Debug, PartialEq)]
pub struct LimitFile {
    pub(super) limits: Vec<Stated>,
}

/// One `[[limit]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stated {
    pub(super) classes: Vec<(Class, Members)>,
    pub(super) bounds: Vec<Bound>,
    pub(super) wall_time: Option<Time>,
    pub(super) counted: Counted,
    pub(super) place: SourcePlace,
    /// The keys and values of the classes, as written: `partition = "gpu", user = "*"`.
    pub(super) words: String,
}

/// A bound of a limit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bound {
    pub(super) key: &'static str,
    pub(super) quantity: LimitedQuantity,
    /// Jobs, processors, or node-hours.
    pub(super) most: f64,
    pub(super) place: SourcePlace,
}

/// A property of jobs by which they are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Partition,
    Queue,
    User,
    Group,
    Account,
    Qos,
}

impl Class {
    const KEYS: [(&'static str, Class); 6] = [
        ("partition", Class::Partition),
        ("queue", Class::Queue),
        ("user", Class::User),
        ("group", Class::Group),
        ("account", Class::Account),
        ("qos", Class::Qos),
    ];

    pub(super) fn key(self) -> &'static str {
        Class::KEYS.iter().find(|(_, class)| *class == self).map_or("", |(key, _)| key)
    }
}

/// The values of a property that a limit is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Members {
    /// Each value separately.
    Each,
    /// These values together.
    These(Vec<Value>),
}

/// A value by number or by name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(i64),
    Name(String, SourcePlace),
}

const BOUNDS: [(&str, LimitedQuantity); 3] = [
    ("running_jobs", LimitedQuantity::Jobs),
    ("procs", LimitedQuantity::Procs),
    ("node_hours", LimitedQuantity::Work),
];

impl LimitFile {
    /// Reads a limit file; `file` is its name as the user gave it.
    ///
    /// # Errors
    /// At the first error, with line and column; for an unknown key, with the one that was probably meant.
    pub fn parse(text: &str, file: &str) -> Result<LimitFile, LimitError> {
        let source = Source(LocatedToml::new(text, file));
        let table = source.0.parse()?;
        source.known(&table, &["limit"])?;
        let wrong = |not: NotTables| source.0.error(not.item, "limits are written as tables, [[limit]]");
        let tables = LocatedToml::tables(&table, "limit").map_err(wrong)?;
        let limits = tables.into_iter().map(|(table, at)| source.limit(table, at));
        Ok(LimitFile { limits: limits.collect::<Result<_, _>>()? })
    }
}

/// The text of a limit file, for places in errors.
struct Source<'a>(LocatedToml<'a>);

impl Source<'_> {
    fn limit(&self, table: &DeTable<'_>, at: usize) -> Result<Stated, LimitError> {
        let keys = Class::KEYS.map(|(key, _)| key).into_iter().chain(BOUNDS.map(|(key, _)| key));
        self.known(table, &keys.chain(["wall_time", "count"]).collect::<Vec<_>>())?;
        let mut classes = Vec::new();
        let mut words = Vec::new();
        for (key, class) in Class::KEYS {
            if let Some(value) = table.get(key) {
                classes.push((class, self.members(key, value)?));
                words.push(format!("{key} = {}", self.0.shown(value)));
            }
        }
        let mut bounds = Vec::new();
        for (key, quantity) in BOUNDS {
            if let Some(value) = table.get(key) {
                let whole = quantity != LimitedQuantity::Work;
                let most = number(value.get_ref()).filter(|most| *most >= 0.0 && *most <= 1e15);
                let most = most.filter(|most| !whole || most.fract() == 0.0).ok_or_else(|| {
                    let kind = if whole { "whole number" } else { "number" };
                    self.0.error(value.span().start, format!("{key} is a {kind} from 0"))
                })?;
                bounds.push(Bound { key, quantity, most, place: self.0.place(value.span().start) });
            }
        }
        let wall_time = table.get("wall_time").map(|value| self.time(value)).transpose()?;
        if bounds.is_empty() && wall_time.is_none() {
            return Err(self
                .0
                .error(at, "the limit bounds nothing: give running_jobs, procs, node_hours or wall_time"));
        }
        let counted = match table.get("count") {
            None => Counted::default(),
            Some(value) => match value.get_ref().as_str() {
                Some("running") => Counted::Running,
                Some("eligible") => Counted::Eligible,
                _ => return Err(self.0.error(value.span().start, "count is \"running\" or \"eligible\"")),
            },
        };
        let words = if words.is_empty() { "all jobs together".into() } else { words.join(", ") };
        Ok(Stated { classes, bounds, wall_time, counted, place: self.0.place(at), words })
    }

    fn members(&self, key: &str, value: &LocatedValue<'_>) -> Result<Members, LimitError> {
        if value.get_ref().as_str() == Some("*") {
            return Ok(Members::Each);
        }
        let one = |value: &LocatedValue<'_>| match value.get_ref() {
            DeValue::String(name) if !name.trim().is_empty() && name != "*" => {
                Ok(Value::Name(name.trim().into(), self.0.place(value.span().start)))
            }
            other => match integer(other).and_then(|number| i64::try_from(number).ok()).filter(|&n| n >= 0) {
                Some(number) => Ok(Value::Number(number)),
                None => Err(self.0.error(
                    value.span().start,
                    format!(
                        "{key} is a number of the log, a name, a list of them, or \"*\" for each separately"
                    ),
                )),
            },
        };
        match value.get_ref().as_array() {
            Some(list) if !list.is_empty() => {
                Ok(Members::These(list.iter().map(one).collect::<Result<_, _>>()?))
            }
            _ => Ok(Members::These(vec![one(value)?])),
        }
    }

    fn time(&self, value: &LocatedValue<'_>) -> Result<Time, LimitError> {
        let time = match value.get_ref() {
            DeValue::String(text) => parse_duration(text.trim()).ok(),
            other => number(other).filter(|s| (0.0..=1e9).contains(s)).map(Time::from_secs_f64),
        };
        let what = "wall_time is a number of seconds, or a text such as \"24h\"";
        time.ok_or_else(|| self.0.error(value.span().start, what))
    }

    fn known(&self, table: &DeTable<'_>, keys: &[&str]) -> Result<(), LimitError> {
        let Some(unknown) = unknown_key(table, keys) else { return Ok(()) };
        let what = format!("unknown key `{}`{}; known are {}", unknown.key, unknown.meant, keys.join(", "));
        Err(self.0.error(unknown.at, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let cases = [
            ("[limit]\nprocs = 3\n", "l.toml:1:1: limits are written as tables, [[limit]]"),
            ("[[limit]]\nuser = 3\n", "l.toml:1:1: the limit bounds nothing"),
            ("[[limit]]\nproc = 3\n", "l.toml:2:1: unknown key `proc` (did you mean `procs`?)"),
            ("[[limit]]\nprocs = 1.5\n", "l.toml:2:9: procs is a whole number from 0"),
            ("[[limit]]\nprocs = 3\nuser = [\"*\"]\n", "l.toml:3:9: user is a number of the log"),
            ("[[limit]]\nprocs = 3\nuser = -1\n", "l.toml:3:8: user is a number of the log"),
            ("[[limit]]\nwall_time = \"soon\"\n", "l.toml:2:13: wall_time is a number of seconds"),
            ("[[limit]]\nprocs = 1\ncount = \"all\"\n", "l.toml:3:9: count is \"running\" or \"eligible\""),
        ];
        for (text, expected) in cases {
            let error = LimitFile::parse(text, "l.toml").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
