use std::ops::Range;

use serde::Deserialize;
use toml::de::DeTable;

use super::{Counted, LimitedQuantity};
use crate::class::JobClass;
use crate::finding::SourcePlace;
pub use crate::located::LocatedError as LimitError;
use crate::located::values::{Length, number, value_of_toml};
use crate::located::{LocatedToml, Spanned, keys};
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

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stated {
    pub(super) class: JobClass,
    pub(super) bounds: Vec<LimitBound>,
    pub(super) wall_time: Option<Time>,
    pub(super) counted: Counted,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LimitBound {
    pub(super) key: &'static str,
    pub(super) quantity: LimitedQuantity,
    /// Jobs, processors, or node-hours.
    pub(super) most: f64,
    pub(super) place: SourcePlace,
}

#[derive(Deserialize)]
struct LimitText {
    running_jobs: Option<Spanned<Most>>,
    procs: Option<Spanned<Most>>,
    node_hours: Option<Spanned<MostHours>>,
    wall_time: Option<Length>,
    #[serde(default)]
    count: Counted,
}

struct Most(f64);

value_of_toml!(Most, "a whole number from 0", |value| bound(value)
    .filter(|most| most.fract() == 0.0)
    .map(Most));

struct MostHours(f64);

value_of_toml!(MostHours, "a number from 0", |value| bound(value).map(MostHours));

fn bound(value: &toml::Value) -> Option<f64> {
    number(value).filter(|most| (0.0..=1e15).contains(most))
}

impl LimitFile {
    /// Reads a limit file; `file` is its name as the user gave it.
    pub fn parse(text: &str, file: &str) -> Result<LimitFile, LimitError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        toml.expect_keys(&table, &["limit"])?;
        let limits = toml.list(&table, "limit")?.into_iter().map(|(table, at)| limit(&toml, table, at));
        Ok(LimitFile { limits: limits.collect::<Result<_, _>>()? })
    }
}

fn limit(toml: &LocatedToml<'_>, table: &DeTable<'_>, at: usize) -> Result<Stated, LimitError> {
    toml.expect_keys(table, &[JobClass::keys(), keys::<LimitText>()].concat())?;
    let class = JobClass::read(toml, table, at)?;
    let text: LimitText = toml.part(table, at)?;
    let stated = [
        (
            "running_jobs",
            LimitedQuantity::Jobs,
            text.running_jobs.map(|most| (most.span(), most.get_ref().0)),
        ),
        ("procs", LimitedQuantity::Procs, text.procs.map(|most| (most.span(), most.get_ref().0))),
        ("node_hours", LimitedQuantity::Work, text.node_hours.map(|most| (most.span(), most.get_ref().0))),
    ];
    let bound = |(key, quantity, stated)| {
        let (span, most): (Range<usize>, f64) = stated?;
        Some(LimitBound { key, quantity, most, place: toml.place(span.start) })
    };
    let bounds: Vec<LimitBound> = stated.into_iter().filter_map(bound).collect();
    let wall_time = text.wall_time.map(|length| length.0);
    if bounds.is_empty() && wall_time.is_none() {
        return Err(
            toml.error(at, "the limit bounds nothing: give running_jobs, procs, node_hours or wall_time")
        );
    }
    Ok(Stated { class, bounds, wall_time, counted: text.count })
}
