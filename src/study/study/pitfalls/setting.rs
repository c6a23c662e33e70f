//! How a workload was prepared: the facts that checks need.

mod arrivals;
mod estimates;
mod log_finding;
mod machine_size;
mod preparation;
mod shaping;

pub use arrivals::ArrivalFacts;
use batchlab_traces::number::grouped;
use batchlab_traces::reading::Overrun;
use batchlab_traces::{Header, Machine};
pub use estimates::EstimateFacts;
pub use log_finding::LogFinding;
pub use machine_size::MachineSize;
pub use preparation::Preparation;
use serde::{Deserialize, Serialize};
pub use shaping::{Cleaning, Shaping};

use batchlab_engine::as_text;
use batchlab_engine::info::{Info, StatusCount};
use batchlab_engine::metrics::MeasureOptions;
use batchlab_engine::replay::engine::EventOrder;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkloadSetting {
    /// The workload, by its position in the results.
    pub workload: usize,
    pub is_model: bool,
    /// Whether jobs depend on others, so that submissions depend on the schedule.
    #[serde(default)]
    pub is_closed: bool,
    pub jobs: u64,
    pub machine: MachineSize,
    pub estimates: EstimateFacts,
    pub overruns: Overruns,
    pub shaping: Shaping,
    pub cleaning: Cleaning,
    /// Bursts of one user that outnumber all other jobs: their number, and the first few in words.
    pub flurries: (u64, Vec<String>),
    pub statuses: Vec<StatusCount>,
    /// Statuses that were selected; empty for all.
    pub wanted_statuses: Vec<i64>,
    /// Number of replayed jobs with a run time of 0.
    pub zero_runs: u64,
    pub arrivals: ArrivalFacts,
    /// Resources that the log records and the machine does not limit, in words.
    pub ignored: Vec<String>,
    pub measure: MeasureOptions,
    #[serde(with = "as_text")]
    pub events: EventOrder,
    /// What was found in log and jobs, the most serious first.
    #[serde(default)]
    pub findings: Vec<LogFinding>,
}

/// Jobs that ran longer than their estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overruns {
    pub jobs: u64,
    #[serde(with = "as_text")]
    pub rule: Overrun,
}

impl WorkloadSetting {
    /// Determines how a workload was prepared; `workload` is its position in the results. O(n log n).
    pub fn of(workload: usize, from: &Preparation<'_>) -> WorkloadSetting {
        let info = Info::of(from.trace);
        let finding = |code: &str| info.findings.iter().find(|finding| finding.kind.code == code);
        let flurries = finding("log-flurry").map(|finding| {
            let words = finding.examples.iter().map(|example| example.detail.clone()).collect();
            (finding.count, words)
        });
        let jobs = from.workload;
        WorkloadSetting {
            workload,
            is_model: info.source.format == "model",
            is_closed: jobs.is_closed(),
            jobs: jobs.len() as u64,
            machine: MachineSize::of(from, &info),
            estimates: EstimateFacts::of(from),
            overruns: Overruns { jobs: from.done("job-overrun-"), rule: from.reading.overrun },
            shaping: Shaping::of(from),
            cleaning: Cleaning::of(from.provenance),
            flurries: flurries.unwrap_or_default(),
            statuses: info.jobs.by_status.clone(),
            wanted_statuses: from.reading.statuses.clone(),
            zero_runs: jobs.jobs().filter(|&job| jobs.run(job) == batchlab_traces::Time::ZERO).count() as u64,
            arrivals: ArrivalFacts::of(&info, jobs),
            ignored: ignored(&from.trace.header, from.machine, &info),
            measure: *from.measure,
            events: from.events,
            findings: LogFinding::all(from.findings),
        }
    }

    /// Determines only what the pitfalls of [`TOLD`](super::TOLD) need and findings do not contain: the machine compared with the
    /// header's, and exact estimates in the log. O(n), a comparison per job.
    pub fn in_short(from: &Preparation<'_>) -> WorkloadSetting {
        let jobs = from.workload;
        let exact = jobs.jobs().filter(|&job| jobs.estimate(job) == jobs.run(job)).count();
        let is_told = from.done("trace-no-estimates") > 0;
        let header = from.trace.header.max_procs.as_ref().map(|procs| procs.count);
        WorkloadSetting {
            is_closed: jobs.is_closed(),
            jobs: jobs.len() as u64,
            machine: MachineSize {
                procs: from.machine.procs(),
                header: header.filter(|&procs| procs > 0),
                ..MachineSize::default()
            },
            estimates: EstimateFacts {
                mode: from.reading.estimate,
                exact: if is_told || jobs.is_empty() { 0.0 } else { exact as f64 / jobs.len() as f64 },
                ..EstimateFacts::default()
            },
            ..WorkloadSetting::default()
        }
    }
}

/// Returns the resources that the log records and the machine does not have.
fn ignored(header: &Header, machine: &Machine, info: &Info) -> Vec<String> {
    use batchlab_traces::header::ColumnScope;
    use batchlab_traces::workload::MEMORY;
    let declared = header.resources.iter().filter(|declared| declared.scope != ColumnScope::Job);
    let mut names: Vec<String> = declared
        .filter(|declared| machine.resource(&declared.name).is_none())
        .map(|declared| declared.name.clone())
        .collect();
    let told = info.memory.requested.max(info.memory.used);
    if told > 0.0 && machine.resource(MEMORY).is_none() && !names.iter().any(|name| name == MEMORY) {
        let jobs = (told * info.jobs.jobs as f64).round() as u64;
        names.push(format!("memory (given for {} jobs)", grouped(jobs)));
    }
    names
}

#[cfg(test)]
mod tests;
