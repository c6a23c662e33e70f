//! Rows that continue over several lines.

/// A row that is not complete.
#[derive(Default)]
pub(super) struct Partial {
    pub(super) row: Vec<u8>,
    pub(super) line: u32,
    /// Bytes on that line.
    length: usize,
    /// Number of lines so far; 0 if there is no such row.
    pub(super) lines: u32,
    /// How often the row had enough separators but did not fit its columns.
    pub(super) attempts: u32,
}

/// The most lines that are joined to a row.
const LINES: u32 = 256;
/// The most bytes that are joined to a row.
const BYTES: usize = 256 << 10;

impl Partial {
    pub(super) fn begin(&mut self, row: &[u8], line: u32) {
        self.row.clear();
        self.row.extend_from_slice(row);
        (self.line, self.lines, self.length, self.attempts) = (line, 1, row.len(), 0);
    }

    pub(super) fn first(&self) -> &[u8] {
        &self.row[..self.length]
    }

    /// Returns the number of lines below the first that are not blank.
    pub(super) fn below(&self) -> u64 {
        let lines = self.row[self.length..].split(|&byte| byte == b'\n');
        lines.filter(|line| !line.trim_ascii().is_empty()).count() as u64
    }

    /// Drops all lines except the first.
    pub(super) fn shorten(&mut self) {
        self.row.truncate(self.length);
        self.lines = 1;
    }

    pub(super) fn open(&self) -> bool {
        self.lines > 0
    }

    /// Joins a line to the row; `false` if the row would be too long.
    pub(super) fn join(&mut self, line: &[u8]) -> bool {
        if self.lines >= LINES || self.row.len() + line.len() >= BYTES {
            return false;
        }
        self.row.push(b'\n');
        self.row.extend_from_slice(line);
        self.lines += 1;
        true
    }
}
