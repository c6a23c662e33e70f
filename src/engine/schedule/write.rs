use std::io::{self, Write};

use batchlab_traces::{JobId, Time, Workload};

use super::NodeList;
use super::columns::{ColumnSources, ScheduleColumn};
use crate::metrics::Measurement;
use crate::outcome::{Fate, Outcome};

/// Writes the schedule of an outcome; whole seconds are printed without decimals, rows follow the trace. Adds
/// a column of nodes if the outcome has them, and one of fates if not every job finished.
pub fn write(workload: &Workload, outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    write_rows(workload, outcome, None, out)
}

/// As [`write()`], with further columns after those. Trimming does not apply: the schedule has all jobs.
pub fn write_with(
    columns: &[&'static ScheduleColumn],
    measurement: &Measurement<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let (workload, outcome) = (measurement.workload(), measurement.outcome());
    let written: Vec<&str> = further(outcome).into_iter().flatten().collect();
    write_rows(workload, outcome, Some(&ColumnSources::new(measurement, columns, &written)), out)
}

/// Returns the names of the columns of nodes and fates, where the schedule of an outcome has them.
fn further(outcome: &Outcome) -> [Option<&'static str>; 2] {
    // Numbered processors are written to the intervals file instead.
    let with_nodes = !outcome.places.is_empty() && !outcome.by_processor;
    let with_fates = outcome.fate.iter().any(|&fate| fate != Fate::Finished);
    [with_nodes.then_some("nodes"), with_fates.then_some("fate")]
}

fn write_rows(
    workload: &Workload,
    outcome: &Outcome,
    cells: Option<&ColumnSources<'_>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut buffer: Vec<u8> = Vec::with_capacity(1 << 16);
    let further = further(outcome);
    write!(buffer, "job_id,submit,start,end,procs")?;
    for name in further.into_iter().flatten() {
        write!(buffer, ",{name}")?;
    }
    if let Some(cells) = cells {
        cells.head(&mut buffer);
    }
    buffer.push(b'\n');
    let [with_nodes, with_fates] = further.map(|name| name.is_some());
    let row = |job: JobId, buffer: &mut Vec<u8>| {
        write!(buffer, "{}", workload.number(job))?;
        for time in [workload.submitted(job), outcome.start(job), outcome.end(job)] {
            push_time(buffer, time)?;
        }
        write!(buffer, ",{}", workload.procs(job))?;
        if with_nodes {
            write!(buffer, ",{}", NodeList(&outcome.places.only(job, outcome.start(job))))?;
        }
        if with_fates {
            write!(buffer, ",{}", outcome.fate(job).name())?;
        }
        if let Some(cells) = cells {
            cells.row(job, buffer)?;
        }
        buffer.push(b'\n');
        io::Result::Ok(())
    };
    for job in workload.by_row() {
        row(job, &mut buffer)?;
        if buffer.len() > (1 << 16) - 256 {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    out.write_all(&buffer)
}

fn push_time(buffer: &mut Vec<u8>, time: Time) -> io::Result<()> {
    if time == Time::MAX { write!(buffer, ",") } else { write!(buffer, ",{time}") }
}
