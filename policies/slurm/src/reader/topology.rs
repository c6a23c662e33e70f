//! The switches of `topology.conf`.
//!
//! Source: `topology.conf(5)`, and `_validate_switches` (`topology_tree.c`) of Slurm 22.05.

use crate::site::{Switch, Topology};
use batchlab_traces::located::LocatedError;
use batchlab_traces::notation::hosts;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{Example, Findings};

use super::file::{SystemError, example};
use super::grammar::{Pair, Statement};
use super::kinds;
use super::partitions::{Hardware, wrong};
use super::settings::ConfSettings;

/// The most levels of switches, as Slurm has it.
const MOST_LEVELS: usize = 20;

const MOST_SWITCHES: usize = 100_000;

/// The most nodes below all switches together, each counted for each switch above it.
const MOST_NODES: usize = 4_000_000;

/// Returns the switches of the `SwitchName` lines among statements, if jobs are placed by them.
///
/// # Errors
/// At the first line that slurmctld would refuse: a name given twice, a switch without nodes and switches, or with both,
/// one that is below itself, or one with an unknown switch below it.
pub(super) fn topology(
    statements: &[&Statement],
    settings: &ConfSettings<'_>,
    hardware: &mut Hardware,
    findings: &mut Findings,
) -> Result<Option<Topology>, SystemError> {
    let is_switch = |statement: &&&Statement| statement.pairs[0].key == "switchname";
    let lines: Vec<&Statement> = statements.iter().filter(is_switch).copied().collect();
    let Some(plugin) = settings.get("topologyplugin") else { return Ok(None) };
    if !plugin.value.eq_ignore_ascii_case("topology/tree") {
        return Ok(None);
    }
    let mut words = settings.text("topologyparam").split(',');
    let optional = words.any(|word| word.trim().eq_ignore_ascii_case("TopoOptional"));
    if lines.is_empty() {
        let detail = || format!("{}={}", plugin.written, plugin.value);
        findings.report(&kinds::NO_SWITCHES, || example(&plugin.place, detail()))?;
        return Ok(None);
    }
    let mut switches = named(&lines, hardware, findings)?;
    let below = children(&lines, &switches)?;
    levels(&mut switches, below)?;
    check(&switches, hardware, findings)?;
    Ok(Some(Topology { switches, optional }))
}

/// What is wrong with switches that have too many nodes.
const TOO_MANY_NODES: &str = "more than 4,000,000 nodes below all switches together";

/// Returns the pair that names the switches below a switch. `scontrol show topology` tells their nodes, too.
fn switches_below(line: &Statement) -> Option<&Pair> {
    line.get("switches").filter(|pair| !pair.value.is_empty())
}

fn named(
    lines: &[&Statement],
    hardware: &mut Hardware,
    findings: &mut Findings,
) -> Result<Vec<Switch>, SystemError> {
    let mut names = SortedSet::new();
    let mut switches = Vec::new();
    let mut count = 0;
    for line in lines {
        let Some(name) = line.get("switchname") else { continue };
        if !names.insert(name.value.clone()) {
            return Err(wrong(name, format!("switch `{}` is defined twice", name.value)).into());
        }
        if switches.len() == MOST_SWITCHES {
            return Err(wrong(name, format!("more than {MOST_SWITCHES} switches")).into());
        }
        let nodes = line.get("nodes").filter(|pair| !pair.value.is_empty());
        let nodes = match (nodes, switches_below(line)) {
            (None, None) => return Err(wrong_switch(name, "neither Nodes nor Switches").into()),
            (Some(_), Some(_)) if line.get("level").is_none() => {
                return Err(wrong_switch(name, "both Nodes and Switches").into());
            }
            (Some(pair), None) => hardware.listed(pair, findings)?.into_iter().collect::<Vec<usize>>(),
            (_, Some(_)) => Vec::new(),
        };
        count += nodes.len();
        if count > MOST_NODES {
            return Err(wrong(name, TOO_MANY_NODES.into()).into());
        }
        let (name, place) = (name.value.clone(), line.place.clone());
        switches.push(Switch { name, level: 0, nodes, below: Vec::new(), place });
    }
    Ok(switches)
}

fn wrong_switch(name: &Pair, has: &str) -> LocatedError {
    wrong(name, format!("switch `{}` has {has}", name.value))
}

fn children(lines: &[&Statement], switches: &[Switch]) -> Result<Vec<Vec<usize>>, LocatedError> {
    let index: SortedMap<&str, usize> =
        switches.iter().enumerate().map(|(at, switch)| (switch.name.as_str(), at)).collect();
    let mut count = 0;
    let below = |(at, line): (usize, &&Statement)| {
        let Some(pair) = switches_below(line) else { return Ok(Vec::new()) };
        let list = hosts::names(&pair.value, MOST_SWITCHES)
            .ok_or_else(|| wrong(pair, "Switches is no list such as leaf[1-4]".into()))?;
        count += list.len();
        if count > MOST_NODES {
            return Err(wrong(pair, "more than 4,000,000 switches below others".into()));
        }
        let known = |name: String| match index.get(name.as_str()) {
            Some(&child) if child != at => Ok(child),
            _ => Err(wrong(
                pair,
                format!("switch `{}` cannot have the switch `{name}` below it", switches[at].name),
            )),
        };
        list.into_iter().map(known).collect()
    };
    lines.iter().enumerate().map(below).collect()
}

/// Sets the levels of the switches and the nodes below them, from the leaves upwards.
fn levels(switches: &mut [Switch], below: Vec<Vec<usize>>) -> Result<(), LocatedError> {
    let mut open: Vec<usize> = (0..switches.len()).filter(|&at| !below[at].is_empty()).collect();
    let mut is_open = vec![false; switches.len()];
    for &at in &open {
        is_open[at] = true;
    }
    let mut count: usize = switches.iter().map(|switch| switch.nodes.len()).sum();
    for _ in 0..=MOST_LEVELS {
        let (ready, rest): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|&&at| below[at].iter().all(|&child| !is_open[child]));
        for &at in &ready {
            let of = |child: &usize| &switches[*child];
            let level = below[at].iter().map(of).map(|child| child.level + 1).max().unwrap_or(0);
            let nodes: SortedSet<usize> =
                below[at].iter().map(of).flat_map(|child| child.nodes.iter().copied()).collect();
            count += nodes.len();
            if count > MOST_NODES {
                let (place, what) = (switches[at].place.clone(), TOO_MANY_NODES.into());
                return Err(LocatedError { place, what });
            }
            (switches[at].level, switches[at].nodes) = (level, nodes.into_iter().collect());
        }
        for at in ready {
            is_open[at] = false;
        }
        open = rest;
    }
    if let Some(&at) = open.first() {
        let what = format!(
            "switch `{}` is in no tree: it is below itself, or under more than {MOST_LEVELS} levels of switches",
            switches[at].name
        );
        return Err(LocatedError { place: switches[at].place.clone(), what });
    }
    switches.iter_mut().zip(below).for_each(|(switch, below)| switch.below = below);
    Ok(())
}

/// Reports nodes on several leaves, nodes on none, and switches that no switch connects.
fn check(switches: &[Switch], hardware: &Hardware, findings: &mut Findings) -> Result<(), SystemError> {
    let mut leaf: SortedMap<usize, usize> = SortedMap::new();
    for (at, switch) in switches.iter().enumerate().filter(|(_, switch)| switch.level == 0) {
        for &node in &switch.nodes {
            if let Some(other) = leaf.insert(node, at) {
                let detail = || {
                    let (one, other) = (&switches[other].name, &switch.name);
                    format!("`{}` of `{one}` and `{other}`", hardware.nodes[node].name)
                };
                findings.report(&kinds::TWO_LEAVES, || example(&switch.place, detail()))?;
            }
        }
    }
    let place = || switches.first().map(|switch| switch.place.clone());
    for (_, known) in hardware.nodes.iter().enumerate().filter(|(node, _)| !leaf.contains_key(node)) {
        findings
            .report(&kinds::NO_LEAF, || Example { place: place(), detail: format!("`{}`", known.name) })?;
    }
    let reaches_all = |switch: &Switch| switch.nodes.len() == leaf.len();
    if !switches.iter().any(reaches_all) {
        findings.report(&kinds::NO_ROOT, || Example {
            place: place(),
            detail: format!("{} switches", switches.len()),
        })?;
    }
    Ok(())
}
