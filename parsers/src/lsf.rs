//! Accounting logs of LSF: `lsb.acct`.
//!
//! Source: "lsb.acct" in the IBM Spectrum LSF configuration reference, versions 6.2 to 10.1. One `JOB_FINISH` event
//! is a job; its fields are separated by blanks, strings are in quotes with inner quotes doubled, and lists follow
//! their length, so that a field is found by counting.
//!
//! * Submission, start and end are `submitTime`, `startTime` and the time of the event; a start of 0 stands for
//!   never. The run time is end − start, suspensions included.
//! * Requested processors are `numProcessors`; the allocated ones are the execution hosts, one name per slot or,
//!   with `SHORT_EVENTFILE`, `16*host`.
//! * The requested time is `runLimit`, which is not where the reference says in every version: of the two numbers
//!   before the average memory the one that is whole minutes counts. Where there is none, `#BSUB -W` in the
//!   command does.
//! * Requested memory and GPUs come of `rusage[mem=...,ngpus_physical=...]` in the effective requirements, else in
//!   the user's, and are those of each host, in MB unless a unit is given: the default of LSF, a guess here.
//! * CPU time is `ru_utime` + `ru_stime` and used memory `maxRMem`, shared among the allocated processors.
//! * The group is the project; the application is the job's name, else its command.
//! * Status: DONE is completed; EXIT is cancelled if the job never started or owner or administrator killed it
//!   (`exitInfo`), else failed.

pub mod kinds;

mod job;
mod layout;
mod reader;
mod request;
mod words;

pub use reader::SPEC;
