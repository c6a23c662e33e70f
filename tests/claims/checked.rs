use batchlab::report::claims::{Verdict, table};
use batchlab::study::Study;
use batchlab::table::{Style, writer};

use super::{check, frame};

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
        "log, load = 0.7, reading = printed: SJF 84.00 < EASY 103.50 < FCFS 210.50 s; 2 of 2 steps lower, all shown (p below \
         0.001)"
    );
    let (verdict, reason) = said(&format!("{AT}order = [\"EASY\", \"SJF\"]"));
    assert_eq!(verdict, Verdict::DoesNotHold);
    assert!(reason.ends_with("EASY with 103.50 s is not below SJF with 84.00 s"), "{reason}");
    // One is below all others, which are in no order; one of these is below the other.
    let (verdict, reason) = said(&format!("{AT}order = [\"SJF\"]\npolicies = [\"FCFS\", \"SJF\", \"EASY\"]"));
    assert_eq!(verdict, Verdict::Holds);
    assert!(reason.contains(": SJF 84.00 < FCFS 210.50, EASY 103.50 s; 2 of 2 steps lower"), "{reason}");
    let (verdict, reason) = said(&format!("{AT}order = [\"EASY\"]\npolicies = [\"FCFS\", \"SJF\"]"));
    assert_eq!(verdict, Verdict::DoesNotHold);
    assert!(reason.ends_with("EASY with 103.50 s is not below SJF with 84.00 s"), "{reason}");
    // Input shaking does not give replications: the order can be checked but not shown to be significant.
    let shaken = AT.replace("log", "noise");
    let order = "order = [\"SJF\", \"EASY\"]";
    let (verdict, reason) = said(&format!("{shaken}{order}"));
    assert_eq!(verdict, Verdict::Holds);
    assert!(reason.ends_with("; not tested, as input shaking does not give replications"), "{reason}");
    assert_eq!(said(&format!("{shaken}{order}\nshown = true")).0, Verdict::CannotBeChecked);
    let (verdict, reason) = said(&format!("{}order = [\"SJF\", \"FCFS\"]", AT.replace("wait", "bsld")));
    assert_eq!(verdict, Verdict::CannotBeChecked);
    assert!(reason.ends_with("FCFS has no value"), "{reason}");
}

#[test]
fn a_claim_holds_at_all_places_or_not_and_readings_are_counted() {
    let checked = check("workloads = \"log\"\nmetric = \"mean_wait\"\norder = [\"SJF\", \"EASY\"]");
    assert_eq!((checked.verdict, checked.parts.len()), (Verdict::HoldsUnderSome, 6));
    let survival = checked.survival.as_ref().unwrap();
    assert_eq!((survival.holds(), survival.readings[2].1), (2, Verdict::DoesNotHold));
    assert_eq!(
        checked.to_string(),
        "holds under 2 of 3 readings: claim-1: so\n  \
         lower at 4 of 6, shown at 4\n  \
         log, load = 0.9, reading = loose: SJF with 228 s is not below EASY with 207 s\n  \
         log, load = 0.7, reading = loose: SJF with 114.0 s is not below EASY with 103.5 s\n  \
         holds under 2 of 3 values of reading: printed, meant"
    );
}

#[test]
fn a_claim_may_have_several_forms_and_each_is_a_reading() {
    // At load 0.7 a mean wait of 103.5 s against 210.5 s: 1 - a / b is 0.508, b / a - 1 is 1.034.
    let term = |policy: &str| {
        format!("{{ policy = \"{policy}\", workload = \"log\", load = 0.7, reading = \"meant\" }}")
    };
    let gain = format!(
        "metric = \"mean_wait\"\nlet = {{ a = {}, b = {} }}\nexpect = {{ \"saved\" = \"1 - a / b\", \"gained\" = \"b / a - \
         1\" }}\nvalue = 1.0\ntolerance = \"10%\"",
        term("EASY"),
        term("FCFS")
    );
    let checked = check(&gain);
    let survival = checked.survival.as_ref().unwrap();
    let verdicts = [("saved", Verdict::DoesNotHold), ("gained", Verdict::Holds)];
    assert_eq!(survival.readings, verdicts.map(|(name, verdict)| (name.to_owned(), verdict)));
    assert_eq!((checked.words().as_str(), checked.published), ("holds under 1 of 2 readings", Some(1.0)));
    assert!(checked.parts[0].measured.unwrap().interval.is_some());
    // The form decides: a cause, and its opposite is none.
    let cause = |with: &str, without: &str| {
        let cause =
            format!("cause = {{ says = \"the formula\", with = \"{with}\", without = \"{without}\" }}");
        check(&format!("{gain}\n{cause}")).cause.unwrap().words()
    };
    assert_eq!(cause("gained", "saved"), "cause: the formula");
    assert_eq!(cause("saved", "gained"), "tried, and not the cause: the formula");
}

#[test]
fn a_cause_is_a_reading_that_switches_the_verdict() {
    let claim = |with: &str, without: &str| {
        let cause =
            format!("cause = {{ says = \"how it is read\", with = \"{with}\", without = \"{without}\" }}");
        check(&format!("workloads = \"log\"\nmetric = \"mean_wait\"\norder = [\"SJF\", \"EASY\"]\n{cause}"))
    };
    assert!(claim("printed", "loose").cause.unwrap().found);
    assert!(!claim("printed", "meant").cause.unwrap().found);
    let only = "workloads = \"log\"\nmetric = \"mean_wait\"\norder = [\"SJF\", \"EASY\"]\nreadings = [\"printed\", \"meant\"]";
    assert_eq!(check(only).verdict, Verdict::Holds);
}

#[test]
fn what_is_neither_shown_nor_contradicted_is_open_and_says_how_many_units_would_do() {
    // Units of SJF and EASY differ by 19 to 20 s at load 0.7, and by 20 s on the mean: always below.
    let term = |policy: &str| {
        format!("{{ policy = \"{policy}\", workload = \"log\", load = 0.7, reading = \"meant\" }}")
    };
    let said = |expect: &str, rest: &str| {
        let lets = format!("let = {{ a = {}, b = {} }}", term("SJF"), term("FCFS"));
        said(&format!("metric = \"mean_wait\"\n{lets}\nexpect = \"{expect}\"\nshown = true\n{rest}"))
    };
    assert_eq!(said("a < b", "").0, Verdict::Holds);
    assert_eq!(said("a > b", "").0, Verdict::DoesNotHold);
    // SJF has 84 s, and its units 80 to 88 s.
    let (verdict, reason) = said("a > 83.5 + 0 * b", "");
    assert_eq!(verdict, Verdict::Open, "{reason}");
    assert!(reason.contains("8 units do not decide, about "), "{reason}");
    let (verdict, reason) = said("a + 0 * b", "value = 85\ntolerance = 2");
    assert_eq!(verdict, Verdict::Open, "{reason}");
    assert!(reason.contains("8 units do not decide, about "), "{reason}");
    assert_eq!(said("a + 0 * b", "value = 84\ntolerance = 5").0, Verdict::Holds);
    assert_eq!(said("a + 0 * b", "value = 64\ntolerance = 5").0, Verdict::DoesNotHold);
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
fn the_ends_of_a_published_range_are_its_limits() {
    let of = |rest: &str| ratio("log", &format!("expect = \"a / b\"\n{rest}"));
    let (verdict, reason) = of("value = [0.4, 0.5]");
    assert!(
        verdict == Verdict::Holds && reason.ends_with("] against 0.4 to 0.5 published: within"),
        "{reason}"
    );
    let (verdict, reason) = of("asserted = [\"1 / 2\", 0.6]");
    assert!(
        verdict == Verdict::DoesNotHold && reason.ends_with("] against 0.5 to 0.6 asserted: outside"),
        "{reason}"
    );
    assert_eq!(of("value = [0.492, 0.6]\nwithin = \"interval\"").0, Verdict::Holds);
    assert_eq!(of("value = [0.51, 0.6]\nwithin = \"interval\"").0, Verdict::DoesNotHold);
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

/// What comes of an order of EASY and SJF, each with these values in four windows.
fn ordered(easy: [f64; 4], sjf: [f64; 4], order: &str) -> (Verdict, String) {
    let mut frame = frame();
    frame.rows.retain(|row| row.workload != 0 || row.unit < Some(4));
    for row in frame.rows.iter_mut().filter(|row| row.workload == 0) {
        let unit = row.unit.unwrap() as usize;
        row.values[0] = Some(if row.policy == 0 { easy[unit] } else { sjf[unit] });
    }
    let claim = &super::read(&format!("{AT}{order}")).unwrap()[0];
    let checked = claim.check(&Study::new(&frame), None);
    let reason = checked.reasons().swap_remove(0);
    (checked.verdict, reason.replace("log, load = 0.7, reading = printed: ", ""))
}

#[test]
fn at_most_and_equal_are_judged_by_values_and_intervals() {
    use Verdict::{DoesNotHold, Holds, Open};
    // Neighbouring windows are not alike, so that each counts.
    let base = [100.0, 400.0, 200.0, 300.0];
    // 1 % above in the mean, and in two of four windows.
    let near = [110.0, 400.0, 190.0, 310.0];
    // 10 % above in every window, nearly.
    let above = [110.0, 440.0, 221.0, 329.0];
    let at_most = |rest: &str| format!("order = [\"EASY\", \"<=\", \"SJF\"]\n{rest}");
    let equal = |rest: &str| format!("order = [\"EASY\", \"=\", \"SJF\"]\n{rest}");
    let five = "tolerance = \"5%\"\n";
    for (easy, order, verdict) in [
        (base, at_most(""), Holds),
        (base, equal(""), Holds),
        (base, equal("shown = true"), Holds),
        // Above, and not shown to be: nothing is decided without a tolerance.
        (near, at_most(""), Open),
        (near, equal(""), Open),
        (near, at_most(five), Holds),
        (near, equal(five), Holds),
        // Four windows do not show it.
        (near, equal("tolerance = \"5%\"\nshown = true"), Open),
        (near, equal("tolerance = \"30%\"\nshown = true"), Holds),
        (above, at_most(""), DoesNotHold),
        (above, at_most(five), DoesNotHold),
        (above, equal(five), DoesNotHold),
        (above, at_most("tolerance = \"15%\"\nshown = true"), Holds),
        (above, equal("tolerance = 30"), Holds),
        (above, equal("tolerance = 10"), Open),
        (above, equal("tolerance = 1"), DoesNotHold),
    ] {
        let (found, reason) = ordered(easy, base, &order);
        assert_eq!(found, verdict, "{order}: {reason}");
    }
    let below = [90.0, 360.0, 181.0, 269.0];
    assert_eq!(ordered(below, base, &at_most("shown = true")).0, Holds);
    assert_eq!(ordered(below, base, &equal("")).0, DoesNotHold);
}

#[test]
fn the_reason_of_a_margin_has_the_interval_and_what_was_allowed() {
    let base = [100.0, 200.0, 300.0, 400.0];
    let near = [110.0, 190.0, 310.0, 400.0];
    let order = |rest: &str| ordered(near, base, &format!("order = [\"EASY\", \"<=\", \"SJF\"]\n{rest}")).1;
    let measured = order("");
    assert!(measured.starts_with("EASY <= SJF: ratio 1.0194 ["), "{measured}");
    assert!(measured.ends_with(", allowed up to 1: 4 units do not decide, about 110 would"), "{measured}");
    let told = order("tolerance = \"5%\"");
    assert!(told.starts_with("EASY 252.5 <= SJF 250.0 s; EASY <= SJF: ratio 1.0194 ["), "{told}");
    assert!(told.ends_with("], allowed up to 1.05"), "{told}");
    // One replay has no interval: its values decide.
    let once = AT.replace("log", "once");
    let claim = |order: &str| said(&format!("{once}{order}"));
    let (verdict, reason) = claim("order = [\"EASY\", \"<=\", \"SJF\"]");
    assert_eq!(verdict, Verdict::DoesNotHold);
    assert!(reason.ends_with("EASY <= SJF: ratio 1.25, allowed up to 1: beyond the margin"), "{reason}");
    assert_eq!(claim("order = [\"SJF\", \"<=\", \"EASY\"]").0, Verdict::Holds);
    let (verdict, reason) = claim("order = [\"SJF\", \"<=\", \"EASY\"]\nshown = true");
    assert_eq!(verdict, Verdict::CannotBeChecked);
    assert!(reason.ends_with("not shown, as there is one replay only"), "{reason}");
}

#[test]
fn signs_may_stand_between_some_of_the_policies() {
    let (verdict, reason) = said(&format!("{AT}order = [\"SJF\", \"<=\", \"EASY\", \"FCFS\"]"));
    assert_eq!(verdict, Verdict::Holds);
    assert!(
        reason.contains("SJF 84.00 <= EASY 103.50 < FCFS 210.50 s; shown (p below 0.001); SJF <= "),
        "{reason}"
    );
}

#[test]
fn a_number_without_a_parameter_is_compared_at_every_point() {
    // 103.5 s at load 0.7 under every reading, and twice as much at 0.9.
    let lets = "let = { a = { policy = \"EASY\", metric = \"mean_wait\" } }\nexpect = \"a\"\nvalue = 103.5\n";
    let checked = check(&format!("workloads = \"log\"\n{lets}tolerance = 1"));
    let verdicts: Vec<Verdict> = checked.parts.iter().map(|part| part.verdict).collect();
    // By reading, and of each at load 0.9 and 0.7.
    assert_eq!(verdicts, [[Verdict::DoesNotHold, Verdict::Holds]; 3].concat());
    assert_eq!(checked.parts[1].place, "log, load = 0.7, reading = printed");
    assert_eq!(
        check(&format!("workloads = \"log\"\nwhere = {{ load = 0.7 }}\n{lets}tolerance = 1")).verdict,
        Verdict::Holds
    );
    let ratio =
        "let = { a = { policy = \"SJF\" }, b = { policy = \"EASY\" } }\nexpect = \"a / b\"\nvalue = 0.81\n";
    let at = "workloads = [\"log\", \"once\"]\nwhere = { reading = [\"printed\", \"meant\"] }\nmetric = \"mean_wait\"\n";
    let checked = check(&format!("{at}{ratio}tolerance = \"2%\""));
    assert_eq!((checked.verdict, checked.parts.len()), (Verdict::Holds, 8));
}

#[test]
fn what_nothing_can_check_is_listed_with_its_reason() {
    let checked = check("source = \"section 4\"\nuncheckable = \"the arrival rate is not given\"");
    assert_eq!((checked.verdict, checked.parts.len()), (Verdict::CannotBeChecked, 1));
    assert_eq!(
        checked.to_string(),
        "cannot be checked: claim-1: so (section 4)\n  the arrival rate is not given"
    );
    assert_eq!(checked.survival, None);
}
