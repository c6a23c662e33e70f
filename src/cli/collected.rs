//! Where the log lies if `--slurm` names a folder that has it, and the command line names none.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::lab::scenario::installation::logs_in;

/// Returns which file of the folders of `--slurm` is the log, if an error says that the log is missing.
pub fn log_told(error: &clap::Error, words: &[OsString]) -> Option<String> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let lacks = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(names) => names.iter().any(|name| name == "<TRACE>"),
        ContextValue::String(name) => name == "<TRACE>",
        _ => false,
    };
    let words: Vec<String> = words.iter().filter_map(|word| word.to_str().map(str::to_owned)).collect();
    let after = words.windows(2).filter(|pair| pair[0] == "--slurm").map(|pair| pair[1].clone());
    let within = words.iter().filter_map(|word| word.strip_prefix("--slurm=").map(str::to_owned));
    let found = logs_in(&after.chain(within).collect::<Vec<_>>());
    let verb = words.get(1).filter(|_| lacks)?;
    let log = found.log.map(|path| path.display().to_string());
    let queue = found.queue.map(|path| path.display().to_string());
    match (verb.as_str(), queue, log) {
        ("when", Some(queue), Some(log)) => Some(format!(
            "the queue is {queue}, and the log {log}: batchlab when {queue} --history {log} --slurm …"
        )),
        ("when", Some(queue), None) => Some(format!("the queue is {queue}: batchlab when {queue} --slurm …")),
        (verb, _, Some(log)) => Some(format!("the log is {log}: batchlab {verb} {log} --slurm …")),
        _ => None,
    }
}
