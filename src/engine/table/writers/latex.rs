//! Tables in LaTeX: a float with a short caption, the table, and a note with its conditions.
//!
//! A narrow table of plain numbers needs `booktabs` only. A first line that begins with `% needs` names the packages of
//! any other table.

mod aligned;
mod authored;
mod blocks;
mod escape;
mod grid;
mod notes;
mod room;

use std::ops::Range;

use batchlab_traces::foreign::SafeText;

use self::authored::authored;
pub use self::authored::refused;
use self::blocks::blocks;
pub use self::escape::escape;
use self::grid::Grid;
pub use self::notes::notes_of;
use self::room::ColumnWidths;
use super::{Style, WriterSpec};
use crate::table::{Conditions, Float, Table, Venue};

/// A booktabs table with a short caption, and its conditions in a note.
pub const SPEC: WriterSpec = WriterSpec {
    name: "latex",
    for_programs: false,
    ending: "tex",
    summary: "a booktabs table for a paper, the best values bold",
    write,
};

/// The rows above which a table breaks over pages if its declaration does not name a float.
const MOST_ROWS_OF_A_FLOAT: usize = 45;
/// The class of a document unless another one is chosen.
pub const CLASS: &str = "article";

/// Returns all characters that have a LaTeX command of their own, separated by blanks, for a test that compiles them.
pub fn signs() -> String {
    let separated = |(sign, _): &(char, &str)| [*sign, ' '];
    escape::SIGNS.iter().flat_map(separated).collect()
}

/// Returns a document of a class with all tables, which compiles without changes.
pub fn document(tables: &[Table], style: &Style, class: &str) -> SafeText {
    let known = Venue::ALL.iter().find(|(_, venue)| venue.class().ends_with(&format!("{{{class}}}")));
    let class = known.map_or_else(|| format!("{{{class}}}"), |(_, venue)| venue.class().to_owned());
    let mut lines: Vec<String> = vec![format!("\\documentclass{class}")];
    lines.extend(
        [
            "\\usepackage[T1]{fontenc}",
            "\\usepackage[utf8]{inputenc}",
            "\\usepackage{array, booktabs, graphicx, longtable, multirow, siunitx}",
            "\\begin{document}",
        ]
        .map(String::from),
    );
    let mut text = lines.join("\n") + "\n";
    for table in tables {
        text += &write(table, style);
        text += "\n";
    }
    text += &notes_of(tables);
    SafeText::of(&(text + "\\end{document}\n"))
}

fn write(table: &Table, style: &Style) -> SafeText {
    let table = &table.for_readers();
    let room = ColumnWidths::of(table);
    let float = float_of(table, &room);
    let blocks = blocks(table, &room, float);
    let rooms: Vec<ColumnWidths> = blocks.iter().map(ColumnWidths::of).collect();
    let grids: Vec<Grid<'_>> =
        blocks.iter().zip(&rooms).map(|(block, room)| Grid::new(block, style, room, float)).collect();
    let mut lines: Vec<String> = packages(table, &grids, float).into_iter().collect();
    lines.extend(rooms.iter().find_map(|room| room.shrinks_to(float)).map(|share| {
        format!(
            "% shrinks to about {:.0} % of its size: fewer `cells`, `metrics` or `columns` keep it legible",
            share * 100.0
        )
    }));
    match (float, &grids[..]) {
        (Float::Long, [grid]) if !grid.may_be_too_wide() => lines.extend(long(table, grid)),
        // A `longtable` cannot shrink.
        (Float::Long, _) => lines.extend(floats(table, &grids, room.least_float())),
        _ => lines.extend(floats(table, &grids, float)),
    }
    SafeText::of(&(lines.join("\n") + "\n"))
}

/// Returns the float of a table: the declared one, else the narrowest that it fits.
fn float_of(table: &Table, room: &ColumnWidths) -> Float {
    table.paper.float.unwrap_or_else(|| match room.least_float() {
        _ if table.rows.len() > MOST_ROWS_OF_A_FLOAT => Float::Long,
        float => float,
    })
}

/// Returns the line that names the packages; none for a table that needs `booktabs` only.
fn packages(table: &Table, grids: &[Grid<'_>], float: Float) -> Option<String> {
    let mut packages = vec!["booktabs"];
    let may_be_too_wide = grids.iter().any(Grid::may_be_too_wide);
    packages.extend(grids.iter().any(Grid::has_paragraphs).then_some("array"));
    packages.extend((float == Float::Long && grids.len() == 1 && !may_be_too_wide).then_some("longtable"));
    packages.extend(may_be_too_wide.then_some("graphicx"));
    packages.extend(table.is_structured().then_some(["multirow", "siunitx"]).into_iter().flatten());
    packages.sort_unstable();
    (packages.len() > 1).then(|| format!("% needs \\usepackage{{{}}}", packages.join(", ")))
}

/// Returns a table as floats with one number, each with as many rows as fit on a page.
fn floats(table: &Table, grids: &[Grid<'_>], float: Float) -> Vec<String> {
    let mut parts: Vec<(usize, Vec<String>)> = Vec::new();
    for grid in grids {
        for rows in ranges(table) {
            let (count, tabular) = (rows.len(), within_line(grid, rows));
            match parts.last_mut().filter(|(known, _)| known + count <= MOST_ROWS_OF_A_FLOAT) {
                Some((known, lines)) => {
                    *known += count;
                    lines.push("  \\par\\medskip".into());
                    lines.extend(tabular);
                }
                None => parts.push((count, tabular)),
            }
        }
    }
    let star = if float == Float::Page { "*" } else { "" };
    let last = parts.len() - 1;
    let mut lines = Vec::new();
    for (at, (_, tabulars)) in parts.into_iter().enumerate() {
        lines.extend([format!("\\begin{{table{star}}}"), "  \\centering".into()]);
        lines.extend(match at {
            0 => caption(table).map(|caption| format!("  {caption}")),
            _ => Some("  \\addtocounter{table}{-1}\\caption{(continued)}".into()),
        });
        lines.extend(with_settings(table, tabulars));
        if at == last {
            lines.extend(notes(table, room::width_of(table, float)));
        }
        lines.push(format!("\\end{{table{star}}}"));
    }
    lines
}

/// Returns the rows of each part of a table that is longer than a page, split where a group begins if possible.
fn ranges(table: &Table) -> Vec<Range<usize>> {
    let (breaks, all) = (table.breaks(), table.rows.len());
    let (mut ranges, mut from) = (Vec::new(), 0);
    while from < all || ranges.is_empty() {
        let most = (from + MOST_ROWS_OF_A_FLOAT).min(all);
        let at_break = breaks.iter().copied().rfind(|at| (from + 1..=most).contains(at));
        let to = if most == all { most } else { at_break.unwrap_or(most) };
        ranges.push(from..to);
        from = to;
    }
    ranges
}

/// Returns rows as a `tabular`, which shrinks to the line if it is wider.
fn within_line(grid: &Grid<'_>, rows: Range<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    if grid.may_be_too_wide() {
        lines.push("  \\setbox0=\\hbox{%".into());
        lines.extend(grid.tabular(rows));
        lines.push("  }%".into());
        lines.push(
            "  \\ifdim\\wd0>\\linewidth \\resizebox{\\linewidth}{!}{\\box0}\\else \\leavevmode\\box0\\fi"
                .into(),
        );
    } else if grid.has_columns() {
        lines.extend(grid.tabular(rows));
    }
    lines
}

/// Returns a table that breaks over pages. `longtable` needs pages of one column: a class of two columns changes to one
/// column for it.
fn long(table: &Table, grid: &Grid<'_>) -> Vec<String> {
    let mut lines: Vec<String> = [
        "\\makeatletter",
        "\\if@twocolumn \\onecolumn \\let\\batchlabcolumns\\twocolumn \\else \\let\\batchlabcolumns\\relax \\fi",
        "\\makeatother",
        "\\begingroup",
    ]
    .map(String::from)
    .to_vec();
    lines.extend(with_settings(table, grid.longtable(caption(table))));
    lines.extend(notes(table, room::width_of(table, Float::Long)));
    lines.extend(["\\endgroup".into(), "\\batchlabcolumns".into()]);
    lines
}

/// Returns the rows of a float behind its settings: font size, distance of columns, form of numbers.
fn with_settings(table: &Table, rows: Vec<String>) -> Vec<String> {
    let mut lines = vec!["  \\footnotesize \\setlength{\\tabcolsep}{3pt}".to_owned()];
    if table.is_structured() {
        lines.push(
            "  \\sisetup{group-separator={,}, group-minimum-digits=4, retain-explicit-plus, detect-all}"
                .into(),
        );
    }
    lines.extend(aligned::has_best(&rows).then(|| aligned::BEST.to_owned()));
    lines.extend(rows);
    lines
}

/// Returns the caption with its label; `None` for a table without words.
fn caption(table: &Table) -> Option<String> {
    let words = if table.paper.caption.is_empty() { &table.title } else { &table.paper.caption };
    let label = &table.paper.label;
    let label = if label.is_empty() { String::new() } else { format!("\\label{{{label}}}") };
    let text = if table.paper.is_latex { authored(words) } else { escape(words) };
    (!words.is_empty()).then(|| format!("\\caption{{{}.}}{label}", text.trim_end_matches('.')))
}

/// What stands below a table, and whether the meanings of signs are cut there.
struct Below {
    lines: Vec<String>,
    is_cut: bool,
}

/// The most lines below a table that keeps its conditions in a file.
const MOST_LINES: f64 = 3.0;
/// The mean width of a character of the notes, in points: Computer Modern of 7 pt.
const NOTE_CHARACTER: f64 = 3.7;

/// Returns the sentences below a table of a width in points: what its signs mean, then its conditions unless they stand in a
/// file. With them in a file, meanings are cut to their first clause if all of them need more than three lines; the file then has
/// them behind the same signs.
fn below(table: &Table, width: f64) -> Below {
    let signed: Vec<String> = table.signed_footnotes().map(|(sign, note)| format!("{sign} {note}")).collect();
    if table.paper.conditions == Conditions::Note {
        let all = signed.iter().map(|note| format!("{note}."));
        let conditions = conditions_of(table).into_iter().map(|note| format!("{note}."));
        return Below { lines: all.chain(conditions).collect(), is_cut: false };
    }
    let line = format!("{}.", signed.join("; "));
    if signed.is_empty() {
        Below { lines: Vec::new(), is_cut: false }
    } else if line.chars().count() as f64 * NOTE_CHARACTER <= MOST_LINES * width {
        Below { lines: vec![line], is_cut: false }
    } else {
        Below { lines: vec![format!("{}.", short_meanings(table).join("; "))], is_cut: true }
    }
}

/// Returns the first clause of each footnote behind all signs that share it.
fn short_meanings(table: &Table) -> Vec<String> {
    let mut meanings: Vec<(&str, Vec<String>)> = Vec::new();
    for (sign, note) in table.signed_footnotes() {
        let clause = first_clause(note);
        match meanings.iter_mut().find(|(known, _)| *known == clause) {
            Some((_, signs)) => signs.push(sign),
            None => meanings.push((clause, vec![sign])),
        }
    }
    meanings.iter().map(|(clause, signs)| format!("{} {clause}", signs.join(", "))).collect()
}

/// Returns the first clause of a sentence, without what stands in parentheses.
fn first_clause(note: &str) -> &str {
    let end = [": ", "; ", " ("].iter().filter_map(|stop| note.find(stop)).min();
    &note[..end.unwrap_or(note.len())]
}

fn notes(table: &Table, width: f64) -> Vec<String> {
    let notes = below(table, width).lines;
    if notes.is_empty() {
        return Vec::new();
    }
    let begin =
        "  \\par\\smallskip\\noindent\\begin{minipage}{\\linewidth}\\scriptsize\\raggedright".to_owned();
    let lines = notes.iter().map(|note| format!("  {}", escape(note)));
    [begin].into_iter().chain(lines).chain(["  \\end{minipage}\\par".into()]).collect()
}

/// Returns what must be known about a table: conditions, notes with cautions, definitions.
fn conditions_of(table: &Table) -> Vec<String> {
    let definitions = table.definitions.iter().map(|(name, what)| format!("{name}: {}", what.text));
    table.caption.iter().chain(&table.notes).map(ToString::to_string).chain(definitions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_a_table_are_three_lines_at_most() {
        let mut table = Table { title: "a".into(), ..Table::default() };
        table.paper.conditions = Conditions::File;
        table.footnotes = vec!["no interval: the values do not vary".into()];
        let lines = |table: &Table| below(table, 252.0).lines;
        assert_eq!(lines(&table), ["\u{2021} no interval: the values do not vary."]);
        table.footnotes.push("saturated: ".to_owned() + &"its mean grows ".repeat(20));
        table.footnotes.push("no interval: one unit".to_owned());
        assert_eq!(lines(&table), ["\u{2021}a, \u{2021}b no interval; \u{2020} saturated."]);
        assert!(below(&table, 252.0).is_cut);
    }
}
