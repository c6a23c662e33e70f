use crate::site::{PreemptMode, SlurmNode, SlurmPartition};
use batchlab_traces::located::LocatedError;
use batchlab_traces::notation::{Bound, hosts};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{Findings, Time};

use super::file::{MOST, SystemError, example};
use super::grammar::{Pair, Statement};
use super::node::{self, NodeShape};
use super::{kinds, values};

#[derive(Default)]
pub(super) struct Hardware {
    pub(super) nodes: Vec<SlurmNode>,
    index: SortedMap<String, usize>,
    sets: SortedMap<String, SortedSet<usize>>,
    pub(super) partitions: Vec<SlurmPartition>,
    /// Names of nodes that are no part of the machine.
    gone: SortedSet<String>,
    node_defaults: SortedMap<String, Pair>,
    partition_defaults: SortedMap<String, Pair>,
    named: SortedMap<String, usize>,
    /// Names in all lists so far, and nodes in all sets, partitions and others.
    listed: usize,
    bytes: usize,
}

/// The most names in all lists together, and the most nodes in all sets, partitions, reservations and switches together.
const MOST_LISTED: usize = 5_000_000;

/// The most bytes that the nodes take with their features.
const MOST_BYTES: usize = 512 << 20;

/// Returns the pairs of a line by their keys; of a key that is given twice, the last.
fn keyed(statement: &Statement) -> impl Iterator<Item = (String, Pair)> + '_ {
    statement.pairs.iter().map(|pair| (pair.key.clone(), pair.clone()))
}

const MOST_PARTITIONS: usize = 10_000;

impl Hardware {
    pub(super) fn node_line(
        &mut self,
        statement: &Statement,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let Some(name) = statement.get("nodename") else { return Ok(()) };
        if name.value.eq_ignore_ascii_case("default") {
            self.node_defaults.extend(keyed(statement));
            return Ok(());
        }
        let names = self.list(name)?;
        // A line with one of the two names has no default of the other.
        let other = |key: &str| match key {
            "feature" => "features",
            "features" => "feature",
            _ => "",
        };
        let has_own = |key: &str| statement.get(other(key)).is_some();
        let default = |key: &str| self.node_defaults.get(key).filter(|_| !has_own(key));
        let get = |key: &str| statement.get(key).or_else(|| default(key));
        let shape = NodeShape::of(&get, findings)?;
        let is_out = get("state").is_some_and(|pair| node::is_out(&pair.value));
        self.make_room(name, names.len(), &shape)?;
        for node in names {
            if is_out || self.gone.contains(&node) {
                let detail = || format!("{node}{}", if is_out { "" } else { " of DownNodes" });
                findings.report(&kinds::NODE_OUT, || example(&name.place, detail()))?;
                self.gone.insert(node);
            } else {
                self.add(node, &shape, name, findings)?;
            }
        }
        Ok(())
    }

    /// Adds a node of `scontrol show node`, unless a line defines it.
    pub(super) fn shown_node(
        &mut self,
        statement: &Statement,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let Some(name) = statement.get("nodename") else { return Ok(()) };
        if self.gone.contains(&name.value) {
            return Ok(());
        }
        let shape = NodeShape::of(&|key: &str| statement.get(key), findings)?;
        let Some(known) = self.index.get(&name.value).and_then(|&at| self.nodes.get(at)) else {
            self.make_room(name, 1, &shape)?;
            return self.add(name.value.clone(), &shape, name, findings);
        };
        let (cpus, memory) = ((known.cpus, shape.cpus), (known.memory, shape.memory));
        // Memory that no line states is 1 MB.
        if cpus.0 == cpus.1 && (memory.0 == memory.1 || memory.0 == 1) {
            return Ok(());
        }
        let detail =
            format!("{}: {} and {} processors, {} and {} MB", name.value, cpus.0, cpus.1, memory.0, memory.1);
        Ok(findings.report(&kinds::NODE_DIFFERS, || example(&name.place, detail))?)
    }

    /// Counts nodes before they are added.
    fn make_room(&mut self, name: &Pair, count: usize, shape: &NodeShape) -> Result<(), LocatedError> {
        self.bytes =
            count.checked_mul(shape.size()).map_or(usize::MAX, |more| more.saturating_add(self.bytes));
        if self.nodes.len() + count > MOST {
            return Err(wrong(name, format!("more than {MOST} nodes")));
        }
        if self.bytes > MOST_BYTES {
            return Err(wrong(name, "more than 512 MiB of nodes with their features".into()));
        }
        Ok(())
    }

    /// Takes the nodes of a `DownNodes` line out.
    pub(super) fn down_line(&mut self, statement: &Statement) -> Result<(), SystemError> {
        let Some(names) = statement.get("downnodes") else { return Ok(()) };
        if statement.get("state").is_none_or(|pair| node::is_out(&pair.value)) {
            let names = self.list(names)?;
            self.gone.extend(names);
        }
        Ok(())
    }

    fn add(
        &mut self,
        node: String,
        shape: &NodeShape,
        name: &Pair,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let made = SlurmNode {
            name: node.clone(),
            cpus: shape.cpus,
            threads: shape.threads,
            socket: shape.socket,
            memory: shape.memory,
            features: shape.features.clone(),
            weight: shape.weight,
            gres: shape.gres.clone(),
        };
        if let Some(&at) = self.index.get(&node) {
            self.nodes[at] = made;
            let detail = format!("NodeName=`{node}`");
            return Ok(findings.report(&kinds::TWICE, || example(&name.place, detail))?);
        }
        self.index.insert(node, self.nodes.len());
        self.nodes.push(made);
        Ok(())
    }

    pub(super) fn set_line(
        &mut self,
        statement: &Statement,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let Some(name) = statement.get("nodeset") else { return Ok(()) };
        let mut members = SortedSet::new();
        if let Some(pair) = statement.get("nodes") {
            members.extend(self.listed(pair, findings)?);
        }
        if let Some(pair) = statement.get("feature") {
            self.count(pair, self.nodes.len())?;
            let has = |(at, node): (usize, &SlurmNode)| node.features.contains(&pair.value).then_some(at);
            members.extend(self.nodes.iter().enumerate().filter_map(has));
        }
        self.sets.insert(name.value.clone(), members);
        Ok(())
    }

    pub(super) fn partition_line(
        &mut self,
        statement: &Statement,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let Some(name) = statement.get("partitionname") else { return Ok(()) };
        if name.value.eq_ignore_ascii_case("default") {
            self.partition_defaults.extend(keyed(statement));
            return Ok(());
        }
        let defaults = std::mem::take(&mut self.partition_defaults);
        let get = |key: &str| statement.get(key).or_else(|| defaults.get(key));
        let nodes = match get("nodes") {
            Some(pair) => self.listed(pair, findings)?.into_iter().collect(),
            None => Vec::new(),
        };
        let made = partition(name, nodes, &get, findings)?;
        self.partition_defaults = defaults;
        self.add_partition(name, SlurmPartition { place: statement.place.clone(), ..made })
    }

    fn add_partition(&mut self, name: &Pair, made: SlurmPartition) -> Result<(), SystemError> {
        match self.named.get(&made.name) {
            Some(&at) => self.partitions[at] = made,
            None if self.partitions.len() >= MOST_PARTITIONS => {
                return Err(wrong(name, format!("more than {MOST_PARTITIONS} partitions")).into());
            }
            None => {
                self.named.insert(made.name.clone(), self.partitions.len());
                self.partitions.push(made);
            }
        }
        Ok(())
    }

    pub(super) fn threads(&self, node: usize) -> i64 {
        self.nodes[node].threads
    }

    /// Returns the processors of the nodes that the `NodeName=… CoreIDs=…` lines of a reservation name.
    pub(super) fn cores_listed(&mut self, statement: &Statement) -> Result<Vec<(usize, i64)>, LocatedError> {
        let mut held: SortedMap<usize, i64> = SortedMap::new();
        let mut nodes = Vec::new();
        for pair in &statement.pairs {
            match pair.key.as_str() {
                "nodename" => {
                    let names = self.list(pair)?;
                    nodes = names.iter().filter_map(|name| self.index.get(name).copied()).collect();
                }
                "coreids" => {
                    for &node in &nodes {
                        let cores = values::ids(&pair.value).saturating_mul(self.nodes[node].threads);
                        held.insert(node, cores.min(self.nodes[node].cpus));
                    }
                }
                _ => {}
            }
        }
        Ok(held.into_iter().collect())
    }

    /// Returns the nodes of a list of names and sets, ascending.
    pub(super) fn listed(
        &mut self,
        pair: &Pair,
        findings: &mut Findings,
    ) -> Result<SortedSet<usize>, SystemError> {
        if pair.value.eq_ignore_ascii_case("all") {
            self.count(pair, self.nodes.len())?;
            return Ok((0..self.nodes.len()).collect());
        }
        let mut members = SortedSet::new();
        for name in self.list(pair)? {
            if let Some(&node) = self.index.get(&name) {
                members.insert(node);
            } else if let Some(set) = self.sets.get(&name) {
                members.extend(set.iter().copied());
                let more = set.len();
                self.count(pair, more)?;
            } else if name != "(null)" && !self.gone.contains(&name) {
                findings.report(&kinds::NO_NODE, || example(&pair.place, name))?;
            }
        }
        Ok(members)
    }

    fn list(&mut self, pair: &Pair) -> Result<Vec<String>, LocatedError> {
        let shown: String = pair.value.chars().take(60).collect();
        let names = hosts::names(&pair.value, hosts::MOST).ok_or_else(|| {
            wrong(pair, format!("{}=`{shown}` is no list of hosts such as n[1-16,20]", pair.written))
        })?;
        self.count(pair, names.len())?;
        Ok(names)
    }

    fn count(&mut self, pair: &Pair, more: usize) -> Result<(), LocatedError> {
        self.listed = self.listed.saturating_add(more);
        if self.listed <= MOST_LISTED {
            return Ok(());
        }
        let what = "nodes in the lists of all nodes, sets, partitions and others together";
        Err(wrong(pair, format!("more than {MOST_LISTED} {what}")))
    }
}

fn partition<'a>(
    name: &Pair,
    nodes: Vec<usize>,
    get: &impl Fn(&str) -> Option<&'a Pair>,
    findings: &mut Findings,
) -> Result<SlurmPartition, SystemError> {
    let max_time = read(get("maxtime"), values::limit, findings)?.unwrap_or(Bound::Unlimited);
    // scontrol prints NONE for a default that is not set.
    let default = get("defaulttime").filter(|pair| !pair.value.trim().eq_ignore_ascii_case("none"));
    let default_time = read(default, values::limit, findings)?;
    let mut count = |key: &str| -> Result<Option<i64>, SystemError> {
        Ok(read(get(key), values::count, findings)?.and_then(Bound::most))
    };
    let max_nodes = count("maxnodes")?;
    // `Priority` set both until 16.05.
    let old = count("priority")?;
    let tier = count("prioritytier")?.or(old).unwrap_or(1);
    let job_factor = count("priorityjobfactor")?.or(old).unwrap_or(1);
    let billing = read(get("tresbillingweights"), values::weights, findings)?.unwrap_or_default();
    let preempt_mode = read(get("preemptmode"), PreemptMode::parse, findings)?;
    let grace = read(get("gracetime"), values::seconds, findings)?.unwrap_or(Time::ZERO);
    let is_yes = |key: &str| get(key).is_some_and(|pair| values::yes(&pair.value));
    let sharing = get("oversubscribe").or_else(|| get("shared"));
    Ok(SlurmPartition {
        name: name.value.clone(),
        nodes,
        max_time,
        default_time,
        max_nodes,
        is_default: is_yes("default"),
        exclusive: sharing.is_some_and(|pair| pair.value.eq_ignore_ascii_case("exclusive")),
        rows: sharing.map_or(1, |pair| rows(&pair.value)),
        memory_each: get("defmempercpu").is_some_and(|pair| values::is_above_zero(&pair.value)),
        most_memory_each: get("maxmempercpu").and_then(|pair| values::above_zero(&pair.value)),
        exclusive_user: is_yes("exclusiveuser"),
        least_loaded: is_yes("lln"),
        qos: get("qos").map(|pair| pair.value.trim().to_owned()).filter(|name| is_named(name)),
        tier,
        job_factor,
        preempt_mode,
        grace,
        billing,
        place: name.place.clone(),
    })
}

/// Returns how many jobs `OverSubscribe` lets have a processor: 4 of `FORCE` (`_parse_partitionname`).
fn rows(sharing: &str) -> i64 {
    let (word, count) = sharing.trim().split_once(':').unwrap_or((sharing.trim(), "4"));
    if word.eq_ignore_ascii_case("force") { count.parse().unwrap_or(4) } else { 1 }
}

/// Whether a text is a name rather than the word of `scontrol` for none.
fn is_named(text: &str) -> bool {
    !["", "N/A", "(null)"].iter().any(|none| text.eq_ignore_ascii_case(none))
}

/// Reads a value; if it cannot be read, it is reported, and counts as not given.
pub(super) fn read<T>(
    pair: Option<&Pair>,
    reads: impl Fn(&str) -> Option<T>,
    findings: &mut Findings,
) -> Result<Option<T>, SystemError> {
    let Some(pair) = pair else { return Ok(None) };
    let read = reads(&pair.value);
    if read.is_none() {
        value(findings, pair)?;
    }
    Ok(read)
}

pub(super) fn wrong(pair: &Pair, what: String) -> LocatedError {
    LocatedError { place: pair.place.clone(), what }
}

pub(super) fn value(findings: &mut Findings, pair: &Pair) -> Result<(), SystemError> {
    let detail = || format!("{}={}", pair.written, pair.value);
    Ok(findings.report(&kinds::VALUE, || example(&pair.place, detail()))?)
}

pub(super) fn unsupported(findings: &mut Findings, pair: &Pair, effect: &str) -> Result<(), SystemError> {
    let detail = || format!("{}={}: {effect}", pair.written, pair.value);
    Ok(findings.report(&kinds::UNSUPPORTED, || example(&pair.place, detail()))?)
}
