use batchlab_slurm::reader::nodes::unavailable_nodes;
use batchlab_traces::number::counted;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Example, Time, foreign};

use crate::cli::arguments::{arguments, option};
use crate::lab::Failure;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::texts::read_text;
use crate::replay::engine::Scenario;
use crate::when::kinds;

arguments! {
    pub(super) struct NodeStates {
        sinfo: Option<String> = option(
            "sinfo", "FILE", "The states of the nodes now, as sinfo or scontrol show node print them: nodes that are down, \
             drained or draining take no jobs. They are found by name: give --slurm, or a machine file with names",
        ).reads(),
    }
}

impl NodeStates {
    /// Returns a scenario in which the nodes that `--sinfo` says take no jobs are out of service from an instant on.
    pub(super) fn without_unavailable(
        &self,
        prepared: &mut Prepared,
        scenario: &Scenario,
        now: Time,
    ) -> Result<Scenario, Failure> {
        let Some(path) = &self.sinfo else { return Ok(scenario.clone()) };
        let machine = &scenario.machine;
        if !machine.has_features() {
            let what =
                "--sinfo is about nodes by name: give --slurm slurm.conf, or --machine FILE with names";
            return Err(Failure::Usage(what.into()));
        }
        let findings = &mut prepared.findings;
        let listed = unavailable_nodes(&read_text(path)?, path, findings)?;
        let index: SortedMap<&str, usize> = (0..machine.nodes())
            .flat_map(|node| machine.features(node).iter().map(move |name| (name.as_str(), node)))
            .collect();
        let mut nodes = Vec::new();
        for node in listed {
            match index.get(node.name.as_str()) {
                Some(&at) => nodes.push((at, node.place)),
                None => findings.report(&kinds::UNKNOWN_NODE, || Example {
                    place: Some(node.place),
                    detail: foreign::line(&node.name, 60),
                })?,
            }
        }
        if nodes.is_empty() {
            return Ok(scenario.clone());
        }
        let mut calendar = scenario.capacity.as_deref().cloned().unwrap_or_default();
        calendar.take_out(machine, &nodes, now);
        let words = format!("{path} ({} out of service)", counted(nodes.len() as u64, "node"));
        prepared.calendar = Some(match prepared.calendar.take() {
            Some(other) => format!("{other}, {words}"),
            None => words,
        });
        Ok(Scenario { capacity: Some(calendar.into()), ..scenario.clone() })
    }
}
