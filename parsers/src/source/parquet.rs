//! Tables in Parquet (feature `parquet`): a file as the same table between commas, below a heading of its columns.
//!
//! A table is read in batches of rows, so that each reader of tables reads it: formats `pm100`, `f-data` and `csv`, and
//! mapping files. Instants become texts as pyarrow writes them to CSV. Columns of lists, maps and structures are left out,
//! and so are columns of binary values that are neither text nor decimal. The comments of a log, in the metadata under the key
//! [`COMMENTS`], precede the heading.

mod cells;

use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::column::reader::ColumnReader;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

use self::cells::{Cells, Kind};

/// The first bytes of a file.
pub const MAGIC: [u8; 4] = *b"PAR1";

/// The key of a file's metadata whose value has the comments of a log, one a line.
pub const COMMENTS: &str = "batchlab.comments";

const ROWS: usize = 512;

struct Column {
    index: usize,
    descriptor: ColumnDescPtr,
    kind: Kind,
    cells: Cells,
}

/// The text of a file's flat columns.
pub struct Table {
    file: SerializedFileReader<File>,
    columns: Vec<Column>,
    group: usize,
    /// Readers of the columns of a row group, and the number of its rows that are left.
    within: Option<(Vec<ColumnReader>, usize)>,
    text: Vec<u8>,
    /// The bytes of the text that have been taken.
    taken: usize,
}

impl Table {
    /// Opens a file; its end describes its contents.
    ///
    /// # Errors
    /// When it is not a file of Parquet, or has no flat column.
    pub fn open(file: File) -> io::Result<Table> {
        contained(move || SerializedFileReader::new(file).map_err(failed)).and_then(Table::of)
    }

    fn of(file: SerializedFileReader<File>) -> io::Result<Table> {
        let about = file.metadata().file_metadata();
        let described = about.schema_descr().columns().iter().enumerate();
        let column = |(index, descriptor): (usize, &ColumnDescPtr)| {
            let (descriptor, cells) = (descriptor.clone(), Cells::default());
            Some(Column { index, kind: Kind::of(&descriptor)?, descriptor, cells })
        };
        let columns: Vec<Column> = described.filter_map(column).collect();
        if columns.is_empty() {
            let why = "a Parquet file without a column of numbers, texts or instants";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let mut text = Vec::new();
        let comments = about.key_value_metadata().into_iter().flatten().find(|entry| entry.key == COMMENTS);
        for line in comments.and_then(|entry| entry.value.as_deref()).unwrap_or("").lines() {
            text.extend_from_slice(b"#");
            text.extend_from_slice(line.as_bytes());
            text.push(b'\n');
        }
        line(&mut text, columns.iter().map(|column| column.descriptor.name()));
        Ok(Table { file, columns, group: 0, within: None, text, taken: 0 })
    }

    /// Makes the text of the next rows; it stays empty at the end.
    fn advance(&mut self) -> Result<()> {
        self.text.clear();
        self.taken = 0;
        while self.text.is_empty() {
            let (mut readers, left) = match self.within.take() {
                Some(within) => within,
                None if self.group == self.file.num_row_groups() => return Ok(()),
                None => self.next_group()?,
            };
            let rows = left.min(ROWS);
            for (column, reader) in self.columns.iter_mut().zip(&mut readers) {
                column.cells.read(reader, &column.descriptor, column.kind, rows)?;
            }
            for row in 0..rows {
                line(&mut self.text, self.columns.iter().map(|column| column.cells.get(row)));
            }
            self.within = Some((readers, left - rows)).filter(|(_, left)| *left > 0);
        }
        Ok(())
    }

    fn next_group(&mut self) -> Result<(Vec<ColumnReader>, usize)> {
        let group = self.file.get_row_group(self.group)?;
        self.group += 1;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let readers = self.columns.iter().map(|column| group.get_column_reader(column.index));
        Ok((readers.collect::<Result<_>>()?, rows))
    }
}

impl Read for Table {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.text.len() {
            contained(|| self.advance().map_err(failed))?;
        }
        let text = self.text.get(self.taken..).unwrap_or(&[]);
        let count = text.len().min(buffer.len());
        buffer[..count].copy_from_slice(&text[..count]);
        self.taken += count;
        Ok(count)
    }
}

pub fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

/// Decodes, and turns a panic into an error: the decoder panics on some damaged files.
fn contained<T>(decode: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(io::Error::other("it is damaged")))
}

/// Adds a line of cells. Cells with commas, quotes or ends of lines are quoted, and ends of lines become blanks.
fn line<'a>(text: &mut Vec<u8>, cells: impl Iterator<Item = &'a str>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            text.push(b',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            let cell = cell.replace('"', "\"\"").replace(['\n', '\r'], " ");
            text.push(b'"');
            text.extend_from_slice(cell.as_bytes());
            text.push(b'"');
        } else {
            text.extend_from_slice(cell.as_bytes());
        }
    }
    text.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_it_matters() {
        let mut text = Vec::new();
        line(&mut text, ["a", "b,c", "say \"x\"", "", "two\nlines"].into_iter());
        assert_eq!(String::from_utf8(text).unwrap(), "a,\"b,c\",\"say \"\"x\"\"\",,\"two lines\"\n");
    }
}
