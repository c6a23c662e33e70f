//! The workload that a replay with default options would get.

use batchlab_traces::workload::machine_size;
use batchlab_traces::{Finding, Findings, Machine, Reading, Trace, Workload};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// The load; `None` if the log cannot be replayed as it is.
    pub load: Option<Load>,
    /// The reason why it cannot.
    pub refusal: Option<String>,
    /// What would be dropped, corrected or guessed.
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Load {
    pub jobs: u64,
    /// Processors of the machine: `MaxProcs`, else the size of the largest job.
    pub procs: i64,
    /// Σ processors × run time, in processor-seconds.
    pub work: f64,
    /// Σ processors × run time / (processors of the machine × (last submit − first submit)); `None` if all
    /// jobs are submitted at one instant.
    pub offered_load: Option<f64>,
}

impl Replay {
    pub(super) fn of(trace: &Trace) -> Replay {
        let mut findings = Findings::lenient();
        let load = load(trace, &mut findings);
        let (load, refusal) = match load {
            Ok(load) => (Some(load), None),
            Err(refusal) => (None, Some(refusal)),
        };
        Replay { load, refusal, findings: findings.list().to_vec() }
    }
}

fn load(trace: &Trace, findings: &mut Findings) -> Result<Load, String> {
    let reading = Reading::default();
    let procs = machine_size(trace, &reading, findings).map_err(|error| error.to_string())?;
    let machine = Machine::pool(procs).map_err(|error| error.to_string())?;
    let mut provenance = trace.provenance.clone();
    let jobs = Workload::read(trace, &machine, &reading, findings, &mut provenance)
        .map_err(|error| error.to_string())?;
    let offered_load = jobs.offered_load(&machine, 0);
    let work = jobs.work(0) as f64 / 1e6;
    Ok(Load { jobs: jobs.len() as u64, procs, work, offered_load })
}
