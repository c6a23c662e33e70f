use super::*;

const DAY: i64 = 86_400;

#[test]
fn a_shift_moves_submissions_and_the_calendar_stays_or_follows() {
    let stay = step("shift", "by = '-1m'", submitted(&[60, 90]));
    assert_eq!((numbers(&stay, Field::Submit), stay.header.unix_start_time), (vec![0, 30], Some(MONDAY)));
    let follow = step("shift", "by = 60\ncalendar = 'follow'", submitted(&[60, 90]));
    assert_eq!(
        (numbers(&follow, Field::Submit), follow.header.unix_start_time),
        (vec![120, 150], Some(MONDAY - 60))
    );
    let some = step("shift", "by = 60\nwhere = 'submit > 70'", submitted(&[60, 90]));
    assert_eq!(numbers(&some, Field::Submit), [60, 150]);
    let error = refusal("shift", "by = -61", submitted(&[60, 90]));
    assert!(error.ends_with("the first job, submitted at 60 s, would come before time 0"), "{error}");
}

#[test]
fn a_shift_to_a_weekday_keeps_the_time_of_day_when_the_clock_changes() {
    let first = |weekday: &str, trace: Trace| {
        numbers(&step("shift", &format!("weekday = '{weekday}'"), trace), Field::Submit)[0]
    };
    assert_eq!(first("monday", submitted(&[3600])), 3600);
    assert_eq!(first("wednesday", submitted(&[3600])), 2 * DAY + 3600);
    // 117 days after the start the clock is put back on Sunday 27 October 2024.
    let saturday = 117 * DAY + 3600;
    assert_eq!(first("sunday", submitted(&[saturday])), saturday + DAY);
    assert_eq!(first("monday", submitted(&[saturday])), saturday + 2 * DAY + 3600);
}

fn eligible(trace: &Trace) -> Vec<i64> {
    trace.resource("eligible").unwrap().iter().map(Number::truncated).collect()
}

#[test]
fn held_jobs_are_released_at_an_instant_or_after_a_time() {
    // The log has each job start 5 s after its submission: the starts of held jobs are unknown.
    let until = step("hold", "until = 100", submitted(&[60, 90, 98, 200]));
    assert_eq!(eligible(&until), [40, 10, 2, -1]);
    assert_eq!(numbers(&until, Field::Wait), [-1, -1, 5, 5]);
    assert_eq!(numbers(&until, Field::Submit), [60, 90, 98, 200]);
    let of_queue = step("hold", "for = '1m'\nwhere = 'queue = 1'", submitted(&[60, 90]));
    assert_eq!(eligible(&of_queue), [60, -1]);
    // The site's clock: time 0 is Monday 1 July 2024, 00:00 in Stockholm. The longer hold counts.
    let again = step("hold", "until = '2024-07-01 00:02'", of_queue);
    assert_eq!(eligible(&again), [60, 30]);
    let error = refusal("hold", "until = 'soon'", submitted(&[60]));
    assert!(error.contains("a text such as \"2026-12-01 08:00\" (on the site's clock)"), "{error}");
    let error = refusal("hold", "until = 5\nfor = 5", submitted(&[60]));
    assert!(error.contains("until") && error.contains("for"), "{error}");
    let mut trace = submitted(&[60]);
    trace.calendar = None;
    let error = refusal("hold", "until = '2024-07-01'", trace);
    assert!(error.contains("the header has no UnixStartTime; give `until` in seconds"), "{error}");
}

#[test]
fn noise_stays_within_its_bounds_and_the_order_is_kept() {
    let trace = many(400);
    let shaken = step("shake", "submit = '2000s'\nrun = 10\nestimate = 5", trace.clone());
    let (old, new) = (numbers(&trace, Field::Submit), numbers(&shaken, Field::Submit));
    assert!(new.is_sorted() && new != old);
    assert!(old.iter().zip(&new).all(|(old, new)| (old - new).abs() <= 2000));
    for (field, most) in [(Field::Run, 10), (Field::RequestedTime, 5)] {
        let moved: Vec<i64> =
            numbers(&trace, field).iter().zip(numbers(&shaken, field)).map(|(old, new)| new - old).collect();
        let range = (moved.iter().min().copied(), moved.iter().max().copied());
        assert_eq!(range, (Some(-most), Some(most)), "{field:?}: 400 draws reach both ends");
    }
    let loose = step("shake", "submit = '2000s'\norder = 'change'", trace);
    assert!(!numbers(&loose, Field::Submit).is_sorted());
}

#[test]
fn zero_and_unknown_times_stay_and_others_stay_above_zero() {
    let trace = log(&[(0, 0, 1, -1, 1), (1, 1, 1, 1, 1), (2, -1, 1, 1, 1)]);
    for seed in 0..20 {
        let shaken = shape_with(&file("shake", "run = 50\nestimate = 50"), trace.clone(), seed, &[]).unwrap();
        let run = numbers(&shaken.logs[0].trace, Field::Run);
        assert!(run[0] == 0 && (1..=51).contains(&run[1]) && run[2] == -1, "{run:?}");
        let requested = numbers(&shaken.logs[0].trace, Field::RequestedTime);
        assert!(requested[0] == -1 && requested[1] >= 1, "{requested:?}");
    }
}

#[test]
fn one_quantity_is_shaken_alike_whether_others_are_or_not() {
    let alone = step("shake", "run = 100", many(50));
    let both = step("shake", "run = 100\nsubmit = 10\nestimate = 10", many(50));
    assert_eq!(numbers(&alone, Field::Run), numbers(&both, Field::Run));
    let twice = shape(&[file("shake", "run = 100"), file("shake", "run = 100")].concat(), many(50));
    let first = numbers(&alone, Field::Run);
    let second: Vec<i64> =
        numbers(&twice, Field::Run).iter().zip(&first).map(|(twice, once)| twice - once).collect();
    let moved: Vec<i64> =
        first.iter().zip(numbers(&many(50), Field::Run)).map(|(once, never)| once - never).collect();
    assert_ne!(second, moved, "two steps of a kind draw different numbers");
}
