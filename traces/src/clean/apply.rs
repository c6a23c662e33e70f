//! Application of rules to a trace.

use std::borrow::Cow;

use super::change::RuleEffect;
use super::error::RulesError;
use super::file::ExpectationStage;
use super::report::{CleaningReport, ExpectReport, RuleReport, SHOWN};
use super::rules::{Action, CleaningRule, Rules};
use super::show;
use crate::trace::Trace;

/// A cleaned trace, what each rule did, and whether the result is as expected.
#[derive(Clone, Debug)]
pub struct Cleaned {
    /// The trace; its header and provenance list the rules that touched it.
    pub trace: Trace,
    /// One entry per rule and per expectation.
    pub report: CleaningReport,
}

impl Rules {
    /// Applies the rules in order, each to the result of the one before; applying them again changes
    /// nothing. Expectations are checked and have no effect here.
    ///
    /// The number of records in the header is updated; job numbers and submit times are kept, so that the
    /// cleaned log can be compared with the original. Jobs whose submit time was mended are sorted in.
    ///
    /// # Errors
    /// When an expression cannot be used with this trace, or a rule would touch more jobs if applied again.
    pub fn apply(&self, trace: &Trace) -> Result<Cleaned, RulesError> {
        self.suit(trace)?;
        let mut work = Work { trace: Cow::Borrowed(trace), version: 0 };
        let mut report = CleaningReport::default();
        let mut settled_at = Vec::with_capacity(self.rules.len());
        for rule in &self.rules {
            let (done, version) = work.apply(rule)?;
            settled_at.push(version);
            report.rules.push(done);
        }
        for (rule, settled_at) in self.rules.iter().zip(settled_at) {
            if settled_at < Some(work.version) {
                settled(rule, &work.trace)?;
            }
        }
        let published = self.rules.iter().zip(&report.rules);
        report.expectations =
            published.filter_map(|(rule, done)| published_number(rule, done, trace)).collect();
        for expectation in &self.expectations {
            let about = if expectation.on == ExpectationStage::Given { trace } else { &work.trace };
            report.expectations.push(expectation.check(about)?);
        }
        Ok(Cleaned { trace: work.trace.into_owned(), report })
    }

    /// Checks that all expressions can be used with a trace: on a trace without jobs.
    fn suit(&self, trace: &Trace) -> Result<(), RulesError> {
        let without_jobs = trace.select(&[]);
        let of_rules = self.rules.iter().filter_map(|rule| RuleEffect::of(rule, &without_jobs).err());
        let of_expectations = self.expectations.iter().filter_map(|expect| expect.check(&without_jobs).err());
        RulesError::all(of_rules.chain(of_expectations))
    }
}

/// Returns whether a rule has touched as many jobs as its file says, if it says so. The number of a preset is that of one
/// version of one log, and nothing is expected of others; nor is it of a log that the rule has cleaned before.
fn published_number(rule: &CleaningRule, done: &RuleReport, given: &Trace) -> Option<ExpectReport> {
    let published = rule.published.filter(|_| !rule.is_preset)?;
    let verb = verb(done.action);
    let before = format!("rule {} {verb} ", rule.id);
    let is_repeated = given.header.notes.iter().any(|note| note.starts_with(&before));
    let holds = is_repeated || done.count == published;
    let again = if is_repeated { "; the header says that it was applied before" } else { "" };
    Some(ExpectReport {
        id: format!("{}-published", rule.id),
        because: Some(rule.because.clone()),
        text: format!("published: {} {verb}", show::jobs(published)),
        holds,
        seen: format!("{}{again}", show::jobs(done.count)),
        offenders: if holds { Vec::new() } else { done.examples.clone() },
    })
}

fn verb(action: &str) -> &'static str {
    if action == "drop" { "dropped" } else { "mended" }
}

struct Work<'a> {
    trace: Cow<'a, Trace>,
    /// Counts the changes.
    version: u64,
}

impl Work<'_> {
    /// Applies a rule and reports it; also returns after which change the rule is known to have nothing left to do.
    fn apply(&mut self, rule: &CleaningRule) -> Result<(RuleReport, Option<u64>), RulesError> {
        let (mut count, mut examples, mut settled_at) = (0, Vec::new(), None);
        let mut unheld = 0;
        loop {
            let change = RuleEffect::of(rule, &self.trace)?;
            unheld += change.unheld();
            if change.count() == 0 {
                settled_at = Some(self.version);
                break;
            }
            count += change.count();
            let room = SHOWN.saturating_sub(examples.len());
            examples.extend(change.examples(&self.trace, room));
            let (final_change, looks_at_all) = (change.is_final(), change.looks_at_all());
            change.make(&mut self.trace);
            self.version += 1;
            // A condition on single jobs holds for none of the jobs that are left; a function of the whole
            // trace may mark others when the first are gone.
            if final_change {
                settled_at = Some(self.version);
            }
            if !looks_at_all {
                break;
            }
        }
        let report = RuleReport {
            id: rule.id.clone(),
            because: rule.because.clone(),
            text: rule.action.to_string(),
            action: if matches!(rule.action, Action::Drop(_)) { "drop" } else { "mend" },
            count,
            published: rule.published,
            unheld,
            examples,
        };
        if count > 0 {
            record(self.trace.to_mut(), &report);
        }
        Ok((report, settled_at))
    }
}

/// Checks that a rule has nothing left to do.
fn settled(rule: &CleaningRule, trace: &Trace) -> Result<(), RulesError> {
    let change = RuleEffect::of(rule, trace)?;
    match change.examples(trace, 1).first() {
        None => Ok(()),
        Some(example) => {
            let jobs = show::jobs(change.count());
            Err(RulesError::Restless { rule: rule.id.clone(), jobs, example: example.to_string() })
        }
    }
}

/// Records a rule that touched the trace in its header and its provenance.
fn record(trace: &mut Trace, report: &RuleReport) {
    let done = verb(report.action);
    let RuleReport { id, because, text, count, .. } = report;
    let detail = format!("{text}: {because}");
    trace.header.notes.push(format!("rule {id} {done} {} ({detail})", show::jobs(*count)));
    trace.provenance.step(&format!("rule {id}"), detail, *count);
    if trace.header.max_records.is_some() {
        trace.header.max_records = Some(trace.len() as i64);
    }
}

/// Writes the action: `drop job <= 14`, `mend run = requested_time when run > requested_time`.
impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Action::Drop(condition) => write!(f, "drop {condition}"),
            Action::Mend { when, values } => {
                let values: Vec<String> =
                    values.iter().map(|(target, value)| format!("{target} = {value}")).collect();
                write!(f, "mend {}", values.join(", "))?;
                when.as_ref().map_or(Ok(()), |when| write!(f, " when {when}"))
            }
        }
    }
}
