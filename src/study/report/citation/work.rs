//! A published work, and its forms as text.

use std::fmt::Write;

/// The kind of a work: its BibTeX entry type, and the field that names where it was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkKind {
    /// An article in a journal.
    Article,
    /// A paper at a conference.
    InProceedings,
    /// A book; `place` is its publisher.
    Book,
    /// A report; `place` is its institution.
    Report,
    /// Anything else; `place` says how it was published.
    Misc,
}

/// A published work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedWork {
    /// Key of its entry.
    pub key: &'static str,
    /// Its kind.
    pub kind: WorkKind,
    /// Its authors, `Last, First and Last, First`.
    pub authors: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Where it was published: journal, proceedings, publisher or institution.
    pub place: &'static str,
    /// Year of publication.
    pub year: u16,
    /// Further fields of its entry, such as `volume` and `pages`.
    pub fields: &'static [(&'static str, &'static str)],
    /// Word sets by which the descriptions of plug-ins name the work: it is named if all words of one set occur
    /// in the same clause.
    pub marks: &'static [&'static [&'static str]],
}

impl PublishedWork {
    /// Returns a work that was published in a journal.
    pub const fn article(
        key: &'static str,
        authors: &'static str,
        title: &'static str,
        journal: &'static str,
        year: u16,
    ) -> PublishedWork {
        PublishedWork {
            key,
            kind: WorkKind::Article,
            authors,
            title,
            place: journal,
            year,
            fields: &[],
            marks: &[],
        }
    }

    /// Returns a work of another kind.
    pub const fn of(
        kind: WorkKind,
        key: &'static str,
        authors: &'static str,
        title: &'static str,
        place: &'static str,
        year: u16,
    ) -> PublishedWork {
        PublishedWork { kind, ..PublishedWork::article(key, authors, title, place, year) }
    }

    /// Returns a work of the workshop Job Scheduling Strategies for Parallel Processing, by its volume of the
    /// Lecture Notes in Computer Science and its pages.
    pub const fn jsspp(
        key: &'static str,
        authors: &'static str,
        title: &'static str,
        year: u16,
        fields: &'static [(&'static str, &'static str)],
    ) -> PublishedWork {
        PublishedWork {
            kind: WorkKind::InProceedings,
            fields,
            ..PublishedWork::article(key, authors, title, JSSPP, year)
        }
    }

    /// Adds further bibliographic fields.
    #[must_use]
    pub const fn with(self, fields: &'static [(&'static str, &'static str)]) -> PublishedWork {
        PublishedWork { fields, ..self }
    }

    /// Adds the word sets by which the descriptions of plug-ins name the work.
    #[must_use]
    pub const fn named(self, marks: &'static [&'static [&'static str]]) -> PublishedWork {
        PublishedWork { marks, ..self }
    }

    /// Whether a clause of a plug-in's citation names the work.
    pub fn is_named_in(&self, clause: &str) -> bool {
        self.marks.iter().any(|words| words.iter().all(|word| clause.contains(word)))
    }

    /// Returns its entry in BibTeX, in UTF-8; `annote`, which styles do not print, says what it is cited for.
    pub fn bibtex(&self, annote: &str) -> String {
        let (kind, place) = match self.kind {
            WorkKind::Article => ("article", "journal"),
            WorkKind::InProceedings => ("inproceedings", "booktitle"),
            WorkKind::Book => ("book", "publisher"),
            WorkKind::Report => ("techreport", "institution"),
            WorkKind::Misc => ("misc", "howpublished"),
        };
        let year = self.year.to_string();
        // Braces preserve the capitals of a title.
        let title = format!("{{{}}}", escaped(self.title));
        let mut fields = vec![("author", self.authors.to_owned()), ("title", title)];
        fields.push((place, escaped(self.place)));
        fields.push(("year", year));
        // Identifiers are not escaped.
        let field = |&(name, value): &(&'static str, &str)| {
            (name, if name == "doi" { value.to_owned() } else { escaped(value) })
        };
        fields.extend(self.fields.iter().map(field));
        fields.push(("annote", escaped(annote)));
        entry(kind, self.key, &fields)
    }

    /// Returns the work as a line of a reference list.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}. {}", self.authors.replace(" and ", "; "), self.title, self.place);
        for (name, value) in self.fields {
            let _ = match *name {
                "series" | "volume" => write!(text, " {value}"),
                "number" => write!(text, "({value})"),
                "pages" => write!(text, ", {}", value.replace("--", "\u{2013}")),
                "doi" => write!(text, ", doi {value}"),
                _ => write!(text, ", {value}"),
            };
        }
        let _ = write!(text, ", {}.", self.year);
        text
    }
}

const JSSPP: &str = "Job Scheduling Strategies for Parallel Processing";

/// Returns a BibTeX entry; values must be escaped already.
pub fn entry(kind: &str, key: &str, fields: &[(&str, String)]) -> String {
    let mut text = format!("@{kind}{{{key}");
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(text, ",\n  {name} = {{{value}}}");
    }
    text + "\n}\n"
}

/// Returns a text escaped for LaTeX within an entry: BibTeX counts braces, whether a backslash is before them or not.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' => escaped.extend(['\\', letter]),
            '{' => escaped += "\\textbraceleft{}",
            '}' => escaped += "\\textbraceright{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '\\' => escaped += "\\textbackslash{}",
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
