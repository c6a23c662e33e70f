use super::sample::error;

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

/// Checks the place of each error, which is marked in the text, and its words.
fn check(errors: &[(&str, &str)]) {
    for (marked, reason) in errors {
        let (before, rest) = marked.split_once('«').unwrap();
        let (meant, _) = rest.split_once('»').unwrap();
        let (text, blanks) = (marked.replace(['«', '»'], ""), " ".repeat(before.len()));
        assert_eq!(error(&text), format!("{text}\n{blanks}{}\n{reason}", "^".repeat(meant.len().max(1))));
    }
}

#[test]
#[rustfmt::skip]
fn words_of_other_languages_are_told_how_they_are_written_here() {
    check(&[
        ("run > 4«x»", "`x` is no unit; times take ms, s, min, h, d, w, memory B, KB, MB, GB, TB, shares %"),
        ("run > «4 h»", "a unit follows its number without a blank: write `4h`"),
        ("«gpu:a100» > 1", "`:` is not part of a word: write the column's name in backquotes, `gpu:a100`"),
        ("procs > 1 and 2 * «gpu:tesla:t4»",
         "`:` is not part of a word: write the column's name in backquotes, `gpu:tesla:t4`"),
        ("procs «:» 1", "`:` is not part of an expression"),
        ("procs = 1 «&&» user = 2", "`&&` is not part of an expression: write `and`"),
        ("procs = 1 «AND» user = 2", "`AND` is not part of an expression: write `and`"),
        ("«AND»", "`AND` is not part of an expression: write `and`"),
        ("«!»(procs = 1)", "`!` is not part of an expression: write `not`"),
        ("not known(run) «||» true", "`||` is not part of an expression: write `or`"),
        ("2 «**» 3", "`**` is not part of an expression: write `^`"),
        ("procs «=>» 4", "`=>` is not part of an expression: write `>=`"),
        ("procs «mod» 2", "expected an operator or the end, found `mod`"),
        ("7 «%» 2", "`%` is not part of an expression: write 7% for hundredths, a - b * floor(a / b) for a remainder"),
        ("«log(procs)»", "`log` is not part of an expression: write ln, log2 or log10"),
        ("«pow(2, 3)»", "`pow` is not part of an expression: write a^b"),
        ("«Run» > 4", "a trace has no field `Run` (did you mean `run`?)"),
        ("«1e999»", "the number is too large"),
        ("submit = «#»", "`#` is not part of an expression"),
    ]);
}

#[test]
#[rustfmt::skip]
fn what_is_missing_or_too_much_is_named() {
    check(&[
        ("procs >«»", "expected a value, found the end"),
        ("«(»procs > 1", "the closing ) is missing"),
        ("procs > 1«)»", "expected an operator or the end, found `)`"),
        ("procs «1»", "expected an operator or the end, found `1`"),
        (r#"«"»normal"#, r#"the closing " is missing"#),
        ("«`»gpu", "the closing ` is missing"),
        ("2 ^«»", "expected a value, found the end"),
        ("procs in 5«»", "expected a range such as 1..16, or a list such as (1, 2, 3), found the end"),
        ("procs in («)»", "expected a value, found `)`"),
        ("«sqrt(1, 2)»", "write `sqrt(x)`; here 2 arguments are given"),
        ("«min()»", "write `min(a, b, ...)`; here 0 arguments are given"),
        ("known(«1 + 2»)", "expected the name of a field, found `1 + 2`"),
        (r#"date(«"18.12.2006"»)"#, r#"write a date as "2006-12-18" or "2006-12-18 07:00""#),
        ("date(«2006»)", r#"write a date as "2006-12-18" or "2006-12-18 07:00""#),
        ("procs in «16..1»", "the range is empty: its end lies below its start"),
    ]);
}

#[test]
#[rustfmt::skip]
fn texts_stand_for_the_names_that_the_log_gives() {
    check(&[
        (r#"queue = «"norma"»"#,
         "no queue is called `norma` (did you mean `normal`?); the log names interactive, normal (up to 4 h)"),
        (r#"queue > «"normal"»"#,
         "a text can only be compared by `=`, `!=` or `in` with a field that has names (queue, partition)"),
        (r#"partition = «"x"»"#, "the log gives no names to the values of `partition`: compare it with a number"),
        (r#"user = «"alice"»"#, "the log gives no names to the values of `user`: compare it with a number"),
        (r#"«"a"» + 1"#,
         "a text can only be compared by `=`, `!=` or `in` with a field that has names (queue, partition)"),
    ]);
}

#[test]
#[rustfmt::skip]
fn values_that_do_not_go_together_are_refused() {
    check(&[
        ("1 < procs «>» 0", "compared values must go up, down or be equal all the way: join two comparisons by `and`"),
        ("1 = procs < 2 = 3 «>=» 1",
         "compared values must go up, down or be equal all the way: join two comparisons by `and`"),
        ("1 != procs «!=» 2",
         "compared values must go up, down or be equal all the way: join two comparisons by `and`"),
        ("«run > 2GB»", "a time and an amount of memory do not go together here"),
        ("«run + memory»", "a time and an amount of memory do not go together here"),
        ("«procs» and 2",
         "this is a plain number, and a condition is needed; compare it with something, as in `procs > 8`"),
        ("«procs > (user = 3)»", "a plain number and a condition do not go together here"),
        ("not «4»", "this is a plain number, and a condition is needed; compare it with something, as in `procs > 8`"),
        ("-«true»", "this is a condition, and a number is needed; write if(condition, 1, 0)"),
        ("if(«procs», 1, 2)",
         "this is a plain number, and a condition is needed; compare it with something, as in `procs > 8`"),
        ("if(procs > 1, «1, true»)", "a plain number and a condition do not go together here"),
        ("«sqr(4)»", "unknown function `sqr` (did you mean `sqrt`?)"),
        ("«normal(1, 2)»", "`normal` draws at random, and only augmentation may depend on chance"),
        ("procs in (1, «user»)", "this must be a constant"),
        ("procs ^ «run»", "this is a time, and a plain number is needed; divide by a unit, as in `run / 1h`"),
        ("true < «false»", "this is a condition, and a number is needed; write if(condition, 1, 0)"),
        ("«run in (1h, 2GB»)", "a time and an amount of memory do not go together here"),
    ]);
}
