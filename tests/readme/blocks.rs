//! The blocks of TOML, JSON and Python of all pages: the program reads them where it reads such files.

use std::path::Path;
use std::process::Command;

use toml::Table;

use super::{CACHE, fences, is_here, pages, read, root};
use crate::cmd::{Done, Folder};

/// What an experiment has beside a block that shows a part of one: a section, and its text.
const SECTIONS: [(&str, &str); 5] = [
    ("experiment", "[experiment]\nname = \"e\"\nreplications = 2\n"),
    (
        "workload",
        "[[workload]]\nname = \"a\"\nmodel = \"lublin\"\njobs = 60\nprocs = 128\nset = { estimates = \"phi:0.2\" }\n\
         [[workload]]\nname = \"b\"\nmodel = \"lublin\"\njobs = 60\nprocs = 128\nset = { estimates = \"phi:0.2\" }\n",
    ),
    (
        "policy",
        "[[policy]]\nlabel = \"EASY\"\nspec = \"easy\"\n[[policy]]\nlabel = \"EASY, shortest first\"\nspec = \"easy:candidates=sjf\"\n\
         [[policy]]\nlabel = \"easy\"\nspec = \"fcfs\"\n",
    ),
    ("sweep", ""),
    ("measure", "[measure]\nmetrics = [\"mean_wait\", \"mean_bsld\", \"jain\"]\n"),
];

/// The same for blocks about the paper whose parameters are `P` and `M`.
const OF_MEMORY: [(&str, &str); 5] = [
    SECTIONS[0],
    ("workload", "[[workload]]\nname = \"a\"\nmodel = \"lublin\"\njobs = 60\nprocs = \"{M}\"\n"),
    (
        "policy",
        "[[policy]]\nlabel = \"GS\"\nspec = \"depth:k={P}\"\n[[policy]]\nlabel = \"BGS\"\nspec = \"depth:k={P},order=sjf\"\n\
         [[policy]]\nlabel = \"MGS\"\nspec = \"depth:k={P},order=ljf\"\n",
    ),
    ("sweep", "[sweep]\nP = [1, 2]\nM = [128, 256]\n"),
    ("measure", "[measure]\nmetrics = [\"mean_bsld\"]\n"),
];

/// The experiments of the paper that a page describes, with the claims that it names.
const TABLE1: &str = "[[claim]]\nname = \"migration\"\nsays = \"a\"\nmetric = \"mean_bsld\"\norder = [\"EASY\", \"easy\"]\n\
                      [[claim]]\nname = \"mgs-by-gs\"\nsays = \"b\"\nmetric = \"mean_bsld\"\nlet = { a = { policy = \"EASY\" } }\n\
                      expect = \"a\"\nvalue = 1\n\
                      tolerance = 99999\n";

/// A log with the names that the pages use.
const LOG: &str = "; Version: 2.2\n; UnixStartTime: 1767225600\n; TimeZoneString: Europe/Berlin\n; MaxNodes: 144\n\
                   ; MaxProcs: 1152\n; Queue: 3 interactive\n; Partition: 1 gpu\n; Partition: 3 large\n\
                   ; Note: account 3: course\n\
                   1 0 -1 100 8 -1 -1 8 200 -1 1 1 1 1 1 1 -1 -1\n2 10 -1 100 8 -1 -1 8 200 -1 1 2 1 1 3 3 -1 -1\n";

/// A log of Slurm, which has service classes.
const SACCT: &str = "JobID|User|Account|QOS|Partition|Submit|Start|End|TimelimitRaw|State|NCPUS\n\
                     1|ann|lab|scavenger|main|2026-12-01T08:00:00|2026-12-01T08:00:00|2026-12-01T08:10:00|20|COMPLETED|4\n\
                     2|ann|lab|normal|urgent|2026-12-01T08:00:00|2026-12-01T08:00:00|2026-12-01T08:10:00|20|COMPLETED|4\n";

const TABLE: &str = "Job,Owner,Began,Done,Nodes,Mem (MB),How,Queue\n\
                     1,ann,01.12.2026 08:00,01.12.2026 09:00,2,100,ok,q4s\n";

/// What a file of TOML is, by its first key that says so, and the command that reads it as `block.toml`.
const COMMANDS: [(&str, &str); 8] = [
    (
        "nodes",
        "replay log.swf --policy easy --machine block.toml --capacity memory=none --capacity gpu_milli=none",
    ),
    ("event", "replay log.swf --policy easy --calendar block.toml"),
    ("limit", "replay log.swf --policy easy --limits block.toml"),
    ("class", "replay sacct.txt --procs 8 --policy easy --priorities block.toml"),
    ("step", "shape log.swf --steps block.toml -o -"),
    ("rule", "clean log.swf --rules block.toml -o -"),
    ("log", "list logs site:2025"),
    ("column", "convert table.csv --mapping block.toml -o -"),
];

/// Returns an experiment of which a block shows a part.
fn completed(block: &str, shown: &Table) -> String {
    let sections = if block.contains("\"P\"") { OF_MEMORY } else { SECTIONS };
    let absent = sections.iter().filter(|(name, _)| !shown.contains_key(*name));
    absent.map(|(_, text)| *text).collect::<String>() + block
}

/// Runs the program on a block as what it is. Returns the command, and how it ended.
fn done(block: &str, page: &str) -> Option<(String, Done)> {
    let shown: Table = block.parse().unwrap_or_else(|error| panic!("{page}: {error}\n{block}"));
    let folder = Folder::new();
    for (file, text) in [("log.swf", LOG), ("sacct.txt", SACCT), ("table.csv", TABLE), ("block.toml", block)]
    {
        folder.write(file, text);
    }
    let command = if shown.contains_key("title") {
        std::fs::create_dir(folder.path("paper")).unwrap();
        folder.write("paper/paper.toml", block);
        for (file, text) in [("table1.toml", TABLE1), ("costs.toml", "")] {
            folder.write(&format!("paper/{file}"), &completed(text, &text.parse().unwrap()));
        }
        "paper paper --quick --out results -q".to_owned()
    } else if let Some((_, command)) = COMMANDS.iter().find(|(key, _)| shown.contains_key(*key)) {
        // Calendars of nodes are about the machine of the page.
        let is_of_nodes = block.contains("\nnodes = ") && shown.contains_key("event");
        if is_of_nodes {
            folder.write("machine.toml", fences(&read("docs/MACHINES.md"), "toml")[0]);
        }
        let machine = "--machine machine.toml --capacity memory=none --capacity gpu_milli=none";
        if is_of_nodes { format!("{command} {machine}") } else { (*command).to_owned() }
    } else {
        folder.write("block.toml", &completed(block, &shown));
        "run block.toml --dry-run --out results -q".to_owned()
    };
    if !is_here(page, block) {
        return None;
    }
    let mut program = super::batchlab();
    program.env("BATCHLAB_CACHE", CACHE.0.path()).env("BATCHLAB_CATALOGUE", folder.path("block.toml"));
    if !shown.contains_key("log") {
        program.env_remove("BATCHLAB_CATALOGUE");
    }
    let output = program.args(command.split(' ')).current_dir(folder.path(".")).output().unwrap();
    Some((command, Done::of(output)))
}

fn all_pages() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["docs", "parsers", "policies", "python", "src/cli/paper", "traces", "web"] {
        pages(&root().join(folder), &mut found);
    }
    let names = found.iter().map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned());
    let mut names: Vec<String> = names.chain(["README.md".into(), "CONTRIBUTING.md".into()]).collect();
    names.sort();
    names
}

#[test]
fn every_block_of_toml_is_read_by_the_program() {
    let mut blocks = 0;
    for page in all_pages() {
        for block in fences(&read(&page), "toml") {
            blocks += 1;
            let Some((command, done)) = done(block, &page) else { continue };
            assert_eq!(done.code, 0, "{page}: `batchlab {command}`: {}\n{block}", done.err);
        }
    }
    assert_eq!(blocks, 26, "blocks of TOML");
}

#[test]
fn every_block_of_json_and_python_can_be_read() {
    let (mut json, mut python) = (0, 0);
    for page in all_pages() {
        let text = read(&page);
        for block in fences(&text, "json") {
            let read: Result<serde_json::Value, _> = serde_json::from_str(block);
            assert!(read.is_ok(), "{page}: {read:?}\n{block}");
            json += 1;
        }
        for block in fences(&text, "python") {
            let code = "import ast, sys; ast.parse(sys.argv[1])";
            let Ok(done) = Command::new("python3").args(["-c", code, block]).output() else {
                eprintln!("skipped: no python3");
                return;
            };
            assert!(done.status.success(), "{page}: {}\n{block}", String::from_utf8_lossy(&done.stderr));
            python += 1;
        }
    }
    assert_eq!((json, python), (0, 13), "blocks of JSON and Python");
}

/// The guide's way from the skeleton of a paper to a log, taken literally: without a sweep nothing names the load.
#[test]
fn the_skeleton_of_a_paper_runs_on_a_log_as_the_guide_says() {
    let folder = Folder::new();
    folder.run(&["paper", "new", "mine"]).succeeded();
    let guide = read("docs/guide/paper.md");
    let plot = fences(&guide, "toml")[0].lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let log = root().join("traces/data/lublin-128.swf.gz");
    let mut text = folder.read("mine/comparison.toml");
    let mut change = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in the skeleton");
        text = text.replace(from, to);
    };
    let model = "model = \"lublin\"\nprocs = 128\njobs = 2000\nset = { estimates = \"phi:0.2\" }\n";
    change(model, &format!("trace = \"{}\"\nwindows = \"2d\"\n", log.display()));
    change("[profile.quick.workload]\njobs = 500\n", "");
    change("[sweep]\nload = [0.7, 0.8, 0.9]\n", "");
    change("columns = [\"load\"]\n", "");
    change(", load = 0.9", "");
    let begin = "[[plot]]\nname = \"load\"\nkind = \"lines\"\nmetric = \"mean_bsld\"\nx = \"load\"\n";
    change(begin, &plot);
    assert!(Path::new(&log).exists());
    folder.write("mine/comparison.toml", &text);
    let done = folder.run_in("mine", &["paper", ".", "--quick", "--out", "results", "-q"]);
    done.succeeded();
    assert!(
        folder.read("mine/results/mine/README.md").contains("| Shortest job first among"),
        "{}",
        done.out
    );
}
