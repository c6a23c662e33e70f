//! How long functions and files may be, how many files may have a type of one name, and how many import in a circle: what is
//! longer or shared more stands in a list, from which it is taken as it is mended. The lists may shrink and not grow.

mod arrows;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FUNCTION: usize = 70;
const FILE: usize = 500;
/// The most files that have a public type of one name.
const NAME: usize = 2;

/// The most files that have methods of one type.
const PARTS: usize = 3;

/// The most lines of Rust, tests, comments and blank lines included.
const LINES: usize = 255_000;

const FOLDERS: [&str; 9] = [
    "src",
    "parsers/src",
    "policies/src",
    "policies/contract/src",
    "policies/external/src",
    "policies/slurm/src",
    "policies/support/src",
    "traces/src",
    "python/src",
];

const CRATES: [&str; 4] = ["src/engine", "src/environment", "src/report", "src/study"];

const FUNCTIONS: &[(&str, &str, usize)] = &[];

const FILES: &[(&str, usize)] = &[];

/// Types whose methods are spread over more files, each with the most files that it may have. Who reads such a type reads all of
/// them.
const TYPES: &[(&str, &str, usize)] = &[];

type Lines = Vec<String>;

fn sources() -> Vec<(String, Lines)> {
    read(&FOLDERS)
}

fn read(folders: &[&str]) -> Vec<(String, Lines)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("target") {
                continue;
            }
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in folders {
        walk(&root.join(folder), &mut found);
    }
    found.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        (name, fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect())
    };
    found.into_iter().map(read).collect()
}

/// Returns what follows the qualifiers of a function or a type, such as `pub(crate) const`, if the line has them and the word.
fn after<'a>(line: &'a str, words: &[&str]) -> Option<&'a str> {
    let mut rest = line.trim_start();
    if let Some(visible) = rest.strip_prefix("pub") {
        rest = match visible.strip_prefix('(') {
            Some(scope) => scope.split_once(") ")?.1,
            None => visible.strip_prefix(' ')?,
        };
    }
    while let Some(less) =
        ["const ", "async ", "extern \"C\" "].iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = less;
    }
    words.iter().find_map(|word| rest.strip_prefix(word)?.strip_prefix(' '))
}

fn name(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}

/// Returns the functions of a file with a body of several lines: name and number of lines. The closing brace is indented as the
/// first line, since the gate formats all code.
fn functions(lines: &[String]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(rest) = after(line, &["fn"]) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indent}}}");
        let is_over =
            |line: &&String| **line == end || line.starts_with(&format!("{indent})")) && line.ends_with(';');
        if line.ends_with(['}', ';']) {
            continue;
        }
        let length = lines[at..].iter().take_while(|line| !is_over(line)).count() + 1;
        found.push((name(rest).to_owned(), length));
    }
    found
}

/// Compares what was found with a list: each is in the list, with its size or a greater one, and nothing else is.
fn hold<K: Ord + std::fmt::Debug + Clone>(
    what: &str,
    found: &BTreeMap<K, usize>,
    listed: &BTreeMap<K, usize>,
) {
    for (key, size) in found {
        let most = listed.get(key);
        assert!(
            most.is_some_and(|most| size <= most),
            "{what} {key:?}: {size}, may have {most:?}: make it smaller"
        );
    }
    let mended: BTreeSet<_> = listed.keys().filter(|key| !found.contains_key(key)).collect();
    assert!(mended.is_empty(), "take from the list of {what}: {mended:?}");
}

#[test]
fn functions_are_short() {
    let mut found = BTreeMap::new();
    for (file, lines) in sources() {
        for (function, length) in functions(&lines).into_iter().filter(|(_, length)| *length > FUNCTION) {
            let longest: &mut usize = found.entry((file.clone(), function)).or_default();
            *longest = length.max(*longest);
        }
    }
    let listed = FUNCTIONS.iter().map(|&(file, function, length)| ((file.into(), function.into()), length));
    hold("functions", &found, &listed.collect());
}

#[test]
fn files_are_short() {
    let lengths = sources().into_iter().map(|(file, lines)| (file, lines.len()));
    let listed = FILES.iter().map(|&(file, length)| (file.to_owned(), length));
    hold("files", &lengths.filter(|(_, length)| *length > FILE).collect(), &listed.collect());
}

#[test]
fn the_code_does_not_grow() {
    let others = ["tests", "parsers/tests", "policies/slurm/tests", "traces/tests", "examples", "web/src"];
    let there = |folder: &&str| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).is_dir();
    let folders: Vec<&str> = FOLDERS.into_iter().chain(others).filter(there).collect();
    let lines: usize = read(&folders).iter().map(|(_, lines)| lines.len()).sum();
    assert!(lines <= LINES, "{lines} lines of Rust, may have {LINES}: take away what is superfluous");
}

/// A B-tree of the library is compiled to five times the code of [`batchlab::traces::sorted`] for each pair of types.
#[test]
fn ordered_maps_are_of_one_type() {
    let listed = ["python/src/gate.rs", "python/src/state.rs"];
    let is_test = |file: &str| file.contains("/tests") || file.ends_with("columns.rs");
    let own = |lines: &Lines| {
        lines.iter().any(|line| line.starts_with("use std::collections::") && line.contains("BTree"))
    };
    let found =
        sources().into_iter().filter(|(file, lines)| !is_test(file) && own(lines)).map(|(file, _)| file);
    assert_eq!(found.collect::<Vec<_>>(), listed);
}

#[test]
fn a_public_type_has_a_name_of_its_own() {
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, lines) in sources() {
        let public = lines.iter().filter(|line| line.trim_start().starts_with("pub"));
        let types = public.filter_map(|line| after(line, &["struct", "enum", "trait", "type"]));
        // The parameter of a macro is no name.
        for of in types.map(name).filter(|of| !of.is_empty()) {
            files.entry(of.to_owned()).or_default().insert(file.clone());
        }
    }
    let shared: Vec<_> = files.into_iter().filter(|(_, files)| files.len() > NAME).collect();
    assert!(shared.is_empty(), "a name of their own each: {shared:#?}");
}

fn methods_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl").filter(|_| !line.contains(" for "))?;
    let rest = if rest.starts_with('<') { rest.split_once("> ")?.1 } else { rest.strip_prefix(' ')? };
    Some(name(rest))
}

#[test]
fn the_methods_of_a_type_are_in_few_files() {
    let crate_of = |file: &str| FOLDERS.into_iter().chain(CRATES).rfind(|root| file.starts_with(root));
    let mut found = BTreeMap::new();
    for (file, lines) in sources() {
        let own = |line: &String| after(line, &["struct", "enum"]).map(|rest| name(rest).to_owned());
        let own: BTreeSet<String> = lines.iter().filter_map(own).collect();
        let types: BTreeSet<&str> = lines.iter().filter_map(|line| methods_of(line)).collect();
        for of in types.into_iter().filter(|of| !own.contains(*of)) {
            // One file more has the type itself.
            *found.entry((crate_of(&file).unwrap_or_default().to_owned(), of.to_owned())).or_insert(1) += 1;
        }
    }
    found.retain(|_, files| *files > PARTS);
    let listed = TYPES.iter().map(|&(root, of, files)| ((root.to_owned(), of.to_owned()), files));
    hold("types", &found, &listed.collect());
}

/// Returns the lines of code that name something, below some folders: file and line.
fn naming(folders: &[&str], what: &str) -> Vec<String> {
    let is_below = |file: &str| folders.iter().any(|folder| file.starts_with(folder));
    let lines = sources().into_iter().filter(|(file, _)| is_below(file));
    let named = lines.flat_map(|(file, lines)| {
        let lines =
            lines.into_iter().filter(|line| !line.trim_start().starts_with("//") && line.contains(what));
        lines.map(move |line| format!("{file}: {}", line.trim())).collect::<Vec<_>>()
    });
    named.collect()
}

#[test]
fn only_the_command_line_imports_clap() {
    let outside = |line: &String| !line.starts_with("src/cli/") && !line.starts_with("src/cli.rs");
    let named: Vec<String> = naming(&FOLDERS, "clap::").into_iter().filter(outside).collect();
    assert!(named.is_empty(), "{named:?}");
    assert!(
        naming(&["src/lab", "python/src"], "cli::").is_empty(),
        "the application and Python reach no command line"
    );
    assert!(!naming(&["src/cli/"], "clap::").is_empty());
}

#[test]
fn an_option_is_declared_in_the_table_alone() {
    // What one has to say of an option stands in its row: nobody else keeps it, or makes words of a command line of it.
    let kept = naming(&["src/lab", "src/cli"], "pub strict: bool");
    assert_eq!(kept, ["src/lab/logs/reading.rs: pub strict: bool,"]);
    let of_clap = ["#[arg(", "Arg::new("].map(|what| naming(&["src", "python/src"], what)).concat();
    let is_of_table = |line: &String| line.starts_with("src/cli/arguments.rs: ");
    assert!(of_clap.iter().all(is_of_table) && of_clap.len() == 1, "no argument has no row: {of_clap:?}");
    let made = naming(&["src/lab", "python/src"], "format!(\"--{");
    assert!(made.iter().all(|line| line.starts_with("src/lab/options")), "{made:?}");
}

#[test]
fn a_function_is_measured_by_its_braces() {
    let text = "impl A {\n    pub(crate) const fn long(\n        a: u8,\n    ) -> u8 {\n        a\n    }\n    fn short() {}\n}\n";
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(functions(&lines), [("long".to_owned(), 5)]);
}

/// Files of the program's own names are written by `OutputFolder`, which follows no link. These files write in another way: a file
/// that the user names, one that is locked and extended, what a download keeps until it is whole, and tests.
#[test]
fn files_are_written_through_one_door() {
    let listed = [
        "parsers/src/sink.rs",
        "parsers/src/sink/place.rs",
        "parsers/src/sink/unfinished.rs",
        "parsers/src/swf/writer.rs",
        "policies/external/src/abi/tests.rs",
        "python/src/trace.rs",
        "src/cli/cite.rs",
        "src/cli/clean.rs",
        "src/cli/convert.rs",
        "src/cli/explain.rs",
        "src/cli/generate.rs",
        "src/cli/info.rs",
        "src/cli/open/report.rs",
        "src/cli/open/server.rs",
        "src/cli/outputs.rs",
        "src/cli/report.rs",
        "src/cli/shape.rs",
        "src/cli/slurm.rs",
        "src/cli/slurm_check/jobs.rs",
        "src/cli/slurm_collect.rs",
        "src/cli/when/record.rs",
        "src/engine/catalogue/fetch.rs",
        "src/engine/catalogue/fetch/transfer.rs",
        "src/lab/logs/growing.rs",
        "src/lab/replays/schedules.rs",
        "src/lab/tuning/store.rs",
        "src/report/report/plots/tests.rs",
        "src/report/report/plots/tests/saying.rs",
        "src/study/experiment/folder/kept.rs",
        "src/study/experiment/journal.rs",
        "src/study/experiment/lock.rs",
        "src/study/experiment/log_folders.rs",
    ];
    let ways = [
        "fs::write(",
        "File::create(",
        "OpenOptions::new()",
        "fs::rename(",
        "fs::copy(",
        "Output::create(",
        "Output::write_text(",
    ];
    let lines = ways.iter().flat_map(|way| naming(&FOLDERS, way));
    let found: BTreeSet<String> =
        lines.map(|line| line.split(": ").next().unwrap_or_default().to_owned()).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), listed);
}
