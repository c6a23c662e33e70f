//! The result of checking a claim.

use std::fmt;

use serde::Serialize;

use super::{Measured, Steps};

/// Whether something holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Holds,
    /// The claim holds under some readings, and under others it does not.
    HoldsUnderSome,
    DoesNotHold,
    /// A run of trial size speaks against it, which decides nothing.
    NotDecided,
    /// There are too few units to decide it.
    Open,
    /// The results cannot decide it.
    #[default]
    CannotBeChecked,
}

impl Verdict {
    /// All verdicts, the best first.
    pub const ALL: [Verdict; 6] = [
        Verdict::Holds,
        Verdict::HoldsUnderSome,
        Verdict::DoesNotHold,
        Verdict::NotDecided,
        Verdict::Open,
        Verdict::CannotBeChecked,
    ];

    /// Whether results contradict the claim, under one reading at least.
    pub fn is_contradicted(self) -> bool {
        matches!(self, Verdict::DoesNotHold | Verdict::HoldsUnderSome)
    }

    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsUnderSome => "holds under some readings",
            Verdict::DoesNotHold => "does not hold",
            Verdict::NotDecided => "not decided at this size",
            Verdict::Open => "open",
            Verdict::CannotBeChecked => "cannot be checked",
        }
    }
}

/// One place at which a claim was checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimPart {
    /// The place in words; empty if there is only one.
    pub place: String,
    pub verdict: Verdict,
    pub reason: String,
    /// What was measured, if the claim is about a published number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// The reading under which it was checked, if there are several; the place names it too.
    #[serde(skip)]
    pub reading: Option<String>,
    /// Its steps with their tests, if it is about steps that tests may show.
    #[serde(skip)]
    pub steps: Option<Steps>,
    /// How many of its parts are as claimed, if it is about its parts.
    #[serde(skip)]
    pub counted: Option<String>,
}

impl ClaimPart {
    /// Whether it was judged by where one more draw lies, or counts claims, which may be judged so.
    fn is_by_draws(&self) -> bool {
        self.counted.is_some() || self.measured.is_some_and(|of| of.draws.is_some())
    }

    /// Returns a part without a measured number.
    pub(super) fn new(place: String, verdict: Verdict, reason: String) -> ClaimPart {
        ClaimPart { place, verdict, reason, measured: None, reading: None, steps: None, counted: None }
    }
}

/// A cell of a table of a paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableCell {
    /// The table, with its caption.
    pub table: String,
    pub row: String,
    pub column: String,
}

impl TableCell {
    pub fn words(&self) -> String {
        format!("{}: {}, {}", self.table, self.row, self.column)
    }
}

/// A condition that decides whether a claim holds: under one reading it holds, and under another, which differs in this
/// condition only, it does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cause {
    pub says: String,
    /// The reading under which the claim should hold.
    pub with: String,
    /// The reading under which it should not hold.
    pub without: String,
    /// Whether the results say both.
    pub found: bool,
}

impl Cause {
    /// Returns it in words: as a cause only if the results show it.
    pub fn words(&self) -> String {
        let word = if self.found { "cause" } else { "tried, and not the cause" };
        format!("{word}: {}", self.says)
    }
}

/// The readings under which a claim holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Survival {
    /// The parameter whose values are the readings.
    pub over: String,
    /// The readings, each with the verdict on the claim under that reading alone.
    pub readings: Vec<(String, Verdict)>,
}

/// A checked claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Checked {
    pub name: String,
    pub says: String,
    pub source: Option<String>,
    /// The verdict: the claim holds if it holds at all places under all readings; under a reading it does not hold if it
    /// fails at one place.
    pub verdict: Verdict,
    /// The statement that it is a part of: the name of a claim, after `EXPERIMENT/` if that is of another experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// The published number, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<f64>,
    /// The number that its author asserts, if it is about one that was not published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asserted: Option<f64>,
    /// The upper end, if that number is the lower end of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// How this number follows from numbers that are printed, if it is not one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The cell of the paper's table that has this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<TableCell>,
    /// What the workload stands in for, if it is not the one that the claim is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substitute: Option<String>,
    pub parts: Vec<ClaimPart>,
    pub survival: Option<Survival>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

/// The most places whose reasons are listed for one claim; files for programs list all of them.
const TOLD: usize = 3;

impl Survival {
    /// Returns the number of readings under which the claim holds.
    pub fn holds(&self) -> usize {
        self.under(Verdict::Holds).len()
    }

    pub fn under(&self, wanted: Verdict) -> Vec<&str> {
        let has = self.readings.iter().filter(|(_, verdict)| *verdict == wanted);
        has.map(|(reading, _)| reading.as_str()).collect()
    }

    /// Returns the verdict under a reading, alone or with each formula; `None` if it was not checked under it.
    pub fn of(&self, name: &str) -> Option<Verdict> {
        let named = |(reading, _): &&(String, Verdict)| reading.split("; ").any(|part| part == name);
        let mut verdicts = self.readings.iter().filter(named).map(|(_, verdict)| *verdict);
        let first = verdicts.next()?;
        Some(if verdicts.all(|verdict| verdict == first) { first } else { Verdict::HoldsUnderSome })
    }

    /// Returns that it holds under some readings, if others contradict it.
    fn verdict(&self) -> Option<Verdict> {
        let (holds, contradicted) = (self.holds(), self.under(Verdict::DoesNotHold).len());
        (holds > 0 && contradicted > 0).then_some(Verdict::HoldsUnderSome)
    }

    /// Returns a cause with the answer of the results.
    pub(super) fn cause(&self, says: &str, with: &str, without: &str) -> Cause {
        let found = self.of(with) == Some(Verdict::Holds) && self.of(without) == Some(Verdict::DoesNotHold);
        Cause { says: says.into(), with: with.into(), without: without.into(), found }
    }
}

impl Checked {
    /// Returns a claim of an experiment that was not run.
    pub fn not_run(name: String, says: String, source: Option<String>, part_of: Option<String>) -> Checked {
        let why = ClaimPart::new(String::new(), Verdict::CannotBeChecked, "not run".into());
        Checked { name, says, source, part_of, parts: vec![why], ..Checked::default() }
    }

    /// Returns the claim as a run of trial size leaves it: what it speaks against is not decided, and neither is what is
    /// judged by where one more draw lies, since nearly everything lies there if draws are small and few.
    #[must_use]
    pub fn of_trial(mut self) -> Checked {
        let is_by_draws = self.parts.iter().any(ClaimPart::is_by_draws) && self.verdict == Verdict::Holds;
        if !self.verdict.is_contradicted() && !is_by_draws {
            return self;
        }
        self.verdict = Verdict::NotDecided;
        let is_undecided = |part: &&mut ClaimPart| part.verdict.is_contradicted() || part.is_by_draws();
        self.parts.iter_mut().filter(is_undecided).for_each(|part| part.verdict = Verdict::NotDecided);
        (self.survival, self.cause) = (None, None);
        self
    }

    /// Returns the verdict under a value of the parameter of readings; `None` if it was not checked under it.
    pub(super) fn under(&self, reading: Option<(&str, &str)>) -> Option<Verdict> {
        match (&self.survival, reading) {
            (Some(survival), Some((over, name))) if survival.over == over => survival.of(name),
            _ => Some(self.verdict),
        }
    }

    /// Returns the verdict that follows from all parts and readings.
    pub(super) fn overall(parts: &[ClaimPart], survival: Option<&Survival>) -> Verdict {
        survival.and_then(Survival::verdict).unwrap_or_else(|| Checked::verdict_of(parts))
    }

    /// Returns the verdict that follows from all parts.
    pub fn verdict_of(parts: &[ClaimPart]) -> Verdict {
        let has = |verdict: &Verdict| parts.iter().any(|part| part.verdict == *verdict);
        let none = if parts.is_empty() { Verdict::CannotBeChecked } else { Verdict::Holds };
        [Verdict::DoesNotHold, Verdict::CannotBeChecked, Verdict::Open].into_iter().find(has).unwrap_or(none)
    }

    /// Returns the verdict in words, with the number of readings under which it holds.
    pub fn words(&self) -> String {
        let of = |survival: &Survival| {
            format!(" under {} of {} readings", survival.holds(), survival.readings.len())
        };
        match (&self.survival, self.verdict) {
            (Some(survival), Verdict::HoldsUnderSome) if self.substitute.is_some() => {
                format!("substitute: as published{}", of(survival))
            }
            (Some(survival), Verdict::HoldsUnderSome) => format!("holds{}", of(survival)),
            (_, Verdict::Holds) if self.substitute.is_some() => "substitute: as published".into(),
            (_, Verdict::DoesNotHold) if self.substitute.is_some() => "substitute: not as published".into(),
            (_, verdict) => verdict.words().into(),
        }
    }

    /// Returns the reasons for the verdict, one sentence each: those of the first few places that decided it.
    pub fn reasons(&self) -> Vec<String> {
        self.first_reasons(TOLD)
    }

    /// As [`Checked::reasons`], for the first `told` places.
    pub fn first_reasons(&self, told: usize) -> Vec<String> {
        let decisive =
            if self.verdict == Verdict::HoldsUnderSome { Verdict::DoesNotHold } else { self.verdict };
        let deciding: Vec<&ClaimPart> = self.parts.iter().filter(|part| part.verdict == decisive).collect();
        let sentence = |part: &&ClaimPart| match part.place.as_str() {
            "" => part.reason.clone(),
            place => format!("{place}: {}", part.reason),
        };
        let steps: Option<Vec<Steps>> = self.parts.iter().map(|part| part.steps).collect();
        let counted = steps.and_then(|steps| Steps::over(&steps));
        let is_counted = counted.is_some();
        let mut reasons: Vec<String> =
            counted.into_iter().chain(deciding.iter().take(told).map(sentence)).collect();
        if deciding.len() > told {
            reasons.push(format!("and so at {} more", deciding.len() - told));
        }
        if self.parts.len() > deciding.len() && !is_counted {
            let told = match decisive {
                Verdict::NotDecided => "it is not decided",
                Verdict::Open => "it is open",
                Verdict::CannotBeChecked => "it cannot be checked",
                Verdict::DoesNotHold => "it does not hold",
                Verdict::Holds | Verdict::HoldsUnderSome => "it holds",
            };
            reasons.push(format!("{told} at {} of {} places", deciding.len(), self.parts.len()));
        }
        if let Some(survival) = &self.survival {
            let (holds, all) = (survival.holds(), survival.readings.len());
            let under = match self.verdict {
                Verdict::HoldsUnderSome => format!(": {}", survival.under(Verdict::Holds).join(", ")),
                _ => String::new(),
            };
            reasons.push(format!("holds under {holds} of {all} values of {}{under}", survival.over));
        }
        reasons.extend(self.cause.as_ref().map(Cause::words));
        reasons.extend(self.substitute.as_ref().map(|of| format!("a substitute for {of}")));
        reasons
    }
}

/// Prints one line with the verdict and an indented line for each reason.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.words(), self.name, self.says)?;
        if let Some(source) = &self.source {
            write!(f, " ({source})")?;
        }
        self.reasons().iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}
