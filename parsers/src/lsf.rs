//! Accounting logs of LSF: `lsb.acct`.
//!
//! Source: "lsb.acct" in the IBM Spectrum LSF configuration reference, versions 6.2 to 10.1. One `JOB_FINISH`
//! event is a job. Its fields are separated by blanks, strings are in quotes with inner quotes doubled, and
//! each list follows its length, so a field is found by counting.
//!
//! * Submission, start and end are `submitTime`, `startTime` and the time of the event; a start of 0 means
//!   never. The run time is end − start, suspensions included.
//! * Requested processors are `numProcessors`. Allocated processors are the execution hosts, one name per
//!   slot or, with `SHORT_EVENTFILE`, `16*host`.
//! * The requested time is `runLimit`, whose position differs between versions: of the two numbers before the
//!   average memory, the one in whole minutes is used. If neither is, `#BSUB -W` in the command is used.
//! * Requested memory and GPUs are taken from `rusage[mem=...,ngpus_physical=...]` in the effective
//!   requirements, else in the user's requirements. They are amounts per host, in MB unless a unit is given:
//!   MB is LSF's default and an assumption here.
//! * CPU time is `ru_utime` + `ru_stime` and used memory `maxRMem`, shared among the allocated processors.
//! * The group is the project; the application is the job's name, else its command.
//! * Status: DONE is completed. EXIT is cancelled if the job never started or if its owner or an
//!   administrator killed it (`exitInfo`), else failed.

pub mod kinds;

mod job;
mod layout;
mod reader;
mod request;
mod words;

pub use reader::SPEC;
