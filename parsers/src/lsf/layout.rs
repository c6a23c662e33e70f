//! Positions of the fields of a `JOB_FINISH` event; each list follows its length.

use batchlab_traces::notation::{number, whole};

use super::words::Word;

/// Fields before the first list, by position.
pub(super) mod head {
    pub(in crate::lsf) const EVENT_TIME: usize = 2;
    pub(in crate::lsf) const JOB: usize = 3;
    pub(in crate::lsf) const OPTIONS: usize = 5;
    pub(in crate::lsf) const PROCESSORS: usize = 6;
    pub(in crate::lsf) const SUBMIT: usize = 7;
    pub(in crate::lsf) const BEGIN: usize = 8;
    pub(in crate::lsf) const START: usize = 10;
    pub(in crate::lsf) const USER: usize = 11;
    pub(in crate::lsf) const QUEUE: usize = 12;
    pub(in crate::lsf) const REQUIREMENTS: usize = 13;
    /// The length of the list of requested hosts.
    pub(in crate::lsf) const ASKED: usize = 22;
}

/// Fields after the lists of hosts, counted from `jStatus`.
pub(super) mod tail {
    pub(in crate::lsf) const STATUS: usize = 0;
    pub(in crate::lsf) const NAME: usize = 2;
    pub(in crate::lsf) const COMMAND: usize = 3;
    pub(in crate::lsf) const USER_TIME: usize = 4;
    pub(in crate::lsf) const SYSTEM_TIME: usize = 5;
    pub(in crate::lsf) const PROJECT: usize = 24;
    pub(in crate::lsf) const INDEX: usize = 29;
    pub(in crate::lsf) const MEMORY: usize = 30;
    pub(in crate::lsf) const EXIT_INFO: usize = 38;
    /// The length of the list of key-value pairs in the submission's extension.
    pub(in crate::lsf) const EXTENSIONS: usize = 53;
}

/// Names of the fields up to the first list, with their destinations.
pub(super) const HEAD_NAMES: [(&str, &str); head::ASKED + 1] = [
    ("event", "what happened"),
    ("version", "not used"),
    ("eventTime", "end"),
    ("jobId", "job number; array, of a job of an array"),
    ("userId", "not used"),
    ("options", "exclusive"),
    ("numProcessors", "requested processors"),
    ("submitTime", "submit time"),
    ("beginTime", "eligible, s after submission"),
    ("termTime", "not used"),
    ("startTime", "start"),
    ("userName", "user"),
    ("queue", "queue"),
    ("resReq", "requested memory, gpu, if there are no effective requirements"),
    ("dependCond", "not used"),
    ("preExecCmd", "not used"),
    ("fromHost", "not used"),
    ("cwd", "not used"),
    ("inFile", "not used"),
    ("outFile", "not used"),
    ("errFile", "not used"),
    ("jobFile", "not used"),
    ("numAskedHosts", "length of a list"),
];

/// Fields that are used after the lists of hosts: position, name and destination.
pub(super) const TAIL_NAMES: [(usize, &str, &str); 9] = [
    (tail::STATUS, "jStatus", "status"),
    (tail::NAME, "jobName", "application"),
    (tail::COMMAND, "command", "application, if there is no name; requested time, if there is no run limit"),
    (tail::USER_TIME, "ru_utime", "CPU time"),
    (tail::SYSTEM_TIME, "ru_stime", "CPU time"),
    (tail::PROJECT, "projectName", "group"),
    (tail::INDEX, "idx", "array_task, of a job of an array"),
    (tail::MEMORY, "maxRMem", "used memory"),
    (tail::EXIT_INFO, "exitInfo", "status"),
];

/// The positions of an event's lists and of the fields after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EventPositions {
    /// Range of the names of the execution hosts.
    pub(super) hosts: (usize, usize),
    /// Position of `jStatus`.
    pub(super) tail: usize,
    /// Positions of `runLimit`, of its neighbour, and of the effective requirements after them.
    pub(super) limits: Option<[usize; 3]>,
    /// Position of `runTime`, from version 9.1 on.
    pub(super) run_time: Option<usize>,
}

/// Locates the lists of an event; `None` if they do not have their stated lengths.
pub(super) fn layout(event: &[u8], words: &[Word]) -> Option<EventPositions> {
    let length = |at: usize| -> Option<usize> {
        let word = words.get(at)?;
        usize::try_from(whole(word.text(event))?).ok().filter(|&length| length <= words.len())
    };
    let asked_end = head::ASKED + 1 + length(head::ASKED)?;
    // Some versions omit the second list if the first is not empty.
    let hosts = length(asked_end).map(|count| (asked_end + 1, asked_end + 1 + count));
    let hosts = hosts
        .filter(|&(_, end)| is_status(event, words, end))
        .or_else(|| is_status(event, words, asked_end).then_some((head::ASKED + 1, asked_end)))?;
    let limits = limits(event, words, hosts.1 + tail::EXTENSIONS);
    // Behind the effective requirements: source and destination clusters with their job numbers, forwardTime, flow_id, acJobWaitTime,
    // totalProvisionTime and outdir.
    let is_quoted = |at: usize, quoted: bool| words.get(at).is_some_and(|word| word.quoted == quoted);
    let fits =
        |at: usize| [1, 3, 9].iter().all(|&more| is_quoted(at + more, true)) && is_quoted(at + 10, false);
    let run_time = limits.map(|[.., at]| at).filter(|&at| fits(at)).map(|at| at + 10);
    Some(EventPositions { hosts, tail: hosts.1, limits, run_time })
}

/// Whether `jStatus` and `hostFactor` are at this position.
fn is_status(event: &[u8], words: &[Word], at: usize) -> bool {
    let Some([status, factor, ..]) = words.get(at..) else { return false };
    matches!(status.text(event), b"32" | b"64") && number(factor.text(event)).is_some()
}

/// Locates the two numbers one of which is the run limit, and the effective requirements: these are the first string after the
/// host usages, behind the two numbers and a third one.
fn limits(event: &[u8], words: &[Word], extensions: usize) -> Option<[usize; 3]> {
    let length = |at: usize| usize::try_from(whole(words.get(at)?.text(event))?).ok();
    let usages = extensions.checked_add(1)?.checked_add(length(extensions)?.checked_mul(2)?)?;
    let count = length(usages)?;
    let rest = words.get(usages + 1..)?;
    // Host names are quoted in some versions and bare in others.
    let skipped = if rest.first().is_some_and(|word| word.quoted) { count } else { 0 };
    let mut strings = rest.iter().enumerate().filter(|(_, word)| word.quoted).map(|(at, _)| at);
    let behind = strings.nth(skipped)?;
    let at = usages + 1 + behind;
    (behind >= 3).then(|| [at - 3, at - 2, at])
}
