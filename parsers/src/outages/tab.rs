/// The columns of a table by their names.
pub(super) struct Heading {
    separator: char,
    names: Vec<String>,
}

impl Heading {
    /// Reads a heading; names are compared without case, quotes and a `#` at the beginning of the line.
    pub(super) fn of(line: &str, separator: char) -> Heading {
        let line = line.trim_start_matches('#');
        let names = cells(line, separator).iter().map(|name| name.to_lowercase()).collect();
        Heading { separator, names }
    }

    /// Reads a heading whose names are separated by blanks.
    pub(super) fn of_blanks(line: &str) -> Heading {
        Heading { separator: ' ', names: line.split_whitespace().map(str::to_lowercase).collect() }
    }

    /// Returns the position of the column with a name, otherwise of the first column whose name begins with it.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let exact = self.names.iter().position(|known| known == name);
        exact.or_else(|| self.names.iter().position(|known| known.starts_with(name)))
    }

    pub(super) fn cells<'a>(&self, line: &'a str) -> Vec<&'a str> {
        cells(line, self.separator)
    }
}

/// Splits a line into cells, without blanks and quotes around them; a separator in quotes is part of the cell.
fn cells(line: &str, separator: char) -> Vec<&str> {
    let mut cells = Vec::new();
    let (mut from, mut is_quoted) = (0, false);
    for (at, letter) in line.char_indices() {
        if letter == '"' {
            is_quoted = !is_quoted;
        } else if letter == separator && !is_quoted {
            cells.push(&line[from..at]);
            from = at + letter.len_utf8();
        }
    }
    cells.push(&line[from..]);
    cells.into_iter().map(|cell| cell.trim().trim_matches('"').trim()).collect()
}
