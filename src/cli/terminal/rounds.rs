//! Rounds: an answer that is given again and again as files change, until Ctrl-C.

use std::io::{IsTerminal, stdout};
use std::thread::sleep;
use std::time::{Duration, Instant};

use batchlab_traces::reading::parse_duration;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{Finding, Findings, Time};

use super::form::{clear, print};
use super::tell;
use crate::cli::arguments::values;
use crate::lab::Failure;
use crate::lab::replays::result_tables::TableForm;
use crate::study::pitfalls::Pitfall;

/// How often there is a round.
#[derive(Clone, Copy)]
pub struct Rounds {
    /// The time from the beginning of a round to that of the next one.
    pub every: Duration,
    /// The number of rounds; without one there are rounds until Ctrl-C.
    pub count: Option<u64>,
}

impl Rounds {
    /// Does round after round, numbered from 1. A file that cannot be read ends the first round, and leaves out a later one: it
    /// may be half written then.
    ///
    /// # Errors
    /// Other failures, and that of the last round.
    pub fn run(self, mut round: impl FnMut(u64) -> Result<(), Failure>) -> Result<(), Failure> {
        for number in 1.. {
            let began = Instant::now();
            let done = round(number);
            let is_last = self.count == Some(number);
            match done {
                Err(Failure::Input(what) | Failure::NoJobs(what) | Failure::Usage(what))
                    if number > 1 && !is_last =>
                {
                    tell::error(&format!("{what}; this round is left out"));
                }
                Err(failure) => return Err(failure),
                Ok(()) if is_last => return Ok(()),
                Ok(()) => {}
            }
            sleep(self.every.saturating_sub(began.elapsed()));
        }
        Ok(())
    }
}

/// The longest time between two rounds: a day.
const LONGEST: f64 = 86_400.0;

/// Parses the time between two rounds.
fn every(text: &str) -> Result<Duration, String> {
    let seconds = parse_duration(text).ok().map(Time::secs);
    let seconds = seconds.filter(|seconds| (1.0..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "it is a time from 1s to 1d, such as 60s".into())
}

values!(Duration: every);

/// What the rounds before have said.
#[derive(Default)]
pub struct Said {
    /// The findings of the round before.
    findings: SortedSet<String>,
    pitfalls: SortedSet<String>,
    has_printed: bool,
}

impl Said {
    /// Prints the findings that the round before did not have, unless `quiet`.
    pub fn findings(&mut self, findings: &Findings, quiet: bool) {
        let said: SortedSet<String> = findings.list().iter().map(ToString::to_string).collect();
        let is_new = |finding: &&Finding| !self.findings.contains(&finding.to_string());
        if !quiet {
            tell::finding_list(findings.list().iter().filter(is_new).collect());
        }
        self.findings = said;
    }

    /// Prints the pitfalls that the round before did not have, in short.
    pub fn pitfalls(&mut self, pitfalls: Vec<Pitfall>) {
        let said = pitfalls.iter().map(Pitfall::in_short).collect();
        let new: Vec<Pitfall> =
            pitfalls.into_iter().filter(|pitfall| !self.pitfalls.contains(&pitfall.in_short())).collect();
        tell::pitfalls_in_short(&new);
        self.pitfalls = said;
    }

    /// Prints an empty line between two blocks; a line of JSON is a block by itself.
    pub fn separate(&mut self, form: TableForm) -> Result<(), Failure> {
        let is_second = std::mem::replace(&mut self.has_printed, true);
        if is_second && !form.is_json() { print("\n") } else { Ok(()) }
    }

    /// Clears the terminal before a block that takes the place of another one; elsewhere, separates the two.
    pub fn replace(&mut self, form: TableForm) -> Result<(), Failure> {
        if self.has_printed && stdout().is_terminal() { clear() } else { self.separate(form) }
    }
}
