#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// Any number of blanks and tabs; those at the beginning of a line are ignored.
    Blank,
    Byte(u8),
}

#[derive(Default)]
pub(super) struct LineCells {
    /// Range of each cell, in the line or in the text without quotation marks.
    ranges: Vec<(usize, usize, bool)>,
    unquoted: Vec<u8>,
    /// Whether a quotation was not closed.
    pub(super) open: bool,
}

impl LineCells {
    /// Splits a line. In quotations (`"a, ""b"""`), separators are text and doubled marks stand for one.
    pub(super) fn split(&mut self, line: &[u8], separator: Separator, quoted: bool) {
        self.ranges.clear();
        self.unquoted.clear();
        self.open = false;
        match separator {
            Separator::Blank => self.split_blank(line, quoted),
            Separator::Byte(byte) => self.split_byte(line, byte, quoted),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns a cell without the blanks around it.
    pub(super) fn get<'a>(&'a self, line: &'a [u8], at: usize) -> Option<&'a [u8]> {
        let &(from, to, unquoted) = self.ranges.get(at)?;
        Some(if unquoted { &self.unquoted[from..to] } else { line[from..to].trim_ascii() })
    }

    /// Returns consecutive cells with the separators between them.
    pub(super) fn run<'a>(&'a self, line: &'a [u8], at: usize, many: usize) -> Option<&'a [u8]> {
        if many <= 1 {
            return self.get(line, at);
        }
        let (first, last) = (self.ranges.get(at)?, self.ranges.get(at + many - 1)?);
        if first.2 || last.2 { self.get(line, at) } else { Some(line[first.0..last.1].trim_ascii()) }
    }

    fn split_blank(&mut self, line: &[u8], quoted: bool) {
        let mut at = 0;
        loop {
            at += line[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            match line.get(at) {
                None => return,
                Some(b'"') if quoted => at = self.unquote(line, at),
                Some(_) => {
                    let end = line[at..]
                        .iter()
                        .position(u8::is_ascii_whitespace)
                        .map_or(line.len(), |len| at + len);
                    self.ranges.push((at, end, false));
                    at = end;
                }
            }
        }
    }

    fn split_byte(&mut self, line: &[u8], separator: u8, quoted: bool) {
        let mut at = 0;
        loop {
            if quoted && line[at..].trim_ascii_start().first() == Some(&b'"') {
                at = self.unquote(line, line.len() - line[at..].trim_ascii_start().len());
                // Text between the closing mark and the separator is ignored.
                match memchr::memchr(separator, &line[at..]) {
                    Some(len) => at += len + 1,
                    None => return,
                }
                continue;
            }
            let end = memchr::memchr(separator, &line[at..]).map_or(line.len(), |len| at + len);
            self.ranges.push((at, end, false));
            if end == line.len() {
                return;
            }
            at = end + 1;
        }
    }

    /// Takes a quotation that begins here and returns its end.
    fn unquote(&mut self, line: &[u8], from: usize) -> usize {
        let (start, mut at) = (self.unquoted.len(), from + 1);
        loop {
            let Some(len) = memchr::memchr(b'"', &line[at..]) else {
                self.unquoted.extend_from_slice(&line[at..]);
                self.open = true;
                at = line.len();
                break;
            };
            self.unquoted.extend_from_slice(&line[at..at + len]);
            at += len + 1;
            if line.get(at) != Some(&b'"') {
                break;
            }
            self.unquoted.push(b'"');
            at += 1;
        }
        self.ranges.push((start, self.unquoted.len(), true));
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, separator: Separator, quoted: bool) -> Vec<String> {
        let mut cells = LineCells::default();
        cells.split(line.as_bytes(), separator, quoted);
        let text = |at| String::from_utf8_lossy(cells.get(line.as_bytes(), at).unwrap()).into_owned();
        (0..cells.len()).map(text).collect()
    }

    #[test]
    fn blanks_and_separators_part_columns() {
        assert_eq!(split("  a \t b", Separator::Blank, false), ["a", "b"]);
        assert_eq!(split("", Separator::Blank, false), [""; 0]);
        assert_eq!(split("a; b ;;", Separator::Byte(b';'), false), ["a", "b", "", ""]);
        assert_eq!(split("a\t\tb c", Separator::Byte(b'\t'), false), ["a", "", "b c"]);
    }

    #[test]
    fn quotations_hold_separators_and_doubled_marks() {
        let comma = Separator::Byte(b',');
        assert_eq!(split(r#"1,"a, ""b""", c,"""#, comma, true), ["1", r#"a, "b""#, "c", ""]);
        assert_eq!(split(r#""a,b" x,2"#, comma, true), ["a,b", "2"]);
        assert_eq!(split(r#"a"b,2"#, comma, true), [r#"a"b"#, "2"]);
        assert_eq!(split(r#""a b" c"#, Separator::Blank, true), ["a b", "c"]);
        let mut cells = LineCells::default();
        cells.split(br#"1,"open, 2"#, comma, true);
        assert!(cells.open && cells.len() == 2);
    }

    #[test]
    fn a_run_of_cells_keeps_what_is_between_them() {
        let (mut cells, line) = (LineCells::default(), &b"a 10/19/93  18:06:10 b"[..]);
        cells.split(line, Separator::Blank, false);
        assert_eq!(cells.run(line, 1, 2), Some(&b"10/19/93  18:06:10"[..]));
        assert_eq!(cells.run(line, 3, 2), None);
    }
}
