//! Policies from outside the program: WebAssembly modules, shared libraries, child processes.
//!
//! All carriers exchange the same information. A plug-in *describes* its policies ([`About`]): name, kind,
//! parameters, needs. A replay *begins* one ([`Begin`]) and gets a [`Conversation`]. A plug-in of kind
//! `order` returns scores by which a queue is ranked. A plug-in of kind `policy` gets the events of each
//! decision ([`Asked`]) and answers with [`Verb`]s, which are checked and applied as those of any policy.
//! Failures are reported as [`Fault`]s.
//!
//! The binary layout for WebAssembly modules and shared libraries is in [`abi`] and the header
//! `policies/abi/batchlab.h`. To add a carrier: one file, one line in [`CARRIERS`], and its name in the list
//! known to specs.
//!
//! Specs in files are not trusted. The command line has a registry for typed specs, which may start processes; one for specs
//! of files, which may do so only with `--allow-exec`; and one that opens nothing (`Opens`), for verbs that replay nothing.
//! Specs of files may lower the limits of plug-ins but not raise them (`--allow-limit`). Texts of plug-ins reach a terminal
//! only through `batchlab_traces::foreign`, which makes them safe and short.

#![cfg_attr(
    not(any(unix, windows)),
    allow(dead_code, reason = "no carrier is left where there are no processes and libraries")
)]

pub mod abi;
mod about;
#[cfg(unix)]
pub mod batsim;
mod beside;
mod carried;
mod carrier;
mod carriers;
mod ceilings;
mod conversation;
mod fault;
pub(crate) mod intern;
mod machine;
#[cfg(unix)]
pub mod process;
mod said;
#[cfg(any(unix, windows))]
mod shared;
mod told;
mod verb;
#[cfg(feature = "wasm")]
mod wasm;

pub use about::{About, Asks, GuestKind, GuestParam};
pub(crate) use carried::spec;
pub use carrier::{Allowed, Carrier, Library, Loaded, Opens, Plugin};
pub use carriers::CARRIERS;
pub use ceilings::{Ceilings, Raised};
pub use conversation::{Asked, Begin, Conversation};
pub use fault::{Fault, LoadError};
pub use machine::{ParamValue, devices_json, machine_json, param_values};
pub use told::{FACTS, ToldJob};
pub use verb::Verb;
