use batchlab_traces::finding::Finding;
use batchlab_traces::number::{counted, grouped};
use batchlab_traces::reading::{Memory, Size};
use batchlab_traces::{Column, Field, Findings, Number, Reading, Trace, Workload};

/// What was put in the place of the data of jobs, and the condition that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The subject of the condition: `estimate`, `overrun`, `size`, `memory`, or `replaced` for a condition of its own.
    pub about: &'static str,
    /// What was done, with the number of jobs.
    pub words: String,
}

/// The share of the jobs above which results state what replaced their data, in per cent.
const MUCH: u64 = 1;

/// The findings about such data that belong to no other condition.
const FURTHER: [&str; 11] = [
    "job-long-estimate",
    "job-beyond-estimates",
    "job-unfinished-kept",
    "job-parts-joined",
    "job-runs-joined",
    "job-more-nodes-than-procs",
    "job-think-long",
    "slurm-above-partition",
    "slurm-name-unknown",
    "slurm-node-unknown",
    "time-resolved",
];

/// Returns what replaced the data of more than 1 % of the jobs. O(n).
pub fn replaced(trace: &Trace, workload: &Workload, reading: &Reading, findings: &Findings) -> Vec<Replaced> {
    let mut fields = ReplacedFields::default();
    fields.add(trace, workload, reading);
    fields.all(reading, findings)
}

/// How many jobs have their size or their memory from another field than the rules name.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplacedFields {
    jobs: u64,
    /// The jobs with the field that the rules name, and those with the other one alone: of sizes and of memory.
    counts: [(u64, u64); 2],
}

/// Returns the fields of sizes and of memory that rules name, those that replace them, and these in words.
fn fields(reading: &Reading) -> [(Field, Field, &'static str); 2] {
    let size = match reading.size {
        Size::Requested => (Field::Requested, Field::Allocated, "allocated ones"),
        Size::Allocated => (Field::Allocated, Field::Requested, "requested ones"),
    };
    let memory = match reading.memory {
        Memory::Requested => (Field::RequestedMemory, Field::UsedMemory, "what was used"),
        Memory::Used => (Field::UsedMemory, Field::RequestedMemory, "what was requested"),
    };
    [size, memory]
}

impl ReplacedFields {
    /// Counts the jobs of a log, or of a section of one. O(n).
    pub fn add(&mut self, trace: &Trace, workload: &Workload, reading: &Reading) {
        self.jobs += workload.len() as u64;
        for ((own, other), (field, replacing, _)) in self.counts.iter_mut().zip(fields(reading)) {
            let [column, replacing] = [field, replacing].map(|field| trace.column(field));
            let is_known = |value: Number| value.to_micro() > 0;
            let always = column.constant().map(is_known);
            let never = |column: &Column| column.constant().is_some_and(|value| !is_known(value));
            if always == Some(true) || never(replacing) {
                // Nothing is replaced here; of the jobs with a field of their own it only counts whether there are some.
                *own += if always == Some(false) { 0 } else { workload.len() as u64 };
                continue;
            }
            for row in workload.jobs().map(|job| workload.row(job)) {
                let has_own = is_known(column.get(row));
                *own += u64::from(has_own);
                *other += u64::from(!has_own && is_known(replacing.get(row)));
            }
        }
    }

    /// Returns what replaced the data of more than 1 % of the jobs counted, with what findings about them say.
    pub fn all(self, reading: &Reading, findings: &Findings) -> Vec<Replaced> {
        let jobs = self.jobs;
        let is_much = |count: u64| count * 100 > jobs * MUCH;
        let mut all = Vec::new();
        for (about, ((own, other), (.., put))) in
            ["size", "memory"].into_iter().zip(self.counts.into_iter().zip(fields(reading)))
        {
            // A log without one of both fields has one value of each job, and nothing replaces it.
            if is_much(other) && own > 0 {
                all.push(Replaced { about, words: format!("{put} for {} without", of(other, jobs)) });
            }
        }
        for finding in findings.list().iter().filter(|finding| is_much(finding.count)) {
            let Finding { kind, count, .. } = finding;
            let (about, words) = match kind.code {
                "trace-no-estimates" => {
                    ("estimate", format!("run times for {} without one", of(*count, jobs)))
                }
                "job-overrun-raised" | "job-overrun-killed" | "job-overrun-overdue" => {
                    ("overrun", counted(*count, "job"))
                }
                code if FURTHER.contains(&code) => {
                    let words = format!("{} {}: {}", grouped(*count), kind.what(*count), kind.done(*count));
                    ("replaced", words)
                }
                _ => continue,
            };
            all.push(Replaced { about, words });
        }
        all
    }
}

/// Returns "300 of 600 jobs".
fn of(some: u64, all: u64) -> String {
    format!("{} of {}", grouped(some), counted(all, "job"))
}
