//! The states of nodes, as `sinfo` and `scontrol show node` print them: which nodes take no jobs now.
//!
//! | text | what is read |
//! |---|---|
//! | `sinfo`, `sinfo -N -l`, any `sinfo -o` with `NODELIST` and `STATE` | one row for the nodes of a state, columns by blanks or bars |
//! | `scontrol show node`, with or without `-o` | `NodeName=` and the `State=` that follows |
//!
//! A node that is down, drained, draining, failing, unknown, blocked, invalid, under maintenance or reserved, or that does not
//! respond, takes no jobs that ask for any node. Sources: `sinfo(1)`, `scontrol(1)` of versions 20.11 to 25.05, and their output under 22.05.8.

use std::sync::Arc;

use batchlab_traces::located::LocatedError;
use batchlab_traces::notation::hosts;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Example, Findings, SourcePlace, kinds};

use super::file::{SystemError, place};
use batchlab_parsers::reporter::quoted;

kinds! {
    NOT_A_NODE: Warning "slurm-not-a-node",
        "{line that does|lines that do} not tell the state of a node",
        "left out: the nodes count as available",
        "write the file again: sinfo -N -l";
    NODE_STATE: Warning "slurm-node-state",
        "{node|nodes} in a state that Slurm does not have",
        "{it counts|they count} as available",
        "look at the file: it may be cut off";
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnavailableNode {
    pub name: String,
    pub state: String,
    pub place: SourcePlace,
}

/// The words of states in which nodes take no jobs. Short forms are beginnings of them.
#[rustfmt::skip]
const UNAVAILABLE: [&str; 25] = [
    "blocked", "boot_fail", "inval", "invalid", "invalid_reg", "maint", "maintenance", "no_respond", "power_drain", "resv",
    "reserved", "down", "drain", "drained", "draining", "drng", "fail", "failg", "failing", "unk", "unknown", "err", "error",
    "future", "not_responding",
];

/// The words of all other states.
#[rustfmt::skip]
const AVAILABLE: [&str; 35] = [
    "alloc", "allocated", "allocated+", "boot", "cloud", "comp", "completing", "idle", "mix", "mixed", "npc", "perfctrs", "plnd",
    "planned", "pow_dn", "pow_up", "powered_down", "powering_down", "powering_up", "power_down", "power_up", "reboot",
    "reboot_canceled", "reboot_issued", "reboot_requested", "reboot^", "resume", "undrain", "external", "dynamic_norm",
    "dynamic_future", "cloud_node", "powerdown", "powerup", "reg",
];

/// Reads which nodes take no jobs, by name; O(n log n).
///
/// # Errors
/// If the text is neither of the two, and in strict reading at the first warning.
pub fn unavailable_nodes(
    text: &str,
    name: &str,
    findings: &mut Findings,
) -> Result<Vec<UnavailableNode>, SystemError> {
    let file: Arc<str> = name.into();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = SortedMap::new();
    if text.lines().any(|line| line.trim_start().starts_with("NodeName=")) {
        records(text, &file, &mut found, findings)?;
    } else {
        table(text, &file, &mut found, findings)?;
    }
    Ok(found.into_values().collect())
}

type Found = SortedMap<String, UnavailableNode>;

/// Reads `scontrol show node`.
fn records(
    text: &str,
    file: &Arc<str>,
    found: &mut Found,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    let mut node: Option<(&str, usize)> = None;
    for (at, line) in text.lines().enumerate() {
        for word in line.split_whitespace() {
            if let Some(name) = word.strip_prefix("NodeName=") {
                unstated(node.take(), file, findings)?;
                node = Some((name, at + 1)).filter(|_| !name.is_empty());
                if name.is_empty() {
                    odd(
                        format!("{} without a name", quoted(word.as_bytes())),
                        place(file, at + 1, 0),
                        findings,
                    )?;
                }
            } else if let Some(state) = word.strip_prefix("State=")
                && let Some((name, line)) = node.take()
            {
                note(&[name.to_owned()], state, place(file, line, 0), found, findings)?;
            }
        }
    }
    unstated(node, file, findings)
}

/// Reports a node whose state does not follow its name.
fn unstated(
    node: Option<(&str, usize)>,
    file: &Arc<str>,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    let Some((name, line)) = node else { return Ok(()) };
    odd(format!("{} without State", quoted(name.as_bytes())), place(file, line, 0), findings)
}

/// Reports a line that does not state a node and its state.
fn odd(detail: String, place: SourcePlace, findings: &mut Findings) -> Result<(), SystemError> {
    Ok(findings.report(&NOT_A_NODE, || Example { place: Some(place), detail })?)
}

fn table(text: &str, file: &Arc<str>, found: &mut Found, findings: &mut Findings) -> Result<(), SystemError> {
    let mut columns: Option<(usize, usize)> = None;
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = if line.contains('|') {
            line.split('|').map(str::trim).collect()
        } else {
            line.split_whitespace().collect()
        };
        let of = |name: &str| cells.iter().position(|cell| *cell == name);
        if let (Some(nodes), Some(state)) = (of("NODELIST"), of("STATE")) {
            columns = Some((nodes, state));
            continue;
        }
        // A date stands above the heading of sinfo -l.
        let Some((nodes, state)) = columns else { continue };
        let names = cells
            .get(nodes)
            .and_then(|list| hosts::names(list, hosts::MOST))
            .filter(|names| !names.is_empty());
        match (names, cells.get(state)) {
            (Some(names), Some(state)) => note(&names, state, place(file, at + 1, 0), found, findings)?,
            // A state without nodes has no list.
            (_, Some(_)) if cells.len() == nodes => {}
            _ => odd(quoted(line.as_bytes()), place(file, at + 1, 0), findings)?,
        }
    }
    match columns {
        Some(_) => Ok(()),
        None => {
            let what =
                "no heading with NODELIST and STATE, and no NodeName=: write it with sinfo -N -l".into();
            Err(LocatedError { place: place(file, 1, 0), what }.into())
        }
    }
}

/// Takes a state of some nodes. A node in several partitions is in several rows.
fn note(
    names: &[String],
    state: &str,
    place: SourcePlace,
    found: &mut Found,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    // Behind a state, `*` marks a node that does not respond, and `$` one under maintenance; other marks concern power and
    // reboots, and `-` a plan of the scheduler.
    let is_out = state.contains(['*', '$']);
    let plain = state.to_ascii_lowercase().replace(['*', '~', '#', '!', '%', '$', '@', '^'], "");
    let mut words = plain.split(['+', '&', '-']).filter(|word| !word.is_empty());
    if is_out || words.clone().any(|word| UNAVAILABLE.contains(&word)) {
        for name in names {
            let node = UnavailableNode { name: name.clone(), state: state.into(), place: place.clone() };
            found.entry(name.clone()).or_insert(node);
        }
    } else if !words.all(|word| AVAILABLE.contains(&word)) || plain.is_empty() {
        let detail = || Example { place: Some(place), detail: quoted(state.as_bytes()) };
        findings.report_many(&NODE_STATE, names.len() as u64, detail)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(String, String)>, Findings) {
        let mut findings = Findings::lenient();
        let nodes = unavailable_nodes(text, "sinfo.txt", &mut findings).unwrap();
        (nodes.into_iter().map(|node| (node.name, node.state)).collect(), findings)
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|&(name, state)| (name.into(), state.into())).collect()
    }

    #[test]
    fn the_forms_of_sinfo_and_scontrol_tell_the_same() {
        let expected = [("n3", "drng"), ("n4", "down*"), ("n5", "down*")];
        let sinfo = "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\nmain*        up   infinite      1   drng n3\n\
            main*        up   infinite      2  down* n[4-5]\nmain*        up   infinite      2    mix n[1-2]\n\
            gpu          up   infinite      0    n/a\n";
        assert_eq!(read(sinfo).0, pairs(&expected));
        let bars = "NODELIST|STATE|REASON\nn1|mixed|none\nn3|drng|bad | fan\nn[4-5]|down*|none\n";
        assert_eq!(read(bars).0, pairs(&expected));
        let scontrol = "NodeName=n1 Arch=x86_64\n   State=MIXED+PLANNED ThreadsPerCore=1\n\n\
            NodeName=n3 Arch=x86_64\n   State=IDLE+DRAIN ThreadsPerCore=1\n";
        assert_eq!(read(scontrol).0, pairs(&[("n3", "IDLE+DRAIN")]));
        assert_eq!(read(scontrol).1.total() + read(sinfo).1.total() + read(bars).1.total(), 0);
    }

    #[test]
    fn states_in_which_no_job_starts_are_out_of_service() {
        let is_out = |state: &str| {
            let (nodes, findings) = read(&format!("NODELIST STATE\nn1 {state}\n"));
            assert_eq!(findings.total(), 0, "{state}");
            !nodes.is_empty()
        };
        for state in "maint maint* resv reserved inval blocked IDLE+INVALID_REG IDLE+MAINTENANCE MIXED+RESERVED IDLE+BLOCKED idle$ \
                      mixed$ mix-drain drain down idle* unk failg future IDLE+NOT_RESPONDING"
            .split(' ')
        {
            assert!(is_out(state), "{state}");
        }
        for state in "idle mixed- planned plnd idle~ idle# idle% idle! idle^ idle@ alloc allocated+ comp completing npc powering_up \
                      powered_down boot MIXED+PLANNED IDLE+REBOOT_ISSUED IDLE+CLOUD+POWERED_DOWN"
            .split(' ')
        {
            assert!(!is_out(state), "{state}");
        }
    }

    #[test]
    fn what_is_cut_off_or_unknown_is_a_finding_with_its_line() {
        let (nodes, findings) = read("NODELIST STATE\nn1 idle\nn2 dreaming\nn[3-\n");
        assert!(nodes.is_empty());
        assert_eq!((findings.count(NODE_STATE.code), findings.count(NOT_A_NODE.code)), (1, 1));
        let (_, findings) = read("NodeName=n1 Arch=x86_64\n");
        assert_eq!(findings.count(NOT_A_NODE.code), 1);
        let (nodes, findings) = read("NodeName=\n   State=DOWN\n\nNodeName=n2\n   State=DOWN\n");
        assert_eq!(
            (nodes, findings.count(NOT_A_NODE.code)),
            (pairs(&[("n2", "DOWN")]), 1),
            "a name is missing"
        );
        let error = unavailable_nodes("hello\x1b[2J\n", "x", &mut Findings::lenient()).unwrap_err();
        assert!(error.to_string().contains("sinfo -N -l"), "{error}");
    }
}
