//! Tests of external policies, carrier by carrier, in replays and on the command line.

mod batsim;
mod conform;
pub mod exec;
pub mod native;
mod page;
mod rust;
#[cfg(feature = "wasm")]
pub mod wasm;

/// Tests that wait until a time limit wait together.
#[test]
fn those_that_do_not_come_to_an_end() {
    exec::together(&[&exec::hostile::silence, &batsim::hostile::silence, &batsim::hostile::floods]);
}
