//! Values that are the same for all jobs.

use batchlab_traces::Time;

use super::draft::Draft;
use super::mapping::{Constant, Meaning, Per};
use super::target::To;
use crate::entry::Name;

impl Constant {
    /// Sets the value for a job, unless a column has set it.
    pub(super) fn apply<'a>(&'a self, draft: &mut Draft<'a>) {
        match (&self.to, &self.meaning) {
            (To::Name(at), Meaning::Text(text)) if draft.names[*at] == Name::Unknown => {
                draft.names[*at] = Name::of(text);
            }
            (To::Status, Meaning::State { status, .. }) => {
                draft.status.get_or_insert(*status);
            }
            (To::Procs(procs), Meaning::Number(number)) => {
                draft.procs(*procs).get_or_insert((*number / 1_000_000) as i64);
            }
            (To::Memory(memory), Meaning::Number(number)) => {
                draft.memory(*memory).get_or_insert((*number, Per::Processor));
            }
            (To::Length(span), Meaning::Number(number)) => {
                draft.length(*span, Time::from_ticks(*number as i64), Per::Processor);
            }
            _ => {}
        }
    }

    pub(super) fn amount(&self) -> Option<i64> {
        match self.meaning {
            Meaning::Number(number) => Some((number / 1_000_000) as i64),
            _ => None,
        }
    }
}
