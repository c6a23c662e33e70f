//! Files that are being written, known by name so that a program that is stopped can remove them.
//!
//! A signal runs no destructors: what [`super::Output`] would remove when it is dropped stays behind, unless
//! somebody knows about it. This list is the one piece of state that the whole process shares; nothing that
//! is read or computed depends on it.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// How the names of temporary files begin.
const PREFIX: &str = ".batchlab-";

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the temporary files of all outputs that are not committed: what a handler of Ctrl-C does last.
///
/// Until the returned value is dropped no output begins, ends or takes its name: other threads that try
/// wait.
pub fn discard_unfinished() -> Discarded {
    let mut list = list();
    for path in std::mem::take(&mut *list) {
        // One that is gone already is as good as removed.
        let _ = std::fs::remove_file(path);
    }
    Discarded { _list: list }
}

/// Whether a file of this name is a temporary one of an output, which may be a leftover.
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Removes the temporary files that killed programs (SIGKILL, a power cut) have left in a folder. Files that a running program
/// is writing, known by their lock, stay. A folder that does not exist has no such files.
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
        // The file cannot be opened if its writer has finished it meanwhile, or if it belongs to another user.
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Holds all outputs still, after [`discard_unfinished`].
pub struct Discarded {
    _list: MutexGuard<'static, BTreeSet<PathBuf>>,
}

/// A temporary file on the list.
pub(super) struct Unfinished {
    file: Option<NamedTempFile>,
}

impl Unfinished {
    /// Begins one that others may read, as far as the user's file mask allows.
    pub(super) fn begin(folder: &Path) -> io::Result<Unfinished> {
        let mut list = list();
        // Opened and written without the crate's own calls: their errors name this file, which nobody has
        // asked for.
        let new = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let file = Builder::new().prefix(PREFIX).make_in(folder, new)?;
        // Held for as long as the file is written: a file without a lock is a leftover. A file system without locks has
        // none to hold.
        let _ = file.as_file().try_lock();
        list.insert(file.path().into());
        Ok(Unfinished { file: Some(file) })
    }

    /// Gives it its name.
    pub(super) fn put(mut self, path: &Path) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let mut list = list();
        list.remove(file.path());
        file.persist(path).map(drop).map_err(|error| error.error)
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

/// A thread that panicked while it held the list has left it whole: each change is one call.
fn list() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
