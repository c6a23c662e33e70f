//! Policies from outside the program: WebAssembly modules, shared libraries, child processes.
//!
//! All carriers exchange the same information, that of [`batchlab_contract::plugin`].
//!
//! The binary layout for WebAssembly modules and shared libraries is in [`abi`] and the header
//! `policies/abi/batchlab.h`. To add a carrier: one file, one line in [`CARRIERS`], and its name in the list
//! known to specs. [`serve`] is the other direction: the program as the scheduler of a simulator of others.
//!
//! Specs in files are not trusted. The command line has a registry for typed specs, which may start processes; one for specs
//! of files, which may do so only with `--allow-exec`; and one that opens nothing (`Opens`), for verbs that replay nothing.
//! Specs of files may lower the limits of plug-ins but not raise them (`--allow-limit`). Texts of plug-ins reach a terminal
//! only through `batchlab_traces::foreign`, which makes them safe and short.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "for this program only: what names and types say is not repeated"
)]
#![cfg_attr(
    not(any(unix, windows)),
    allow(dead_code, reason = "no carrier is left where there are no processes and libraries")
)]

pub mod abi;
#[cfg(unix)]
pub mod batsim;
mod beside;
mod carriers;
mod ceilings;
#[cfg(unix)]
pub mod process;
pub mod serve;
#[cfg(any(unix, windows))]
mod shared;
#[cfg(feature = "wasm")]
mod wasm;

pub use batchlab_contract::plugin::{
    About, Allowed, Asked, Asks, Begin, Carrier, Conversation, FACTS, Fault, GuestKind, GuestParam, Library,
    LoadError, Loaded, Opens, ParamValue, Plugin, ToldJob, Verb, devices_json, is_process, machine_json,
    param_values, starts_process,
};
pub use carriers::{CARRIERS, carrier, carrier_of_file};
pub use ceilings::{Ceilings, Raised};
