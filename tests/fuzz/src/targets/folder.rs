//! A folder of results in which one file was replaced.

use std::fs;

use batchlab::experiment::Folder;
use batchlab::policies::Registry;
use batchlab::report::{Report, publish};
use batchlab::study::Study;

/// A small complete folder.
const WHOLE: [(&str, &[u8]); 4] = [
    ("manifest.json", include_bytes!("../../folder/manifest.json")),
    ("plan.csv", include_bytes!("../../folder/plan.csv")),
    ("results.csv", include_bytes!("../../folder/results.csv")),
    ("experiment.toml", include_bytes!("../../folder/experiment.toml")),
];

/// Opens a folder of results and publishes it again; the first line names the replaced file, and the rest is its content.
pub fn folders(bytes: &[u8]) {
    let (first, rest) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0));
    let names =
        WHOLE.iter().map(|(name, _)| *name).chain(["journal.jsonl", "settings.json", "checksums.csv"]);
    let Some(damaged) = names.into_iter().find(|name| name.as_bytes() == first) else { return };
    let place = tempfile::tempdir().expect("a folder for a while");
    for (name, content) in WHOLE {
        fs::write(place.path().join(name), content).expect("room for a small file");
    }
    fs::write(place.path().join(damaged), &rest[1..]).expect("room for a small file");
    let folder = Folder::new(place.path());
    let Ok(contents) = folder.open() else { return };
    let frame = contents.frame();
    let study = Study::new(&frame);
    if let Ok(report) = Report::of(&folder, &contents, &study, &Registry::builtin()) {
        let _ = publish(&folder, &report);
    }
    let _ = folder.times(&contents.manifest);
}
