//! Whether the machine was ever oversubscribed: one sweep over all starts and ends.

use batchlab_policies::Rate;
use batchlab_traces::machine::Sharing;
use batchlab_traces::{JobId, Time};

use super::intervals::{by_job, parts};
use super::jobs::served;
use super::violation::{Quantity, Rule, Violation};
use crate::engine::Scenario;
use crate::outcome::{Fate, Outcome};

const WHOLE: i128 = Rate::WHOLE as i128;

/// A job on the machine, from an instant up to another, at a rate in parts of [`Rate::WHOLE`].
#[derive(Clone, Copy)]
struct Hold {
    job: JobId,
    from: Time,
    to: Time,
    parts: i128,
}

/// What is held of each resource, in amount × parts.
struct Held<'a> {
    scenario: &'a Scenario,
    amounts: Vec<i128>,
}

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    let holds = holds(scenario, outcome);
    let mut starts: Vec<&Hold> = holds.iter().filter(|hold| hold.to > hold.from).collect();
    let mut ends = starts.clone();
    starts.sort_by_key(|hold| (hold.from, hold.job));
    ends.sort_by_key(|hold| (hold.to, hold.job));
    let mut passing: Vec<&Hold> = holds.iter().filter(|hold| hold.to == hold.from).collect();
    passing.sort_by_key(|hold| (hold.from, hold.job));

    let mut instants: Vec<Time> = starts.iter().chain(&passing).map(|hold| hold.from).collect();
    instants.sort_unstable();
    instants.dedup();
    let mut held = Held { scenario, amounts: vec![0; scenario.machine.kinds()] };
    let (mut starts, mut ends, mut passing) = (&starts[..], &ends[..], &passing[..]);
    for now in instants {
        for hold in take_until(&mut ends, |hold| hold.to <= now) {
            held.change(hold.job, hold.parts, -1);
        }
        // Jobs that take no time pass one by one; each needs room beside those that stay across the instant.
        // Whose interval ends or begins now may have been away for a moment.
        for hold in take_until(&mut passing, |hold| hold.from <= now) {
            held.change(hold.job, hold.parts, 1);
            held.check(now, hold, violations);
            held.change(hold.job, hold.parts, -1);
        }
        let starting = take_until(&mut starts, |hold| hold.from <= now);
        for hold in starting {
            held.change(hold.job, hold.parts, 1);
        }
        if let Some(last) = starting.last() {
            held.check(now, last, violations);
        }
    }
}

/// Everything that is ever held: intervals where the outcome has them, else whole jobs.
fn holds(scenario: &Scenario, outcome: &Outcome) -> Vec<Hold> {
    let whole = |job: JobId| {
        let (from, to) = served(outcome, job)?;
        // A job killed at the instant of its start, or while it waited, may have held nothing.
        let nothing = from == to && outcome.fate(job) == Fate::Killed;
        (!nothing).then_some(Hold { job, from, to, parts: WHOLE })
    };
    let jobs = scenario.workload.jobs();
    if outcome.intervals.is_empty() {
        return jobs.filter_map(whole).collect();
    }
    let intervals = by_job(outcome);
    let resident = intervals.iter().filter(|interval| interval.to > interval.from).map(|interval| Hold {
        job: interval.job,
        from: interval.from,
        to: interval.to,
        parts: parts(interval),
    });
    // Jobs that take no time leave no interval with a length, and so no rate: the slowest in use counts.
    let slowest = intervals.iter().map(parts).filter(|&parts| parts > 0).min().unwrap_or(WHOLE);
    let brief = jobs.filter_map(whole).filter(|hold| hold.from == hold.to);
    resident.chain(brief.map(|hold| Hold { parts: slowest, ..hold })).collect()
}

impl Held<'_> {
    fn change(&mut self, job: JobId, parts: i128, sign: i128) {
        for kind in 0..self.amounts.len() {
            self.amounts[kind] += sign * self.needs(kind, job, parts);
        }
    }

    fn needs(&self, kind: usize, job: JobId, parts: i128) -> i128 {
        let amount = i128::from(self.scenario.workload.demand(job)[kind]);
        match self.scenario.machine.resources()[kind].sharing {
            Sharing::Space => amount * WHOLE,
            Sharing::Time => amount * parts,
        }
    }

    /// Reports every resource of which more is held than there is, naming the last job that came.
    fn check(&self, now: Time, last: &Hold, violations: &mut Vec<Violation>) {
        for (kind, resource) in self.scenario.machine.resources().iter().enumerate() {
            let left = i128::from(self.scenario.machine.total(kind)) * WHOLE - self.amounts[kind];
            if left >= 0 {
                continue;
            }
            let need = self.needs(kind, last.job, last.parts);
            let amounts = (
                Quantity::Amount(-(-need).div_euclid(WHOLE) as i64),
                Quantity::Amount((left + need).div_euclid(WHOLE) as i64),
            );
            let rule = Rule::Capacity(resource.name.clone());
            violations.push(Violation::new(&self.scenario.workload, rule, last.job, now, amounts));
        }
    }
}

/// Cuts off the front of a sorted list as far as a test holds.
fn take_until<'a, 'b>(list: &mut &'a [&'b Hold], due: impl Fn(&Hold) -> bool) -> &'a [&'b Hold] {
    let (front, rest) = list.split_at(list.partition_point(|hold| due(hold)));
    *list = rest;
    front
}
