//! The carrier `exec`: a child process that speaks JSON, one message per line.
//!
//! The protocol is in `policies/abi/PROTOCOL.md`, which tests check. A command is started once to describe
//! itself and once for each replay. It is one policy: an argument of the command selects among several, as
//! with any program, so a child that describes more than one is refused.
//!
//! Every answer has a time-out. This is the only place where the policies read a clock, and it only decides
//! when to give up on a child. A child ends with its conversation, and so does every process that it
//! started: on Linux regardless of its process group, on other systems unless it has left the child's
//! process group. Where the program itself is killed, a shell beside it ends them.

mod channel;
pub(super) mod command;
#[cfg(target_os = "linux")]
mod descendants;
mod group;
mod guard;
mod hear;
pub(super) mod tail;
mod talk;
mod tell;
pub(super) mod watched;

use batchlab_contract::plugin::Carrier;
use batchlab_contract::spec::{ParamKind, ParamSpec};
#[cfg(target_os = "linux")]
pub use descendants::adopt;
pub use group::{Still, kill_all};
pub use hear::{Message, read as read_message};

/// Version of the protocol.
pub const VERSION: u32 = 1;

/// The carrier's entry for specs and listings.
pub const CARRIER: Carrier = Carrier {
    name: "exec",
    subject: "(COMMAND ARGUMENTS)",
    ends: &[],
    summary: "a child process in any language, which speaks JSON lines; it can do anything that you can",
    contained: false,
    allowed: "by --allow-exec where a file names the command (an experiment, a file of steps); a command that is typed needs \
                 no option",
    params: &[TIMEOUT, TOTAL, MEMORY],
    load: talk::load,
};

pub(super) const TIMEOUT: ParamSpec = ParamSpec {
    name: "timeout",
    kind: ParamKind::Duration,
    default: "10s",
    help: "how long each answer of the child may take, its start included; none waits forever",
    ..ParamSpec::PLAIN
};

pub(super) const TOTAL: ParamSpec = ParamSpec {
    name: "total",
    default: "none",
    help: "how long a whole replay may take; none sets no limit",
    ..TIMEOUT
};

pub(super) const MEMORY: ParamSpec = ParamSpec {
    name: "memory",
    kind: ParamKind::Count { least: 1, infinite: true },
    default: "4096",
    help: "MiB that each process of the child may allocate, on Linux only; inf sets no limit",
    ..ParamSpec::PLAIN
};
