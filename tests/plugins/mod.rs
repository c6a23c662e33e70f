//! Policies from outside, carrier by carrier, in replays and in the hands of a user.

pub mod exec;
pub mod native;
mod page;
mod wasm;
