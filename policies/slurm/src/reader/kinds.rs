//! The kinds of findings about the files of an installation.

use batchlab_traces::kinds;

kinds! {
    INCLUDE: Warning "slurm-include",
        "{file|files} included by slurm.conf that {is|are} not there",
        "{its|their} settings have their defaults",
        "give {it|them} with --slurm, too: an included file is looked for by its name among the files of --slurm, and \
         beside the file that includes it; links are not followed";
    TEMPLATE: Warning "slurm-template",
        "{placeholder or statement|placeholders or statements} of a template in slurm.conf",
        "left out, and the whole line where a placeholder stands for its name: such nodes and partitions are missing",
        "give the slurm.conf that the site runs; the output of `scontrol show node` with --slurm adds the nodes in service";
    REFUSED: Warning "slurm-line-refused",
        "{part of a line|parts of lines} for which slurmctld would refuse slurm.conf",
        "left out; the rest of the line is read",
        "write Key=Value, lists without blanks, and one setting on a line; put # before remarks";
    SCRIPTS: Note "slurm-scripts",
        "{program|programs} that Slurm runs before or after each job",
        "{it takes|they take} no time in the replay",
        "if nodes stay busy after a job, say for how long: --slurm-delays complete=2s";
    NAMED_ONLY: Warning "slurm-partition-named",
        "{partition that is|partitions that are} known by `scontrol show node` only",
        "{it has its|they have their} nodes, and the default of each setting: no limits, one tier",
        "give the file with the PartitionName lines, or the output of `scontrol show partition`, with --slurm, too";
    NODE_DIFFERS: Warning "slurm-node-differs",
        "{node|nodes} with other processors or memory in `scontrol show node` than in slurm.conf",
        "slurm.conf holds",
        "give the slurm.conf of the time of the log";
    UNREAD: Warning "slurm-file-unread",
        "{file|files} of --slurm, or parts of {it|them}, that the program does not read",
        "left out; what each is, and what is read instead, is beside it",
        "leave {it|them} out, or give what is read instead";
    RESERVATION_NODES: Warning "slurm-reservation-nodes",
        "{row|rows} of sacctmgr show reservation without nodes",
        "left out, where scontrol show reservation has none of the name either",
        "write the table with its nodes: sacctmgr -P show reservation format=Cluster,Name,TRES,TimeStart,TimeEnd,NodeNames,Flags";
    OTHER_CLUSTER: Note "slurm-other-cluster",
        "{row|rows} of sacctmgr show reservation about another cluster of the database",
        "left out",
        "sacctmgr -P show reservation cluster=NAME shows those of one cluster";
    UNKNOWN: Warning "slurm-setting-unknown",
        "{setting|settings} that Slurm does not know",
        "ignored, as slurmctld ignores unknown parameters or refuses to start",
        "correct the name";
    UNSUPPORTED: Warning "slurm-setting-unsupported",
        "{setting|settings} that the policy `slurm` does not follow",
        "ignored; what each would change is beside it",
        "compare with what really happened: batchlab slurm-check LOG --slurm FILE";
    VALUE: Warning "slurm-setting-value",
        "{setting|settings} with a value that Slurm would not accept",
        "the default holds",
        "correct the value";
    TWICE: Warning "slurm-setting-twice",
        "{setting|settings} given again with another value",
        "the last one holds",
        "leave one of them out, or the older of two files";
    VERSION: Note "slurm-version-assumed",
        "installation without a version",
        "the defaults of the version beside it hold",
        "give the output of `scontrol show config` with --slurm, too, or --slurm-version 22.05";
    NO_ASSOCIATIONS: Warning "slurm-no-associations",
        "installation that ranks by fairshare, without associations",
        "all users of all accounts have equal shares",
        "give the output of `sacctmgr -P show assoc` or of `sacctmgr dump CLUSTER` with --slurm, too";
    TREE_GUESSED: Warning "slurm-tree-guessed",
        "{account|accounts} without users in a table that does not tell which accounts are above which",
        "taken for the accounts above those that follow, as sacctmgr lists them; if they are not, fair share is wrong",
        "give the output of `sacctmgr dump CLUSTER`, of `sshare -a -l -P`, or of `sacctmgr -P show assoc` with the column \
         ParentName";
    NO_QOS: Note "slurm-no-qos",
        "installation that ranks or preempts by QOS, without a list of them",
        "every QOS has priority 0, preempts none and limits nothing",
        "give the output of `sacctmgr -P show qos` with --slurm, too";
    NODE_OUT: Warning "slurm-node-out",
        "{node|nodes} that slurm.conf has as down or planned (State=DOWN, FUTURE and the like, DownNodes)",
        "left out of the machine",
        "give the slurm.conf of the time of the log if jobs ran there";
    NO_NODE: Warning "slurm-node-undefined",
        "{node|nodes} that {is|are} named and not defined by a NodeName line",
        "left out",
        "add the line, or correct the name";
    NO_SWITCHES: Warning "slurm-no-switches",
        "installation that places jobs by a tree of switches, without switches",
        "jobs are placed as without a topology",
        "give topology.conf, or the output of `scontrol show topology`, with --slurm, too";
    TWO_LEAVES: Warning "slurm-two-leaves",
        "{node|nodes} on two leaf switches",
        "{it counts|they count} for both, as slurmctld has it",
        "correct topology.conf unless the node has two connections";
    NO_LEAF: Warning "slurm-no-leaf",
        "{node|nodes} on no leaf switch",
        "no job that is placed by the tree gets {it|them}, as under slurmctld",
        "add {it|them} to topology.conf";
    NO_ROOT: Note "slurm-no-root",
        "tree of switches in which no switch reaches all nodes",
        "each job stays below one of the top switches",
        "add a switch above them to topology.conf if jobs may span them";
}
