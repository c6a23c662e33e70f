use std::borrow::Cow;

use super::error::RulesError;
use super::phrase::Phrase;
use super::report::ReportedJob;
use super::rules::{Action, CleaningRule};
use super::show;
use super::target::{Home, RuleTarget};
use crate::expr::{FieldId, Vocabulary};
use crate::{Column, Field, Number, Trace};

/// The effect of a rule on a trace: it drops rows, or gives columns new values.
pub(super) enum RuleEffect<'a> {
    Drop {
        marks: Vec<bool>,
        count: u64,
        reads: Vec<FieldId>,
        looks_at_all: bool,
    },
    Mend {
        mended: Vec<Mended<'a>>,
        /// Rows in which a value changes, ascending.
        rows: Vec<u32>,
    },
}

impl<'a> RuleEffect<'a> {
    pub(super) fn of(rule: &'a CleaningRule, trace: &Trace) -> Result<RuleEffect<'a>, RulesError> {
        let vocabulary = super::vocabulary(trace);
        match &rule.action {
            Action::Drop(condition) => {
                let program = condition.condition(&vocabulary)?;
                let marks = program.bools(trace);
                let count = marks.iter().filter(|mark| **mark).count() as u64;
                let (reads, looks_at_all) = (program.reads(), program.looks_at_all());
                Ok(RuleEffect::Drop { marks, count, reads, looks_at_all })
            }
            Action::Mend { when, values } => RuleEffect::mend(trace, when.as_ref(), values, &vocabulary),
        }
    }

    /// Computes all new values from the old ones.
    fn mend(
        trace: &Trace,
        when: Option<&Phrase>,
        values: &'a [(RuleTarget, Phrase)],
        vocabulary: &Vocabulary,
    ) -> Result<RuleEffect<'a>, RulesError> {
        let marks = match when {
            Some(when) => when.condition(vocabulary)?.bools(trace),
            None => vec![true; trace.len()],
        };
        let of = |(target, value): &'a (_, _)| Mended::of(trace, target, value, vocabulary, &marks);
        let mended = values.iter().map(of).collect::<Result<Vec<Mended>, RulesError>>()?;
        let mut rows: Vec<u32> =
            mended.iter().flat_map(|mended| &mended.changes).map(|change| change.0).collect();
        rows.sort_unstable();
        rows.dedup();
        Ok(RuleEffect::Mend { mended, rows })
    }

    pub(super) fn count(&self) -> u64 {
        match self {
            RuleEffect::Drop { count, .. } => *count,
            RuleEffect::Mend { rows, .. } => rows.len() as u64,
        }
    }

    /// Returns the number of new values that no log can hold.
    pub(super) fn unheld(&self) -> u64 {
        match self {
            RuleEffect::Drop { .. } => 0,
            RuleEffect::Mend { mended, .. } => mended.iter().map(|mended| mended.unheld).sum(),
        }
    }

    /// Whether the rule has nothing left to do after this change.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, RuleEffect::Drop { looks_at_all: false, .. })
    }

    /// Whether the rule judges jobs by other jobs, so that it may have more to do when some are gone.
    pub(super) fn looks_at_all(&self) -> bool {
        matches!(self, RuleEffect::Drop { looks_at_all: true, .. })
    }

    /// Returns the first few jobs touched, and what happens to them.
    pub(super) fn examples(&self, trace: &Trace, most: usize) -> Vec<ReportedJob> {
        match self {
            RuleEffect::Drop { marks, reads, .. } => {
                let marked = (0..marks.len()).filter(|&row| marks[row]);
                marked.take(most).map(|row| show::job(trace, row, reads)).collect()
            }
            RuleEffect::Mend { mended, rows } => {
                let job = |&row: &u32| {
                    let details: Vec<String> =
                        mended.iter().filter_map(|mended| mended.detail(row)).collect();
                    let job = trace.get(row as usize, Field::Job).truncated();
                    ReportedJob { line: trace.line(row as usize), job, detail: details.join(", ") }
                };
                rows.iter().take(most).map(job).collect()
            }
        }
    }

    pub(super) fn make(self, trace: &mut Cow<'_, Trace>) {
        match self {
            RuleEffect::Drop { marks, .. } => {
                let kept: Vec<u32> = (0..marks.len() as u32).filter(|&row| !marks[row as usize]).collect();
                *trace = Cow::Owned(trace.select(&kept));
            }
            RuleEffect::Mend { mended, .. } => {
                let mended: Vec<Mended> =
                    mended.into_iter().filter(|mended| !mended.changes.is_empty()).collect();
                let submit = mended.iter().any(|mended| mended.home == Home::Field(Field::Submit));
                for mended in mended {
                    mended.put(trace.to_mut());
                }
                if submit {
                    *trace = Cow::Owned(trace.select(&trace.by_submit()));
                }
            }
        }
    }
}

/// A field with new values in some rows.
pub(super) struct Mended<'a> {
    target: &'a RuleTarget,
    home: Home,
    /// Row, old and new value; rows ascend.
    changes: Vec<(u32, Number, Number)>,
    /// The number of new values that no log can hold; the old values are kept.
    unheld: u64,
}

impl<'a> Mended<'a> {
    fn of(
        trace: &Trace,
        target: &'a RuleTarget,
        value: &Phrase,
        vocabulary: &Vocabulary,
        marks: &[bool],
    ) -> Result<Mended<'a>, RulesError> {
        let home = target.home(trace).map_err(|why| value.misplaced(why))?;
        let program = value.number(vocabulary)?;
        if !marks.contains(&true) {
            return Ok(Mended { target, home, changes: Vec::new(), unheld: 0 });
        }
        let new = program.numbers(trace);
        let change = |row: usize| {
            let old = home.value(trace, row);
            let new = home.kept(new[row]).filter(|new| *new != old)?;
            Some((row as u32, old, new))
        };
        let marked = || (0..marks.len()).filter(|&row| marks[row]);
        let unheld = marked().filter(|&row| home.kept(new[row]).is_none()).count() as u64;
        Ok(Mended { target, home, changes: marked().filter_map(change).collect(), unheld })
    }

    /// Describes the change of a row's value, if it changes.
    fn detail(&self, row: u32) -> Option<String> {
        let at = self.changes.binary_search_by_key(&row, |change| change.0).ok()?;
        let (_, old, new) = self.changes[at];
        Some(format!("{} {old} becomes {new}", self.target))
    }

    fn put(self, trace: &mut Trace) {
        let mut changes = self.changes.iter().peekable();
        let column: Column = (0..trace.len())
            .map(|row| match changes.next_if(|change| change.0 as usize == row) {
                Some((_, _, new)) => *new,
                None => self.home.value(trace, row),
            })
            .collect();
        match self.home {
            Home::Field(field) => trace.set_column(field, column),
            Home::Column(at) => {
                let declaration = trace.header.resources[at].clone();
                trace.set_resource(declaration, column);
            }
        }
    }
}
