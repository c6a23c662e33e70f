//! Requests of a job: `rusage[...]` sections and run limits.

use batchlab_traces::Time;
use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::size::MEGABYTES;
use batchlab_traces::notation::{Bound, number};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReservedAmounts {
    /// Bytes.
    pub(super) memory: Option<ReservedAmount>,
    pub(super) gpus: Option<ReservedAmount>,
}

/// An amount, and the part of the job for which it is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReservedAmount {
    pub(super) each: i64,
    pub(super) per: ReservedPer,
}

/// The part of a job for which an amount is reserved: `/host`, `/task` or `/job` behind the amount. Without a word, the site's
/// configuration decides (`RESOURCE_RESERVE_PER_TASK` in lsb.params, `ReservationUsage` in lsb.resources), which the log does not
/// have: each host is assumed.
///
/// Source: resource reservation methods in the usage string of IBM Spectrum LSF 10.1, from Fix Pack 5 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReservedPer {
    Host,
    Task,
    Job,
}

impl ReservedAmount {
    /// Parses `4GB`, `4GB/task`.
    fn read(text: &[u8], amount: impl Fn(&[u8]) -> Option<i64>) -> Option<ReservedAmount> {
        let slash = text.iter().position(|&byte| byte == b'/').unwrap_or(text.len());
        let per = match &text[slash..] {
            b"" | b"/host" => ReservedPer::Host,
            b"/task" => ReservedPer::Task,
            b"/job" => ReservedPer::Job,
            _ => return None,
        };
        Some(ReservedAmount { each: amount(&text[..slash])?, per })
    }

    /// Returns the amount of a job of this many hosts and tasks; `None` if it does not fit.
    pub(super) fn total(self, hosts: i64, tasks: i64) -> Option<i64> {
        self.each.checked_mul(match self.per {
            ReservedPer::Host => hosts,
            ReservedPer::Task => tasks,
            ReservedPer::Job => 1,
        })
    }
}

/// Finds the reservations in the `rusage` sections of a resource requirement; the first value of each resource is used.
pub(super) fn reserved(requirement: &[u8]) -> ReservedAmounts {
    let mut reserved = ReservedAmounts::default();
    let mut rest = requirement;
    while let Some(at) = memchr::memmem::find(rest, b"rusage[") {
        rest = &rest[at + 7..];
        let section = &rest[..memchr::memchr(b']', rest).unwrap_or(rest.len())];
        for item in section.split(|byte| matches!(byte, b',' | b':' | b'|' | b'(' | b')' | b' ')) {
            let Some(equals) = memchr::memchr(b'=', item) else { continue };
            let value = &item[equals + 1..];
            match &item[..equals] {
                b"mem" => {
                    let memory = ReservedAmount::read(value, |text| MEGABYTES.read(text));
                    reserved.memory = reserved.memory.or(memory);
                }
                b"ngpus_physical" | b"ngpus_excl_p" | b"ngpus_shared" | b"ngpus" => {
                    let count = |text: &[u8]| number(text).map(batchlab_traces::Number::truncated);
                    reserved.gpus = reserved.gpus.or(ReservedAmount::read(value, count));
                }
                _ => {}
            }
        }
    }
    reserved
}

/// Finds `#BSUB -W [hours:]minutes` in a command.
pub(super) fn limit_in_command(command: &[u8]) -> Option<Time> {
    let at = memchr::memmem::find_iter(command, b"#BSUB").find_map(|at| {
        let option = command[at + 5..].trim_ascii_start().strip_prefix(b"-W")?;
        option
            .first()
            .is_some_and(|byte| matches!(byte, b' ' | b'0'..=b'9'))
            .then(|| option.trim_ascii_start())
    })?;
    let end = at.iter().position(|byte| !byte.is_ascii_digit() && *byte != b':').unwrap_or(at.len());
    DurationDialect::LsfLimit.length(&at[..end]).filter(|&limit| limit > Time::ZERO)
}

/// Returns the run limit: the one of the two numbers that is in whole minutes, preferring the second. The
/// other number is a set of flags. If neither is in whole minutes and one is -1 or 0, the job has no limit.
pub(super) fn run_limit(first: Option<i64>, second: Option<i64>) -> Option<Bound<Time>> {
    let minutes = |seconds: &i64| *seconds > 0 && seconds % 60 == 0;
    let limit = second.filter(minutes).or(first.filter(minutes));
    let is_none = || [first, second].into_iter().flatten().any(|number| matches!(number, -1 | 0));
    limit.map(Time::from_secs).map(Bound::Most).or_else(|| is_none().then_some(Bound::Unlimited))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservations_are_in_megabytes_of_each_host_without_a_unit() {
        let told = |text: &str| {
            // A job of 6 tasks on 2 hosts.
            let total = |amount: Option<ReservedAmount>| amount.and_then(|amount| amount.total(2, 6));
            let ReservedAmounts { memory, gpus } = reserved(text.as_bytes());
            (total(memory).map(|bytes| bytes >> 20), total(gpus))
        };
        assert_eq!(
            told("select[mem>100] rusage[mem=1000,swp=100,ansys=2] span[hosts=1]"),
            (Some(2000), None)
        );
        assert_eq!(told("rusage[ngpus_physical=2.00:duration=5] rusage[mem=2GB]"), (Some(4096), Some(4)));
        assert_eq!(told("rusage[mem=10:mem=20"), (Some(20), None));
        assert_eq!(told("select[mem=5] rusage[mem=lots]"), (None, None));
        assert_eq!(told("rusage[mem=10/task,ngpus_physical=1/host]"), (Some(60), Some(2)));
        assert_eq!(told("rusage[mem=10/job,ngpus_physical=1/task:duration=5]"), (Some(10), Some(6)));
        assert_eq!(told("rusage[mem=10/rack]"), (None, None));
    }

    #[test]
    fn limits_in_commands_are_hours_and_minutes() {
        let limit = |text: &str| limit_in_command(text.as_bytes()).map(|limit| limit.ticks() / 1_000_000);
        assert_eq!(limit("#!/bin/tcsh;#BSUB -P p;#BSUB -W 12:00  # wall;#BSUB -n 8"), Some(43_200));
        assert_eq!(limit("#BSUB -W 90;run"), Some(5400));
        assert_eq!(limit("#BSUB -W90/host;run"), Some(5400));
        for none in
            ["", "#BSUB -We 90", "#BSUB -W", "#BSUB -W 0", "bsub -W 90", "#BSUB -W 99999999999999999:1"]
        {
            assert_eq!(limit(none), None, "{none}");
        }
    }

    #[test]
    fn run_limits_are_whole_minutes() {
        assert_eq!(run_limit(Some(43_200), Some(0)), Some(Bound::Most(Time::from_secs(43_200))));
        assert_eq!(run_limit(Some(4), Some(3600)), Some(Bound::Most(Time::from_secs(3600))));
        assert_eq!(run_limit(Some(4), Some(-1)), Some(Bound::Unlimited));
        assert_eq!(run_limit(Some(4), Some(7)), None);
        assert_eq!(run_limit(None, None), None);
    }
}
