//! Limit files.

use toml::de::DeTable;

use super::{Counted, LimitedQuantity};
use crate::class::JobClass;
use crate::finding::SourcePlace;
pub use crate::located::LocatedError as LimitError;
use crate::located::{LocatedToml, number};
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
    pub(super) class: JobClass,
    pub(super) bounds: Vec<Bound>,
    pub(super) wall_time: Option<Time>,
    pub(super) counted: Counted,
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

const BOUNDS: [(&str, LimitedQuantity); 3] = [
    ("running_jobs", LimitedQuantity::Jobs),
    ("procs", LimitedQuantity::Procs),
    ("node_hours", LimitedQuantity::Work),
];

const WALL_TIME: &str = "wall_time is a number of seconds, or a text such as \"24h\"";

impl LimitFile {
    /// Reads a limit file; `file` is its name as the user gave it.
    ///
    /// # Errors
    /// At the first error, with line and column; for an unknown key, with the one that was probably meant.
    pub fn parse(text: &str, file: &str) -> Result<LimitFile, LimitError> {
        let source = Source(LocatedToml::new(text, file));
        let table = source.0.parse()?;
        source.0.expect_keys(&table, &["limit"])?;
        let tables = source.0.list(&table, "limit")?;
        let limits = tables.into_iter().map(|(table, at)| source.limit(table, at));
        Ok(LimitFile { limits: limits.collect::<Result<_, _>>()? })
    }
}

/// The text of a limit file, for places in errors.
struct Source<'a>(LocatedToml<'a>);

impl Source<'_> {
    fn limit(&self, table: &DeTable<'_>, at: usize) -> Result<Stated, LimitError> {
        let keys = JobClass::KEYS.into_iter().chain(BOUNDS.map(|(key, _)| key));
        self.0.expect_keys(table, &keys.chain(["wall_time", "count"]).collect::<Vec<_>>())?;
        let class = JobClass::read(&self.0, table, at)?;
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
        let wall_time = table.get("wall_time").map(|value| self.0.duration(value, WALL_TIME)).transpose()?;
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
        Ok(Stated { class, bounds, wall_time, counted })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let cases = [
            ("[limit]\nprocs = 3\n", "l.toml:1:1: `limit` is written as tables, [[limit]]"),
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
