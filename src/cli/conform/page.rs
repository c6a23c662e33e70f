use std::fmt::Write;

use crate::cli::terminal::text::{count, counted, wrap};
use crate::conform::{CheckReport, ConformanceReport, Found, Status};

/// The most reasons for skipping that are listed for each check.
const REASONS: usize = 3;

/// Returns one line for each check, with the reasons for skipped trials; then the failures, each with a log
/// that demonstrates it; then the verdict.
pub fn page(report: &ConformanceReport, width: Option<usize>) -> String {
    let column = report.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut page = String::new();
    for check in &report.checks {
        let word = match check.status {
            Status::Holds => "ok     ",
            Status::Skipped => "skipped",
            Status::Failed => "FAILED ",
        };
        let what = wrap(check.what, 11 + column, width);
        let _ = writeln!(page, "{word}  {:column$}  {what}", check.name);
        let _ = writeln!(page, "{:1$}{2}", "", 11 + column, wrap(&tried(check), 11 + column, width));
    }
    for check in report.failed() {
        if let Some(found) = &check.found {
            page.push_str(&shown(check, found, width));
        }
    }
    let _ = writeln!(page, "\n{}", verdict(report));
    page
}

fn tried(check: &CheckReport) -> String {
    let held = format!("{} held", counted(check.held as u64, "trial"));
    let mut words = if check.held == 0 && check.left_out() > 0 { Vec::new() } else { vec![held] };
    for skip in check.skipped.iter().take(REASONS) {
        words.push(format!("{} skipped: {}", count(skip.times as u64), skip.why));
    }
    if let Some(more) = check.skipped.get(REASONS..).filter(|more| !more.is_empty()) {
        let times: usize = more.iter().map(|skip| skip.times).sum();
        words.push(format!("{} skipped for other reasons", count(times as u64)));
    }
    words.join("; ")
}

fn shown(check: &CheckReport, found: &Found, width: Option<usize>) -> String {
    let mut page = format!("\n{}: {}\n", check.name, found.what);
    if let Some(witness) = &found.witness {
        let jobs = counted(witness.jobs as u64, "job");
        let _ = writeln!(page, "seen under {} with {jobs}, the log {}.swf:\n", found.policy, check.name);
        page.extend(witness.swf.lines().map(|line| format!("    {line}\n")));
        if let Some(machine) = &witness.machine {
            let _ = writeln!(page, "\non the machine {}.toml:\n", check.name);
            page.extend(machine.lines().map(|line| format!("    {line}\n")));
        }
        if let Some(calendar) = &witness.calendar {
            let _ = writeln!(page, "\nwith the calendar {}.calendar.toml:\n", check.name);
            page.extend(calendar.lines().map(|line| format!("    {line}\n")));
        }
    }
    let again = wrap("it can be seen again with", 0, width);
    let _ = writeln!(page, "\n{again}");
    page.extend(found.again.iter().map(|command| format!("    {command}\n")));
    page
}

fn verdict(report: &ConformanceReport) -> String {
    let failed: Vec<&str> = report.failed().map(|check| check.name).collect();
    let cases = format!("{}, seed {}", counted(report.cases as u64, "case"), report.seed);
    if !failed.is_empty() {
        return format!("{} does not conform: {} ({cases})", report.policy, failed.join(", "));
    }
    let held = report.with(Status::Holds).count() as u64;
    let skipped = match report.with(Status::Skipped).count() as u64 {
        0 => String::new(),
        skipped => format!(", {} skipped", count(skipped)),
    };
    format!("{} conforms: {} held{skipped} ({cases})", report.policy, counted(held, "check"))
}
