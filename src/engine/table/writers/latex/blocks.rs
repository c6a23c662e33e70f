//! A table that is far too wide for its float: blocks of columns, one below the other.

use super::room::ColumnWidths;
use crate::table::{Align, Float, Table, TableColumn};

/// The share of their size that the letters of blocks may have.
const SIZE: f64 = 0.9;

/// Returns the blocks of a table, each with its labels; the table itself if its letters stay legible, or its labels take most of the
/// float. O(cells).
pub fn blocks(table: &Table, room: &ColumnWidths, float: Float) -> Vec<Table> {
    let is_label = |column: &&TableColumn| column.format.is_none() && column.align == Align::Left;
    let labels: Vec<usize> = (0..table.columns.iter().take_while(is_label).count()).collect();
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    if room.shrinks_to(float).is_some() && room.share(&labels, float) < 0.5 {
        for unit in units(table, labels.len()) {
            let fits =
                |block: &&mut Vec<usize>| room.share(&[&block[..], &unit].concat(), float) <= 1.0 / SIZE;
            match blocks.last_mut().filter(fits) {
                Some(block) => block.extend(unit),
                None => blocks.push([&labels[..], &unit].concat()),
            }
        }
    }
    let of_all = || vec![table.clone()];
    if blocks.is_empty() { of_all() } else { blocks.iter().map(|block| with_columns(table, block)).collect() }
}

/// Returns the columns that stay together: numbers with their intervals, and what is below one heading.
fn units(table: &Table, labels: usize) -> Vec<Vec<usize>> {
    let head = |at: usize| table.columns[at].groups.first().filter(|head| !head.is_empty());
    let stays = |&at: &usize, &next: &usize| {
        table.columns[next].is_interval() || head(next).is_some() && head(at) == head(next)
    };
    let columns: Vec<usize> = (labels..table.columns.len()).collect();
    columns.chunk_by(stays).map(<[usize]>::to_vec).collect()
}

/// Returns the table with some of its columns.
fn with_columns(table: &Table, columns: &[usize]) -> Table {
    let place = |at: usize| columns.iter().position(|&of| of == at);
    let mut block = table.clone();
    block.columns = columns.iter().map(|&at| table.columns[at].clone()).collect();
    for column in &mut block.columns {
        column.like = column.like.and_then(place);
    }
    for (row, of) in block.rows.iter_mut().zip(&table.rows) {
        row.cells = columns.iter().filter_map(|&at| of.cells.get(at).cloned()).collect();
    }
    let marks = table.marks.iter();
    block.marks = marks.filter_map(|(&(row, at), mark)| Some(((row, place(at)?), mark.clone()))).collect();
    block
}
