//! The machine according to the header, and its memory according to the jobs.

use batchlab_traces::reading::Size;
use batchlab_traces::workload::size;
use batchlab_traces::{Field, Trace};
use serde::Serialize;

use super::rows::{secs, share};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachineFacts {
    /// `MaxProcs`.
    pub procs: Option<i64>,
    /// `MaxNodes`.
    pub nodes: Option<i64>,
    pub largest_job: Option<i64>,
    /// `Computer`: brand and model.
    pub computer: Option<String>,
    /// `Installation`: its site.
    pub installation: Option<String>,
    /// `MaxRuntime`, seconds.
    pub max_runtime: Option<i64>,
    /// `MaxMemory`, KB.
    pub max_memory: Option<i64>,
    /// `Note`s.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryFacts {
    /// Share of jobs with requested memory (field 10).
    pub requested: f64,
    /// Share of jobs with used memory (field 7).
    pub used: f64,
    /// Resource columns of the log: name and unit.
    pub resources: Vec<String>,
}

impl MachineFacts {
    pub(super) fn of(trace: &Trace) -> MachineFacts {
        let header = &trace.header;
        MachineFacts {
            procs: header.max_procs.as_ref().map(|procs| procs.count),
            nodes: header.max_nodes.as_ref().map(|nodes| nodes.count),
            largest_job: (0..trace.len()).filter_map(|row| size(trace, Size::Requested, row)).max(),
            computer: header.computer.clone(),
            installation: header.installation.clone(),
            max_runtime: header.max_runtime,
            max_memory: header.max_memory,
            notes: header.notes.clone(),
        }
    }
}

impl MemoryFacts {
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> MemoryFacts {
        let known = |field| {
            let known =
                rows.iter().filter(|&&row| secs(trace, row, field).is_some_and(|amount| amount > 0.0));
            share(known.count() as u64, rows.len() as u64)
        };
        let resources = trace.header.resources.iter();
        MemoryFacts {
            requested: known(Field::RequestedMemory),
            used: known(Field::UsedMemory),
            resources: resources
                .map(|resource| format!("{} {}", resource.name, resource.unit).trim_end().to_owned())
                .collect(),
        }
    }
}
