//! The script that collects, on a cluster, what a replay of its installation needs.
//!
//! It runs under any POSIX shell, reads only, and writes one new folder. What a version of Slurm lacks (columns of `sacct`,
//! `squeue --json`) is left out and noted in a file, which the reader of the folder turns into a finding.
//!
//! Source: the options of `sacct`, `sacctmgr`, `scontrol`, `squeue`, `sinfo`, `sprio`, `sshare` and `sdiag` of Slurm 20.11 to 25.11.

use batchlab_parsers::slurm::{COLLECTED, OF_LATER_VERSIONS, collected_names};

use crate::reader::folder::MISSING;

/// The script, with names in `@` where the command line or a list decides.
const SCRIPT: &str = include_str!("collect.sh");

const SQUEUE: &str = "JobID:|,ArrayJobID:|,ArrayTaskID:|,UserName:|,Account:|,Partition:|,QOS:|,State:|,Reason:|,SubmitTime:|,\
                      StartTime:|,TimeUsed:|,TimeLimit:|,NumCPUs:|,NumNodes:|,tres-alloc:|,tres-per-job:|,tres-per-node:|,\
                      tres-per-socket:|,tres-per-task:|,Feature:|,OverSubscribe:|,Dependency:|,Reservation:|,NodeList:|,Name:|";

/// What the script takes unless its own arguments say otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// The time span of the accounting: days, or a date `YYYY-MM-DD`.
    pub since: String,
    /// The folder; named by date and time if empty.
    pub folder: String,
    /// Whether the folder becomes an archive.
    pub tar: bool,
}

impl Collection {
    /// Returns the script; `version` is that of the program.
    pub fn script(&self, version: &str) -> String {
        let last = COLLECTED.last().map_or("", |column| column.name);
        let names = collected_names();
        let first = names.strip_suffix(last).unwrap_or(&names);
        let columns = format!("{first}{},{last}", OF_LATER_VERSIONS.join(","));
        let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        let values = [
            ("@VERSION@", version.to_owned()),
            ("@SINCE@", quoted(&self.since)),
            ("@FOLDER@", quoted(&self.folder)),
            ("@TAR@", if self.tar { "yes" } else { "no" }.to_owned()),
            ("@MISSING@", MISSING.to_owned()),
            ("@SQUEUE@", SQUEUE.to_owned()),
            ("@COLUMNS@", columns),
            ("@LATER@", OF_LATER_VERSIONS.join(",")),
        ];
        values.iter().fold(SCRIPT.to_owned(), |script, (name, value)| script.replace(name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_open_and_the_freest_text_is_last() {
        let collection = Collection { since: "14".into(), folder: "it's".into(), tar: true };
        let script = collection.script("1.0");
        // The arguments of a function of the shell are no placeholder.
        let open = script.lines().find(|line| line.replace("\"$@\"", "").contains('@'));
        assert_eq!(open, None);
        assert!(script.contains("since='14'\nfolder='it'\\''s'\npack=yes\n"));
        assert!(script.contains("wanted='JobID,JobIDRaw,"));
        assert!(script.contains(",Cluster,Exclusive,OverSubscribe,SubmitLine'\n"));
    }
}
