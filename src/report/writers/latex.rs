//! Tables in LaTeX: a `table` environment.
//!
//! One of plain numbers needs nothing but `\usepackage{booktabs}`; one with groups, intervals or marks needs multirow and
//! siunitx too, and says so in its first line.

mod grid;

use self::grid::grid;
use super::{Style, WriterSpec};
use crate::report::Table;
use crate::report::table::sign;

/// A booktabs table with the conditions as its caption.
pub const SPEC: WriterSpec = WriterSpec {
    name: "latex",
    ending: "tex",
    summary: "a booktabs table for a paper, the best values bold",
    write,
};

/// Returns a whole document around a table: it compiles as it is.
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

/// Escapes what LaTeX would read as a command, and writes signs outside of Latin letters as commands.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            // A bracket at the beginning of a line would be read as the option of the `\\` before it.
            '[' => escaped.push_str("{[}"),
            ']' => escaped.push_str("{]}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '"' => escaped.push_str("''"),
            '*' => escaped.push_str("$\\ast$"),
            '\u{d7}' => escaped.push_str("$\\times$"),
            '\u{b2}' => escaped.push_str("$^2$"),
            '\u{3c4}' => escaped.push_str("$\\tau$"),
            '\u{3a6}' => escaped.push_str("$\\Phi$"),
            '\u{2020}' => escaped.push_str("$\\dagger$"),
            '\u{2021}' => escaped.push_str("$\\ddagger$"),
            '\u{a7}' => escaped.push_str("\\S{}"),
            '\u{b6}' => escaped.push_str("\\P{}"),
            '\u{b1}' => escaped.push_str("$\\pm$"),
            '\u{2212}' => escaped.push_str("$-$"),
            '\u{3b1}' => escaped.push_str("$\\alpha$"),
            '\u{2264}' => escaped.push_str("$\\leq$"),
            '\u{2265}' => escaped.push_str("$\\geq$"),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_latex_are_text() {
        assert_eq!(
            escape("50% of a_b & {c} \\ ~^"),
            "50\\% of a\\_b \\& \\{c\\} \\textbackslash{} \\textasciitilde{}\\textasciicircum{}"
        );
        assert_eq!(escape("τ ≤ 10 × Φ"), "$\\tau$ $\\leq$ 10 $\\times$ $\\Phi$");
    }
}
