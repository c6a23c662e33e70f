//! Tests of `batchlab run` and `batchlab merge`: experiments, from the file to the folder of results.

mod absent;
mod baselines;
mod charts;
mod claims;
mod damaged;
mod failed;
mod files;
mod forecast;
mod full;
mod kept;
mod killed;
mod logs;
mod pooled;
mod profile;
mod refused;
mod resumed;
mod shards;
mod units;
mod zero;

use std::collections::BTreeMap;
use std::path::Path;

use super::Folder;

/// Two policies on a model of five replications at two loads, and on a log in windows of two days.
pub(super) const SMALL: &str = r#"
[experiment]
name = "small"
seed = 7
replications = 5
baseline = "EASY"

[measure]
metrics = ["mean_wait", "mean_bsld", "utilization"]
classes = ["zhang"]

[[workload]]
name = "drawn"
model = "lublin"
jobs = 60
procs = 64
set = { load = "{load}" }

[[workload]]
name = "log"
trace = "week.swf"
windows = "12h"

[sweep]
load = [0.7, 0.9]

[[policy]]
label = "EASY"
spec = "easy"

[[policy]]
label = "FCFS"
spec = "fcfs"
"#;

/// Returns a folder with a log and the small experiment.
pub(super) fn small() -> Folder {
    let folder = Folder::with_log();
    folder.write("small.toml", SMALL);
    folder
}

/// A line of the results: values by column.
type Line = BTreeMap<String, String>;

/// Returns the lines of a table in CSV.
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
