//! Mistakes that authors make at first, each beside what the program says: input, exit code, words of the message.
//!
//! The words are those from which the author learns what to write; an error without a hint is in the tests of its command.

use super::run::{SMALL, small};

/// A further table, plot or claim of [`SMALL`].
const TABLE: &str = "[[table]]\nname = \"t\"\nmetrics = [\"mean_bsld\"]\nrows = [\"workload\", \"policy\"]\n";
const PLOT: &str = "[[plot]]\nname = \"p\"\nkind = \"bars\"\nmetric = \"mean_bsld\"\n";
const CLAIM: &str = "[[claim]]\nsays = \"less\"\nmetric = \"mean_bsld\"\norder = [\"EASY\", \"FCFS\"]\n";

/// What stands in the experiment file, what an author writes in its place, and what is said.
const IN_FILES: [(&str, &str, &str); 32] = [
    ("[[policy]]\nlabel = \"FCFS\"", "[policy]\nlabel = \"FCFS\"", "write each as [[policy]]"),
    ("[[workload]]\nname = \"log\"", "[workload]\nname = \"log\"", "write each as [[workload]]"),
    ("windows = \"12h\"", "windows = 28", "\"28d\" are days, \"28h\" hours, \"28 jobs\" as many jobs"),
    ("windows = \"12h\"", "windows = \"1 month\"", "a time above zero, such as 7d, or a number of jobs"),
    ("trace = \"week.swf\"", "file = \"week.swf\"", "unknown key `file` (did you mean `trace`?)"),
    ("trace = \"week.swf\"", "trace = \"weak.swf\"", "workload `log`: cannot read weak.swf"),
    ("procs = 64", "procs = \"64 cores\"", "`64 cores` is not a whole number"),
    ("procs = 64", "procs = 64\nestimate = \"perfect\"", "(did you mean `actual`?)"),
    (
        "set = { load = \"{load}\" }",
        "set = { load = \"{load}\", jobs = 9 }",
        "(give it as --jobs, or as a key of the workload)",
    ),
    ("spec = \"easy\"", "spec = \"EASY\"", "no policy is called `EASY` (did you mean `easy`?)"),
    ("spec = \"easy\"", "spec = \"easy:sjf\"", "(did you mean `easy:order=sjf` or `easy:candidates=sjf`?)"),
    ("spec = \"easy\"", "spec = \"easy-sjf\"", "(did you mean `easy:order=sjf` or `easy:candidates=sjf`?)"),
    ("spec = \"easy\"", "spec = \"easy(order=sjf)\"", "(did you mean `easy:order=sjf`?)"),
    ("spec = \"easy\"", "spec = \"easy order=sjf\"", "(did you mean `easy:order=sjf`?)"),
    ("spec = \"easy\"", "spec = \"easy:order=sjf;candidates=sjf\"", "(did you mean `sjf,candidates=sjf`?)"),
    (
        "spec = \"easy\"",
        "spec = \"EASY++\"",
        "(did you mean `easy:candidates=sjf,predictor=last2,corrector=increment`?)",
    ),
    (
        "spec = \"easy\"",
        "spec = \"easy,fcfs\"",
        "give each a spec of its own, by a further --policy or [[policy]]",
    ),
    (
        "spec = \"easy\"",
        "spec = \"sjf\"",
        "an order of the queue and no policy: `easy:order=sjf` is EASY in this order",
    ),
    ("spec = \"easy\"", "spec = \"backfilling\"", "(did you mean `easy`?)"),
    ("spec = \"easy\"", "spec = \"cbf\"", "(did you mean `conservative`?)"),
    ("spec = \"easy\"", "spec = \"easy:predictor=last-2\"", "(did you mean `last2`?)"),
    ("baseline = \"EASY\"", "baseline = \"easy\"", "unknown `easy` (did you mean `EASY`?)"),
    ("\"mean_wait\"", "\"wait\"", "unknown metric `wait`; did you mean mean_wait"),
    ("\"mean_wait\"", "\"avg_wait\"", "unknown metric `avg_wait`; did you mean mean_wait?"),
    ("\"mean_wait\"", "\"average_bounded_slowdown\"", "did you mean mean_bsld?"),
    ("\"mean_wait\"", "\"AVEbsld\"", "did you mean mean_bsld?"),
    ("[\"zhang\"]", "[\"short: run < 1h\"]", "NAME=CONDITION defines one"),
    ("seed = 7", "confidence = 0.9", "unknown key `confidence` (did you mean `level`?)"),
    ("seed = 7", "level = 95", "a level is from 0.5 and below 1, such as 0.95"),
    ("seed = 7", "seeds = [1, 2]", "unknown key `seeds` (did you mean `seed`?)"),
    ("load = [0.7, 0.9]", "load = [\"70%\"]", "the value must be a number"),
    ("model = \"lublin\"", "model = \"Lublin99\"", "(did you mean `lublin`?)"),
];

#[test]
fn mistakes_in_experiments_are_told_with_what_to_write() {
    let folder = small();
    for (from, to, expected) in IN_FILES {
        assert!(SMALL.contains(from), "{from}");
        folder.write("small.toml", &SMALL.replacen(from, to, 1));
        let done = folder.run(&["run", "small.toml", "--out", "r"]);
        assert!(matches!(done.code, 2 | 3), "{to}: {} {}", done.code, done.err);
        assert!(done.err.contains(expected), "{to}: {}", done.err);
    }
}

#[test]
fn mistakes_in_tables_plots_and_claims_are_told_with_what_to_write() {
    let cases = [
        (TABLE, "mean_bsld", "p95_wait", "`p95_wait` is not measured: add it to `metrics` in [measure]"),
        (TABLE, "\"policy\"", "\"policies\"", "unknown `policies` (did you mean `policy`?)"),
        (TABLE, "rows =", "size = \"IEEE\"\nrows =", "(did you mean `ieee`?)"),
        (TABLE, "rows =", "size = \"8.5cm\"\nrows =", "\"llncs\" or a width of 40 to 400 mm"),
        (TABLE, "rows =", "where = { load = 0.8 }\nrows =", "load: unknown `0.8`; known are 0.7, 0.9"),
        (TABLE, "rows =", "cells = [\"mean\"]\nrows =", "cells: unknown `mean` (did you mean `value`?)"),
        (TABLE, "rows =", "cells = [\"ci\"]\nrows =", "cells: unknown `ci` (did you mean `interval`?)"),
        (
            PLOT,
            "bars\"",
            "scatter\"\nx = \"jain\"",
            "x: `jain` is not measured: add it to `metrics` in [measure]",
        ),
        (PLOT, "kind =", "type =", "unknown key `type` (did you mean `kind`?)"),
        (PLOT, "\"bars\"", "\"boxplot\"", "(did you mean `box`?)"),
        (
            PLOT,
            "\"bars\"",
            "\"cdf\"",
            "a plot of kind `cdf` shows the jobs themselves: `bsld` for `mean_bsld`",
        ),
        (PLOT, "kind =", "width = 88\nkind =", "unknown key `width` (did you mean `size`?)"),
        (PLOT, "\"p\"", "\"p.pdf\"", "`name` has no ending: write `p`"),
        (
            PLOT,
            "\"mean_bsld\"",
            "\"p95_wait\"",
            "`p95_wait` is not measured: add it to `metrics` in [measure]",
        ),
        (CLAIM, "mean_bsld", "p95_wait", "`p95_wait` is not measured: add it to `metrics` in [measure]"),
        (
            CLAIM,
            "mean_bsld",
            "mean_slowdwn",
            "unknown `mean_slowdwn` (did you mean `mean_slowdown`? it is not measured: add it to `metrics` in [measure])",
        ),
        (CLAIM, "says", "statement", "unknown key `statement` (did you mean `says`?)"),
        (CLAIM, "\"EASY\"", "\"easy\"", "order: unknown `easy` (did you mean `EASY`?)"),
        (
            CLAIM,
            "[\"EASY\", \"FCFS\"]",
            "\"EASY < FCFS\"",
            "ascending by the metric, such as [\"EASY\", \"FCFS\"]",
        ),
        (
            CLAIM,
            "order = [\"EASY\", \"FCFS\"]",
            "expect = \"EASY < FCFS\"",
            "such as let = { a = { policy = \"EASY\"",
        ),
    ];
    let folder = small();
    for (section, from, to, expected) in cases {
        assert!(section.contains(from), "{from}");
        folder.write("small.toml", &format!("{SMALL}\n{}", section.replacen(from, to, 1)));
        let done = folder.run(&["run", "small.toml", "--out", "r"]);
        assert_eq!(done.code, 2, "{to}: {}", done.err);
        // Wrapped to the width of a terminal.
        let said = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(expected), "{to}: {said}");
    }
}
