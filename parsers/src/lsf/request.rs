//! Requests of a job: `rusage[...]` sections and run limits.

use batchlab_traces::Time;
use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::size::MEGABYTES;
use batchlab_traces::notation::{Bound, number};

/// Memory and GPUs reserved on each host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReservedPerHost {
    /// Bytes.
    pub(super) memory: Option<i64>,
    pub(super) gpus: Option<i64>,
}

/// Finds the reservations in the `rusage` sections of a resource requirement; the first value of each
/// resource is used.
pub(super) fn reserved(requirement: &[u8]) -> ReservedPerHost {
    let mut reserved = ReservedPerHost::default();
    let mut rest = requirement;
    while let Some(at) = memchr::memmem::find(rest, b"rusage[") {
        rest = &rest[at + 7..];
        let section = &rest[..memchr::memchr(b']', rest).unwrap_or(rest.len())];
        for item in section.split(|byte| matches!(byte, b',' | b':' | b'|' | b'(' | b')' | b' ')) {
            let Some(equals) = memchr::memchr(b'=', item) else { continue };
            let value = &item[equals + 1..];
            match &item[..equals] {
                b"mem" => {
                    reserved.memory = reserved.memory.or_else(|| MEGABYTES.read(value));
                }
                b"ngpus_physical" | b"ngpus_excl_p" | b"ngpus_shared" | b"ngpus" => {
                    reserved.gpus = reserved.gpus.or(number(value).map(batchlab_traces::Number::truncated));
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
    fn reservations_are_in_megabytes_without_a_unit() {
        let told = |text: &str| {
            let ReservedPerHost { memory, gpus } = reserved(text.as_bytes());
            (memory.map(|bytes| bytes >> 20), gpus)
        };
        assert_eq!(
            told("select[mem>100] rusage[mem=1000,swp=100,ansys=2] span[hosts=1]"),
            (Some(1000), None)
        );
        assert_eq!(told("rusage[ngpus_physical=2.00:duration=5] rusage[mem=2GB]"), (Some(2048), Some(2)));
        assert_eq!(told("rusage[mem=10:mem=20"), (Some(10), None));
        assert_eq!(told("select[mem=5] rusage[mem=lots]"), (None, None));
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
