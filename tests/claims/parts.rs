//! Claims that are part of others, and claims about such parts.

use batchlab::report::claims::{Checked, Verdict, check_all};
use batchlab::study::Study;

use super::{READING, frame, frame_of, read};

/// Claims that EASY waits less than a number of seconds at load 0.7, where it waits 103.5 s; each is part of `table`.
fn table(bounds: &[&str], share: &str) -> Vec<Checked> {
    let part = |bound: &&str| {
        format!(
            "[[claim]]\nsays = \"x\"\npart_of = \"table\"\nmetric = \"mean_wait\"\nlet = {{ a = {{ policy = \"EASY\", \
             workload = \"log\", load = 0.7, reading = \"meant\" }} }}\n{bound}\n"
        )
    };
    let parts: String = bounds.iter().map(part).collect();
    let frame = frame();
    let specs = read(&format!("name = \"table\"\nparts_hold = \"{share}\"\n{parts}")).unwrap();
    check_all(&specs, &Study::new(&frame), Some(READING))
}

const TRUE: &str = "expect = \"a < 200\"";
const FALSE: &str = "expect = \"a < 100\"";
/// The interval of the mean is about 102 to 105 s.
const OPEN: &str = "expect = \"a < 103\"\nshown = true";
const UNKNOWN: &str = "expect = \"a / 0\"\nvalue = 1\ntolerance = 1";

#[test]
fn a_share_of_the_decided_parts_has_to_hold_whatever_the_open_ones_become() {
    let said = |bounds: &[&str], share: &str| {
        let checked = table(bounds, share).swap_remove(0);
        (checked.verdict, checked.parts[0].reason.clone())
    };
    assert_eq!(
        said(&[TRUE, TRUE, TRUE, FALSE], "75%"),
        (Verdict::Holds, "3 of 4 hold; at least 75 % are needed".into())
    );
    assert_eq!(said(&[TRUE, TRUE, TRUE, FALSE], "80%").0, Verdict::DoesNotHold);
    // Of four, three or four will hold.
    assert_eq!(
        said(&[TRUE, TRUE, TRUE, OPEN], "80%"),
        (Verdict::Open, "3 of 3 hold, 1 open; at least 80 % are needed".into())
    );
    assert_eq!(said(&[TRUE, TRUE, TRUE, OPEN], "75%").0, Verdict::Holds);
    assert_eq!(said(&[FALSE, OPEN], "80%").0, Verdict::DoesNotHold);
    assert_eq!(said(&[OPEN], "80%").0, Verdict::Open);
    assert_eq!(
        said(&[], "80%"),
        (Verdict::CannotBeChecked, "no claim of the experiment is part of it".into())
    );
    assert_eq!(said(&[UNKNOWN], "80%").0, Verdict::CannotBeChecked);
    assert_eq!(said(&[TRUE, UNKNOWN], "80%").0, Verdict::Holds);
}

#[test]
fn parts_that_depend_on_the_reading_are_counted_under_each() {
    // SJF waits less than EASY as printed and as meant, and more if read loosely; EASY always waits less than FCFS.
    let order = |name: &str, low: &str, high: &str| {
        format!(
            "[[claim]]\nname = \"{name}\"\nsays = \"x\"\npart_of = \"orders\"\nworkloads = \"log\"\nmetric = \"mean_wait\"\n\
             order = [\"{low}\", \"{high}\"]\n"
        )
    };
    let fixed = "[[claim]]\nsays = \"x\"\npart_of = \"orders\"\nworkloads = \"log\"\nwhere = { reading = \"meant\" }\n\
                 metric = \"mean_wait\"\norder = [\"SJF\", \"EASY\"]\n";
    let text = format!(
        "name = \"all\"\nparts_hold = \"100%\"\n[[claim]]\nname = \"orders\"\nsays = \"x\"\npart_of = \"all\"\nparts_hold = \
         \"100%\"\n{}{}{fixed}",
        order("one", "SJF", "EASY"),
        order("two", "EASY", "FCFS")
    );
    let frame = frame();
    let checked = check_all(&read(&text).unwrap(), &Study::new(&frame), Some(READING));
    let orders = &checked[1];
    assert_eq!((orders.name.as_str(), orders.words().as_str()), ("orders", "holds under 2 of 3 readings"));
    let told = |at: usize| format!("{}: {}", orders.parts[at].place, orders.parts[at].reason);
    assert_eq!(told(0), "reading = printed: 3 of 3 hold; at least 100 % are needed");
    assert_eq!(told(2), "reading = loose: 2 of 3 hold; at least 100 % are needed");
    assert_eq!(orders.parts[2].reading.as_deref(), Some("loose"));
    // A claim about a claim about parts is judged after it.
    assert_eq!((checked[0].words().as_str(), checked[0].parts.len()), ("holds under 2 of 3 readings", 3));
}

#[test]
fn names_of_statements_are_checked() {
    let claim = |name: &str, part_of: &str| {
        format!("[[claim]]\nsays = \"x\"\nname = \"{name}\"\npart_of = \"{part_of}\"\nuncheckable = \"so\"\n")
    };
    let read =
        |claims: &[String]| read(&format!("name = \"first\"\nuncheckable = \"so\"\n{}", claims.concat()));
    assert_eq!(read(&[claim("a", "first"), claim("b", "other/claim")]).unwrap().len(), 3);
    let refused = |claims: &[String]| read(claims).map(|_| ()).unwrap_err();
    assert!(
        refused(&[claim("a", "frist")])
            .starts_with("e.toml:8:11: part_of: unknown `frist` (did you mean `first`?)")
    );
    assert!(refused(&[claim("a", "a")]).contains("part_of: `a` would be a part of itself"));
    assert!(refused(&[claim("a", "b"), claim("b", "a")]).contains("part_of: `a` would be a part of itself"));
    assert!(refused(&[claim("a", "/b")]).contains("a claim of another experiment is EXPERIMENT/NAME"));
}

#[test]
fn a_share_is_per_cent_and_a_cell_needs_a_value() {
    let refused = |text: &str| read(text).map(|_| ()).unwrap_err();
    for share in ["0%", "101%", "0.8", "most"] {
        let error = refused(&format!("parts_hold = \"{share}\""));
        assert!(error.contains("`parts_hold` must be per cent up to 100"), "{error}");
    }
    assert!(
        refused("parts_hold = \"80%\"\nmetric = \"mean_wait\"")
            .contains("`metric` does not go with `parts_hold`")
    );
    let condition = "let = { a = { policy = \"EASY\", metric = \"mean_wait\" } }\nexpect = \"a < 1\"\n";
    let cell = "cell = { table = \"Table 1\", row = \"w = 4\", column = \"BGS\" }";
    assert!(refused(&format!("{condition}{cell}")).contains("`cell` needs `value`"));
    assert!(refused("cell = { table = \"Table 1\", row = \"w = 4\" }").contains("column"));
}

/// Waits in six windows under EASY at the loads 0.7 and 0.9.
fn trend(low: [f64; 6], high: [f64; 6], rest: &str) -> (Verdict, String) {
    let frame = frame_of(&low, &high);
    let text = format!(
        "workloads = \"log\"\nwhere = {{ reading = \"meant\" }}\nmetric = \"mean_wait\"\npolicies = \"EASY\"\nrises_with = \
         \"load\"\nshown = true\n{rest}"
    );
    let checked = read(&text).unwrap()[0].check(&Study::new(&frame), None);
    (checked.verdict, checked.parts[0].reason.clone())
}

#[test]
fn a_trend_that_has_to_be_shown_is_contradicted_only_by_a_test() {
    let base = [100.0, 110.0, 120.0, 130.0, 140.0, 150.0];
    // About 1.5 times as long in each window.
    let above = [151.0, 164.0, 180.0, 196.0, 211.0, 224.0];
    // Longer in some windows and shorter in others.
    let near = [110.0, 101.0, 131.0, 121.0, 152.0, 143.0];
    let (verdict, told) = trend(base, above, "");
    assert_eq!(verdict, Verdict::Holds);
    assert_eq!(told, "EASY: 125.0, 187.7 s from load = 0.7 to 0.9; shown (p below 0.001)");
    let (verdict, told) = trend(above, base, "");
    assert_eq!(verdict, Verdict::DoesNotHold);
    assert_eq!(told, "EASY: 187.7 s at load = 0.7, 125.0 s at 0.9: shown (p below 0.001)");
    for (low, high) in [(base, near), (near, base)] {
        let (verdict, told) = trend(low, high, "");
        assert_eq!(verdict, Verdict::Open, "{told}");
        assert!(told.contains("6 units do not decide, about "), "{told}");
    }
    // Nothing differs: it does not rise, and need not.
    assert_eq!(trend(base, base, "").0, Verdict::Holds);
    assert_ne!(trend(base, base, "strict = true").0, Verdict::Holds);
}
