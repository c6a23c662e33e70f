//! Orders that depend on users and the machine on real logs: every replay is checked.

use crate::lab::{Case, Log};

fn starts(log: Log, spec: &'static str) -> Option<Vec<batchlab::traces::Time>> {
    Some(Case::new(log, spec).replay()?.outcome.start)
}

/// No job starves because its user's share is never the smallest: every job starts, and the order matters.
#[test]
fn orders_of_users_and_of_what_is_free_run_on_whole_logs() {
    for log in [Log::KTH, Log::SDSC] {
        let Some(plain) = starts(log, "easy") else { return };
        for spec in ["easy:order=drf", "easy:order=fairshare", "easy:candidates=fairshare,half-life=1d"] {
            assert_ne!(starts(log, spec).unwrap(), plain, "{spec}");
        }
    }
}

#[test]
fn the_smallest_memory_goes_first_where_the_log_tells_it() {
    let Some(smf) = starts(Log::LANL_CLEANED, "easy:order=smf") else { return };
    assert_ne!(Some(smf), starts(Log::LANL_CLEANED, "easy"));
}

#[test]
fn limits_hold_on_a_whole_log() {
    let Some(result) = Case::new(Log::SDSC, "limits:policy=easy,user-jobs=4").replay() else { return };
    let workload = &result.workload;
    let mut changes: Vec<(batchlab::traces::Time, i32, i64)> = Vec::new();
    for job in workload.jobs().filter(|&job| result.outcome.start(job) < result.outcome.end(job)) {
        let user = workload.attribute(job, batchlab::traces::Field::User);
        changes.push((result.outcome.start(job), 1, user));
        changes.push((result.outcome.end(job), -1, user));
    }
    changes.sort_unstable();
    let mut running = std::collections::BTreeMap::<i64, i32>::new();
    let mut most = 0;
    for (_, change, user) in changes {
        let jobs = running.entry(user).or_default();
        *jobs += change;
        most = most.max(*jobs);
    }
    assert_eq!(most, 4);
}
