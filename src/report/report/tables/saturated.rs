//! Marks of saturated results.

use super::best::position;
use super::filled::Filled;
use super::layout::CellSubject;
use batchlab_engine::table::Table;
use batchlab_study::study::{Study, pitfalls};

const FOOTNOTE: &str = "saturated: the mean grows with the length of the run";
/// The name of the mark, and its meaning among the definitions.
const DEFINITION: (&str, &str) = (
    "saturated",
    "less work was completed than arrived while the backlog grew, or the machine's use has hardly risen with the load; \
     means there are no steady-state values and grow with the length of the run",
);

/// Marks the rows whose results are all saturated; in other rows, marks the saturated cells. O(cells), plus
/// [`pitfalls::saturated`] for each result.
pub fn mark(table: &mut Table, filled: &Filled<'_>, study: &Study<'_>) {
    let labels = filled.layout.spec.rows.len();
    let slots = filled.layout.slots();
    let first = |column: usize| slots.iter().position(|slot| slot.column == column);
    let is_saturated = |subject: &CellSubject| {
        pitfalls::saturated(study.frame(), &subject.design_point, subject.policy).is_some()
    };
    let mut is_marked = false;
    for (row, subjects) in filled.subjects.iter().enumerate() {
        let saturated: Vec<Option<bool>> =
            subjects.iter().map(|subject| subject.as_ref().map(is_saturated)).collect();
        if !saturated.contains(&Some(true)) {
            continue;
        }
        let footnote = position(&mut table.footnotes, FOOTNOTE.into());
        is_marked = true;
        let places: Vec<usize> = if labels > 0 && !saturated.contains(&Some(false)) {
            vec![labels - 1]
        } else {
            let cells = saturated.iter().enumerate().filter(|(_, is)| **is == Some(true));
            cells.filter_map(|(column, _)| Some(labels + first(column)?)).collect()
        };
        for place in places {
            table.marks.entry((row, place)).or_default().footnotes.push(footnote);
        }
    }
    if is_marked {
        let (name, words) = DEFINITION;
        table.definitions.push((name.into(), words.into()));
    }
}
