//! Findings about logs of the iPSC/860.

use batchlab_traces::kinds;

kinds! {
    NO_RECORD: Warning "nas-no-record",
        "{line that is not a|lines that are not a} record",
        "left out",
        "correct the line: user, command, nodes, seconds, month/day/year, hour:minute:second";
    SPECIAL: Note "nas-special-record",
        "special {record|records}: without nodes, or of an outage",
        "kept as {a comment|comments} among the jobs, at {its|their} time",
        "nothing; the archive's conversion drops them";
    ODD_SIZE: Warning "nas-odd-size",
        "{job|jobs} whose number of nodes is not a power of two up to 128",
        "kept",
        "look at the log: a hypercube is divided into smaller ones";
}
