//! Intervals that are too wide to use, as where hardly a job waits: a sign at each, and the units that make the value.

use super::best::position;
use super::cells::CellKind;
use super::filled::Filled;
use super::layout::CellSubject;
use super::notes::{cells_words, with_head};
use batchlab_engine::stats::Interval;
use batchlab_engine::table::{Clause, Table};
use batchlab_study::study::Study;

const FOOTNOTE: &str =
    "an end of the interval is above ten times the value, which few units make: too wide to use";

/// Marks intervals that are too wide to use, and notes why. O(cells · units).
pub fn mark(table: &mut Table, filled: &Filled<'_>, study: &Study<'_>) {
    let labels = filled.layout.spec.rows.len();
    let mut cells: Vec<(&CellSubject, String)> = Vec::new();
    for (at, slot) in filled.layout.slots().iter().enumerate().filter(|(_, slot)| slot.part.is_interval) {
        for (row, subjects) in filled.subjects.iter().enumerate() {
            let Some(subject) = &subjects[slot.column] else { continue };
            if interval(filled, study, subject, slot.part.kind).is_none_or(|of| !of.is_too_wide()) {
                continue;
            }
            let footnote = position(&mut table.footnotes, FOOTNOTE.into());
            table.marks.entry((row, labels + at)).or_default().footnotes.push(footnote);
            if !cells.iter().any(|(known, _)| std::ptr::eq(*known, subject)) {
                cells.extend(makers(study, subject).map(|words| (subject, words)));
            }
        }
    }
    let head = "values whose interval is too wide to use hang on few units";
    // The footnote is enough for a paper.
    let in_tables_only = |words: String| Clause::prose(words).in_a_paper("");
    let note = || with_head(in_tables_only(head.into()), in_tables_only(cells_words(filled, cells.clone())));
    table.notes.extend((!cells.is_empty()).then(note));
}

/// Returns the interval that a kind of cell shows, if there is one.
fn interval(
    filled: &Filled<'_>,
    study: &Study<'_>,
    subject: &CellSubject,
    kind: &CellKind,
) -> Option<Interval> {
    let shown = match kind.compares() {
        Some(quantity) => filled.answer(subject)?.contrast.by(quantity).interval.clone(),
        None => {
            let pool = filled.layout.spec.pool;
            pool.estimate(study, &subject.design_point, subject.policy, subject.measure?).interval.clone()
        }
    };
    shown.ok()
}

/// Returns how many units have the least possible value, as the mean wait where no job waits, and how much the largest makes.
fn makers(study: &Study<'_>, subject: &CellSubject) -> Option<String> {
    let measure = subject.measure?;
    let least = study.frame().measures[measure].domain.ends()[0].max(0.0);
    let units = study.frame().units(&subject.design_point, subject.policy, measure);
    let above: Vec<f64> = units.iter().map(|(_, value)| value - least).collect();
    let share = above.iter().copied().fold(0.0, f64::max) / above.iter().sum::<f64>() * 100.0;
    let (all, idle) = (above.len(), above.iter().filter(|above| **above == 0.0).count());
    Some(match idle {
        0 => format!("one of {all} units makes {share:.0} % of the sum"),
        _ => format!("{idle} of {all} units are {least}, and one makes {share:.0} % of the sum"),
    })
}
