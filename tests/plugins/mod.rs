//! Policies from outside, carrier by carrier, in replays and in the hands of a user.

mod conform;
pub mod exec;
pub mod native;
mod page;
mod rust;
#[cfg(feature = "wasm")]
pub mod wasm;
