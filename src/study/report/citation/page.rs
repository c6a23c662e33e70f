//! A bibliography as text for people.

use std::fmt::Write;

use super::bibliography::{Bibliography, Cited, made_by};
use crate::experiment::Origin;
use batchlab_engine::catalogue::ArchivedLog;

/// Returns the bibliography as text.
pub(super) fn page(bibliography: &Bibliography) -> String {
    let Bibliography { experiment, tool, references, logs, recognised, unknown } = bibliography;
    let mut page = format!("Experiment {experiment}, run by {}\n", made_by(tool));
    if !references.is_empty() {
        page += "\nReferences\n";
    }
    for reference in references {
        let _ = match &reference.cited {
            Cited::Work(work) => writeln!(page, "\n  [{}] {}", work.key, work.text()),
            Cited::Words(words) => writeln!(page, "\n  {words}"),
        };
        let _ = writeln!(page, "    {}.", reference.words());
    }
    if !logs.is_empty() {
        page += "\nLogs\n";
    }
    for (log, known) in logs.iter().zip(recognised) {
        page += &of_log(log, known.as_ref());
    }
    if !unknown.is_empty() {
        page += "\nWithout a citation\n\n";
    }
    for what in unknown {
        let _ = writeln!(page, "  {what}");
    }
    page
}

fn of_log(log: &Origin, known: Option<&ArchivedLog>) -> String {
    let mut text = format!("\n  {}\n", log.log.as_deref().unwrap_or_default());
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "    {name}: {value}");
    };
    for machine in &log.machine {
        line("machine", machine);
    }
    for whom in &log.acknowledge {
        line("thanks to", whom);
    }
    for place in &log.information {
        line("see", place);
    }
    if let Some(who) = &log.conversion {
        line("converted by", who);
    }
    for note in &log.notes {
        line("note", note);
    }
    if let Some(known) = known {
        line(
            "cite as",
            &format!(
                "{}: {}. Parallel Workloads Archive, {}, {}",
                known.authors, known.title, known.year, known.url
            ),
        );
        line("archive", known.by);
    }
    for hash in &log.sha256 {
        line("SHA-256", hash);
    }
    text
}
