//! A log as a scenario: its jobs on a machine, as options or the files of a Slurm installation describe it.

pub(crate) mod foreign_machines;
pub(crate) mod from_log;
pub(crate) mod installation;
pub(crate) mod job;
pub(crate) mod ready_log;
