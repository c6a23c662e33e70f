use batchlab_slurm::reader::FACTORS;
use batchlab_traces::number::grouped;

use super::{Beside, JobPriority, PriorityComparison, ShareComparison};
use crate::replay::Conditions;
use crate::table::{Align, Better, Cell, Format, Table, TableColumn, TableRow, TimeUnit, Unit};

const KEYS: [&str; FACTORS.len()] =
    ["site", "age", "assoc", "fairshare", "jobsize", "partition_factor", "qos", "nice"];

/// The most differing factors that are shown of a job.
const MOST: usize = 3;

/// Returns the table of priorities at an instant, with what was said of it, and what was compared.
pub fn priorities_table(
    conditions: &Conditions,
    said: Vec<String>,
    rows: &[JobPriority],
    (comparison, shares): (Option<&PriorityComparison>, Option<&ShareComparison>),
) -> Table {
    let told = rows.iter().any(|row| row.of_queue.is_some());
    let mut columns: Vec<TableColumn> =
        [("job", "JOBID"), ("partition", "PARTITION"), ("user", "USER"), ("account", "ACCOUNT")]
            .map(|(key, heading)| text(key, heading))
            .into();
    columns.push(count("priority", "PRIORITY"));
    columns.extend(KEYS.iter().zip(FACTORS).map(|(key, heading)| count(key, heading)));
    columns.push(text("tres", "TRES"));
    columns.extend(told.then(|| count("of_queue", "queue")));
    if comparison.is_some() {
        columns.extend([count("sprio", "sprio"), text("differs", "differs")]);
    }
    let cells = |row: &JobPriority| {
        let whole = |factor: f64| Cell::Number(factor.round_ties_even());
        let name = row.id.clone().unwrap_or_else(|| row.job.to_string());
        let mut cells: Vec<Cell> =
            [name, row.partition.clone(), row.user.clone(), row.account.clone()].map(Cell::Text).into();
        cells.push(Cell::Number(row.priority as f64));
        cells.extend(row.listed().map(whole));
        cells.push(Cell::Text(tres(row)));
        cells.extend(told.then(|| row.of_queue.map(|priority| priority as f64).into()));
        if comparison.is_some() {
            let beside = row.sprio.as_ref();
            cells.push(beside.and_then(|beside| beside.priority).into());
            cells.push(Cell::Text(beside.map_or("not told".into(), differs)));
        }
        TableRow { cells, group: None }
    };
    let notes =
        comparison.map(compared).into_iter().chain(shares.map(shared)).flatten().map(Into::into).collect();
    Table {
        title: format!("Priorities: {}", conditions.short_name()),
        caption: conditions.lines().into_iter().chain(said).map(Into::into).collect(),
        facts: conditions.facts(),
        columns,
        rows: rows.iter().map(cells).collect(),
        notes,
        ..Table::default()
    }
}

fn text(key: &str, heading: &str) -> TableColumn {
    TableColumn { heading: heading.into(), align: Align::Left, ..TableColumn::text(key) }
}

fn count(key: &str, heading: &str) -> TableColumn {
    TableColumn {
        heading: heading.into(),
        ..TableColumn::number(key, Format::of(Unit::Count, TimeUnit::Seconds), Better::Neither)
    }
}

/// Returns the factors of resources as `sprio` writes them.
fn tres(row: &JobPriority) -> String {
    let parts = row.tres.iter().map(|(name, factor)| format!("{name}={}", factor.round_ties_even()));
    parts.collect::<Vec<_>>().join(",")
}

/// Returns in words which factors differ, and why.
fn differs(beside: &Beside) -> String {
    let parts = beside.differs.iter().take(MOST).map(|one| {
        format!("{} {} for {}", one.factor, one.here.round_ties_even(), one.there.round_ties_even())
    });
    let parts = parts.collect::<Vec<_>>().join(", ");
    match beside.why {
        None => parts,
        Some(why) if parts.is_empty() => why.to_owned(),
        Some(why) => format!("{parts}: {why}"),
    }
}

fn compared(comparison: &PriorityComparison) -> Vec<String> {
    let PriorityComparison { compared, equal, within_1_percent, largest, .. } = comparison;
    let mut lines = vec![format!(
        "of {} priorities that sprio told, {} are equal and {} within 1 %; the largest difference is {}",
        grouped(*compared),
        grouped(*equal),
        grouped(*within_1_percent),
        largest.round()
    )];
    for one in comparison.factors.iter().filter(|one| one.equal < one.compared) {
        let job = one.job.map_or(String::new(), |job| format!(" (job {job})"));
        lines.push(format!(
            "{}: {} of {} equal; the largest difference is {:.1}{job}",
            one.factor,
            grouped(one.equal),
            grouped(one.compared),
            one.largest
        ));
    }
    lines.extend(comparison.reasons.iter().map(|(why, count)| format!("{}: {why}", grouped(*count))));
    let others = [
        (&comparison.only_here, "wait by the log, and sprio did not tell their priorities"),
        (&comparison.only_in_sprio, "have priorities of sprio, and do not wait by the log"),
    ];
    for (jobs, what) in others.into_iter().filter(|(jobs, _)| !jobs.is_empty()) {
        let first = jobs.first().copied().unwrap_or_default();
        lines.push(format!("{} {what}; the first is job {first}", grouped(jobs.len() as u64)));
    }
    lines
}

fn shared(shares: &ShareComparison) -> Vec<String> {
    vec![format!(
        "of {} users that sshare told, {} have the usage within 1 % (the largest difference is {}), and {} of {} the same factor (the \
         largest difference is {:.6})",
        grouped(shares.compared),
        grouped(shares.usage_within_1_percent),
        grouped(shares.largest_usage.round() as u64),
        grouped(shares.equal),
        grouped(shares.factors),
        shares.largest
    )]
}
