//! Places of files that the program names itself: in a folder of outputs, or beside a file that the user names.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::Output;

/// A folder whose files the program names.
///
/// The folder may come from someone else: a link in it could direct reading, writing or removing to any file of the user, and a
/// pipe could block a reader for ever. Every file and every subfolder must therefore lie in the folder itself. The path of the
/// folder is given by the user, and may lead through links.
#[derive(Clone, Debug)]
pub struct OutputFolder {
    path: PathBuf,
}

/// Why a file of the program's own name cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant has its text beside it")]
pub enum PlaceError {
    #[error(
        "{file} is {what}: results are read from and written to files of their own folder only; put the file itself there, \
         or remove it"
    )]
    Strange { file: String, what: &'static str },
    #[error("cannot write {file}: {error}")]
    Io { file: String, error: io::Error },
}

impl OutputFolder {
    /// Returns a folder at a path, without accessing it.
    pub fn new(path: impl Into<PathBuf>) -> OutputFolder {
        OutputFolder { path: path.into() }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a file or subfolder, which need not exist.
    ///
    /// # Errors
    /// If it is not in the folder, or it or a folder on its way is a link, a device or a pipe.
    pub fn own(&self, name: impl AsRef<Path>) -> Result<PathBuf, PlaceError> {
        let mut path = self.path.clone();
        for part in name.as_ref().components() {
            path.push(part);
            let what = match fs::symlink_metadata(&path) {
                _ if !matches!(part, Component::Normal(_)) => "outside of the folder",
                Ok(there) if there.is_symlink() => "a link",
                Ok(there) if there.is_file() || there.is_dir() => continue,
                Ok(_) => "a device or a pipe",
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(PlaceError::io(&path, error)),
            };
            return Err(PlaceError::Strange { file: path.display().to_string(), what });
        }
        Ok(path)
    }

    /// Writes a file, whole or not at all; creates folders on its path.
    ///
    /// # Errors
    /// As [`OutputFolder::own`], and if it cannot be written.
    pub fn put(
        &self,
        name: impl AsRef<Path>,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<(), PlaceError> {
        self.put_with(name, Output::commit, write)
    }

    /// As [`OutputFolder::put`], with the way in which the file is ended.
    pub fn put_with(
        &self,
        name: impl AsRef<Path>,
        commit: fn(Output) -> io::Result<()>,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<(), PlaceError> {
        let path = self.own(name)?;
        let written = || -> io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
            let mut output = Output::create(&path)?;
            write(&mut output)?;
            commit(output)
        };
        written().map_err(|error| PlaceError::io(&path, error))
    }

    /// Writes a file whose content is at hand.
    pub fn put_text(&self, name: impl AsRef<Path>, text: &str) -> Result<(), PlaceError> {
        self.put(name, |out| out.write_all(text.as_bytes()))
    }

    /// Begins a file whose name the program derives from the name of the user's file, in the same folder.
    ///
    /// # Errors
    /// As [`OutputFolder::own`], and if it cannot be created.
    pub fn beside(path: impl AsRef<Path>) -> Result<Output, PlaceError> {
        let path = path.as_ref();
        let folder = OutputFolder::new(path.parent().unwrap_or(Path::new("")));
        let path = folder.own(path.file_name().unwrap_or_default())?;
        Output::create(&path).map_err(|error| PlaceError::io(&path, error))
    }
}

impl PlaceError {
    fn io(path: &Path, error: io::Error) -> PlaceError {
        PlaceError::Io { file: path.display().to_string(), error }
    }
}
