//! Failures of plug-ins.

use batchlab_traces::nearest::meant;

/// A plug-in misbehaved, or gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It speaks another version.
    #[error(
        "the plug-in speaks version {given} of the interface, and this program version {wanted}; rebuild it \
            with this program's header or module"
    )]
    Version {
        /// The plug-in's.
        given: String,
        /// The program's.
        wanted: u32,
    },
    /// It lacks a function, or has one of another type.
    #[error("the plug-in has no usable `{name}`: {why}")]
    Function {
        /// The function.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// It stopped where it must not.
    #[error("the plug-in trapped in `{during}`: {why}")]
    Trapped {
        /// The function, or the message.
        during: &'static str,
        /// The message of the carrier.
        why: String,
    },
    /// It computed for longer than allowed.
    #[error("the plug-in did not come to an end in `{during}` within {limit}; {option} allows more")]
    Endless {
        /// The function, or the message.
        during: &'static str,
        /// The limit.
        limit: String,
        /// The option that allows more.
        option: &'static str,
    },
    /// It wanted more memory than allowed.
    #[error("the plug-in wants more memory than {limit}; {option} allows more")]
    Memory {
        /// The limit.
        limit: String,
        /// The option that allows more.
        option: &'static str,
    },
    /// It asked to be woken too often.
    #[error("the plug-in wants to be woken at more than {most} instants to come; ask for the next one only")]
    Wakes {
        /// The most instants that may be pending.
        most: usize,
    },
    /// Its answer cannot be understood.
    #[error("the plug-in's answer to `{during}` cannot be used: {why}")]
    Answer {
        /// The function, or the message.
        during: &'static str,
        /// What is wrong with the answer.
        why: String,
    },
    /// It ended, or closed its output.
    #[error("the plug-in ended in the middle of `{during}`: {how}")]
    Died {
        /// The message.
        during: &'static str,
        /// How it ended, and its last output.
        how: String,
    },
    /// Its endpoint is in use.
    #[error(
        "another replay of this program uses {endpoint}; write {{endpoint}} in the command, so that each has its own, or \
            replay on one thread"
    )]
    Taken {
        /// The endpoint.
        endpoint: String,
    },
    /// It was not opened.
    #[error("the plug-in was not loaded: nothing here starts a process or loads a library")]
    Shut,
    /// It reported a failure of its own.
    #[error("the plug-in gave up: {0}")]
    GaveUp(String),
    /// It keeps answering refusals with verbs that are refused.
    #[error("verbs of the plug-in were refused {rounds} times in one decision; the last refusal: {last}")]
    Stubborn {
        /// The number of refused rounds.
        rounds: usize,
        /// The last refusal.
        last: String,
    },
}

/// Why a plug-in cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The file does not exist, or cannot be read.
    #[error("{path}: {why}{there}")]
    Missing {
        /// The file.
        path: String,
        /// Why it cannot be read.
        why: String,
        /// The plug-ins in the folder instead, as the end of the sentence.
        there: String,
    },
    /// The file is not a plug-in of this carrier.
    #[error("{path} is no plug-in for `{carrier}`: {why}")]
    Foreign {
        /// The file, or the command.
        path: String,
        /// The carrier.
        carrier: &'static str,
        /// What the file is, and what was expected.
        why: String,
    },
    /// It has no policy of this name.
    #[error("{path} holds no policy called `{given}`{}; it holds: {has}", meant(.nearest.as_deref()))]
    Unknown {
        /// The file.
        path: String,
        /// The name given.
        given: String,
        /// The nearest name.
        nearest: Option<String>,
        /// All names.
        has: String,
    },
    /// It has several policies, and the spec names none.
    #[error("{path} holds several policies: {has}; say which, as in {carrier}:{path}#{first}")]
    Several {
        /// The carrier.
        carrier: &'static str,
        /// The file.
        path: String,
        /// All names.
        has: String,
        /// The first.
        first: String,
    },
    /// Its description is invalid.
    #[error("{path} describes itself wrongly: {why}")]
    Description {
        /// The file.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// Shared libraries were not allowed.
    #[error("{path} is native code, which can do anything that you can; allow it with --allow-native")]
    Native {
        /// The file.
        path: String,
    },
    /// Processes were not allowed.
    #[error(
        "`{command}` would be started as a process, which can do anything that you can; allow it with --allow-exec"
    )]
    Exec {
        /// The command.
        command: String,
    },
    /// It misbehaved while it was being loaded.
    #[error("{path}: {fault}")]
    Fault {
        /// The file, or the command.
        path: String,
        /// The fault.
        fault: Fault,
    },
}

impl LoadError {
    /// Whether the plug-in is at fault, rather than its user.
    pub fn is_fault(&self) -> bool {
        matches!(self, LoadError::Fault { .. } | LoadError::Description { .. })
    }
}
