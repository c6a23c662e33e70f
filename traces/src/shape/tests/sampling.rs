use super::*;

const WEEK: i64 = 7 * 86_400;

#[test]
fn weeks_are_drawn_whole_and_put_one_after_the_other() {
    // Week k has k + 1 jobs, k s after its beginning and so on; one more job ends the third week.
    let trace = submitted(&[0, WEEK + 1, WEEK + 2, 2 * WEEK + 2, 2 * WEEK + 3, 2 * WEEK + 4, 3 * WEEK]);
    let sample = step("sample", "weeks = 40", trace);
    let submits = numbers(&sample, Field::Submit);
    let week =
        |at: i64| submits.iter().filter(|&&submit| submit / WEEK == at).map(|submit| submit % WEEK).collect();
    let mut seen = [0; 3];
    for at in 0..40 {
        let week: Vec<i64> = week(at);
        match week[..] {
            [0] => seen[0] += 1,
            [1, 2] => seen[1] += 1,
            [2, 3, 4] => seen[2] += 1,
            _ => panic!("week {at} holds {week:?}"),
        }
    }
    assert!(seen.iter().all(|&times| times >= 4), "{seen:?}");
    assert_eq!(numbers(&sample, Field::Job), (1..=submits.len() as i64).collect::<Vec<_>>());
    assert!(numbers(&sample, Field::Wait).iter().all(|&wait| wait == -1));
}

#[test]
fn a_week_that_the_log_does_not_cover_is_drawn_only_when_asked() {
    let trace = submitted(&[0, WEEK - 1]);
    let error = refusal("sample", "weeks = 1", trace.clone());
    assert!(error.contains("covers no week from its beginning to its end"), "{error}");
    assert_eq!(step("sample", "weeks = 3\npartial = true", trace).len(), 6);
}

#[test]
fn calendar_weeks_begin_on_monday_and_stay_so() {
    // Time 0 is a Wednesday: Monday is five days later.
    let five = 5 * 86_400;
    let mut trace = submitted(&[0, five + 60, five + WEEK - 60, five + WEEK]);
    trace.header.unix_start_time = Some(MONDAY + 2 * 86_400);
    trace.calendar =
        crate::Calendar::from_header(&trace.header, &"".into(), &mut crate::Findings::lenient()).unwrap();
    let sample = step("sample", "weeks = 2\nweek = 'calendar'", trace);
    assert_eq!(numbers(&sample, Field::Submit), [60, WEEK - 60, WEEK + 60, 2 * WEEK - 60]);
    assert_eq!(sample.header.unix_start_time, Some(MONDAY + WEEK));
}

#[test]
fn predecessors_are_those_of_the_same_copy_and_users_may_be_too() {
    let mut trace = submitted(&[0, 5, WEEK]);
    trace.set_column(Field::Preceding, [-1, 1, 2].map(Number::whole).into_iter().collect());
    trace.set_column(Field::Think, [-1, 3, 3].map(Number::whole).into_iter().collect());
    let sample = step("sample", "weeks = 2\napart = true", trace);
    assert_eq!(numbers(&sample, Field::Preceding), [-1, 1, -1, 3]);
    assert_eq!(numbers(&sample, Field::User), [1, 1, 3, 3]);
    assert_eq!(numbers(&sample, Field::Queue), [1, 0, 1, 0]);
}

#[test]
fn shares_are_exact_and_a_larger_one_adds_to_a_smaller_one() {
    let jobs = |share: &str| numbers(&step("sample", &format!("jobs = {share}"), many(200)), Field::Job);
    let (some, more) = (jobs("0.25"), jobs("0.5"));
    assert_eq!((some.len(), more.len(), jobs("1").len()), (50, 100, 200));
    assert!(some.iter().all(|job| more.contains(job)));
    let users = step("sample", "users = 0.5", many(200));
    let mut left = numbers(&users, Field::User);
    left.sort_unstable();
    left.dedup();
    assert_eq!(left.len(), 12, "half of 23, rounded");
    let kept = numbers(&step("sample", "jobs = 0.1\nwhere = 'user = 3'", many(200)), Field::User);
    assert!(kept.iter().filter(|&&user| user != 3).count() > 180);
}
