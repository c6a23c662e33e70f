//! Tables in GitHub's Markdown.

use batchlab_traces::foreign::SafeText;

use super::{Style, WriterSpec};
use crate::table::{Align, Printed, Table};

/// A pipe table with the conditions above it and notes below.
pub const SPEC: WriterSpec = WriterSpec {
    name: "markdown",
    for_programs: false,
    ending: "md",
    summary: "a pipe table for READMEs and issues",
    write,
};

fn write(table: &Table, _style: &Style) -> SafeText {
    let table = &table.for_readers();
    let mut blocks = Vec::new();
    if !table.title.is_empty() {
        blocks.push(format!("**{}**", escape(&table.title)));
    }
    if !table.caption.is_empty() {
        blocks.push(table.conditions().iter().map(|line| escape_line(line)).collect::<Vec<_>>().join("  \n"));
    }
    if !table.columns.is_empty() {
        blocks.push(grid(table));
    }
    let notes = table.notes.iter().map(|note| format!("- {}", escape_line(&note.to_string())));
    let definitions = table
        .definitions
        .iter()
        .map(|(name, what)| format!("- {}: {}", escape_line(name), escape(&what.text)));
    let footnotes = table.signed_footnotes().map(|(sign, note)| format!("- {sign} {}", escape(note)));
    let list: Vec<String> = notes.chain(footnotes).chain(definitions).collect();
    if !list.is_empty() {
        blocks.push(list.join("\n"));
    }
    SafeText::of(&(blocks.join("\n\n") + "\n"))
}

fn grid(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let headings = table.columns.iter().map(|column| escape(&column.full_heading()));
    let rules = table.columns.iter().map(|column| match column.align {
        Align::Left => ":---".to_string(),
        Align::Right => "---:".to_string(),
    });
    let mut lines = vec![line(headings.collect()), line(rules.collect())];
    for (row, cells) in table.printed().iter().enumerate() {
        let is_best = |at| table.marks.get(&(row, at)).is_some_and(|mark| mark.best);
        let texts = cells.iter().enumerate().map(|(at, cell)| text(cell, is_best(at)));
        lines.push(line(texts.collect()));
    }
    lines.join("\n")
}

fn text(cell: &Printed, is_best: bool) -> String {
    match escape(&cell.text) {
        _ if cell.rows == 0 => String::new(),
        text if text.is_empty() => format!("- {}", cell.signs.join(",")).trim_end().to_string(),
        text if is_best => format!("**{text}** {}", cell.signs.join(",")).trim_end().to_string(),
        text => format!("{text} {}", cell.signs.join(",")).trim_end().to_string(),
    }
}

/// Escapes what Markdown would read as markup within a line: emphasis, code, HTML, links, images, entities, the end of
/// a cell. Control characters become blanks, so that the text stays in its line.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let next = rest.peek().copied();
        let is_markup = match character {
            '|' | '*' | '_' | '`' | '<' | '~' | '\\' => true,
            // Without its closing bracket before the address, nothing is a link or an image.
            ']' => matches!(next, Some('(' | '[' | ':')),
            '&' => next.is_some_and(|next| next == '#' || next.is_ascii_alphabetic()),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    escaped
}

/// Escapes a text that begins a line, a paragraph or an item of a list: in addition to [`escape`], what Markdown would
/// read there as a heading, a quote, a list or a rule.
pub fn escape_line(text: &str) -> String {
    let text = escape(text.trim());
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = text[digits..].chars();
    let (first, second) = (rest.next(), rest.next());
    let is_marker = match first {
        Some('#' | '>' | '=') => digits == 0,
        Some('-' | '+') => digits == 0 && !second.is_some_and(|second| second.is_ascii_digit()),
        Some('.' | ')') => digits > 0 && second.is_none_or(char::is_whitespace),
        _ => false,
    };
    if is_marker { format!("{}\\{}", &text[..digits], &text[digits..]) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_no_markup() {
        assert_eq!(escape("[j](javascript:alert(2))"), r"[j\](javascript:alert(2))");
        assert_eq!(escape("![i](http://x/y.png) [a]: b [a][b]"), r"![i\](http://x/y.png) [a\]: b [a\][b]");
        assert_eq!(escape("<img src=x onerror=alert(1)>"), r"\<img src=x onerror=alert(1)>");
        assert_eq!(escape("a|b `c` &#60;b&gt; R&D ~~x~~"), r"a\|b \`c\` \&#60;b\&gt; R\&D \~\~x\~\~");
        assert_eq!(escape("one\n# two\r\u{b}three"), "one # two  three");
        assert_eq!(escape("41.3 [40.1, 42.5] & more"), "41.3 [40.1, 42.5] & more");
    }

    #[test]
    fn foreign_lines_are_no_blocks() {
        let lines = [
            ("# h", r"\# h"),
            ("  > q", r"\> q"),
            ("- i", r"\- i"),
            ("---", r"\---"),
            ("===", r"\==="),
            ("12. i", r"12\. i"),
            ("3) i", r"3\) i"),
            ("12.5 s", "12.5 s"),
            ("-5 %", "-5 %"),
            ("1998", "1998"),
            ("EASY #1", "EASY #1"),
        ];
        for (line, expected) in lines {
            assert_eq!(escape_line(line), expected);
        }
    }
}
