//! The kinds of findings about the files of an installation.

use batchlab_traces::finding::{Kind, Level};

/// A file that another one includes and that was not found.
pub static INCLUDE: Kind = Kind {
    code: "slurm-include",
    level: Level::Warning,
    what: "{file|files} included by slurm.conf that {is|are} not there",
    done: "{its|their} settings have their defaults",
    advice: "give {it|them} with --slurm, too: an included file is looked for by its name among the files of --slurm, and \
             beside the file that includes it; links are not followed",
};

/// A setting that looks like a misspelling.
pub static UNKNOWN: Kind = Kind {
    code: "slurm-setting-unknown",
    level: Level::Warning,
    what: "{setting|settings} that Slurm does not know",
    done: "ignored, as slurmctld ignores unknown parameters or refuses to start",
    advice: "correct the name",
};

/// A setting that is not followed.
pub static UNSUPPORTED: Kind = Kind {
    code: "slurm-setting-unsupported",
    level: Level::Warning,
    what: "{setting|settings} that the policy `slurm` does not follow",
    done: "ignored; what each would change is beside it",
    advice: "compare with what really happened: batchlab slurm-check LOG --slurm FILE",
};

/// A value that cannot be read.
pub static VALUE: Kind = Kind {
    code: "slurm-setting-value",
    level: Level::Warning,
    what: "{setting|settings} with a value that Slurm would not accept",
    done: "the default holds",
    advice: "correct the value",
};

/// A setting given more than once, with different values.
pub static TWICE: Kind = Kind {
    code: "slurm-setting-twice",
    level: Level::Warning,
    what: "{setting|settings} given again with another value",
    done: "the last one holds",
    advice: "leave one of them out, or the older of two files",
};

/// No file states the version.
pub static VERSION: Kind = Kind {
    code: "slurm-version-assumed",
    level: Level::Note,
    what: "installation without a version",
    done: "the defaults of the version beside it hold",
    advice: "give the output of `scontrol show config` with --slurm, too, or a line `SLURM_VERSION = 22.05.8`",
};

/// Fairshare without associations.
pub static NO_ASSOCIATIONS: Kind = Kind {
    code: "slurm-no-associations",
    level: Level::Warning,
    what: "installation that ranks by fairshare, without associations",
    done: "all users of all accounts have equal shares",
    advice: "give the output of `sacctmgr -P show assoc` or of `sacctmgr dump CLUSTER` with --slurm, too",
};

/// A node that a partition names and no line defines.
pub static NO_NODE: Kind = Kind {
    code: "slurm-node-undefined",
    level: Level::Warning,
    what: "{node|nodes} that {is|are} named and not defined by a NodeName line",
    done: "left out",
    advice: "add the line, or correct the name",
};
