//! Accounting log of the NASA Ames iPSC/860: one line of five or six columns per job.
//!
//! Source: the log NASA-iPSC-1993-0 of the Parallel Workloads Archive; D. G. Feitelson and B. Nitzberg, "Job
//! Characteristics of a Production Parallel Scientific Workload on the NASA Ames iPSC/860", JSSPP 1995. A line is
//!
//! ```text
//! user8    cmd33    1   31 10/19/93 18:06:10
//! ```
//!
//! The columns are user, command, nodes, run time in seconds, and the start on the wall clock of US/Pacific.
//! The log has no submit time: the start is used for it, as in the archive's conversion, and the wait is
//! unknown. Batch jobs have no command: the column is missing or has a placeholder. Users named `user` plus a
//! number are group 1; all others (`sysadmin`, `intel0`) are staff and group 2. Jobs are numbered from 1.
//!
//! An assumption: a record without nodes, or whose user or command is the name of an outage, is not a job.
//! The archive dropped such records; here they become comments among the jobs.

mod kinds;
mod record;

use batchlab_traces::{Header, Kind, Time};

use crate::clock::LocalClock;
use crate::entry::{AccountingEntry, Name};
use crate::error::Result;
use crate::explain::Explanation;
use crate::formats::{FormatSpec, share_of_lines};
use crate::lines::Line;
use crate::normal::{LogPlan, Normaliser, counted};
use crate::pass::{LineReader, Pass};
use crate::reporter::Reporter;
use record::{NasRecord, record};

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "nas",
    summary: "NASA Ames iPSC/860 accounting: user, command, nodes, run time, start",
    cite: "D. G. Feitelson and B. Nitzberg, JSSPP 1995; Parallel Workloads Archive, log NASA-iPSC-1993",
    looks_like: "lines such as `user8 cmd33 1 31 10/19/93 18:06:10`",
    likeness: |beginning| match share_of_lines(beginning, |line| record(line).is_some()) {
        share @ 80.. => share,
        share => share / 2,
    },
    read,
};

/// The time zone of the machine.
const ZONE: &str = "America/Los_Angeles";

/// The most bytes that are kept of each word of a special record.
const WORD: usize = 100;

const USERS: &str = "normal users";
const STAFF: &str = "system personnel";

fn read(pass: &mut Pass<'_>) -> Result<Header> {
    let clock = LocalClock::new(pass.options.zone, ZONE.parse().ok());
    let plan = LogPlan {
        header: machine(),
        zone: Some(clock.zone()),
        groups: &[(USERS, 1), (STAFF, 2)],
        ..LogPlan::default()
    };
    let mut log = Nas { normaliser: Normaliser::new(plan), clock };
    pass.lines(&mut log)?;
    pass.finish(log.normaliser, Some(&log.clock), &SPEC, "no line is a job")
}

fn machine() -> Header {
    Header {
        computer: Some("Intel iPSC/860".into()),
        installation: Some("NASA Ames Research Center".into()),
        acknowledge: vec!["Bill Nitzberg".into()],
        information: vec!["http://www.nas.nasa.gov/".into()],
        max_nodes: counted(128),
        max_procs: counted(128),
        notes: vec![
            "there is no information on wait times: the submit times are start times".into(),
            "group 1 is normal users, group 2 is system personnel".into(),
        ],
        ..Header::default()
    }
}

struct Nas {
    normaliser: Normaliser,
    clock: LocalClock,
}

impl LineReader for Nas {
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::NO_RECORD];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let Some(record) = record(line.bytes) else {
            return Ok(reporter.report(&kinds::NO_RECORD, line, line.bytes, |text| text)?);
        };
        let start = self.clock.instant(record.start, line.number, reporter)?;
        if record.is_special() {
            return self.special(&record, start, line, reporter);
        }
        if !(1..=128).contains(&record.nodes) || record.nodes & (record.nodes - 1) != 0 {
            reporter.report_at(&kinds::ODD_SIZE, line.number, || format!("{} nodes", record.nodes))?;
        }
        let group = if record.is_staff() { STAFF } else { USERS };
        let entry = AccountingEntry {
            line: line.number,
            submit: Some(start),
            measured_run: Some(Time::from_secs(record.run)),
            allocated: Some(record.nodes),
            user: Name::of(record.user),
            group: Name::Text(group.as_bytes()),
            executable: record.command.map_or(Name::Unknown, Name::of),
            ..AccountingEntry::default()
        };
        self.normaliser.entry(&entry, reporter)?;
        if let Some(explained) = explained.line(line.number) {
            explained.cell("user", record.user, "user, group");
            explained.cell("command", record.command.unwrap_or_default(), "executable");
            explained.cell("nodes", record.nodes.to_string().as_bytes(), "allocated processors");
            explained.cell("run time", record.run.to_string().as_bytes(), "run time");
            explained.cell("start", record.when, "submit time");
        }
        Ok(())
    }
}

impl Nas {
    /// Keeps a record that is not a job as a remark.
    fn special(
        &mut self,
        record: &NasRecord<'_>,
        start: Time,
        line: &Line<'_>,
        reporter: &mut Reporter<'_>,
    ) -> Result {
        reporter.report(&kinds::SPECIAL, line, line.bytes, |text| text)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(WORD)]).into_owned();
        let words = [text(record.user), text(record.command.unwrap_or(b"-"))].join(" ");
        let remark = format!(
            "special record (line {}): {words}, {} nodes, {} s from {}",
            line.number,
            record.nodes,
            record.run,
            text(record.when)
        );
        self.normaliser.remark(start, remark);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
