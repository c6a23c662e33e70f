//! Trackable resources: `billing=4,cpu=4,gres/gpu=2,gres/gpu:a100=2,license/x=3,mem=62.50G,node=1`.

use std::borrow::Cow;

use crate::text::{size, whole};

/// Amounts of trackable resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tres<'a> {
    /// Whether the log tells any.
    pub(super) told: bool,
    pub(super) cpu: Option<i64>,
    /// KB.
    pub(super) memory: Option<i64>,
    pub(super) nodes: Option<i64>,
    /// GPUs of any model.
    pub(super) gpus: Option<i64>,
    /// GPUs asked for by model: part of `gpus`, which Slurm may leave out then.
    models: Option<i64>,
    /// Further resources by name: those of `gres/`, licences, burst buffers (MB).
    pub(super) others: Vec<(Cow<'a, [u8]>, i64)>,
}

impl<'a> Tres<'a> {
    /// Parses a list, calling `odd` for each part that cannot be understood.
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

    /// Adds an amount: memory in KB, burst buffers in MB, all else as a count.
    pub(super) fn add(&mut self, kind: Cow<'a, [u8]>, amount: i64) {
        self.told = true;
        match kind.as_ref() {
            b"cpu" => self.cpu = Some(amount),
            b"mem" => self.memory = Some(amount),
            b"node" => self.nodes = Some(amount),
            b"gres/gpu" => self.gpus = Some(amount),
            kind if ignored(kind) => {}
            kind if kind.starts_with(b"gres/gpu:") => {
                self.models = Some(self.models.unwrap_or(0).saturating_add(amount));
            }
            // Models of other devices are counted in what has no model.
            kind if kind.starts_with(b"gres/") && kind.contains(&b':') => {}
            _ => {
                let kind = match kind {
                    Cow::Borrowed(kind) => Cow::Borrowed(kind.strip_prefix(b"gres/").unwrap_or(kind)),
                    Cow::Owned(kind) => Cow::Owned(kind.strip_prefix(b"gres/").unwrap_or(&kind).to_vec()),
                };
                self.others.push((kind, amount));
            }
        }
    }

    /// Returns the GPUs, whether or not models were named.
    pub(super) fn gpus(&self) -> Option<i64> {
        self.gpus.or(self.models)
    }
}

/// Whether a resource is no demand: what it costs, what it used up, what interconnects and file systems carried.
fn ignored(kind: &[u8]) -> bool {
    const PLAIN: [&[u8]; 5] = [b"billing", b"energy", b"vmem", b"pages", b"usage"];
    PLAIN.contains(&kind) || kind.starts_with(b"fs/") || kind.starts_with(b"ic/")
}

fn amount(kind: &[u8], value: &[u8]) -> Option<i64> {
    match kind {
        b"mem" => match size::bytes(value, 1 << 20)? {
            (bytes, b"") => Some(size::kb(bytes)),
            _ => None,
        },
        kind if kind.starts_with(b"bb/") => match size::bytes(value, 1 << 20)? {
            (bytes, b"") => Some(bytes >> 20),
            _ => None,
        },
        _ => whole(value).filter(|&count| count >= 0).or_else(|| match size::bytes(value, 1)? {
            (count, b"") => Some(count),
            _ => None,
        }),
    }
}

/// Returns the memory of a list of usages, bytes: amounts without a unit are bytes.
pub(super) fn used_memory(text: &[u8]) -> Option<i64> {
    let part = text.split(|&byte| byte == b',').find_map(|part| part.strip_prefix(b"mem="))?;
    size::bytes(part, 1).filter(|(_, rest)| rest.is_empty()).map(|(bytes, _)| bytes)
}

/// Returns the GPUs of the lists that came before trackable resources: `gpu:2`, `gpu:a100:2(S:0-1)`, `gpu`.
pub(super) fn gres_gpus(text: &[u8]) -> Option<i64> {
    let mut gpus = None;
    for part in text.split(|&byte| byte == b',') {
        let part = part.split(|&byte| byte == b'(').next().unwrap_or_default();
        let part = part.strip_prefix(b"gres:").unwrap_or(part);
        let mut words = part.split(|&byte| byte == b':' || byte == b'=');
        if words.next() == Some(b"gpu") {
            let count = words.next_back().and_then(whole).filter(|&count| count >= 0).unwrap_or(1);
            gpus = Some(gpus.unwrap_or(0_i64).saturating_add(count));
        }
    }
    gpus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_are_told_from_costs() {
        let text = b"billing=12,cpu=12,energy=5,gres/gpu=2,gres/gpu:a100=2,gres/shard=4,license/x=3,mem=62.50G,node=2";
        let tres = Tres::of(text, |part| panic!("{part:?}"));
        assert_eq!(
            (tres.cpu, tres.memory, tres.nodes, tres.gpus()),
            (Some(12), Some(64_000 << 10), Some(2), Some(2))
        );
        let others: Vec<(&[u8], i64)> =
            tres.others.iter().map(|(name, amount)| (name.as_ref(), *amount)).collect();
        assert_eq!(others, [(&b"shard"[..], 4), (b"license/x", 3)]);
        assert_eq!(Tres::of(b"gres/gpu:a=1,gres/gpu:b=2", |_| ()).gpus(), Some(3));
        assert_eq!(Tres::of(b"bb/cray=2G", |_| ()).others[0].1, 2048);
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        let mut odd = Vec::new();
        let tres = Tres::of(b"cpu=x,mem,node=1", |part| odd.push(part));
        assert_eq!((tres.cpu, tres.nodes), (None, Some(1)));
        assert_eq!(odd, [&b"cpu=x"[..], b"mem"]);
        assert!(!Tres::of(b"", |_| ()).told);
    }

    #[test]
    fn usages_and_old_lists() {
        assert_eq!(used_memory(b"cpu=00:00:00,mem=1668K,pages=0,vmem=2920K"), Some(1668 << 10));
        assert_eq!(used_memory(b"mem=1708032"), Some(1_708_032));
        assert_eq!(used_memory(b"energy=0"), None);
        assert_eq!(gres_gpus(b"gpu:2"), Some(2));
        assert_eq!(gres_gpus(b"craynetwork:1,gpu:a100:3(S:0-1),gpu"), Some(4));
        assert_eq!(gres_gpus(b""), None);
    }
}
