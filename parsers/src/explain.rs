//! Which column of a log went where, for the first lines.

/// What became of the columns of the first lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The lines, in the order of the file.
    pub lines: Vec<Explained>,
    most: usize,
}

/// What became of the columns of one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// Line in the file, from 1.
    pub line: u32,
    /// Its columns, in the order of the line.
    pub cells: Vec<Cell>,
}

/// What became of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Name of the column, or its number from 1.
    pub column: String,
    /// What stood there.
    pub text: String,
    /// Where it went: a field, a further column, a check, nowhere.
    pub to: String,
}

impl Explanation {
    /// Returns an explanation of up to so many lines.
    pub fn of_first(most: usize) -> Explanation {
        Explanation { lines: Vec::new(), most }
    }

    /// Returns where to put the columns of a line; `None` when no more lines are wanted.
    pub fn line(&mut self, line: u32) -> Option<&mut Explained> {
        if self.lines.len() >= self.most {
            return None;
        }
        self.lines.push(Explained { line, cells: Vec::new() });
        self.lines.last_mut()
    }
}

impl Explained {
    /// Says where a column went.
    pub fn cell(&mut self, column: impl Into<String>, text: &[u8], to: impl Into<String>) {
        let text = String::from_utf8_lossy(text).into_owned();
        self.cells.push(Cell { column: column.into(), text, to: to.into() });
    }
}
