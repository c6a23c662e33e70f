//! Witnesses: the cases that demonstrate failures, as files and as commands.

use std::path::Path;

use batchlab_parsers::OutputFolder;

use crate::conform::{CheckReport, ConformanceReport, Witness};
use crate::lab::Failure;

/// Checks whose failures a plain replay shows.
const SEEN_BY_REPLAY: [&str; 4] = ["describes", "legal", "clean", "agrees"];

/// Writes the witnesses into a folder, if one is given, and adds the commands that reproduce the failures.
pub fn keep(report: &mut ConformanceReport, folder: Option<&str>, plugins: &[String]) -> Result<(), Failure> {
    let like = report.like.clone();
    for check in &mut report.checks {
        let name = check.name;
        let Some(found) = &check.found else { continue };
        let again = match &found.witness {
            None => vec![words(["batchlab", "conform", &report.policy, "--check", name], plugins)],
            Some(witness) => {
                let files = Files::of(name, folder, witness);
                if let Some(folder) = folder {
                    files.write(&OutputFolder::new(folder), witness)?;
                }
                commands(check, &files, like.as_deref(), plugins)
            }
        };
        if let Some(found) = &mut check.found {
            found.again = again;
        }
    }
    Ok(())
}

/// The files of a witness, which may not have been written.
struct Files {
    log: String,
    machine: String,
    calendar: String,
}

impl Files {
    fn of(check: &str, folder: Option<&str>, witness: &Witness) -> Files {
        let path = |ending: &str| {
            let name = format!("{check}.{ending}");
            folder.map_or(name.clone(), |folder| Path::new(folder).join(&name).to_string_lossy().into_owned())
        };
        let machine = if witness.machine.is_some() { path("toml") } else { String::new() };
        let calendar = if witness.calendar.is_some() { path("calendar.toml") } else { String::new() };
        Files { log: path("swf"), machine, calendar }
    }

    fn write(&self, folder: &OutputFolder, witness: &Witness) -> Result<(), Failure> {
        let texts = [
            (&self.log, Some(&witness.swf)),
            (&self.machine, witness.machine.as_ref()),
            (&self.calendar, witness.calendar.as_ref()),
        ];
        for (path, text) in texts {
            if let (Some(name), Some(text)) = (Path::new(path).file_name(), text) {
                folder.put_text(name, text)?;
            }
        }
        Ok(())
    }
}

/// Returns the commands that reproduce a failure: the check on the witness alone, and the plain replay if
/// that shows it.
fn commands(check: &CheckReport, files: &Files, like: Option<&str>, plugins: &[String]) -> Vec<String> {
    let Some(found) = &check.found else { return Vec::new() };
    let Some(witness) = &found.witness else { return Vec::new() };
    let seed = witness.seed.to_string();
    let mut setting: Vec<&str> = vec!["--events", &witness.events, "--overrun", &witness.overrun];
    if !files.machine.is_empty() {
        setting.extend(["--machine", &files.machine]);
    }
    if !files.calendar.is_empty() {
        setting.extend(["--calendar", &files.calendar]);
    }
    setting.extend(witness.options.iter().map(String::as_str));
    if witness.seed != 1 {
        setting.extend(["--seed", &seed]);
    }
    setting.extend(plugins.iter().map(String::as_str));
    // The spec contains the value of the parameter that failed, so the plain check `legal` shows the failure.
    let name = if check.name == "describes" { "legal" } else { check.name };
    let mut conform = vec!["batchlab", "conform", &found.policy, "--check", name, "--on", &files.log];
    conform.extend(like.filter(|_| name == "agrees").into_iter().flat_map(|like| ["--like", like]));
    conform.extend(&setting);
    let mut again = vec![line(&conform)];
    if SEEN_BY_REPLAY.contains(&check.name) {
        let mut replay = vec!["batchlab", "replay", &files.log, "--policy", &found.policy];
        replay.extend(like.filter(|_| name == "agrees").into_iter().flat_map(|like| ["--policy", like]));
        replay.extend(&setting);
        again.push(line(&replay));
    }
    again
}

fn words<const N: usize>(first: [&str; N], more: &[String]) -> String {
    let all: Vec<&str> = first.into_iter().chain(more.iter().map(String::as_str)).collect();
    line(&all)
}

/// Returns a command quoted for a shell.
fn line(words: &[&str]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./+,:=@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_shells_would_take_them_apart() {
        assert_eq!(line(&["conform", "easy:order=sjf,k=2"]), "conform easy:order=sjf,k=2");
        assert_eq!(line(&["exec:(python3 a.py)"]), "'exec:(python3 a.py)'");
        assert_eq!(line(&["it's", "", "a#b"]), r"'it'\''s' '' 'a#b'");
    }
}
