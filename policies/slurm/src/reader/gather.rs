//! The statements of all files of an installation, in their order, with the statements of included files.

use batchlab_traces::located::LocatedError;
use batchlab_traces::{Example, Findings, Refusal};
use thiserror::Error;

use super::conf::{self, RefusedKind};
use super::file::{MOST, SystemError, SystemFile, example, place};
use super::grammar::{self, Statement};
use super::history::History;
use super::recognise::SlurmFileKind;
use super::sacctmgr::Accounts;
use super::settings::is_followed;
use super::{kinds, shown};

/// Finds the file that another one includes: the name of the including file, and the path as written.
pub type Includes<'a> = &'a mut dyn FnMut(&str, &str) -> Option<SystemFile>;

/// How deeply files may include each other.
const DEEPEST: usize = 8;

/// The most files that are included, each counted as often as it is.
const MOST_INCLUDED: usize = 1000;

/// The most bytes of included files together.
pub(super) const MOST_TEXT: usize = 64 << 20;

struct Extent {
    files: usize,
    bytes: usize,
    /// How many settings more may be read.
    left: usize,
}

/// Returns the statements of files, in their order, and what `sacctmgr` printed of accounts and of the past.
pub(super) fn gather(
    files: &[SystemFile],
    includes: Includes<'_>,
    findings: &mut Findings,
) -> Result<(Vec<Statement>, Accounts, History), SystemError> {
    let mut statements = Vec::new();
    let mut accounts = Accounts::default();
    let mut history = History::default();
    let mut extent = Extent { files: 0, bytes: 0, left: MOST };
    for file in files {
        match SlurmFileKind::of(&file.text) {
            SlurmFileKind::Associations => accounts.associations(file)?,
            SlurmFileKind::Usage => accounts.usage(file)?,
            SlurmFileKind::Qos => accounts.qos(file)?,
            SlurmFileKind::Dump => accounts.dump(file)?,
            SlurmFileKind::Events => history.events(file, findings)?,
            SlurmFileKind::PastReservations => history.reservations(file)?,
            SlurmFileKind::Changes => history.changes(file),
            SlurmFileKind::Settings => statements.extend(grammar::settings(file, &mut extent.left)?),
            SlurmFileKind::Records => statements.extend(grammar::records(file, &mut extent.left)?),
            SlurmFileKind::Nodes => statements.extend(shown::nodes(file, &mut extent.left)?),
            SlurmFileKind::Configuration => {
                let begin = statements.len();
                configuration(file, includes, findings, &mut statements, (0, &mut extent))?;
                if !statements.iter().skip(begin).any(is_followed) {
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
            Err(wrong) => {
                findings.report(&kinds::INCLUDE, || example(&place, wrong.to_string()))?;
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

/// A path of an included file that Slurm does not take.
#[derive(Debug, Error)]
enum WrongInclude {
    #[error("{0}: Slurm takes no patterns")]
    Pattern(String),
    #[error("{0}: no ClusterName before this line, for %c")]
    NoCluster(String),
}

/// Returns the path of an included file with the name of the cluster, in lower case, for `%c`.
fn included_path(path: String, statements: &[Statement]) -> Result<String, WrongInclude> {
    if path.contains('*') {
        return Err(WrongInclude::Pattern(path));
    }
    if !path.contains("%c") {
        return Ok(path);
    }
    let name = statements.iter().rev().find_map(|statement| statement.get("clustername"));
    match name {
        Some(name) => Ok(path.replace("%c", &name.value.to_ascii_lowercase())),
        None => Err(WrongInclude::NoCluster(path)),
    }
}
