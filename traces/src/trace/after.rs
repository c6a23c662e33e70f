//! The dependencies of jobs as a batch system states them: which jobs, by its own numbers, and what must happen to them.

use super::Trace;
use crate::{Column, Time};

/// What must happen to another job before a job may start.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependencyKind {
    /// It has started, or was cancelled.
    After,
    AfterOk,
    AfterNotOk,
    AfterAny,
    /// The task with the same number in the other job's array has ended well.
    AfterCorr,
    /// All earlier jobs of the same user and name have ended; no job is named.
    Singleton,
}

impl DependencyKind {
    /// Every kind, with its word and its code in the columns of a log.
    pub const ALL: [(DependencyKind, &'static str, i64); 6] = [
        (DependencyKind::After, "after", 1),
        (DependencyKind::AfterOk, "afterok", 2),
        (DependencyKind::AfterNotOk, "afternotok", 3),
        (DependencyKind::AfterAny, "afterany", 4),
        (DependencyKind::AfterCorr, "aftercorr", 5),
        (DependencyKind::Singleton, "singleton", 6),
    ];

    /// Added to the code if one of several dependencies is enough.
    pub const ANY: i64 = 10;

    /// Returns the kind of a word.
    pub fn find(word: &str) -> Option<DependencyKind> {
        DependencyKind::ALL.iter().find(|(_, known, _)| *known == word).map(|(kind, ..)| *kind)
    }

    /// Returns its code in the columns of a log.
    pub fn code(self) -> i64 {
        DependencyKind::ALL.iter().find(|(kind, ..)| *kind == self).map_or(0, |(.., code)| *code)
    }
}

/// A dependency as the batch system states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedDependency {
    /// What must happen to the other job.
    pub kind: DependencyKind,
    /// The number of the other job, or of its array; -1 for a singleton.
    pub on: i64,
    /// The task of the array; -1 for a job, or for all tasks.
    pub task: i64,
    /// How long the job waits after this.
    pub delay: Time,
    /// Whether it is an alternative: one of several such dependencies is enough.
    pub any: bool,
}

/// The name of the column that states how many tasks of a job's array may run at a time.
pub const ARRAY_LIMIT: &str = "array_limit";

/// The most dependencies of a job that a log keeps.
pub const MOST_DEPENDENCIES: usize = 80;

/// Returns the names of the columns of a job's dependency, counted from 0: number, kind, task and delay in seconds.
pub fn dependency_columns(at: usize) -> [String; 4] {
    let slot = at + 1;
    [
        format!("after{slot}"),
        format!("after{slot}_kind"),
        format!("after{slot}_task"),
        format!("after{slot}_delay"),
    ]
}

/// The dependencies of the jobs of a log.
#[derive(Clone, Debug)]
pub struct StatedDependencies<'a>(Vec<[Option<&'a Column>; 4]>);

impl<'a> StatedDependencies<'a> {
    /// Returns the dependencies that the columns `after1`, `after1_kind` and so on state.
    pub fn of(trace: &'a Trace) -> StatedDependencies<'a> {
        let slot = |at: usize| dependency_columns(at).each_ref().map(|name| trace.job_column(name));
        StatedDependencies((0..MOST_DEPENDENCIES).map(slot).take_while(|slot| slot[1].is_some()).collect())
    }

    /// Whether no job of the log states any.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the dependencies of a row's job.
    pub fn get(&self, row: usize) -> impl Iterator<Item = StatedDependency> + '_ {
        self.0.iter().filter_map(move |slot| {
            let value = |at: usize| slot[at].map_or(-1, |column| column.whole(row));
            let (code, any) = match value(1) {
                any if any > DependencyKind::ANY => (any - DependencyKind::ANY, true),
                code => (code, false),
            };
            let (kind, ..) = DependencyKind::ALL.into_iter().find(|(.., known)| *known == code)?;
            let delay = Time::from_secs(value(3).clamp(0, 1_000_000_000));
            Some(StatedDependency { kind, on: value(0), task: value(2), delay, any })
        })
    }
}
