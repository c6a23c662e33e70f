//! LaTeX as an author wrote it, such as a caption with formulas.

use super::escape::escape;

/// Returns a text with its commands and formulas; signs that would break the document are escaped: `%`, `#` and `&`
/// anywhere, `_` and `^` outside of formulas. A text whose braces or `$` do not match is plain text.
pub fn authored(text: &str) -> String {
    if !is_matched(text) {
        return escape(text);
    }
    let (mut written, mut in_formula, mut characters) = (String::new(), false, text.chars().peekable());
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                written.push('\\');
                written.extend(characters.next_if(char::is_ascii));
            }
            '$' => {
                in_formula = !in_formula;
                written.push('$');
            }
            '%' | '#' | '&' => written.extend(['\\', character]),
            '_' | '^' if !in_formula => written.push_str(&escape(&character.to_string())),
            ' '..='~' => written.push(character),
            _ if in_formula => written.push_str(escape(&character.to_string()).trim_matches('$')),
            _ => written.push_str(&escape(&character.to_string())),
        }
    }
    written
}

/// Whether braces and `$` match, and the text does not end within a command.
fn is_matched(text: &str) -> bool {
    let (mut depth, mut dollars, mut characters) = (0_i64, 0_usize, text.chars());
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.next().is_none() => return false,
            '$' => dollars += 1,
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && dollars.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_and_commands_are_kept() {
        for (text, written) in [
            ("the $p$-values of \\emph{all} tests", "the $p$-values of \\emph{all} tests"),
            ("$p_{adj} < 0.05$ in 50 % of a_b & c", "$p_{adj} < 0.05$ in 50 \\% of a\\_b \\& c"),
            ("50\\% of \u{3c4}", "50\\% of $\\tau$"),
            ("$\u{3c4} = 10$", "$\\tau = 10$"),
        ] {
            assert_eq!(authored(text), written);
        }
    }

    #[test]
    fn what_does_not_match_is_plain_text() {
        for text in ["costs 5 $", "a } b {", "ends in \\"] {
            assert_eq!(authored(text), escape(text));
        }
    }
}
