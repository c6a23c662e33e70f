//! The files that describe a Slurm installation: `slurm.conf`, and what `scontrol` and `sacctmgr` print of it.
//!
//! | file | made by | what is read |
//! |---|---|---|
//! | `slurm.conf` | the site | nodes, partitions, scheduler, priority, selection; `include` |
//! | settings | `scontrol show config` | the same settings, with defaults spelled out, and the version |
//! | partitions, reservations | `scontrol show partition`, `… reservation` | what is in force |
//! | nodes | `scontrol show node` | nodes that `slurm.conf` does not define |
//! | associations, service classes | `sacctmgr -P show assoc`, `… show qos` | shares, priorities, limits |
//! | usage | `sshare -a -l -P` | what slurmctld has counted at the instant of a queue |
//! | `topology.conf`, or its switches in force | the site, `scontrol show topology` | switches, and the nodes of each |
//! | a dump | `sacctmgr dump CLUSTER` | the tree of accounts and users |
//! | events | `sacctmgr show event` | when nodes were down or drained |
//! | past reservations | `sacctmgr -P show reservation` | reservations with the times that they came to have |
//!
//! The content of a file as a whole decides its kind. Other files of Slurm, such as `gres.conf`, are named and not read; logs of
//! jobs and states of nodes are refused. Later files win over earlier ones.
//!
//! Source: `slurm.conf(5)`, `scontrol(1)`, `sacctmgr(1)` of versions 20.11 to 25.05, and their output under 22.05.8.

mod bounds;
mod build;
mod conf;
mod file;
pub mod folder;
mod grammar;
mod history;
mod judge;
pub mod kinds;
mod known;
mod listing;
mod node;
pub mod nodes;
mod overlay;
mod partitions;
mod printed;
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

use conf::RefusedKind;
use file::{MOST, place};
pub use file::{SystemError, SystemFile};
use grammar::Statement;
pub use listing::{Listing, SettingFate, SettingRow, listing};
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
    let (mut statements, accounts, history) = gather(files, includes, findings)?;
    overlay::apply(&mut statements, settings);
    history.merge(&mut statements, findings)?;
    let begin = files.first().map(|file| place(&file.name, 1, 1));
    let system = build::system(&statements, accounts, begin, findings)?;
    Ok(history.kept(system))
}

/// Returns the statements of files, in their order, and what `sacctmgr` printed of accounts and of the past.
fn gather(
    files: &[SystemFile],
    includes: Includes<'_>,
    findings: &mut Findings,
) -> Result<(Vec<Statement>, sacctmgr::Accounts, history::History), SystemError> {
    let mut statements = Vec::new();
    let mut accounts = sacctmgr::Accounts::default();
    let mut history = history::History::default();
    let mut extent = Extent { files: 0, bytes: 0, left: MOST };
    for file in files {
        match SlurmFileKind::of(&file.text) {
            SlurmFileKind::Associations => accounts.associations(file)?,
            SlurmFileKind::Usage => accounts.usage(file)?,
            SlurmFileKind::Qos => accounts.qos(file)?,
            SlurmFileKind::Dump => accounts.dump(file)?,
            SlurmFileKind::Events => history.events(file, findings)?,
            SlurmFileKind::PastReservations => history.reservations(file)?,
            SlurmFileKind::Settings => statements.extend(grammar::settings(file, &mut extent.left)?),
            SlurmFileKind::Records => statements.extend(grammar::records(file, &mut extent.left)?),
            SlurmFileKind::Nodes => statements.extend(shown::nodes(file, &mut extent.left)?),
            SlurmFileKind::Configuration => {
                let begin = statements.len();
                configuration(file, includes, findings, &mut statements, (0, &mut extent))?;
                if !statements.iter().skip(begin).any(build::is_followed) {
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
    Ok((statements, accounts, history))
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
    let read = conf::configuration(file, &mut extent.left)?;
    for refused in read.refused {
        let kind = if refused.kind == RefusedKind::Template { &kinds::TEMPLATE } else { &kinds::REFUSED };
        findings.report(kind, || Example { place: Some(refused.place), detail: refused.what })?;
    }
    for line in read.lines {
        let Some(path) = line.include else {
            statements.push(line.statement);
            continue;
        };
        let place = line.statement.place;
        let path = match included_path(path, statements) {
            Ok(path) => path,
            Err(detail) => {
                findings.report(&kinds::INCLUDE, || Example { place: Some(place), detail })?;
                continue;
            }
        };
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

/// Returns the path of an included file with the name of the cluster, in lower case, for `%c`; what is wrong with a path that
/// Slurm does not take.
fn included_path(path: String, statements: &[Statement]) -> Result<String, String> {
    if path.contains('*') {
        return Err(format!("{path}: Slurm takes no patterns"));
    }
    if !path.contains("%c") {
        return Ok(path);
    }
    let name = statements.iter().rev().find_map(|statement| statement.get("clustername"));
    let name = name.ok_or_else(|| format!("{path}: no ClusterName before this line, for %c"))?;
    Ok(path.replace("%c", &name.value.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests;
