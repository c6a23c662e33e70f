//! A results folder as one file, for artifact evaluation.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use batchlab_traces::sorted::{SortedMap, SortedSet};
use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::bibliography::Bibliography;
use super::options;
use crate::report::is_made;
use batchlab_study::experiment::InputFile;
use batchlab_study::experiment::checksums::hex;
use batchlab_study::experiment::folder::{Contents, Folder, FolderError, JOURNAL, SHARDS, is_of_run};
use batchlab_study::experiment::inputs::INPUTS;

const README: &str = "README.txt";
const CITATION: &str = "citation.bib";
const SUMS: &str = "SHA256SUMS";

/// File size in bytes above which an entry needs the zip format's wide (64-bit) fields.
const WIDE: u64 = u32::MAX as u64;

/// Writes an archive of a folder: every file of the results, the files that the experiment reads besides its logs under the
/// names that it has for them, instructions to reproduce the results, what to cite, and the SHA-256 of each file.
///
/// Names are sorted and entries carry no time, so the same folder gives the same bytes. `names` are those of [`files`].
pub fn write(
    folder: &Folder,
    mut names: SortedSet<String>,
    contents: &Contents,
    bibliography: &Bibliography,
    out: &mut impl Write,
) -> io::Result<()> {
    let top = bibliography.experiment.clone();
    let mut archive = Archive { zip: ZipWriter::new_stream(out), top, sums: String::new() };
    let kept = kept(&names, contents);
    names.retain(|name| !name.starts_with(&format!("{INPUTS}/")) && name != SUMS);
    names.extend([README.to_owned(), CITATION.to_owned()].into_iter().chain(kept.keys().cloned()));
    for name in names {
        match name.as_str() {
            README => archive.add(README, &mut readme(contents, bibliography, &kept).as_bytes(), 0)?,
            CITATION => archive.add(CITATION, &mut bibliography.bibtex().as_bytes(), 0)?,
            _ => {
                let mut file = folder.file(kept.get(&name).unwrap_or(&name)).map_err(io::Error::other)?;
                let bytes = file.metadata()?.len();
                archive.add(&name, &mut file, bytes)?;
            }
        }
    }
    archive.finish()
}

struct Archive<W: Write> {
    zip: ZipWriter<zip::write::StreamWriter<W>>,
    /// The top folder within the archive.
    top: String,
    /// Hashes and names of the files written so far.
    sums: String,
}

impl<W: Write> Archive<W> {
    fn add(&mut self, name: &str, from: &mut impl Read, bytes: u64) -> io::Result<()> {
        // The default time is the first day that the format can represent.
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(0o644)
            .large_file(bytes >= WIDE);
        self.zip.start_file(format!("{}/{name}", self.top), options)?;
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            let read = from.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            hash.update(&buffer[..read]);
            self.zip.write_all(&buffer[..read])?;
        }
        let _ = writeln!(self.sums, "{}  {name}", hex(&hash.finalize()));
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        let sums = std::mem::take(&mut self.sums);
        self.add(SUMS, &mut sums.as_bytes(), 0)?;
        self.zip.finish()?;
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The folder holds something that is not part of the results.
    #[error(
        "{folder} holds {name}, {what}: the archive has the results of the experiment alone; move it elsewhere"
    )]
    Other { folder: String, name: String, what: &'static str },
}

/// Returns the names of the files that go into an archive, with `/` between path components: without shards, temporary files of
/// unfinished runs, hidden files and earlier archives.
///
/// Refuses what no experiment writes: a link, which could lead out of the folder, or a file with an unknown name.
pub fn files(folder: &Folder) -> Result<SortedSet<String>, ArtifactError> {
    let mut names = SortedSet::new();
    for name in folder.names("")? {
        let stays_out = name == SHARDS
            || name == JOURNAL
            || is_hidden(&name)
            || Path::new(&name).extension().is_some_and(|ending| ending == "zip");
        if stays_out {
            continue;
        }
        if fs::symlink_metadata(folder.path().join(&name)).is_ok_and(|there| there.is_dir()) {
            let within = folder.names(&name)?;
            let within = within.into_iter().filter(|within| !is_hidden(within));
            names.extend(within.map(|within| format!("{name}/{within}")));
        } else {
            names.insert(name);
        }
    }
    for name in &names {
        let there = fs::symlink_metadata(folder.path().join(name));
        let is_ours = is_of_run(name) || is_made(name) || [README, CITATION, SUMS].contains(&name.as_str());
        let what = match there {
            Ok(there) if there.is_symlink() => "a link",
            Ok(there) if there.is_dir() => "a folder",
            Ok(there) if there.is_file() && is_ours => continue,
            Ok(there) if there.is_file() => "a file that no experiment writes",
            _ => "which is no file",
        };
        let folder = folder.path().display().to_string();
        return Err(ArtifactError::Other { folder, name: name.clone(), what });
    }
    Ok(names)
}

/// Whether a name is hidden: editors and interrupted runs leave such files.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Returns the files that the experiment reads besides its logs and that go into the archive, by their names in it: the files that
/// the folder has, unless a file of the results has the name.
fn kept(names: &SortedSet<String>, contents: &Contents) -> SortedMap<String, String> {
    let kept = |input: &InputFile| {
        let is_free = !names.contains(&input.name) && ![README, CITATION, SUMS].contains(&&*input.name);
        Some((input.name.clone(), input.kept().filter(|kept| is_free && names.contains(kept))?))
    };
    contents.manifest.inputs.iter().filter_map(kept).collect()
}

/// Returns instructions to check the files and to reproduce the results.
fn readme(contents: &Contents, bibliography: &Bibliography, kept: &SortedMap<String, String>) -> String {
    let Bibliography { experiment, tool, logs, .. } = bibliography;
    let options = options(contents);
    let key = contents.plan.first().map_or("KEY", |line| line.key.as_str());
    let mut text = format!(
        "Experiment {experiment}: its results, and what they were made of. Run by {tool}; other versions of the program may \
         give other numbers, and have other keys.\n\n  \
         experiment.toml   the experiment\n  \
         plan.csv          every replay: workload, parameters, policy, seed, and its key\n  \
         results.csv       the values of every replay\n  \
         checksums.csv     a checksum of the rows of every replay, by which torn rows are found\n  \
         manifest.json     what the results are about\n  \
         {CITATION}      what to cite\n  \
         {SUMS}        the SHA-256 of every other file\n\n\
         To check the files:       sha256sum --check {SUMS}\n\
         To run it all again:      batchlab run experiment.toml --out again{options}\n\
         To compare:               cmp results.csv again/results.csv\n\
         To run one replay again:  batchlab run experiment.toml --key {key} --schedule replay.csv{options}\n"
    );
    if !kept.is_empty() {
        text += "\nThe experiment reads these files, which are in here:\n\n";
        text.extend(kept.keys().flat_map(|name| ["  ", name, "\n"]));
    }
    let absent = contents.manifest.inputs.iter().filter(|input| !kept.contains_key(&input.name));
    let absent: Vec<String> = absent.map(|input| format!("  {}  {}\n", input.sha256, input.name)).collect();
    if !absent.is_empty() {
        text += "\nIt also reads these, which are not in here. They belong where their names say, and their SHA-256 is\n\n";
        text.extend(absent);
    }
    if !logs.is_empty() {
        text += "\nThe logs are not in here. They belong where experiment.toml names them, seen from its folder, and their \
                 SHA-256 is\n\n";
    }
    for log in logs {
        let _ = writeln!(text, "  {}  {}", log.sha256.join(" "), log.log.as_deref().unwrap_or_default());
    }
    text
}
