//! The formats that can be read: one file and one line here each.

use batchlab_traces::{Findings, Header, RecordSink};

use crate::error::ReadError;
use crate::source::Stream;
use crate::swf;

/// A format that logs come in.
#[derive(Debug)]
pub struct FormatSpec {
    /// Short name, for `--from` and the provenance.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it is defined.
    pub cite: &'static str,
    /// What its files look like, for the message when nothing fits.
    pub looks_like: &'static str,
    /// Whether a file that begins with these bytes may be of this format.
    pub sniff: fn(&[u8]) -> bool,
    /// Reads a log record by record.
    pub read: fn(&mut Stream, &mut Findings, &mut dyn RecordSink) -> Result<Header, ReadError>,
}

/// All formats, in the order in which they are tried.
pub static FORMATS: &[FormatSpec] = &[swf::SPEC];

/// Returns the format of a name.
pub fn format(name: &str) -> Option<&'static FormatSpec> {
    FORMATS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
}

/// Returns the first format that a file beginning with these (unpacked) bytes may be of.
pub fn detect(beginning: &[u8]) -> Option<&'static FormatSpec> {
    FORMATS.iter().find(|spec| (spec.sniff)(beginning))
}

/// Lists what was looked for: "swf (lines of ...), gwf (...)".
pub(crate) fn looked_for() -> String {
    let each: Vec<String> =
        FORMATS.iter().map(|spec| format!("{} ({})", spec.name, spec.looks_like)).collect();
    each.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_described_and_found_by_its_name() {
        for spec in FORMATS {
            assert!(![spec.summary, spec.cite, spec.looks_like].contains(&""), "{}", spec.name);
            assert_eq!(format(&spec.name.to_uppercase()).map(|found| found.name), Some(spec.name));
        }
    }

    #[test]
    fn what_is_no_log_is_detected_as_nothing() {
        for other in [&b""[..], b"<html>\n<body>1 2 3</body>", b"\xff\xd8\xff\xe0\x00\x10JFIF", b"a,b\n1,2\n"]
        {
            assert!(detect(other).is_none(), "{other:?}");
        }
    }
}
