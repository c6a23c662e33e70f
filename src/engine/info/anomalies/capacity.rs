//! Processors in use compared with the processors of the machine.

use super::seen::{Log, Seen};

/// Share of jobs with known waits from which low use says something about the machine.
const NEARLY_ALL: f64 = 0.95;

pub(super) fn above(log: &Log<'_>) -> Seen {
    let (Some(usage), Some(procs)) = (log.usage, machine(log)) else { return Seen::default() };
    if usage.spells_above == 0 {
        return Seen::default();
    }
    let hours = usage.above / 3600.0;
    Seen::of_log(
        usage.spells_above,
        format!("up to {} processors in use, MaxProcs is {procs}; {hours:.1} h in all", usage.peak),
    )
}

pub(super) fn below(log: &Log<'_>) -> Seen {
    let (Some(usage), Some(procs)) = (log.usage, machine(log)) else { return Seen::default() };
    if usage.known < NEARLY_ALL || i128::from(usage.peak) * 10 >= i128::from(procs) * 9 {
        return Seen::default();
    }
    Seen::of_log(1, format!("at most {} processors in use, MaxProcs is {procs}", usage.peak))
}

fn machine(log: &Log<'_>) -> Option<i64> {
    log.trace.header.max_procs.as_ref().map(|procs| procs.count).filter(|&procs| procs > 0)
}
