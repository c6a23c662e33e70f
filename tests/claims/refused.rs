//! Tests that invalid claims are refused, with their line, before anything runs.

use super::read;

#[test]
fn errors_are_reported_with_their_line() {
    let lets =
        "let = { a = { policy = \"EASY\", metric = \"mean_wait\", workload = \"log\", load = 0.9 } }\n";
    let cases = [
        (
            "metric = \"mean_wait\"".to_owned(),
            "e.toml:1:1: the claim asserts nothing: it needs one of `order`",
        ),
        ("oder = [\"SJF\"]".into(), "e.toml:3:1: unknown key `oder` (did you mean `order`?)"),
        ("order = [\"EASY\", \"SFJ\"]".into(), "e.toml:3:9: order: unknown `SFJ` (did you mean `SJF`?)"),
        ("order = [\"EASY\", \"SJF\"]".into(), "the claim needs `metric`"),
        (
            "metric = \"mean_wiat\"\norder = [\"EASY\", \"SJF\"]".into(),
            "unknown `mean_wiat` (did you mean `mean_wait`?)",
        ),
        (
            "metric = \"mean_response\"\norder = [\"EASY\", \"SJF\"]".into(),
            "metric: `mean_response` is not measured: add it to `metrics` in [measure]",
        ),
        (
            lets.replace("mean_wait", "p95_wait@wide") + "expect = \"a < 1\"",
            "metric: `p95_wait` is not measured: add it to `metrics` in [measure]",
        ),
        (
            lets.replace("mean_wait", "mean_wait@wide") + "expect = \"a < 1\"",
            "mean_wait is not measured of a class `wide`: add the class to `classes` in [measure]",
        ),
        ("metric = \"mean_wait\"\norder = \"EASY\"".into(), "an order has two policies or more"),
        ("metric = \"mean_wait\"\norder = [\"EASY\", \"EASY\"]".into(), "order: `EASY` is listed twice"),
        ("order = [\"EASY\"]\nrises_with = \"load\"".into(), "`rises_with` and `order` are two claims"),
        ("order = [\"EASY\"]\nstrict = true".into(), "`strict` does not go with `order`"),
        (
            "metric = \"mean_wait\"\nrises_with = \"reading\"".into(),
            "`printed` of `reading` is not a number to rise or fall with",
        ),
        ("expect = \"a < 1\"".into(), "`expect` needs `let`"),
        (format!("{lets}expect = \"a\""), "a number needs `value`"),
        (format!("{lets}expect = \"a\"\nvalue = 3"), "`value` needs `tolerance`, or within"),
        (
            format!("{lets}expect = \"a\"\nvalue = 3\ntolerance = \"much\""),
            "`tolerance` must be a number from 0",
        ),
        (format!("{lets}expect = \"a\"\nvalue = 0\ntolerance = \"5%\""), "there is no share of 0"),
        (format!("{lets}expect = \"a < 3\"\nvalue = 3\ntolerance = 1"), "a condition has none"),
        (format!("{lets}expect = \"a < b\""), "expect: "),
        (format!("{lets}expect = \"a < user\""), "only the defined names may be used"),
        (lets.replace("a =", "run =") + "expect = \"run < 1\"", "`run` means something else in expressions"),
        (lets.replace("0.9", "0.8") + "expect = \"a < 1\"", "load: unknown `0.8`"),
        ("metric = \"mean_wait\"\norder = [\"EASY\", \"<=\"]".into(), "has no policy after it"),
        ("metric = \"mean_wait\"\norder = [\"<=\", \"EASY\"]".into(), "`<=` stands between two policies"),
        (
            "metric = \"mean_wait\"\norder = [\"EASY\", \"<\", \"=\", \"SJF\"]".into(),
            "`=` stands between two policies",
        ),
        (
            "metric = \"mean_wait\"\norder = [\"EASY\", \"SJF\"]\ntolerance = \"5%\"".into(),
            "with `order` it is about `<=` and `=`",
        ),
        (
            "uncheckable = \"no\"\norder = [\"EASY\", \"SJF\"]".into(),
            "`uncheckable` and `order` are two claims",
        ),
        ("uncheckable = \"no\"\nmetric = \"mean_wait\"".into(), "`metric` does not go with `uncheckable`"),
        (format!("{lets}expect = \"3 < 4\""), "let: `a` is not in the expression"),
    ];
    for (text, expected) in cases {
        let error = read(&text).map(|_| ()).unwrap_err();
        assert!(error.starts_with("e.toml:") && error.contains(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn two_claims_have_two_names() {
    let claim = "name = \"one\"\nmetric = \"mean_wait\"\norder = [\"EASY\", \"SJF\"]\n";
    let twice = format!("{claim}[[claim]]\nsays = \"more\"\n{claim}");
    assert!(read(&twice).unwrap_err().contains("there are two claims `one`"));
    let unnamed = twice.replace("name = \"one\"\n", "");
    assert_eq!(
        read(&unnamed).unwrap().iter().map(|claim| claim.name.as_str()).collect::<Vec<_>>(),
        ["claim-1", "claim-2"]
    );
}
