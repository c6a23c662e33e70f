//! `--slurm`: the files of a Slurm installation, or folders and archives of them.

mod archive;
mod folder;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use batchlab_slurm::reader::{Listing, Setting, SystemFile, listing, read_system, replaces};
use batchlab_slurm::site::{Installation, SlurmVersion};
use batchlab_traces::Findings;

use crate::lab::Failure;
use crate::lab::texts::read_text;
use folder::SlurmFolder;

#[derive(Clone, Debug, Default)]
pub struct SlurmSettings {
    pub files: Vec<String>,
    /// How long slurmctld takes, as parameters of the policy slurm.
    pub delays: Option<String>,
    /// Single settings in the place of those of the files: the version, and those of a side of `what-if`.
    pub settings: Vec<Setting>,
    pub version: Option<SlurmVersion>,
}

/// The policy that the files imply.
const POLICY: &str = "slurm";

/// The policy of verbs that need none without files.
const PLAIN: &str = "easy";

/// Returns the spec of a policy with the delays of slurmctld, if it is the one that has them.
fn with_delays(spec: &str, delays: Option<&str>) -> String {
    match delays {
        Some(delays) if spec == POLICY => format!("{spec}:{delays}"),
        Some(delays) if spec.starts_with("slurm:") => format!("{spec},{delays}"),
        _ => spec.to_owned(),
    }
}

pub fn policies(given: &[String], delays: Option<&str>) -> Vec<String> {
    match given {
        [] => vec![with_delays(POLICY, delays)],
        given => given.iter().map(|spec| with_delays(spec, delays)).collect(),
    }
}

impl SlurmSettings {
    /// Sets the version, in the place of the one that the files state.
    pub fn set_version(&mut self, text: &str) -> Result<(), String> {
        let version =
            SlurmVersion::parse(text).ok_or_else(|| format!("`{text}` is no version such as 22.05"))?;
        self.settings.push(format!("SlurmVersion={version}").parse()?);
        self.version = Some(version);
        Ok(())
    }

    pub fn is_given(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns the specs of policies: those given, or the policy slurm, with the delays.
    pub fn policies(&self, given: &[String]) -> Vec<String> {
        policies(given, self.delays.as_deref())
    }

    /// Returns the spec of the one policy of a verb: the one given, else slurm with files of an installation, else EASY.
    pub fn policy(&self, given: Option<&str>) -> String {
        let plain = if self.is_given() { POLICY } else { PLAIN };
        with_delays(given.unwrap_or(plain), self.delays.as_deref())
    }

    /// Returns the files in words, as conditions of results state them; `None` if none is given.
    pub fn words(&self) -> Option<String> {
        let settings: Vec<String> = self.settings.iter().map(ToString::to_string).collect();
        let with = if settings.is_empty() { String::new() } else { format!(" with {}", settings.join(" ")) };
        self.is_given().then(|| self.files.join(", ") + &with)
    }

    /// Returns the files that are read beside the named ones: included files, and the files of folders.
    pub fn included(&self) -> Result<Vec<SystemFile>, Failure> {
        let mut further = Vec::new();
        let is_given = |file: &SystemFile| self.files.iter().any(|given| **given == *file.name);
        self.read(false, &mut |file| {
            if !is_given(file) {
                further.push(file.clone());
            }
        })?;
        Ok(further)
    }

    pub fn installation(&self, strict: bool) -> Result<Option<Installation>, Failure> {
        self.read(strict, &mut |_| {})
    }

    pub fn listing(&self) -> Result<Listing, Failure> {
        let (files, _) = opened(&self.files)?;
        let mut includes = |from: &str, path: &str| included(&files, from, path);
        Ok(listing(&own(&files), &mut includes)?)
    }

    /// Reads the installation; `seen` gets each file that another one includes, and those of folders.
    fn read(&self, strict: bool, seen: &mut dyn FnMut(&SystemFile)) -> Result<Option<Installation>, Failure> {
        if self.files.is_empty() {
            return Ok(None);
        }
        let (files, folders) = opened(&self.files)?;
        folders.iter().flat_map(|folder| &folder.files).for_each(&mut *seen);
        let mut findings = if strict { Findings::strict() } else { Findings::lenient() };
        let mut includes = |from: &str, path: &str| {
            let file = included(&files, from, path);
            file.iter().for_each(&mut *seen);
            file
        };
        let system = read_system(&own(&files), &self.settings, &mut includes, &mut findings)?;
        folders.iter().try_for_each(|folder| folder.report(&files, &mut findings))?;
        Ok(Some(Installation { system: system.into(), findings }))
    }
}

/// The logs of jobs in folders of `--slurm`.
#[derive(Default)]
pub struct FolderLogs {
    pub log: Option<PathBuf>,
    pub queue: Option<PathBuf>,
}

pub fn logs_in(files: &[String]) -> FolderLogs {
    let mut logs = FolderLogs::default();
    for path in files.iter().filter(|path| Path::new(path).is_dir()) {
        let Ok(folder) = SlurmFolder::read(path) else { continue };
        logs.log = logs.log.or(folder.log);
        logs.queue = logs.queue.or(folder.queue);
    }
    logs
}

/// The files of one side beside those that it replaces.
pub struct Replacement {
    /// Files of the other list that stay.
    pub kept: Vec<String>,
    /// Files of the other list that have been replaced.
    pub replaced: Vec<String>,
}

/// Returns which files of a list stay when others are given: a file takes the place of those of its kind, and a file that
/// another one includes that of the included file of its name.
pub fn replacement(given: &[String], by: &[String]) -> Result<Replacement, Failure> {
    let ((old, _), (new, _)) = (opened(given)?, opened(by)?);
    let is_part = |file: &SystemFile| old.iter().any(|other| includes(other, file));
    let goes = |file: &SystemFile| {
        let stays = new.iter().any(|other| includes(other, file));
        new.iter().any(|other| {
            replaces(other, file)
                && (file_name(&other.name) == file_name(&file.name) || !stays && !is_part(other))
        })
    };
    let (replaced, kept): (Vec<&SystemFile>, Vec<&SystemFile>) = old.iter().partition(|file| goes(file));
    let names = |files: Vec<&SystemFile>| files.iter().map(|file| file.name.to_string()).collect();
    Ok(Replacement { kept: names(kept), replaced: names(replaced) })
}

/// Opens files, and the files of an installation in folders and archives; returns these, too.
fn opened(paths: &[String]) -> Result<(Vec<SystemFile>, Vec<SlurmFolder>), Failure> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for path in paths {
        let is_folder = Path::new(path).is_dir();
        if is_folder || archive::is_named(path) {
            let folder = if is_folder { SlurmFolder::read(path)? } else { archive::read(path)? };
            if folder.files.is_empty() {
                let what = if is_folder { "folder" } else { "archive" };
                return Err(Failure::Input(format!(
                    "{path}: no file of an installation in this {what} (links are not followed); `batchlab slurm-collect` \
                     prints a script that fills one"
                )));
            }
            files.extend(folder.files.iter().cloned());
            folders.push(folder);
            continue;
        }
        if let Some(archive) = archive::holding(path) {
            let file = archive::read(archive)?.files.into_iter().find(|file| *file.name == **path);
            files.push(file.ok_or_else(|| Failure::Input(format!("{path}: the archive has no such file")))?);
            continue;
        }
        let text = read_text(path)?;
        files.push(SystemFile { name: path.as_str().into(), text });
    }
    Ok((files, folders))
}

fn file_name(path: &str) -> Option<&OsStr> {
    Path::new(path).file_name()
}

/// Whether a file includes another one, by its name.
fn includes(file: &SystemFile, other: &SystemFile) -> bool {
    let of_line = |line: &str| {
        let line = line.trim();
        let is_include = line.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("include"));
        let path = line.get(7..).and_then(|path| path.split_whitespace().next()).unwrap_or_default();
        is_include && is_named(path, &other.name)
    };
    file.text.lines().any(of_line)
}

/// Whether the path of an included file, in which `%c` is the name of the cluster, is that of a file.
fn is_named(path: &str, file: &str) -> bool {
    let name = |path| file_name(path).and_then(OsStr::to_str).unwrap_or_default();
    let (path, file) = (name(path), name(file));
    match path.split_once("%c") {
        Some((before, after)) => {
            let inner = file.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            inner.is_some_and(|cluster| !cluster.is_empty())
        }
        None => !path.is_empty() && path == file,
    }
}

/// Returns the files that no other file of the list includes.
fn own(files: &[SystemFile]) -> Vec<SystemFile> {
    let is_own =
        |file: &&SystemFile| !files.iter().any(|other| other.name != file.name && includes(other, file));
    files.iter().filter(is_own).cloned().collect()
}

/// Returns an included file: the one of its name among the files given, else the one beside the file that includes it.
fn included(files: &[SystemFile], from: &str, path: &str) -> Option<SystemFile> {
    let name = Path::new(path).file_name()?;
    let given = files.iter().find(|file| Path::new(&*file.name).file_name() == Some(name));
    if let Some(file) = given.filter(|file| &*file.name != from) {
        return Some(file.clone());
    }
    let beside = Path::new(from).parent()?.join(name);
    let is_plain = std::fs::symlink_metadata(&beside).is_ok_and(|file| file.is_file());
    let beside = beside.to_str().filter(|_| is_plain)?;
    Some(SystemFile { name: beside.into(), text: read_text(beside).ok()? })
}
