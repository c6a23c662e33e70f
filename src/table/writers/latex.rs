//! Tables in LaTeX: a float with a short caption, the table, and a note with its conditions.
//!
//! A narrow table of plain numbers needs `booktabs` only. A first line that begins with `% needs` names the packages of
//! any other table.

mod escape;
mod grid;
mod room;

pub use self::escape::escape;
use self::grid::Grid;
use self::room::ColumnWidths;
use super::{Style, WriterSpec};
use crate::table::sign;
use crate::table::{Conditions, Float, Table};

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
pub fn document(tables: &[Table], style: &Style, class: &str) -> String {
    let mut lines: Vec<String> = vec![format!("\\documentclass{{{class}}}")];
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
    text += &conditions(tables);
    text + "\\end{document}\n"
}

/// Returns the conditions of all tables that keep them out of their notes, a paragraph per table; empty if there are
/// none.
pub fn conditions(tables: &[Table]) -> String {
    let mut text = String::new();
    for table in tables.iter().filter(|table| table.paper.conditions == Conditions::File) {
        let table = &table.for_readers();
        let name = match table.paper.label.as_str() {
            "" => escape(&table.title),
            label => format!("Table~\\ref{{{label}}}"),
        };
        let sentences = conditions_of(table).into_iter().map(|sentence| escape(&sentence) + ".\n");
        text.extend(["\\paragraph{".to_owned(), name, "}\n".to_owned()].into_iter().chain(sentences));
        text.push('\n');
    }
    text
}

fn write(table: &Table, style: &Style) -> String {
    let table = &table.for_readers();
    let room = ColumnWidths::of(table);
    let float = table.paper.float.unwrap_or_else(|| match room.least_float() {
        _ if table.rows.len() > MOST_ROWS_OF_A_FLOAT => Float::Long,
        float => float,
    });
    let grid = Grid::new(table, style, &room, float);
    let mut lines: Vec<String> = packages(table, &grid, float).into_iter().collect();
    match float {
        Float::Column | Float::Page => lines.extend(floating(table, &grid, float)),
        Float::Long => lines.extend(long(table, &grid)),
    }
    lines.join("\n") + "\n"
}

/// Returns the line that names the packages; none for a table that needs `booktabs` only.
fn packages(table: &Table, grid: &Grid<'_>, float: Float) -> Option<String> {
    let mut packages = vec!["booktabs"];
    packages.extend(grid.has_paragraphs().then_some("array"));
    packages.extend((float == Float::Long).then_some("longtable"));
    packages.extend((float != Float::Long && grid.may_be_too_wide()).then_some("graphicx"));
    packages.extend(table.is_structured().then_some(["multirow", "siunitx"]).into_iter().flatten());
    packages.sort_unstable();
    (packages.len() > 1).then(|| format!("% needs \\usepackage{{{}}}", packages.join(", ")))
}

fn floating(table: &Table, grid: &Grid<'_>, float: Float) -> Vec<String> {
    let star = if float == Float::Page { "*" } else { "" };
    let mut lines = vec![format!("\\begin{{table{star}}}"), "  \\centering".into()];
    lines.extend(caption(table).map(|caption| format!("  {caption}")));
    lines.extend(settings(table, grid, float));
    if grid.may_be_too_wide() {
        lines.push("  \\setbox0=\\hbox{%".into());
        lines.extend(grid.tabular());
        lines.push("  }%".into());
        lines.push("  \\ifdim\\wd0>\\linewidth \\resizebox{\\linewidth}{!}{\\box0}\\else \\box0\\fi".into());
    } else if !table.columns.is_empty() {
        lines.extend(grid.tabular());
    }
    let notes = notes(table);
    if !notes.is_empty() {
        lines.push("  \\par\\smallskip\\begin{minipage}{\\linewidth}\\scriptsize\\raggedright".into());
        lines.extend(notes.into_iter().map(|note| format!("  {note}")));
        lines.push("  \\end{minipage}".into());
    }
    lines.push(format!("\\end{{table{star}}}"));
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
    lines.extend(settings(table, grid, Float::Long));
    lines.extend(grid.longtable(caption(table)));
    let notes = notes(table);
    if !notes.is_empty() {
        lines.push("  \\noindent\\begin{minipage}{\\linewidth}\\scriptsize\\raggedright".into());
        lines.extend(notes.into_iter().map(|note| format!("  {note}")));
        lines.push("  \\end{minipage}\\par".into());
    }
    lines.extend(["\\endgroup".into(), "\\batchlabcolumns".into()]);
    lines
}

/// Returns the settings of the float: font size, distance of columns, form of numbers.
fn settings(table: &Table, grid: &Grid<'_>, float: Float) -> Vec<String> {
    // A `longtable` cannot be scaled to the line.
    let size = match float {
        Float::Long if grid.may_be_too_wide() => "\\scriptsize \\setlength{\\tabcolsep}{2pt}",
        _ => "\\footnotesize \\setlength{\\tabcolsep}{3pt}",
    };
    let mut lines = vec![format!("  {size}")];
    if table.is_structured() {
        lines.push(
            "  \\sisetup{group-separator={,}, group-minimum-digits=4, retain-explicit-plus, detect-all}"
                .into(),
        );
    }
    lines
}

/// Returns the caption with its label; `None` for a table without words.
fn caption(table: &Table) -> Option<String> {
    let words = if table.paper.caption.is_empty() { &table.title } else { &table.paper.caption };
    let label = &table.paper.label;
    let label = if label.is_empty() { String::new() } else { format!("\\label{{{label}}}") };
    (!words.is_empty()).then(|| format!("\\caption{{{}.}}{label}", escape(words.trim_end_matches('.'))))
}

/// Returns the sentences below a table: what its signs mean, then its conditions unless they stand elsewhere.
fn notes(table: &Table) -> Vec<String> {
    let footnotes = table.footnotes.iter().enumerate().map(|(at, note)| format!("{} {note}", sign(at)));
    let conditions = match table.paper.conditions {
        Conditions::Note => conditions_of(table),
        Conditions::File => Vec::new(),
    };
    footnotes.chain(conditions).map(|note| format!("{}.", escape(&note))).collect()
}

/// Returns what must be known about a table: conditions, notes with cautions, definitions.
fn conditions_of(table: &Table) -> Vec<String> {
    let definitions = table.definitions.iter().map(|(name, what)| format!("{name}: {what}"));
    table.caption.iter().chain(&table.notes).cloned().chain(definitions).collect()
}
