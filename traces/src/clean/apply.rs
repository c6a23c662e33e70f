//! Rules applied to a trace.

use super::error::RulesError;
use super::phrase::Phrase;
use super::report::{Job, RuleReport, SHOWN};
use super::rules::{Action, Rule, Rules};
use super::show;
use super::target::{Home, Target};
use crate::column::Column;
use crate::expr::Vocabulary;
use crate::field::Field;
use crate::number::Number;
use crate::trace::Trace;

/// A cleaned trace, and what each rule did.
#[derive(Clone, Debug)]
pub struct Cleaned {
    /// The trace; its header and provenance list the rules that touched it.
    pub trace: Trace,
    /// One entry per rule, in the order in which they were applied.
    pub rules: Vec<RuleReport>,
}

impl Rules {
    /// Applies the rules in their order, each to what the one before left; to apply them again changes nothing.
    ///
    /// The number of records in the header follows; job numbers and submit times stay, so that the cleaned log
    /// can be compared with the given one. Jobs whose submit time was mended are sorted in.
    ///
    /// # Errors
    /// When an expression cannot be used with this trace, or a rule would touch more jobs if applied again.
    pub fn apply(&self, trace: &Trace) -> Result<Cleaned, RulesError> {
        let mut cleaned = Cleaned { trace: trace.clone(), rules: Vec::new() };
        for rule in &self.rules {
            let report = rule.apply(&mut cleaned.trace)?;
            record(&mut cleaned.trace, &report);
            cleaned.rules.push(report);
        }
        if cleaned.rules.iter().any(|report| report.count > 0) {
            self.settled(&cleaned.trace)?;
        }
        Ok(cleaned)
    }

    /// Makes sure that a second application changes nothing.
    fn settled(&self, trace: &Trace) -> Result<(), RulesError> {
        let mut again = trace.clone();
        for rule in &self.rules {
            let report = rule.apply(&mut again)?;
            if let Some(example) = report.examples.first() {
                let (rule, jobs) = (report.id, show::jobs(report.count));
                return Err(RulesError::Restless { rule, jobs, example: example.to_string() });
            }
        }
        Ok(())
    }
}

/// Lists a rule that touched the trace in its header and its provenance.
fn record(trace: &mut Trace, report: &RuleReport) {
    if report.count == 0 {
        return;
    }
    let done = if report.action == "drop" { "dropped" } else { "mended" };
    let RuleReport { id, because, text, count, .. } = report;
    let detail = format!("{text}: {because}");
    trace.header.notes.push(format!("rule {id} {done} {} ({detail})", show::jobs(*count)));
    trace.provenance.step(&format!("rule {id}"), detail, *count);
    if trace.header.max_records.is_some() {
        trace.header.max_records = Some(trace.len() as i64);
    }
}

impl Rule {
    /// Applies the rule.
    fn apply(&self, trace: &mut Trace) -> Result<RuleReport, RulesError> {
        let (action, count, examples) = match &self.action {
            Action::Drop(condition) => {
                let (count, examples) = drop(trace, condition)?;
                ("drop", count, examples)
            }
            Action::Mend { when, values } => {
                let (count, examples) = mend(trace, when.as_ref(), values)?;
                ("mend", count, examples)
            }
        };
        Ok(RuleReport {
            id: self.id.clone(),
            because: self.because.clone(),
            text: self.action.to_string(),
            action,
            count,
            published: self.published,
            examples,
        })
    }
}

/// Drops the jobs for which a condition holds, until it holds for none: a function of the whole trace may mark
/// other jobs when the first are gone.
fn drop(trace: &mut Trace, condition: &Phrase) -> Result<(u64, Vec<Job>), RulesError> {
    let (mut count, mut examples) = (0, Vec::new());
    loop {
        let vocabulary = super::vocabulary(trace);
        let program = condition.condition(&vocabulary)?;
        let marks = program.bools(&*trace);
        let dropped = marks.iter().filter(|mark| **mark).count();
        if dropped == 0 {
            return Ok((count, examples));
        }
        count += dropped as u64;
        let reads = program.reads();
        let marked = marks.iter().enumerate().filter(|(_, mark)| **mark);
        let shown = marked.take(SHOWN.saturating_sub(examples.len()));
        examples.extend(shown.map(|(row, _)| show::job(trace, row, &reads)));
        let kept: Vec<u32> = marks.iter().zip(0..).filter(|(mark, _)| !**mark).map(|(_, row)| row).collect();
        *trace = trace.select(&kept);
    }
}

/// Gives fields their new values, all worked out of the old ones.
fn mend(
    trace: &mut Trace,
    when: Option<&Phrase>,
    values: &[(Target, Phrase)],
) -> Result<(u64, Vec<Job>), RulesError> {
    let vocabulary = super::vocabulary(trace);
    let marks = match when {
        Some(when) => when.condition(&vocabulary)?.bools(&*trace),
        None => vec![true; trace.len()],
    };
    let mended = values
        .iter()
        .map(|(target, value)| Mended::of(trace, target, value, &vocabulary, &marks))
        .collect::<Result<Vec<Mended>, RulesError>>()?;
    let mut changed: Vec<u32> =
        mended.iter().flat_map(|mended| &mended.changes).map(|change| change.0).collect();
    changed.sort_unstable();
    changed.dedup();
    let show = |&row: &u32| {
        let details: Vec<String> = mended
            .iter()
            .zip(values)
            .filter_map(|(mended, (target, _))| mended.detail(row, target))
            .collect();
        let job = trace.get(row as usize, Field::Job).truncated();
        Job { line: trace.line(row as usize), job, detail: details.join(", ") }
    };
    let examples = changed.iter().take(SHOWN).map(show).collect();
    let count = changed.len() as u64;
    let submit = mended.iter().any(|mended| mended.home == Home::Field(Field::Submit));
    for mended in mended {
        mended.put(trace);
    }
    if submit && count > 0 {
        *trace = trace.select(&trace.by_submit());
    }
    Ok((count, examples))
}

/// A column with its new values.
struct Mended {
    home: Home,
    column: Column,
    /// Row, old and new value.
    changes: Vec<(u32, Number, Number)>,
}

impl Mended {
    fn of(
        trace: &Trace,
        target: &Target,
        value: &Phrase,
        vocabulary: &Vocabulary,
        marks: &[bool],
    ) -> Result<Mended, RulesError> {
        let home = target.home(trace).map_err(|why| value.misplaced(why))?;
        let program = value.number(vocabulary)?;
        let new = program.numbers(trace);
        let old = |row: usize| match home {
            Home::Field(field) => trace.get(row, field),
            Home::Column(at) => trace.resource_at(at).map_or(Number::UNKNOWN, |column| column.get(row)),
        };
        let mut changes = Vec::new();
        let mut column = Column::default();
        for (row, (new, mark)) in new.into_iter().zip(marks).enumerate() {
            let old = old(row);
            match mark.then(|| home.kept(new)).flatten().filter(|new| *new != old) {
                Some(new) => {
                    changes.push((row as u32, old, new));
                    column.push(new);
                }
                None => column.push(old),
            }
        }
        column.shrink();
        Ok(Mended { home, column, changes })
    }

    /// Says what became of a row's value, if anything did.
    fn detail(&self, row: u32, target: &Target) -> Option<String> {
        let at = self.changes.binary_search_by_key(&row, |change| change.0).ok()?;
        let (_, old, new) = self.changes[at];
        Some(format!("{target} {old} becomes {new}"))
    }

    fn put(self, trace: &mut Trace) {
        match self.home {
            Home::Field(field) => trace.set_column(field, self.column),
            Home::Column(at) => {
                let declaration = trace.header.resources[at].clone();
                trace.set_resource(declaration, self.column);
            }
        }
    }
}

/// The action as text: `drop job <= 14`, `mend run = requested_time when run > requested_time`.
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
