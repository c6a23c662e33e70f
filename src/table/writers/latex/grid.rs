//! The `tabular` of a table.

use super::escape::escape;
use crate::table::Table;
use crate::table::writers::Style;
use crate::table::{Align, Column, Printed, spans};

/// Returns the lines of the environment.
pub fn grid(table: &Table, style: &Style) -> Vec<String> {
    let letters: String = table.columns.iter().map(|column| letter(column.align)).collect();
    let mut lines = vec![format!("  \\begin{{tabular}}{{{letters}}}"), "    \\toprule".into()];
    lines.extend(groups(&table.columns));
    lines.extend(headings(&table.columns));
    lines.push("    \\midrule".into());
    let breaks = table.breaks();
    let text = if table.is_structured() { structured } else { plain };
    for (row, cells) in table.printed().iter().enumerate() {
        if breaks.contains(&row) {
            lines.push("    \\midrule".into());
        }
        lines.push(line(cells.iter().zip(&table.columns).map(|(cell, column)| text(cell, column, style))));
    }
    lines.push("    \\bottomrule".into());
    lines.push("  \\end{tabular}".into());
    lines
}

/// Returns the headings that span columns, each level followed by its rules.
fn groups(columns: &[Column]) -> Vec<String> {
    let mut lines = Vec::new();
    for level in spans(columns) {
        let cell = |words: &str, width: usize| format!("\\multicolumn{{{width}}}{{c}}{{{}}}", escape(words));
        lines.push(line(level.iter().map(|span| cell(&span.words, span.width))));
        let named = level.iter().filter(|span| !span.words.is_empty());
        let rules = named
            .map(|span| format!("\\cmidrule(lr){{{}-{}}}", span.from + 1, span.from + span.width))
            .collect::<Vec<_>>();
        lines.push(format!("    {}", rules.join(" ")));
    }
    lines
}

/// Returns the stacked headings, one table line for each level, with the lowest words on the last line.
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

/// Returns the text of a cell that needs no package.
fn plain(cell: &Printed, _column: &Column, style: &Style) -> String {
    let escaped = match cell.text.strip_prefix('-') {
        Some(digits) if digits.starts_with(|first: char| first.is_ascii_digit()) => format!("$-${digits}"),
        _ => escape(&cell.text),
    };
    bold(escaped, cell, style)
}

/// Returns the text of a cell with siunitx numbers, multirow labels, and footnote signs of zero width, so
/// that numbers stay aligned.
fn structured(cell: &Printed, column: &Column, style: &Style) -> String {
    if cell.rows == 0 {
        return String::new();
    }
    let text = match (column.align, cell.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'))) {
        (Align::Right, Some(ends)) => {
            let ends: Vec<String> = ends.split(", ").map(number).collect();
            format!("{{[}}{}{{]}}", ends.join(", "))
        }
        (Align::Right, None) => number(&cell.text),
        (Align::Left, _) => escape(&cell.text),
    };
    let text = bold(text, cell, style);
    let text = if cell.rows > 1 { format!("\\multirow{{{}}}{{*}}{{{text}}}", cell.rows) } else { text };
    if cell.signs.is_empty() {
        text
    } else {
        format!("{text}\\rlap{{\\textsuperscript{{{}}}}}", escape(&cell.signs.join(",")))
    }
}

/// Returns a number for siunitx; anything else as text.
fn number(text: &str) -> String {
    let plain = text.replace(',', "");
    let is_number = plain.trim_start_matches('<').parse::<f64>().is_ok_and(f64::is_finite);
    if is_number { format!("\\num{{{plain}}}") } else { escape(text) }
}

fn bold(text: String, cell: &Printed, style: &Style) -> String {
    match text {
        text if text.is_empty() => "--".into(),
        text if cell.best && style.mark_best => format!("\\textbf{{{text}}}"),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_number_has_a_minus_sign() {
        let text = |text: &str| {
            let cell = Printed { text: text.into(), ..Printed::default() };
            plain(&cell, &Column::text("x"), &Style::default())
        };
        assert_eq!(text("-1,234.5"), "$-$1,234.5");
        assert_eq!(text(""), "--");
    }

    #[test]
    fn numbers_are_those_of_siunitx_and_words_are_not() {
        assert_eq!(
            ["-1,234.5", "<0.001", "+3"].map(number),
            ["\\num{-1234.5}", "\\num{<0.001}", "\\num{+3}"]
        );
        assert_eq!(["better", "inf"].map(number), ["better", "inf"]);
    }
}
