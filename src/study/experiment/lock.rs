//! The lock of a folder of results: one run or merge writes to it at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use batchlab_parsers::sink::{remove_now, remove_when_stopped};

/// The name of the file of the lock; it is there while a process writes, or after a kill.
pub const LOCK: &str = ".lock";

/// A folder locked against other processes, until this is dropped. The system drops it for a process that is killed.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    _file: File,
}

/// Why a lock cannot be had.
#[derive(Debug)]
pub enum LockError {
    /// Another process has it; this says which, as far as it is known.
    Held(String),
    Io(io::Error),
}

impl FolderLock {
    pub fn take(path: &Path) -> Result<FolderLock, LockError> {
        loop {
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).read(true).write(true);
            let mut file = options.open(path).map_err(LockError::Io)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
                // A file system that does not support locks cannot report a conflict.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The holder before has removed the file that was opened here.
            if !is_at(&file, path) {
                continue;
            }
            // What it says is for people; a full disk is reported where results are written.
            let _ = file.set_len(0).and_then(|()| file.write_all(own_words().as_bytes()));
            if cfg!(unix) {
                remove_when_stopped(path);
            }
            return Ok(FolderLock { path: path.to_owned(), _file: file });
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Removed while it is locked: a process that has opened it meanwhile finds that it is not at its path.
        if cfg!(unix) {
            let _ = remove_now(&self.path);
        }
    }
}

fn holder(file: &mut File) -> String {
    let mut words = String::new();
    let read = file.rewind().and_then(|()| file.take(200).read_to_string(&mut words));
    let words = words.lines().next().unwrap_or_default();
    match read {
        Ok(_) if !words.is_empty() && !words.contains(char::is_control) => words.to_owned(),
        _ => "another process".into(),
    }
}

fn own_words() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let on = if host.trim().is_empty() { String::new() } else { format!(" on {}", host.trim()) };
    format!("process {}{on}\n", std::process::id())
}

/// Whether an open file is still the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |there: fs::Metadata| (there.dev(), there.ino());
    match (file.metadata().map(place), fs::metadata(path).map(place)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_at_a_time_and_a_file_left_behind_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK);
        fs::write(&path, "process 1 on a host that is off\n").unwrap();
        let first = FolderLock::take(&path).unwrap();
        let Err(LockError::Held(holder)) = FolderLock::take(&path) else { panic!("two have it") };
        assert!(holder.starts_with(&format!("process {}", std::process::id())), "{holder}");
        drop(first);
        assert!(!cfg!(unix) || !path.exists());
        drop(FolderLock::take(&path).unwrap());
    }

    #[test]
    fn of_many_that_come_and_go_one_has_it() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let (path, inside, had) = (folder.path().join(LOCK), AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(lock) = FolderLock::take(&path) {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            had.fetch_add(1, Ordering::SeqCst);
                            inside.fetch_sub(1, Ordering::SeqCst);
                            drop(lock);
                        }
                    }
                });
            }
        });
        assert!(had.into_inner() > 0);
    }
}
