//! The kinds of findings about the files of an installation.

use batchlab_traces::finding::{Kind, Level};

pub static INCLUDE: Kind = Kind {
    code: "slurm-include",
    level: Level::Warning,
    what: "{file|files} included by slurm.conf that {is|are} not there",
    done: "{its|their} settings have their defaults",
    advice: "give {it|them} with --slurm, too: an included file is looked for by its name among the files of --slurm, and \
             beside the file that includes it; links are not followed",
};

pub static TEMPLATE: Kind = Kind {
    code: "slurm-template",
    level: Level::Warning,
    what: "{placeholder or statement|placeholders or statements} of a template in slurm.conf",
    done: "left out, and the whole line where a placeholder stands for its name: such nodes and partitions are missing",
    advice: "give the slurm.conf that the site runs; the output of `scontrol show node` with --slurm adds the nodes in service",
};

pub static REFUSED: Kind = Kind {
    code: "slurm-line-refused",
    level: Level::Warning,
    what: "{part of a line|parts of lines} for which slurmctld would refuse slurm.conf",
    done: "left out; the rest of the line is read",
    advice: "write Key=Value, lists without blanks, and one setting on a line; put # before remarks",
};

pub static SCRIPTS: Kind = Kind {
    code: "slurm-scripts",
    level: Level::Note,
    what: "{program|programs} that Slurm runs before or after each job",
    done: "{it takes|they take} no time in the replay",
    advice: "if nodes stay busy after a job, say for how long: --slurm-delays complete=2s",
};

pub static NAMED_ONLY: Kind = Kind {
    code: "slurm-partition-named",
    level: Level::Warning,
    what: "{partition that is|partitions that are} known by `scontrol show node` only",
    done: "{it has its|they have their} nodes, and the default of each setting: no limits, one tier",
    advice: "give the file with the PartitionName lines, or the output of `scontrol show partition`, with --slurm, too",
};

pub static NODE_DIFFERS: Kind = Kind {
    code: "slurm-node-differs",
    level: Level::Warning,
    what: "{node|nodes} with other processors or memory in `scontrol show node` than in slurm.conf",
    done: "slurm.conf holds",
    advice: "give the slurm.conf of the time of the log",
};

pub static UNREAD: Kind = Kind {
    code: "slurm-file-unread",
    level: Level::Warning,
    what: "{file|files} of --slurm, or parts of {it|them}, that the program does not read",
    done: "left out; what each is, and what is read instead, is beside it",
    advice: "leave {it|them} out, or give what is read instead",
};

pub static RESERVATION_NODES: Kind = Kind {
    code: "slurm-reservation-nodes",
    level: Level::Warning,
    what: "{row|rows} of sacctmgr show reservation without nodes",
    done: "left out, where scontrol show reservation has none of the name either",
    advice: "write the table with its nodes: sacctmgr -P show reservation format=Cluster,Name,TRES,TimeStart,TimeEnd,NodeNames,Flags",
};

pub static OTHER_CLUSTER: Kind = Kind {
    code: "slurm-other-cluster",
    level: Level::Note,
    what: "{row|rows} of sacctmgr show reservation about another cluster of the database",
    done: "left out",
    advice: "sacctmgr -P show reservation cluster=NAME shows those of one cluster",
};

pub static UNKNOWN: Kind = Kind {
    code: "slurm-setting-unknown",
    level: Level::Warning,
    what: "{setting|settings} that Slurm does not know",
    done: "ignored, as slurmctld ignores unknown parameters or refuses to start",
    advice: "correct the name",
};

pub static UNSUPPORTED: Kind = Kind {
    code: "slurm-setting-unsupported",
    level: Level::Warning,
    what: "{setting|settings} that the policy `slurm` does not follow",
    done: "ignored; what each would change is beside it",
    advice: "compare with what really happened: batchlab slurm-check LOG --slurm FILE",
};

pub static VALUE: Kind = Kind {
    code: "slurm-setting-value",
    level: Level::Warning,
    what: "{setting|settings} with a value that Slurm would not accept",
    done: "the default holds",
    advice: "correct the value",
};

pub static TWICE: Kind = Kind {
    code: "slurm-setting-twice",
    level: Level::Warning,
    what: "{setting|settings} given again with another value",
    done: "the last one holds",
    advice: "leave one of them out, or the older of two files",
};

pub static VERSION: Kind = Kind {
    code: "slurm-version-assumed",
    level: Level::Note,
    what: "installation without a version",
    done: "the defaults of the version beside it hold",
    advice: "give the output of `scontrol show config` with --slurm, too, or --slurm-version 22.05",
};

pub static NO_ASSOCIATIONS: Kind = Kind {
    code: "slurm-no-associations",
    level: Level::Warning,
    what: "installation that ranks by fairshare, without associations",
    done: "all users of all accounts have equal shares",
    advice: "give the output of `sacctmgr -P show assoc` or of `sacctmgr dump CLUSTER` with --slurm, too",
};

pub static TREE_GUESSED: Kind = Kind {
    code: "slurm-tree-guessed",
    level: Level::Warning,
    what: "{account|accounts} without users in a table that does not tell which accounts are above which",
    done: "taken for the accounts above those that follow, as sacctmgr lists them; if they are not, fair share is wrong",
    advice: "give the output of `sacctmgr dump CLUSTER`, of `sshare -a -l -P`, or of `sacctmgr -P show assoc` with the column \
             ParentName",
};

pub static NO_QOS: Kind = Kind {
    code: "slurm-no-qos",
    level: Level::Note,
    what: "installation that ranks or preempts by QOS, without a list of them",
    done: "every QOS has priority 0, preempts none and limits nothing",
    advice: "give the output of `sacctmgr -P show qos` with --slurm, too",
};

pub static NODE_OUT: Kind = Kind {
    code: "slurm-node-out",
    level: Level::Warning,
    what: "{node|nodes} that slurm.conf has as down or planned (State=DOWN, FUTURE and the like, DownNodes)",
    done: "left out of the machine",
    advice: "give the slurm.conf of the time of the log if jobs ran there",
};

pub static NO_NODE: Kind = Kind {
    code: "slurm-node-undefined",
    level: Level::Warning,
    what: "{node|nodes} that {is|are} named and not defined by a NodeName line",
    done: "left out",
    advice: "add the line, or correct the name",
};

pub static NO_SWITCHES: Kind = Kind {
    code: "slurm-no-switches",
    level: Level::Warning,
    what: "installation that places jobs by a tree of switches, without switches",
    done: "jobs are placed as without a topology",
    advice: "give topology.conf, or the output of `scontrol show topology`, with --slurm, too",
};

pub static TWO_LEAVES: Kind = Kind {
    code: "slurm-two-leaves",
    level: Level::Warning,
    what: "{node|nodes} on two leaf switches",
    done: "{it counts|they count} for both, as slurmctld has it",
    advice: "correct topology.conf unless the node has two connections",
};

pub static NO_LEAF: Kind = Kind {
    code: "slurm-no-leaf",
    level: Level::Warning,
    what: "{node|nodes} on no leaf switch",
    done: "no job that is placed by the tree gets {it|them}, as under slurmctld",
    advice: "add {it|them} to topology.conf",
};

pub static NO_ROOT: Kind = Kind {
    code: "slurm-no-root",
    level: Level::Note,
    what: "tree of switches in which no switch reaches all nodes",
    done: "each job stays below one of the top switches",
    advice: "add a switch above them to topology.conf if jobs may span them",
};
