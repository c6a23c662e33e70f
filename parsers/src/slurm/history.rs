//! Past jobs beside a queue: accounting that is read into the same ledger. Users, accounts and partitions are the same in both, and a
//! job in both counts once, as in overlapping extracts.

use batchlab_traces::Header;

use super::ledger::EntryConverter;
use super::{jobcomp, json, sacct, show_job};
use crate::error::Result;
use crate::explain::Explanation;
use crate::formats::{FormatSpec, LIKELY};
use crate::pass::{Pass, Seen};
use crate::reporter::Reporter;

/// Reads the jobs of a log into a ledger; returns it with the message for a log without jobs.
pub(super) type Fill = fn(&mut Pass<'_>, EntryConverter) -> Result<(EntryConverter, String)>;

/// As [`FormatSpec::likeness`].
type Likeness = fn(&[u8]) -> u8;

const FORMATS: [(Likeness, Fill); 4] = [
    (sacct::likeness, sacct::fill),
    (json::likeness, json::fill),
    (jobcomp::likeness, jobcomp::fill),
    (show_job::likeness, show_job::fill),
];

pub(super) fn read(pass: &mut Pass<'_>, spec: &'static FormatSpec, fill: Fill) -> Result<Header> {
    let (ledger, why) = fill(pass, EntryConverter::new(pass.options))?;
    joined(ledger, pass)?.finish(pass, spec, &why)
}

fn joined(ledger: EntryConverter, pass: &mut Pass<'_>) -> Result<EntryConverter> {
    let histories = std::mem::take(&mut pass.histories);
    if histories.is_empty() {
        return Ok(ledger);
    }
    let mut ledger = ledger.of_the_past();
    for input in histories {
        let mut stream = input.stream()?;
        let beginning = stream.peek()?;
        let beginning = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        let likest = FORMATS.iter().map(|(likeness, fill)| (likeness(beginning), fill));
        let best = likest.filter(|(likeness, _)| *likeness >= LIKELY).max_by_key(|(likeness, _)| *likeness);
        let name = stream.name().to_owned();
        let Some((_, fill)) = best else {
            let why =
                "a history beside a queue is accounting of Slurm; write it with sacct -a -P -D -S now-14days";
            return Err(sacct::not_sacct(&name, why.into()));
        };
        let mut explanation = Explanation::default();
        let mut beside = Pass {
            stream: &mut stream,
            reporter: Reporter { findings: &mut *pass.reporter.findings, file: name.into() },
            sink: &mut *pass.sink,
            options: pass.options,
            explanation: &mut explanation,
            seen: Seen::default(),
            histories: Vec::new(),
        };
        ledger = fill(&mut beside, ledger)?.0;
    }
    Ok(ledger)
}
