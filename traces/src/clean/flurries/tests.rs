use super::*;
use crate::Header;
use crate::trace::trace_of;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// Ten users submit a job each every eight hours, for a number of weeks.
fn steady(weeks: i64) -> Vec<(i64, i64)> {
    let jobs =
        (0..weeks * 21).flat_map(|shift| (0..10).map(move |user| (shift * 8 * HOUR + user * 60, user)));
    jobs.collect()
}

fn trace(mut jobs: Vec<(i64, i64)>) -> Trace {
    jobs.sort_unstable();
    let rows = jobs.into_iter().map(|(submit, user)| [submit, user]);
    trace_of(Header::default(), [Field::Submit, Field::User], rows)
}

/// User, jobs, first and last submission of each flurry.
fn found(trace: &Trace, criterion: &Criterion) -> Vec<(i64, usize, i64, i64)> {
    let secs = |time: Time| time.ticks() / crate::time::TICKS_PER_SECOND;
    let all = flurries(trace, criterion).into_iter();
    all.map(|flurry| (flurry.user, flurry.rows.len(), secs(flurry.first), secs(flurry.last))).collect()
}

#[test]
fn a_steady_log_has_none() {
    assert_eq!(found(&trace(steady(8)), &Criterion::default()), []);
}

#[test]
fn one_user_alone_outnumbers_nobody() {
    let alone = trace((0..5_000).map(|job| (job * 2_000, 7)).collect());
    assert_eq!(found(&alone, &Criterion::default()), []);
}

#[test]
fn a_burst_of_a_user_is_told_from_the_users_other_jobs() {
    let mut jobs = steady(8);
    let start = 20 * DAY + 5 * HOUR;
    // 300 jobs within five hours, among 210 jobs of a week; user 3 submits as usual before and after.
    jobs.extend((0..300).map(|job| (start + job * 60, 3)));
    // At 20 days + 8 hours user 3 submits a usual job in the middle of the burst: it cannot be distinguished.
    let log = trace(jobs);
    assert_eq!(found(&log, &Criterion::default()), [(3, 301, start, start + 299 * 60)]);
    let flurry = &flurries(&log, &Criterion::default())[0];
    assert!(flurry.rows.iter().all(|&row| log.get(row as usize, Field::User).truncated() == 3));
    // Nine other users submit at 20 days + 8 hours.
    assert_eq!(flurry.among, 310);
}

#[test]
fn a_burst_with_nights_is_one_flurry() {
    let mut jobs = steady(8);
    let nightly = |day: i64| (0..100).map(move |job| (day * DAY + 9 * HOUR + job * 120, 77));
    jobs.extend((10..14).flat_map(nightly));
    let log = trace(jobs);
    let first = 10 * DAY + 9 * HOUR;
    assert_eq!(found(&log, &Criterion::default()), [(77, 400, first, 13 * DAY + 9 * HOUR + 99 * 120)]);
}

#[test]
fn share_window_and_number_decide() {
    let mut jobs = steady(8);
    jobs.extend((0..150).map(|job| (20 * DAY + 5 * HOUR + job * 30, 5)));
    let log = trace(jobs);
    // 150 of the 360 jobs of the week, and of about 165 jobs of the day.
    assert_eq!(found(&log, &Criterion::default()), []);
    let daily = Criterion { window: Time::from_secs(DAY), ..Criterion::default() };
    assert_eq!(found(&log, &daily).len(), 1);
    assert_eq!(found(&log, &Criterion { user_share: 0.3, ..Criterion::default() }).len(), 1);
    assert_eq!(found(&log, &Criterion { jobs: 151, ..daily }), []);
}

#[test]
fn jobs_in_one_second_and_jobs_without_a_user_do_no_harm() {
    let mut jobs = steady(4);
    jobs.extend((0..500).map(|_| (10 * DAY + HOUR, 4)));
    jobs.extend((0..500).map(|job| (12 * DAY + job, -1)));
    assert_eq!(found(&trace(jobs), &Criterion::default()), [(4, 500, 10 * DAY + HOUR, 10 * DAY + HOUR)]);
    assert_eq!(found(&trace(Vec::new()), &Criterion::default()), []);
    assert_eq!(found(&trace(vec![(0, 1)]), &Criterion { jobs: 0, ..Criterion::default() }), []);
}
