use super::*;

const DAY: i64 = 86_400;

fn parts(parameters: &str, trace: Trace) -> Vec<(String, Vec<i64>)> {
    let shaped = shape_with(&file("split", parameters), trace, 1, &[]).unwrap();
    shaped.logs.into_iter().map(|log| (log.part, numbers(&log.trace, Field::Submit))).collect()
}

#[test]
fn a_window_of_days_holds_its_first_instant_and_not_its_last() {
    let trace = submitted(&[0, DAY - 1, DAY, DAY + 5, 2 * DAY]);
    let window = step("window", "days = [1, 2]", trace);
    assert_eq!(numbers(&window, Field::Submit), [DAY, DAY + 5]);
    assert_eq!(numbers(&window, Field::Job), [3, 4]);
    assert_eq!(window.header.unix_start_time, Some(MONDAY));
    assert_eq!(window.calendar.unwrap().unix_start(), MONDAY);
}

#[test]
fn the_zero_stays_unless_a_step_moves_it_to_the_window_or_its_first_job() {
    let cut = |rebase: &str| {
        let trace = submitted(&[0, DAY + 7, DAY + 9]);
        let cut = step("window", &format!("days = '1..2'{rebase}"), trace);
        (numbers(&cut, Field::Submit), cut.calendar.unwrap().unix_start())
    };
    assert_eq!(cut(""), (vec![DAY + 7, DAY + 9], MONDAY));
    assert_eq!(cut("\nrebase = 'none'"), cut(""));
    assert_eq!(cut("\nrebase = 'begin'"), (vec![7, 9], MONDAY + DAY));
    assert_eq!(cut("\nrebase = 'first'"), (vec![0, 2], MONDAY + DAY + 7));
}

#[test]
fn days_are_counted_from_the_zero_the_first_job_or_midnight() {
    // The log begins at 06:00 of a Monday: its first midnight is 18 h later.
    let mut trace = submitted(&[3600, DAY, 2 * DAY]);
    trace.header.unix_start_time = Some(MONDAY + 6 * 3600);
    trace.calendar =
        crate::Calendar::from_header(&trace.header, &"".into(), &mut crate::Findings::lenient()).unwrap();
    let first_day = |origin: &str| {
        let text = format!("days = [0, 1]\norigin = '{origin}'");
        numbers(&step("window", &text, trace.clone()), Field::Submit)
    };
    assert_eq!(first_day("zero"), [3600]);
    assert_eq!(first_day("first"), [3600, DAY]);
    assert_eq!(first_day("midnight"), [3600]);
    let midnight = step("window", "days = [1, 2]\norigin = 'midnight'\nrebase = 'begin'", trace.clone());
    assert_eq!(midnight.header.unix_start_time, Some(MONDAY + DAY));
    assert_eq!(numbers(&midnight, Field::Submit), [6 * 3600]);
    trace.calendar = None;
    let error = refusal("window", "days = [0, 1]\norigin = 'midnight'", trace);
    assert!(error.ends_with("the header has no UnixStartTime; count days from origin = \"zero\""), "{error}");
}

#[test]
fn jobs_are_counted_in_the_order_of_submission_and_stay_in_that_of_the_file() {
    let trace = submitted(&[30, 10, 20, 40]);
    let window = step("window", "jobs = [2, 2]", trace);
    assert_eq!(numbers(&window, Field::Job), [1, 3]);
    assert_eq!(numbers(&window, Field::Submit), [30, 20]);
}

#[test]
fn a_split_numbers_its_windows_and_leaves_out_empty_ones() {
    let trace = submitted(&[0, 1, 3 * DAY, 3 * DAY + 4]);
    let expected = vec![("01".to_owned(), vec![0, 1]), ("04".into(), vec![0, 4])];
    assert_eq!(parts("days = 1\nrebase = 'begin'", trace.clone()), expected);
    assert_eq!(parts("days = 1\npartial = false", trace.clone()), expected[..1]);
    let by_jobs = parts("jobs = 3", trace.clone());
    assert_eq!(by_jobs, [("01".to_owned(), vec![0, 1, 3 * DAY]), ("02".into(), vec![3 * DAY + 4])]);
    assert_eq!(parts("jobs = 3\npartial = false", trace).len(), 1);
}

#[test]
fn a_split_of_a_split_has_two_numbers_and_steps_behind_it_work_on_each_part() {
    let text = "[[step]]\nkind = \"split\"\ndays = 1\nrebase = \"begin\"\n[[step]]\nkind = \"split\"\njobs = 1\n\
                rebase = 'begin'\n[[step]]\nkind = 'shift'\nby = 5";
    let shaped = shape_with(text, submitted(&[0, 9, DAY]), 1, &[]).unwrap();
    let names: Vec<&str> = shaped.logs.iter().map(|log| log.part.as_str()).collect();
    assert_eq!(names, ["01-01", "01-02", "02-01"]);
    assert!(shaped.logs.iter().all(|log| numbers(&log.trace, Field::Submit) == [5]));
    assert_eq!(shaped.reports.len(), 1 + 2 + 3);
    assert_eq!(shaped.reports[5].to_string(), "shift [02-01]: 1 of 1 job moved by 5 s (by=5)");
    assert!(shaped.logs[1].trace.header.notes[1].ends_with("in 2 windows; this is part 2"));
}
