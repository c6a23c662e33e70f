//! What goes to standard error: findings and last words, in colour on a terminal.
//!
//! Nobody reading standard error is no error.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use batchlab_traces::{Finding, Findings, Level};

/// Prints findings, the gravest first, one paragraph each.
pub fn findings(findings: &Findings) {
    finding_list(findings.list().iter().collect());
}

/// Prints some findings likewise.
pub fn finding_list(mut list: Vec<&Finding>) {
    list.sort_by_key(|finding| std::cmp::Reverse(finding.kind.level));
    for finding in list {
        let style = match finding.kind.level {
            Level::Loud => AnsiColor::Red.on_default().bold(),
            Level::Warning => AnsiColor::Yellow.on_default().bold(),
            Level::Note => AnsiColor::Cyan.on_default(),
        };
        line(style, &finding.to_string());
    }
}

/// Prints one line of information.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Prints why the program ends.
pub fn error(text: &str) {
    line(AnsiColor::Red.on_default().bold(), &format!("error: {text}"));
}

/// Prints a text, the part before the first colon in a style.
fn line(style: Style, text: &str) {
    let (head, rest) = text.split_at(text.find(": ").unwrap_or(0));
    let _ = writeln!(anstream::stderr().lock(), "{style}{head}{style:#}{rest}");
}
