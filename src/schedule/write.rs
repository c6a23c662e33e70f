//! Writes schedules to CSV.

use std::io::{self, Write};

use batchlab_traces::{Time, Workload};

use super::NodeList;
use crate::outcome::{Fate, Outcome};

/// Writes the schedule of an outcome; whole seconds are printed without decimals, rows follow the trace. Adds
/// a column of nodes if the outcome has them, and one of fates if not every job finished.
///
/// # Errors
/// If writing fails.
pub fn write(workload: &Workload, outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let mut buffer: Vec<u8> = Vec::with_capacity(1 << 16);
    // Numbered processors are written to the intervals file instead.
    let with_nodes = !outcome.places.is_empty() && !outcome.by_processor;
    let with_fates = outcome.fate.iter().any(|&fate| fate != Fate::Finished);
    let further =
        [(with_nodes, ",nodes"), (with_fates, ",fate")].map(|(told, name)| if told { name } else { "" });
    writeln!(buffer, "job_id,submit,start,end,procs{}", further.concat())?;
    for job in workload.by_row() {
        write!(buffer, "{}", workload.number(job))?;
        for time in [workload.submitted(job), outcome.start(job), outcome.end(job)] {
            push_time(&mut buffer, time)?;
        }
        write!(buffer, ",{}", workload.procs(job))?;
        if with_nodes {
            write!(buffer, ",{}", NodeList(outcome.places.only(job)))?;
        }
        if with_fates {
            write!(buffer, ",{}", outcome.fate(job).name())?;
        }
        buffer.push(b'\n');
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
