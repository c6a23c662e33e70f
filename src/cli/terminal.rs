//! The terminal: results, findings, progress, and Ctrl-C.

pub mod form;
pub mod interrupt;
pub mod progress;
pub mod rounds;
pub mod tell;
pub mod text;
