//! The flat interface of WebAssembly modules and shared libraries, version 1.
//!
//! The records have a fixed layout without pointers: little-endian, every record a multiple of 8 bytes,
//! positions counted in bytes from the beginning. Thus a module's memory and a library get the same bytes.
//! The header `policies/abi/batchlab.h` declares the same records in C; a test compares the two.

mod answer;
mod more;
mod setup;
mod state;
#[cfg(test)]
mod tests;

pub use answer::{answer_bytes, read_answer};
pub use setup::write_setup;
pub use state::write_state;

pub const VERSION: u32 = 1;

/// The most verbs in one answer.
pub const MOST_VERBS: u32 = 1 << 20;

/// The functions that a plug-in exports, by their names in errors.
pub mod functions {
    /// `uint32_t batchlab_version(void)`
    pub const VERSION: &str = "batchlab_version";
    /// `const char *batchlab_describe(void)`
    pub const DESCRIBE: &str = "batchlab_describe";
    /// `batchlab_policy *batchlab_init(const batchlab_setup *)`
    pub const INIT: &str = "batchlab_init";
    /// `const char *batchlab_fault(batchlab_policy *)`
    pub const FAULT: &str = "batchlab_fault";
    /// `const double *batchlab_order(batchlab_policy *, const double *columns, uint32_t rows)`
    pub const ORDER: &str = "batchlab_order";
    /// `const batchlab_answer *batchlab_decide(batchlab_policy *, const batchlab_state *)`
    pub const DECIDE: &str = "batchlab_decide";
    /// `void batchlab_deinit(batchlab_policy *)`
    pub const DEINIT: &str = "batchlab_deinit";
    /// `void *batchlab_room(uint32_t bytes)`: only in modules
    pub const ROOM: &str = "batchlab_room";
}

/// Kinds of events.
pub mod events {
    /// A job arrived; its record is among the jobs.
    pub const SUBMITTED: u32 = 1;
    /// The resources of a job are already free; the job ends within this instant.
    pub const RELEASED: u32 = 2;
    pub const FINISHED: u32 = 3;
    pub const KILLED: u32 = 4;
    pub const DISPLACED: u32 = 5;
    pub const WOKE: u32 = 6;
    pub const LOADED: u32 = 8;
    pub const REFUSED: u32 = 7;
    /// The capacity has changed, or a coming change is known since now; only for a policy that asks for it.
    pub const CAPACITY: u32 = 9;
}

/// What had to happen to a job on which another depended.
pub mod milestones {
    pub const START: u32 = 1;
    pub const END: u32 = 2;
}

/// Kinds of verbs.
pub mod verbs {
    pub const START: u32 = 1;
    /// Place a job, at `value` parts of full speed; its shares follow.
    pub const PLACE: u32 = 2;
    /// A share of the preceding placement: `value` processors on node `job`.
    pub const SHARE: u32 = 3;
    /// Run a job at `value` parts of full speed.
    pub const RATE: u32 = 4;
    /// Run only the jobs that follow.
    pub const RUN_ONLY: u32 = 5;
    /// A job of the preceding row.
    pub const ROW: u32 = 6;
    /// Take a job off the machine; its progress is kept if `value` is not 0.
    pub const DISPLACE: u32 = 7;
    pub const KILL: u32 = 8;
    /// Request a decision at `value`.
    pub const WAKE: u32 = 9;
    /// Expect a job to run for `value` in total.
    pub const EXPECT: u32 = 10;
    /// Promise a job a start no later than `value`.
    pub const PROMISE: u32 = 11;
}

/// Why a verb was refused, as the `value` of its event.
pub mod reasons {
    pub const OVERSUBSCRIBED: i64 = 1;
    /// The job is in a state that does not allow the verb.
    pub const STATE: i64 = 2;
    /// The placement does not cover the job, names a node twice, splits a task, or uses nodes of another partition.
    pub const PLACEMENT: i64 = 3;
    pub const PAST: i64 = 4;
    pub const UNDECLARED: i64 = 5;
}

/// Two 32-bit numbers, the first at the lower address.
fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) | u64::from(second) << 32
}

/// Appends a text with its terminating zero, padded with zeros to whole words.
fn push_text(words: &mut Vec<u64>, text: &[u8]) {
    let mut bytes = text.to_vec();
    bytes.push(0);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        words.push(u64::from_le_bytes(word));
    }
}
