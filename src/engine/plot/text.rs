//! Estimates the width of a text: a plot cannot know the reader's fonts.

/// Factor by which substitutes for Helvetica (`DejaVu Sans`) are wider.
const SLACK: f64 = 1.14;

/// Returns an upper estimate of a text's width in pixels at a font size, from the widths of Helvetica's
/// letters in groups. O(letters).
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(letter).sum::<f64>() * size * SLACK
}

/// Returns the text, shortened with an ellipsis if it is wider than `room`.
pub fn fit(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.into();
    }
    let (mut cut, mut taken) = (String::new(), width("…", size));
    for character in text.chars() {
        taken += letter(character) * size * SLACK;
        if taken > room {
            break;
        }
        cut.push(character);
    }
    cut.trim_end().to_owned() + "…"
}

/// Returns the text in at most `most` lines that are no wider than `room`. What does not fit is cut; a unit in parentheses at
/// the end is kept. O(letters · words).
pub fn lines(text: &str, room: f64, size: f64, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let (count, last) = (lines.len(), lines.last_mut());
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line)
                if count == most || width(line, size) + width(word, size) + width(" ", size) <= room =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines.iter().map(|line| fit_before_unit(line, room, size)).collect()
}

/// Returns the text, shortened in front of a unit in parentheses at its end if it is wider than `room`.
fn fit_before_unit(text: &str, room: f64, size: f64) -> String {
    match text.rfind(" (").filter(|_| text.ends_with(')')).map(|at| text.split_at(at)) {
        Some((words, unit)) if width(text, size) > room && width(unit, size) < room / 2.0 => {
            fit(words, room - width(unit, size), size) + unit
        }
        _ => fit(text, room, size),
    }
}

/// Returns the advance width of a character at font size 1.
fn letter(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' | '|' => 0.22,
        ' ' | '.' | ',' | ':' | ';' | '!' | '/' | 't' | 'f' | 'I' | '[' | ']' => 0.28,
        '(' | ')' | '-' | 'r' | '"' | '`' => 0.33,
        'm' | 'M' | '%' => 0.86,
        'W' | '@' => 0.97,
        'w' | '…' => 0.74,
        'G' | 'O' | 'Q' => 0.78,
        'A'..='Z' | '&' => 0.68,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' => 0.5,
        '+' | '=' | '<' | '>' | '~' | '×' | '±' | '≤' | '≥' => 0.58,
        _ if character.is_ascii() => 0.56,
        // Characters of wide scripts take a whole square; others are mostly narrower.
        '\u{1100}'.. => 1.0,
        _ => 0.56,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_is_cut_off() {
        assert_eq!(fit("EASY", 40.0, 10.0), "EASY");
        let cut = fit("conservative with compression", 60.0, 10.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 60.0, "{cut}");
        assert_eq!(fit("anything", 0.0, 10.0), "…");
        // 4 digits of 5.6 pixels.
        assert!((width("1024", 10.0) - 22.4 * SLACK).abs() < 1e-9);
    }
    #[test]
    fn long_labels_stand_in_lines_and_keep_their_unit() {
        let label = "gain in mean bounded slowdown over EASY (%)";
        assert_eq!(lines(label, 400.0, 10.0, 2), [label]);
        assert_eq!(lines(label, 150.0, 10.0, 2), ["gain in mean bounded", "slowdown over EASY (%)"]);
        assert_eq!(lines(label, 100.0, 10.0, 2), ["gain in mean", "bounded slow… (%)"]);
        assert_eq!(lines("", 100.0, 10.0, 2), [""]);
    }
}
