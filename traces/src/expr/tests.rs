//! What the language means, by example and against a naive interpreter.

mod chance;
mod errors;
mod limits;
mod naive;
mod page;
mod places;
mod printing;
mod properties;
mod registries;
mod sample;
mod tables;
mod trees;
mod values;
