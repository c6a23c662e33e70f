//! Tests of PLUGINS.md: a reader who follows it gets the results it shows.

use std::path::Path;
use std::process::Command;

use super::rust;

const PAGE: &str = "policies/PLUGINS.md";
/// Tools that a machine may lack; a block that starts with one is skipped there, and so are the files it would make.
const TOOLS: [&str; 4] = ["cc", "clang", "python3", "rustc"];

enum Step<'a> {
    /// Save a text as a file.
    Save { file: &'a str, text: &'a str },
    /// Run commands and compare their output.
    Run { block: &'a str },
}

#[test]
fn a_reader_who_follows_the_page_gets_its_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join(PAGE)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let steps = steps(&page);
    let (mut saved, mut ran, mut lacking) = (0, 0, Vec::new());
    for step in steps {
        match step {
            Step::Save { file, text } => {
                std::fs::write(folder.path().join(file), text).unwrap();
                saved += 1;
            }
            Step::Run { block } => match run(root, folder.path(), block) {
                Ok(()) => ran += 1,
                Err(tool) => lacking.push(tool),
            },
        }
    }
    for tool in &lacking {
        eprintln!("skipped a block of {PAGE}: no {tool} here");
    }
    assert!(saved == 8 && ran + lacking.len() == 11, "{saved} files, {ran} blocks, {lacking:?} lacking");
}

/// Files of the page that also exist in the repository are identical there.
#[test]
fn files_shown_on_the_page_equal_those_in_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join(PAGE)).unwrap();
    let mut compared = 0;
    for part in page.split("<!-- as ").skip(1) {
        let (path, rest) = part.split_once(" -->").unwrap();
        let shown = fence(rest).unwrap();
        let there = std::fs::read_to_string(root.join(path)).unwrap();
        assert_eq!(there.trim(), shown.trim(), "{path} is another one than {PAGE} shows");
        compared += 1;
    }
    assert!(compared >= 2, "{compared} files of the repository on the page");
}

#[test]
fn the_policy_in_rust_of_the_page_is_the_one_that_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join(PAGE)).unwrap();
    let (_, shown) = page.split_once("```rust\nuse batchlab::policies").unwrap();
    let (_, code) = shown.split_once("\n\n").unwrap();
    let policy = std::fs::read_to_string(root.join("examples/smallest_first.rs")).unwrap();
    assert!(policy.contains(code.split("```").next().unwrap()));
}

/// Files to save are announced by `<!-- save NAME -->` or `<!-- as PATH -->` (by the last part of its name).
fn steps(page: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for (at, _) in page.match_indices("```") {
        // Only opening fences: an even number of fences precedes.
        if !page[..at].matches("```").count().is_multiple_of(2) {
            continue;
        }
        let before = page[..at].trim_end().lines().last().unwrap_or_default();
        let text = fence(&page[at..]).unwrap();
        let named = |mark: &str| before.strip_prefix(mark).and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(file) = named("<!-- save ").or(named("<!-- as ")) {
            let file = file.rsplit('/').next().unwrap_or(file);
            steps.push(Step::Save { file, text });
        } else if page[at..].starts_with("```console\n") {
            steps.push(Step::Run { block: text });
        }
    }
    steps
}

fn fence(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```")?;
    let (_, rest) = rest.split_once('\n')?;
    Some(&rest[..rest.find("```")?])
}

/// Runs the commands of a block in a shell and compares; `Err` names the missing tool.
fn run(root: &Path, folder: &Path, block: &str) -> Result<(), String> {
    for part in block.split("$ ").skip(1) {
        let (command, shown) = part.split_once('\n').unwrap();
        // The compiler with this target may be another one than `rustc` on the path.
        let compiler = if command.contains(rust::TARGET) { rust::compiler_to_wasm() } else { Some("rustc") };
        let Some(compiler) = compiler else { return Err(format!("target {} of rustc", rust::TARGET)) };
        let ran = command.replacen("rustc ", &format!("{compiler} "), 1);
        if command.contains("make.sh") && !is_here("clang") {
            // The command makes the libraries nevertheless, and reports the missing tool.
            shell(root, folder, command);
            return Err("clang".into());
        }
        for tool in TOOLS {
            if command.contains(tool) && !is_here(tool) {
                return Err(tool.into());
            }
        }
        let printed = shell(root, folder, &ran);
        let lines =
            |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&printed), lines(shown), "`{command}` prints otherwise:\n{printed}");
    }
    Ok(())
}

fn shell(root: &Path, folder: &Path, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_batchlab")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let done = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("BATCHLAB", root)
        .output()
        .unwrap();
    String::from_utf8(done.stdout).unwrap()
}

fn is_here(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|done| done.status.success())
}
