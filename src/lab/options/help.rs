//! The long helps of options, which describe a file.

pub const MACHINE: [&str; 2] = [
    "A description of the machine, node by node (TOML); or a platform of SimGrid (XML), a system of AccaSim (JSON), machines of Alea",
    include_str!("help/machine.txt").trim_ascii_end(),
];

pub const LIMITS: [&str; 2] = [
    "Limits on what users, groups, accounts, partitions, queues and service classes may use (TOML)",
    include_str!("help/limits.txt").trim_ascii_end(),
];

pub const PRIORITIES: [&str; 2] = [
    "Tiers of jobs, and which jobs take processors from running ones (TOML)",
    include_str!("help/priorities.txt").trim_ascii_end(),
];

pub const CALENDAR: [&str; 2] = [
    "When parts of the machine are out of service: outages, drains, maintenance, caps (TOML), or a failure log",
    include_str!("help/calendar.txt").trim_ascii_end(),
];

pub const SLURM: [&str; 2] = [
    "A file of a Slurm installation (slurm.conf, topology.conf, the output of scontrol or sacctmgr), or a folder or tar archive of \
     them, as slurm-collect makes. May be given several times",
    include_str!("help/slurm.txt").trim_ascii_end(),
];
