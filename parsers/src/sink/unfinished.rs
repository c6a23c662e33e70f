//! The list of files being written, so that a program that is stopped can remove them.
//!
//! A signal runs no destructors: without this list, the temporary files that [`super::Output`] removes when dropped would
//! remain. The list is the only state that the whole process shares; nothing that is read or computed depends on it.

use std::fs::{OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use batchlab_traces::sorted::SortedSet;
use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".batchlab-";

const LETTERS: usize = 6;

static UNFINISHED: Mutex<SortedSet<PathBuf>> = Mutex::new(SortedSet::new());

/// The folders that this process has written to, and so has cleared of leftovers.
static CLEARED: Mutex<SortedSet<PathBuf>> = Mutex::new(SortedSet::new());

/// Removes the temporary files of all outputs that are not committed; a Ctrl-C handler calls it last.
///
/// Until the returned value is dropped, no output can begin, end or be renamed: other threads that try wait.
pub fn discard_unfinished() -> Discarded {
    let mut list = list();
    for path in std::mem::take(&mut *list) {
        // A missing file counts as removed.
        let _ = std::fs::remove_file(path);
    }
    Discarded { _list: list }
}

/// Makes a short write that Ctrl-C cannot cut: its handler, which calls [`discard_unfinished`], waits for the end.
pub fn write_uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let _list = list();
    write()
}

/// Puts a file on the list that this process owns while it runs, such as a lock: a program that is stopped removes it.
pub fn remove_when_stopped(path: &Path) {
    list().insert(path.into());
}

/// Removes such a file.
///
/// # Errors
/// When the system cannot remove it; it is no longer on the list then.
pub fn remove_now(path: &Path) -> io::Result<()> {
    let mut list = list();
    list.remove(path);
    std::fs::remove_file(path)
}

/// Whether a file name is that of an output's temporary file, which may be a leftover.
pub fn is_unfinished(name: &str) -> bool {
    let own = |rest: &str| rest.len() == LETTERS && rest.bytes().all(|letter| letter.is_ascii_alphanumeric());
    name.strip_prefix(PREFIX).is_some_and(own)
}

/// Removes the temporary files that killed programs (SIGKILL, a power cut) left in a folder, if the folder exists. Files that a
/// running program is writing, recognised by their lock, stay.
///
/// # Errors
/// When the folder cannot be read, or a leftover cannot be removed.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if !entry.file_type()?.is_file() || !is_unfinished(&entry.file_name().to_string_lossy()) {
            continue;
        }
        // This fails if the writer has finished the file meanwhile, or if it belongs to another user.
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Removes leftovers when the first file is written to a folder; the output itself reports a folder that cannot be used.
fn clear_once(folder: &Path) {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let is_new = CLEARED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.clone());
    if is_new {
        let _ = remove_leftovers(&folder);
    }
}

/// Blocks all outputs after [`discard_unfinished`].
pub struct Discarded {
    _list: MutexGuard<'static, SortedSet<PathBuf>>,
}

pub(super) struct Unfinished {
    file: Option<NamedTempFile>,
}

impl Unfinished {
    /// Creates a temporary file that others may read, as far as the user's file mask allows.
    pub(super) fn begin(folder: &Path) -> io::Result<Unfinished> {
        clear_once(folder);
        let mut list = list();
        // Opened and written without the crate's own calls: their errors would name this file, which the user
        // did not ask for.
        let new = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let file = loop {
            let file = Builder::new().prefix(PREFIX).rand_bytes(LETTERS).make_in(folder, new)?;
            // The lock is held as long as the file is written: a file without a lock is a leftover. On a file
            // system without locks this fails, and the error is ignored.
            let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            // Until it was locked, another process could take it for a leftover.
            if !is_taken && file.path().exists() {
                break file;
            }
        };
        list.insert(file.path().into());
        Ok(Unfinished { file: Some(file) })
    }

    pub(super) fn put(mut self, path: &Path) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let mut list = list();
        list.remove(file.path());
        file.persist(path).map(drop).map_err(|error| error.error)
    }

    /// Writes the content to the disk itself.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.as_file().sync_all())
    }

    pub(super) fn set_permissions(&self, permissions: std::fs::Permissions) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.as_file().set_permissions(permissions))
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.as_file_mut().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.as_file_mut().flush())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let mut list = list();
            list.remove(file.path());
            drop(file);
        }
    }
}

/// A thread that panicked while it held the list left it consistent: each change is one call.
fn list() -> MutexGuard<'static, SortedSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
