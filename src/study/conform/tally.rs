//! The counts of one check.

use batchlab_support::spec::Chosen;

use super::attempt::{Miss, Play, Trial};
use super::case::Case;
use super::checks::Check;
use super::report::{CheckReport, Found, Skip, Status, Witness};
use super::shrink;

pub struct Tally<'a> {
    progress: &'a dyn Fn(),
    held: usize,
    skipped: Vec<Skip>,
    found: Option<Found>,
    spent: bool,
}

impl<'a> Tally<'a> {
    pub(super) fn new(progress: &'a dyn Fn()) -> Tally<'a> {
        Tally { progress, held: 0, skipped: Vec::new(), found: None, spent: false }
    }

    /// Tries a policy on cases, up to the first one on which it breaks the rule. That case is then reduced, unless each replay
    /// of it takes the whole budget.
    pub fn each<'c>(
        &mut self,
        chosen: &Chosen,
        cases: impl IntoIterator<Item = &'c Case>,
        trial: impl Fn(&Chosen, &Play) -> Trial,
    ) {
        let on = |case: &Case| {
            (self.progress)();
            case.play()
                .map_err(|error| Miss::Skipped(error.to_string()))
                .and_then(|play| trial(chosen, &play))
        };
        for case in cases {
            match (&self.found, on(case)) {
                (Some(_), _) => return,
                (None, Ok(())) => self.held += 1,
                (None, Err(Miss::Skipped(why))) => skip(&mut self.skipped, why),
                (None, Err(Miss::Broken(what))) => {
                    let (case, what) = shrink::smallest(case, what, &on);
                    self.fail(what, chosen, Some(&case));
                }
                (None, Err(Miss::Spent(what))) => {
                    self.spent = true;
                    self.fail(what, chosen, Some(case));
                }
            }
        }
    }

    pub fn hold(&mut self) {
        (self.progress)();
        self.held += 1;
    }

    pub fn skip(&mut self, why: impl Into<String>) {
        skip(&mut self.skipped, why.into());
    }

    /// Records a failure and its case; only the first one is kept.
    pub fn fail(&mut self, what: impl Into<String>, chosen: &Chosen, case: Option<&Case>) {
        let found = || Found {
            what: what.into(),
            policy: chosen.canonical(),
            witness: case.and_then(Witness::of),
            again: Vec::new(),
        };
        self.found.get_or_insert_with(found);
    }

    pub fn failed(&self) -> bool {
        self.found.is_some()
    }

    pub fn spent(&self) -> bool {
        self.spent
    }

    pub fn held(&self) -> usize {
        self.held
    }

    /// Returns the last reason of a new kind for skipping a trial.
    pub fn last_reason(&self) -> Option<&str> {
        self.skipped.last().map(|skip| skip.why.as_str())
    }

    pub(super) fn report(self, check: &Check) -> CheckReport {
        let status = match (&self.found, self.held) {
            (Some(_), _) => Status::Failed,
            (None, 0) => Status::Skipped,
            (None, _) => Status::Holds,
        };
        CheckReport {
            name: check.name,
            what: check.what,
            status,
            held: self.held,
            skipped: self.skipped,
            found: self.found,
        }
    }
}

/// Counts a reason together with those that differ from it in numbers only.
fn skip(skipped: &mut Vec<Skip>, why: String) {
    let kind = |text: &str| text.split(|letter: char| letter.is_ascii_digit()).collect::<String>();
    match skipped.iter_mut().find(|known| kind(&known.why) == kind(&why)) {
        Some(known) => known.times += 1,
        None => skipped.push(Skip { why, times: 1 }),
    }
}
