//! The forms in which tables are written.

pub mod csv;
mod form;
pub mod html;
pub mod json;
pub mod latex;
pub mod markdown;
mod registry;
pub mod terminal;
pub mod wrap;

pub use form::{Style, WriterSpec};
pub use registry::{UnknownFormat, WRITERS, writer};
