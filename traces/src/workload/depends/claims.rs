//! What a log states: fields 17 and 18, and the columns of batch systems.

use std::collections::{HashMap, HashSet};

use super::super::drops::depends as kinds;
use super::super::times::LONGEST;
use super::{Claim, Link, Reader, Wants};
use crate::trace::{DependencyKind, StatedDependency};
use crate::{Field, Refusal, Time};

/// The jobs to replay by the numbers under which others depend on them; positions ascend.
struct Known {
    /// By the numbers of field 1.
    numbers: HashMap<i64, Vec<usize>>,
    /// By the batch system's own numbers, if they differ.
    own: HashMap<i64, Vec<usize>>,
    /// The tasks of each array: number of the task and position.
    arrays: HashMap<i64, Vec<(i64, usize)>>,
    /// All numbers of the log, replayed or not.
    all: HashSet<i64>,
}

impl Reader<'_> {
    /// Returns what the log states, without dependencies on jobs that are not replayed.
    pub(super) fn claims(&mut self) -> Result<Vec<Claim>, Refusal> {
        let known = self.known();
        let mut claims = Vec::new();
        let mut singletons: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
        for (job, &row) in self.rows.iter().enumerate() {
            let row = row as usize;
            let stated: Vec<StatedDependency> = self.stated.get(row).collect();
            let mut claim = Claim {
                job,
                earliest: self.times.submitted(row),
                any: stated.iter().any(|one| one.any),
                links: Vec::new(),
            };
            if self.trace.get(row, Field::Preceding).value > 0 {
                self.preceding(&mut claim, &known)?;
            }
            for one in stated.iter().filter(|one| one.kind != DependencyKind::Singleton) {
                self.stated(&mut claim, one, &known)?;
            }
            if !self.stated.is_empty() {
                let named =
                    [Field::User, Field::Executable].map(|field| self.trace.get(row, field).truncated());
                let same = singletons.entry((named[0], named[1])).or_default();
                if stated.iter().any(|one| one.kind == DependencyKind::Singleton) {
                    // Those before the last singleton have ended when it starts.
                    let links = same.drain(..).map(|on| Link { on, wants: Wants::End, delay: Time::ZERO });
                    claim.links.extend(links);
                }
                same.push(job);
            }
            claims.extend(Some(claim).filter(|claim| !claim.links.is_empty()));
        }
        Ok(claims)
    }

    fn known(&self) -> Known {
        let value = |name: &str, row: usize| self.trace.stated(row, name);
        let number = |row: usize| self.trace.get(row, Field::Job).truncated();
        let mut known = Known {
            numbers: HashMap::new(),
            own: HashMap::new(),
            arrays: HashMap::new(),
            all: (0..self.trace.len()).map(number).collect(),
        };
        let is_apart = self.trace.resource("id").is_some();
        for row in 0..self.trace.len() {
            known.all.extend(["id", "array", "het_job"].iter().filter_map(|name| value(name, row)));
        }
        for (at, &row) in self.rows.iter().enumerate() {
            let row = row as usize;
            known.numbers.entry(number(row)).or_default().push(at);
            let own = if is_apart { value("id", row) } else { None };
            for whole in [own, value("het_job", row)].into_iter().flatten() {
                known.own.entry(whole).or_default().push(at);
            }
            if let Some(array) = value("array", row) {
                known.arrays.entry(array).or_default().push((value("array_task", row).unwrap_or(-1), at));
            }
        }
        known
    }

    /// Adds the dependency of fields 17 and 18.
    fn preceding(&mut self, claim: &mut Claim, known: &Known) -> Result<(), Refusal> {
        let row = self.rows[claim.job] as usize;
        let before = self.trace.get(row, Field::Preceding).truncated();
        let Some(same) = known.numbers.get(&before) else { return self.unknown(claim.job, before, known) };
        let think = self.trace.time(row, Field::Think);
        if think > LONGEST {
            self.report(&kinds::LONG_THINK, claim.job, &format!("job {before}"))?;
        }
        if think >= Time::ZERO {
            claim.earliest = Time::ZERO;
        }
        let delay = think.clamp(Time::ZERO, LONGEST);
        claim.links.push(Link { on: last_before(same, claim.job), wants: Wants::End, delay });
        Ok(())
    }

    /// Adds a dependency of a batch system: on a job, on a task or on all tasks of an array.
    fn stated(&mut self, claim: &mut Claim, one: &StatedDependency, known: &Known) -> Result<(), Refusal> {
        let wants = match one.kind {
            DependencyKind::After => Wants::Start,
            DependencyKind::AfterOk | DependencyKind::AfterCorr => Wants::Ok,
            DependencyKind::AfterNotOk => Wants::Failure,
            DependencyKind::AfterAny | DependencyKind::Singleton => Wants::End,
        };
        let row = self.rows[claim.job] as usize;
        let own_task = self.trace.resource("array_task").map_or(-1, |column| column.whole(row));
        let task = if one.kind == DependencyKind::AfterCorr && one.task < 0 { own_task } else { one.task };
        let tasks = known.arrays.get(&one.on).into_iter().flatten();
        let tasks = tasks.filter(|(number, _)| task < 0 || *number == task).map(|&(_, at)| at);
        let mut on: Vec<usize> = tasks.collect();
        if on.is_empty() {
            let same = known.own.get(&one.on).or_else(|| known.numbers.get(&one.on));
            on.extend(same.map(|same| last_before(same, claim.job)));
        }
        if on.is_empty() {
            return self.unknown(claim.job, one.on, known);
        }
        claim.links.extend(on.into_iter().map(|on| Link { on, wants, delay: one.delay }));
        Ok(())
    }

    fn unknown(&mut self, job: usize, before: i64, known: &Known) -> Result<(), Refusal> {
        let kind = if known.all.contains(&before) { &kinds::LEFT_OUT } else { &kinds::MISSING };
        self.report(kind, job, &format!("job {before}"))
    }
}

/// Of several records with a number, returns the last one before a job, otherwise the first.
fn last_before(same: &[usize], job: usize) -> usize {
    same[same.partition_point(|&at| at < job).saturating_sub(1)]
}
