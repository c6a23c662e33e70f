use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use super::facts::plain;
use crate::cli::terminal::text::{count, duration, percent};
use crate::info::{Info, Spread};

pub fn spreads(info: &Info) -> String {
    let times = &info.times;
    let plain = |value: f64| format!("{}", (value * 10.0).round() / 10.0);
    let ratio = |value: f64| format!("{value:.2}");
    let rows: [Row<'_>; 5] = [
        ("processors", &info.sizes.procs, &plain),
        ("run time", &times.run, &duration),
        ("requested", &times.request, &duration),
        ("run/requested", &times.accuracy, &ratio),
        ("wait", &times.wait, &duration),
    ];
    let mut table = Builder::default();
    table.push_record(["", "known", "min", "25 %", "median", "75 %", "90 %", "99 %", "max", "mean"]);
    for (label, spread, form) in rows {
        let Some(spread) = spread else { continue };
        let Spread { min, p25, median, p75, p90, p99, max, mean, .. } = *spread;
        let values = [min, p25, median, p75, p90, p99, max, mean].map(form);
        table.push_record([label.to_owned(), count(spread.known)].into_iter().chain(values));
    }
    printed(table)
}

pub fn size_classes(info: &Info) -> String {
    let mut table = Builder::default();
    table.push_record(["processors", "jobs", "of all", "powers of two", "of all work"]);
    for class in info.size_classes.iter().filter(|class| class.jobs > 0) {
        let range = match (class.from, class.to) {
            (from, to) if from == to => to.to_string(),
            (from, to) => format!("{from} to {to}"),
        };
        let [job_share, work_share] = [class.job_share, class.work_share].map(percent);
        table.push_record([range, count(class.jobs), job_share, count(class.powers_of_two), work_share]);
    }
    if info.size_classes.is_empty() { String::new() } else { printed(table) }
}

pub fn run_classes(info: &Info) -> String {
    let mut table = Builder::default();
    table.push_record(["run time", "jobs", "of all", "of all work"]);
    let mut above = 0;
    for class in &info.run_classes {
        let range = match class.to {
            Some(0) => "0 s".into(),
            Some(to) => format!("to {}", plain(to as f64)),
            None => format!("above {}", plain(above as f64)),
        };
        above = class.to.unwrap_or(above);
        let shares = [class.job_share, class.work_share].map(percent);
        table.push_record([range, count(class.jobs)].into_iter().chain(shares));
    }
    printed(table)
}

pub fn busiest(info: &Info) -> String {
    if info.jobs.busiest.is_empty() {
        return String::new();
    }
    let mut table = Builder::default();
    table.push_record(["busiest users", "jobs", "of all", "of all work"]);
    for user in &info.jobs.busiest {
        let shares = [user.job_share, user.work_share].map(percent);
        table.push_record([user.user.to_string(), count(user.jobs)].into_iter().chain(shares));
    }
    printed(table)
}

/// A label, a distribution, and the function that prints its values.
type Row<'a> = (&'a str, &'a Option<Spread>, &'a dyn Fn(f64) -> String);

/// Returns a table after an empty line: the first column aligned left, numbers aligned right, no borders.
fn printed(table: Builder) -> String {
    let mut table = table.build();
    table.with(Style::empty()).with(Padding::new(0, 2, 0, 0)).with(Alignment::right());
    table.modify(Columns::first(), Alignment::left());
    let lines = table.to_string();
    lines.lines().fold(String::from("\n"), |text, line| text + line.trim_end() + "\n")
}
