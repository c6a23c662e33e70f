//! Jobs in reports, with the fields that an expression reads.

use super::report::ReportedJob;
use crate::expr::{FIELDS, FieldId, Rows};
use crate::number::{Number, grouped};
use crate::{Field, Trace};

/// Returns "1 job", "28,476 jobs".
pub(super) fn jobs(count: u64) -> String {
    format!("{} job{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Returns a job with the values of some fields: "user 3, procs 1, run 5".
pub(super) fn job(trace: &Trace, row: usize, reads: &[FieldId]) -> ReportedJob {
    let value = |id: FieldId| {
        let mut value = [0.0];
        trace.fill(id, row..row + 1, &mut value);
        format!("{} {}", name(trace, id), Number::from_micro((value[0] * 1e6).round() as i64))
    };
    let detail: Vec<String> = reads.iter().filter(|id| **id != FieldId::Job).map(|&id| value(id)).collect();
    let detail = if detail.is_empty() {
        "submitted at ".to_owned() + &trace.time(row, Field::Submit).to_string()
    } else {
        detail.join(", ")
    };
    ReportedJob { line: trace.line(row), job: trace.get(row, Field::Job).truncated(), detail }
}

fn name(trace: &Trace, id: FieldId) -> String {
    match id {
        FieldId::Resource(at) | FieldId::PerProcessor(at) => {
            trace.header.resources.get(at as usize).map_or(String::new(), |column| column.name.clone())
        }
        _ => FIELDS.iter().find(|info| info.id == id).map_or(String::new(), |info| info.name.into()),
    }
}
