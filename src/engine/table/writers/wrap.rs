//! Breaks text into lines.

/// Breaks text at spaces into lines of at most `width` characters; a longer word gets its own line. Lines
/// after the first are indented.
pub fn wrap(text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("{indent}{word}")),
            None => lines.push(word.into()),
        }
    }
    lines
}

/// Breaks a label such as a policy spec into lines of at most `width` characters, after commas if possible.
pub fn wrap_label(label: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line: Vec<char> = Vec::new();
    for character in label.chars() {
        if line.len() == width {
            let is_stop = |character: &char| matches!(character, ',' | ' ' | ':');
            let keep = line.iter().rposition(is_stop).map_or(width, |at| at + 1);
            let rest = line.split_off(keep);
            lines.push(String::from_iter(line).trim_end().to_string());
            line = rest;
        }
        line.push(character);
    }
    lines.push(String::from_iter(line));
    lines
}

/// Returns the number of characters.
pub fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_breaks_at_blanks() {
        assert_eq!(wrap("one two three", 7, "  "), ["one two", "  three"]);
        assert_eq!(wrap("incomprehensible", 7, ""), ["incomprehensible"]);
    }

    #[test]
    fn labels_break_after_commas() {
        let spec = "easy:candidates=sjf,predictor=last2,corrector=increment";
        assert_eq!(wrap_label(spec, 22), ["easy:candidates=sjf,", "predictor=last2,", "corrector=increment"]);
        assert_eq!(wrap_label("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap_label("easy", 22), ["easy"]);
    }
}
