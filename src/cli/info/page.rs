//! The contents of a log as text: facts, distributions, users, anomalies.

mod facts;
mod tables;

use std::fmt::Write;

use batchlab_traces::Finding;

use crate::cli::terminal::text::{count, counted, duration, percent, wrap};
use crate::info::{Info, LogInstant, QueueJobs};

const LABEL: usize = 12;

/// Returns the page of a log, wrapped at `width`.
pub fn page(info: &Info, width: Option<usize>) -> String {
    let source = &info.source;
    let mut page = format!("{} ({}, {} bytes)\n\n", source.name, source.format, count(source.bytes));
    let facts = [
        ("Machine", machine(info)),
        ("Period", period(info)),
        ("Jobs", jobs(info)),
        ("Status", statuses(info)),
        ("Users", users(info)),
        ("Queues", groups(&info.jobs.queues)),
        ("Partitions", groups(&info.jobs.partitions)),
        ("Load", load(info)),
        ("Use", facts::usage(info)),
        ("Sizes", sizes(info)),
        ("Estimates", facts::estimates(info)),
        ("Requests", facts::requests(info)),
        ("Arrivals", facts::arrivals(info)),
        ("Cycle", facts::cycle(info)),
        ("Recorded", recorded(info)),
        ("Unknown", facts::unknown(info)),
    ];
    for (label, text) in facts {
        let _ = writeln!(page, "{label:LABEL$}{}", wrap(&text, LABEL, width));
    }
    page.push_str(&tables::spreads(info));
    page.push_str(&tables::size_classes(info));
    page.push_str(&tables::run_classes(info));
    page.push_str(&tables::busiest(info));
    page.push_str(&findings("Anomalies", &info.findings, width));
    page.push_str(&findings("A replay with default options", &info.replay.findings, width));
    page
}

fn machine(info: &Info) -> String {
    let machine = &info.machine;
    let mut parts = vec![match (machine.procs, machine.largest_job) {
        (Some(procs), _) => counted(procs.max(0) as u64, "processor"),
        (None, Some(largest)) => format!("size unknown, the largest job has {largest} processors"),
        (None, None) => "size unknown".into(),
    }];
    parts.extend(machine.nodes.map(|nodes| counted(nodes.max(0) as u64, "node")));
    parts.extend(machine.computer.clone());
    parts.extend(machine.installation.clone());
    parts.extend(machine.max_runtime.map(|limit| format!("run times up to {}", duration(limit as f64))));
    parts.join("; ")
}

fn period(info: &Info) -> String {
    let period = &info.period;
    let (Some(first), Some(last)) = (&period.first_submit, &period.last_submit) else {
        return "no submit times".into();
    };
    let mut text = format!("submitted {} to {} ({})", shown(first), shown(last), duration(period.span));
    if let Some(end) = &period.last_end {
        let _ = write!(text, ", last end {}", shown(end));
    }
    match &period.zone {
        Some(zone) => text + "; " + zone,
        None => text + "; from the log's zero: its date is unknown",
    }
}

/// Returns an instant without its offset, or in days from the log's zero.
fn shown(instant: &LogInstant) -> String {
    match &instant.local {
        Some(local) => local.chars().take(19).collect::<String>().replace('T', " "),
        None => format!("day {:.1}", instant.seconds / 86_400.0),
    }
}

fn jobs(info: &Info) -> String {
    let jobs = &info.jobs;
    let mut text = count(jobs.jobs);
    if jobs.records != jobs.jobs {
        let _ = write!(text, " in {}", counted(jobs.records, "record"));
    }
    if jobs.dependent > 0 {
        let _ = write!(text, "; {} wait for the end of another", count(jobs.dependent));
    }
    text
}

fn statuses(info: &Info) -> String {
    let each = info.jobs.by_status.iter().map(|status| {
        let share = percent(status.count as f64 / info.jobs.records.max(1) as f64);
        format!("{} {} ({}) {share}", count(status.count), status.name, status.code)
    });
    each.collect::<Vec<_>>().join(", ")
}

fn users(info: &Info) -> String {
    let jobs = &info.jobs;
    let each = [(jobs.users, "user"), (jobs.groups, "group"), (jobs.executables, "executable")];
    each.map(|(number, noun)| counted(number, noun)).join(", ")
}

fn groups(groups: &[QueueJobs]) -> String {
    if groups.is_empty() {
        return "none recorded".into();
    }
    let each = groups.iter().map(|group| match group.name.as_str() {
        "" => format!("{}: {}", group.number, count(group.jobs)),
        name => format!("{} {name}: {}", group.number, count(group.jobs)),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn load(info: &Info) -> String {
    let Some(load) = &info.replay.load else {
        return format!("unknown: {}", info.replay.refusal.as_deref().unwrap_or("nothing to replay"));
    };
    let offered = load.offered_load.map_or("undefined".into(), |offered| format!("{offered:.3}"));
    let hours = count((load.work / 3600.0).round() as u64);
    format!("offered {offered}: {hours} processor-hours of {} on {}", counted(load.jobs, "job"), load.procs)
}

fn sizes(info: &Info) -> String {
    let sizes = &info.sizes;
    let Some(procs) = &sizes.procs else { return "none recorded".into() };
    let (serial, powers) = (percent(sizes.serial), percent(sizes.powers_of_two));
    let mut text = format!(
        "{} different sizes up to {}; serial {serial}, powers of two {powers}",
        count(sizes.distinct),
        procs.max
    );
    if sizes.allocated_otherwise > 0 {
        let _ =
            write!(text, "; {} were given another than requested", counted(sizes.allocated_otherwise, "job"));
    }
    text
}

fn recorded(info: &Info) -> String {
    let waits = info.times.wait.as_ref().map_or(0.0, |wait| wait.known as f64 / info.jobs.jobs.max(1) as f64);
    let mut parts = Vec::new();
    for (what, share) in
        [("waits", waits), ("requested memory", info.memory.requested), ("used memory", info.memory.used)]
    {
        parts.push(if share == 0.0 { format!("no {what}") } else { format!("{what} {}", percent(share)) });
    }
    parts.extend(info.memory.resources.iter().cloned());
    parts.join(", ")
}

fn findings(heading: &str, findings: &[Finding], width: Option<usize>) -> String {
    let mut text = format!("\n{heading}\n");
    if findings.is_empty() {
        text.push_str("  nothing to report\n");
    }
    for finding in findings {
        let kind = finding.kind;
        // Counts have a column of their own, beside the plural names of kinds.
        let (what, done) = (kind.what(0), kind.done(0));
        let line = format!("{what}: {done} [{}]", kind.code);
        let _ = writeln!(text, "  {:>9} {}", count(finding.count), wrap(&line, 12, width));
        for example in finding.examples.iter().take(1) {
            let place = example.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
            let _ = writeln!(text, "            {}", wrap(&(place + &example.detail), 12, width));
        }
    }
    text
}
