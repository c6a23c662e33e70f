use super::*;
use crate::header::Named;

fn secret() -> Trace {
    let mut trace = log(&[(0, 1, 1, 9, 17), (1, 1, 1, 9, 4), (2, 1, 1, 9, 17), (3, 1, 1, 9, -1)]);
    trace.header.queue = vec![Named { number: 1, name: "secret".into() }];
    trace.header.notes = vec!["ask Mary".into()];
    trace.header.lines = vec!["; Computer: small".into(), "; Note: ask Mary".into()];
    trace
}

#[test]
fn numbers_follow_first_appearance_and_names_are_gone() {
    let trace = step("anonymize", "", secret());
    assert_eq!(numbers(&trace, Field::User), [1, 2, 1, -1]);
    assert_eq!(numbers(&trace, Field::Queue), [1, 0, 1, 0], "interactive jobs stay interactive");
    let header = &trace.header;
    assert_eq!((header.computer.as_deref(), header.queue.len()), (None, 0));
    assert_eq!(header.lines, ["; Note: shaped by anonymize seed=1: 4 jobs anonymized"]);
    assert_eq!(header.max_procs.as_ref().map(|procs| procs.count), Some(64));
    assert_eq!(header.unix_start_time, Some(MONDAY));
}

#[test]
fn shuffled_numbers_are_the_same_people_under_other_numbers() {
    let mut seen = crate::sorted::SortedSet::new();
    for seed in 0..20 {
        let shaped = shape_with(&file("anonymize", "numbers = 'shuffle'"), secret(), seed, &[]).unwrap();
        let users = numbers(&shaped.logs[0].trace, Field::User);
        assert!(users[0] == users[2] && users[0] != users[1] && users[3] == -1);
        seen.insert(users);
    }
    assert_eq!(seen.len(), 2, "both orders of two users come up in 20 seeds");
}

#[test]
fn the_calendar_moves_by_whole_weeks_or_goes() {
    let shifted = step("anonymize", "calendar = 'shift'", secret());
    let moved = MONDAY - shifted.header.unix_start_time.unwrap();
    assert!(moved > 0 && moved % (7 * 86_400) == 0 && moved <= 520 * 7 * 86_400);
    let dropped = step("anonymize", "calendar = 'drop'", secret());
    assert!(dropped.calendar.is_none() && dropped.header.time_zone_string.is_none());
}
