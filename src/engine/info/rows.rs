//! The rows of a log that are jobs, and what is computed from one.

use batchlab_traces::reading::Size;
use batchlab_traces::workload::size;
use batchlab_traces::{Field, Trace, status};

pub(super) fn job_rows(trace: &Trace) -> Vec<usize> {
    let column = trace.column(Field::Status);
    (0..trace.len()).filter(|&row| !status::is_part(column.whole(row))).collect()
}

/// Returns a field of a row in seconds; `None` if it is unknown.
pub(super) fn secs(trace: &Trace, row: usize, field: Field) -> Option<f64> {
    Some(trace.get(row, field)).filter(|number| !number.is_unknown()).map(batchlab_traces::Number::to_f64)
}

/// Returns processors × run time of a row, in processor-seconds; 0 if either is unknown.
pub(super) fn work(trace: &Trace, row: usize) -> f64 {
    size(trace, Size::Requested, row).unwrap_or(0) as f64 * secs(trace, row, Field::Run).unwrap_or(0.0)
}

/// Returns a part divided by the whole; 0 if the whole is 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
