//! An archive of `--slurm`, such as `slurm-collect --tar` makes: read as the folder that it holds, without unpacking it.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use batchlab_slurm::reader::SystemFile;
use batchlab_slurm::reader::folder::{FolderFile, MOST_OF_FOLDER};
use batchlab_traces::foreign;
use flate2::bufread::MultiGzDecoder;
use tar::{Archive, Entry, EntryType};

use super::folder::{Filling, LONG, MOST, SlurmFolder};
use crate::lab::Failure;

pub fn is_named(path: &str) -> bool {
    [".tar", ".tar.gz", ".tgz"].iter().any(|end| path.ends_with(end))
}

/// Returns the archive that a path such as `site.tar/slurm.conf` names a file of.
pub fn holding(path: &str) -> Option<&str> {
    let (archive, name) = path.rsplit_once('/')?;
    (!name.is_empty() && is_named(archive) && Path::new(archive).is_file()).then_some(archive)
}

/// Reads an archive. Its paths are names and nothing else: no file is written, no link followed, and files of further folders
/// are left out. Memory holds the files of the installation, whose size is bounded as in a folder.
pub fn read(path: &str) -> Result<SlurmFolder, Failure> {
    let failed = |error: io::Error| Failure::Input(format!("{path}: {error}: it is no whole tar archive"));
    let bytes = opened(path).map_err(|error| Failure::Input(format!("{path}: {error}")))?;
    let mut archive = Archive::new(bytes);
    let mut filling = Filling::of(path, true);
    let mut home = None;
    // As they are: long names, which the archive has as entries of their own, are not put together in memory.
    for (count, entry) in archive.entries().map_err(failed)?.raw(true).enumerate() {
        let entry = entry.map_err(failed)?;
        if count >= MOST {
            let what = format!(
                "{path}: more than {MOST} entries: it is no archive of slurm-collect; unpack it, and name the files"
            );
            return Err(Failure::Input(what));
        }
        let written = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match name(&entry, &written, &mut home) {
            Ok(Some(name)) => {
                let file = format!("{path}/{}", foreign::line(&name, 100));
                take(&mut filling, &file, entry).map_err(failed)??;
            }
            Ok(None) => {}
            Err(why) => filling.leave_out(&format!("{path}/{}", foreign::line(&written, 100)), why),
        }
    }
    Ok(filling.done())
}

/// Returns the name of a file in the archive's folder, or why the entry is not used; `None` for what is no file of its own. The
/// folder is that of the first file.
fn name<R: Read>(
    entry: &Entry<'_, R>,
    written: &str,
    home: &mut Option<PathBuf>,
) -> Result<Option<String>, &'static str> {
    match entry.header().entry_type() {
        EntryType::Regular | EntryType::Continuous => {}
        EntryType::Directory
        | EntryType::XHeader
        | EntryType::XGlobalHeader
        | EntryType::GNULongName
        | EntryType::GNULongLink => return Ok(None),
        EntryType::Symlink | EntryType::Link => return Err("a link, which is not followed"),
        _ => return Err("no plain file"),
    }
    let mut parts = Vec::new();
    for part in Path::new(written).components() {
        match part {
            Component::Normal(part) => parts.push(part),
            Component::CurDir => {}
            _ => return Err("its path leads out of the archive"),
        }
    }
    let Some(last) = parts.pop() else { return Err("it has no name") };
    let folder: PathBuf = parts.iter().collect();
    if *home.get_or_insert_with(|| folder.clone()) != folder {
        return Err("in another folder than the first file");
    }
    Ok(Some(last.to_string_lossy().into_owned()))
}

/// Takes a file of an archive: to its end if it is of the installation.
fn take<R: Read>(
    filling: &mut Filling,
    name: &str,
    mut entry: Entry<'_, R>,
) -> io::Result<Result<(), Failure>> {
    let mut bytes = Vec::new();
    (&mut entry).take(LONG as u64).read_to_end(&mut bytes)?;
    let is_long = bytes.len() == LONG;
    // A line that is cut off says nothing.
    let whole =
        bytes.iter().rposition(|&byte| byte == b'\n').filter(|_| is_long).map_or(bytes.len(), |at| at + 1);
    let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
    let beginning = SystemFile { name: name.into(), text };
    let is_whole = |read: usize| read as u64 == entry.size();
    if !is_long && !is_whole(bytes.len()) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let rest = || -> Result<String, Failure> {
        let most = (MOST_OF_FOLDER + 1) as u64;
        let wrong = |error: io::Error| Failure::Input(format!("{name}: {error}"));
        (&mut entry).take(most).read_to_end(&mut bytes).map_err(wrong)?;
        if (bytes.len() as u64) < entry.size().min(most) {
            return Err(wrong(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(filling.take(beginning, rest).map(|kind| {
        let why = match kind {
            FolderFile::Log => "a log of jobs: unpack it, and give it as the LOG or with --history",
            FolderFile::Queue => "a queue: unpack it, and give it as the LOG of when or priorities",
            FolderFile::Other => "output of Slurm that is not read with --slurm",
            FolderFile::Unknown => "not recognised",
            FolderFile::Read(_) | FolderFile::Missing => return,
        };
        filling.leave_out(name, why);
    }))
}

/// Opens a file, packed by gzip or not. Readers of logs refuse archives, so this does not use them.
fn opened(path: &str) -> io::Result<Box<dyn Read>> {
    let mut file = BufReader::new(File::open(path)?);
    let is_packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}
