use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::{Bound, whole};

use super::amount::micro;
use super::mapping::{At, Meaning, TextForm, TextTarget};
use super::split::LineCells;
use super::target::{DurationTarget, To};
use super::time_format::Instant;

/// The content of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// The value is unknown.
    Nothing,
    /// The job never started.
    Never,
    Instant(Instant),
    /// A number, in millionths of the destination's unit.
    Number(i128),
    /// A name.
    Text(&'a [u8]),
    /// The end of the job.
    State {
        status: i64,
        /// Whether the job never started.
        waiting: bool,
    },
    /// No limit of time.
    Unlimited,
    /// A word without a meaning.
    Word,
    /// Not of the described form.
    Garbage,
}

/// The largest number that a record can hold, in millionths.
const MOST: i128 = batchlab_traces::notation::decimal::LARGEST as i128 * 1_000_000;

impl TextTarget {
    /// Reads a text for this destination; `line` and `cells` provide the numbers by which it is multiplied.
    pub(super) fn read<'a>(
        &'a self,
        text: &'a [u8],
        line: &[u8],
        cells: &LineCells,
        comma: bool,
    ) -> Said<'a> {
        if self.never.has(text) {
            return Said::Never;
        }
        if let Ok(at) = self.values.binary_search_by(|(word, _)| (**word).cmp(text)) {
            return said(&self.values[at].1);
        }
        if self.missing.has(text) {
            return Said::Nothing;
        }
        let found = self.parse(text, comma);
        match (found, &self.others) {
            (Said::Word | Said::Text(_), Some(others)) => said(others),
            // Amounts are never negative; durations can be negative if clocks were wrong.
            (Said::Number(..0), _) if !matches!(self.form, TextForm::Length(..)) => Said::Garbage,
            (Said::Number(number), _) => self.multiplied(number, line, cells, comma),
            (found, _) => found,
        }
    }

    fn parse<'a>(&self, text: &'a [u8], comma: bool) -> Said<'a> {
        // If the mapping gives words meanings, a word without one is reported separately.
        let none = if self.values.is_empty() { Said::Garbage } else { Said::Word };
        let number = |number: Option<i128>| number.map_or(none, Said::Number);
        match (&self.to, &self.form) {
            (_, TextForm::Instant(format)) => format.read(text, comma).map_or(Said::Garbage, Said::Instant),
            (To::Length(DurationTarget::RequestedTime), _) if is_unlimited(text) => Said::Unlimited,
            (_, TextForm::Length(length, _)) => number(length.read(text, comma)),
            (_, TextForm::Memory(unit, _)) => number(unit.read(text, comma)),
            (To::Name(_) | To::NodeSpec | To::Constraint, _) => Said::Text(text),
            (To::Status, _) if self.values.is_empty() => match whole(text) {
                Some(status @ 0..=5) => Said::State { status, waiting: false },
                _ => Said::Word,
            },
            (To::Status, _) => Said::Word,
            (To::Ignore, _) => Said::Nothing,
            (_, TextForm::Plain) => number(micro(text, comma)),
        }
    }

    /// Applies the factor and the numbers of other columns.
    fn multiplied<'a>(&self, number: i128, line: &[u8], cells: &LineCells, comma: bool) -> Said<'a> {
        let bounded = |number: i128| (number.abs() <= MOST).then_some(number);
        let Some(mut number) = bounded(number).and_then(|number| self.factor.apply(number)) else {
            return Said::Garbage;
        };
        for at in &self.times {
            let text = match at {
                At::Place(at) => cells.get(line, *at).unwrap_or_default(),
                At::Name(_) => b"",
            };
            let known = if self.missing.has(text) { None } else { micro(text, comma) };
            let default = self.times_default.map(|times| i128::from(times) * 1_000_000);
            match (known.or(default).and_then(bounded), bounded(number)) {
                (Some(times), Some(factor)) => number = factor * times / 1_000_000,
                (None, _) => return Said::Nothing,
                _ => return Said::Garbage,
            }
        }
        bounded(number).map_or(Said::Garbage, Said::Number)
    }
}

/// Whether a text is a word of a batch system for no limit.
fn is_unlimited(text: &[u8]) -> bool {
    let is_word = text.first().is_some_and(u8::is_ascii_alphabetic);
    let dialects = [DurationDialect::SlurmLimit, DurationDialect::Seconds];
    is_word && dialects.into_iter().any(|dialect| dialect.read(text) == Some(Bound::Unlimited))
}

fn said(meaning: &Meaning) -> Said<'_> {
    match meaning {
        Meaning::Unknown => Said::Nothing,
        Meaning::Number(number) => Said::Number(*number),
        Meaning::Text(text) => Said::Text(text),
        Meaning::State { status, waiting } => Said::State { status: *status, waiting: *waiting },
    }
}
