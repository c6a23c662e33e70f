//! The shell blocks of README and the guide, pasted line by line, in the order of the page, into a fresh folder like a clone. On the
//! other pages of `docs/`, the blocks that draw pictures.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{CACHE, fences, is_here, is_pasted, read, root, tested_pages};
use crate::cmd::Folder;

/// The lines that are not pasted: the page, how the line begins, and why.
const NOT_PASTED: [(&str, &str, &str); 6] = [
    ("README.md", "cargo install ", "builds the program from nothing"),
    ("README.md", "pip install ", "builds the Python package from nothing; the gate installs it"),
    ("README.md", "cargo test ", "runs this test"),
    ("docs/guide/first-table.md", "cargo install ", "builds the program from nothing"),
    ("docs/guide/paper.md", "pdflatex ", "needs TeX; tests of `paper new` compile it where TeX is"),
    ("docs/guide/reproduce.md", "batchlab paper aida98 --out ", "takes minutes; its page is recorded"),
];

/// The files that a page supposes its reader to have: the page, and the commands that make such files.
const READERS: [(&str, &str); 3] = [
    ("README.md", "sacct sacct-2025 && printf '[[limit]]\\nuser = \"*\"\\nprocs = 64\\n' > limits.toml"),
    ("docs/guide/formats.md", "sacct sacct && gunzip -k sacct.gz && mv sacct sacct.txt"),
    (
        "docs/guide/operate.md",
        "sacct sacct && mkdir site && cp tests/slurm/queue/* site && gunzip site/*.gz \
         && sed -i s.priority/basic.priority/multifactor. site/slurm.conf",
    ),
];

/// A function of the shell that writes accounting of Slurm: 600 jobs of nine users, one of which is of an array.
const SACCT: &str = "sacct() { batchlab generate lublin --jobs 600 --procs 128 --set users=9 --set estimates=phi:0.2 -q -o jobs.swf \
                     && batchlab convert jobs.swf --to sacct -q -o - | sed '1s/JobIDRaw/JobID/; s/^124|/123_4|/' | gzip > $1.gz; }\n";

/// Returns a folder like a clone, in which no picture of the guide is drawn yet.
fn clone_without_pictures() -> Folder {
    let folder = Folder::new();
    let link = |name: &str| symlink(root().join(name), folder.path(name)).unwrap();
    ["traces", "tests"].into_iter().for_each(link);
    std::fs::create_dir_all(folder.path("docs/guide/pictures")).unwrap();
    for (parent, without) in [("docs", "guide"), ("docs/guide", "pictures")] {
        for entry in std::fs::read_dir(root().join(parent)).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if name != without {
                link(&format!("{parent}/{name}"));
            }
        }
    }
    folder
}

fn sh(line: &str, folder: &Path) -> Output {
    let programs = Path::new(env!("CARGO_BIN_EXE_batchlab")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.env("PATH", path).env("BATCHLAB_CACHE", CACHE.0.path()).env_remove("BATCHLAB_CATALOGUE");
    shell.args(["-c", line]).current_dir(folder).output().unwrap()
}

/// Pastes a line. A comment behind it may say that it ends with code 1.
fn paste(page: &str, line: &str, folder: &mut PathBuf) {
    if let Some(below) = line.strip_prefix("cd ") {
        folder.push(below);
        return;
    }
    let done = sh(line, folder);
    let expected = i32::from(line.contains("ends with code 1"));
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(expected), "{page}: `{line}`: {told}");
}

/// Whether the logs are here that a block, or an experiment that it runs, names.
fn has_logs(page: &str, block: &str) -> bool {
    let files = block.split_whitespace().filter(|word| word.contains(".toml") && root().join(word).exists());
    is_here(page, &files.fold(block.to_owned(), |text, file| text + &read(file)))
}

/// Returns the words of a block that name pictures of the guide.
fn pictures(block: &str) -> impl Iterator<Item = String> {
    block.split_whitespace().filter(|word| word.starts_with("docs/guide/pictures/")).map(str::to_owned)
}

/// Compares a picture of the project with the one that was drawn; `UPDATE_SAMPLES` takes the latter.
fn compare(file: &str, made: &Path) {
    let drawn = std::fs::read(made).unwrap_or_else(|error| panic!("{file}: {error}"));
    if std::env::var_os("UPDATE_SAMPLES").is_some() {
        std::fs::write(root().join(file), &drawn).unwrap();
    }
    assert!(drawn == std::fs::read(root().join(file)).unwrap(), "{file} is not what its command draws");
}

#[test]
fn every_shell_block_of_the_readme_and_the_guide_can_be_pasted_and_draws_its_pictures() {
    let (mut left_out, mut drawn, mut shown) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for page in &tested_pages() {
        let text = read(page);
        let names = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let names =
            names.filter_map(|file| file.strip_prefix("guide/").unwrap_or(file).strip_prefix("pictures/"));
        shown.extend(names.map(|name| format!("docs/guide/pictures/{name}")));
        let blocks = ["sh", "shell"].iter().flat_map(|language| fences(&text, language));
        let mut blocks: Vec<&str> =
            blocks.filter(|block| is_pasted(page) || pictures(block).next().is_some()).collect();
        blocks.sort_by_key(|block| block.as_ptr());
        let folder = clone_without_pictures();
        if let Some((_, commands)) = READERS.iter().find(|(of, _)| of == page) {
            let done = sh(&format!("{SACCT}{commands}"), &folder.path("."));
            assert!(done.status.success(), "{page}: {}", String::from_utf8_lossy(&done.stderr));
        }
        for block in blocks {
            drawn.extend(pictures(block));
            if !has_logs(page, block) {
                continue;
            }
            let mut place = folder.path(".");
            for line in block.lines() {
                let listed =
                    NOT_PASTED.iter().position(|(of, begin, _)| of == page && line.starts_with(begin));
                match listed {
                    Some(at) => assert!(left_out.insert(at), "{page}: two lines as `{line}`"),
                    None => paste(page, line, &mut place),
                }
            }
            pictures(block).for_each(|file| compare(&file, &folder.path(&file)));
        }
        if page == "README.md" {
            compare("docs/load.svg", &folder.path("load/plots/mean_wait-load.svg"));
        }
    }
    assert_eq!(left_out.len(), NOT_PASTED.len(), "a line of NOT_PASTED is on no page");
    assert_eq!(shown, drawn, "pictures that are shown, and those that are drawn");
}
