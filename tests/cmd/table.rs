//! Tests of `batchlab table`: tables of an experiment's results.

use super::Folder;

const EXPERIMENT: &str = r#"
[experiment]
name = "small"
replications = 6
[[workload]]
name = "drawn"
model = "lublin"
jobs = 60
procs = 64
set = { load = "{load}" }
[sweep]
load = [0.7, 0.9]
[measure]
metrics = ["mean_wait", "utilization"]
[[policy]]
label = "EASY"
spec = "easy"
[[policy]]
label = "FCFS"
spec = "fcfs"
[[table]]
name = "waits"
metrics = "mean_wait"
cells = ["value", "interval", "percent", "p"]
[[table]]
name = "busy"
metrics = "utilization"
columns = ["policy"]
"#;

/// Returns a folder with the results of a small experiment.
fn results() -> Folder {
    let folder = Folder::new();
    folder.write("small.toml", EXPERIMENT);
    folder.run(&["run", "small.toml", "--out", "results", "--quiet"]).succeeded();
    folder
}

#[test]
fn every_form_is_written_beside_the_results() {
    let folder = results();
    folder.run(&["table", "results", "--write"]).succeeded();
    for ending in ["txt", "md", "tex", "html", "csv", "json"] {
        let text = folder.read(&format!("results/tables/waits.{ending}"));
        assert!(text.contains("EASY") && text.ends_with('\n'), "{ending}:\n{text}");
    }
    let document = folder.run(&["table", "results", "--name", "waits", "--format", "latex", "--document"]);
    assert!(document.succeeded().starts_with("\\documentclass"));
    let fragment = folder.run(&["table", "results", "--name", "waits", "--format", "latex"]);
    let (table, notes) = (folder.read("results/tables/waits.tex"), folder.read("results/tables/notes.tex"));
    assert!(fragment.succeeded().starts_with(&table), "{}", fragment.succeeded());
    assert!(notes.contains("drawn: 6 replications") && !table.contains("6 replications"), "{notes}");
}

/// A table of 2 loads and 2 policies as an author places it: caption, float and conditions by the declaration, then by
/// options.
#[test]
fn a_table_stands_in_a_paper_as_its_declaration_says() {
    let folder = results();
    let spec = "[[table]]\nname = \"a\"\ncaption = \"Waits at two loads\"\nfloat = \"page\"\nconditions = \"file\"\n";
    folder.write("a.toml", spec);
    let latex = |options: &[&str]| {
        let line = ["table", "results", "--spec", "a.toml", "--format", "latex"];
        folder.run(&[&line[..], options].concat()).succeeded().to_owned()
    };
    let text = latex(&[]);
    assert!(text.contains("\\caption{Waits at two loads.}\\label{tab:a}"), "{text}");
    let (table, conditions) = text.split_once("\\end{table*}").unwrap();
    assert!(!table.contains("seed") && !table.contains("first start - submit"), "{table}");
    assert!(
        conditions.contains("\\paragraph{\\batchlabtable{tab:a}{a}}") && conditions.contains("seed 1"),
        "{conditions}"
    );
    let text = latex(&["--float", "column", "--conditions", "note"]);
    let (table, conditions) = text.split_once("\\end{table}").unwrap();
    assert!(table.contains("seed 1") && conditions.trim().is_empty(), "{text}");
    let text = latex(&["--float", "long"]);
    for word in
        ["\\onecolumn", "\\endfirsthead", "(continued)", "continued on the next page", "\\batchlabcolumns"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    let wrong = ["table", "results", "--float", "page"];
    folder.run(&wrong).failed(2, "--float needs --format latex");
    folder
        .run(&["table", "results", "--format", "latex", "--document=a,b"])
        .failed(2, "--document: `a,b` is not the name of a LaTeX class");
}

/// The model at loads 0.7 and 0.9: 60 jobs at each.
#[test]
fn conditions_are_those_of_the_points_that_are_shown() {
    let folder = Folder::new();
    let experiment = EXPERIMENT.replace("set = { load = \"{load}\" }\n", "")
        + "[[table]]\nname = \"one\"\nwhere = { load = \"0.90\" }\nmetrics = \"mean_wait\"\n\
           [[plot]]\nname = \"bars\"\nkind = \"bars\"\nmetric = \"mean_wait\"\nwhere = { load = 0.9 }\nconditions = true\n";
    folder.write("small.toml", &experiment);
    folder.run(&["run", "small.toml", "--out", "results", "--quiet"]).succeeded();
    let table = |name: &str| {
        let run = folder.run(&["table", "results", "--name", name, "--format", "markdown"]);
        let text = run.succeeded().to_owned();
        text.lines().find(|line| line.starts_with("drawn: ")).unwrap().to_owned()
    };
    let one = table("one");
    assert!(one.contains("offered load × 0.9;") && !one.contains("0.7"), "{one}");
    assert!(one.contains("60 jobs measured in a unit") && one.contains("a seed for each unit"), "{one}");
    assert!(table("waits").contains("offered load × 0.7 to 0.9;"), "{}", table("waits"));
    let plot = std::fs::read_to_string(folder.path("results/plots/bars.svg")).unwrap();
    assert!(plot.contains("offered load × 0.9;") && !plot.contains("× 0.7"), "{plot}");
}

#[test]
fn every_table_of_the_folder_has_a_name_to_print_it_by() {
    let folder = Folder::with_log();
    let claim = "[[claim]]\nname = \"so\"\nsays = \"somebody waits\"\nmetric = \"mean_wait\"\n\
                 let = { a = { policy = \"FCFS\" } }\nexpect = \"a >= 0\"\n";
    let of_log = EXPERIMENT
        .replace(
            "model = \"lublin\"\njobs = 60\nprocs = 64\nset = { load = \"{load}\" }",
            "trace = \"week.swf\"",
        )
        .replace("replications = 6", "multiverse = \"load\"")
        .replace("cells = [\"value\", \"interval\", \"percent\", \"p\"]\n", "");
    folder.write("small.toml", &(of_log + claim));
    folder.run(&["run", "small.toml", "--out", "results", "--quiet"]).succeeded();
    let files = std::fs::read_dir(folder.path("results/tables")).unwrap();
    let names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".md").map(String::from))
        .collect();
    for name in ["waits", "busy", "claims", "multiverse", "who"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
        let printed = folder.run(&["table", "results", "--name", name, "--format", "markdown"]);
        let file = std::fs::read_to_string(folder.path(&format!("results/tables/{name}.md"))).unwrap();
        assert_eq!(printed.succeeded(), file, "{name}");
    }
}

/// A table of a part of the results is printed with a notice, and the exit code is not 0.
#[test]
fn a_table_of_a_part_exits_with_1() {
    let folder = super::run::small();
    folder.run(&["run", "small.toml", "--out", "part", "--shard", "1/2", "-q"]).succeeded();
    let done = folder.run(&["table", "part", "--format", "csv"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.out.lines().count() > 1, "{}", done.out);
    assert!(done.err.contains("are missing: the tables are of the "), "{}", done.err);
    let done = folder.run(&["table", "part", "--write"]);
    assert_eq!((done.code, done.out.as_str()), (1, ""));
}
