//! Trackable resources: `billing=4,cpu=4,gres/gpu=2,gres/gpu:a100=2,license/x=3,mem=62.50G,node=1`.

use batchlab_traces::notation::size::{self, BYTES, MEGABYTES};
use batchlab_traces::notation::whole;

use std::borrow::Cow;

/// Amounts of trackable resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tres<'a> {
    pub(super) told: bool,
    pub(super) cpu: Option<i64>,
    /// Memory, KB.
    pub(super) memory: Option<i64>,
    pub(super) nodes: Option<i64>,
    /// Other resources by name: GPUs and others of `gres/`, licences, burst buffers (MB).
    others: Vec<(Cow<'a, [u8]>, i64)>,
    /// Resources of `gres/` by name and type, such as `gpu:a100`. They are part of the amount under the name
    /// alone, which Slurm may leave out.
    typed: Vec<(Cow<'a, [u8]>, i64)>,
}

impl<'a> Tres<'a> {
    /// Parses a list, calling `odd` for each part that cannot be read.
    pub(super) fn of(text: &'a [u8], mut odd: impl FnMut(&'a [u8])) -> Tres<'a> {
        let mut tres = Tres::default();
        if text.is_empty() {
            return tres;
        }
        for part in text.split(|&byte| byte == b',') {
            let Some(at) = memchr::memchr(b'=', part) else {
                odd(part);
                continue;
            };
            let (kind, value) = (&part[..at], &part[at + 1..]);
            tres.told = true;
            if ignored(kind) {
                continue;
            }
            match amount(kind, value) {
                Some(amount) => tres.add(Cow::Borrowed(kind), amount),
                None => odd(part),
            }
        }
        tres
    }

    /// Adds an amount: memory in KB, burst buffers in MB, any other resource as a count.
    pub(super) fn add(&mut self, kind: Cow<'a, [u8]>, amount: i64) {
        self.told = true;
        match kind.as_ref() {
            b"cpu" => self.cpu = Some(amount),
            b"mem" => self.memory = Some(amount),
            b"node" => self.nodes = Some(amount),
            kind if ignored(kind) => {}
            _ => {
                let is_typed = kind.starts_with(b"gres/") && kind.contains(&b':');
                let kind = match kind {
                    Cow::Borrowed(kind) => Cow::Borrowed(kind.strip_prefix(b"gres/").unwrap_or(kind)),
                    Cow::Owned(kind) => Cow::Owned(kind.strip_prefix(b"gres/").unwrap_or(&kind).to_vec()),
                };
                if is_typed { &mut self.typed } else { &mut self.others }.push((kind, amount));
            }
        }
    }

    /// Returns the amount of a resource of any type: under its name alone, else the sum over its types.
    pub(super) fn sum(&self, name: &[u8]) -> Option<i64> {
        let plain = self.others.iter().rev().find(|(other, _)| *other == name).map(|(_, amount)| *amount);
        let typed = self.typed.iter().filter(|(typed, _)| base(typed) == name).map(|(_, amount)| *amount);
        plain.or_else(|| typed.reduce(i64::saturating_add))
    }

    /// Returns all other resources: GPUs first, then the order of the list, types at the end.
    pub(super) fn resources(&self) -> Vec<(&[u8], i64)> {
        let mut names: Vec<&[u8]> = Vec::new();
        let plain = self.others.iter().map(|(name, _)| name.as_ref());
        for name in [GPU].into_iter().chain(plain).chain(self.typed.iter().map(|(typed, _)| base(typed))) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let sums = names.into_iter().filter_map(|name| Some((name, self.sum(name)?)));
        sums.chain(self.typed.iter().map(|(typed, amount)| (typed.as_ref(), *amount))).collect()
    }
}

/// The resource under which GPUs are counted.
pub(super) const GPU: &[u8] = b"gpu";

/// Returns the name of a resource without its type.
pub(super) fn base(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == b':').next().unwrap_or_default()
}

/// Whether a resource is not a demand: cost, consumption, or traffic of interconnects and file systems.
fn ignored(kind: &[u8]) -> bool {
    const PLAIN: [&[u8]; 5] = [b"billing", b"energy", b"vmem", b"pages", b"usage"];
    PLAIN.contains(&kind) || kind.starts_with(b"fs/") || kind.starts_with(b"ic/")
}

fn amount(kind: &[u8], value: &[u8]) -> Option<i64> {
    match kind {
        b"mem" => MEGABYTES.read(value).map(size::kb),
        kind if kind.starts_with(b"bb/") => MEGABYTES.read(value).map(|bytes| bytes >> 20),
        _ => whole(value).filter(|&count| count >= 0).or_else(|| BYTES.read(value)),
    }
}

/// Returns the memory in a list of usages, bytes: amounts without a unit are bytes.
pub(super) fn used_memory(text: &[u8]) -> Option<i64> {
    let part = text.split(|&byte| byte == b',').find_map(|part| part.strip_prefix(b"mem="))?;
    BYTES.read(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tres: &Tres<'_>) -> String {
        let words = tres.resources();
        let words = words.iter().map(|(name, amount)| format!("{}={amount}", String::from_utf8_lossy(name)));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn demands_are_distinguished_from_costs() {
        let text = b"billing=12,cpu=12,energy=5,gres/gpu=2,gres/gpu:a100=2,gres/shard=4,license/x=3,mem=62.50G,node=2";
        let tres = Tres::of(text, |part| panic!("{part:?}"));
        assert_eq!(
            (tres.cpu, tres.memory, tres.nodes, tres.sum(GPU)),
            (Some(12), Some(64_000 << 10), Some(2), Some(2))
        );
        assert_eq!(shown(&tres), "gpu=2 shard=4 license/x=3 gpu:a100=2");
        assert_eq!(
            shown(&Tres::of(b"gres/gpu:a=1,gres/gpu:b=2,gres/mps:t4=5", |_| ())),
            "gpu=3 mps=5 gpu:a=1 gpu:b=2 mps:t4=5"
        );
        assert_eq!(shown(&Tres::of(b"bb/cray=2G", |_| ())), "bb/cray=2048");
    }

    #[test]
    fn values_that_cannot_be_understood_are_reported() {
        let mut odd = Vec::new();
        let tres = Tres::of(b"cpu=x,mem,node=1", |part| odd.push(part));
        assert_eq!((tres.cpu, tres.nodes), (None, Some(1)));
        assert_eq!(odd, [&b"cpu=x"[..], b"mem"]);
        assert!(!Tres::of(b"", |_| ()).told);
    }

    #[test]
    fn usages_have_their_memory() {
        assert_eq!(used_memory(b"cpu=00:00:00,mem=1668K,pages=0,vmem=2920K"), Some(1668 << 10));
        assert_eq!(used_memory(b"mem=1708032"), Some(1_708_032));
        assert_eq!(used_memory(b"energy=0"), None);
    }
}
