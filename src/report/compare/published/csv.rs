//! Records of a CSV file (RFC 4180).

/// Returns the fields of each record with the line that it begins in, from 1; blank lines are none. O(n).
///
/// A quotation mark that is never closed ends with the text.
pub fn records(text: &str) -> Vec<(u32, Vec<String>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = Vec::new();
    let (mut line, mut begin) = (1, 1);
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let field = fields.len() - 1;
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => fields[field].push('"'),
            '"' if is_quoted || fields[field].is_empty() => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            '\r' if !is_quoted => {}
            '\n' => {
                line += 1;
                if is_quoted {
                    fields[field].push('\n');
                } else {
                    records.push((begin, std::mem::replace(&mut fields, vec![String::new()])));
                    begin = line;
                }
            }
            other => fields[field].push(other),
        }
    }
    records.push((begin, fields));
    records.retain(|(_, fields)| fields.iter().any(|field| !field.trim().is_empty()));
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_separators_and_lines_are_counted() {
        let text = "\u{feff}a,b\r\n\n\"x,\"\"y\"\"\nz\",2\nlast,\"\"";
        let expected = [
            (1, vec!["a".to_owned(), "b".into()]),
            (3, vec!["x,\"y\"\nz".into(), "2".into()]),
            (5, vec!["last".into(), String::new()]),
        ];
        assert_eq!(records(text), expected);
        assert_eq!(records(""), []);
    }
}
