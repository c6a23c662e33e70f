//! Tests of `batchlab run` and `batchlab merge`: experiments, from the file to the folder of results.

mod charts;
mod damaged;
#[cfg(feature = "wasm")]
mod failed;
mod files;
mod forecast;
mod full;
mod kept;
mod killed;
mod logs;
mod units;
mod zero;

use std::collections::BTreeMap;
use std::path::Path;

use super::Folder;

/// Two policies on a model of five replications at two loads, and on a log in windows of two days.
pub(super) const SMALL: &str = include_str!("small.toml");

/// Returns a folder with a log and the small experiment.
pub(super) fn small() -> Folder {
    let folder = Folder::with_log();
    folder.write("small.toml", SMALL);
    folder
}

type Line = BTreeMap<String, String>;

fn lines(folder: &Folder, file: &str) -> Vec<Line> {
    let mut reader = csv::Reader::from_path(folder.path(file)).unwrap();
    let header = reader.headers().unwrap().clone();
    let line = |record: csv::StringRecord| {
        header.iter().zip(&record).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    reader.records().map(|record| line(record.unwrap())).collect()
}

/// All files below a folder inside the test's folder, by name, except those that contain measured times.
pub fn tree(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, at: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(at).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    let (root, mut files) = (folder.path(name), BTreeMap::new());
    walk(&root, &root, &mut files);
    files
}
