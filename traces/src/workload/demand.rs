//! What a row demands of the machine, and how large that must be.

use super::{ReadingError, Workload, drops};
use crate::field::Field;
use crate::finding::{Example, Findings};
use crate::machine::Machine;
use crate::reading::{Memory, Reading, Size};
use crate::trace::Trace;

/// Returns the processors of a row by a rule: those of the field that it names, else of the other one; `None`
/// when neither is above zero.
pub fn size(trace: &Trace, rule: Size, row: usize) -> Option<i64> {
    let fields = match rule {
        Size::Requested => [Field::Requested, Field::Allocated],
        Size::Allocated => [Field::Allocated, Field::Requested],
    };
    fields.into_iter().map(|field| trace.get(row, field).truncated()).find(|&procs| procs > 0)
}

impl Workload {
    /// Returns the size of the machine that a trace ran on: `MaxProcs` of its header, else the largest job
    /// seen, with a finding. Sizes beyond [`Machine::MOST_PROCS`] do not count.
    ///
    /// # Errors
    /// When no job has a size, or strict reading refuses the guess.
    pub fn machine_size(
        trace: &Trace,
        reading: &Reading,
        findings: &mut Findings,
    ) -> Result<i64, ReadingError> {
        let usable = |procs: &i64| (1..=Machine::MOST_PROCS).contains(procs);
        if let Some(procs) = trace.header.max_procs.as_ref().map(|procs| procs.count).filter(usable) {
            return Ok(procs);
        }
        let sizes = (0..trace.len()).filter_map(|row| size(trace, reading.size, row));
        let largest = sizes.filter(usable).max().ok_or(ReadingError::NoMachineSize)?;
        findings.report(&drops::NO_MACHINE_SIZE, || Example {
            place: None,
            detail: format!("the largest job has {largest} processors"),
        })?;
        Ok(largest)
    }
}

/// Returns how much of a further resource a row holds; `None` when the log does not tell.
pub(super) fn demand(
    trace: &Trace,
    reading: &Reading,
    row: usize,
    procs: i64,
    resource: &str,
) -> Option<i64> {
    if let Some(column) = trace.resource(resource) {
        return Some(column.whole(row)).filter(|&amount| amount >= 0);
    }
    if resource != "memory" {
        return None;
    }
    let fields = match reading.memory {
        Memory::Requested => [Field::RequestedMemory, Field::UsedMemory],
        Memory::Used => [Field::UsedMemory, Field::RequestedMemory],
    };
    let per_proc =
        fields.into_iter().map(|field| trace.get(row, field).to_micro()).find(|&micro| micro > 0)?;
    // A decimal is rounded up to the whole unit: a job never holds less than it asked for.
    let amount = (i128::from(per_proc) * i128::from(procs) + 999_999).div_euclid(1_000_000);
    Some(amount.min(i128::from(i64::MAX)) as i64)
}
