//! Tests of external policies, carrier by carrier, in replays and on the command line.

mod batsim;
mod conform;
pub mod exec;
pub mod native;
mod page;
mod rust;
#[cfg(feature = "wasm")]
pub mod wasm;
