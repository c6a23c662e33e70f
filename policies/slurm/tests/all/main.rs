//! Integration tests of the reader of Slurm's files.
#![expect(clippy::unwrap_used, reason = "tests panic when they fail")]

mod bounds;
mod notations;
