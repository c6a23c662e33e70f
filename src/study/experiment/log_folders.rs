use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use batchlab_parsers::sha256;

/// Folders with logs. The folders themselves are looked at, not the folders in them; links are not followed.
#[derive(Debug, Default)]
pub struct LogFolders {
    folders: Vec<PathBuf>,
    /// Hashes of files that were read.
    known: Mutex<HashMap<PathBuf, String>>,
}

impl LogFolders {
    /// Returns these folders; one that does not exist has no logs.
    pub fn new(folders: &[PathBuf]) -> LogFolders {
        LogFolders { folders: folders.to_vec(), known: Mutex::default() }
    }

    /// Returns the file with a log: beside the experiment under its path, else in the first folder that has a file of its name,
    /// else, if a hash is given, the first file of any name with this hash. With a hash, no other file counts. Reads whole files
    /// where a hash is given: O(bytes), once for each file.
    pub fn find(&self, beside: &Path, path: &str, sha256: Option<&str>) -> Option<PathBuf> {
        let fits = |file: &PathBuf| file.is_file() && sha256.is_none_or(|wanted| self.has_hash(file, wanted));
        let name = Path::new(path).file_name()?;
        let named =
            std::iter::once(beside.join(path)).chain(self.folders.iter().map(|folder| folder.join(name)));
        named.into_iter().find(fits).or_else(|| {
            sha256?;
            self.folders.iter().flat_map(|folder| files(folder)).find(fits)
        })
    }

    fn has_hash(&self, file: &Path, wanted: &str) -> bool {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = known().get(file) {
            return hash == wanted;
        }
        // A file that cannot be read is not the log.
        let Ok(hash) = File::open(file).and_then(sha256) else { return false };
        let is_wanted = hash == wanted;
        known().insert(file.into(), hash);
        is_wanted
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let plain = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<PathBuf> = plain.map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_beside_the_experiment_or_has_its_name_or_its_hash() {
        let top = tempfile::tempdir().unwrap();
        let at = |path: &str, text: &str| {
            let file = top.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            file
        };
        let (beside, first, second) = (top.path().join("own"), top.path().join("1"), top.path().join("2"));
        let (wrong, right) = (at("1/a.swf", "other"), at("2/renamed.swf", "wanted"));
        at("1/in/b.swf", "deeper");
        let hash = sha256(File::open(&right).unwrap()).unwrap();
        let logs = LogFolders::new(&[first, second, top.path().join("none")]);
        // Without a hash the name decides; with one, the hash alone.
        assert_eq!(logs.find(&beside, "a.swf", None), Some(wrong));
        assert_eq!(logs.find(&beside, "a.swf", Some(&hash)), Some(right));
        assert_eq!(logs.find(&beside, "a.swf", Some(&"0".repeat(64))), None);
        assert_eq!(logs.find(&beside, "b.swf", None), None);
        let own = at("own/a.swf", "wanted");
        assert_eq!(logs.find(&beside, "a.swf", Some(&hash)), Some(own));
    }
}
