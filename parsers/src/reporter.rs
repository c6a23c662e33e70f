//! Collects findings about a file.

use std::sync::Arc;

use batchlab_traces::{Example, Findings, Kind, Refusal, SourcePlace};

use crate::lines::Line;

/// Receives findings about one file.
pub struct Reporter<'a> {
    /// The findings.
    pub findings: &'a mut Findings,
    /// The file as the user named it.
    pub file: Arc<str>,
}

impl Reporter<'_> {
    /// Counts a finding about a part of a line; place and text are built only for the first few. `detail`
    /// receives the part in quotes, shortened.
    pub fn report(
        &mut self,
        kind: &'static Kind,
        line: &Line<'_>,
        part: &[u8],
        detail: impl FnOnce(String) -> String,
    ) -> Result<(), Refusal> {
        self.findings.report(kind, || {
            let offset = (part.as_ptr() as usize).wrapping_sub(line.bytes.as_ptr() as usize);
            let inside = offset <= line.bytes.len() && part.len() < line.bytes.len();
            let column = if inside { offset as u32 + 1 } else { 0 };
            let place = SourcePlace { file: self.file.clone(), line: line.number, column };
            Example { place: Some(place), detail: detail(quoted(part)) }
        })
    }

    /// Parses a part of a line, and reports a part that cannot be read, as [`Reporter::report`]. An empty part gives `None`.
    pub fn read<'a, T>(
        &mut self,
        kind: &'static Kind,
        (line, part): (&Line<'a>, &'a [u8]),
        parse: impl FnOnce(&'a [u8]) -> Option<T>,
        detail: impl FnOnce(String) -> String,
    ) -> Result<Option<T>, Refusal> {
        let value = if part.is_empty() { return Ok(None) } else { parse(part) };
        if value.is_none() {
            self.report(kind, line, part, detail)?;
        }
        Ok(value)
    }

    /// Returns the place of a line, from 1, or of the whole file (line 0).
    pub fn place(&self, line: u32) -> SourcePlace {
        SourcePlace { file: self.file.clone(), line, column: 0 }
    }

    /// Counts a finding about a whole line, from 1, or about the whole file (line 0).
    pub fn report_at(
        &mut self,
        kind: &'static Kind,
        line: u32,
        detail: impl FnOnce() -> String,
    ) -> Result<(), Refusal> {
        let place = || SourcePlace { file: self.file.clone(), line, column: 0 };
        self.findings.report(kind, || Example { place: Some(place()), detail: detail() })
    }
}

/// The most bytes of a wrong token that are shown.
const SHOWN: usize = 40;

/// Returns a token for a message: control characters escaped, long tokens shortened.
pub fn quoted(token: &[u8]) -> String {
    let cut = if token.len() > SHOWN { "..." } else { "" };
    let shown = String::from_utf8_lossy(&token[..token.len().min(SHOWN)]);
    // A mark of the text itself would end the quotation, by which `--redact` knows it.
    format!("`{}{cut}`", shown.replace('`', "'").escape_debug())
}
