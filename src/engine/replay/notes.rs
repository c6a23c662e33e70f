//! Notes for readers of a row of results.

use batchlab_traces::number::grouped;
use batchlab_traces::sorted::SortedMap;

use crate::outcome::Outcome;

pub const DIFFERENT_JOBS: &str =
    "policies rejected different numbers of jobs, which count in no mean: the means are of different jobs";

/// Returns how many jobs have no slowdown.
pub fn left_out(count: usize) -> Option<String> {
    (count > 0).then(|| format!("slowdown leaves out {} with a run time of 0", jobs(count)))
}

/// Returns how many jobs the policy killed.
pub fn killed(label: &str, count: usize) -> Option<String> {
    (count > 0).then(|| format!("{label}: {} killed; run time is then the service received", jobs(count)))
}

/// Returns the number of jobs that the policy rejected and, if it gave them, the reasons.
pub fn turned_away(
    label: &str,
    count: usize,
    all: usize,
    rejected: &SortedMap<&'static str, u64>,
) -> Option<String> {
    let given = rejected.iter().filter(|(reason, _)| !reason.is_empty());
    let reasons: Vec<String> = match rejected.len() {
        1 => given.map(|(reason, _)| (*reason).to_owned()).collect(),
        _ => given.map(|(reason, count)| format!("{} {reason}", grouped(*count))).collect(),
    };
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    let (turned, all) = (grouped(count as u64), jobs(all));
    let was = if count == 1 { "was" } else { "were" };
    (count > 0).then(|| format!("{label}: {turned} of {all} {was} turned away{reasons}: not measured"))
}

/// Returns what the policy counted.
pub fn counted(label: &str, outcome: &Outcome) -> Vec<String> {
    let tallies = outcome.tallies.iter().map(|(what, count)| format!("{label}: {count} {what}"));
    let ties = outcome.ties.iter().map(|(what, (choices, ties))| {
        let share = 100.0 * *ties as f64 / *choices as f64;
        format!("{label}: {ties} of {choices} {what} ({share:.1} %) were ties")
    });
    tallies.chain(ties).collect()
}

/// Returns a number of jobs in words.
pub fn jobs(count: usize) -> String {
    let digits = grouped(count as u64);
    if count == 1 { format!("{digits} job") } else { format!("{digits} jobs") }
}
