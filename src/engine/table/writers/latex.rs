//! Tables in LaTeX: a float with a short caption, the table, and a note with its conditions.
//!
//! A narrow table of plain numbers needs `booktabs` only. A first line that begins with `% needs` names the packages of
//! any other table.

mod authored;
mod escape;
mod grid;
mod room;

use std::ops::Range;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::foreign::SafeText;
use batchlab_traces::sorted::SortedMap;

use self::authored::authored;
pub use self::authored::refused;
pub use self::escape::escape;
use self::grid::Grid;
use self::room::ColumnWidths;
use super::{Style, WriterSpec};
use crate::table::{Conditions, Float, Table, Venue, sign};

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
    let known = VENUES.iter().find(|venue| venue.class().ends_with(&format!("{{{class}}}")));
    let class = known.map_or_else(|| format!("{{{class}}}"), |venue| venue.class().to_owned());
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

/// Returns the conditions, notes and definitions of all tables that keep them out of their own notes; empty if there are none.
///
/// A sentence stands once, in a paragraph with the tables for which it holds; then the definitions.
pub fn notes_of(tables: &[Table]) -> SafeText {
    let tables: Vec<Table> = tables
        .iter()
        .filter(|table| table.paper.conditions == Conditions::File)
        .map(Table::for_readers)
        .collect();
    let mut text = String::new();
    let sentences = |table: &Table| -> Vec<String> {
        let width = room::width_of(table, float_of(table, &ColumnWidths::of(table)));
        let cut = below(table, width).cut;
        table.caption.iter().chain(&table.notes).chain(&cut).cloned().collect()
    };
    for (of, sentences) in by_tables(&tables, sentences) {
        let name = match &of[..] {
            all if all.len() == tables.len() && all.len() > 1 => "All tables".into(),
            several => several.iter().map(|&at| name(&tables[at])).collect::<Vec<_>>().join(", "),
        };
        text.extend(paragraph(&name, sentences.iter().map(|sentence| format!("{}.", escape(sentence)))));
    }
    let definitions = |table: &Table| {
        table.definitions.iter().map(|(name, what)| format!("{name}: {what}")).collect::<Vec<String>>()
    };
    let defined: Vec<String> =
        by_tables(&tables, definitions).into_iter().flat_map(|(_, definitions)| definitions).collect();
    if text.contains("\\batchlabtable") {
        text.insert_str(0, REFERENCE);
    }
    if !defined.is_empty() {
        text.extend(paragraph("Definitions", defined.iter().map(|words| format!("{}.", escape(words)))));
    }
    SafeText::of(&text)
}

/// How notes refer to a table: by its number, or by its name if the paper does not have it.
const REFERENCE: &str = "\\DeclareRobustCommand{\\batchlabtable}[2]{\\ifcsname r@#1\\endcsname Table~\\ref{#1}\\else table \
                         \\texttt{#2}\\fi}\n";

/// The classes whose documents have options.
const VENUES: [Venue; 3] = [Venue::Ieee, Venue::Acm, Venue::Llncs];

/// Returns a paragraph with its head.
fn paragraph(head: &str, sentences: impl Iterator<Item = String>) -> Vec<String> {
    let head = format!("\\paragraph{{{head}}}\n");
    let lines = sentences.map(|sentence| sentence + "\n");
    [head].into_iter().chain(lines).chain(["\n".into()]).collect()
}

/// Returns how a paper refers to a table.
fn name(table: &Table) -> String {
    match table.paper.label.as_str() {
        "" => escape(&table.title),
        label => {
            format!("\\batchlabtable{{{label}}}{{{}}}", escape(label.trim_start_matches("tab:")))
        }
    }
}

/// Returns sentences, each once, by the tables that have them: what most tables share comes first. O(n log n).
fn by_tables(tables: &[Table], sentences: impl Fn(&Table) -> Vec<String>) -> Vec<(Vec<usize>, Vec<String>)> {
    let (mut order, mut holders) = (Vec::new(), SortedMap::<String, Vec<usize>>::new());
    for (at, table) in tables.iter().enumerate() {
        for sentence in sentences(table) {
            let of = holders.entry(sentence.clone()).or_default();
            if of.is_empty() {
                order.push(sentence);
            }
            if of.last() != Some(&at) {
                of.push(at);
            }
        }
    }
    let mut groups: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
    for sentence in order {
        let of = &holders[&sentence];
        match groups.iter_mut().find(|(known, _)| known == of) {
            Some((_, sentences)) => sentences.push(sentence),
            None => groups.push((of.clone(), vec![sentence])),
        }
    }
    groups.arrange_by_key(|(of, _)| std::cmp::Reverse(of.len()));
    groups
}

fn write(table: &Table, style: &Style) -> SafeText {
    let table = &table.for_readers();
    let room = ColumnWidths::of(table);
    let float = float_of(table, &room);
    let grid = Grid::new(table, style, &room, float);
    let mut lines: Vec<String> = packages(table, &grid, float).into_iter().collect();
    lines.extend(room.shrinks_to(float).map(|share| {
        format!(
            "% shrinks to about {:.0} % of its size: fewer `cells`, `metrics` or `columns` keep it legible",
            share * 100.0
        )
    }));
    match float {
        Float::Column | Float::Page => lines.extend(floating(table, &grid, float)),
        Float::Long if grid.may_be_too_wide() => lines.extend(parts(table, &grid, &room)),
        Float::Long => lines.extend(long(table, &grid)),
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
fn packages(table: &Table, grid: &Grid<'_>, float: Float) -> Option<String> {
    let mut packages = vec!["booktabs"];
    packages.extend(grid.has_paragraphs().then_some("array"));
    packages.extend((float == Float::Long && !grid.may_be_too_wide()).then_some("longtable"));
    packages.extend(grid.may_be_too_wide().then_some("graphicx"));
    packages.extend(table.is_structured().then_some(["multirow", "siunitx"]).into_iter().flatten());
    packages.sort_unstable();
    (packages.len() > 1).then(|| format!("% needs \\usepackage{{{}}}", packages.join(", ")))
}

fn floating(table: &Table, grid: &Grid<'_>, float: Float) -> Vec<String> {
    let star = if float == Float::Page { "*" } else { "" };
    let mut lines = vec![format!("\\begin{{table{star}}}"), "  \\centering".into()];
    lines.extend(caption(table).map(|caption| format!("  {caption}")));
    lines.extend(settings(table));
    lines.extend(within_line(grid, 0..table.rows.len()));
    lines.extend(notes(table, room::width_of(table, float)));
    lines.push(format!("\\end{{table{star}}}"));
    lines
}

/// Returns rows as a `tabular`, which shrinks to the line if it is wider.
fn within_line(grid: &Grid<'_>, rows: Range<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    if grid.may_be_too_wide() {
        lines.push("  \\setbox0=\\hbox{%".into());
        lines.extend(grid.tabular(rows));
        lines.push("  }%".into());
        lines.push("  \\ifdim\\wd0>\\linewidth \\resizebox{\\linewidth}{!}{\\box0}\\else \\box0\\fi".into());
    } else if grid.has_columns() {
        lines.extend(grid.tabular(rows));
    }
    lines
}

/// Returns a table that is longer than a page and may be wider than the line, as floats with one number: a `longtable` cannot
/// shrink. Their rows are split where a group begins, if possible.
fn parts(table: &Table, grid: &Grid<'_>, room: &ColumnWidths) -> Vec<String> {
    let star = if room.least_float() == Float::Column { "" } else { "*" };
    let breaks = table.breaks();
    let (mut lines, mut from) = (Vec::new(), 0);
    while from < table.rows.len() {
        let most = (from + MOST_ROWS_OF_A_FLOAT).min(table.rows.len());
        let at_break = breaks.iter().copied().rfind(|at| (from + 1..=most).contains(at));
        let to = if most == table.rows.len() { most } else { at_break.unwrap_or(most) };
        lines.extend([format!("\\begin{{table{star}}}"), "  \\centering".into()]);
        lines.extend(match from {
            0 => caption(table).map(|caption| format!("  {caption}")),
            _ => Some("  \\addtocounter{table}{-1}\\caption{(continued)}".into()),
        });
        lines.extend(settings(table));
        lines.extend(within_line(grid, from..to));
        if to == table.rows.len() {
            lines.extend(notes(table, room::width_of(table, Float::Long)));
        }
        lines.push(format!("\\end{{table{star}}}"));
        from = to;
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
    lines.extend(settings(table));
    lines.extend(grid.longtable(caption(table)));
    lines.extend(notes(table, room::width_of(table, Float::Long)));
    lines.extend(["\\endgroup".into(), "\\batchlabcolumns".into()]);
    lines
}

/// Returns the settings of the float: font size, distance of columns, form of numbers.
fn settings(table: &Table) -> Vec<String> {
    let mut lines = vec!["  \\footnotesize \\setlength{\\tabcolsep}{3pt}".to_owned()];
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
    let text = if table.paper.is_latex { authored(words) } else { escape(words) };
    (!words.is_empty()).then(|| format!("\\caption{{{}.}}{label}", text.trim_end_matches('.')))
}

/// What stands below a table, and the full text of signs that are cut there.
struct Below {
    lines: Vec<String>,
    cut: Vec<String>,
}

/// The most lines below a table that keeps its conditions in a file.
const MOST_LINES: f64 = 3.0;
/// The mean width of a character of the notes, in points: Computer Modern of 7 pt.
const NOTE_CHARACTER: f64 = 3.7;

/// Returns the sentences below a table of a width in points: what its signs mean, then its conditions unless they stand in a
/// file. With them in a file, meanings are cut to their first clause if all of them need more than three lines.
fn below(table: &Table, width: f64) -> Below {
    let signed = |at: usize, note: &str| format!("{} {note}", sign(at));
    let signs = table.footnotes.iter().enumerate();
    if table.paper.conditions == Conditions::Note {
        let all = signs.map(|(at, note)| format!("{}.", signed(at, note)));
        let conditions = conditions_of(table).into_iter().map(|note| format!("{note}."));
        return Below { lines: all.chain(conditions).collect(), cut: Vec::new() };
    }
    let joined = |notes: &[String]| {
        let words: Vec<String> = notes.iter().enumerate().map(|(at, note)| signed(at, note)).collect();
        format!("{}.", words.join("; "))
    };
    let is_short = |text: &str| text.chars().count() as f64 * NOTE_CHARACTER <= MOST_LINES * width;
    let short: Vec<String> = table.footnotes.iter().map(|note| first_clause(note).to_owned()).collect();
    let line = Some(joined(&table.footnotes)).filter(|line| is_short(line));
    let cut = if line.is_some() { Vec::new() } else { table.footnotes.clone() };
    let lines = (!short.is_empty()).then(|| line.unwrap_or_else(|| joined(&short)));
    Below { lines: lines.into_iter().collect(), cut }
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
    let definitions = table.definitions.iter().map(|(name, what)| format!("{name}: {what}"));
    table.caption.iter().chain(&table.notes).cloned().chain(definitions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(label: &str, caption: &[&str], definitions: &[(&str, &str)]) -> Table {
        let owned = |(name, what): &(&str, &str)| ((*name).to_owned(), (*what).to_owned());
        let mut table = Table {
            title: label.into(),
            caption: caption.iter().map(ToString::to_string).collect(),
            definitions: definitions.iter().map(owned).collect(),
            ..Table::default()
        };
        table.paper.label = label.into();
        table.paper.conditions = Conditions::File;
        table
    }

    #[test]
    fn what_tables_share_stands_once_with_their_numbers() {
        let tables = [
            table("tab:a", &["64 processors", "means over units"], &[("wait", "start - submit")]),
            table("tab:b", &["64 processors"], &[("wait", "start - submit")]),
            table("tab:c", &["64 processors", "means over units"], &[]),
        ];
        let expected = "\\paragraph{All tables}\n64 processors.\n\n\
                        \\paragraph{\\batchlabtable{tab:a}{a}, \\batchlabtable{tab:c}{c}}\nmeans over units.\n\n\
                        \\paragraph{Definitions}\nwait: start - submit.\n\n";
        assert_eq!(*notes_of(&tables), format!("{REFERENCE}{expected}"));
        assert_eq!(*notes_of(&[]), *"");
    }

    #[test]
    fn below_a_table_are_three_lines_at_most() {
        let mut table = table("tab:a", &["64 processors"], &[]);
        table.footnotes = vec!["no interval: the values do not vary".into()];
        let lines = |table: &Table| below(table, 252.0).lines;
        assert_eq!(lines(&table), ["\u{2020} no interval: the values do not vary."]);
        table.footnotes.push("saturated: ".to_owned() + &"its mean grows ".repeat(20));
        assert_eq!(lines(&table), ["\u{2020} no interval; \u{2021} saturated."]);
        assert_eq!(below(&table, 252.0).cut.len(), 2, "the full text stands in the file");
    }
}
