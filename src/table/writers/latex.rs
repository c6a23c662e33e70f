//! Tables in LaTeX: a `table` environment.
//!
//! A table of plain numbers needs only `\usepackage{booktabs}`; one with groups, intervals or marks also
//! needs multirow and siunitx, and says so in its first line.

mod escape;
mod grid;

use self::escape::escape;
use self::grid::grid;
use super::{Style, WriterSpec};
use crate::table::Table;
use crate::table::sign;

/// A booktabs table with the conditions as its caption.
pub const SPEC: WriterSpec = WriterSpec {
    name: "latex",
    for_programs: false,
    ending: "tex",
    summary: "a booktabs table for a paper, the best values bold",
    write,
};

/// Returns all characters that are escaped or replaced, as one text: a test compiles it.
pub fn signs() -> String {
    let separated = |(sign, _): &(char, &str)| [*sign, ' '];
    escape::SIGNS.iter().flat_map(separated).collect()
}

/// Returns a complete document with a table, ready to compile.
pub fn document(table: &Table, style: &Style) -> String {
    let preamble = [
        "\\documentclass{article}",
        "\\usepackage[T1]{fontenc}",
        "\\usepackage[utf8]{inputenc}",
        "\\usepackage[margin=1cm,landscape]{geometry}",
        "\\usepackage{booktabs, multirow, siunitx}",
        "\\begin{document}",
    ];
    format!("{}\n{}\\end{{document}}\n", preamble.join("\n"), write(table, style))
}

fn write(table: &Table, style: &Style) -> String {
    let table = &table.for_readers();
    let mut lines = vec!["\\begin{table}".to_string(), "  \\centering".into()];
    if table.is_structured() {
        lines.insert(0, "% needs \\usepackage{booktabs, multirow, siunitx}".into());
        lines.push(
            "  \\sisetup{group-separator={,}, group-minimum-digits=4, retain-explicit-plus, detect-all}"
                .into(),
        );
    }
    let caption: Vec<String> = std::iter::once(&table.title)
        .chain(&table.caption)
        .filter(|line| !line.is_empty())
        .map(|line| format!("{}.", escape(line)))
        .collect();
    if !caption.is_empty() {
        lines.push(format!("  \\caption{{{}}}", caption.join("\n    ")));
    }
    if !table.columns.is_empty() {
        lines.extend(grid(table, style));
    }
    let definitions = table.definitions.iter().map(|(name, what)| format!("{name}: {what}"));
    let footnotes = table.footnotes.iter().enumerate().map(|(at, note)| format!("{} {note}", sign(at)));
    let notes: Vec<String> = table
        .notes
        .iter()
        .cloned()
        .chain(footnotes)
        .chain(definitions)
        .map(|note| format!("{}.", escape(&note)))
        .collect();
    if !notes.is_empty() {
        lines.push("  \\par\\smallskip\\footnotesize\\raggedright".into());
        lines.extend(notes.iter().map(|note| format!("  {note}")));
    }
    lines.push("\\end{table}".into());
    lines.join("\n") + "\n"
}
