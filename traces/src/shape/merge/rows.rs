//! The rows of several logs in one order.

use super::header::{self, Offsets};
use super::{Align, Merge};
use crate::header::ResourceDeclaration;
use crate::shape::{ShapedTrace, StepError};
use crate::time::{TICKS_PER_SECOND, Time};
use crate::trace::{Trace, TraceBuilder};
use crate::{Field, Findings, Number, Record, RecordSink};

pub struct Merged {
    pub work: ShapedTrace,
    pub sources: Vec<Number>,
    /// Oddities, to be appended to the words of the step.
    pub remark: String,
}

type Arrival = (Time, usize, u32);

/// Merges logs: by submission; the first log comes first at equal instants.
pub fn merged(merge: &Merge, work: &ShapedTrace, others: &[Trace]) -> Result<Merged, StepError> {
    let logs: Vec<&Trace> = std::iter::once(&work.trace).chain(others).collect();
    let starts = starts(merge.align, &logs)?;
    let resources = resources(&logs)?;
    let offsets = Offsets::of(&logs, merge.users, merge.queues);
    let mut builder = TraceBuilder::new();
    let (mut keys, mut sources) = (Vec::new(), Vec::new());
    let mut record = Record::default();
    for (submit, log, row) in arrivals(&logs, &starts) {
        logs[log].record(row as usize, &mut record);
        if !record.get(Field::Submit).is_unknown() {
            record.set(Field::Submit, Number::from_micro(submit.ticks()));
        }
        offsets.add(log, &mut record);
        spread(&mut record, logs[log], &resources);
        if log > 0 {
            // Places in findings refer to the first log's file.
            record.line = 0;
        }
        builder.record(&record);
        keys.push(if log == 0 { work.key(row) } else { ShapedTrace::derived_key(row, log) });
        sources.push(Number::whole(log as i64));
    }
    let zero = starts.iter().min().copied().unwrap_or_default();
    let (header, remark) = header::merged(merge, &logs, &offsets, resources, zero);
    let mut trace = builder.finish(header, work.trace.provenance.source.clone(), Findings::lenient())?;
    trace.provenance = work.trace.provenance.clone();
    trace.findings = work.trace.findings.clone();
    Ok(Merged { work: work.continued(trace, keys), sources, remark })
}

/// Returns the assumed time of each log's zero, in seconds since 1970; 0 for all unless aligned by calendar.
fn starts(align: Align, logs: &[&Trace]) -> Result<Vec<i64>, StepError> {
    let start = |log: &&Trace| {
        let start = log.header.unix_start_time;
        start.ok_or(StepError::NoCalendar("merge with align = \"zero\""))
    };
    if align == Align::Calendar { logs.iter().map(start).collect() } else { Ok(vec![0; logs.len()]) }
}

fn arrivals(logs: &[&Trace], starts: &[i64]) -> Vec<Arrival> {
    let zero = starts.iter().min().copied().unwrap_or_default();
    let mut arrivals: Vec<Arrival> = Vec::new();
    for (at, (log, start)) in logs.iter().zip(starts).enumerate() {
        let later = Time::from_ticks(start.saturating_sub(zero).saturating_mul(TICKS_PER_SECOND));
        for row in 0..log.len() {
            let submit = log.time(row, Field::Submit).saturating_add(later);
            arrivals.push((submit.min(Time::FARTHEST), at, row as u32));
        }
    }
    arrivals.sort_unstable();
    arrivals
}

fn resources(logs: &[&Trace]) -> Result<Vec<ResourceDeclaration>, StepError> {
    let mut all: Vec<ResourceDeclaration> = Vec::new();
    for resource in logs.iter().flat_map(|log| &log.header.resources) {
        match all.iter().find(|known| known.name == resource.name) {
            None => all.push(resource.clone()),
            Some(known) if known.unit == resource.unit && known.scope == resource.scope => {}
            Some(known) => {
                let shown = |of: &ResourceDeclaration| format!("`{} scope={}`", of.unit, of.scope.name());
                return Err(StepError::Unfit(format!(
                    "the logs declare `{}` differently: {} and {}",
                    known.name,
                    shown(known),
                    shown(resource)
                )));
            }
        }
    }
    Ok(all)
}

/// Moves the resource columns of a record to their positions in the merged log.
fn spread(record: &mut Record, log: &Trace, resources: &[ResourceDeclaration]) {
    let own = std::mem::take(&mut record.extra);
    let place = |name: &str| log.header.resources.iter().position(|resource| resource.name == name);
    let value = |resource: &ResourceDeclaration| {
        place(&resource.name).and_then(|at| own.get(at)).copied().unwrap_or(Number::UNKNOWN.value)
    };
    record.extra = resources.iter().map(value).collect();
}
