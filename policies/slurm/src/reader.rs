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
//! | changes | lines of slurmctld's log | when reservations were made, changed and removed, when nodes began to drain, and how jobs were changed |
//!
//! The content of a file as a whole decides its kind. Other files of Slurm, such as `gres.conf`, are named and not read; logs of
//! jobs and states of nodes are refused. Later files win over earlier ones.
//!
//! Source: `slurm.conf(5)`, `scontrol(1)`, `sacctmgr(1)` of versions 20.11 to 25.05, and their output under 22.05.8.

mod bounds;
mod build;
mod changes;
mod conf;
mod file;
pub mod folder;
mod gather;
mod grammar;
mod history;
mod job_changes;
mod judge;
pub mod kinds;
mod known;
mod listing;
mod merged;
mod node;
pub mod nodes;
mod overlay;
mod partitions;
mod printed;
mod priority;
mod recognise;
mod reservations;
mod sacctmgr;
mod settings;
mod shown;
mod sort;
mod sprio;
mod topology;
mod values;

use crate::site::SlurmSystem;
use batchlab_traces::Findings;

use file::place;
pub use file::{SystemError, SystemFile};
pub use gather::Includes;
use gather::gather;
pub use listing::{Listing, SettingFate, SettingRow, listing};
pub use overlay::Setting;
pub use sort::replaces;
pub use sprio::{FACTORS, PriorityRow, PriorityTable, priority_table, share_table};

/// Reads an installation from its files, in their order, and single settings that replace settings of the files; O(text), with
/// O(nodes) for each partition.
///
/// `includes` opens files that others include; the reader opens none.
///
/// # Errors
/// At the first line that Slurm itself would refuse, with its place; in strict mode, at the first warning.
pub fn read_system(
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

#[cfg(test)]
mod tests;
