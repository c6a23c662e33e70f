//! Logs that grow while they are read: accounting that a batch system appends to, rotates and truncates.
//!
//! Only whole lines count: a last line without its end waits for the rest. What is appended is read on. When the file was replaced
//! or cut short, what is there then is either the next file of the same log, which goes on where the one before ended, or the
//! same file, written again. The lines tell which: a file that repeats a line of the one before replaces it. The log's first line
//! does not count, since it may be a heading, nor do comments.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use batchlab_parsers::Input;
use batchlab_traces::sorted::SortedMap;

use crate::lab::Failure;

/// The most bytes of a log that are kept.
const MOST: u64 = 2 << 30;

/// A file is still the same if this many of its bytes are, before the place up to which it was read.
const KNOWN: usize = 4096;

/// Logs that grow, by their paths; copies share them.
#[derive(Clone, Debug, Default)]
pub struct GrowingLogs(Arc<Mutex<SortedMap<String, GrowingLog>>>);

impl GrowingLogs {
    /// Returns the logs at these paths, before the first read.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> GrowingLogs {
        let logs = paths.into_iter().map(|path| (path.to_owned(), GrowingLog::default()));
        GrowingLogs(Arc::new(Mutex::new(logs.collect())))
    }

    /// Reads what has been added to the logs, and returns whether something was.
    ///
    /// # Errors
    /// If a log cannot be read, or has never been there.
    pub fn update(&self) -> Result<bool, Failure> {
        let mut logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut has_changed = false;
        for (path, log) in logs.iter_mut() {
            let updated = log.update(path);
            has_changed |= updated.map_err(|error| Failure::Input(format!("{path}: {error}")))?;
        }
        Ok(has_changed)
    }

    /// Returns what has been read of a log, if it is one of these.
    pub fn input(&self, path: &str) -> Option<Input> {
        let logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Input::from_bytes(path, logs.get(path)?.text()))
    }
}

/// Whether the name of a file says that it is packed: such a file is written once.
pub fn is_packed(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"))
}

/// A log that grows.
#[derive(Debug, Default)]
struct GrowingLog {
    /// The file that is read, once it has been there, and the bytes of it that have been read.
    file: Option<(File, u64)>,
    /// The whole lines of each of the log's files, the last one's behind the others'.
    files: Vec<Vec<u8>>,
    /// The end of the last file, of which the end of the line has not come.
    partial: Vec<u8>,
    /// The lines of the last file but one.
    before: HashSet<u64>,
}

impl GrowingLog {
    /// Returns the lines of all files; a heading that they have in common stands once.
    fn text(&self) -> Vec<u8> {
        let heading = self.heading();
        let mut text = Vec::with_capacity(self.files.iter().map(Vec::len).sum());
        for (index, file) in self.files.iter().enumerate() {
            let repeated = if index > 0 && file.starts_with(heading) { heading.len() } else { 0 };
            text.extend_from_slice(&file[repeated..]);
        }
        text
    }

    /// Reads what is new, and returns whether there are new lines or a file was replaced.
    fn update(&mut self, path: &str) -> io::Result<bool> {
        let opened = match File::open(path) {
            // Between the two steps of a rotation there is no file.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.file.is_some() => None,
            opened => Some(opened?),
        };
        let Some((file, read)) = self.file.take() else {
            self.files.push(Vec::new());
            return match opened {
                Some(opened) => self.read_on(opened, 0),
                None => Ok(false),
            };
        };
        let Some(opened) = opened else {
            return self.read_on(file, read);
        };
        let is_same = is_same_file(&file.metadata()?, &opened.metadata()?);
        if is_same && self.continues(&opened, read)? {
            return self.read_on(file, read);
        }
        // What was added to the old file before it was moved away belongs to the log.
        let mut has_changed = !is_same && self.continues(&file, read)? && self.read_on(file, read)?;
        self.end_file();
        has_changed |= self.read_on(opened, 0)?;
        Ok(has_changed)
    }

    /// Whether a file still begins with what has been read of it, as far as its last bytes tell.
    fn continues(&self, mut file: &File, read: u64) -> io::Result<bool> {
        if file.metadata()?.len() < read {
            return Ok(false);
        }
        let mut known: Vec<u8> = self.files.last().map(|lines| tail(lines)).unwrap_or_default().to_vec();
        known.extend_from_slice(&self.partial);
        let known = tail(&known);
        file.seek(SeekFrom::Start(read - known.len() as u64))?;
        let mut there = vec![0; known.len()];
        file.read_exact(&mut there)?;
        Ok(there == known)
    }

    /// Reads a file from a place on, and keeps it open.
    fn read_on(&mut self, mut file: File, read: u64) -> io::Result<bool> {
        file.seek(SeekFrom::Start(read))?;
        let kept: u64 = self.files.iter().map(|file| file.len() as u64).sum();
        let mut added = Vec::new();
        (&file).take(MOST.saturating_sub(kept) + 1).read_to_end(&mut added)?;
        if kept + added.len() as u64 > MOST {
            let what =
                format!("a log that grows is kept up to {} GiB; replay it without --follow", MOST >> 30);
            return Err(io::Error::other(what));
        }
        if read == 0 && added.starts_with(&[0x1f, 0x8b]) {
            return Err(io::Error::other("a packed file does not grow line by line; give it unpacked"));
        }
        self.file = Some((file, read + added.len() as u64));
        self.partial.append(&mut added);
        let whole = self.partial.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let rest = self.partial.split_off(whole);
        let new = std::mem::replace(&mut self.partial, rest);
        let Some(last) = self.files.last_mut() else { return Ok(false) };
        last.extend_from_slice(&new);
        if marks(&new, self.heading()).any(|mark| self.before.contains(&mark)) {
            self.drop_before();
        }
        Ok(!new.is_empty())
    }

    /// Begins the next file of the log.
    fn end_file(&mut self) {
        if !self.partial.is_empty() {
            self.partial.push(b'\n');
        }
        let mut last = self.files.pop().unwrap_or_default();
        last.append(&mut self.partial);
        // A file that was cut short twice without a line in between is the same one.
        if !last.is_empty() || self.files.is_empty() {
            self.files.push(last);
            self.mark_before();
        }
        self.files.push(Vec::new());
    }

    /// Drops the last file but one, which the last one replaces.
    fn drop_before(&mut self) {
        if let Some(before) = self.files.len().checked_sub(2) {
            self.files.remove(before);
        }
        let last = self.files.pop();
        self.mark_before();
        self.files.extend(last);
    }

    /// Marks the lines of the last file, behind which another one comes.
    fn mark_before(&mut self) {
        let before = self.files.last().map(Vec::as_slice).unwrap_or_default();
        self.before = marks(before, self.heading()).collect();
    }

    /// Returns the first line of the log, which may be a heading.
    fn heading(&self) -> &[u8] {
        self.files.first().and_then(|file| lines(file).next()).unwrap_or_default()
    }
}

/// Returns lines with their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// Returns marks of the lines that tell files apart.
fn marks<'a>(text: &'a [u8], heading: &'a [u8]) -> impl Iterator<Item = u64> + 'a {
    let tells = move |line: &&[u8]| {
        *line != heading && !line.trim_ascii().is_empty() && !matches!(line[0], b';' | b'#')
    };
    lines(text).filter(tells).map(|line| {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        hasher.finish()
    })
}

/// Returns the last bytes of a text.
fn tail(text: &[u8]) -> &[u8] {
    &text[text.len().saturating_sub(KNOWN)..]
}

#[cfg(unix)]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Without numbers of files the content tells.
#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::path::PathBuf;

    use super::*;

    struct Log {
        folder: tempfile::TempDir,
        log: GrowingLog,
    }

    impl Log {
        fn new(text: &str) -> Log {
            let log = Log { folder: tempfile::tempdir().unwrap(), log: GrowingLog::default() };
            fs::write(log.path("log"), text).unwrap();
            log
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn append(&self, text: &str) {
            let mut file = OpenOptions::new().append(true).open(self.path("log")).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        }

        /// Whether something is new, and what has been read.
        fn now(&mut self) -> (bool, String) {
            let path = self.path("log");
            let changed = self.log.update(path.to_str().unwrap()).unwrap();
            (changed, String::from_utf8(self.log.text()).unwrap())
        }
    }

    #[test]
    fn a_line_counts_when_its_end_is_there() {
        let mut log = Log::new("a\nb");
        assert_eq!(log.now(), (true, "a\n".into()));
        assert_eq!(log.now(), (false, "a\n".into()));
        log.append("c");
        assert_eq!(log.now(), (false, "a\n".into()));
        log.append("\nd\n");
        assert_eq!(log.now(), (true, "a\nbc\nd\n".into()));
    }

    #[test]
    fn a_rotated_log_goes_on_in_the_next_file() {
        let mut log = Log::new("heading\na\n");
        log.now();
        // Written before the file was moved away, but not read yet.
        log.append("b\n");
        fs::rename(log.path("log"), log.path("log.1")).unwrap();
        assert_eq!(log.now(), (true, "heading\na\nb\n".into()), "no file for a moment");
        fs::write(log.path("log"), "heading\nc\n").unwrap();
        assert_eq!(log.now(), (true, "heading\na\nb\nc\n".into()));
        fs::rename(log.path("log"), log.path("log.1")).unwrap();
        fs::write(log.path("log"), "").unwrap();
        assert_eq!(log.now(), (false, "heading\na\nb\nc\n".into()));
        log.append("d\n");
        assert_eq!(log.now(), (true, "heading\na\nb\nc\nd\n".into()));
    }

    #[test]
    fn a_log_that_is_cut_short_goes_on_or_begins_anew_as_its_lines_tell() {
        let mut log = Log::new("heading\na\nb\n");
        log.now();
        // As logrotate's copytruncate leaves it.
        fs::write(log.path("log"), "c\n").unwrap();
        assert_eq!(log.now(), (true, "heading\na\nb\nc\n".into()));
        // As `sacct > log` writes it: first nothing, then all jobs, one of them with another end.
        fs::write(log.path("log"), "").unwrap();
        assert_eq!(log.now(), (false, "heading\na\nb\nc\n".into()));
        fs::write(log.path("log"), "heading\nc\nd\n").unwrap();
        assert_eq!(log.now(), (true, "heading\na\nb\nc\nd\n".into()), "instead of the file before it");
    }

    #[test]
    fn a_file_that_is_written_anew_replaces_the_one_before() {
        let mut log = Log::new("heading\na runs\nb\n");
        log.now();
        fs::write(log.path("new"), "heading\na ended\nb\nc\n").unwrap();
        fs::rename(log.path("new"), log.path("log")).unwrap();
        assert_eq!(log.now(), (true, "heading\na ended\nb\nc\n".into()));
        // Longer than before, but another one.
        fs::write(log.path("log"), "heading\na ended\nb ended\nc\nd\ne\n").unwrap();
        assert_eq!(log.now(), (true, "heading\na ended\nb ended\nc\nd\ne\n".into()));
    }

    #[test]
    fn what_was_never_there_and_what_is_packed_is_refused() {
        let mut log = Log::new("a\n");
        assert!(log.log.update(log.path("other").to_str().unwrap()).is_err());
        fs::write(log.path("log"), [0x1f, 0x8b, 8]).unwrap();
        let error = log.log.update(log.path("log").to_str().unwrap()).unwrap_err();
        assert!(error.to_string().contains("packed"), "{error}");
    }
}
