//! Requests of a job: `-l h_rt=36000,h_vmem=4G -pe mpi 8`.

use batchlab_traces::Time;
use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::size::SizeDialect;
use batchlab_traces::notation::{Bound, number, whole};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SgeRequest<'a> {
    /// Slots, unless a range was requested.
    pub(super) slots: Option<i64>,
    /// Run time; `INFINITY` is no limit.
    pub(super) time: Option<Bound<Time>>,
    /// Memory of each slot in bytes, with the name of the request.
    pub(super) memory: Option<(&'static str, i64)>,
    pub(super) gpus: Option<i64>,
    /// A time or an amount that cannot be read.
    pub(super) bad: Option<&'a [u8]>,
}

/// Names of memory requests, nearest to the memory that a job occupies first.
const MEMORY: [&str; 5] = ["m_mem_free", "h_vmem", "mem_free", "virtual_free", "s_vmem"];

/// Reads the hard requests of a category.
pub(super) fn request(category: &[u8]) -> SgeRequest<'_> {
    let mut request = SgeRequest::default();
    let mut soft_limit = None;
    let mut memory: [Option<i64>; MEMORY.len()] = [None; MEMORY.len()];
    let mut words = category.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let mut soft = false;
    while let Some(word) = words.next() {
        match word {
            b"-soft" => soft = true,
            b"-hard" => soft = false,
            b"-pe" => request.slots = words.nth(1).and_then(whole).filter(|&slots| slots > 0),
            b"-l" if !soft => {
                let list = words.next().unwrap_or_default();
                for item in list.split(|&byte| byte == b',') {
                    let Some(equals) = memchr::memchr(b'=', item) else { continue };
                    let (name, value) = (&item[..equals], &item[equals + 1..]);
                    let kind = MEMORY.iter().position(|kind| kind.as_bytes() == name);
                    let read = match (name, kind) {
                        (_, Some(kind)) => put(&mut memory[kind], SizeDialect::GridEngine.read(value)),
                        (b"h_rt", _) => put(&mut request.time, DurationDialect::Seconds.read(value)),
                        (b"s_rt", _) => put(&mut soft_limit, DurationDialect::Seconds.length(value)),
                        (b"gpu" | b"gpus" | b"ngpus", _) => put(&mut request.gpus, amount(value)),
                        _ => true,
                    };
                    if !read && !value.eq_ignore_ascii_case(b"infinity") {
                        request.bad = request.bad.or(Some(item));
                    }
                }
            }
            _ => {}
        }
    }
    // A soft limit counts if there is no hard one.
    request.time = match (request.time, soft_limit) {
        (Some(Bound::Most(hard)), _) => Some(Bound::Most(hard)),
        (hard, soft) => soft.map(Bound::Most).or(hard),
    };
    request.memory = MEMORY.into_iter().zip(memory).find_map(|(name, bytes)| Some((name, bytes?)));
    request
}

/// Keeps the first value; returns whether `value` is present.
fn put<T>(kept: &mut Option<T>, value: Option<T>) -> bool {
    let is_present = value.is_some();
    *kept = kept.take().or(value);
    is_present
}

fn amount(text: &[u8]) -> Option<i64> {
    number(text).filter(|number| !number.is_unknown()).map(batchlab_traces::Number::truncated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(category: &str) -> Option<i64> {
        request(category.as_bytes()).time?.most().map(|time| time.ticks() / 1_000_000)
    }

    #[test]
    fn time_is_hard_before_soft_and_in_seconds_or_hours() {
        assert_eq!(seconds("-l s_rt=50,h_rt=36000 -pe mype 1"), Some(36_000));
        assert_eq!(seconds("-u a,b -l s_rt=1:00:00"), Some(3600));
        assert_eq!(seconds("-soft -l h_rt=50"), None);
        assert_eq!(seconds("-soft -l x=1 -hard -l h_rt=50"), Some(50));
        assert_eq!(request(b"-l h_rt=INFINITY").time, Some(Bound::Unlimited));
        assert_eq!(seconds("-l h_rt=INFINITY,s_rt=50"), Some(50));
        assert_eq!(request(b"-l gpu=1").time, None);
        assert_eq!(request(b"-l h_rt=soon").bad, Some(&b"h_rt=soon"[..]));
        assert_eq!(request(b"-l h_rt=INFINITY").bad, None);
    }

    #[test]
    fn the_memory_request_nearest_to_the_occupied_memory_is_used() {
        let memory = |category: &str| request(category.as_bytes()).memory;
        assert_eq!(memory("-l mem_free=1.000T,s_vmem=1.024t"), Some(("mem_free", 1 << 40)));
        assert_eq!(memory("-l s_vmem=1.024t"), Some(("s_vmem", 1_024_000_000_000)));
        assert_eq!(memory("-l mem_free=1G,h_vmem=4g,m_mem_free=512M"), Some(("m_mem_free", 512 << 20)));
        assert_eq!(memory("-l h_vmem=100"), Some(("h_vmem", 100)));
        assert_eq!(memory("-l h_vmem=9999999e,gpu=1"), None);
    }

    #[test]
    fn slots_and_gpus_are_counted() {
        let counts = |category: &str| {
            let request = request(category.as_bytes());
            (request.slots, request.gpus)
        };
        assert_eq!(
            counts("-q gpu_queue -l gpu=1 -pe threads 16 -binding no_job_binding 0 0"),
            (Some(16), Some(1))
        );
        assert_eq!(counts("-pe mpi 4-16"), (None, None));
        assert_eq!(counts("-l ngpus=2.000 -pe"), (None, Some(2)));
    }
}
