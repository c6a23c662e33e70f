//! Schedules to CSV.

use std::io::{self, Write};

use batchlab_traces::{Time, Workload};

use crate::outcome::Outcome;

/// Writes the schedule of an outcome; whole seconds are printed whole, rows follow the trace.
///
/// # Errors
/// When the writer fails.
pub fn write(workload: &Workload, outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let mut buffer: Vec<u8> = Vec::with_capacity(1 << 16);
    buffer.extend_from_slice(b"job_id,submit,start,end,procs\n");
    for job in workload.by_row() {
        write!(buffer, "{}", workload.number(job))?;
        for time in [workload.submit(job), outcome.start(job), outcome.end(job)] {
            push_time(&mut buffer, time)?;
        }
        writeln!(buffer, ",{}", workload.procs(job))?;
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
