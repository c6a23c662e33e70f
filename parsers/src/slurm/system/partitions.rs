//! Nodes, sets of nodes and partitions.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::located::LocatedError;
use batchlab_traces::slurm::{PreemptMode, SlurmNode, SlurmPartition, hosts};
use batchlab_traces::{Example, Findings, Time};

use super::grammar::{Pair, Statement};
use super::{MOST, SystemError, kinds, values};

/// The nodes and partitions read so far.
#[derive(Default)]
pub(super) struct Hardware {
    pub(super) nodes: Vec<SlurmNode>,
    /// The index of each node by its name.
    index: BTreeMap<String, usize>,
    /// The processors of a core of each node.
    threads: Vec<i64>,
    sets: BTreeMap<String, BTreeSet<usize>>,
    pub(super) partitions: Vec<SlurmPartition>,
    node_defaults: Vec<Pair>,
    partition_defaults: Vec<Pair>,
}

/// The most partitions.
const MOST_PARTITIONS: usize = 10_000;

/// Settings of partitions that are not followed, with the values that change nothing and what others would change.
const PARTITION_UNSUPPORTED: &[(&str, &[&str], &str)] = &[
    ("oversubscribe", &["no", "yes", "yes:4", "exclusive", "force:1"], "jobs would share nodes differently"),
    ("shared", &["no", "yes", "yes:4", "exclusive", "force:1"], "jobs would share nodes differently"),
    ("exclusivetopo", &["no"], "blocks of nodes would serve one job at a time"),
    ("qos", &["", "n/a"], "limits of the partition's QOS would apply"),
    ("maxcpuspernode", &["unlimited", ""], "jobs would use fewer processors of a node"),
    ("maxcpuspersocket", &["unlimited", ""], "jobs would use fewer processors of a socket"),
    ("state", &["up"], "no job would start there"),
    ("minnodes", &["0", "1", ""], "smaller jobs would be refused"),
    ("rootonly", &["no"], "only root could submit"),
    ("reqresv", &["no"], "jobs outside of reservations would be refused"),
];

impl Hardware {
    /// Adds the nodes of a `NodeName` line.
    pub(super) fn node_line(
        &mut self,
        statement: &Statement,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let Some(name) = statement.get("nodename") else { return Ok(()) };
        if name.value.eq_ignore_ascii_case("default") {
            self.node_defaults.extend(statement.pairs.iter().cloned());
            return Ok(());
        }
        let names = list(name)?;
        if self.nodes.len() + names.len() > MOST {
            return Err(wrong(name, format!("more than {MOST} nodes")).into());
        }
        let get = |key: &str| {
            let default = || self.node_defaults.iter().rev().find(|pair| pair.key == key);
            statement.get(key).or_else(default)
        };
        let mut whole = |key: &str, default: i64| -> Result<i64, SystemError> {
            let Some(pair) = get(key) else { return Ok(default) };
            match pair.value.parse().ok().filter(|&count: &i64| (0..=1 << 31).contains(&count)) {
                Some(count) => Ok(count),
                None => {
                    value(findings, pair)?;
                    Ok(default)
                }
            }
        };
        let boards = whole("boards", 1)?;
        let sockets = whole("sockets", 1)?.max(boards * whole("socketsperboard", 1)?);
        let cores = sockets * whole("corespersocket", 1)?;
        let parts = (cores * whole("threadspercore", 1)?).clamp(1, 1 << 31);
        let cpus = whole("cpus", parts)?.max(1);
        let threads = if cpus > cores { whole("threadspercore", 1)?.max(1) } else { 1 };
        let weight = whole("weight", 1)?;
        let memory = match get("realmemory") {
            None => 1,
            Some(pair) => match values::megabytes(&pair.value) {
                Some(memory) => memory,
                None => {
                    value(findings, pair)?;
                    1
                }
            },
        };
        let features = ["features", "feature"].iter().find_map(|key| get(key)).map(|pair| &pair.value);
        let features = features.map(|text| {
            text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        });
        let gres = get("gres").map(|pair| values::gres(&pair.value)).unwrap_or_default();
        let features: Vec<String> = features.unwrap_or_default();
        for node in names {
            let known = self.index.get(&node).copied();
            if known.is_some() {
                findings.report(&kinds::TWICE, || Example {
                    place: Some(name.place.clone()),
                    detail: format!("NodeName={node}"),
                })?;
            }
            let made = SlurmNode {
                name: node.clone(),
                cpus,
                memory,
                features: features.clone(),
                weight,
                gres: gres.clone(),
            };
            match known {
                Some(at) => (self.nodes[at], self.threads[at]) = (made, threads),
                None => {
                    self.threads.push(threads);
                    self.index.insert(node, self.nodes.len());
                    self.nodes.push(made);
                }
            }
        }
        Ok(())
    }

    /// Adds the set of a `NodeSet` line.
    pub(super) fn set_line(
        &mut self,
        statement: &Statement,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let Some(name) = statement.get("nodeset") else { return Ok(()) };
        let mut members = BTreeSet::new();
        if let Some(pair) = statement.get("nodes") {
            members.extend(self.listed(pair, findings)?);
        }
        if let Some(pair) = statement.get("feature") {
            let has = |(at, node): (usize, &SlurmNode)| node.features.contains(&pair.value).then_some(at);
            members.extend(self.nodes.iter().enumerate().filter_map(has));
        }
        self.sets.insert(name.value.clone(), members);
        Ok(())
    }

    /// Adds the partition of a line or record; one of the same name is replaced.
    pub(super) fn partition_line(
        &mut self,
        statement: &Statement,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let Some(name) = statement.get("partitionname") else { return Ok(()) };
        if name.value.eq_ignore_ascii_case("default") {
            self.partition_defaults.extend(statement.pairs.iter().cloned());
            return Ok(());
        }
        let defaults = std::mem::take(&mut self.partition_defaults);
        let get =
            |key: &str| statement.get(key).or_else(|| defaults.iter().rev().find(|pair| pair.key == key));
        let nodes = match get("nodes") {
            Some(pair) => self.listed(pair, findings)?.into_iter().collect(),
            None => Vec::new(),
        };
        let mut limit = |key: &str| -> Result<Option<_>, SystemError> {
            let Some(pair) = get(key) else { return Ok(None) };
            match values::limit(&pair.value) {
                Some(limit) => Ok(limit.most()),
                None => {
                    value(findings, pair)?;
                    Ok(None)
                }
            }
        };
        let (max_time, default_time) = (limit("maxtime")?, limit("defaulttime")?);
        let mut count = |key: &str| -> Result<Option<i64>, SystemError> {
            let Some(pair) = get(key) else { return Ok(None) };
            match values::count(&pair.value) {
                Some(count) => Ok(count.most()),
                None => {
                    value(findings, pair)?;
                    Ok(None)
                }
            }
        };
        let max_nodes = count("maxnodes")?;
        // `Priority` set both until 16.05.
        let old = count("priority")?;
        let tier = count("prioritytier")?.or(old).unwrap_or(1);
        let job_factor = count("priorityjobfactor")?.or(old).unwrap_or(1);
        let billing = match get("tresbillingweights") {
            None => Vec::new(),
            Some(pair) => match values::weights(&pair.value) {
                Some(weights) => weights,
                None => {
                    value(findings, pair)?;
                    Vec::new()
                }
            },
        };
        report_unsupported(&get, findings)?;
        let is_yes = |key: &str| get(key).is_some_and(|pair| values::yes(&pair.value));
        let preempt_mode = match get("preemptmode") {
            None => None,
            Some(pair) => {
                let mode = PreemptMode::parse(&pair.value);
                if mode.is_none() {
                    value(findings, pair)?;
                }
                mode
            }
        };
        let grace = match get("gracetime") {
            None => Time::ZERO,
            Some(pair) => match values::seconds(&pair.value) {
                Some(grace) => grace,
                None => {
                    value(findings, pair)?;
                    Time::ZERO
                }
            },
        };
        let made = SlurmPartition {
            name: name.value.clone(),
            nodes,
            max_time,
            default_time,
            max_nodes,
            is_default: is_yes("default"),
            exclusive: get("oversubscribe")
                .or_else(|| get("shared"))
                .is_some_and(|pair| pair.value.eq_ignore_ascii_case("exclusive")),
            exclusive_user: is_yes("exclusiveuser"),
            least_loaded: is_yes("lln"),
            tier,
            job_factor,
            preempt_mode,
            grace,
            billing,
            place: statement.place.clone(),
        };
        self.partition_defaults = defaults;
        match self.partitions.iter().position(|known| known.name == made.name) {
            Some(at) => self.partitions[at] = made,
            None if self.partitions.len() >= MOST_PARTITIONS => {
                return Err(wrong(name, format!("more than {MOST_PARTITIONS} partitions")).into());
            }
            None => self.partitions.push(made),
        }
        Ok(())
    }

    /// Returns the processors of a core of a node.
    pub(super) fn threads(&self, node: usize) -> i64 {
        self.threads[node]
    }

    /// Returns the processors of the nodes that the `NodeName=… CoreIDs=…` lines of a reservation name.
    pub(super) fn cores_listed(&self, statement: &Statement) -> Vec<(usize, i64)> {
        let mut held: BTreeMap<usize, i64> = BTreeMap::new();
        let mut nodes = Vec::new();
        for pair in &statement.pairs {
            match pair.key.as_str() {
                "nodename" => {
                    let names = hosts(&pair.value).unwrap_or_default();
                    nodes = names.iter().filter_map(|name| self.index.get(name).copied()).collect();
                }
                "coreids" => {
                    for &node in &nodes {
                        let cores = values::ids(&pair.value).saturating_mul(self.threads[node]);
                        held.insert(node, cores.min(self.nodes[node].cpus));
                    }
                }
                _ => {}
            }
        }
        held.into_iter().collect()
    }

    /// Returns the nodes of a list of names and sets, ascending.
    pub(super) fn listed(
        &self,
        pair: &Pair,
        findings: &mut Findings,
    ) -> Result<BTreeSet<usize>, SystemError> {
        if pair.value.eq_ignore_ascii_case("all") {
            return Ok((0..self.nodes.len()).collect());
        }
        let mut members = BTreeSet::new();
        for name in list(pair)? {
            if let Some(&node) = self.index.get(&name) {
                members.insert(node);
            } else if let Some(set) = self.sets.get(&name) {
                members.extend(set);
            } else if name != "(null)" {
                findings
                    .report(&kinds::NO_NODE, || Example { place: Some(pair.place.clone()), detail: name })?;
            }
        }
        Ok(members)
    }
}

/// Reports the settings of a partition that are not followed.
fn report_unsupported<'a>(
    get: &impl Fn(&str) -> Option<&'a Pair>,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    for (key, plain, effect) in PARTITION_UNSUPPORTED {
        let Some(pair) = get(key) else { continue };
        if !plain.contains(&pair.value.to_ascii_lowercase().as_str()) {
            unsupported(findings, pair, effect)?;
        }
    }
    Ok(())
}

/// Returns the names of a list of hosts.
fn list(pair: &Pair) -> Result<Vec<String>, LocatedError> {
    let shown: String = pair.value.chars().take(60).collect();
    hosts(&pair.value).ok_or_else(|| {
        wrong(pair, format!("{}={shown} is no list of hosts such as n[1-16,20]", pair.written))
    })
}

pub(super) fn wrong(pair: &Pair, what: String) -> LocatedError {
    LocatedError { place: pair.place.clone(), what }
}

/// Reports a value that cannot be read.
pub(super) fn value(findings: &mut Findings, pair: &Pair) -> Result<(), SystemError> {
    let detail = || format!("{}={}", pair.written, pair.value);
    Ok(findings.report(&kinds::VALUE, || Example { place: Some(pair.place.clone()), detail: detail() })?)
}

/// Reports a setting that is not followed.
pub(super) fn unsupported(findings: &mut Findings, pair: &Pair, effect: &str) -> Result<(), SystemError> {
    let detail = || format!("{}={}: {effect}", pair.written, pair.value);
    Ok(findings
        .report(&kinds::UNSUPPORTED, || Example { place: Some(pair.place.clone()), detail: detail() })?)
}
