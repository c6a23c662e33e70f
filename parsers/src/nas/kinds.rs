//! Findings about logs of the iPSC/860.

use batchlab_traces::{Kind, Level};

/// A line that is not a record.
pub static NO_RECORD: Kind = Kind {
    code: "nas-no-record",
    level: Level::Warning,
    what: "{line that is not a|lines that are not a} record",
    done: "left out",
    advice: "correct the line: user, command, nodes, seconds, month/day/year, hour:minute:second",
};

/// A record that is not a job.
pub static SPECIAL: Kind = Kind {
    code: "nas-special-record",
    level: Level::Note,
    what: "special {record|records}: without nodes, or of an outage",
    done: "kept as {a comment|comments} among the jobs, at {its|their} time",
    advice: "nothing; the archive's conversion drops them",
};

/// A job size that a hypercube does not have.
pub static ODD_SIZE: Kind = Kind {
    code: "nas-odd-size",
    level: Level::Warning,
    what: "{job|jobs} whose number of nodes is not a power of two up to 128",
    done: "kept",
    advice: "look at the log: a hypercube is divided into smaller ones",
};
