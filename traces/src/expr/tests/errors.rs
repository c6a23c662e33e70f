use super::sample::{error, rows};

#[test]
fn an_error_shows_the_place_the_reason_and_the_nearest_name() {
    assert_eq!(
        error("procs = 1 and rum > 4h"),
        "procs = 1 and rum > 4h\n              ^^^\na trace has no field `rum` (did you mean `run`?)"
    );
}

#[test]
fn carets_stand_under_the_characters_meant() {
    // Two-byte and four-byte characters before the place.
    assert_eq!(error("queue != \"\u{fc}\" and rum = 1").lines().nth(1), Some("         ^^^"),);
    assert_eq!(error("\"\u{fc}\u{1F600}\" = rum").lines().nth(1), Some("^^^^"),);
}

#[test]
fn only_the_line_meant_is_shown_and_long_lines_are_cut() {
    assert_eq!(
        error("procs = 1\n\tand rum > 4h\nand user = 3"),
        " and rum > 4h\n     ^^^\na trace has no field `rum` (did you mean `run`?)"
    );
    let long = format!("{}rum{}", "user + ".repeat(20), " + user".repeat(20));
    let shown = error(&long);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("...") && lines[0].len() < 130, "{shown}");
    assert_eq!(&lines[0][lines[1].find('^').unwrap()..][..3], "rum");
}

/// The place of each error is marked in its row.
#[test]
fn errors_are_at_their_places_and_say_what_to_write() {
    for (marked, reason) in rows("errors") {
        let (before, rest) = marked.split_once('«').unwrap();
        let (meant, _) = rest.split_once('»').unwrap();
        let (text, blanks) = (marked.replace(['«', '»'], ""), " ".repeat(before.len()));
        assert_eq!(error(&text), format!("{text}\n{blanks}{}\n{reason}", "^".repeat(meant.len().max(1))));
    }
}
