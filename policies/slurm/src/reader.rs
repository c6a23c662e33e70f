//! The files that describe a Slurm installation: `slurm.conf`, and what `scontrol` and `sacctmgr` print of it.
//!
//! | file | made by | what is read |
//! |---|---|---|
//! | `slurm.conf` | the site | nodes, partitions, scheduler, priority, selection; `include` |
//! | settings | `scontrol show config` | the same settings, with defaults spelled out, and the version |
//! | partitions, reservations | `scontrol show partition`, `… reservation` | what is in force |
//! | associations, service classes | `sacctmgr -P show assoc`, `… show qos` | shares, priorities, limits |
//! | usage | `sshare -a -l -P` | what slurmctld has counted at the instant of a queue |
//! | `topology.conf`, or its switches in force | the site, `scontrol show topology` | switches, and the nodes of each |
//! | a dump | `sacctmgr dump CLUSTER` | the tree of accounts and users |
//!
//! The content of a file as a whole decides its kind. Other files of Slurm, such as `gres.conf`, are named and not read; logs of
//! jobs and states of nodes are refused. Later files win over earlier ones.
//!
//! Source: `slurm.conf(5)`, `scontrol(1)`, `sacctmgr(1)` of versions 20.11 to 25.05, and their output under 22.05.8.

mod bounds;
mod build;
mod file;
mod grammar;
pub mod kinds;
mod node;
pub mod nodes;
mod overlay;
mod partitions;
mod priority;
mod recognise;
mod reservations;
mod sacctmgr;
mod shown;
mod sort;
mod sprio;
mod topology;
mod values;

use crate::site::SlurmSystem;
use batchlab_traces::located::LocatedError;
use batchlab_traces::{Example, Findings, Refusal};

use file::{MOST, place};
pub use file::{SystemError, SystemFile};
use grammar::Statement;
pub use overlay::Setting;
use recognise::SlurmFileKind;
pub use sort::replaces;
pub use sprio::{FACTORS, PriorityRow, PriorityTable, priority_table, share_table};

/// Finds the file that another one includes: the name of the including file, and the path as written.
pub type Includes<'a> = &'a mut dyn FnMut(&str, &str) -> Option<SystemFile>;

/// How deeply files may include each other.
const DEEPEST: usize = 8;

/// The most files that are included, each counted as often as it is.
const MOST_INCLUDED: usize = 1000;

/// The most bytes of included files together.
const MOST_TEXT: usize = 64 << 20;

/// What has been read so far.
struct Extent {
    /// Included files, and their bytes.
    files: usize,
    bytes: usize,
    /// How many settings more may be read.
    left: usize,
}

/// Reads an installation from its files, in their order; O(text), with O(nodes) for each partition.
///
/// `includes` opens files that others include; the reader opens none.
///
/// # Errors
/// At the first line that Slurm itself would refuse, with its place; in strict mode, at the first warning.
pub fn read_system(
    files: &[SystemFile],
    includes: Includes<'_>,
    findings: &mut Findings,
) -> Result<SlurmSystem, SystemError> {
    read_system_with(files, &[], includes, findings)
}

/// As [`read_system`], with single settings in the place of those of the files.
///
/// # Errors
/// As [`read_system`].
pub fn read_system_with(
    files: &[SystemFile],
    settings: &[Setting],
    includes: Includes<'_>,
    findings: &mut Findings,
) -> Result<SlurmSystem, SystemError> {
    let mut statements = Vec::new();
    let mut accounts = sacctmgr::Accounts::default();
    let mut extent = Extent { files: 0, bytes: 0, left: MOST };
    for file in files {
        match SlurmFileKind::of(&file.text) {
            SlurmFileKind::Associations => accounts.associations(file)?,
            SlurmFileKind::Usage => accounts.usage(file)?,
            SlurmFileKind::Qos => accounts.qos(file)?,
            SlurmFileKind::Dump => accounts.dump(file)?,
            SlurmFileKind::Settings => statements.extend(grammar::settings(file, &mut extent.left)?),
            SlurmFileKind::Records => statements.extend(grammar::records(file, &mut extent.left)?),
            SlurmFileKind::Configuration => {
                let begin = statements.len();
                configuration(file, includes, findings, &mut statements, (0, &mut extent))?;
                if !statements[begin..].iter().any(build::is_followed) {
                    unread(file, "settings of which none is followed", findings)?;
                }
            }
            SlurmFileKind::Nothing => {}
            SlurmFileKind::Unread(what) => unread(file, what, findings)?,
            SlurmFileKind::Foreign(what) => {
                return Err(LocatedError { place: place(&file.name, 0, 0), what }.into());
            }
        }
    }
    accounts.complete();
    overlay::apply(&mut statements, settings);
    let begin = files.first().map(|file| place(&file.name, 1, 1));
    build::system(&statements, accounts, begin, findings)
}

/// Reports a file that is not read.
fn unread(file: &SystemFile, what: &str, findings: &mut Findings) -> Result<(), Refusal> {
    let detail = what.to_owned();
    findings.report(&kinds::UNREAD, || Example { place: Some(place(&file.name, 0, 0)), detail })
}

/// Adds the statements of a `slurm.conf`, and of the files that it includes.
fn configuration(
    file: &SystemFile,
    includes: Includes<'_>,
    findings: &mut Findings,
    statements: &mut Vec<Statement>,
    (depth, extent): (usize, &mut Extent),
) -> Result<(), SystemError> {
    for line in grammar::configuration(file, &mut extent.left)? {
        let Some(path) = line.include else {
            statements.push(line.statement);
            continue;
        };
        let place = line.statement.place;
        if depth == DEEPEST {
            let what = format!("files include each other more than {DEEPEST} deep");
            return Err(LocatedError { place, what }.into());
        }
        let other = includes(&file.name, &path);
        extent.files += 1;
        extent.bytes += other.as_ref().map_or(0, |other| other.text.len());
        if extent.files > MOST_INCLUDED || extent.bytes > MOST_TEXT {
            let what = format!("more than {MOST_INCLUDED} files, or {} MiB, are included", MOST_TEXT >> 20);
            return Err(LocatedError { place, what }.into());
        }
        match other {
            Some(other) => match SlurmFileKind::of(&other.text) {
                SlurmFileKind::Unread(what) => unread(&other, what, findings)?,
                _ => configuration(&other, includes, findings, statements, (depth + 1, &mut *extent))?,
            },
            None => findings.report(&kinds::INCLUDE, || Example { place: Some(place), detail: path })?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
