//! A folder of `--slurm`: the files of an installation in it.

use std::path::{Path, PathBuf};

use batchlab_parsers::Input;
use batchlab_slurm::reader::SystemFile;
use batchlab_slurm::reader::folder::{FolderFile, MOST_OF_FOLDER, absent, missing};
use batchlab_traces::SourcePlace;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::finding::{Example, Findings, Refusal};
use batchlab_traces::kinds;

use crate::lab::Failure;
use crate::lab::texts::read_text;

kinds! {
    ABSENT: Note "slurm-files-absent",
        "{folder|folders} of --slurm without files of the installation",
        "{it is|they are} read without; what each file is for is beside it",
        "write them: `batchlab slurm-collect` prints a script that does";
    UNKNOWN: Note "slurm-folder-unknown",
        "{file|files} in a folder of --slurm that {is|are} no output of Slurm",
        "left out",
        "give {it|them} with --slurm FILE if {it is a file|they are files} of the installation";
    NOT_COLLECTED: Note "slurm-not-collected",
        "{command|commands} of the script of slurm-collect that failed",
        "what {it|they} would have written is missing",
        "run the script where the commands are allowed (an operator's account), or write the files otherwise";
    UNUSED: Note "slurm-archive-unused",
        "{entry|entries} in an archive of --slurm that {is|are} not read from there",
        "left out; what each is, is beside it",
        "unpack the archive (tar -xf) to give {it|them} otherwise";
}

/// The most files of a folder, and entries of an archive.
pub(super) const MOST: usize = 1000;

/// The bytes from which on a beginning may not be the whole file.
pub(super) const LONG: usize = 16 << 10;

#[derive(Default)]
pub struct SlurmFolder {
    path: String,
    /// The files of the installation: those that win over others come last.
    pub files: Vec<SystemFile>,
    pub log: Option<PathBuf>,
    /// What runs and waits; the form with most values.
    pub queue: Option<PathBuf>,
    missing: Vec<String>,
    unknown: Vec<String>,
    /// The entries of an archive that are not used, with the reason.
    unused: Vec<(String, &'static str)>,
}

/// The files that are read of a folder or an archive, one after the other.
pub(super) struct Filling {
    folder: SlurmFolder,
    read: Vec<(FolderFile, SystemFile)>,
    bytes: usize,
    /// Whether it is an archive; each unused entry of an archive gets a finding.
    is_archive: bool,
}

impl Filling {
    pub(super) fn of(path: &str, is_archive: bool) -> Filling {
        let folder = SlurmFolder { path: path.to_owned(), ..SlurmFolder::default() };
        Filling { folder, read: Vec::new(), bytes: 0, is_archive }
    }

    /// Takes a file by its beginning, and reads the `whole` text if it is of the installation. Of one name the last one counts. Returns
    /// what the file is.
    pub(super) fn take(
        &mut self,
        beginning: SystemFile,
        whole: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<FolderFile, Failure> {
        let kind = FolderFile::of(&beginning);
        if let FolderFile::Missing | FolderFile::Read(_) = kind {
            let text = whole()?;
            self.bytes += text.len();
            if self.bytes > MOST_OF_FOLDER {
                let (path, most) = (&self.folder.path, MOST_OF_FOLDER >> 20);
                let what = format!("{path}: more than {most} MiB of files of an installation");
                return Err(Failure::Input(what));
            }
            self.read.retain(|(_, known)| known.name != beginning.name);
            self.read.push((kind, SystemFile { text, ..beginning }));
        }
        Ok(kind)
    }

    pub(super) fn leave_out(&mut self, name: &str, why: &'static str) {
        self.folder.unused.push((name.to_owned(), why));
    }

    /// Returns the folder: of files in the place of each other it has the first one by name.
    pub(super) fn done(mut self) -> SlurmFolder {
        self.read
            .arrange_by(|(kind, file), (other, of_other)| (kind, &file.name).cmp(&(other, &of_other.name)));
        let mut folder = self.folder;
        for (kind, file) in self.read {
            if kind == FolderFile::Missing {
                folder.missing = missing(&file.text).collect();
            } else if !folder.files.iter().any(|known| FolderFile::is_same(known, &file)) {
                folder.files.push(file);
            } else if self.is_archive {
                folder.unused.push((file.name.to_string(), "another file is in its place"));
            }
        }
        folder
    }
}

impl SlurmFolder {
    /// Reads a folder; links in it are not followed, nor folders in it.
    pub fn read(path: &str) -> Result<SlurmFolder, Failure> {
        let mut filling = Filling::of(path, false);
        for file in regular(path)? {
            let Ok(beginning) = beginning(&file) else {
                filling.folder.unknown.push(file.to_string_lossy().into_owned());
                continue;
            };
            let (name, is_json) = (beginning.name.to_string(), beginning.text.starts_with('{'));
            let kind = filling.take(beginning, || read_text(&file))?;
            let folder = &mut filling.folder;
            match kind {
                FolderFile::Log if folder.log.is_none() => folder.log = Some(file),
                FolderFile::Queue if folder.queue.is_none() || is_json => folder.queue = Some(file),
                FolderFile::Unknown => folder.unknown.push(name),
                _ => {}
            }
        }
        Ok(filling.done())
    }

    /// Reports what the folder lacks, and what of it is not read.
    pub fn report(&self, files: &[SystemFile], findings: &mut Findings) -> Result<(), Refusal> {
        let place = |name: &str| Some(SourcePlace { file: name.into(), line: 0, column: 0 });
        let absent = absent(files);
        if !absent.is_empty() {
            let example = || Example { place: place(&self.path), detail: absent.join("; ") };
            findings.report(&ABSENT, example)?;
        }
        if !self.missing.is_empty() {
            let example = || Example { place: place(&self.path), detail: self.missing.join("; ") };
            findings.report_many(&NOT_COLLECTED, self.missing.len() as u64, example)?;
        }
        for name in &self.unknown {
            findings.report(&UNKNOWN, || Example { place: place(name), detail: "not recognised".into() })?;
        }
        for (name, why) in &self.unused {
            findings.report(&UNUSED, || Example { place: place(name), detail: (*why).into() })?;
        }
        Ok(())
    }
}

fn regular(path: &str) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| Failure::Input(format!("{path}: {error}"));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            files.push(entry.path());
        }
        if files.len() > MOST {
            return Err(Failure::Input(format!(
                "{path}: more than {MOST} files: it is no folder of slurm-collect; name the files one by one"
            )));
        }
    }
    files.sort();
    Ok(files)
}

fn beginning(path: &Path) -> Result<SystemFile, Failure> {
    let mut stream = Input::open(path)?.stream()?;
    let bytes = stream.peek()?;
    // A line that the buffer cuts off says nothing.
    let end = bytes.iter().rposition(|&byte| byte == b'\n').filter(|_| bytes.len() >= LONG);
    let text =
        String::from_utf8_lossy(bytes.get(..=end.unwrap_or(bytes.len())).unwrap_or(bytes)).into_owned();
    Ok(SystemFile { name: path.to_string_lossy().as_ref().into(), text })
}
