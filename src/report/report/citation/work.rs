//! A published work, and its forms as text.

use std::fmt::Write;

use serde::Deserialize;

/// The kind of a work: its BibTeX entry type, and the field that names where it was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkKind {
    Article,
    InProceedings,
    Book,
    Report,
}

/// A published work, as `works.toml` describes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedWork {
    pub key: String,
    pub kind: WorkKind,
    pub authors: String,
    pub title: String,
    pub place: String,
    pub year: u16,
    #[serde(default)]
    pub fields: Vec<(String, String)>,
    #[serde(default)]
    marks: Vec<Vec<String>>,
}

impl PublishedWork {
    /// Whether a clause of a plug-in's citation names the work.
    pub fn is_named_in(&self, clause: &str) -> bool {
        self.marks.iter().any(|words| words.iter().all(|word| clause.contains(word.as_str())))
    }

    /// Returns its entry in BibTeX, in UTF-8; `annote`, which styles do not print, says what it is cited for.
    pub fn bibtex(&self, annote: &str) -> String {
        let (kind, place) = match self.kind {
            WorkKind::Article => ("article", "journal"),
            WorkKind::InProceedings => ("inproceedings", "booktitle"),
            WorkKind::Book => ("book", "publisher"),
            WorkKind::Report => ("techreport", "institution"),
        };
        let year = self.year.to_string();
        // Braces preserve the capitals of a title.
        let title = format!("{{{}}}", escaped(&self.title));
        let mut fields = vec![("author", self.authors.clone()), ("title", title)];
        fields.push((place, escaped(&self.place)));
        fields.push(("year", year));
        // Identifiers are not escaped.
        let value = |name, value: &String| if name == "doi" { value.clone() } else { escaped(value) };
        fields.extend(self.fields.iter().map(|(name, of)| (name.as_str(), value(name.as_str(), of))));
        fields.push(("annote", escaped(annote)));
        entry(kind, &self.key, &fields)
    }

    /// Returns the work as a line of a reference list.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}. {}", self.authors.replace(" and ", "; "), self.title, self.place);
        for (name, value) in &self.fields {
            let _ = match name.as_str() {
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
