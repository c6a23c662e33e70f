//! Claims after a run and after a merge.

use super::{SMALL, small, tree};

/// One claim that holds, and one with too few units to check.
const CLAIMS: &str = r#"
[[claim]]
name = "never-more"
says = "EASY uses the machine, and no more than all of it"
source = "arithmetic"
let = { u = { policy = "EASY", metric = "utilization" } }
expect = "0 < u and u <= 1"

[[claim]]
name = "published"
says = "the mean wait is as published"
let = { w = { policy = "EASY", metric = "mean_wait", workload = "drawn", load = 0.9 } }
expect = "w"
value = 100
within = "interval"
"#;

/// A claim that does not hold.
const FALSE: &str = r#"
[[claim]]
name = "before-they-came"
says = "jobs start before they are submitted"
let = { w = { policy = "EASY", metric = "mean_wait", workload = "drawn", load = 0.9 } }
expect = "w < 0"
"#;

#[test]
fn claims_are_printed_and_a_failed_claim_is_a_failed_check() {
    let folder = small();
    folder.write("claims.toml", &format!("{SMALL}{CLAIMS}"));
    let done = folder.run(&["run", "claims.toml", "--out", "r", "-q"]);
    let told = done.succeeded();
    let (tables, told) = told.split_at(told.find("\nholds: never-more: EASY uses the machine").unwrap());
    assert_eq!(tables, folder.run(&["table", "r"]).succeeded());
    assert!(told.contains("cannot be checked: published: "), "{told}");
    assert!(told.contains("there is no interval, as 5 units are too few"), "{told}");
    assert_eq!(folder.read("r/claims.txt"), &told[1..]);
    let again = folder.run(&["run", "claims.toml", "--out", "r", "--resume", "--format", "csv"]);
    // Claims are sentences: they are printed to another stream than the machine-readable table.
    assert_eq!(again.out, folder.run(&["table", "r", "--format", "csv"]).succeeded());
    assert!(again.err.contains("cannot be checked: published: "), "{}", again.err);
    assert!(folder.read("r/claims.json").contains("\"verdict\": \"cannot-be-checked\""));
    assert!(folder.read("r/tables/claims.md").contains("no more than all of it"));

    folder.write("false.toml", &format!("{SMALL}{CLAIMS}{FALSE}"));
    let done = folder.run(&["run", "false.toml", "--out", "f", "-q"]);
    assert!(done.out.contains("does not hold: before-they-came: jobs start before"), "{}", done.out);
    assert_eq!((done.code, done.err.trim()), (1, "error: one of 3 claims does not hold"));
    for shard in ["1/2", "2/2"] {
        let out = format!("s{}", &shard[..1]);
        // No claim can be checked on a part of the results.
        folder.run(&["run", "false.toml", "--out", &out, "--shard", shard, "-q"]).succeeded();
    }
    let merged = folder.run(&["merge", "s1", "s2", "-o", "m", "-q"]);
    assert_eq!((merged.code, merged.out), (1, done.out));
    assert_eq!(tree(&folder, "m"), tree(&folder, "f"));
}

#[test]
fn a_claim_that_nothing_can_check_is_no_failure_and_stands_in_every_form_of_the_report() {
    let claim = "[[claim]]\nname = \"load\"\nsays = \"the load was moderate\"\nsource = \"section 4\"\n\
                 uncheckable = \"the arrival rate is not given\"\n";
    let folder = small();
    folder.write("claims.toml", &format!("{SMALL}{claim}"));
    let done = folder.run(&["run", "claims.toml", "--out", "r", "-q"]);
    let told = "cannot be checked: load: the load was moderate (section 4)\n  the arrival rate is not given";
    assert!(done.succeeded().contains(told), "{}", done.out);
    for form in ["html", "markdown", "text", "json"] {
        let report = folder.run(&["report", "r", "--format", form, "-o", "-"]);
        let report = report.succeeded();
        for words in ["the load was moderate", "the arrival rate is not given"] {
            assert!(report.contains(words), "{form}");
        }
        assert!(report.contains("cannot be checked") || report.contains("cannot-be-checked"), "{form}");
    }
    for file in ["r/README.md", "r/tables/claims.csv", "r/tables/claims.tex", "r/claims.json"] {
        assert!(folder.read(file).contains("the arrival rate is not given"), "{file}");
    }
}
