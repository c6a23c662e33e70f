//! The application: logs read, prepared, shaped and replayed as options ask, for the command line and for Python.
//!
//! The command line parses words and prints, Python makes frames; both set the same [`options`] and call the same functions of
//! this room. `options` has what may be asked and `settings` what was; `logs` opens logs, `scenario` makes jobs and a machine of
//! one, `replays` replays it, `experiments` runs files of many, `tuning` searches for a policy, and `calls` does each of these for a program. `texts` reads other
//! files whole, and `overwriting` keeps outputs off the files that are read. The room has no words of a shell and no terminal:
//! notes and progress go to an [`Observer`].

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "fields set by options are described by the help of their rows, and failures say what was wrong"
)]

pub mod calls;
pub(crate) mod experiments;
pub(crate) mod failure;
pub(crate) mod logs;
pub(crate) mod observer;
pub mod options;
pub(crate) mod overwriting;
pub(crate) mod replays;
pub(crate) mod scenario;
pub(crate) mod settings;
pub(crate) mod texts;
pub(crate) mod tuning;

pub use failure::Failure;
pub use observer::Observer;
pub use options::Given;
