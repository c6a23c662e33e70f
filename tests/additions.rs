//! The table "Where to add what" of `src/ARCHITECTURE.md`: what it names is all that an addition takes.
//!
//! A file of `additions` is one addition, as somebody who follows the table would make it. It begins with the row
//! that it follows, and with the command that shows the new name. Each part after that begins with `---` and is a
//! new file, or lines of a file that is there: `+` is an inserted line, and the lines before it, which occur
//! once in the file, say where.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const ROWS: [&str; 8] = [
    "a log format",
    "a table's format",
    "a policy",
    "a metric",
    "a kind of cell of an experiment's tables",
    "a pitfall",
    "a plot of experiments",
    "a verb",
];

struct Addition {
    row: String,
    /// The arguments of the command that shows it.
    shown_by: Vec<String>,
    name: String,
    files: Vec<(String, String)>,
    insertions: Vec<Insertion>,
}

/// Lines that a file gets.
struct Insertion {
    path: String,
    /// The lines before them.
    after: String,
    lines: String,
}

impl Addition {
    fn read(text: &str) -> Addition {
        let mut parts = text.split("\n--- ");
        let head = parts.next().unwrap();
        let fact = |key: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
            line.unwrap_or_else(|| panic!("no `{key}: ` in {head}")).to_owned()
        };
        let (mut files, mut insertions) = (Vec::new(), Vec::new());
        for part in parts {
            let (head, body) = part.split_once('\n').unwrap();
            match head.split_once(' ').unwrap() {
                ("new", path) => files.push((path.to_owned(), body.trim_end().to_owned() + "\n")),
                ("in", path) => insertions.push(Insertion::read(path, body)),
                (other, path) => panic!("`{other}` of {path}"),
            }
        }
        let shown_by = fact("shown by").split(' ').map(str::to_owned).collect();
        Addition { row: fact("row"), shown_by, name: fact("name"), files, insertions }
    }

    fn all() -> Vec<Addition> {
        let entries = fs::read_dir(Path::new(ROOT).join("tests/additions")).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| Addition::read(&fs::read_to_string(path).unwrap())).collect()
    }

    fn apply(&self, root: &Path) {
        for (path, content) in &self.files {
            let path = root.join(path);
            assert!(!path.exists(), "{} is there already", path.display());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        for insertion in &self.insertions {
            let path = root.join(&insertion.path);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, insertion.made(&text)).unwrap();
        }
    }
}

impl Insertion {
    fn read(path: &str, body: &str) -> Insertion {
        let (mut after, mut lines) = (String::new(), String::new());
        for line in body.lines() {
            let is_new = line.starts_with('+');
            assert!(is_new || (line.starts_with(' ') && lines.is_empty()), "{path}: {line}");
            let to = if is_new { &mut lines } else { &mut after };
            *to += &line[1..];
            *to += "\n";
        }
        Insertion { path: path.into(), after, lines }
    }

    fn made(&self, text: &str) -> String {
        // Whole lines: the first one may be the end of a longer one.
        let text = format!("\n{text}");
        let parts: Vec<&str> = text.split(&format!("\n{}", self.after)).collect();
        let [before, behind] = parts[..] else {
            panic!("{} has {} times\n{}", self.path, parts.len() - 1, self.after)
        };
        format!("{before}\n{}{}{behind}", self.after, self.lines)[1..].to_owned()
    }

    fn is_page(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == "md")
    }
}

fn table() -> Vec<Vec<String>> {
    let page = fs::read_to_string(Path::new(ROOT).join("src/ARCHITECTURE.md")).unwrap();
    let section = page.split("\n## Where to add what\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").map(str::to_owned).collect()).collect()
}

#[test]
fn the_rows_of_the_common_kinds_have_additions() {
    let rows: BTreeSet<String> = Addition::all().into_iter().map(|addition| addition.row).collect();
    assert_eq!(rows, ROWS.map(str::to_owned).into());
}

#[test]
fn the_table_names_and_counts_what_an_addition_takes() {
    let table = table();
    assert_eq!(table[0], ["to add", "write", "and insert in", "files", "lines"]);
    for Addition { row: name, files, insertions, .. } in Addition::all() {
        let row = table.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("no row `{name}`"));
        let lines = insertions.iter().filter(|insertion| !insertion.is_page());
        let lines: usize = lines.map(|insertion| insertion.lines.lines().count()).sum();
        assert_eq!(
            [&row[3], &row[4]],
            [&files.len().to_string(), &lines.to_string()],
            "{name}: files, lines"
        );
        for (path, _) in &files {
            let folder = path.rsplit_once('/').unwrap().0;
            // The folder of a sample has the name of its format.
            let folder = folder.strip_suffix("beacon").or(folder.strip_suffix("plain-csv")).unwrap_or(folder);
            assert!(row[1].contains(folder), "{name}: {path}");
        }
        for Insertion { path, .. } in &insertions {
            assert!(row[1].contains(path) || row[2].contains(path), "{name}: {path}");
        }
    }
}

#[test]
fn additions_fit_the_files_that_they_change() {
    for Addition { files, insertions, .. } in Addition::all() {
        assert!(files.iter().all(|(path, _)| !Path::new(ROOT).join(path).exists()));
        for insertion in &insertions {
            let text = fs::read_to_string(Path::new(ROOT).join(&insertion.path)).unwrap();
            assert_eq!(insertion.made(&text).len(), text.len() + insertion.lines.len());
        }
    }
}

/// Makes a copy of the repository with all additions, whose program has a name of its own among what was built for the tests.
fn copy_with(additions: &[Addition]) -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("additions");
    if copy.exists() {
        fs::remove_dir_all(&copy).unwrap();
    }
    let git = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(git).current_dir(ROOT).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    for path in listed.split('\0').filter(|path| Path::new(ROOT).join(path).is_file()) {
        fs::create_dir_all(copy.join(path).parent().unwrap()).unwrap();
        fs::copy(Path::new(ROOT).join(path), copy.join(path)).unwrap();
    }
    for addition in additions {
        addition.apply(&copy);
    }
    let manifest = copy.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text + "\n[[bin]]\nname = \"with-additions\"\npath = \"src/main.rs\"\n").unwrap();
    copy
}

/// Runs cargo in a copy, on its program. The dependencies are those of the tests, and have their features if the whole workspace
/// is selected.
fn cargo(verb: &str, copy: &Path, more: &[&str]) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([verb, "--locked", "--quiet"]).args(more);
    assert!(cargo.current_dir(copy).env("CARGO_TARGET_DIR", target).status().unwrap().success());
    target.join("debug/with-additions")
}

#[test]
#[ignore = "checks all crates a second time: the gate does, in a step of its own"]
fn a_copy_with_all_additions_is_free_of_errors() {
    cargo("check", &copy_with(&Addition::all()), &["--workspace"]);
}

#[test]
#[ignore = "builds the program a second time, without optimization: .ci/nightly does"]
fn a_copy_with_all_additions_builds_and_lists_them() {
    let additions = Addition::all();
    let levels = [
        "",
        "-contract",
        "-engine",
        "-environment",
        "-external",
        "-parsers",
        "-policies",
        "-slurm",
        "-study",
        "-support",
        "-traces",
    ]
    .map(|crate_name| format!("--config=profile.dev.package.batchlab{crate_name}.opt-level=0"));
    let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
    let program =
        cargo("build", &copy_with(&additions), &[&["--bin", "with-additions"], &levels[..]].concat());
    for Addition { row, shown_by, name, .. } in additions {
        let shown = Command::new(&program).args(&shown_by).output().unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        let names = shown.lines().filter_map(|line| line.split_whitespace().next());
        assert!(names.into_iter().any(|known| known == name), "{row}: {shown_by:?} has no `{name}`\n{shown}");
    }
}
