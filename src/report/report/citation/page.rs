//! A bibliography as text for people.

use std::fmt::Write;

use super::bibliography::{Bibliography, Cited, made_by};
use batchlab_engine::catalogue::ArchivedLog;
use batchlab_study::experiment::Origin;

impl Bibliography {
    /// Returns the bibliography as text for people: references with what they are cited for, acknowledgements, hashes.
    pub fn text(&self) -> String {
        let mut page = format!("Experiment {}, run by {}\n", self.experiment, made_by(&self.tool));
        if !self.references.is_empty() {
            page += "\nReferences\n";
        }
        for reference in &self.references {
            let _ = match &reference.cited {
                Cited::Work(work) => writeln!(page, "\n  [{}] {}", work.key, work.text()),
                Cited::Words(words) => writeln!(page, "\n  {words}"),
            };
            let _ = writeln!(page, "    {}.", reference.words());
        }
        if !self.logs.is_empty() {
            page += "\nLogs\n";
        }
        for (log, known) in self.logs.iter().zip(&self.recognised) {
            page += &of_log(log, known.as_ref());
        }
        if !self.unknown.is_empty() {
            page += "\nWithout a citation\n\n";
        }
        page.extend(self.unknown.iter().flat_map(|what| ["  ", what, "\n"]));
        page
    }
}

fn of_log(log: &Origin, known: Option<&ArchivedLog>) -> String {
    let mut text = format!("\n  {}\n", log.log.as_deref().unwrap_or_default());
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "    {name}: {value}");
    };
    for (name, values) in [
        ("machine", &log.machine[..]),
        ("thanks to", &log.acknowledge),
        ("see", &log.information),
        ("converted by", log.conversion.as_slice()),
        ("note", &log.notes),
    ] {
        for value in values {
            line(name, value);
        }
    }
    if let Some(ArchivedLog { authors, title, year, url, by, .. }) = known {
        line("cite as", &format!("{authors}: {title}. Parallel Workloads Archive, {year}, {url}"));
        line("archive", by);
    }
    for hash in &log.sha256 {
        line("SHA-256", hash);
    }
    text
}
