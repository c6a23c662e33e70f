//! Reduction of a case, so that a person can see what goes wrong.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::header::RemarkedCount;
use batchlab_traces::reading::{Dependencies, Overrun};
use batchlab_traces::{Field, Number, Record};

use super::attempt::{Miss, Trial};
use super::case::Case;
use batchlab_engine::replay::engine::EventOrder;

/// The most smaller cases that are tried; each takes at least one replay.
const MOST: usize = 400;

/// Fields whose numbers are reduced, each with its least value.
const NUMBERS: [(Field, i64); 7] = [
    (Field::Submit, 0),
    (Field::Run, 0),
    (Field::RequestedTime, 1),
    (Field::Requested, 1),
    (Field::RequestedMemory, 1),
    (Field::User, 1),
    (Field::Group, 1),
];

/// Returns the smallest case found that still breaks the rule, and the violation in it.
pub fn smallest(case: &Case, what: String, on: &dyn Fn(&Case) -> Trial) -> (Case, String) {
    let mut search = Search { case: case.clone(), what, left: MOST, on };
    search.simplify();
    search.drop_jobs();
    search.earlier();
    search.halve();
    // With smaller numbers, further jobs may have become unnecessary.
    search.drop_jobs();
    search.tidy();
    (search.case, search.what)
}

struct Search<'a> {
    case: Case,
    what: String,
    left: usize,
    on: &'a dyn Fn(&Case) -> Trial,
}

impl Search<'_> {
    /// Adopts another case if it breaks the rule too.
    fn take(&mut self, case: Case) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let Err(Miss::Broken(what)) = (self.on)(&case) else { return false };
        (self.case, self.what) = (case, what);
        true
    }

    /// Tries the plain setting: a pool, processors only, event order `batch`, estimates that are not exceeded.
    fn simplify(&mut self) {
        let plain = Case { order: EventOrder::Batch, ..self.case.clone() };
        let _ = self.case.order != EventOrder::Batch && self.take(plain);
        let raised = Case { overrun: Overrun::Raise, ..self.case.clone() };
        let _ = self.case.overrun != Overrun::Raise && self.take(raised);
        let steady = Case { calendar: None, ..self.case.clone() };
        let _ = self.case.calendar.is_some() && self.take(steady);
        let apart = Case { dependencies: Dependencies::Ignore, ..self.case.clone() };
        let _ = self.case.dependencies != Dependencies::Ignore && self.take(apart);
        let mut bare = self.case.clone();
        bare.header.resources.clear();
        bare.records.iter_mut().for_each(|record| record.extra.clear());
        (bare.machine, bare.layout, bare.calendar) = (None, None, None);
        let _ = (self.case.machine.is_some() || !self.case.header.resources.is_empty()) && self.take(bare);
    }

    /// Removes jobs: many at once first, then one by one.
    fn drop_jobs(&mut self) {
        let mut chunk = self.case.records.len().div_ceil(2).max(1);
        loop {
            let mut from = 0;
            while from < self.case.records.len() {
                let to = (from + chunk).min(self.case.records.len());
                let mut fewer = self.case.clone();
                fewer.records.drain(from..to);
                if fewer.records.is_empty() || !self.take(fewer) {
                    from = to;
                }
            }
            if chunk == 1 || self.left == 0 {
                return;
            }
            chunk = chunk.div_ceil(2);
        }
    }

    /// Tries to submit all jobs at once, or at least the first one at time 0.
    fn earlier(&mut self) {
        let submit = |record: &Record| record.get(Field::Submit).to_micro();
        let first = self.case.records.iter().map(submit).min().unwrap_or(0);
        let at_once = |_: i64| 0;
        let from_zero = |submit: i64| submit - first;
        let ways: [&dyn Fn(i64) -> i64; 2] = [&at_once, &from_zero];
        for way in ways {
            let mut case = self.case.clone();
            for record in &mut case.records {
                let moved = way(submit(record));
                record.set(Field::Submit, Number::from_micro(moved));
            }
            if case.records != self.case.records && self.take(case) {
                return;
            }
        }
    }

    /// Reduces numbers as long as the rule stays broken.
    fn halve(&mut self) {
        loop {
            let before = self.left;
            let mut smaller = false;
            for row in 0..self.case.records.len() {
                for (field, least) in NUMBERS {
                    smaller |= self.lower(least, &|case| Place::Field(&mut case.records[row], field));
                }
                for at in 0..self.case.records[row].extra.len() {
                    smaller |= self.lower(0, &|case| Place::Whole(&mut case.records[row].extra[at]));
                }
            }
            if self.case.machine.is_none() && self.case.header.max_procs.is_some() {
                smaller |= self.lower(1, &|case| match &mut case.header.max_procs {
                    Some(RemarkedCount { count, .. }) => Place::Whole(count),
                    None => Place::Nowhere,
                });
            }
            if !smaller || self.left == 0 || self.left == before {
                return;
            }
        }
    }

    /// Tries the least value of a number, half of it, and one less; returns whether one was adopted.
    fn lower(&mut self, least: i64, place: &dyn for<'c> Fn(&'c mut Case) -> Place<'c>) -> bool {
        let mut case = self.case.clone();
        let Some(value) = place(&mut case).value() else { return false };
        let whole = value.truncated();
        let mut tried = vec![least, whole / 2, whole - 1, whole];
        tried.retain(|&other| other >= least && Number::whole(other).to_micro() < value.to_micro());
        tried.dedup();
        tried.into_iter().any(|other| {
            let mut case = self.case.clone();
            place(&mut case).set(other);
            self.take(case)
        })
    }

    /// Numbers the jobs from 1 in the order of submission.
    fn tidy(&mut self) {
        let mut case = self.case.clone();
        case.records.arrange_by_key(|record| record.get(Field::Submit).to_micro());
        let job = |record: &Record, field| record.get(field).truncated();
        let numbers: Vec<i64> = case.records.iter().map(|record| job(record, Field::Job)).collect();
        for (record, number) in case.records.iter_mut().zip(1..) {
            record.set_whole(Field::Job, number);
            let before = job(record, Field::Preceding);
            let now = numbers.iter().position(|&number| number == before).map_or(-1, |at| at as i64 + 1);
            record.set_whole(Field::Preceding, now);
        }
        // The last trial does not count against the limit, because its result is the one reported.
        self.left += 1;
        self.take(case);
    }
}

/// The position of a number in a case.
enum Place<'a> {
    Field(&'a mut Record, Field),
    Whole(&'a mut i64),
    Nowhere,
}

impl Place<'_> {
    fn value(&self) -> Option<Number> {
        match self {
            Place::Field(record, field) => Some(record.get(*field)),
            Place::Whole(value) => Some(Number::whole(**value)),
            Place::Nowhere => None,
        }
    }

    fn set(self, value: i64) {
        match self {
            Place::Field(record, field) => record.set_whole(field, value),
            Place::Whole(place) => *place = value,
            Place::Nowhere => {}
        }
    }
}
