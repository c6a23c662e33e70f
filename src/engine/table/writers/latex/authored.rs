//! LaTeX as an author wrote it, such as a caption with formulas.

use super::escape::escape;

/// The commands that a caption may have: those of formatting, references, units and formulas. None of them reads or writes a
/// file, defines or calls another command by its name, or runs for ever.
const COMMANDS: &str = include_str!("commands.txt");

/// The environments that a caption may have.
const ENVIRONMENTS: &str = "array matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases aligned alignedat gathered \
    split tabular center math small";

/// Returns the first command that an author's text may not have. Readers of a folder of results compile its captions, and LaTeX
/// could read and write files of theirs. A text that is escaped as a whole has no commands.
pub fn refused(text: &str) -> Option<String> {
    if !is_matched(text) {
        return None;
    }
    // TeX reads `^^5c` as a backslash.
    if text.contains("^^") {
        return Some("^^".into());
    }
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('\\') {
        let name = after
            .split(|letter: char| !letter.is_ascii_alphabetic() && letter != '@')
            .next()
            .unwrap_or_default();
        let sign = after.chars().next().map_or(0, char::len_utf8);
        rest = &after[name.len().max(sign)..];
        let is_known = match name {
            "" | "@" => true,
            "begin" | "end" => ENVIRONMENTS.split(' ').any(|of| rest.starts_with(&format!("{{{of}}}"))),
            name => COMMANDS.split_ascii_whitespace().any(|known| known == name),
        };
        if !is_known {
            let of =
                rest.split_once('}').filter(|_| matches!(name, "begin" | "end")).map_or("", |(of, _)| of);
            let end = if of.is_empty() { "" } else { "}" };
            return Some(format!("\\{name}{of}{end}"));
        }
    }
    None
}

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
    fn commands_of_formatting_and_formulas_stay_and_no_others() {
        for text in [
            "\\emph{a} \\textbf{b} $\\frac{1}{2} \\leq \\mathcal{O}(n^2)$ \\cite{a}, \\SI{5}{\\hour}\\,\\% \\'e \\\\input",
            "$\\begin{cases} 1 \\\\ 2 \\end{cases}$",
            "an open brace { and \\input",
            "no command at all, a^b",
        ] {
            assert_eq!(refused(text), None, "{text}");
        }
        for (text, word) in [
            ("\\input{/etc/hostname}", "\\input"),
            ("\\emph{\\immediate\\write18{ls}}", "\\immediate"),
            ("$\\csname input\\endcsname{a}$", "\\csname"),
            ("$^^5cinput{a}$", "^^"),
            ("\\%\\def\\a{b}", "\\def"),
            ("\\\\\\include{a}", "\\include"),
            ("\\begin{filecontents}{a}x\\end{filecontents}", "\\begin{filecontents}"),
            ("\\makeatletter\\@@input a", "\\makeatletter"),
            ("\\@@input a", "\\@@input"),
            ("\\emphx", "\\emphx"),
        ] {
            assert_eq!(refused(text).as_deref(), Some(word), "{text}");
        }
    }

    #[test]
    fn what_does_not_match_is_plain_text() {
        for text in ["costs 5 $", "a } b {", "ends in \\"] {
            assert_eq!(authored(text), escape(text));
        }
    }
}
