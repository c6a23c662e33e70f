//! Requests of a job: Torque's `nodes` and PBS Professional's `select`, which share one grammar.

use batchlab_traces::notation::size::SizeDialect;
use batchlab_traces::notation::whole;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChunkTotals<'a> {
    /// Number of chunks; each stands for a node.
    pub(super) nodes: i64,
    /// Processors of all chunks; a chunk without a count has one.
    pub(super) procs: i64,
    /// Processors of each chunk, if all chunks have the same number.
    pub(super) per_node: Option<i64>,
    /// GPUs of all chunks, if any chunk gives them.
    pub(super) gpus: Option<i64>,
    /// Memory of all chunks in bytes, if any chunk gives it.
    pub(super) memory: Option<i64>,
    /// Whether all chunks have the same memory, and the same number of GPUs.
    pub(super) even: Even,
    /// The processor type of the first chunk that names one.
    pub(super) model: Option<&'a [u8]>,
}

/// Whether all chunks of a request have the same amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Even {
    pub(super) memory: bool,
    pub(super) gpus: bool,
}

/// The request of one chunk, per node.
#[derive(Clone, Copy, Default)]
struct Chunk<'a> {
    count: i64,
    procs: Option<i64>,
    gpus: Option<i64>,
    memory: Option<i64>,
    model: Option<&'a [u8]>,
}

/// Parses `4:ppn=8:avx`, `2:ppn=4+1:ppn=2`, `n01:ppn=2+n02`, `5:ncpus=13:mem=4gb:ngpus=1+1:ncpus=1`; `None`
/// if an amount cannot be read or is too large.
pub(super) fn request(text: &[u8]) -> Option<ChunkTotals<'_>> {
    let mut sum = ChunkTotals::default();
    let mut first: Option<Chunk<'_>> = None;
    for (at, part) in text.split(|&byte| byte == b'+').enumerate() {
        let chunk = chunk(part)?;
        let procs = chunk.procs.unwrap_or(1);
        sum.per_node = (at == 0 || sum.per_node == Some(procs)).then_some(procs);
        sum.nodes = sum.nodes.checked_add(chunk.count)?;
        sum.procs = sum.procs.checked_add(chunk.count.checked_mul(procs)?)?;
        sum.gpus = add(sum.gpus, chunk.gpus, chunk.count)?;
        sum.memory = add(sum.memory, chunk.memory, chunk.count)?;
        sum.model = sum.model.or(chunk.model);
        let first = first.get_or_insert(chunk);
        let is_same = |same: bool, one: Option<i64>, known: Option<i64>| {
            (at == 0 || same) && one.is_some() && one == known
        };
        sum.even.memory = is_same(sum.even.memory, chunk.memory, first.memory);
        sum.even.gpus = is_same(sum.even.gpus, chunk.gpus, first.gpus);
    }
    Some(sum)
}

/// Adds `count` times an amount that may be missing.
#[expect(clippy::option_option, reason = "the outer one says whether the sum fits")]
fn add(sum: Option<i64>, each: Option<i64>, count: i64) -> Option<Option<i64>> {
    let Some(each) = each else { return Some(sum) };
    Some(Some(sum.unwrap_or(0).checked_add(each.checked_mul(count)?)?))
}

fn chunk(part: &[u8]) -> Option<Chunk<'_>> {
    let part = part.split(|&byte| byte == b'#').next()?;
    if part.is_empty() {
        return None;
    }
    let mut chunk = Chunk { count: 1, ..Chunk::default() };
    for (at, piece) in part.split(|&byte| byte == b':').enumerate() {
        let Some(equals) = memchr::memchr(b'=', piece) else {
            // The number of nodes comes first; other words are node names or node properties.
            chunk.count = whole(piece).filter(|_| at == 0).unwrap_or(chunk.count);
            continue;
        };
        let value = &piece[equals + 1..];
        match &piece[..equals] {
            b"ppn" | b"ncpus" => chunk.procs = Some(count(value)?),
            b"gpus" | b"ngpus" | b"gpu" => chunk.gpus = Some(count(value)?),
            b"mem" | b"reqmem" => chunk.memory = Some(bytes(value)?),
            b"model" => chunk.model = Some(value),
            _ => {}
        }
    }
    (chunk.count >= 0).then_some(chunk)
}

pub(super) fn count(text: &[u8]) -> Option<i64> {
    whole(text).filter(|&count| count >= 0)
}

/// Parses an amount of memory in bytes.
pub(super) fn bytes(text: &[u8]) -> Option<i64> {
    SizeDialect::Pbs.read(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes, processors, processors per node and GPUs; -1 for values that are not given.
    fn shown(text: &str) -> Option<[i64; 4]> {
        let request = request(text.as_bytes())?;
        let or = |told: Option<i64>| told.unwrap_or(-1);
        Some([request.nodes, request.procs, or(request.per_node), or(request.gpus)])
    }

    #[test]
    fn chunks_add_up() {
        assert_eq!(shown("4:ppn=8:avx"), Some([4, 32, 8, -1]));
        assert_eq!(shown("16:myrinet"), Some([16, 16, 1, -1]));
        assert_eq!(shown("1:ppn=28:gpus=1:default"), Some([1, 28, 28, 1]));
        assert_eq!(shown("2:ppn=4+1:ppn=2"), Some([3, 10, -1, -1]));
        assert_eq!(shown("n01:ppn=2+n02:ppn=2#excl"), Some([2, 4, 2, -1]));
        assert_eq!(shown("5:ncpus=13:mem=4gb:ngpus=1+1:ncpus=1"), Some([6, 66, -1, 5]));
        assert_eq!(shown("ncpus=4:mem=1gb"), Some([1, 4, 4, -1]));
        assert_eq!(shown("1:ppn=24:gpu=4:reqmem=128849018880:gpu"), Some([1, 24, 24, 4]));
        let nas = request(b"20:ncpus=28:mpiprocs=28:model=bro:mem=110gb").unwrap();
        let even = |text: &str| request(text.as_bytes()).map(|asked| (asked.even.memory, asked.even.gpus));
        assert_eq!(even("1:ncpus=8:mem=16gb+2:ncpus=4:mem=16gb"), Some((true, false)));
        assert_eq!(even("1:ncpus=8:mem=16gb:ngpus=1+2:ncpus=4:mem=8gb:ngpus=1"), Some((false, true)));
        assert_eq!((nas.procs, nas.model, nas.memory), (560, Some(&b"bro"[..]), Some((20 * 110) << 30)));
    }

    #[test]
    fn invalid_requests_give_none() {
        for no in
            ["", "+", "4:ppn=x", "4:ppn=-1", "-4", "9223372036854775807:ppn=2", "1:mem=lots", "2:ppn=4+"]
        {
            assert_eq!(shown(no), None, "{no}");
        }
    }

    #[test]
    fn memory_comes_with_units_and_words() {
        assert_eq!(bytes(b"15240kb"), Some(15_240 << 10));
        assert_eq!(bytes(b"1993mb"), Some(1993 << 20));
        assert_eq!(bytes(b"2kw"), Some(16 << 10));
        assert_eq!(bytes(b"100"), Some(100));
        assert_eq!(bytes(b"12.27M"), Some(12_866_027));
        assert_eq!(bytes(b"1q"), None);
    }
}
