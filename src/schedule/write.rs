//! Schedules to CSV.

use std::io::{self, Write};

use batchlab_traces::{Time, Workload};

use super::NodeList;
use crate::outcome::Outcome;

/// Writes the schedule of an outcome; whole seconds are printed whole, rows follow the trace. Where the outcome knows
/// the nodes of jobs, they are a further column.
///
/// # Errors
/// When the writer fails.
pub fn write(workload: &Workload, outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let mut buffer: Vec<u8> = Vec::with_capacity(1 << 16);
    let with_nodes = !outcome.places.is_empty();
    writeln!(buffer, "job_id,submit,start,end,procs{}", if with_nodes { ",nodes" } else { "" })?;
    for job in workload.by_row() {
        write!(buffer, "{}", workload.number(job))?;
        for time in [workload.submit(job), outcome.start(job), outcome.end(job)] {
            push_time(&mut buffer, time)?;
        }
        write!(buffer, ",{}", workload.procs(job))?;
        if with_nodes {
            write!(buffer, ",{}", NodeList(outcome.places.only(job)))?;
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
    write!(buffer, ",{time}")
}
