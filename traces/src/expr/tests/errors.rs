//! What is said about wrong expressions, word for word.

use super::sample::error;

#[test]
fn an_error_shows_the_place_the_reason_and_the_nearest_name() {
    let text = "rum > 4h and procs = 1";
    assert_eq!(
        error(text),
        "rum > 4h and procs = 1\n\
         ^^^\n\
         a trace has no field `rum` (did you mean `run`?)"
    );
}
