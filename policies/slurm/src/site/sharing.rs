//! GPUs that are shared: shards (`gres/shard`) and percentages (`gres/mps`) come from the same devices as whole GPUs.
//!
//! A job that asks for whole GPUs gets no GPU with a shard in use, and a job that asks for a shard gets none that is wholly in use. Source: `gres.conf(5)`
//! and `gres.html` of versions 20.11 to 25.05.

use super::SlurmNode;
use super::blocks::common;
use batchlab_traces::header::Header;
use batchlab_traces::machine::DemandSum;

/// The resource that whole GPUs and their shards take parts of.
pub(super) const PARTS: &str = "gpu_parts";

const GPU: &str = "gpu";

/// Resources that are parts of GPUs.
const SHARES: [&str; 2] = ["shard", "mps"];

/// Into how many parts each GPU is divided, and how many a shard is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SharedGpus {
    parts: i64,
    weights: Vec<(String, i64)>,
}

impl SharedGpus {
    /// Returns the rule of an installation, if jobs of the log ask for GPUs and for shards of GPUs. A resource whose amount for
    /// each GPU differs among nodes is not coupled.
    pub(super) fn of(nodes: &[SlurmNode], header: &Header) -> Option<SharedGpus> {
        let is_asked = |name: &str| header.resources.iter().any(|declared| declared.name == name);
        let shares = SHARES.into_iter().filter(|name| is_asked(name));
        let each: Vec<(&str, i64)> = shares.filter_map(|name| Some((name, per_gpu(nodes, name)?))).collect();
        if each.is_empty() || !is_asked(GPU) {
            return None;
        }
        let parts = each.iter().fold(1, |all, (_, each)| all / common(all, *each) * each);
        let weights = each.into_iter().map(|(name, each)| (name.to_owned(), parts / each));
        Some(SharedGpus { parts, weights: weights.collect() })
    }

    /// Returns the parts of the GPUs of a node.
    pub(super) fn on(&self, node: &SlurmNode) -> i64 {
        amount(node, GPU).saturating_mul(self.parts)
    }

    /// Returns what a job needs of the parts.
    pub(super) fn sum(&self) -> DemandSum {
        let whole = (GPU.to_owned(), self.parts);
        DemandSum { name: PARTS.into(), of: std::iter::once(whole).chain(self.weights.clone()).collect() }
    }
}

/// Returns how much of a resource each GPU is; `None` if nodes differ, or have no whole amount for each GPU.
fn per_gpu(nodes: &[SlurmNode], name: &str) -> Option<i64> {
    let mut found = None;
    for node in nodes {
        let (gpus, shares) = (amount(node, GPU), amount(node, name));
        if shares == 0 {
            continue;
        }
        if gpus == 0 || shares % gpus != 0 || found.is_some_and(|each| each != shares / gpus) {
            return None;
        }
        found = Some(shares / gpus);
    }
    found.filter(|each| (1..=MOST).contains(each))
}

/// The most parts of a GPU.
const MOST: i64 = 1000;

fn amount(node: &SlurmNode, name: &str) -> i64 {
    node.gres.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| (*count).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::header::{ColumnScope, ResourceDeclaration};

    fn node(gres: &[(&str, i64)]) -> SlurmNode {
        let gres = gres.iter().map(|&(name, count)| (name.into(), count)).collect();
        SlurmNode {
            name: "n".into(),
            cpus: 1,
            threads: 1,
            socket: 1,
            memory: 1,
            features: Vec::new(),
            weight: 1,
            gres,
        }
    }

    fn shared(nodes: &[SlurmNode], names: &[&str]) -> Option<(i64, Vec<(String, i64)>)> {
        let declared = |name: &&str| ResourceDeclaration {
            name: (*name).into(),
            unit: String::new(),
            capacity: None,
            scope: ColumnScope::Pool,
        };
        let header = Header { resources: names.iter().map(declared).collect(), ..Header::default() };
        SharedGpus::of(nodes, &header).map(|shared| (shared.on(&nodes[0]), shared.sum().of))
    }

    #[test]
    fn a_shard_is_a_part_of_a_gpu() {
        let both = node(&[("gpu", 4), ("shard", 16)]);
        let of = |list: &[(&str, i64)]| {
            Some((16, list.iter().map(|&(name, count)| (name.to_owned(), count)).collect()))
        };
        assert_eq!(shared(std::slice::from_ref(&both), &["gpu", "shard"]), of(&[("gpu", 4), ("shard", 1)]));
        assert_eq!(
            shared(&[both.clone(), node(&[("gpu", 2)])], &["gpu", "shard"]),
            of(&[("gpu", 4), ("shard", 1)])
        );
        assert_eq!(
            shared(&[both.clone(), node(&[("gpu", 2), ("shard", 4)])], &["gpu", "shard"]),
            None,
            "nodes differ"
        );
        assert_eq!(shared(&[both], &["gpu"]), None, "no job asks for shards");
        let three = node(&[("gpu", 1), ("shard", 4), ("mps", 100)]);
        let (parts, sum) = shared(&[three], &["gpu", "shard", "mps"]).unwrap();
        assert_eq!((parts, sum[1].1, sum[2].1), (100, 25, 1));
    }
}
