//! Tables in LaTeX: a `table` environment that needs nothing but `\usepackage{booktabs}`.

use super::{Style, WriterSpec};
use crate::report::Table;
use crate::report::table::{Align, Column, Printed};

/// A booktabs table with the conditions as its caption.
pub const SPEC: WriterSpec =
    WriterSpec { name: "latex", summary: "a booktabs table for a paper, the best values bold", write };

fn write(table: &Table, style: &Style) -> String {
    let mut lines = vec!["\\begin{table}".to_string(), "  \\centering".into()];
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
    let notes: Vec<String> =
        table.notes.iter().cloned().chain(definitions).map(|note| format!("{}.", escape(&note))).collect();
    if !notes.is_empty() {
        lines.push("  \\par\\smallskip\\footnotesize\\raggedright".into());
        lines.extend(notes.iter().map(|note| format!("  {note}")));
    }
    lines.push("\\end{table}".into());
    lines.join("\n") + "\n"
}

fn grid(table: &Table, style: &Style) -> Vec<String> {
    let letters: String = table.columns.iter().map(|column| letter(column.align)).collect();
    let mut lines = vec![format!("  \\begin{{tabular}}{{{letters}}}"), "    \\toprule".into()];
    lines.extend(headings(&table.columns));
    lines.push("    \\midrule".into());
    for row in table.printed() {
        lines.push(line(row.iter().map(|cell| text(cell, style))));
    }
    lines.push("    \\bottomrule".into());
    lines.push("  \\end{tabular}".into());
    lines
}

/// Returns the stacked headings, a line of the table each, the last words on the lowest.
fn headings(columns: &[Column]) -> Vec<String> {
    let stacks: Vec<Vec<String>> = columns.iter().map(Column::stacked).collect();
    let height = stacks.iter().map(Vec::len).max().unwrap_or(0);
    let word = |stack: &Vec<String>, level: usize| {
        let above = height - stack.len();
        level.checked_sub(above).map(|at| escape(&stack[at])).unwrap_or_default()
    };
    (0..height).map(|level| line(stacks.iter().map(|stack| word(stack, level)))).collect()
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("    {} \\\\", cells.collect::<Vec<_>>().join(" & "))
}

fn letter(align: Align) -> char {
    match align {
        Align::Left => 'l',
        Align::Right => 'r',
    }
}

fn text(cell: &Printed, style: &Style) -> String {
    let escaped = match cell.text.strip_prefix('-') {
        Some(digits) if digits.starts_with(|first: char| first.is_ascii_digit()) => format!("$-${digits}"),
        _ => escape(&cell.text),
    };
    match escaped {
        text if text.is_empty() => "--".into(),
        text if cell.best && style.mark_best => format!("\\textbf{{{text}}}"),
        text => text,
    }
}

/// Escapes what LaTeX would read as a command, and writes signs outside of Latin letters as commands.
fn escape(text: &str) -> String {
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

    #[test]
    fn a_negative_number_has_a_minus_sign() {
        let cell = |text: &str| Printed { text: text.into(), best: false };
        assert_eq!(text(&cell("-1,234.5"), &Style::default()), "$-$1,234.5");
        assert_eq!(text(&cell(""), &Style::default()), "--");
    }
}
