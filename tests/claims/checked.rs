//! The verdicts of claims, with the reasons in figures.

use batchlab::report::claims::{Verdict, table};
use batchlab::study::Study;
use batchlab::table::{Style, writer};

use super::{check, frame};

/// The verdict of a claim, and its first reason.
fn said(text: &str) -> (Verdict, String) {
    let checked = check(text);
    (checked.verdict, checked.reasons().swap_remove(0))
}

const AT: &str =
    "workloads = \"log\"\nwhere = { load = 0.7, reading = \"printed\" }\nmetric = \"mean_wait\"\n";

#[test]
fn an_order_is_that_of_estimates_and_may_have_to_be_shown() {
    let (verdict, reason) = said(&format!("{AT}order = [\"SJF\", \"EASY\", \"FCFS\"]\nshown = true"));
    assert_eq!(verdict, Verdict::Holds);
    assert_eq!(
        reason,
        "log, load = 0.7, reading = printed: SJF 84.00 < EASY 103.50 < FCFS 210.50 s; 2 of 2 neighbouring pairs shown (p \
         below 0.001)"
    );
    let (verdict, reason) = said(&format!("{AT}order = [\"EASY\", \"SJF\"]"));
    assert_eq!(verdict, Verdict::DoesNotHold);
    assert!(reason.ends_with("EASY with 103.50 s is not below SJF with 84.00 s"), "{reason}");
    // Input shaking does not give replications: the order can be checked but not shown to be significant.
    let shaken = AT.replace("log", "noise");
    let order = "order = [\"SJF\", \"EASY\"]";
    let (verdict, reason) = said(&format!("{shaken}{order}"));
    assert_eq!(verdict, Verdict::Holds);
    assert!(
        reason.ends_with("0 of 1 neighbouring pairs shown, as input shaking does not give replications"),
        "{reason}"
    );
    assert_eq!(said(&format!("{shaken}{order}\nshown = true")).0, Verdict::CannotBeChecked);
    let (verdict, reason) = said(&format!("{}order = [\"SJF\", \"FCFS\"]", AT.replace("wait", "bsld")));
    assert_eq!(verdict, Verdict::CannotBeChecked);
    assert!(reason.ends_with("FCFS has no value"), "{reason}");
}

#[test]
fn a_claim_holds_at_all_places_or_not_and_readings_are_counted() {
    let checked = check("workloads = \"log\"\nmetric = \"mean_wait\"\norder = [\"SJF\", \"EASY\"]");
    assert_eq!((checked.verdict, checked.parts.len()), (Verdict::DoesNotHold, 6));
    let survival = checked.survival.as_ref().unwrap();
    assert_eq!((survival.holds(), survival.readings[2].1), (2, Verdict::DoesNotHold));
    assert_eq!(
        checked.to_string(),
        "does not hold: claim-1: so\n  \
         log, load = 0.9, reading = loose: SJF with 228 s is not below EASY with 207 s\n  \
         log, load = 0.7, reading = loose: SJF with 114.0 s is not below EASY with 103.5 s\n  \
         it does not hold at 2 of 6 places\n  \
         holds under 2 of 3 values of reading"
    );
}

/// The number of readings under which each claim about `log` holds; `None` if the claim fixes the reading.
#[test]
fn a_claim_that_fixes_the_reading_says_nothing_about_other_readings() {
    let term = |policy: &str, reading: &str| {
        format!("{{ policy = \"{policy}\", workload = \"log\", load = 0.9{reading} }}")
    };
    let condition = |of_a: &str, of_b: &str| {
        let lets = format!("let = {{ a = {}, b = {} }}", term("SJF", of_a), term("EASY", of_b));
        format!("metric = \"mean_wait\"\n{lets}\nexpect = \"a < b\"")
    };
    let (printed, meant) = (", reading = \"printed\"", ", reading = \"meant\"");
    let published = |reading: &str| {
        let lets = format!("let = {{ a = {} }}", term("EASY", reading));
        format!("metric = \"mean_wait\"\n{lets}\nexpect = \"a\"\nvalue = 207\ntolerance = 1")
    };
    let cases = [
        (condition("", ""), Some((2, 3))),
        // Only one side depends on the reading: under each reading, SJF as printed waits less than EASY.
        (condition(printed, ""), Some((3, 3))),
        (condition(printed, printed), None),
        (condition(printed, meant), None),
        (published(""), Some((3, 3))),
        (published(meant), None),
    ];
    for (claim, expected) in cases {
        let checked = check(&claim);
        let counted = checked.survival.as_ref().map(|of| (of.holds(), of.readings.len()));
        assert_eq!(counted, expected, "{claim}");
        assert_eq!(checked.to_string().contains("values of reading"), expected.is_some(), "{checked}");
    }
}

#[test]
fn a_trend_over_the_multiverse_has_no_single_value_to_survive() {
    let frame = frame();
    let load = 0;
    let text =
        "workloads = \"log\"\nwhere = { reading = \"meant\" }\nmetric = \"mean_wait\"\nrises_with = \"load\"";
    let claim = &super::read(text).unwrap()[0];
    let checked = claim.check(&Study::new(&frame), Some(load));
    assert_eq!((checked.verdict, checked.survival), (Verdict::Holds, None));
}

#[test]
fn a_trend_follows_the_numbers_of_the_parameter() {
    let at =
        "workloads = \"log\"\nwhere = { reading = \"meant\" }\nmetric = \"mean_wait\"\npolicies = \"EASY\"\n";
    let (verdict, reason) = said(&format!("{at}rises_with = \"load\"\nstrict = true"));
    assert_eq!(verdict, Verdict::Holds);
    assert_eq!(reason, "log, reading = meant: EASY: 103.5, 207.0 s from load = 0.7 to 0.9");
    let (verdict, reason) = said(&format!("{at}falls_with = \"load\""));
    assert_eq!(verdict, Verdict::DoesNotHold);
    assert!(reason.ends_with("EASY: 103.5 s at load = 0.7, 207.0 s at 0.9"), "{reason}");
}

/// A claim about the ratio of two waits, 103.5 / 210.5 = 0.49169.
fn ratio(workload: &str, rest: &str) -> (Verdict, String) {
    let term = |policy: &str| {
        format!("{{ policy = \"{policy}\", workload = \"{workload}\", load = 0.9, reading = \"meant\" }}")
    };
    let lets = format!("let = {{ a = {}, b = {} }}", term("EASY"), term("FCFS"));
    said(&format!("metric = \"mean_wait\"\n{lets}\n{rest}"))
}

#[test]
fn a_published_number_has_a_tolerance_or_an_interval() {
    let (verdict, reason) = ratio("log", "expect = \"a / b\"\nvalue = 0.5\ntolerance = \"5%\"");
    assert_eq!(verdict, Verdict::Holds);
    let (interval, rest) = reason.split_once(" against ").unwrap();
    assert_eq!(rest, "0.5000 published: 1.66 % off, allowed 5 %");
    assert!(interval.starts_with("0.4917 [0.4") && interval.ends_with(']'), "{interval}");
    let verdict = |rest: &str| ratio("log", &format!("expect = \"a / b\"\n{rest}")).0;
    assert_eq!(verdict("value = 0.5\ntolerance = \"1%\""), Verdict::DoesNotHold);
    assert_eq!(verdict("value = 0.5\ntolerance = 0.01"), Verdict::Holds);
    assert_eq!(verdict("value = 0.492\nwithin = \"interval\""), Verdict::Holds);
    assert_eq!(verdict("value = 0.51\nwithin = \"interval\""), Verdict::DoesNotHold);
    // A single replay has no interval, but it can be compared.
    let (verdict, reason) = ratio("once", "expect = \"a / b\"\nvalue = 0.5\nwithin = \"interval\"");
    assert_eq!(verdict, Verdict::CannotBeChecked);
    assert!(
        reason
            .ends_with("0.5000 against 0.5000 published: there is no interval, as there is one replay only"),
        "{reason}"
    );
    assert_eq!(ratio("once", "expect = \"a / b\"\nvalue = 0.5\ntolerance = 0").0, Verdict::Holds);
    assert_eq!(
        ratio("noise", "expect = \"a / b\"\nvalue = 0.5\nwithin = \"interval\"").0,
        Verdict::CannotBeChecked
    );
}

#[test]
fn a_condition_speaks_of_numbers_by_name() {
    let (verdict, reason) = ratio("log", "expect = \"a < b and b < 10min\"");
    assert_eq!((verdict, reason.as_str()), (Verdict::Holds, "a < b and b < 10min: a = 207, b = 421"));
    assert_eq!(ratio("log", "expect = \"a > b\"").0, Verdict::DoesNotHold);
}

#[test]
fn claims_make_a_table() {
    let frame = frame();
    let specs = super::read(&format!("source = \"Table 1\"\n{AT}order = [\"SJF\", \"EASY\"]")).unwrap();
    let checked: Vec<_> = specs.iter().map(|claim| claim.check(&Study::new(&frame), None)).collect();
    let text = (writer("csv").unwrap().write)(&table(&checked, &frame), &Style::default());
    assert!(
        text.contains("claim,source,verdict,reasons\nso,Table 1,holds,\"log, load = 0.7, reading"),
        "{text}"
    );
}
