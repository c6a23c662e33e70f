//! Formats of logs: the description of a format (its name, how its files look, how they are read), and the set of formats that a log
//! may have.

use batchlab_traces::Header;

use crate::error::Result;
use crate::pass::Pass;

/// A format of logs.
///
/// A user's own format is a constant like the built-in ones, passed to [`Formats::register`](crate::Formats::register). Its reader has
/// the same tools: lines from [`Pass::lines`], an [`AccountingEntry`](crate::entry::AccountingEntry) per job, and the
/// [`Normaliser`](crate::normal::Normaliser), which makes records of entries. `examples/site/src/parser.rs`
/// is a complete example.
#[derive(Debug)]
pub struct FormatSpec {
    /// Short name, for `--from` and the provenance.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Source of the format's definition.
    pub cite: &'static str,
    /// Description of the format's files, for the message when no format fits.
    pub looks_like: &'static str,
    /// Returns how much a file that begins with these (unpacked) bytes looks like one of this format: 0 not
    /// at all, 100 beyond doubt; from [`LIKELY`] on, the file may be read as this format.
    pub likeness: fn(&[u8]) -> u8,
    /// Reads a log record by record.
    pub read: fn(&mut Pass<'_>) -> Result<Header>,
}

/// The lowest likeness at which a file is read as a format.
pub const LIKELY: u8 = 50;

/// The lowest likeness at which no other format has such content: reading the log as another format is refused.
pub const SURE: u8 = 90;

/// Returns the share of lines that fit, in percent, for [`FormatSpec::likeness`]: of the first hundred lines
/// that are not blank and, if there are several, not cut.
pub fn share_of_lines(beginning: &[u8], mut fits: impl FnMut(&[u8]) -> bool) -> u8 {
    // Only the lines that are needed are searched for: each format examines the same 64 KiB.
    let ends = memchr::memchr_iter(b'\n', beginning);
    let whole = ends.scan(0, |start, end| Some(&beginning[std::mem::replace(start, end + 1)..end]));
    let alone = memchr::memchr(b'\n', beginning).is_none().then_some(beginning);
    let seen = whole.chain(alone).map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()).take(100);
    let (mut count, mut fitting) = (0_usize, 0);
    for line in seen {
        count += 1;
        fitting += usize::from(fits(line));
    }
    (fitting * 100).checked_div(count).unwrap_or(0) as u8
}

/// A set of formats by name: the built-in ones and the registered ones.
#[derive(Clone, Debug)]
pub struct Formats {
    builtin: &'static [FormatSpec],
    registered: Vec<&'static FormatSpec>,
}

/// The reason why a format cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Upper and lower case are not distinguished.
    #[error("a format called `{0}` is registered already")]
    Taken(&'static str),
    /// The name cannot be typed behind `--from`.
    #[error("`{0}` names no format: letters, digits, `-`, `_` and `.` make a name")]
    Name(&'static str),
}

impl Formats {
    pub(crate) fn of(builtin: &'static [FormatSpec]) -> Formats {
        Formats { builtin, registered: Vec::new() }
    }

    /// Adds a format.
    pub fn register(&mut self, spec: &'static FormatSpec) -> Result<(), FormatError> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if !spec.name.starts_with(|first: char| first.is_ascii_alphanumeric()) || !spec.name.chars().all(fits)
        {
            return Err(FormatError::Name(spec.name));
        }
        if self.named(spec.name).is_some() {
            return Err(FormatError::Taken(spec.name));
        }
        self.registered.push(spec);
        Ok(())
    }

    /// Returns all formats, the built-in ones first.
    pub fn specs(&self) -> impl Iterator<Item = &'static FormatSpec> {
        self.builtin.iter().chain(self.registered.iter().copied())
    }

    /// Returns the format of a name, in upper or lower case.
    pub fn named(&self, name: &str) -> Option<&'static FormatSpec> {
        self.specs().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Returns the format that a file beginning with these (unpacked) bytes looks most like, if it is likely.
    pub fn detect(&self, beginning: &[u8]) -> Option<&'static FormatSpec> {
        self.likest(beginning).filter(|(_, likeness)| *likeness >= LIKELY).map(|(spec, _)| spec)
    }

    /// Returns the format that a file looks most like, with its likeness; `None` if it looks like no format.
    ///
    /// Of equal likeness, the first is chosen, so a log that a built-in format certainly matches is read the
    /// same whatever is registered.
    pub fn likest(&self, beginning: &[u8]) -> Option<(&'static FormatSpec, u8)> {
        let beginning = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        let measured = self.specs().map(|spec| (spec, (spec.likeness)(beginning).min(100)));
        let likely = measured.filter(|(_, likeness)| *likeness > 0);
        likely.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::{Field, Record};

    use super::*;
    use crate::error::ReadError;
    use crate::format::FORMATS;
    use crate::{Input, Options, read_trace};

    /// A format of files that begin with a star; its reader makes one job of the file.
    static STAR: FormatSpec = FormatSpec {
        name: "star",
        summary: "begins with a star",
        cite: "this test",
        looks_like: "a star",
        // More than 100 counts as 100.
        likeness: |beginning| if beginning.starts_with(b"*") { 255 } else { 0 },
        read: read_star,
    };

    fn read_star(pass: &mut Pass<'_>) -> Result<Header> {
        while pass.stream.next_buffer()?.is_some() {}
        let mut record = Record::default();
        record.set_whole(Field::Job, 1);
        pass.sink.record(&record);
        Ok(Header::default())
    }

    fn with_star() -> Formats {
        let mut formats = Formats::builtin();
        formats.register(&STAR).unwrap();
        formats
    }

    #[test]
    fn a_registered_format_is_found_by_name_and_by_content() {
        let formats = with_star();
        assert_eq!(formats.specs().last().map(|spec| spec.name), Some("star"));
        assert_eq!(formats.named("STAR").map(|spec| spec.name), Some("star"));
        assert_eq!(
            formats.likest(b"\xef\xbb\xbf* 1").map(|(spec, sure)| (spec.name, sure)),
            Some(("star", 100))
        );
        assert!(Formats::builtin().detect(b"* 1").is_none());
    }

    #[test]
    fn a_log_of_a_registered_format_is_read_where_it_is_known() {
        let read = |text: &'static str, formats| {
            read_trace(Input::from_bytes("a", text), &Options { formats, ..Options::default() })
        };
        let trace = read("* 1\n", with_star()).unwrap();
        assert_eq!((trace.len(), trace.provenance.source.format.as_str()), (1, "star"));
        assert!(matches!(read("* 1\n", Formats::builtin()), Err(ReadError::UnknownFormat { .. })));
        let words = read("nothing known\n", with_star()).unwrap_err();
        let count = format!("\nlooked for {} formats: ", FORMATS.len() + 1);
        assert!(words.to_string().contains(&count), "{words}");
    }

    #[test]
    fn names_that_are_taken_or_none_are_refused() {
        static SWF: FormatSpec = FormatSpec { name: "SWF", ..STAR };
        static BLANK: FormatSpec = FormatSpec { name: "my log", ..STAR };
        static NONE: FormatSpec = FormatSpec { name: "", ..STAR };
        let mut formats = with_star();
        assert_eq!(formats.register(&STAR), Err(FormatError::Taken("star")));
        assert_eq!(formats.register(&SWF), Err(FormatError::Taken("SWF")));
        assert_eq!(formats.register(&BLANK), Err(FormatError::Name("my log")));
        assert_eq!(formats.register(&NONE), Err(FormatError::Name("")));
        assert_eq!(formats.specs().count(), FORMATS.len() + 1);
    }
}
