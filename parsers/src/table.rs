//! Tables with one job per line, whose columns a mapping file describes.
#![doc = ""]
#![doc = include_str!("../MAPPINGS.md")]

mod amount;
mod compile;
mod constant;
mod draft;
mod error;
mod fill;
mod likeness;
mod mapping;
mod nodespec;
mod raw;
mod read;
mod reader;
mod split;
mod target;
#[cfg(test)]
mod tests;
mod time_format;
mod words;

pub mod kinds;
pub mod paragon;
pub mod shipped;

pub use error::MappingError;
pub use mapping::Mapping;
pub use shipped::{MAPPING, mapping_file, takes_mapping};
