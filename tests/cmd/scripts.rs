//! The tests in `scripts/*.txt`, whose form is in `scripts/README.md`.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::script_text::{
    Directive, cases, changed, columns, expanded, fit, is_value, pointed, row_of, words,
};
use super::{Done, Folder};

#[derive(Default)]
struct Case {
    /// The text of each file as `file` gave it.
    given: HashMap<String, String>,
    input: Vec<u8>,
    done: Option<Done>,
    /// Where the line of the last `line` ends.
    from: usize,
}

impl Case {
    /// Does a directive; `codes` are the exit codes that a command may have.
    fn step(&mut self, folder: &Folder, line: &str, text: &str, codes: &str) {
        let quoted = line.strip_prefix('\'').and_then(|line| line.split_once("' "));
        let (first, rest) = quoted.or_else(|| line.split_once(' ')).unwrap_or((line, ""));
        match first {
            "<" if !text.is_empty() => self.input = text.as_bytes().to_vec(),
            "<" => self.input = std::fs::read(folder.path(rest)).unwrap(),
            "leaves" => {
                let args = shlex::split(rest).unwrap();
                let done = folder.run_and_leave(&args.iter().map(String::as_str).collect::<Vec<_>>());
                assert_eq!((done.code, done.err.as_str()), (0, ""));
            }
            "$" => {
                let args = shlex::split(rest).unwrap();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let done = folder.run_with_input(&args, std::mem::take(&mut self.input));
                let is_one = codes.split('|').any(|code| code == done.code.to_string());
                assert!(is_one, "{}: {}{}", done.code, done.out, done.err);
                (self.done, self.from) = (Some(done), 0);
            }
            "exit" | "needs" => {}
            "fails" => {
                let (_, expected) = rest.split_once(':').unwrap();
                let done = self.done.as_ref().unwrap();
                done.failed(done.code, &words(expected.trim_start(), text));
            }
            "file" | "change" | "copy" | "folder" | "move" | "replace" | "remove" => {
                self.prepare(folder, (first, rest, text));
            }
            "trees" | "files:" | "files" | "packed:" | "absent:" => look(folder, first, rest),
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

    fn prepare(&mut self, folder: &Folder, (first, rest, text): (&str, &str, &str)) {
        match first {
            "file" => {
                folder.write(rest, text);
                self.given.insert(rest.to_owned(), text.to_owned());
            }
            "change" => folder.write(rest, &changed(&self.given[rest], text)),
            "copy" => {
                let name = Path::new(rest).file_name().unwrap().to_str().unwrap();
                let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(rest)).unwrap();
                folder.write(name, &text);
                self.given.insert(name.to_owned(), text);
            }
            "folder" => std::fs::create_dir_all(folder.path(rest)).unwrap(),
            "move" => {
                let (from, to) = rest.split_once(' ').unwrap();
                std::fs::rename(folder.path(from), folder.path(to)).unwrap();
            }
            "replace" => {
                let (name, words) = rest.split_once(": ").unwrap();
                let (old, new) = words.split_once("; ").unwrap();
                let text = folder.read(name);
                assert!(text.contains(old), "{old} is not in {text}");
                folder.write(name, &text.replacen(old, new, 1));
            }
            _ => std::fs::remove_file(folder.path(rest)).unwrap(),
        }
    }

    fn holds(&mut self, folder: &Folder, found: &str, (verb, rest, text): (&str, &str, &str)) -> bool {
        let expected = words(rest, text);
        match verb {
            "has" => format!("\n{found}").contains(&expected),
            "lacks" => !format!("\n{found}").contains(&expected),
            "reads" => found.split_whitespace().collect::<Vec<_>>().join(" ").contains(&expected),
            "starts" => found.starts_with(&expected),
            "ends" if rest.is_empty() => found.ends_with(text),
            "ends" => found.ends_with(&expected),
            "line" => {
                let below = format!("\n{}\n", &found[self.from..]);
                let place = below.find(&format!("\n{expected}\n"));
                self.from += place.map_or(0, |place| (place + expected.len() + 1).min(below.len() - 2));
                place.is_some()
            }
            "lines" => found.lines().filter(|line| line.starts_with(rest)).eq(text.lines()),
            "count" => found.lines().count().to_string() == rest,
            "times" => {
                let (count, expected) = rest.split_once(": ").unwrap();
                found.matches(&words(expected, text)).count().to_string() == count
            }
            "is" if rest.is_empty() => found == text,
            "is" => found == expected,
            "rows" => {
                columns(found, &rest.split(' ').filter(|name| !name.is_empty()).collect::<Vec<_>>()) == text
            }
            "column" => {
                let (name, values) = rest.split_once(": ").unwrap();
                fit(&columns(found, &[name]).lines().collect::<Vec<_>>(), values)
            }
            "row" => {
                let (row, values) = rest.split_once(": ").unwrap();
                let (key, names) = row.split_once(' ').unwrap();
                let cells = columns(&row_of(found, key), &names.split(' ').collect::<Vec<_>>());
                fit(&cells.trim_end().split(' ').collect::<Vec<_>>(), values)
            }
            "json" => {
                let (pointer, value) = rest.split_once(": ").unwrap();
                is_value(&pointed(&serde_json::from_str(found).unwrap(), &words(pointer, "")), value)
            }
            "part" => {
                let (pointer, verb) = rest.split_once(' ').unwrap();
                let json = pointed(&serde_json::from_str(found).unwrap(), pointer);
                let (verb, rest) = verb.split_once(' ').unwrap();
                let part = json.as_str().map_or_else(|| json.to_string(), str::to_owned);
                self.holds(folder, &part, (verb, rest, text))
            }
            _ => beside(folder, found, verb, rest),
        }
    }
}

/// Asserts what is in a folder.
fn look(folder: &Folder, first: &str, rest: &str) {
    match first {
        "trees" => {
            let (one, other) = rest.split_once(' ').unwrap();
            assert!(super::run::tree(folder, one) == super::run::tree(folder, other));
        }
        "files:" => assert_eq!(folder.files().join(" "), rest),
        "files" => {
            let (name, files) = rest.strip_prefix("in ").unwrap().split_once(':').unwrap();
            let found = super::run::tree(folder, name);
            assert_eq!(found.into_keys().collect::<Vec<_>>().join(" "), files.trim_start());
        }
        "packed:" => assert_eq!(std::fs::read(folder.path(rest)).unwrap()[..2], [0x1f, 0x8b]),
        _ => assert!(!folder.path(rest).exists()),
    }
}

/// Keeps a text or a part of it in a file, or compares it with one.
fn beside(folder: &Folder, found: &str, verb: &str, rest: &str) -> bool {
    if ["begins", "same", "differs"].contains(&verb) {
        let other = folder.read(rest);
        return if verb == "begins" {
            found.starts_with(&other)
        } else {
            (found == other) == (verb == "same")
        };
    }
    let (name, place) = rest.split_once(": ").unwrap_or((rest, ""));
    let part = match verb {
        "to" => Some(found.to_owned()),
        "before" => found.split_once(&words(place, "")).map(|(before, _)| before.to_owned()),
        "after" => found.split_once(&words(place, "")).map(|(_, after)| after.to_owned()),
        "filter" => {
            let lines = found.lines().filter(|line| line.starts_with(place));
            Some(lines.flat_map(|line| [line, "\n"]).collect()).filter(|lines: &String| !lines.is_empty())
        }
        other => panic!("unknown directive {other}"),
    };
    part.is_some_and(|part| {
        folder.write(name, &part);
        true
    })
}

/// Returns whether a feature of the build or a program is here.
fn is_here(what: &str) -> bool {
    match what {
        "wasm" => cfg!(feature = "wasm"),
        "linux" => cfg!(target_os = "linux"),
        "no-png" => !cfg!(feature = "png"),
        "no-parquet" => !cfg!(feature = "parquet"),
        program => std::process::Command::new(program).arg("--version").output().is_ok(),
    }
}

/// Runs all cases of a script; a failure names the file and the line.
fn script(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let names = [("repository", env!("CARGO_MANIFEST_DIR")), ("escape", "\u{1b}")];
    let names = names.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let each = |(name, directives): (String, Vec<Directive>)| {
        expanded(&directives, &names).into_iter().map(move |directives| (name.clone(), directives))
    };
    let cases: Vec<_> = cases(&text).into_iter().flat_map(each).collect();
    cases.par_iter().for_each(|(name, directives)| {
        let (folder, mut case) = (Folder::new(), Case::default());
        for (index, (at, line, text)) in directives.iter().enumerate() {
            if line.strip_prefix("needs ").is_some_and(|what| !is_here(what)) {
                return eprintln!("skipped: {name}: {line}");
            }
            let below = &directives[index + usize::from(line.starts_with("$ "))..];
            let code =
                below.iter().take_while(|(_, line, _)| !line.starts_with("$ ")).find_map(|(_, line, _)| {
                    line.strip_prefix("exit ").or_else(|| line.strip_prefix("fails ")?.split(':').next())
                });
            let codes = code.unwrap_or("0");
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| case.step(&folder, line, text, codes))) {
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
    bounded calendar cite clean conform convert convert_slurm diff explain generate info limits list logs
    mistakes needs neighbours no_limit nodes notations paper priorities rejected replay_accounts replay_cancelled replay_codes
    replay_dependencies replay_eligible replay_evalys replay_forms replay_layouts replay_machines
    replay_measured replay_options replay_requeues replay_schedule_columns replay_schedules replay_stop
    replay_stream replay_typed replay_unfinished report run_absent run_baselines run_charts run_claims
    run_failed run_hashed run_own run_pooled run_profile run_refused run_replaced run_shards run_units run_users
    shape slurm slurm_changes slurm_charges slurm_cores slurm_history slurm_lines slurm_priorities
    slurm_rules slurm_settings slurm_sides slurm_twin slurm_versions suspended sweep table tune usage_limits
    venues verify what_if when when_queue when_squeue
}

#[test]
fn every_script_is_run() {
    let names =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let unlisted =
        names.filter(|name| !SCRIPTS.contains(&name.trim_end_matches(".txt")) && name != "README.md");
    assert_eq!(unlisted.collect::<Vec<_>>(), [""; 0]);
}
