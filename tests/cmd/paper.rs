//! A folder of experiments about a paper, as `batchlab paper` runs it.

use super::{Folder, four_jobs};

const PAPER: &str = "title = \"Two Policies\"\nreference = \"A. Author, 2000.\"\nsays = \"EASY is better.\"\nfound = \"EASY \
                     waits {wait} s.\"\nexperiments = [\"drawn.toml\", \"log.toml\"]\n";

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
let = { e = { policy = "EASY", metric = "mean_wait" } }
expect = "e >= 0"
"#;

fn folder(hash: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("two")).unwrap();
    std::fs::create_dir_all(folder.path("logs")).unwrap();
    folder.write("two/paper.toml", PAPER);
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
    let counts = "two: 1 hold, 1 hold under some readings, 1 as published on a substitute, 1 do not hold (no cause found), \
                  1 cannot be checked";
    assert!(summary.starts_with(counts), "{summary}");
    let page = folder.read("p/two/README.md");
    for part in [
        "# Two Policies\n\nA. Author, 2000.\n",
        "Of 5 claims 1 hold, ",
        "| FCFS waits more than ten minutes | - | - | - | holds under 1 of 2 readings | ",
        "cause: the load",
        "| FCFS waits more than a year | - | - | - | does not hold | ",
        "tried, and not the cause: the load",
        "| users were content | - | - | - | cannot be checked | nobody asked them |",
        "substitute: as published",
        "- full: the paper says 1.2",
        "batchlab paper two\n",
    ] {
        assert!(page.contains(part), "{part}\nis not in\n{page}");
    }
    assert!(!page.contains("{wait}"), "{page}");
    assert!(folder.path("p/two/drawn/README.md").is_file() && folder.path("p/two/log/results.csv").is_file());
    let html = folder.read("p/two/index.html");
    for part in [
        "<h1>Two Policies</h1>",
        "FCFS waits more than ten minutes",
        "the paper says 1.2",
        "nobody asked them",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // The same command goes on, and gives the same page.
    folder.run(&["paper", "two", "--out", "p", "--logs", "logs", "-q"]).succeeded();
    assert_eq!(folder.read("p/two/README.md"), page);
}

#[test]
fn an_absent_log_leaves_its_claims_unchecked_and_a_renamed_one_is_found_by_its_hash() {
    let folder = folder(&hash());
    folder.run(&["paper", "two", "--out", "p", "-q"]).succeeded();
    let page = folder.read("p/two/README.md");
    let why = format!("Not run: log four.swf (sha256 {}) is not here (--logs).", hash());
    assert!(page.contains(&why), "{page}");
    assert!(page.contains("- cannot be checked: EASY waits (Figure 2)"), "{page}");
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
    folder.write("two; echo `x`/drawn.toml", &drawn);
    folder.run(&["paper", "two; echo `x`", "--out", "p", "-q"]).succeeded();
    let page = folder.read("p/two; echo `x`/README.md");
    for part in [
        "# T \\<script>alert(1)\\</script>\n\nR \\<img src=x> [j\\](javascript:alert(2))\n\\# H\n\n",
        "S\n\ncode\n\\- item \\&#60;b>\n\n## What came out\n\nF ![i\\](http://x/y) ",
        "| hm \\<script>alert(3)\\</script> | [s\\](javascript:alert(4)) |",
        "- full: \\<script>alert(6)\\</script>\n",
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
    folder.write("two/paper.toml", &PAPER.replace("drawn.toml", "../drawn.toml"));
    folder.run(&["paper", "two"]).failed(2, "`../drawn.toml` is no name of a .toml file in this folder");
}
