//! Nodes as `scontrol show node` prints them: those that `slurm.conf` does not define, since they are in a file that is not given,
//! in a cloud, or registered by themselves.
//!
//! They are in the states of one instant, which do not count; a planned node (`FUTURE`) is left out.
//!
//! Source: `slurm_sprint_node_table` (`node_info.c`) of versions 20.11 to 25.05.

use batchlab_traces::located::LocatedError;
use batchlab_traces::sorted::SortedMap;

use super::file::{SystemFile, place};
use super::grammar::{Pair, Statement, WrittenBy, take_one};

/// What is read, by the names of the output and of `slurm.conf`.
const KEYS: [(&str, &str); 12] = [
    ("NodeName", "NodeName"),
    ("CPUTot", "CPUs"),
    ("Sockets", "Sockets"),
    ("CoresPerSocket", "CoresPerSocket"),
    ("ThreadsPerCore", "ThreadsPerCore"),
    ("CoreSpecCount", "CoreSpecCount"),
    ("CPUSpecList", "CPUSpecList"),
    ("RealMemory", "RealMemory"),
    ("MemSpecLimit", "MemSpecLimit"),
    ("AvailableFeatures", "Features"),
    ("Gres", "Gres"),
    ("Weight", "Weight"),
];

const BESIDE: [&str; 2] = ["State", "Partitions"];

/// Reads the nodes, at most `left` settings of them.
pub(super) fn nodes(file: &SystemFile, left: &mut usize) -> Result<Vec<Statement>, LocatedError> {
    let mut nodes: Vec<Statement> = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let mut from = 0;
        for word in line.split_whitespace() {
            let column = line.get(from..).and_then(|rest| rest.find(word)).map_or(0, |at| from + at);
            from = column + word.len();
            let Some((written, value)) = word.split_once('=') else { continue };
            let known = KEYS.iter().find(|(shown, _)| *shown == written).map(|(_, key)| *key);
            let Some(key) = known.or_else(|| BESIDE.into_iter().find(|name| *name == written)) else {
                continue;
            };
            let here = place(&file.name, at + 1, column + 1);
            if key == "NodeName" {
                nodes.push(Statement { place: here.clone(), pairs: Vec::new(), origin: WrittenBy::Scontrol });
            }
            let lower = key.to_ascii_lowercase();
            let Some(node) = nodes.last_mut().filter(|node| node.get(&lower).is_none()) else { continue };
            if !["", "(null)", "N/A"].contains(&value) {
                take_one(left, &here)?;
                let pair = Pair { key: lower, written: written.into(), value: value.into(), place: here };
                node.pairs.push(pair);
            }
        }
    }
    let is_planned = |node: &Statement| node.get("state").is_some_and(|pair| pair.value.contains("FUTURE"));
    nodes.retain(|node| node.get("nodename").is_some() && !is_planned(node));
    for node in &mut nodes {
        node.pairs.retain(|pair| pair.key != "state");
    }
    Ok(nodes)
}

pub(super) fn is_node(statement: &Statement) -> bool {
    statement.origin == WrittenBy::Scontrol
        && statement.pairs.first().is_some_and(|head| head.key == "nodename")
}

/// Returns lines of the partitions that nodes name, in the order of their names.
pub(super) fn partitions<'a>(nodes: impl Iterator<Item = &'a Statement>) -> Vec<Statement> {
    let mut members: SortedMap<&str, (&Pair, Vec<&str>)> = SortedMap::new();
    for node in nodes {
        let (Some(name), Some(pair)) = (node.get("nodename"), node.get("partitions")) else { continue };
        for partition in pair.value.split(',').filter(|partition| !partition.is_empty()) {
            members.entry(partition).or_insert((pair, Vec::new())).1.push(&name.value);
        }
    }
    let line = |(name, (from, nodes)): (&str, (&Pair, Vec<&str>))| {
        let pair = |written: &str, value: String| {
            let (key, place) = (written.to_ascii_lowercase(), from.place.clone());
            Pair { key, written: written.into(), value, place }
        };
        let pairs = vec![pair("PartitionName", name.to_owned()), pair("Nodes", nodes.join(","))];
        Statement { place: from.place.clone(), pairs, origin: WrittenBy::Scontrol }
    };
    members.into_iter().map(line).collect()
}
