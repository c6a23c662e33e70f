//! Failures of plug-ins.

use batchlab_traces::nearest::meant;

/// A plug-in misbehaved, or gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its parts are")]
pub enum Fault {
    #[error(
        "the plug-in speaks version {given} of the interface, and this program version {wanted}; rebuild it \
            with this program's header or module"
    )]
    Version { given: String, wanted: u32 },
    #[error("the plug-in has no usable `{name}`: {why}")]
    Function { name: String, why: String },
    #[error("the plug-in trapped in `{during}`: {why}")]
    Trapped { during: &'static str, why: String },
    #[error("the plug-in did not come to an end in `{during}` within {limit}; {option} allows more")]
    Endless { during: &'static str, limit: String, option: &'static str },
    #[error("the plug-in wants more memory than {limit}; {option} allows more")]
    Memory { limit: String, option: &'static str },
    #[error("the plug-in wants to be woken at more than {most} instants to come; ask for the next one only")]
    Wakes { most: usize },
    #[error("the plug-in's answer to `{during}` cannot be used: {why}")]
    Answer { during: &'static str, why: String },
    #[error("the plug-in ended in the middle of `{during}`: {how}")]
    Died { during: &'static str, how: String },
    #[error(
        "another replay of this program uses {endpoint}; write {{endpoint}} in the command, so that each has its own, or \
            replay on one thread"
    )]
    Taken { endpoint: String },
    #[error("the plug-in was not loaded: nothing here starts a process or loads a library")]
    Shut,
    #[error("the plug-in gave up: {0}")]
    GaveUp(String),
    #[error("verbs of the plug-in were refused {rounds} times in one decision; the last refusal: {last}")]
    Stubborn { rounds: usize, last: String },
}

/// Why a plug-in cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its parts are")]
pub enum LoadError {
    #[error("{path}: {why}{there}")]
    Missing { path: String, why: String, there: String },
    #[error("{path} is no plug-in for `{carrier}`: {why}")]
    Foreign { path: String, carrier: &'static str, why: String },
    #[error("{path} holds no policy called `{given}`{}; it holds: {has}", meant(.nearest.as_deref()))]
    Unknown { path: String, given: String, nearest: Option<String>, has: String },
    #[error("{path} holds several policies: {has}; say which, as in {carrier}:{path}#{first}")]
    Several { carrier: &'static str, path: String, has: String, first: String },
    #[error("{path} describes itself wrongly: {why}")]
    Description { path: String, why: String },
    #[error("{path} is native code, which can do anything that you can; allow it with --allow-native")]
    Native { path: String },
    #[error(
        "`{command}` would be started as a process, which can do anything that you can; allow it with --allow-exec"
    )]
    Exec { command: String },
    #[error("{path}: {fault}")]
    Fault { path: String, fault: Fault },
}

impl LoadError {
    /// Whether the plug-in is at fault, rather than its user.
    pub fn is_fault(&self) -> bool {
        matches!(self, LoadError::Fault { .. } | LoadError::Description { .. })
    }
}
