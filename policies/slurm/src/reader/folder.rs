//! The files of a folder, such as one that the script of `batchlab slurm-collect` filled.

use super::conf;
use super::file::{MOST, SystemFile};
use super::gather::MOST_TEXT;
use super::recognise::{Log, SlurmFileKind, log_of};
use super::settings::is_followed;
use super::sort::Part;

/// The first line of the list of what could not be collected.
pub const MISSING: &str = "# batchlab slurm-collect: commands that failed";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderFile {
    /// A file of an installation; files with a greater number win over files with a smaller one.
    Read(u8),
    Log,
    /// A log of jobs that run and wait.
    Queue,
    /// The list of what could not be collected.
    Missing,
    /// A file of Slurm that is not read here: states of nodes, priorities, and the like.
    Other,
    Unknown,
}

impl FolderFile {
    /// Tells what a file is by its text, or the beginning of it.
    pub fn of(file: &SystemFile) -> FolderFile {
        if file.text.starts_with(MISSING) {
            return FolderFile::Missing;
        }
        if file.text.lines().take(3).any(|line| line.starts_with("sdiag output at")) {
            return FolderFile::Other;
        }
        match log_of(&file.text) {
            Some(Log::Past) => return FolderFile::Log,
            Some(Log::Queue) => return FolderFile::Queue,
            None => {}
        }
        match SlurmFileKind::of(&file.text) {
            SlurmFileKind::Foreign(_) | SlurmFileKind::Unread(_) | SlurmFileKind::Nothing => {
                FolderFile::Other
            }
            SlurmFileKind::Configuration => configuration(file),
            SlurmFileKind::Settings => FolderFile::Read(1),
            _ => FolderFile::Read(2),
        }
    }

    /// Whether a file of a folder is in the place of another one of it: of accounts, of switches and the like one is read.
    pub fn is_same(one: &SystemFile, other: &SystemFile) -> bool {
        let part = Part::of(one);
        part == Part::of(other) && !matches!(part, Part::Configuration | Part::Nodes | Part::Partitions)
    }
}

/// Returns what a text of keys and values is; a wrong line of a `slurm.conf` is left to its reader.
fn configuration(file: &SystemFile) -> FolderFile {
    let mut left = MOST;
    match conf::configuration(file, &mut left) {
        Ok(read) if read.lines.iter().any(|line| line.include.is_some() || is_followed(&line.statement)) => {
            FolderFile::Read(0)
        }
        Ok(_) => FolderFile::Other,
        Err(_) if file.name.ends_with(".conf") => FolderFile::Read(0),
        Err(_) => FolderFile::Unknown,
    }
}

/// The most bytes of the files of a folder together.
pub const MOST_OF_FOLDER: usize = MOST_TEXT;

/// The parts of an installation that an operator should give, with their files, the command that writes each, and what is lost
/// without it.
const WANTED: [(&[Part], &str, &str, &str); 6] = [
    (
        &[Part::Settings],
        "scontrol-config.txt",
        "scontrol show config",
        "the version, and the defaults in force",
    ),
    (
        &[Part::Accounts],
        "assoc.psv",
        "sacctmgr -P show assoc",
        "shares of fairshare, limits of accounts and users",
    ),
    (&[Part::Qos], "qos.psv", "sacctmgr -P show qos", "priorities, limits and preemption by service class"),
    (
        &[Part::Events],
        "events.psv",
        "sacctmgr -P show event",
        "nodes that were down or drained count as in service",
    ),
    (
        &[Part::PastReservations],
        "reservations.psv",
        "sacctmgr -P show reservation",
        "reservations of the past, and how those shown were changed",
    ),
    (
        &[Part::Reservations, Part::PastReservations],
        "scontrol-reservation.txt",
        "scontrol show reservation",
        "reservations to come",
    ),
];

/// Returns what the files of an installation lack: file, command and cost of each.
pub fn absent(files: &[SystemFile]) -> Vec<String> {
    let parts: Vec<Part> = files.iter().map(Part::of).collect();
    let lacks = |(of, ..): &&(&[Part], &str, &str, &str)| !of.iter().any(|part| parts.contains(part));
    let words = |(_, file, command, cost): &(_, &str, &str, &str)| format!("{file} ({command}): {cost}");
    WANTED.iter().filter(lacks).map(words).collect()
}

/// Returns what the list of a script says could not be collected: file, command and error of each.
pub fn missing(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines = text.lines().skip(1).map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| line.split('\t').collect::<Vec<_>>().join(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, text: &str) -> FolderFile {
        FolderFile::of(&SystemFile { name: name.into(), text: text.into() })
    }

    #[test]
    fn files_are_told_by_their_content() {
        let conf = "ClusterName=c\nNodeName=n1 CPUs=2\nPartitionName=p Nodes=ALL\n";
        assert_eq!(of("slurm.conf", conf), FolderFile::Read(0));
        assert_eq!(of("slurm.conf", "NodeName=n1 CPUs=2\nfrobnicate\n"), FolderFile::Read(0), "an error");
        assert_eq!(of("c.txt", "Configuration data as of 2026\nBOOT_TIME = x\n"), FolderFile::Read(1));
        assert_eq!(of("e.txt", "NodeName|TimeStart|TimeEnd|State|Reason\n"), FolderFile::Read(2));
        assert_eq!(of("r.txt", "Name|TimeStart|TimeEnd\n"), FolderFile::Read(2));
        assert_eq!(of("r.txt", "No reservations in the system\n"), FolderFile::Other);
        assert_eq!(of("sacct.txt", "JobID|Submit|Start|End\n"), FolderFile::Log);
        assert_eq!(of("gres.conf", "NodeName=n1 Name=gpu File=/dev/nvidia0\n"), FolderFile::Other);
        assert_eq!(of("cgroup.conf", "ConstrainCores=yes\n"), FolderFile::Other);
        assert_eq!(of("sdiag.txt", "*******************\nsdiag output at Thu\n"), FolderFile::Other);
        assert_eq!(of("notes.txt", "hello, world\n"), FolderFile::Unknown);
        assert_eq!(of("missing.txt", &format!("{MISSING}\nqos.psv\tsacctmgr\tno\n")), FolderFile::Missing);
    }

    #[test]
    fn what_could_not_be_collected_is_named_with_its_error() {
        let text = format!("{MISSING}\nqos.psv\tsacctmgr -P show qos\tConnection refused\n");
        assert_eq!(missing(&text).collect::<Vec<_>>(), ["qos.psv: sacctmgr -P show qos: Connection refused"]);
    }
}
