use super::entry::ListEntry;
use crate::catalogue::{Catalogue, CatalogueError, CatalogueLog, LogFile, NamedLog};
use crate::report::citation::works;

/// Returns the logs of a catalogue, and which of their versions are on this machine.
pub fn entries(catalogue: &Catalogue) -> Result<Vec<ListEntry>, CatalogueError> {
    Ok(catalogue.logs()?.iter().map(|log| entry(catalogue, log)).collect())
}

fn entry(catalogue: &Catalogue, log: &CatalogueLog) -> ListEntry {
    let versions = || log.file.iter().map(|file| NamedLog { log, file });
    let here: Vec<&str> =
        versions().filter(|one| catalogue.has(*one)).map(|one| one.file.version.as_str()).collect();
    let here = if here.is_empty() { String::new() } else { format!("; here: {}", here.join(", ")) };
    let mut facts = vec![("Page", log.page.clone())];
    let mut fact = |label, text: &str| {
        if !text.is_empty() {
            facts.push((label, text.to_owned()));
        }
    };
    fact("Provided by", &log.authors);
    fact("Licence", &log.licence);
    fact("Processors", &log.procs.map_or_else(String::new, |procs| procs.to_string()));
    fact("Rules", log.rules.as_deref().unwrap_or_default());
    fact("Note", &log.note);
    for one in versions() {
        fact("Version", &version(catalogue, one));
    }
    let cited =
        log.cite.iter().map(|key| works::find(key).map_or_else(|| key.clone(), |work| work.title.clone()));
    ListEntry {
        name: log.name.clone().into(),
        summary: format!("{}{here}", log.title),
        source: cited.collect::<Vec<_>>().join("; ").into(),
        facts,
        ..ListEntry::default()
    }
}

/// Returns a version as lines: its name, then what is known of its file.
fn version(catalogue: &Catalogue, one: NamedLog<'_>) -> String {
    let LogFile { file, address, untried, bytes, sha256, .. } = one.file;
    let mut lines = vec![one.name(), file.clone()];
    match address {
        Some(address) if *untried => {
            lines.push(format!("{address} (untried: not downloaded from with this program yet)"));
        }
        Some(address) => lines.push(address.clone()),
        None => lines.push("no address: see the page".into()),
    }
    lines.extend(bytes.map(|bytes| format!("{bytes} bytes")));
    if sha256.is_empty() {
        lines.push("SHA-256 not known".into());
    }
    lines
        .extend(sha256.iter().zip(["file", "text"]).map(|(hash, of)| format!("SHA-256 of the {of}: {hash}")));
    if let (true, Ok(path)) = (catalogue.has(one), catalogue.path(one)) {
        lines.push(format!("here: {}", path.display()));
    }
    lines.join("\n")
}
