//! The meaning of the language, by example and compared with a naive interpreter.

mod chance;
mod errors;
mod limits;
mod naive;
mod page;
mod places;
mod properties;
mod registries;
mod sample;
mod tables;
mod trees;
mod values;
