use batchlab_traces::foreign::SafeText;

use crate::table::Table;

/// The presentation options of a table, which the caller decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether colour may be used; only the caller knows whether the output is a terminal.
    pub colour: bool,
    /// Whether the best value of each column is marked: in colour on a terminal, bold in LaTeX.
    pub mark_best: bool,
    /// Width of the terminal in characters; labels and captions wrap.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style { colour: false, mark_best: true, width: 100 }
    }
}

/// A form of tables.
#[derive(Debug)]
pub struct WriterSpec {
    /// Name, as `--format` takes it.
    pub name: &'static str,
    /// The ending of its files, without the dot.
    pub ending: &'static str,
    /// Its description, in one line.
    pub summary: &'static str,
    /// Whether it is for programs: full precision, a row for each value.
    pub for_programs: bool,
    /// Writes a table, with a line end.
    pub write: fn(&Table, &Style) -> SafeText,
}
