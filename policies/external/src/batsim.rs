//! The carrier `batsim`: a scheduler that was written for the simulator Batsim.
//!
//! The program speaks Batsim's protocol as the simulator does: version 4 (JSON), or version 5 with messages in JSON, both over
//! ZeroMQ's sockets of request and reply. A scheduler is started once for each replay, with the containment of `exec`: time-outs,
//! the end of all its processes, the last lines of its output. `policies/abi/BATSIM.md` lists all messages and their effects.
//!
//! A scheduler sees hosts, which are processors here: those of a pool, or those of all nodes, numbered consecutively. It may
//! do what a replay can do. Messages that need a model of the network, of storage or of power, and jobs that a scheduler
//! registers itself, are refused by name.
//!
//! The wire protocol ([`zmtp`]) is implemented here, since a request and its reply need 200 lines of it: the crates that
//! implement all of ZeroMQ build a C++ library, or an asynchronous runtime, and none of them waits for a socket, a child
//! and its standard error with one deadline.

mod books;
mod floor;
mod hosts;
mod link;
pub mod news;
mod socket;
mod talk;
pub mod v4;
pub mod v5;
mod values;
mod version;
pub mod zmtp;

use super::process::{MEMORY, TIMEOUT, TOTAL};
use batchlab_contract::plugin::Carrier;
use batchlab_contract::spec::{ParamKind, ParamSpec};
pub use hosts::HostSet;
pub use news::{News, Stamped, Wish};
pub use socket::{Endpoint, Socket};
pub use version::BatsimVersion;

/// The carrier's entry for specs and listings.
pub const CARRIER: Carrier = Carrier {
    name: "batsim",
    subject: "(COMMAND ARGUMENTS)",
    ends: &[],
    summary: "a scheduler written for the simulator Batsim, as a command or at an endpoint; it can do anything that you can",
    contained: false,
    allowed: "by --allow-exec where a file names the command (an experiment, a file of steps); a command that is typed needs \
                 no option",
    params: &[TIMEOUT, TOTAL, MEMORY, PROTOCOL, ENDPOINT, PROFILES, INIT],
    load: talk::load,
};

const PROTOCOL: ParamSpec = ParamSpec {
    name: "protocol",
    kind: ParamKind::Choice(&["4", "5"]),
    default: "4",
    help: "version of Batsim whose messages are exchanged; those of 5 are JSON",
    ..ParamSpec::PLAIN
};

const ENDPOINT: ParamSpec = ParamSpec {
    name: "endpoint",
    kind: ParamKind::Text,
    default: "auto",
    help: "where the scheduler listens: tcp://127.0.0.1:PORT or ipc://FILE; auto puts a free one in the place of {endpoint} in \
           the command, and is tcp://127.0.0.1:28000 for a command without it",
    ..ParamSpec::PLAIN
};

const PROFILES: ParamSpec = ParamSpec {
    name: "profiles",
    kind: ParamKind::Choice(&["none", "forward"]),
    default: "none",
    help: "whether the scheduler gets the profile of a job, a delay of its run time: forward makes it clairvoyant",
    ..ParamSpec::PLAIN
};

const INIT: ParamSpec = ParamSpec {
    name: "init",
    kind: ParamKind::Text,
    default: r#"{"format_json": true}"#,
    help: "what a scheduler of version 5 gets to begin with; in parentheses if it has commas",
    ..ParamSpec::PLAIN
};
