use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::instant::{self as date, Stamp};
use batchlab_traces::notation::size::{self, BYTES};
use batchlab_traces::notation::{Bound, whole};
use batchlab_traces::{Kind, Time};

use super::kinds;
use crate::entry::DATED;

/// A value; `None` for a field without a value, an error for a text that cannot be read.
pub(super) type Value<T> = Result<Option<T>, Odd>;

/// The text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Odd;

/// Returns the finding about a text that cannot be read.
pub(super) fn odd(text: &[u8]) -> &'static Kind {
    if date::is_relative(text) { &kinds::RELATIVE_TIME } else { &kinds::ODD_VALUE }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SlurmTimeLimit {
    /// The log does not give the limit.
    #[default]
    Unknown,
    Unlimited,
    Partition,
    Of(Time),
}

impl SlurmTimeLimit {
    /// Returns the limit, if the log states it.
    pub(super) fn stated(self) -> Option<Bound<Time>> {
        match self {
            SlurmTimeLimit::Of(time) => Some(Bound::Most(time)),
            SlurmTimeLimit::Unlimited => Some(Bound::Unlimited),
            SlurmTimeLimit::Unknown | SlurmTimeLimit::Partition => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MemoryRequest {
    /// The log does not give the request, or the job asked for all memory of its nodes.
    #[default]
    Unknown,
    /// For the whole job (from version 21.08).
    Total(i64),
    PerNode(i64),
    /// For each processor; `leaked` if the flag for "per processor" was counted into the amount.
    PerCpu {
        /// KB.
        each: i64,
        /// Whether the flag was counted in.
        leaked: bool,
    },
}

/// Texts that Slurm writes for missing times and amounts.
const NONE: [&[u8]; 8] = [b"", b"Unknown", b"None", b"unknown", b"N/A", b"(null)", b"NONE", b"INVALID"];

/// Parses an instant: a date, or seconds since 1970.
pub(super) fn instant(text: &[u8]) -> Value<Stamp> {
    if let Some(stamp) = date::iso(text) {
        return Ok(Some(stamp));
    }
    // `Unlimited` is the end of a job without a limit that runs (`scontrol show job`).
    if NONE.contains(&text) || text == b"Unlimited" {
        return Ok(None);
    }
    // Slurm did not exist before the year 2000; such a number is a valid count of seconds but not an instant.
    let seconds = whole(text).filter(|&seconds| (0..1 << 40).contains(&seconds)).ok_or(Odd)?;
    Ok(Some(Stamp { micros: seconds * 1_000_000, offset: Some(0) }).filter(|stamp| stamp.micros > 0))
}

/// As [`instant`], with the second 0 of logs that count from their own zero.
pub(super) fn counted(text: &[u8]) -> Value<Stamp> {
    if text == b"0" { Ok(Some(Stamp { micros: 0, offset: Some(0) })) } else { instant(text) }
}

/// Returns the known instants among submission, eligibility, start and end. The second 0 is an instant of a log that counts from its
/// own zero; beside a date, and before the submission, it is a missing one.
pub(super) fn known_instants(told: [Option<Stamp>; 4]) -> [Option<Stamp>; 4] {
    let is_dated = told.iter().flatten().any(|stamp| stamp.micros >= DATED.ticks());
    let is_later = told[0].is_some_and(|submit| submit.micros > 0);
    told.map(|stamp| stamp.filter(|stamp| stamp.micros > 0 || !is_dated && !is_later))
}

/// Whether a text stands for an instant that never came.
pub(super) fn is_never(text: &[u8]) -> bool {
    !text.is_empty() && matches!(instant(text), Ok(None))
}

/// Parses the least of a range of counts such as `2-4`, which a waiting job may have.
pub(super) fn least(text: &[u8]) -> Value<i64> {
    count(text.split(|&byte| byte == b'-').next().unwrap_or_default())
}

/// Parses a duration: `[days-]hours:minutes:seconds`, or seconds.
pub(super) fn length(text: &[u8]) -> Value<Time> {
    match DurationDialect::Seconds.length(text) {
        Some(time) => Ok(Some(time).filter(|&time| time < Time::FARTHEST)),
        None => missing(text),
    }
}

/// Parses a limit: a duration, or whole minutes.
pub(super) fn limit(text: &[u8]) -> Value<SlurmTimeLimit> {
    // `NOT_SET` is squeue's word for what sacct calls `Partition_Limit`.
    if matches!(text, b"Partition_Limit" | b"NOT_SET") {
        return Ok(Some(SlurmTimeLimit::Partition));
    }
    // `NONE` is no limit in files of a site, and a missing value in tables.
    let is_word = !text.first().is_some_and(u8::is_ascii_digit);
    match DurationDialect::SlurmLimit.read(text).filter(|_| !is_word || !NONE.contains(&text)) {
        Some(Bound::Unlimited) => Ok(Some(SlurmTimeLimit::Unlimited)),
        Some(Bound::Most(time)) => Ok(Some(SlurmTimeLimit::Of(time))),
        None => missing(text),
    }
}

/// Parses a count; thousands may be written as `1.5K`.
pub(super) fn count(text: &[u8]) -> Value<i64> {
    match whole(text).or_else(|| BYTES.read(text)) {
        Some(count) if count >= 0 => Ok(Some(count)),
        Some(_) => Err(Odd),
        None => missing(text),
    }
}

/// Parses an amount of memory in bytes; without a unit it is a number of bytes.
pub(super) fn bytes(text: &[u8]) -> Value<i64> {
    BYTES.read(text).map_or_else(|| missing(text), |bytes| Ok(Some(bytes)))
}

/// Returns no value for a text that stands for a missing one, an error for any other text.
fn missing<T>(text: &[u8]) -> Value<T> {
    if NONE.contains(&text) { Ok(None) } else { Err(Odd) }
}

/// The flag for "per processor" in amounts of MB, as 32-bit versions kept it.
const PER_CPU: i64 = 1 << 31;

/// Parses `ReqMem`: `4000M` for the job, `4000Mn` for each node, `2.50Gc` for each processor.
pub(super) fn memory(text: &[u8]) -> Value<MemoryRequest> {
    if NONE.contains(&text) || matches!(text, b"?" | b"?c" | b"?n") {
        return Ok(None);
    }
    let (bytes, unit) = size::prefix(text, 1 << 20).ok_or(Odd)?;
    let kb = size::kb(bytes);
    if let Some(each) = unleaked(kb) {
        return Ok(Some(MemoryRequest::PerCpu { each, leaked: true }));
    }
    match unit {
        // No request, or a request for all memory of the nodes.
        b"" | b"n" | b"c" if kb == 0 => Ok(None),
        b"" => Ok(Some(MemoryRequest::Total(kb))),
        b"n" => Ok(Some(MemoryRequest::PerNode(kb))),
        b"c" => Ok(Some(MemoryRequest::PerCpu { each: kb, leaked: false })),
        _ => Err(Odd),
    }
}

/// Removes the flag for "per processor" from an amount (KB), if it was counted in.
pub(super) fn unleaked(kb: i64) -> Option<i64> {
    let flag = PER_CPU << 10;
    // Amounts with the flag are assumed to be less than two pebibytes for one processor.
    (flag..2 * flag).contains(&kb).then(|| kb - flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_or_seconds_or_not_yet() {
        let seconds =
            |text: &str| instant(text.as_bytes()).map(|stamp| stamp.map(|stamp| stamp.micros / 1_000_000));
        assert_eq!(seconds("2016-12-21T21:43:34"), Ok(Some(1_482_356_614)));
        assert_eq!(seconds("1482356614"), Ok(Some(1_482_356_614)));
        for none in ["", "Unknown", "None", "0"] {
            assert_eq!(seconds(none), Ok(None), "{none}");
        }
        for odd in ["tomorrow", "-5", "2016-13-01T00:00:00"] {
            assert_eq!(seconds(odd), Err(Odd), "{odd}");
        }
    }

    #[test]
    fn limits_are_lengths_minutes_or_words() {
        assert_eq!(limit(b"1-00:00:00"), Ok(Some(SlurmTimeLimit::Of(Time::from_secs(86_400)))));
        assert_eq!(limit(b"1440"), Ok(Some(SlurmTimeLimit::Of(Time::from_secs(86_400)))));
        assert_eq!(limit(b"UNLIMITED"), Ok(Some(SlurmTimeLimit::Unlimited)));
        assert_eq!(limit(b"Partition_Limit"), Ok(Some(SlurmTimeLimit::Partition)));
        assert_eq!(limit(b"NOT_SET"), Ok(Some(SlurmTimeLimit::Partition)));
        assert_eq!(instant(b"Unlimited"), Ok(None));
        assert_eq!((limit(b""), limit(b"soon")), (Ok(None), Err(Odd)));
        assert_eq!((length(b"INVALID"), length(b"63")), (Ok(None), Ok(Some(Time::from_secs(63)))));
    }

    #[test]
    fn memory_is_of_a_job_a_node_or_a_processor() {
        assert_eq!(memory(b"4000M"), Ok(Some(MemoryRequest::Total(4000 << 10))));
        assert_eq!(memory(b"17Gn"), Ok(Some(MemoryRequest::PerNode(17 << 20))));
        assert_eq!(memory(b"3000Mc"), Ok(Some(MemoryRequest::PerCpu { each: 3000 << 10, leaked: false })));
        assert_eq!(
            memory(b"2147486648Mn"),
            Ok(Some(MemoryRequest::PerCpu { each: 3000 << 10, leaked: true }))
        );
        assert_eq!((memory(b"0n"), memory(b"?c"), memory(b"4000Mx")), (Ok(None), Ok(None), Err(Odd)));
        assert_eq!(
            (count(b"1.5K"), count(b"-1"), bytes(b"1668K")),
            (Ok(Some(1536)), Err(Odd), Ok(Some(1668 << 10)))
        );
    }
}
