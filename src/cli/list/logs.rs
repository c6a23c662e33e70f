use super::entry::ListEntry;
use crate::catalogue::{Catalogue, CatalogueError, CatalogueLog, LogFile, NamedLog};
use crate::report::citation::works;

/// Returns the logs of a catalogue, and which of their versions are on this machine.
pub fn entries(catalogue: &Catalogue) -> Result<Vec<ListEntry>, CatalogueError> {
    Ok(catalogue.logs()?.iter().map(|log| entry(catalogue, log)).collect())
}

fn entry(catalogue: &Catalogue, log: &CatalogueLog) -> ListEntry {
    let versions = || log.file.iter().map(|file| NamedLog { log, file });
    let which = |is: &dyn Fn(NamedLog<'_>) -> bool| -> Vec<&str> {
        versions().filter(|one| is(*one)).map(|one| one.file.version.as_str()).collect()
    };
    let here = which(&|one| catalogue.has(one));
    let here = if here.is_empty() { String::new() } else { format!("; here: {}", here.join(", ")) };
    let unverified = which(&|one| one.file.sha256.is_empty());
    let unverified = match unverified.len() {
        0 => String::new(),
        count if count == log.file.len() => "; unverified".into(),
        _ => format!("; unverified: {}", unverified.join(", ")),
    };
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
        summary: format!("{}{unverified}{here}", log.title),
        source: cited.collect::<Vec<_>>().join("; ").into(),
        facts,
        ..ListEntry::default()
    }
}

/// Returns a version as lines: its name, then what is known of its file.
fn version(catalogue: &Catalogue, one: NamedLog<'_>) -> String {
    let LogFile { file, address, untried, bytes, sha256, .. } = one.file;
    let mut lines = vec![one.name(), file.clone()];
    let untried = if *untried { " (untried: not downloaded from with this program yet)" } else { "" };
    lines.extend(one.file.addresses().map(|address| format!("{address}{untried}")));
    lines.extend(address.is_none().then(|| "no address: see the page".into()));
    lines.extend(bytes.map(|bytes| format!("{bytes} bytes")));
    if sha256.is_empty() {
        lines.push("unverified: its SHA-256 is not known".into());
    }
    lines
        .extend(sha256.iter().zip(["file", "text"]).map(|(hash, of)| format!("SHA-256 of the {of}: {hash}")));
    if let (true, Ok(path)) = (catalogue.has(one), catalogue.path(one)) {
        lines.push(format!("here: {}", path.display()));
    }
    lines.join("\n")
}
