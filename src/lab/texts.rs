//! Descriptions and schedules: files that are read whole, up to a limit.

use std::path::Path;

use batchlab_parsers::Input;
use batchlab_traces::Machine;

use crate::lab::Failure;
use crate::outcome::{Outcome, stopped};
use crate::replay::engine::Scenario;
use crate::schedule::{self, ScheduleRow};

/// Reads a schedule file, packed or not, matches it with the jobs, and cuts off what lies beyond the stop.
pub fn read_schedule(path: &str, scenario: &Scenario) -> Result<Outcome, Failure> {
    let named = |error| Failure::Input(format!("{path}: {error}"));
    let (workload, rows) = (&scenario.workload, read_rows(path, &scenario.machine)?);
    let outcome = schedule::partial_outcome(workload, &rows).map_err(named)?;
    schedule::complete(workload, stopped(outcome, workload, &scenario.stop)).map_err(named)
}

/// Reads the rows of a schedule file, with nodes if the machine has nodes.
pub fn read_rows(path: &str, machine: &Machine) -> Result<Vec<ScheduleRow>, Failure> {
    let text = read_long_text(path)?;
    schedule::read_on(machine, &text).map_err(|error| Failure::Input(format!("{path}: {error}")))
}

/// The most bytes of a description file.
const LONGEST_TEXT: usize = 16 << 20;

const LONGEST_SCHEDULE: usize = 4 << 30;

/// Reads a description (an experiment, a machine, rules), packed or not, of at most 16 MiB.
pub fn read_text(path: impl AsRef<Path>) -> Result<String, Failure> {
    read_whole(path.as_ref(), LONGEST_TEXT)
}

/// Reads a schedule, packed or not, of at most 4 GiB.
pub fn read_long_text(path: &str) -> Result<String, Failure> {
    read_whole(Path::new(path), LONGEST_SCHEDULE)
}

/// Reads a text of at most `most` bytes. A file that is known to be longer is not read at all.
fn read_whole(path: &Path, most: usize) -> Result<String, Failure> {
    let too_long = || {
        let path = path.display();
        Failure::Input(format!("{path}: more than {} MiB of text: it is no such file", most >> 20))
    };
    if std::fs::metadata(path).is_ok_and(|file| file.len() > most as u64) {
        return Err(too_long());
    }
    let mut stream = Input::open(path)?.stream()?;
    let mut bytes = Vec::new();
    while let Some(buffer) = stream.next_buffer()? {
        if bytes.len() + buffer.len() > most {
            return Err(too_long());
        }
        bytes.extend_from_slice(buffer);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
