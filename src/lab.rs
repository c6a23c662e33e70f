//! The application: logs read, prepared, shaped and replayed as options ask, for the command line and for Python.
//!
//! The command line parses words and prints, Python makes frames; both set the same [`options`] and call the same functions of
//! this room. It has no words of a shell and no terminal: notes and progress go to an [`Observer`].

pub mod calls;
pub(crate) mod experiments;
pub(crate) mod explaining;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod foreign_machines;
pub(crate) mod given;
pub(crate) mod growing;
pub(crate) mod inputs;
pub(crate) mod installation;
pub(crate) mod job;
pub(crate) mod limits;
pub(crate) mod measure;
pub(crate) mod observer;
pub mod options;
pub(crate) mod output;
pub(crate) mod parse;
pub(crate) mod plugins;
pub(crate) mod prepare;
pub(crate) mod prepared;
pub(crate) mod redact;
pub(crate) mod replaying;
pub(crate) mod results;
pub(crate) mod rules;
pub(crate) mod schedules;
pub(crate) mod settings;
pub(crate) mod shaping;
pub(crate) mod source;
pub(crate) mod stream;
pub(crate) mod watch;
pub(crate) mod workloads;

pub use failure::Failure;
pub use given::Given;
pub use observer::Observer;
