//! Policies from outside, carrier by carrier, in replays and in the hands of a user.

#[cfg(feature = "wasm")]
mod wasm;
