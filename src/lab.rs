//! The application: logs read, prepared, shaped and replayed as options ask, for whoever calls it.
//!
//! The command line parses words and prints, Python makes frames; both set the same [`options`] and call the same functions of
//! this room. It knows neither the words of a shell nor a terminal: what there is to say on the way, an [`Observer`] is told.

pub mod calls;
pub mod experiments;
pub mod failure;
pub mod files;
pub mod given;
pub mod inputs;
pub mod installation;
pub mod job;
pub mod limits;
pub mod measure;
pub mod observer;
pub mod options;
pub mod output;
pub mod parse;
pub mod plugins;
pub mod prepare;
pub mod prepared;
pub mod redact;
pub mod replaying;
pub mod results;
pub mod rules;
pub mod schedules;
pub mod settings;
pub mod shaping;
pub mod source;
pub mod stream;
pub mod watch;
pub mod workloads;

pub use failure::Failure;
pub use given::Given;
pub use observer::Observer;
