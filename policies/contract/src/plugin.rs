//! Policies from outside the program: what they describe, hear and answer, however they are carried.
//!
//! A plug-in *describes* its policies ([`About`]): name, kind, parameters, needs. A replay *begins* one ([`Begin`]) and gets a
//! [`Conversation`]. A plug-in of kind `order` returns scores by which a queue is ranked. A plug-in of kind `policy` gets the
//! events of each decision ([`Asked`]) and answers with [`Verb`]s, which are checked and applied as those of any policy.
//! Failures are reported as [`Fault`]s. A [`Carrier`] loads plug-ins of one kind.

mod about;
mod carried;
mod carrier;
mod conversation;
mod fault;
mod intern;
mod library;
mod machine;
mod said;
mod told;
mod verb;

pub use about::{About, Asks, GuestKind, GuestParam};
pub use carried::spec;
pub use carrier::{Allowed, Carrier, Loaded, Opens, is_process, starts_process};
pub use conversation::{Asked, Begin, Conversation, ParamValue};
pub use fault::{Fault, LoadError};
pub use intern::intern;
pub use library::{Library, Plugin};
pub use machine::{devices_json, machine_json, param_values};
pub use said::one_line;
pub use told::{FACTS, ToldJob};
pub use verb::Verb;
