//! Tests that errors in an experiment are reported with their place before anything runs.

use super::{Folder, SMALL, small};

#[test]
fn errors_are_reported_with_their_line() {
    let cases = [
        ("seed = 7", "sede = 7", "small.toml:4:1: unknown key `sede` (did you mean `seed`?)"),
        ("[sweep]", "[swep]", "unknown key `swep` (did you mean `sweep`?)"),
        (
            "baseline = \"EASY\"",
            "baseline = \"ESAY\"",
            "small.toml:6:12: baseline: unknown `ESAY` (did you mean `EASY`?)",
        ),
        (
            "spec = \"fcfs\"",
            "spec = \"fsfc\"",
            "small.toml:33:8: no policy is called `fsfc` (did you mean `fcfs`?)",
        ),
        (
            "\"mean_wait\"",
            "\"mean_wiat\"",
            "small.toml:9:11: metrics: unknown metric `mean_wiat`; did you mean mean_wait",
        ),
        ("[\"zhang\"]", "[\"zang\"]", "small.toml:10:11: classes: unknown classes `zang`"),
        ("trace = \"week.swf\"", "trace = \"weak.swf\"", "weak.swf"),
        (
            "windows = \"12h\"",
            "windows = \"12x\"",
            "workload `log`: the length of a window is a time above zero",
        ),
        (
            "windows = \"12h\"",
            "windows = \"400d\"",
            "workload `log`: the log is shorter than one window of 400d",
        ),
        (
            "windows = \"12h\"",
            "windows = \"12h\"\nblocks = \"12h\"",
            "the units are `windows` or `blocks`, not both",
        ),
        (
            "windows = \"12h\"",
            "windows = \"12h\"\nprocs = \"many\"",
            "workload `log`: invalid value 'many' for 'procs",
        ),
        ("windows = \"12h\"", "windows = \"12h\"\nprcs = 64", "unknown key `prcs` (did you mean `procs`?)"),
        ("set = { load = \"{load}\" }", "set = { lod = \"{load}\" }", "has no parameter `lod`"),
        (
            "set = { load = \"{load}\" }",
            "set = { load = \"{laod}\" }",
            "`{laod}` names nothing that is swept; swept is load",
        ),
        ("load = [0.7, 0.9]", "load = [0.7, 0.9]\ndepth = [1, 2]", "nothing depends on `depth`"),
        ("load = [0.7, 0.9]", "load = [0.7, 0.7]", "load has `0.7` twice"),
        ("load = [0.7, 0.9]", "load = []", "`load` must be a value or a list of values"),
        ("label = \"FCFS\"", "label = \"EASY\"", "there are two policies `EASY`"),
        ("spec = \"fcfs\"", "spec = \"dhc\"", "policy `dhc` needs memory per job"),
        ("name = \"small\"", "name = \"a/b\"", "the name is made of letters"),
        ("model = \"lublin\"", "model = \"lubin\"", "unknown model `lubin` (did you mean `lublin`?)"),
    ];
    let folder = small();
    for (from, to, expected) in cases {
        assert!(SMALL.contains(from), "{from}");
        folder.write("small.toml", &SMALL.replacen(from, to, 1));
        let done = folder.run(&["run", "small.toml", "--out", "r"]);
        assert!(matches!(done.code, 2 | 3), "{to}: {} {}", done.code, done.err);
        assert!(done.err.contains(expected), "{to}: {}", done.err);
        assert!(!folder.path("r").exists(), "{to}: nothing is begun");
    }
}

/// Mistakes that authors make at first, and what the error tells them.
#[test]
fn plausible_mistakes_have_a_hint() {
    let cases = [
        (
            "[[policy]]\nlabel = \"FCFS\"",
            "[policy]\nlabel = \"FCFS\"",
            "`policy` stands twice: if a file may have several",
        ),
        (
            "windows = \"12h\"",
            "windows = 28",
            "`windows` needs a unit: \"28d\" are days, \"28h\" hours, \"28 jobs\" as many jobs",
        ),
        ("windows = \"12h\"", "blocks = \"7\"", "`blocks` needs a unit: \"7d\" are days"),
        ("spec = \"easy\"", "spec = \"EASY\"", "no policy is called `EASY` (did you mean `easy`?)"),
        ("spec = \"easy\"", "spec = \"easy:sjf\"", "`sjf` is not a key=value pair (did you mean `easy:"),
        (
            "spec = \"easy\"",
            "spec = \"easy,conservative\"",
            "`easy,conservative` names several policies: give each a spec",
        ),
        (
            "spec = \"easy\"",
            "spec = \"sjf\"",
            "`sjf` is an order of the queue and no policy: `easy:order=sjf` is EASY in this order",
        ),
    ];
    let folder = small();
    for (from, to, expected) in cases {
        assert!(SMALL.contains(from), "{from}");
        folder.write("small.toml", &SMALL.replacen(from, to, 1));
        folder.run(&["run", "small.toml", "--out", "r"]).failed(2, expected);
    }
    let declared = |text: &str| {
        folder
            .write("small.toml", &format!("{}\n{text}", SMALL.replace("\"mean_wait\"", "\"mean_response\"")));
        let done = folder.run(&["run", "small.toml", "--out", "r"]);
        assert_eq!(done.code, 2, "{}", done.err);
        done.err
    };
    let error = declared("[[table]]\nname = \"t\"\nmetrics = [\"mean_bsld_yuan\"]\n");
    assert!(
        error.contains("metrics: `mean_bsld_yuan` is not measured: add it to `metrics` in [measure]"),
        "{error}"
    );
    let error = declared("[[plot]]\nname = \"p\"\nkind = \"bars\"\nmetric = \"mean_bsld_yuan\"\n");
    assert!(error.contains("metric: `mean_bsld_yuan` is not measured"), "{error}");
    folder.write(
        "bare.toml",
        "[experiment]\nname = \"b\"\n[[workload]]\ntrace = \"week.swf\"\n[[policy]]\nspec = \"easy\"\n\
         [[table]]\nname = \"t\"\nwhere = { load = 0.9 }\n",
    );
    folder.run(&["run", "bare.toml"]).failed(
        2,
        "bare.toml:9:18: nothing is swept here: leave out `load`, or give the experiment a [sweep]",
    );
}

#[test]
fn all_errors_are_printed_at_once_and_before_a_log_is_read() {
    let folder = small();
    let text = SMALL.replace("week.swf", "no-such.swf").replace("spec = \"fcfs\"", "spce = \"fcfs\"");
    let declared = "[[table]]\nname = \"t\"\nrow = [\"policy\"]\n[[plot]]\nname = \"p\"\nkind = \"bar\"\n";
    folder.write("small.toml", &format!("{text}\n{declared}"));
    let done = folder.run(&["run", "small.toml", "--out", "r"]);
    assert_eq!(done.code, 2, "{}", done.err);
    for error in [
        "unknown key `spce` (did you mean `spec`?)",
        "unknown key `row` (did you mean `rows`?)",
        "(did you mean `bars`?)",
    ] {
        assert!(done.err.contains(error), "{error}: {}", done.err);
    }
    assert_eq!(done.err.lines().filter(|line| line.contains("small.toml:")).count(), 3, "{}", done.err);
    let declared = "[[table]]\nname = \"t\"\nrows = [\"polcy\"]\n[[plot]]\nname = \"p\"\nkind = \"bars\"\nmetric = \"mean_wiat\"\n";
    folder.write("small.toml", &format!("{SMALL}\n{declared}"));
    let done = folder.run(&["run", "small.toml", "--out", "r"]);
    assert!(done.err.contains("unknown `polcy`") && done.err.contains("unknown `mean_wiat`"), "{}", done.err);
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = small();
    std::fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/thesis.tex", "years of work");
    for resume in [&["-q"][..], &["-q", "--resume"]] {
        let run = [&["run", "small.toml", "--out", "mine"], resume].concat();
        folder.run(&run).failed(3, "mine is not empty and holds no results of batchlab");
    }
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    folder.write("other.toml", &SMALL.replace("name = \"small\"", "name = \"other\""));
    let other = folder.run(&["run", "other.toml", "--out", "r", "--resume"]);
    other.failed(3, "r holds the results of experiment `small`, not of `other`");
}

#[test]
fn a_file_in_the_way_is_reported() {
    let folder = small();
    folder.write("r", "a file");
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).failed(3, "r");
    assert_eq!(folder.read("r"), "a file");
    let nothing = Folder::new();
    nothing.run(&["run", "none.toml"]).failed(3, "none.toml");
}
