//! Files written completely or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

mod place;
mod unfinished;

pub use place::{OutputFolder, PlaceError};
use unfinished::Unfinished;
pub use unfinished::{
    Discarded, discard_unfinished, is_unfinished, remove_leftovers, remove_now, remove_when_stopped,
    write_uninterrupted,
};

/// A file being written: it appears under its name, complete, when it is committed, and never before.
///
/// The data goes to a temporary file in the same folder, which is renamed at the end; without [`Output::commit`] it is
/// removed, and an older file of that name stays. A name that ends in `.gz` is packed, without a time stamp: the same
/// content gives the same bytes. `-` is standard output; a device or a pipe is written directly. A program that ends
/// without running destructors calls [`discard_unfinished`] first.
pub struct Output {
    writer: Writer,
}

enum Writer {
    Plain(Target),
    Packed(Box<GzEncoder<Target>>),
}

enum Target {
    Direct(Box<dyn Write + Send>),
    Renamed { file: Unfinished, path: PathBuf },
}

impl Output {
    /// Begins a file.
    ///
    /// # Errors
    /// When the folder is missing or not writable, or the name is that of a folder.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Output> {
        let path = path.as_ref();
        let is_standard = path.as_os_str() == "-";
        let target = if is_standard { Target::Direct(Box::new(io::stdout())) } else { Target::open(path)? };
        let packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let writer = if packed {
            Writer::Packed(Box::new(GzEncoder::new(target, Compression::default())))
        } else {
            Writer::Plain(target)
        };
        Ok(Output { writer })
    }

    /// Writes a file whose content is at hand.
    ///
    /// # Errors
    /// As [`Output::create`] and [`Output::commit`]; an older file of that name is unchanged then.
    pub fn write_text(path: impl AsRef<Path>, text: &str) -> io::Result<()> {
        let mut output = Output::create(path)?;
        output.write_all(text.as_bytes())?;
        output.commit()
    }

    /// Renames the finished file into place.
    ///
    /// # Errors
    /// When the system fails to write or rename; the old file is unchanged then.
    pub fn commit(self) -> io::Result<()> {
        self.commit_as(false)
    }

    /// As [`Output::commit`], once the content is on the disk itself: after a power cut the name stands for all of it.
    pub fn commit_to_disk(self) -> io::Result<()> {
        self.commit_as(true)
    }

    fn commit_as(self, to_disk: bool) -> io::Result<()> {
        let mut target = match self.writer {
            Writer::Plain(target) => target,
            Writer::Packed(encoder) => encoder.finish()?,
        };
        target.flush()?;
        match target {
            Target::Direct(_) => Ok(()),
            Target::Renamed { file, path } => {
                if to_disk {
                    file.sync()?;
                }
                file.put(&path)
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Writer::Plain(target) => target.write(bytes),
            Writer::Packed(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Writer::Plain(target) => target.flush(),
            Writer::Packed(encoder) => encoder.flush(),
        }
    }
}

impl Target {
    fn open(path: &Path) -> io::Result<Target> {
        // A symbolic link is kept: the file it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Ok(Target::Direct(Box::new(fs::OpenOptions::new().write(true).open(path)?)));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = Unfinished::begin(folder)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        Ok(Target::Renamed { file, path })
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Direct(writer) => writer.write(bytes),
            Target::Renamed { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Direct(writer) => writer.flush(),
            Target::Renamed { file, .. } => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;

    use super::*;

    fn written(path: &Path, content: &str) {
        let mut output = Output::create(path.to_str().unwrap()).unwrap();
        output.write_all(content.as_bytes()).unwrap();
        output.commit().unwrap();
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut output = Output::create(path.to_str().unwrap()).unwrap();
        output.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(output);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        written(&path, "old");
        written(&path, "new");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn leftovers_are_removed_and_files_being_written_stay() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        };
        for name in [".batchlab-abc123", ".other", "a.csv"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let mut output = Output::create(folder.path().join("b.csv").to_str().unwrap()).unwrap();
        output.write_all(b"new").unwrap();
        remove_leftovers(folder.path()).unwrap();
        assert_eq!(names().len(), 3, "{:?}", names());
        output.commit().unwrap();
        assert_eq!(names(), [".other", "a.csv", "b.csv"]);
        remove_leftovers(&folder.path().join("none")).unwrap();
    }

    #[test]
    fn the_name_says_whether_it_is_packed() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a.gz"), folder.path().join("b.GZ"));
        written(&first, "text");
        written(&second, "text");
        let packed = fs::read(&first).unwrap();
        assert_eq!(packed, fs::read(&second).unwrap());
        let mut text = String::new();
        MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_survive_and_devices_are_written_directly() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        written(&link, "new");
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        written(Path::new("/dev/null"), "gone");
    }

    #[test]
    fn a_folder_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Output::create(folder.path().to_str().unwrap()).is_err());
        let missing = Output::create(folder.path().join("no/such").to_str().unwrap());
        let words = missing.err().unwrap().to_string();
        assert!(!words.contains(".batchlab-") && words.contains("os error 2"), "{words}");
    }
}
