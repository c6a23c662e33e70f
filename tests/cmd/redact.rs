//! Tests of `--redact`: no verb shows a name, results stay the same.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::help::verbs;
use super::{Done, Folder};

const NAMES: [&str; 9] =
    ["zoltan", "yvonne", "xaver", "waldemar", "quantumlab", "biolab", "evillab", "secretjob", "example.org"];

const SLURM: &str = "--slurm slurm.conf --slurm assoc.psv --slurm res.txt";

fn commands() -> impl Iterator<Item = (&'static str, i32)> {
    let lines = include_str!("redact/commands").lines().skip(1);
    lines.map(|line| line.split_once(' ').unwrap()).map(|(code, words)| (words, code.parse().unwrap()))
}

/// Returns a folder with the files of `redact`: a log of Slurm, its installation, its queue and a log in SWF, with broken lines in each.
fn folder() -> Folder {
    let folder = Folder::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/redact");
    for entry in std::fs::read_dir(data).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), folder.path("").join(entry.file_name())).unwrap();
    }
    std::fs::remove_file(folder.path("commands")).unwrap();
    for policy in ["easy", "fcfs"] {
        let file = format!("{policy}.csv");
        folder.run(&["replay", "log.swf", "--policy", policy, "-q", "--schedule", &file]).succeeded();
    }
    folder
}

fn run(folder: &Folder, line: &str, further: &[&str]) -> Done {
    let line = line.replace("SLURM", SLURM);
    let quoted = line.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    folder.run(&quoted.chain(further.iter().copied()).collect::<Vec<_>>())
}

fn shown(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    NAMES.into_iter().filter(|name| text.contains(name)).collect()
}

fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let of_entry = |path: PathBuf| {
        if path.is_dir() {
            return files(&path);
        }
        let bytes = std::fs::read(&path).unwrap();
        let mut text = String::new();
        let packed = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text);
        let text = packed.map_or_else(|_| String::from_utf8_lossy(&bytes).into_owned(), |_| text);
        vec![(path, text)]
    };
    std::fs::read_dir(folder).unwrap().flat_map(|entry| of_entry(entry.unwrap().path())).collect()
}

#[test]
fn every_verb_is_among_the_commands() {
    let listed: BTreeSet<&str> = commands().filter_map(|(line, _)| line.split(' ').next()).collect();
    let verbs = verbs(&Folder::new());
    assert_eq!(verbs.iter().map(String::as_str).collect::<BTreeSet<_>>(), listed);
}

#[test]
fn no_verb_shows_a_name() {
    let folder = folder();
    let before: Vec<PathBuf> = files(&folder.path("")).into_iter().map(|(path, _)| path).collect();
    for (line, code) in commands() {
        let done = run(&folder, line, &["--redact"]);
        assert_eq!(done.code, code, "{line}: {}", done.err);
        for text in [&done.out, &done.err] {
            // What is typed is the user's own.
            let typed = ["zoltan", "quantumlab"].into_iter().filter(|name| line.contains(name)).count();
            assert!(shown(text).len() <= typed, "{line}: {text}");
        }
    }
    for (path, text) in files(&folder.path("")).into_iter().filter(|(path, _)| !before.contains(path)) {
        assert_eq!(shown(&text), [""; 0], "{}: {text}", path.display());
    }
}

#[test]
fn without_it_names_are_shown() {
    let folder = folder();
    let shows = |line: &str| {
        let done = run(&folder, line, &[]);
        !shown(&(done.out + &done.err)).is_empty()
    };
    for line in [
        "info sacct.txt",
        "convert sacct.txt --explain",
        "convert log.swf -o -",
        "convert sacct.txt --strict -o out.swf",
        "replay sacct.txt SLURM",
        "replay log.swf --policy easy --limits wrong-limits.toml",
        "explain sacct.txt 12 SLURM",
        "slurm-check sacct.txt SLURM",
        "when squeue.txt SLURM --history sacct.txt",
    ] {
        assert!(shows(line), "{line}");
    }
}

#[test]
fn pseudonyms_are_the_numbers_of_the_log() {
    let folder = folder();
    let explained = run(&folder, "explain sacct.txt 12 SLURM -q", &["--redact"]);
    // quantumlab is the second account of the log.
    assert!(explained.succeeded().contains("GrpTRES of association account2"), "{}", explained.out);
    let unknown = run(&folder, "replay sacct.txt SLURM", &["--redact"]).err;
    assert!(unknown.contains("  association of user2 in account2 (1)\n"), "{unknown}");
    let converted = run(&folder, "convert log.swf -o - -q", &["--redact"]);
    let notes: Vec<&str> = converted.out.lines().filter(|line| line.starts_with(';')).skip(1).collect();
    assert_eq!(
        notes,
        [
            "; Acknowledge: user1, …",
            "; MaxProcs: 4",
            "; Note: user 1: user1",
            "; Note: user 2: user2",
            "; Note: group 1: group1",
            "; Note: group 2: group2",
            "; Note: group2 is now of group1",
            "; user1 complained"
        ]
    );
}

#[test]
fn schedules_are_the_same() {
    let folder = folder();
    for line in [
        "replay sacct.txt SLURM -q --schedule",
        "replay log.swf --policy easy --limits limits.toml -q --schedule",
        "replay log.swf --policy easy --calendar calendar.toml --priorities priorities.toml -q --schedule",
    ] {
        let plain = run(&folder, line, &["a.csv"]);
        let redacted = run(&folder, line, &["b.csv", "--redact"]);
        assert_eq!(plain.succeeded(), redacted.succeeded(), "{line}");
        assert_eq!(folder.read("a.csv"), folder.read("b.csv"), "{line}");
    }
    // The limit of the association of quantumlab binds, so the names have been matched.
    let bound = run(&folder, "replay sacct.txt SLURM -q", &["--redact"]);
    assert!(bound.out.contains("jobs that limits held back"), "{}", bound.out);
}

/// Every word of the files of a scenario is replaced in turn by a marked one, which no message shows.
#[test]
fn no_message_shows_a_word_of_the_files_of_a_scenario() {
    let folder = Folder::new();
    folder.write(
        "log.swf",
        "; MaxProcs: 16\n; UnixStartTime: 1700000000\n; Note: user 1: ann\n; Note: user 2: bob\n; Note: group 1: physics\n\
         ; Partition: 1 main\n1 0 0 9 4 -1 -1 4 9 -1 1 1 1 -1 1 1 -1 -1\n2 1 0 9 4 -1 -1 4 9 -1 1 2 1 -1 1 1 -1 -1\n",
    );
    let files = [
        (
            "limits",
            "[[limit]]\nuser = \"ann\"\nprocs = 8\nwall_time = \"24h\"\ncount = \"running\"\n\
                    [[limit]]\ngroup = [\"physics\"]\npartition = \"main\"\nrunning_jobs = 2\n",
        ),
        (
            "calendar",
            "[[event]]\nkind = \"maintenance\"\nfrom = \"2023-11-15 10:00\"\nto = 2000\nprocs = 4\nknown = \"1d\"\n\
                      [[event]]\nkind = \"reservation\"\nuser = \"ann\"\nfrom = 100\nto = 200\nresource = \"procs\"\namount = 3\n",
        ),
        (
            "priorities",
            "releases = [\"procs\"]\n[[class]]\nuser = \"ann\"\npriority = 2\npreempts = true\n\
                        [[class]]\nuser = \"bob\"\npriority = 1\npreempted = \"requeue\"\n",
        ),
    ];
    let mut shown = Vec::new();
    for (kind, text) in files {
        let is_of_word = |letter: char| letter.is_alphanumeric() || "_-.:".contains(letter);
        for word in text.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty()) {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            folder.write("w.toml", &format!("{}zqname{}", &text[..at], &text[at + word.len()..]));
            let done = folder.run(&["replay", "log.swf", "-q", "--redact", &format!("--{kind}"), "w.toml"]);
            shown.extend(Some(done.out + &done.err).filter(|said| said.contains("zqname")));
        }
    }
    assert!(shown.is_empty(), "{} messages show a word:\n{}", shown.len(), shown.join("\n"));
}
