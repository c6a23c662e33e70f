//! Messages on standard error: findings and final messages, in colour on a terminal.
//!
//! It is no error if standard error is closed. All messages are made safe and short, because names and texts
//! in them may come from logs, plug-ins and files of others.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use batchlab_parsers::read::GZIP_TORN;
use batchlab_traces::foreign::message;
use batchlab_traces::{Finding, Findings, Level};

use super::redact;
use crate::study::pitfalls::Pitfall;

/// Prints findings, the most serious first, one paragraph each.
pub fn findings(findings: &Findings) {
    finding_list(findings.list().iter().collect());
}

/// Prints the findings about a damaged file, which `--quiet` does not hide: results lack its end.
pub fn damage(findings: &Findings) {
    let torn = |finding: &&Finding| finding.kind.code == GZIP_TORN.code;
    finding_list(findings.list().iter().filter(torn).collect());
}

/// Prints a list of findings in the same form.
pub fn finding_list(mut list: Vec<&Finding>) {
    list.sort_by_key(|finding| std::cmp::Reverse(finding.kind.level));
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

/// Prints one line of information.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", message(text));
}

/// Prints the reason why the program ends.
pub fn error(text: &str) {
    line(AnsiColor::Red.on_default().bold(), &format!("error: {}", redact::message(text)));
}

/// Prints a text with the part before the first colon in a style.
fn line(style: Style, text: &str) {
    let text = message(text);
    let (head, rest) = text.split_at(text.find(": ").unwrap_or(0));
    let _ = writeln!(anstream::stderr().lock(), "{style}{head}{style:#}{rest}");
}
