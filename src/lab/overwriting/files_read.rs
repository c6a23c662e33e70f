//! The files that a command reads, as far as its words and the files that they name tell.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use batchlab_policies::spec::CARRIED;
use toml::de::{DeTable, DeValue};

use crate::experiment::folder::is_of_run;
use crate::lab::options::Files;

/// The most files that are looked at: an experiment names files that name others.
const MOST: usize = 10_000;

/// The longest file in which other files are looked for.
const LONGEST: u64 = 16 << 20;

#[derive(Default)]
pub struct InputFiles {
    files: Vec<PathBuf>,
}

impl InputFiles {
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    pub fn value(&mut self, files: Files, value: &OsStr) {
        match files {
            Files::Read | Files::ReadOrText => self.named(Path::new(value)),
            Files::Policy => self.carried(Path::new(""), &value.to_string_lossy()),
            Files::Options => self.options(&value.to_string_lossy()),
            Files::No | Files::Written | Files::WrittenInto => {}
        }
    }

    /// Adds what a word names: a file with the files that it names, or the results in a folder.
    fn named(&mut self, path: &Path) {
        if path.is_file() {
            self.file(path);
        } else if path.is_dir() {
            self.folder(path);
        }
    }

    /// Adds what the words of a text of options name.
    fn options(&mut self, text: &str) {
        for word in shlex::split(text).unwrap_or_default() {
            let value = word.split_once('=').map(|(_, value)| value.to_owned());
            for word in [word].into_iter().chain(value) {
                self.named(Path::new(&word));
            }
        }
    }

    /// Adds the files of results in a folder, and the logs of a folder of logs.
    fn folder(&mut self, folder: &Path) {
        let has_results = folder.join("experiment.toml").is_file();
        for name in names(folder) {
            let path = folder.join(&name);
            if path.is_file() && (!has_results || is_of_run(&name)) {
                self.add(path);
            } else if path.is_dir() && has_results {
                let within = names(&path).into_iter().map(|file| format!("{name}/{file}"));
                within.filter(|file| is_of_run(file)).for_each(|file| self.add(folder.join(file)));
            }
        }
    }

    fn add(&mut self, path: PathBuf) {
        if self.files.len() < MOST {
            self.files.push(path);
        }
    }

    fn file(&mut self, path: &Path) {
        if self.files.len() >= MOST || self.files.iter().any(|file| file == path) {
            return;
        }
        self.files.push(path.to_path_buf());
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let ends = |end: &str| path.extension().is_some_and(|extension| extension == end);
        if !(ends("toml") || ends("conf")) || fs::metadata(path).is_ok_and(|file| file.len() > LONGEST) {
            return;
        }
        let Ok(text) = fs::read_to_string(path) else { return };
        if ends("conf") {
            let pairs = text.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
            let named = pairs.filter(|(word, _)| word.eq_ignore_ascii_case("include"));
            let others: Vec<PathBuf> = named.map(|(_, file)| folder.join(file.trim())).collect();
            for other in others.iter().filter(|other| other.is_file()) {
                self.file(other);
            }
        } else if let Ok(table) = DeTable::parse(&text) {
            self.values(&folder, &DeValue::Table(table.into_inner()));
        }
    }

    /// Adds the files that texts of a description name, as seen from its folder.
    fn values(&mut self, folder: &Path, value: &DeValue<'_>) {
        match value {
            DeValue::String(text) => self.text(folder, text),
            DeValue::Array(values) => values.iter().for_each(|value| self.values(folder, value.get_ref())),
            DeValue::Table(values) => {
                values.values().for_each(|value| self.values(folder, value.get_ref()));
            }
            _ => {}
        }
    }

    fn text(&mut self, folder: &Path, text: &str) {
        if text.len() > 4096 || text.contains('\n') {
            if let Ok(table) = DeTable::parse(text) {
                self.values(folder, &DeValue::Table(table.into_inner()));
            }
            return;
        }
        for file in [text].into_iter().chain(text.split(',').map(str::trim)) {
            let path = folder.join(file);
            if !file.is_empty() && path.is_file() {
                self.file(&path);
            }
        }
        self.carried(folder, text);
    }

    /// Adds the files of plug-ins in the spec of a policy: those of an experiment are seen from the current folder, too.
    fn carried(&mut self, folder: &Path, spec: &str) {
        if !CARRIED.iter().any(|(carrier, ..)| spec.contains(&format!("{carrier}:"))) {
            return;
        }
        for word in spec.split([':', '(', ')', ',', '=', '#', ' ']).filter(|word| !word.is_empty()) {
            for path in [folder.join(word), PathBuf::from(word)] {
                if path.is_file() {
                    self.add(path);
                }
            }
        }
    }
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
