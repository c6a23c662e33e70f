//! Messages on standard error: findings and final messages, in colour on a terminal.
//!
//! It is no error if standard error is closed. All messages are made safe and short, because names and texts
//! in them may come from logs, plug-ins and files of others.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use batchlab_parsers::Input;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::foreign::message;
use batchlab_traces::{Finding, Findings, Level};

use super::progress::{self, Progress};
use crate::lab::logs::redact;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::{Failure, Observer};
use crate::study::pitfalls::Pitfall;

/// Prints findings, the most serious first, one paragraph each.
pub fn findings(findings: &Findings) {
    finding_list(findings.list().iter().collect());
}

/// Prints the findings about a prepared log, unless `quiet`.
pub fn prepared(prepared: &Prepared, quiet: bool) {
    if !quiet {
        findings(&prepared.findings);
    }
}

pub fn finding_list(mut list: Vec<&Finding>) {
    list.arrange_by_key(|finding| std::cmp::Reverse(finding.kind.level));
    for finding in list {
        line(style(finding.kind.level), &finding.to_string());
    }
}

fn style(level: Level) -> Style {
    match level {
        Level::Loud => AnsiColor::Red.on_default().bold(),
        Level::Warning => AnsiColor::Yellow.on_default().bold(),
        Level::Note => AnsiColor::Cyan.on_default(),
    }
}

/// Prints pitfalls: the serious ones in full, and the number of the others.
pub fn pitfalls(pitfalls: &[Pitfall], quiet: bool) {
    if quiet {
        return;
    }
    for pitfall in pitfalls.iter().filter(|pitfall| pitfall.spec.level > Level::Note) {
        line(style(pitfall.spec.level), &pitfall.to_string());
    }
    let notes = pitfalls.iter().filter(|pitfall| pitfall.spec.level == Level::Note).count();
    if notes > 0 {
        note(&format!("{} in findings.txt", super::text::counted(notes as u64, "more note")));
    }
}

/// Prints pitfalls, one line each: the first case, and where to read more.
pub fn pitfalls_in_short(pitfalls: &[Pitfall]) {
    for pitfall in pitfalls {
        line(style(pitfall.spec.level), &pitfall.in_short());
    }
}

pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", message(text));
}

pub fn error(text: &str) {
    line(AnsiColor::Red.on_default().bold(), &format!("error: {}", redact::message(text)));
}

/// Prints a text with the part before the first colon in a style.
fn line(style: Style, text: &str) {
    let text = message(text);
    let (head, rest) = text.split_at(text.find(": ").unwrap_or(0));
    let _ = writeln!(anstream::stderr().lock(), "{style}{head}{style:#}{rest}");
}

/// Prints the final message, if any, and returns the exit code.
pub fn exit_code(done: Result<(), Failure>) -> u8 {
    let Err(failure) = done else { return 0 };
    let code = failure.code();
    if code > 0 {
        error(&failure.to_string());
    }
    code
}

/// Returns the first of several failures after printing the others, because the program ends with one
/// message.
pub fn all(failures: Vec<Failure>) -> Result<(), Failure> {
    for failure in failures.iter().skip(1) {
        error(&failure.to_string());
    }
    failures.into_iter().next().map_or(Ok(()), Err)
}

/// Prints on standard error what there is to say.
pub struct Terminal;

impl Observer for Terminal {
    fn findings(&self, findings: &[&Finding]) {
        finding_list(findings.to_vec());
    }

    fn note(&self, text: &str) {
        note(text);
    }

    fn reading(&self, input: Input) -> Input {
        progress::reading(input)
    }

    fn replays(&self, what: &str, replays: usize) -> Box<dyn Fn(u64) + Send + Sync> {
        let bar = Progress::of_replays(what, replays);
        Box::new(move |done| bar.tell(done))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_failure() {
        assert_eq!((exit_code(Ok(())), exit_code(Err(Failure::ClosedPipe))), (0, 0));
    }
}
