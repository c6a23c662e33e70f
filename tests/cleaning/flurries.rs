//! Tests that bursts inserted into KTH-SP2 are found with exactly their jobs.

use std::collections::BTreeSet;

use batchlab::traces::clean::Rules;
use batchlab::traces::clean::flurries::{Criterion, flurries};
use batchlab::traces::seed::{stream, unit};
use batchlab::traces::{Field, Number, Record, Time, Trace};

use super::with_records;
use crate::lab::Log;

/// Inserted jobs are numbered from here.
const OURS: i64 = 1_000_000;

/// The trace with `jobs` inserted jobs of a user, submitted from `start` on with exponential gaps of mean `gap`.
fn with_burst(trace: &Trace, user: i64, start: i64, jobs: i64, gap: f64) -> Trace {
    let mut records: Vec<Record> = Vec::new();
    for row in 0..trace.len() {
        let mut record = Record::default();
        trace.record(row, &mut record);
        records.push(record);
    }
    let (mut random, mut at) = (stream(7, "burst"), start as f64);
    for job in 0..jobs {
        let mut record = records[0].clone();
        record.set_whole(Field::Job, OURS + job);
        record.set_whole(Field::Submit, at as i64);
        record.set_whole(Field::User, user);
        records.push(record);
        at -= gap * (1.0 - unit(&mut random)).ln();
    }
    with_records(trace, &records)
}

fn found(trace: &Trace) -> BTreeSet<i64> {
    let rows = flurries(trace, &Criterion::default()).into_iter().flat_map(|flurry| flurry.rows);
    rows.map(|row| trace.get(row as usize, Field::Job).truncated()).collect()
}

#[test]
fn kth_itself_has_none() {
    let Some(kth) = Log::KTH_CLEANED.trace() else { return };
    assert_eq!(found(&kth), BTreeSet::new());
}

#[test]
fn a_burst_of_a_new_user_is_found_whole_wherever_it_is() {
    let Some(kth) = Log::KTH_CLEANED.trace() else { return };
    for (start, jobs, gap) in [(5_000_000, 2000, 10.0), (12_345_678, 1500, 60.0), (20_000_000, 3000, 120.0)] {
        let burst = with_burst(&kth, 999, start, jobs, gap);
        assert!(found(&burst) == (OURS..OURS + jobs).collect(), "{jobs} jobs every {gap} s");
    }
}

#[test]
fn a_burst_of_a_known_user_is_distinguished_from_that_users_other_jobs() {
    let Some(kth) = Log::KTH_CLEANED.trace() else { return };
    // The users with the most jobs, and a few users with fewer.
    for user in [92, 18, 65, 3, 120] {
        let start = 15_000_000;
        let burst = with_burst(&kth, user, start, 1500, 20.0);
        let found = found(&burst);
        let missed = (OURS..OURS + 1500).filter(|job| !found.contains(job)).count();
        assert_eq!(missed, 0, "user {user}");
        // The only other jobs found are the user's own jobs submitted during the burst or within minutes of it.
        let near = |row: &usize| {
            let submit = burst.time(*row, Field::Submit);
            let own = burst.get(*row, Field::User).truncated() == user;
            own && submit >= Time::from_secs(start - 300)
                && submit <= Time::from_secs(start + 1500 * 22 + 300)
        };
        let allowed: BTreeSet<i64> =
            (0..burst.len()).filter(near).map(|row| burst.get(row, Field::Job).truncated()).collect();
        assert!(
            found.is_subset(&allowed),
            "user {user}: {:?}",
            found.difference(&allowed).collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_rule_takes_the_burst_out_and_leaves_kth_as_it_was() {
    let Some(kth) = Log::KTH_CLEANED.trace() else { return };
    let rules: Rules =
        "[[rule]]\nid = 'flurries'\nbecause = 'a mean over the log shall not be a mean over one user'\n\
                        drop = 'flurries(user_share=0.5, window=7d)'\n"
            .parse()
            .unwrap();
    let cleaned = rules.apply(&with_burst(&kth, 999, 5_000_000, 2000, 10.0)).unwrap();
    assert_eq!(cleaned.report.rules[0].count, 2000);
    let numbers = |trace: &Trace| trace.column(Field::Job).iter().map(Number::truncated).collect::<Vec<_>>();
    assert_eq!(numbers(&cleaned.trace), numbers(&kth));
}
