//! The forms in which tables are written.

pub mod csv;
pub mod html;
pub mod json;
pub mod latex;
pub mod markdown;
mod registry;
pub mod terminal;
pub mod wrap;

pub use registry::{Style, UnknownFormat, WRITERS, WriterSpec, writer};
