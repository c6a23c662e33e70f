//! A folder of experiments about a paper, as `batchlab paper` runs it.

use super::{Folder, four_jobs};

const PAPER: &str = r#"
title = "Two Policies"
reference = "A. Author, 2000."
says = "EASY is better."
found = "EASY waits {wait} s."
experiments = ["drawn.toml", "log.toml"]
"#;

/// Conclusions that hold, hold partly and are open, after the keys of the paper itself.
const CONCLUSIONS: &str = r#"
in_words = "EASY waits, and {drawn/table}."
checked = "The waits were computed by hand."
[[conclusion]]
says = "EASY waits"
source = "section 1"
claims = ["drawn/wait"]
number = "{drawn/floor} s (published 0)"
condition = "at load 1.2"
[[conclusion]]
says = "FCFS waits long"
claims = ["drawn/hour", "drawn/days"]
[[conclusion]]
says = "FCFS waits for years"
claims = ["drawn/days"]
[[conclusion]]
says = "users were content"
claims = ["drawn/users"]
"#;

/// A model whose claims hold, hold under one of two readings, do not hold with a cause, and cannot be checked.
const DRAWN: &str = r#"
[experiment]
name = "drawn"
replications = 4
[measure]
metrics = ["mean_wait"]
[[workload]]
model = "lublin"
jobs = 200
procs = 64
set = { load = "{rho}" }
[[reading]]
name = "full"
because = "the paper says 1.2"
set = { rho = 1.2 }
[[reading]]
name = "empty"
because = "its figure says .05"
set = { rho = 0.05 }
[[policy]]
label = "EASY"
spec = "easy"
[[policy]]
label = "FCFS"
spec = "fcfs"
[[claim]]
name = "wait"
says = "EASY waits at least nothing"
source = "section 1"
let = { e = { policy = "EASY", metric = "mean_wait", reading = "full" } }
expect = "e"
value = 0
tolerance = 1e9
[[claim]]
name = "hour"
says = "FCFS waits more than ten minutes"
metric = "mean_wait"
let = { f = { policy = "FCFS" } }
expect = "f > 600"
cause = { says = "the load", with = "full", without = "empty" }
[[claim]]
name = "days"
says = "FCFS waits more than a year"
metric = "mean_wait"
let = { f = { policy = "FCFS" } }
expect = "f > 3e7"
cause = { says = "the load", with = "full", without = "empty" }
[[claim]]
name = "users"
says = "users were content"
uncheckable = "nobody asked them"
[[claim]]
name = "table"
says = "Table 1 comes out"
parts_hold = "50%"
[[claim]]
name = "far"
says = "the wait of EASY is a billion"
part_of = "table"
let = { e = { policy = "EASY", metric = "mean_wait", reading = "full" } }
expect = "e"
value = 1e9
within = "draw"
cell = { table = "Table 1: waits", row = "load 1.2", column = "EASY" }
[[claim]]
name = "floor"
says = "the wait of EASY is nothing, within a billion"
part_of = "table"
let = { e = { policy = "EASY", metric = "mean_wait", reading = "full" } }
expect = "e * 0"
value = 0
tolerance = 1e9
cell = { table = "Table 1: waits", row = "load 1.2", column = "nothing" }
"#;

const LOG: &str = r#"
[experiment]
name = "log"
[measure]
metrics = ["mean_wait"]
[[workload]]
trace = "four.swf"
sha256 = "HASH"
substitute = "a log that is not public"
[[policy]]
label = "EASY"
spec = "easy"
[[claim]]
says = "EASY waits"
source = "Figure 2"
part_of = "drawn/wait"
let = { e = { policy = "EASY", metric = "mean_wait" } }
expect = "e >= 0"
"#;

fn folder(hash: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("two")).unwrap();
    std::fs::create_dir_all(folder.path("logs")).unwrap();
    folder.write("two/paper.toml", &format!("{PAPER}{CONCLUSIONS}"));
    folder.write("two/drawn.toml", DRAWN);
    folder.write("two/log.toml", &LOG.replace("HASH", hash));
    folder.write("logs/four.swf", &four_jobs());
    folder
}

fn hash() -> String {
    use sha2::Digest;
    let bytes = sha2::Sha256::digest(four_jobs());
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(b"0123456789abcdef"[digit as usize]))
        .collect()
}

#[test]
fn a_page_has_every_claim_with_its_verdict_and_its_cause() {
    let folder = folder(&hash());
    let done = folder.run(&["paper", "two", "--out", "p", "--logs", "logs", "-q"]);
    // Verdicts are the result, and no failure.
    let summary = done.succeeded();
    let lines: Vec<&str> = summary.lines().collect();
    assert_eq!(
        lines[..5],
        [
            "two: yes: EASY waits",
            "two: partly, 0 of 2 claims hold, 1 under some readings: FCFS waits long",
            "two: no: FCFS waits for years",
            "two: open: users were content",
            "two: Of 5 statements (8 claims) 2 hold, 1 holds under some readings, 1 does not hold (no cause found), 1 cannot \
             be checked.",
        ]
    );
    let page = folder.read("p/two/README.md");
    for part in [
        "# Two Policies\n\nA. Author, 2000.\n\n## Conclusions\n\n| conclusion | answer | number | under what | source |\n",
        "| EASY waits | yes | 0 s (published 0) | at load 1.2 | section 1 |\n",
        "| FCFS waits long | partly, 0 of 2 claims hold, 1 under some readings | - | - | - |\n",
        "\nEASY waits, and 1 of 2 hold. Of 5 statements (8 claims) 2 hold, ",
        "## How this was checked\n\nThe waits were computed by hand.\n",
        "**Table 1: waits**\n\nPublished \\| measured [where one draw lies with 95 %",
        "|  | EASY | nothing |\n",
        "| load 1.2 | 1,000,000,000 \\| \u{25bc} 3,0",
        "] | 0 \\| 0 |\n",
        "<details><summary>2 parts of: Table 1 comes out</summary>\n\n| claim | published | measured |",
        "<details><summary>1 part of: EASY waits at least nothing</summary>\n\n",
        "| claim | source | verdict | why |\n| :--- | :--- | :--- | :--- |\n| EASY waits (log) | Figure 2 | substitute: as \
         published | ",
        "| Table 1 comes out | - | - | - | holds | 1 of 2 hold; at least 50 % are needed |",
        "| FCFS waits more than ten minutes | - | - | - | holds under 1 of 2 readings | ",
        "cause: the load",
        "| FCFS waits more than a year | - | - | - | does not hold | ",
        "tried, and not the cause: the load",
        "| users were content | - | - | - | cannot be checked | nobody asked them |",
        "substitute: as published",
        "- full (default): the paper says 1.2\n- empty: its figure says .05\n",
        "batchlab paper two\n",
    ] {
        assert!(page.contains(part), "{part}\nis not in\n{page}");
    }
    assert!(!page.contains("{wait}") && !page.contains("{drawn"), "{page}");
    assert!(folder.path("p/two/drawn/README.md").is_file() && folder.path("p/two/log/results.csv").is_file());
    let html = folder.read("p/two/index.html");
    for part in [
        "<h1>Two Policies</h1>",
        "FCFS waits more than ten minutes",
        "the paper says 1.2",
        "nobody asked them",
        "<td class=\"yes\"><span class=\"badge\">yes</span></td>",
        "<td class=\"open\"><span class=\"badge\">partly</span>0 of 2 claims hold, 1 under some readings</td>",
        "<summary>2 parts of: Table 1 comes out</summary>",
        "<p class=\"below soft\">Published | measured [where one draw lies with 95 %",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // The same command goes on, and gives the same page.
    folder.run(&["paper", "two", "--out", "p", "--logs", "logs", "-q"]).succeeded();
    assert_eq!(folder.read("p/two/README.md"), page);
}

/// What a run of trial size speaks against is not decided by it: neither a claim nor a conclusion, in terminal and page.
#[test]
fn a_quick_run_decides_nothing_negative() {
    let folder = folder(&hash());
    let done = folder.run(&["paper", "two", "--quick", "--out", "p", "-q"]);
    let summary = done.succeeded();
    for line in [
        "two: yes: EASY waits\n",
        "two: not decided at this size, 0 of 2 claims hold: FCFS waits long\n",
        "two: not decided at this size: FCFS waits for years\n",
        // That most of its parts hold is not decided either, as it would not be for parts that are judged by draws.
        "two: Of 5 statements (8 claims) 1 holds, 3 are not decided at this size, 1 cannot be checked.\n",
    ] {
        assert!(summary.contains(line), "{line}{summary}");
    }
    let page = folder.read("p/two/README.md");
    for part in [
        "## Conclusions\n\nA quick run: it shows that the experiments run, ",
        "| FCFS waits for years | not decided at this size | - |\n",
        "| FCFS waits more than a year | - | - | - | not decided at this size | ",
    ] {
        assert!(page.contains(part), "{part}\nis not in\n{page}");
    }
    for word in ["does not hold", "do not hold", "| no |", "partly", "\u{25bc}", "under 1 of 2"] {
        assert!(!page.contains(word) && !summary.contains(word), "{word}: {page}");
    }
}

#[test]
fn names_of_claims_are_checked_before_anything_runs() {
    let folder = folder(&hash());
    let refused = |from: &str, to: &str, why: &str| {
        folder.write("two/paper.toml", &format!("{PAPER}{CONCLUSIONS}").replace(from, to));
        folder.run(&["paper", "two", "--out", "p", "-q"]).failed(2, why);
        assert!(!folder.path("p").exists());
    };
    refused(
        "\"drawn/wait\"",
        "\"drawn/wiat\"",
        "two/paper.toml:13:10: there is no claim `drawn/wiat` (did you mean `drawn/wait`?)",
    );
    refused("{drawn/floor}", "{drawn/flor}", "there is no claim `drawn/flor` (did you mean `drawn/floor`?)");
    refused("{drawn/table}", "{draw/table}", "there is no claim `draw/table`");
    refused("[\"drawn/wait\"]", "[\"wait\"]", "claims: `wait` is not EXPERIMENT/CLAIM");
    refused(
        "{wait}",
        "{wiat}",
        "two/paper.toml:5:9: `{wiat}` cannot be filled: no experiment states a claim `wiat` (did you mean `wait`?)",
    );
    refused("{drawn/floor} s", "{floors}", "`{floors}` cannot be filled");
    refused("EASY waits, and", &"long ".repeat(40), "in_words: 215 letters; at most 200");
    folder.write("two/paper.toml", &format!("{PAPER}{CONCLUSIONS}"));
    let log = LOG.replace("HASH", &hash());
    let refused = |to: &str, why: &str| {
        folder.write("two/log.toml", &log.replace("part_of = \"drawn/wait\"", to));
        folder.run(&["paper", "two", "--out", "p", "-q"]).failed(2, why);
    };
    refused("part_of = \"drawn/wiat\"", "two/log.toml:16:11: there is no claim `drawn/wiat`");
    refused(
        "name = \"a\"\npart_of = \"log/a\"",
        "two/log.toml:17:11: part_of: it is of this experiment: write `a`",
    );
}

/// Several words in braces are text, as a set is.
#[test]
fn only_a_word_in_braces_names_a_claim() {
    let folder = folder(&hash());
    folder.write(
        "two/paper.toml",
        &PAPER.replace("{wait} s", "{wait} s for sizes of {1, 2, 4} and {at most eight}"),
    );
    folder.run(&["paper", "two", "--quick", "--out", "p", "-q"]).succeeded();
    folder.run(&["paper", "two", "--out", "p", "-q"]).succeeded();
    let page = folder.read("p/two/README.md");
    assert!(
        page.contains(" s for sizes of {1, 2, 4} and {at most eight}.") && !page.contains("{wait}"),
        "{page}"
    );
}

#[test]
fn an_absent_log_leaves_its_claims_unchecked_and_a_renamed_one_is_found_by_its_hash() {
    let folder = folder(&hash());
    folder.run(&["paper", "two", "--out", "p", "-q"]).succeeded();
    let page = folder.read("p/two/README.md");
    let why = format!("Not run: log four.swf (sha256 {}) is not here (--logs).", hash());
    assert!(page.contains(&why), "{page}");
    assert!(page.contains("| EASY waits (log) | Figure 2 | cannot be checked | not run |"), "{page}");
    // A file of the log's name with another hash is another log.
    let other = self::folder(&"0".repeat(64));
    other.run(&["paper", "two", "--out", "p", "--logs", "logs", "-q"]).succeeded();
    assert!(other.read("p/two/README.md").contains("is not here (--logs); logs/four.swf has another hash."));
    // A file of the log's hash is the log, whatever its name.
    let renamed = self::folder(&hash());
    std::fs::rename(renamed.path("logs/four.swf"), renamed.path("logs/renamed.swf")).unwrap();
    renamed.run(&["paper", "two", "--out", "p", "--logs", "logs", "-q"]).succeeded();
    assert!(renamed.path("p/two/log/results.csv").is_file());
}

/// The results of an experiment go to a folder of its name: no name leads out of the folder of the paper, to a page of
/// it, or to the results of another experiment.
#[test]
fn names_of_experiments_stay_in_the_folder_of_the_paper() {
    let folder = folder(&hash());
    std::fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/README.md", "precious\n");
    let no_name = "is no name of a .toml file in this folder: letters, digits, `-`, `_` and `.` before .toml";
    let refused = [
        ("\"...toml\"", no_name),
        ("\".toml\"", no_name),
        ("\".toml.toml\"", no_name),
        ("\"drawn\"", no_name),
        ("\"a b.toml\"", no_name),
        ("\"a\\nb.toml\"", no_name),
        ("\"README.md.toml\"", "has its results in `README.md`, which is the page README.md"),
        ("\"INDEX.html.toml\"", "has its results in `INDEX.html`, which is the page index.html"),
        ("\"log.toml\", \"log.toml\"", "`log.toml` and `log.toml` have their results in the same folder"),
        ("\"log.toml\", \"LOG.toml\"", "`log.toml` and `LOG.toml` have their results in the same folder"),
    ];
    for (names, why) in refused {
        for file in ["...toml", ".toml", ".toml.toml", "README.md.toml", "INDEX.html.toml", "LOG.toml"] {
            folder.write(&format!("two/{file}"), DRAWN);
        }
        folder.write("two/paper.toml", &PAPER.replace("\"drawn.toml\", \"log.toml\"", names));
        folder.run(&["paper", "two", "--out", "mine", "-q"]).failed(2, why);
    }
    let there: Vec<_> = std::fs::read_dir(folder.path("mine")).unwrap().collect();
    assert_eq!((there.len(), folder.read("mine/README.md").as_str()), (1, "precious\n"));
    // The pages of a paper do not replace files of the paper itself.
    folder.write("two/paper.toml", PAPER);
    folder.write("two/README.md", "precious\n");
    folder.run(&["paper", "two", "--out", ".", "-q"]).failed(2, "is the folder of the paper itself");
    assert_eq!(folder.read("two/README.md"), "precious\n");
}

#[test]
fn foreign_text_is_no_markup_in_the_page() {
    let folder = folder(&hash());
    std::fs::rename(folder.path("two"), folder.path("two; echo `x`")).unwrap();
    folder.write(
        "two; echo `x`/paper.toml",
        "title = \"T <script>alert(1)</script>\"\nreference = \"R <img src=x> [j](javascript:alert(2))\\n# H\"\n\
         says = \"S\\n\\n    code\\n- item &#60;b>\"\nfound = \"F ![i](http://x/y) {wait}\"\nexperiments = [\"drawn.toml\"]\n",
    );
    let drawn = DRAWN.replace("the paper says 1.2", "<script>alert(6)</script>").replace(
        "says = \"users were content\"",
        "says = \"hm <script>alert(3)</script>\"\nsource = \"[s](javascript:alert(4))\"",
    );
    let drawn = drawn.replace("Table 1 comes out", "<script>alert(5)</script>");
    folder.write("two; echo `x`/drawn.toml", &drawn);
    folder.run(&["paper", "two; echo `x`", "--out", "p", "-q"]).succeeded();
    let page = folder.read("p/two; echo `x`/README.md");
    for part in [
        "# T \\<script>alert(1)\\</script>\n\nR \\<img src=x> [j\\](javascript:alert(2))\n\\# H\n\n",
        "S\n\ncode\n\\- item \\&#60;b>\n\n## ",
        "## What came out\n\nF ![i\\](http://x/y) ",
        "| hm \\<script>alert(3)\\</script> | [s\\](javascript:alert(4)) |",
        "<summary>2 parts of: &lt;script&gt;alert(5)&lt;/script&gt;</summary>",
        "- full (default): \\<script>alert(6)\\</script>\n",
        "batchlab paper 'two; echo `x`'\n",
    ] {
        assert!(page.contains(part), "{part}\nis not in\n{page}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_a_folder_of_a_paper_is_not_followed() {
    let folder = folder(&hash());
    folder.write("elsewhere.toml", DRAWN);
    std::fs::remove_file(folder.path("two/drawn.toml")).unwrap();
    std::os::unix::fs::symlink(folder.path("elsewhere.toml"), folder.path("two/drawn.toml")).unwrap();
    folder.run(&["paper", "two", "--out", "p", "-q"]).failed(2, "two/drawn.toml is a link");
}

#[test]
fn papers_are_listed_and_wrong_names_are_refused() {
    let folder = folder(&hash());
    assert!(folder.run(&["paper"]).succeeded().contains("aida98"));
    folder.run(&["paper", "aida89"]).failed(2, "there is no paper `aida89` (did you mean `aida98`?)");
    folder
        .run(&["paper", "logs"])
        .failed(2, "the folder logs has no paper.toml: it gives title, reference, ");
    folder.run(&["paper", "two/paper.toml"]).failed(2, "is a file: name the folder of the paper, two");
    folder.write("two/paper.toml", &PAPER.replace("drawn.toml", "../drawn.toml"));
    folder.run(&["paper", "two"]).failed(2, "`../drawn.toml` is no name of a .toml file in this folder");
}

/// The packages of LaTeX that a new paper needs besides its class.
const PACKAGES: [&str; 3] = ["booktabs.sty", "multirow.sty", "siunitx.sty"];

#[test]
fn a_new_paper_runs_and_compiles_as_it_is() {
    let folder = Folder::new();
    for (class, file) in [("ieee", "IEEEtran.cls"), ("acm", "acmart.cls"), ("llncs", "llncs.cls")] {
        let title = "Costs & Gains of 50 %";
        let made = folder.run(&["paper", "new", class, "--class", class, "--title", title]);
        let said = made.succeeded();
        assert!(
            said.starts_with(&format!("{class}: README.md, comparison.toml, main.tex, paper.toml\nnext: ")),
            "{said}"
        );
        folder.run(&["paper", class, "--quick", "--out", &format!("{class}/results"), "-q"]).succeeded();
        let page = folder.read(&format!("{class}/results/{class}/README.md"));
        assert!(
            page.contains(
                "| Shortest job first among the jobs that backfill lowers the mean bounded slowdown |"
            ),
            "{page}"
        );
        compile(&folder.path(class), file);
    }
    folder.run(&["paper", "new", "ieee"]).failed(2, "ieee has a README.md already; nothing was written");
    folder.run(&["paper", "new", "my paper"]).failed(2, "`my paper` is no name of a paper");
    folder.run(&["paper", "new", "x", "--title", "a \"b\""]).failed(2, "--title: no quotation marks");
    assert!(!folder.path("my paper").exists() && !folder.path("x").exists());
}

/// Compiles main.tex of a folder, where LaTeX has a class: no line of the document runs over its margin.
fn compile(folder: &std::path::Path, class: &str) {
    use std::process::Command;
    let is_known =
        |file: &&str| Command::new("kpsewhich").arg(file).output().is_ok_and(|done| done.status.success());
    let has_latex = Command::new("pdflatex").arg("--version").output().is_ok();
    if !has_latex || ![class].iter().chain(&PACKAGES).all(is_known) {
        eprintln!("skipped: pdflatex, {class} or one of {} is not here", PACKAGES.join(", "));
        return;
    }
    let mut pdflatex = Command::new("pdflatex");
    let done = pdflatex
        .args(["-interaction=nonstopmode", "-halt-on-error", "main.tex"])
        .current_dir(folder)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && folder.join("main.pdf").exists(), "{class}: {log}");
    let overfull: Vec<&str> = log.lines().filter(|line| line.starts_with("Overfull \\hbox")).collect();
    assert!(overfull.is_empty(), "{class}: {overfull:?}");
}
