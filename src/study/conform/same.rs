//! Comparison of two replays of one case.

use batchlab_traces::{JobId, Workload};

use super::attempt::Played;
use batchlab_engine::outcome::Outcome;
use batchlab_engine::schedule::NodeList;

/// Returns how another replay differs from the first one, if it does: in schedule, error or number of decisions.
pub fn differs(workload: &Workload, first: &Played, other: &Played) -> Option<String> {
    let (one, two) = match (&first.outcome, &other.outcome) {
        (Ok(one), Ok(two)) => (one, two),
        (Err(one), Err(two)) if one == two => return None,
        (one, two) => {
            let words = |ended: &Result<Outcome, String>| match ended {
                Ok(_) => "it comes to its end".to_owned(),
                Err(error) => error.clone(),
            };
            return Some(format!("first: {}; then: {}", words(one), words(two)));
        }
    };
    let workload = one.workload(workload);
    if let Some(job) = workload.jobs().filter(|&job| unlike(one, two, job)).min_by_key(|&job| one.start(job))
    {
        return Some(format!("job {}, {}", workload.number(job), both(one, two, job)));
    }
    if one.intervals != two.intervals || one.epochs != two.epochs {
        return Some("jobs are paused and resumed otherwise".into());
    }
    (one.decisions != two.decisions)
        .then(|| format!("it is asked {} times, then {} times", one.decisions, two.decisions))
}

fn unlike(one: &Outcome, two: &Outcome, job: JobId) -> bool {
    one.start(job) != two.start(job)
        || one.end(job) != two.end(job)
        || one.fate(job) != two.fate(job)
        || !one.places.stays(job).eq(two.places.stays(job))
}

/// Returns the times of a job in two replays, in words.
pub fn both(one: &Outcome, two: &Outcome, job: JobId) -> String {
    let words = |outcome: &Outcome| {
        let nodes = outcome.places.at(job, outcome.start(job));
        let on = if nodes.is_empty() { String::new() } else { format!(" on nodes {}", NodeList(&nodes)) };
        format!("started at {} s{on} and ended at {} s", outcome.start(job), outcome.end(job))
    };
    format!("{}, then {}", words(one), words(two))
}
