//! Logs that grow while they are read: accounting that a batch system appends to, rotates and truncates.
//!
//! Only whole lines count: a last line without its end waits for the rest. What is appended is read on. When the file was replaced
//! or cut short, what is there then is either the next file of the same log, which goes on where the one before ended, or the
//! same file, written again. The lines tell which. A file that has the first line of the one before, or begins with another state
//! of the same job, replaces it if they have a line in common. Any other file goes on; lines that it repeats, as exports of periods
//! that overlap do, count once. The log's first line does not count, since it may be a heading, nor do comments.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use batchlab_parsers::Input;
use batchlab_traces::sorted::SortedMap;
use serde::de::IgnoredAny;
use serde_json::Deserializer;

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
    pub fn update(&self) -> Result<bool, Failure> {
        let mut logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut has_changed = false;
        for (path, log) in logs.iter_mut() {
            let updated = log.update(path);
            has_changed |= updated.map_err(|error| Failure::Input(format!("{path}: {error}")))?;
        }
        Ok(has_changed)
    }

    pub fn have_records(&self) -> bool {
        let logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        logs.values().all(GrowingLog::has_records)
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

#[derive(Debug, Default)]
struct GrowingLog {
    /// The file that is read, once it has been there, and the bytes of it that have been read.
    file: Option<(File, u64)>,
    /// The whole lines of each of the log's files, the last one's behind the others'.
    files: Vec<Vec<u8>>,
    /// The bytes behind the last line end of the file: the rest of their line has not been written yet.
    partial: Vec<u8>,
    /// The lines of the last file but one.
    before: LinesBefore,
}

/// What is known of the lines of an earlier file.
#[derive(Debug, Default)]
struct LinesBefore {
    lines: HashSet<u64>,
    first: Option<u64>,
    /// The job of that line, if the first word of a line tells its job.
    job: Option<Vec<u8>>,
}

impl LinesBefore {
    fn is_written_again(&self, file: &[u8], heading: &[u8]) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let begins = telling(file, heading).next().map(first_word);
        let is_of_same_job = self.job.is_some() && self.job.as_deref() == begins;
        let (mut repeats, mut has_first) = (false, false);
        for mark in telling(file, heading).map(mark) {
            repeats |= self.lines.contains(&mark);
            has_first |= self.first == Some(mark);
        }
        repeats && (has_first || is_of_same_job)
    }
}

impl GrowingLog {
    /// Returns the lines of all files; a heading that they have in common stands once, and so do lines of several files.
    fn text(&self) -> Vec<u8> {
        let heading = self.heading();
        let mut text = Vec::with_capacity(self.files.iter().map(Vec::len).sum());
        let mut seen: HashSet<u64> = HashSet::new();
        for (index, file) in self.files.iter().enumerate() {
            let repeated = if index > 0 && file.starts_with(heading) { heading.len() } else { 0 };
            let is_new =
                |line: &&[u8]| seen.is_empty() || !tells(line, heading) || !seen.contains(&mark(line));
            for line in lines(&file[repeated..]).filter(is_new) {
                text.extend_from_slice(line);
            }
            if index + 1 < self.files.len() {
                seen.extend(telling(file, heading).map(mark));
            }
        }
        text
    }

    /// Whether there is a line that may be a record.
    fn has_records(&self) -> bool {
        let heading = self.heading();
        // A log without a heading begins with its first record; a document of JSON may be one line.
        let is_record = match heading.first() {
            None | Some(b';' | b'#') => false,
            Some(b'{' | b'[') => true,
            Some(_) => heading.iter().any(u8::is_ascii_digit),
        };
        is_record || self.files.iter().any(|file| telling(file, heading).next().is_some())
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
        let whole = match self.partial.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1) {
            // A document of JSON may end without a line end.
            _ if self.ends_document() => self.partial.len(),
            whole => whole,
        };
        let rest = self.partial.split_off(whole);
        let new = std::mem::replace(&mut self.partial, rest);
        let Some(last) = self.files.last_mut() else { return Ok(false) };
        last.extend_from_slice(&new);
        let last = self.files.last().map(Vec::as_slice).unwrap_or_default();
        if !new.is_empty() && self.before.is_written_again(last, self.heading()) {
            self.drop_before();
        }
        Ok(!new.is_empty())
    }

    /// Whether the last file consists of whole documents of JSON.
    fn ends_document(&self) -> bool {
        let file = self.files.last().map(Vec::as_slice).unwrap_or_default();
        let begins = file.iter().chain(&self.partial).find(|byte| !byte.is_ascii_whitespace());
        if !matches!(begins, Some(b'{' | b'[')) || !matches!(self.partial.last(), Some(b'}' | b']')) {
            return false;
        }
        let documents = Deserializer::from_reader(file.chain(self.partial.as_slice()));
        documents.into_iter::<IgnoredAny>().all(|document| document.is_ok())
    }

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

    /// Marks the lines of the files, behind which another one comes.
    fn mark_before(&mut self) {
        let heading = self.heading();
        let last = self.files.last().map(Vec::as_slice).unwrap_or_default();
        let marks = |file| telling(file, heading).map(mark);
        let words: HashSet<&[u8]> = telling(last, heading).map(first_word).collect();
        let tell_jobs = words.len() == telling(last, heading).count();
        let first = telling(last, heading).next();
        self.before = LinesBefore {
            lines: marks(last).collect(),
            first: first.map(mark),
            job: first.filter(|_| tell_jobs).map(|line| first_word(line).to_vec()),
        };
    }

    /// Returns the first line of the log, which may be a heading.
    fn heading(&self) -> &[u8] {
        self.files.first().and_then(|file| lines(file).next()).unwrap_or_default()
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// Whether a line tells files apart.
fn tells(line: &[u8], heading: &[u8]) -> bool {
    line != heading && !line.trim_ascii().is_empty() && !matches!(line[0], b';' | b'#')
}

fn telling<'a>(text: &'a [u8], heading: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    lines(text).filter(move |line| tells(line, heading))
}

fn mark(line: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}

/// Returns the first word of a line: in tables of jobs, the number of the job.
fn first_word(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'|' | b',' | b';' | b'\n'));
    &line[..end.unwrap_or(line.len())]
}

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
    fn exports_that_overlap_are_one_log() {
        let mut log = Log::new("heading\n1\n2\n3\n");
        log.now();
        let mut next = |text: &str| {
            fs::remove_file(log.path("log")).unwrap();
            fs::write(log.path("log"), text).unwrap();
            log.now().1
        };
        // Most of the file before comes again, but not its first line.
        assert_eq!(next("heading\n2\n3\n4\n"), "heading\n1\n2\n3\n4\n");
        // A job ran when the file before was written.
        assert_eq!(next("heading\n3\n4 ended\n5\n"), "heading\n1\n2\n3\n4\n4 ended\n5\n");
        // A line of a file long ago.
        assert_eq!(next("heading\n5\n2\n6\n"), "heading\n1\n2\n3\n4\n4 ended\n5\n6\n");
    }

    #[test]
    fn lines_of_one_day_that_overlap_do_not_replace_each_other() {
        // The first word of accounting of PBS is the date.
        let mut log = Log::new("day;E;1\nday;E;2\nday;E;3\n");
        log.now();
        fs::rename(log.path("log"), log.path("log.1")).unwrap();
        fs::write(log.path("log"), "day;E;3\nday;E;4\n").unwrap();
        assert_eq!(log.now(), (true, "day;E;1\nday;E;2\nday;E;3\nday;E;4\n".into()));
    }

    #[test]
    fn a_log_has_records_behind_a_heading_or_without_one() {
        let has = |text: &str| {
            let mut log = Log::new(text);
            log.now();
            log.log.has_records()
        };
        for none in ["", "\n", "JobID|State\n", "; comment\n# comment\n"] {
            assert!(!has(none), "{none:?}");
        }
        for some in ["JobID|State\n1|RUNNING\n", "1 0 0 60 4\n", "{\"jobs\": []}", "; comment\n1 0 0 60 4\n"]
        {
            assert!(has(some), "{some:?}");
        }
    }

    #[test]
    fn a_document_of_json_needs_no_line_end() {
        let mut log = Log::new("{\"jobs\": [{\"id\": 1}");
        assert!(!log.now().0);
        log.append("]}");
        assert_eq!(log.now(), (true, "{\"jobs\": [{\"id\": 1}]}".into()));
        let mut log = Log::new("{\n  \"jobs\": [\n  ]");
        assert_eq!(log.now().1, "{\n  \"jobs\": [\n");
        log.append("\n}");
        assert_eq!(log.now().1, "{\n  \"jobs\": [\n  ]\n}");
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
