//! The field as which each column was read, for the first lines of a log.

/// The destinations of the columns of the first lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The lines, in the order of the file.
    pub lines: Vec<Explained>,
    most: usize,
}

/// The destinations of the columns of one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// Line in the file, from 1.
    pub line: u32,
    /// The columns, in the order of the line.
    pub cells: Vec<ExplainedCell>,
}

/// The destination of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedCell {
    /// Name of the column, or its number from 1.
    pub column: String,
    /// The text in the column.
    pub text: String,
    /// The destination: a field, a further column, a check, or none.
    pub to: String,
}

impl Explanation {
    /// Returns an explanation of at most `most` lines.
    pub fn of_first(most: usize) -> Explanation {
        Explanation { lines: Vec::new(), most }
    }

    /// Returns the entry for the columns of a line; `None` if enough lines are explained.
    pub fn line(&mut self, line: u32) -> Option<&mut Explained> {
        if self.lines.len() >= self.most {
            return None;
        }
        self.lines.push(Explained { line, cells: Vec::new() });
        self.lines.last_mut()
    }
}

impl Explained {
    /// Records the destination of a column.
    pub fn cell(&mut self, column: impl Into<String>, text: &[u8], to: impl Into<String>) {
        let text = String::from_utf8_lossy(text).into_owned();
        self.cells.push(ExplainedCell { column: column.into(), text, to: to.into() });
    }
}
