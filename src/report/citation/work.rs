//! A published work, and how it is written.

use std::fmt::Write;

/// What a work is: the kind of its entry, and what the place is called in which it was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In a journal.
    Article,
    /// At a conference.
    InProceedings,
    /// A book; the place is its publisher.
    Book,
    /// A report; the place is its institution.
    Report,
    /// Anything else; the place is how it was published.
    Misc,
}

/// A published work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Key of its entry.
    pub key: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Its authors, `Last, First and Last, First`.
    pub authors: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Where it was published: journal, proceedings, publisher or institution.
    pub place: &'static str,
    /// When.
    pub year: u16,
    /// Further fields of its entry, such as `volume` and `pages`.
    pub fields: &'static [(&'static str, &'static str)],
    /// How citations in words name it: each a set of words that stand together in one clause.
    pub marks: &'static [&'static [&'static str]],
}

impl Work {
    /// Returns a work that was published in a journal.
    pub const fn article(
        key: &'static str,
        authors: &'static str,
        title: &'static str,
        journal: &'static str,
        year: u16,
    ) -> Work {
        Work { key, kind: Kind::Article, authors, title, place: journal, year, fields: &[], marks: &[] }
    }

    /// Returns a work of another kind.
    pub const fn of(
        kind: Kind,
        key: &'static str,
        authors: &'static str,
        title: &'static str,
        place: &'static str,
        year: u16,
    ) -> Work {
        Work { kind, ..Work::article(key, authors, title, place, year) }
    }

    /// Returns a work of the workshop Job Scheduling Strategies for Parallel Processing, by volume of the Lecture Notes
    /// in Computer Science and pages.
    pub const fn jsspp(
        key: &'static str,
        authors: &'static str,
        title: &'static str,
        year: u16,
        fields: &'static [(&'static str, &'static str)],
    ) -> Work {
        Work { kind: Kind::InProceedings, fields, ..Work::article(key, authors, title, JSSPP, year) }
    }

    /// Adds further fields.
    #[must_use]
    pub const fn with(self, fields: &'static [(&'static str, &'static str)]) -> Work {
        Work { fields, ..self }
    }

    /// Adds how citations name it.
    #[must_use]
    pub const fn named(self, marks: &'static [&'static [&'static str]]) -> Work {
        Work { marks, ..self }
    }

    /// Whether a clause of a citation in words names the work.
    pub fn is_named_in(&self, clause: &str) -> bool {
        self.marks.iter().any(|words| words.iter().all(|word| clause.contains(word)))
    }

    /// Returns its entry in BibTeX, in UTF-8; `note` says what it is cited for.
    pub fn bibtex(&self, note: &str) -> String {
        let (kind, place) = match self.kind {
            Kind::Article => ("article", "journal"),
            Kind::InProceedings => ("inproceedings", "booktitle"),
            Kind::Book => ("book", "publisher"),
            Kind::Report => ("techreport", "institution"),
            Kind::Misc => ("misc", "howpublished"),
        };
        let year = self.year.to_string();
        // Braces keep the capitals of a title.
        let title = format!("{{{}}}", escaped(self.title));
        let mut fields = vec![("author", self.authors.to_owned()), ("title", title)];
        fields.push((place, escaped(self.place)));
        fields.push(("year", year));
        // Identifiers are taken as they stand.
        let field = |&(name, value): &(&'static str, &str)| {
            (name, if name == "doi" { value.to_owned() } else { escaped(value) })
        };
        fields.extend(self.fields.iter().map(field));
        fields.push(("note", escaped(note)));
        entry(kind, self.key, &fields)
    }

    /// Returns it as a line of a list of references.
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

/// Returns an entry of BibTeX; values are escaped already.
pub fn entry(kind: &str, key: &str, fields: &[(&str, String)]) -> String {
    let mut text = format!("@{kind}{{{key}");
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(text, ",\n  {name} = {{{value}}}");
    }
    text + "\n}\n"
}

/// Returns a text as LaTeX prints it.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '\\' => escaped += "\\textbackslash{}",
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
