//! The separator of the columns that Slurm's commands print.

/// The text between two columns: a bar, or what `sacct --delimiter` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Delimiter(Box<[u8]>);

/// Bytes that times, numbers of jobs and amounts contain.
const IN_VALUES: &[u8] = b":-.=+/[]()%_";

/// Parts of the names of columns whose values are lists between commas.
const LISTS: [&str; 6] = ["TRES", "GRES", "NODELIST", "LICENSES", "DEPENDENCY", "CPUS_IDS"];

impl Default for Delimiter {
    fn default() -> Delimiter {
        Delimiter(Box::new(*b"|"))
    }
}

impl Delimiter {
    /// Returns the separator that follows the first name of a heading; `None` if only blanks do.
    pub(super) fn of_heading(line: &[u8]) -> Option<Delimiter> {
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        Delimiter::behind(line, name)
    }

    /// Returns the separator that follows the number that a row begins with.
    pub(super) fn of_row(line: &[u8]) -> Option<Delimiter> {
        Delimiter::behind(line, u8::is_ascii_digit)
    }

    fn behind(line: &[u8], word: impl Fn(&u8) -> bool) -> Option<Delimiter> {
        let end = line.iter().position(|byte| !word(byte)).filter(|&end| end > 0)?;
        let rest = &line[end..];
        let length = rest.iter().position(u8::is_ascii_alphanumeric).unwrap_or(rest.len());
        let whole = &rest[..length];
        // A tab separates; blanks may stand around a separator.
        let is_other = |byte: &u8| *byte != b' ';
        let run = &whole[whole.iter().position(is_other)?..=whole.iter().rposition(is_other)?];
        // Blanks belong to the separator if they are around each of them.
        let count = |separator: &[u8]| memchr::memmem::find_iter(line, separator).count();
        let is_padded = run.len() < whole.len() && count(run) == count(whole);
        Some(Delimiter(if is_padded { whole } else { run }.into()))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn split<'a>(&'a self, line: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let mut ends = memchr::memmem::find_iter(line, &*self.0);
        let (mut from, mut done) = (0, false);
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let end = ends.next();
            done = end.is_none();
            let cell = &line[from..end.unwrap_or(line.len())];
            from = end.unwrap_or_default() + self.0.len();
            Some(cell)
        })
    }

    /// Returns the reason why this separator cannot distinguish columns of these names.
    pub(super) fn conflict<'n>(&self, names: impl Iterator<Item = &'n str>) -> Option<String> {
        let lists = |name: &&str| LISTS.iter().any(|list| name.to_ascii_uppercase().contains(list));
        let shown = String::from_utf8_lossy(&self.0);
        match &*self.0 {
            [byte] if IN_VALUES.contains(byte) => Some(format!(
                "its columns are separated by `{shown}`, which times and numbers of jobs contain as well"
            )),
            b"," => {
                let mut names = names;
                let name = names.find(lists)?;
                Some(format!("its columns are separated by `,`, which the lists in {name} contain as well"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_shows_its_separator() {
        for text in ["|", "@@", "^|^", "\t", ";", ",", "\x1f", "::", "\u{a7}"] {
            let heading = format!("JobID{text}JobIDRaw{text}{text}State");
            let found = Delimiter::of_heading(heading.as_bytes()).unwrap();
            assert_eq!(found.bytes(), text.as_bytes());
            let cells: Vec<&[u8]> = found.split(heading.as_bytes()).collect();
            assert_eq!(cells, [&b"JobID"[..], b"JobIDRaw", b"", b"State"], "{text}");
        }
        assert_eq!(Delimiter::of_heading(b"JobID | Submit").unwrap().bytes(), b" | ");
        assert_eq!(Delimiter::of_heading(b"JobID | Submit|Start").unwrap().bytes(), b"|");
        assert_eq!(Delimiter::of_heading(b"JobID   Submit"), None);
        assert_eq!(Delimiter::of_row(b"10@@10.x").unwrap().bytes(), b"@@");
    }

    #[test]
    fn separators_that_values_contain_are_named() {
        let conflict = |text: &str, names: &[&'static str]| {
            Delimiter(text.as_bytes().into()).conflict(names.iter().copied())
        };
        assert!(conflict(":", &["JobID"]).unwrap().contains("separated by `:`"));
        assert!(conflict(",", &["JobID", "AllocTRES"]).unwrap().contains("AllocTRES"));
        assert_eq!(conflict(",", &["JobID", "State"]), None);
        assert_eq!(conflict("::", &["AllocTRES"]), None);
    }
}
