//! The dependencies of a log as conditions on which jobs enter the queue.

mod circle;
mod claims;
mod throttles;

use std::collections::HashMap;
use std::sync::Arc;

use super::JobId;
use super::dependency::{Condition, Dependency, Milestone, Throttle};
use super::drops::depends as kinds;
use super::times::Times;
use crate::reading::Dependencies;
use crate::trace::{StatedDependencies, Trace};
use crate::{Example, Field, Findings, Kind, Refusal, Time, status};

/// What a job demands of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    Start,
    End,
    Ok,
    Failure,
}

/// A dependency between positions in the order of submission.
#[derive(Clone, Copy, Debug)]
struct Link {
    on: usize,
    wants: Wants,
    delay: Time,
}

#[derive(Clone, Debug)]
struct Claim {
    job: usize,
    earliest: Time,
    /// Whether one of the links is enough.
    any: bool,
    links: Vec<Link>,
}

/// Reads the dependencies of the rows to replay, which are in the order of submission, as conditions. Removes the rows whose
/// dependencies can never be met. O(n + d log n) for d dependencies.
pub(super) fn conditions(
    trace: &Trace,
    rule: Dependencies,
    rows: &mut Vec<u32>,
    times: &Times<'_>,
    findings: &mut Findings,
) -> Result<Vec<(JobId, Condition)>, Refusal> {
    let stated = StatedDependencies::of(trace);
    let is_stated = |row: u32| {
        trace.get(row as usize, Field::Preceding).value > 0 || stated.get(row as usize).next().is_some()
    };
    let unknown = trace.column(Field::Preceding).constant().is_some_and(|number| number.value <= 0);
    let mut arrays = throttles::arrays(trace, rows);
    if unknown && stated.is_empty() && arrays.is_empty() {
        return Ok(Vec::new());
    }
    let all = rows.len();
    let of_all = |count: u64| Example::of(format!("{count} of {all} jobs"));
    if rule == Dependencies::Ignore {
        let count = rows.iter().filter(|&&row| is_stated(row)).count() as u64;
        findings.report_many(&kinds::IGNORED, count, || of_all(count))?;
        let count = throttles::held_back(&arrays);
        findings.report_many(&kinds::THROTTLE_IGNORED, count, || of_all(count))?;
        return Ok(Vec::new());
    }
    let mut reader = Reader { trace, stated, rows, times, findings };
    let mut claims = reader.claims()?;
    reader.open_circles(&mut claims)?;
    reader.drop_later(&mut claims)?;
    let never = reader.never(&mut claims)?;
    claims.retain(|claim| !claim.links.is_empty() && !never[claim.job]);
    for array in &mut arrays {
        array.tasks.retain(|&task| !never[task]);
    }
    reader.open_throttled_circles(&claims, &mut arrays)?;
    let count = claims.len() as u64;
    findings.report_many(&kinds::QUEUED, count, || of_all(count))?;
    let count = throttles::held_back(&arrays);
    findings.report_many(&kinds::THROTTLED, count, || of_all(count))?;
    let mut next = 0;
    let renumbered: Vec<u32> = (never.iter())
        .map(|&never| {
            next += u32::from(!never);
            next.saturating_sub(1)
        })
        .collect();
    let queued: Vec<Time> = rows.iter().map(|&row| times.queued(row as usize)).collect();
    let mut at = 0;
    rows.retain(|_| {
        at += 1;
        !never[at - 1]
    });
    let job = |at: usize| JobId(renumbered[at]);
    let mut conditions: HashMap<usize, Condition> =
        claims.into_iter().map(|claim| (claim.job, claim.condition(&job))).collect();
    for array in &arrays {
        let tasks: Arc<[JobId]> = array.tasks.iter().map(|&task| job(task)).collect();
        for (place, &task) in array.tasks.iter().enumerate().skip(array.at_most) {
            let condition =
                conditions.entry(task).or_insert_with(|| Condition::all(queued[task], Vec::new()));
            condition.throttle = Some(Throttle { tasks: tasks.clone(), place, at_most: array.at_most });
        }
    }
    // The workload sorts them.
    Ok(conditions.into_iter().map(|(at, condition)| (job(at), condition)).collect())
}

struct Reader<'a> {
    trace: &'a Trace,
    stated: StatedDependencies<'a>,
    rows: &'a [u32],
    times: &'a Times<'a>,
    findings: &'a mut Findings,
}

impl Reader<'_> {
    /// Drops the dependencies that close a circle: on circles, every dependency on a job at the same position or later.
    fn open_circles(&mut self, claims: &mut [Claim]) -> Result<(), Refusal> {
        let circular = circle::circular(claims, &[], self.rows.len());
        let closes = |job: usize, link: &Link| link.on >= job && circular[job] && circular[link.on];
        self.drop_links(claims, &kinds::CIRCLE, closes)
    }

    /// Drops dependencies on jobs that were submitted later.
    fn drop_later(&mut self, claims: &mut [Claim]) -> Result<(), Refusal> {
        let (rows, times) = (self.rows, self.times);
        let submitted = |at: usize| times.submitted(rows[at] as usize);
        self.drop_links(claims, &kinds::LATER, |job, link| submitted(link.on) > submitted(job))
    }

    /// Drops the throttle of an array if some of its tasks wait for jobs that wait for other tasks of the array.
    fn open_throttled_circles(
        &mut self,
        claims: &[Claim],
        arrays: &mut Vec<throttles::Array>,
    ) -> Result<(), Refusal> {
        if arrays.is_empty() {
            return Ok(());
        }
        let circular = circle::circular(claims, arrays, self.rows.len());
        for array in arrays.iter() {
            if let Some(&task) = array.tasks.iter().find(|&&task| circular[task]) {
                self.report(&kinds::CIRCLE, task, "the other tasks of its array")?;
            }
        }
        arrays.retain(|array| !array.tasks.iter().any(|&task| circular[task]));
        Ok(())
    }

    fn drop_links(
        &mut self,
        claims: &mut [Claim],
        kind: &'static Kind,
        wrong: impl Fn(usize, &Link) -> bool,
    ) -> Result<(), Refusal> {
        for claim in claims {
            for link in claim.links.iter().filter(|link| wrong(claim.job, link)) {
                self.report(kind, claim.job, &format!("job {}", self.number(link.on)))?;
            }
            claim.links.retain(|link| !wrong(claim.job, link));
        }
        Ok(())
    }

    /// Marks the jobs whose dependencies can never be met: the job before ended otherwise, or is itself such a job. Removes
    /// the alternatives that cannot be met.
    fn never(&mut self, claims: &mut [Claim]) -> Result<Vec<bool>, Refusal> {
        let mut never = vec![false; self.rows.len()];
        let mut after: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, claim) in claims.iter().enumerate() {
            claim.links.iter().for_each(|link| after.entry(link.on).or_default().push(at));
        }
        let mut open: Vec<usize> = (0..claims.len()).rev().collect();
        while let Some(at) = open.pop() {
            let claim = &claims[at];
            if never[claim.job] || claim.links.is_empty() {
                continue;
            }
            let mut failing = claim.links.iter().filter(|link| self.fails(link, &never));
            let Some(on) = failing.next().map(|link| link.on) else { continue };
            if !claim.any || failing.count() + 1 == claim.links.len() {
                let job = claim.job;
                never[job] = true;
                self.report(&kinds::NEVER, job, &format!("job {}", self.number(on)))?;
                open.extend(after.get(&job).into_iter().flatten());
            }
        }
        for claim in claims {
            let fails = |link: &Link| self.fails(link, &never);
            // A dependency on a job that is never replayed is met at once, if at all.
            let is_met = claim.links.iter().any(|link| never[link.on] && !fails(link));
            claim.links.retain(|link| !fails(link) && !never[link.on]);
            if claim.any && is_met {
                claim.links.clear();
            }
        }
        Ok(never)
    }

    /// Whether a job ended otherwise than is asked. One that is never replayed counts as cancelled: it did not end well.
    fn fails(&self, link: &Link, never: &[bool]) -> bool {
        match link.wants {
            Wants::Start | Wants::End => false,
            Wants::Ok => never[link.on] || self.ended_well(link.on) == Some(false),
            Wants::Failure => !never[link.on] && self.ended_well(link.on) == Some(true),
        }
    }

    /// Whether a job ended well, by its status; `None` if that is unknown.
    fn ended_well(&self, at: usize) -> Option<bool> {
        match self.trace.get(self.rows[at] as usize, Field::Status).truncated() {
            status::COMPLETED | status::LAST_PART_COMPLETED => Some(true),
            status::FAILED | status::LAST_PART_FAILED | status::CANCELLED => Some(false),
            _ => None,
        }
    }

    fn number(&self, at: usize) -> i64 {
        self.trace.get(self.rows[at] as usize, Field::Job).truncated()
    }

    fn report(&mut self, kind: &'static Kind, job: usize, before: &str) -> Result<(), Refusal> {
        let (row, number) = (self.rows[job] as usize, self.number(job));
        let detail = || format!("job {number} depends on {before}");
        self.findings.report(kind, || Example::at(&self.trace.place(row), detail()))
    }
}

impl Claim {
    fn condition(self, job: &impl Fn(usize) -> JobId) -> Condition {
        let dependency = |link: &Link| Dependency {
            on: job(link.on),
            milestone: if link.wants == Wants::Start { Milestone::Start } else { Milestone::End },
            delay: link.delay,
        };
        let condition = Condition::all(self.earliest, self.links.iter().map(dependency).collect());
        if self.any { Condition { needed: 1, ..condition } } else { condition }
    }
}
