//! The dependencies of a log as conditions on which jobs enter the queue.

use std::collections::{HashMap, HashSet};

use super::JobId;
use super::dependency::{Condition, Dependency, Milestone};
use super::drops::depends as kinds;
use super::times::{LONGEST, Times};
use crate::field::Field;
use crate::finding::{Example, Findings, Kind, Refusal};
use crate::reading::Dependencies;
use crate::time::Time;
use crate::trace::Trace;

/// What a job demands of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    /// Its end, however it ended.
    End,
}

/// A dependency between positions in the order of submission.
#[derive(Clone, Copy, Debug)]
struct Link {
    on: usize,
    wants: Wants,
    delay: Time,
}

/// What a job depends on.
#[derive(Clone, Debug)]
struct Claim {
    /// Its position.
    job: usize,
    earliest: Time,
    links: Vec<Link>,
}

/// Reads the dependencies of the rows to replay, which are in the order of submission, as conditions. O(n + d) for d
/// dependencies.
pub(super) fn conditions(
    trace: &Trace,
    rule: Dependencies,
    rows: &[u32],
    times: &Times<'_>,
    findings: &mut Findings,
) -> Result<Vec<(JobId, Condition)>, Refusal> {
    let dependent = |&&row: &&u32| trace.get(row as usize, Field::Preceding).value > 0;
    if trace.column(Field::Preceding).constant().is_some_and(|number| number.value <= 0) {
        return Ok(Vec::new());
    }
    if rule == Dependencies::Ignore {
        let count = rows.iter().filter(dependent).count() as u64;
        let detail = || Example { place: None, detail: format!("{count} of {} jobs", rows.len()) };
        findings.report_many(&kinds::IGNORED, count, detail)?;
        return Ok(Vec::new());
    }
    let mut reader = Reader { trace, rows, times, findings };
    let mut claims = reader.claims()?;
    reader.open_circles(&mut claims)?;
    reader.drop_later(&mut claims)?;
    claims.retain(|claim| !claim.links.is_empty());
    let count = claims.len() as u64;
    let detail = || Example { place: None, detail: format!("{count} of {} jobs", rows.len()) };
    reader.findings.report_many(&kinds::QUEUED, count, detail)?;
    Ok(claims.into_iter().map(|claim| (JobId(claim.job as u32), claim.condition())).collect())
}

struct Reader<'a> {
    trace: &'a Trace,
    rows: &'a [u32],
    times: &'a Times<'a>,
    findings: &'a mut Findings,
}

impl Reader<'_> {
    /// Returns what fields 17 and 18 state, without dependencies on jobs that are not replayed.
    fn claims(&mut self) -> Result<Vec<Claim>, Refusal> {
        let number = |row: usize| self.trace.get(row, Field::Job).truncated();
        let mut known: HashMap<i64, Vec<usize>> = HashMap::new();
        for (at, &row) in self.rows.iter().enumerate() {
            known.entry(number(row as usize)).or_default().push(at);
        }
        let all: HashSet<i64> = (0..self.trace.len()).map(number).collect();
        let mut claims = Vec::new();
        for (job, &row) in self.rows.iter().enumerate() {
            let row = row as usize;
            let before = self.trace.get(row, Field::Preceding);
            if before.value <= 0 {
                continue;
            }
            let before = before.truncated();
            let Some(same) = known.get(&before) else {
                let kind = if all.contains(&before) { &kinds::LEFT_OUT } else { &kinds::MISSING };
                self.report(kind, job, before)?;
                continue;
            };
            // Of several records with the number, the last one before the job.
            let on = same[same.partition_point(|&at| at < job).saturating_sub(1)];
            let think = self.trace.time(row, Field::Think);
            if think > LONGEST {
                self.report(&kinds::LONG_THINK, job, before)?;
            }
            let (delay, earliest) = match think {
                unknown if unknown < Time::ZERO => (Time::ZERO, self.times.submitted(row)),
                think => (think.min(LONGEST), Time::ZERO),
            };
            claims.push(Claim { job, earliest, links: vec![Link { on, wants: Wants::End, delay }] });
        }
        Ok(claims)
    }

    /// Drops the dependencies that close a circle: among jobs of circles, those on a job at the same position or later.
    fn open_circles(&mut self, claims: &mut [Claim]) -> Result<(), Refusal> {
        let circular = circular(claims, self.rows.len());
        let closes = |job: usize, link: &Link| link.on >= job && circular[job] && circular[link.on];
        self.drop_links(claims, &kinds::CIRCLE, closes)
    }

    /// Drops dependencies on jobs that were submitted later.
    fn drop_later(&mut self, claims: &mut [Claim]) -> Result<(), Refusal> {
        let (rows, times) = (self.rows, self.times);
        let submitted = |at: usize| times.submitted(rows[at] as usize);
        self.drop_links(claims, &kinds::LATER, |job, link| submitted(link.on) > submitted(job))
    }

    fn drop_links(
        &mut self,
        claims: &mut [Claim],
        kind: &'static Kind,
        wrong: impl Fn(usize, &Link) -> bool,
    ) -> Result<(), Refusal> {
        for claim in claims {
            for link in claim.links.iter().filter(|link| wrong(claim.job, link)) {
                let before = self.trace.get(self.rows[link.on] as usize, Field::Job).truncated();
                self.report(kind, claim.job, before)?;
            }
            claim.links.retain(|link| !wrong(claim.job, link));
        }
        Ok(())
    }

    fn report(&mut self, kind: &'static Kind, job: usize, before: i64) -> Result<(), Refusal> {
        let row = self.rows[job] as usize;
        self.findings.report(kind, || Example {
            place: Some(self.trace.place(row)),
            detail: format!("job {} depends on job {before}", self.trace.get(row, Field::Job)),
        })
    }
}

impl Claim {
    fn condition(self) -> Condition {
        let dependency = |link: Link| {
            let Wants::End = link.wants;
            Dependency { on: JobId(link.on as u32), milestone: Milestone::End, delay: link.delay }
        };
        Condition::all(self.earliest, self.links.into_iter().map(dependency).collect())
    }
}

/// Marks the jobs that are on a circle, or between two circles: those that remain when jobs without predecessors, and
/// jobs without successors, are removed one after the other. O(n + d).
fn circular(claims: &[Claim], jobs: usize) -> Vec<bool> {
    let links = || claims.iter().flat_map(|claim| claim.links.iter().map(move |link| (link.on, claim.job)));
    let mut remains = vec![true; jobs];
    for backwards in [false, true] {
        let ends = |(from, to): (usize, usize)| if backwards { (to, from) } else { (from, to) };
        let mut next: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut open = vec![0_u32; jobs];
        for (from, to) in links().map(ends).filter(|&(from, to)| remains[from] && remains[to]) {
            next.entry(from).or_default().push(to);
            open[to] += 1;
        }
        let mut free: Vec<usize> = (0..jobs).filter(|&job| remains[job] && open[job] == 0).collect();
        while let Some(job) = free.pop() {
            remains[job] = false;
            for &to in next.get(&job).into_iter().flatten() {
                open[to] -= 1;
                if open[to] == 0 {
                    free.push(to);
                }
            }
        }
    }
    remains
}
