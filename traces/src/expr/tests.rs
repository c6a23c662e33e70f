//! What the language means, by example and against a naive interpreter.

mod errors;
mod sample;
mod values;
