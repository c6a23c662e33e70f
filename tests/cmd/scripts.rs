//! The tests in `scripts/*.txt`, whose form is in `scripts/README.md`.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;

use super::{Done, Folder};

/// A directive: its place in the file, the line, and its text.
type Directive = (usize, String, String);

/// A case in its folder.
#[derive(Default)]
struct Case {
    /// The text of each file as `file` gave it.
    given: HashMap<String, String>,
    input: String,
    done: Option<Done>,
    /// Where the line of the last `line` ends.
    from: usize,
}

/// Returns the cases of a script by name; each begins with what stands before the first one.
fn cases(text: &str) -> Vec<(String, Vec<Directive>)> {
    let (mut shared, mut cases): (Vec<Directive>, Vec<(String, Vec<Directive>)>) = Default::default();
    for (line, at) in text.lines().zip(1..) {
        if let Some(name) = line.strip_prefix("== ") {
            cases.push((name.to_owned(), shared.clone()));
            continue;
        }
        let current = cases.last_mut().map_or(&mut shared, |(_, of_case)| of_case);
        match line.strip_prefix("    ").or(line.is_empty().then_some("")) {
            Some(more) => {
                let Some((.., text)) = current.last_mut() else { continue };
                *text = format!("{text}{more}\n");
            }
            None if line.starts_with('#') => {}
            None => current.push((at, line.to_owned(), String::new())),
        }
    }
    for (.., text) in cases.iter_mut().flat_map(|(_, directives)| directives) {
        // Empty lines below a text stand between directives.
        let length = text.trim_end_matches('\n').len();
        text.truncate(if length == 0 { 0 } else { length + 1 });
    }
    cases
}

/// Returns the words of a directive: its line or else its text, or a string in quotes.
fn words(line: &str, text: &str) -> String {
    match line {
        "" => text.strip_suffix('\n').unwrap_or(text).to_owned(),
        line if line.starts_with('"') => serde_json::from_str(line).unwrap(),
        line => line.to_owned(),
    }
}

/// Replaces the lines after `-` by those after `+` that follow them; lines that replace none go to the end.
fn changed(text: &str, lines: &str) -> String {
    let (mut text, mut old, mut new) = (text.to_owned(), String::new(), String::new());
    for line in lines.lines().map(Some).chain([None]) {
        let sign = line.and_then(|line| line.chars().next());
        if sign.is_none() || sign == Some('-') && !new.is_empty() {
            let place = format!("\n{text}").find(&format!("\n{old}")).unwrap_or_else(|| panic!("no {old}"));
            let place = if old.is_empty() { text.len() } else { place };
            text.replace_range(place..place + old.len(), &new);
            (old, new) = Default::default();
        }
        let line = format!("{}\n", line.and_then(|line| line.get(2..)).unwrap_or_default());
        if sign == Some('-') { old += &line } else { new += &line }
    }
    text
}

impl Case {
    /// Does a directive; `code` is the exit code that a command must have.
    fn step(&mut self, folder: &Folder, line: &str, text: &str, code: i32) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "file" => {
                folder.write(rest, text);
                self.given.insert(rest.to_owned(), text.to_owned());
            }
            "change" => folder.write(rest, &changed(&self.given[rest], text)),
            "<" => text.clone_into(&mut self.input),
            "$" => {
                let args = shlex::split(rest).unwrap();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let done = folder.run_with_input(&args, std::mem::take(&mut self.input));
                assert_eq!(done.code, code, "{}{}", done.out, done.err);
                (self.done, self.from) = (Some(done), 0);
            }
            "exit" => {}
            "fails" => {
                let (_, expected) = rest.split_once(':').unwrap();
                self.done.as_ref().unwrap().failed(code, &words(expected.trim_start(), text));
            }
            "files:" => assert_eq!(folder.files().join(" "), rest),
            "absent:" => assert!(!folder.path(rest).exists()),
            subject => {
                let found = match (subject, &self.done) {
                    ("out", Some(done)) => done.out.clone(),
                    ("err", Some(done)) => done.err.clone(),
                    (name, _) => folder.read(name),
                };
                let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                self.from = if verb == "line" { self.from } else { 0 };
                let holds = self.holds(folder, &found, (verb, rest, text));
                assert!(holds, "{line}\n{text}is not so in:\n{found}");
            }
        }
    }

    fn holds(&mut self, folder: &Folder, found: &str, (verb, rest, text): (&str, &str, &str)) -> bool {
        let expected = words(rest, text);
        match verb {
            "has" => format!("\n{found}").contains(&expected),
            "lacks" => !format!("\n{found}").contains(&expected),
            "reads" => found.split_whitespace().collect::<Vec<_>>().join(" ").contains(&expected),
            "starts" => found.starts_with(&expected),
            "ends" => found.ends_with(&expected),
            "line" => {
                let below = format!("\n{}\n", &found[self.from..]);
                let place = below.find(&format!("\n{expected}\n"));
                self.from += place.map_or(0, |place| (place + expected.len() + 1).min(below.len() - 2));
                place.is_some()
            }
            "lines" => found.lines().filter(|line| line.starts_with(rest)).eq(text.lines()),
            "count" => found.lines().count().to_string() == rest,
            "is" if rest.is_empty() => found == text,
            "is" => found == expected,
            "rows" => {
                columns(found, &rest.split(' ').filter(|name| !name.is_empty()).collect::<Vec<_>>()) == text
            }
            "column" => {
                let (name, values) = rest.split_once(": ").unwrap();
                columns(found, &[name]).lines().eq(values.split(' '))
            }
            "json" => {
                let (pointer, value) = rest.split_once(": ").unwrap();
                let json: Value = serde_json::from_str(found).unwrap();
                let (value, expected) =
                    (json.pointer(pointer), serde_json::from_str::<Value>(value).unwrap());
                value.is_some_and(|value| {
                    *value == expected || value.is_f64() && value.as_f64() == expected.as_f64()
                })
            }
            "to" => {
                folder.write(rest, found);
                true
            }
            "same" => found == folder.read(rest),
            other => panic!("unknown directive {other}"),
        }
    }
}

/// Returns the rows of a table in CSV, one a line: these columns, or all.
fn columns(table: &str, names: &[&str]) -> String {
    let (head, rows) = table.split_once('\n').unwrap();
    let at = |name: &&str| head.split(',').position(|heading| heading == *name).expect(name);
    let at: Vec<usize> = names.iter().map(at).collect();
    let cells = |row: &str| {
        at.iter().map(|&at| row.split(',').nth(at).unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    rows.lines().map(|row| if at.is_empty() { row.to_owned() } else { cells(row) } + "\n").collect()
}

/// Runs all cases of a script; a failure names the file and the line.
fn script(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    cases(&text).par_iter().for_each(|(name, directives)| {
        let (folder, mut case) = (Folder::new(), Case::default());
        for (index, (at, line, text)) in directives.iter().enumerate() {
            let below = &directives[index + usize::from(line.starts_with("$ "))..];
            let code =
                below.iter().take_while(|(_, line, _)| !line.starts_with("$ ")).find_map(|(_, line, _)| {
                    line.strip_prefix("exit ").or_else(|| line.strip_prefix("fails ")?.split(':').next())
                });
            let code = code.map_or(0, |code| code.parse().unwrap());
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| case.step(&folder, line, text, code))) {
                eprintln!("{}:{at}: {name}: {line}", path.display());
                resume_unwind(panic);
            }
        }
    });
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/scripts")
}

/// Declares a test for each script.
macro_rules! scripts {
    ($($name:ident)*) => {
        const SCRIPTS: &[&str] = &[$(stringify!($name)),*];
        $(#[test] fn $name() { script(&folder().join(concat!(stringify!($name), ".txt"))); })*
    };
}

scripts! {
    bounded calendar clean conform convert convert_slurm diff explain generate info limits list logs mistakes needs no_limit
    nodes priorities replay_cancelled replay_codes replay_dependencies replay_eligible replay_forms
    replay_machines replay_measured replay_options replay_requeues replay_schedule_columns
    replay_schedules replay_stop replay_stream replay_typed report run_charts run_claims run_own
    run_pooled run_profile run_refused run_replaced shape slurm_priorities slurm_rules slurm_twin suspended table
    usage_limits venues verify what_if when_queue
}

#[test]
fn every_script_is_run() {
    let names =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let unlisted =
        names.filter(|name| !SCRIPTS.contains(&name.trim_end_matches(".txt")) && name != "README.md");
    assert_eq!(unlisted.collect::<Vec<_>>(), [""; 0]);
}
