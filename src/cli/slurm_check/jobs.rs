//! What `slurm-check` says of each start: a file with a row for each, and the misses by cause and by what jobs have.

use batchlab_parsers::Output;
use batchlab_slurm::site::StartLoop;
use batchlab_slurm::twin::{Held, Judged, Verdict};
use batchlab_traces::asked::{ASKED_PARTITIONS, RESERVATION, STARTED_BY};
use batchlab_traces::number::grouped;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::CONSTRAINT;
use batchlab_traces::{Field, JobId, Time, Trace};

use super::sides::Sides;
use crate::lab::Failure;
use crate::outcome::Outcome;

#[rustfmt::skip]
const COLUMNS: [&str; 14] = [
    "job", "id", "partition", "submit", "start_real", "start_replayed", "start_loops", "verdict", "held", "held_by",
    "nodes_real", "nodes_loops", "started_by", "loops_by",
];

/// What jobs may have, by the columns of the log that tell.
const FEATURES: [(&str, &str); 6] = [
    ("arrays", "array"),
    ("constraints", CONSTRAINT),
    ("several partitions", ASKED_PARTITIONS),
    ("reservations", RESERVATION),
    ("GPUs", "gpu"),
    ("whole nodes", "exclusive"),
];

/// What the closed loop says of the starts of a log.
pub(super) struct Starts<'a> {
    /// The jobs of both loops.
    pub(super) sides: &'a Sides,
    pub(super) judged: Vec<Judged>,
}

impl Starts<'_> {
    /// Writes a row for each start; times are in seconds of the log. `replayed` is the open loop.
    pub(super) fn write(&self, path: &str, replayed: &Outcome) -> Result<(), Failure> {
        let failed = |error| Failure::writing(path, error);
        let (workload, runs) = (&self.sides.open.scenario.workload, &self.sides.got.workload);
        let start = |job| Some((self.sides.row_of_run(workload.row(job)), replayed.started(job)?));
        let replayed: SortedMap<usize, Time> = workload.jobs().filter_map(start).collect();
        let jobs: SortedMap<usize, JobId> = runs.jobs().map(|job| (runs.row(job), job)).collect();
        let mut output = Output::create(path).map_err(failed)?;
        let mut table = csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(vec![]);
        let rows = self.judged.iter().map(|one| self.row(one, &jobs, replayed.get(&one.row)));
        let written = table
            .write_record(COLUMNS)
            .and_then(|()| rows.into_iter().try_for_each(|row| table.write_record(row)));
        written.map_err(|error| failed(error.into()))?;
        let text = table.into_inner().map_err(|error| failed(error.into_error()))?;
        std::io::Write::write_all(&mut output, &text).and_then(|()| output.commit()).map_err(failed)
    }

    fn row(
        &self,
        one: &Judged,
        jobs: &SortedMap<usize, JobId>,
        replayed: Option<&Time>,
    ) -> [String; COLUMNS.len()] {
        let workload = &self.sides.got.workload;
        let number = |job: &JobId| workload.number(*job).to_string();
        let job = jobs.get(&one.row);
        let first = one.behind.and_then(|row| jobs.get(&row));
        let text = |time: Option<Time>| time.map_or_else(String::new, |time| time.to_string());
        let header = &self.trace().header;
        let partition = self.trace().get(one.row, Field::Partition).truncated();
        let partition = header.partition.iter().find(|named| named.number == partition);
        [
            job.map_or_else(String::new, number),
            self.trace().own_id(one.row).map_or_else(String::new, |id| id.to_string()),
            partition.map_or_else(String::new, |named| named.name.clone()),
            text(job.map(|&job| workload.submitted(job))),
            text(Some(one.real)),
            text(replayed.copied()),
            text(one.loops),
            word(one.verdict).into(),
            one.held.map_or("", cause).into(),
            first.map_or_else(String::new, number),
            self.names(&one.nodes[0]),
            self.names(&one.nodes[1]),
            noted(self.trace(), STARTED_BY, one.row).unwrap_or_default(),
            one.by.map_or("", StartLoop::word).into(),
        ]
    }

    fn trace(&self) -> &Trace {
        &self.sides.runs().trace
    }

    /// Returns the names of nodes, with `+` between them.
    fn names(&self, nodes: &[usize]) -> String {
        let known = self.sides.got.slurm.as_ref().map(|site| &site.system.nodes);
        let name = |&node: &usize| known.and_then(|nodes| nodes.get(node)).map_or("?", |node| &node.name);
        nodes.iter().map(name).collect::<Vec<_>>().join("+")
    }

    pub(super) fn tested(&self) -> u64 {
        self.judged.iter().filter(|one| one.verdict != Verdict::Postponed).count() as u64
    }

    /// Returns how many starts are early, late and missed, each by its causes, and how many of the jobs with something do not agree.
    pub(super) fn summary(&self) -> Vec<(String, String)> {
        let parted = || {
            let is_one =
                |one: &&Judged| matches!(one.verdict, Verdict::Early | Verdict::Late | Verdict::Missed);
            self.judged.iter().filter(is_one)
        };
        let mut causes: SortedMap<(&str, &str), u64> = SortedMap::new();
        parted().for_each(|one| {
            let cause = if one.verdict == Verdict::Early {
                one.by.map_or("unknown", StartLoop::word)
            } else {
                one.held.map_or("unknown", cause)
            };
            *causes.entry((word(one.verdict), cause)).or_default() += 1;
        });
        let rows = causes.into_iter();
        let mut rows: Vec<(String, String)> =
            rows.map(|((word, cause), count)| (format!("  {word}: {cause}"), grouped(count))).collect();
        for (name, column) in FEATURES {
            let Some(column) = self.trace().resource(column) else { continue };
            let has = |one: &&Judged| column.whole(one.row) > 0;
            let (all, lost) = (self.judged.iter().filter(has).count(), parted().filter(has).count());
            if lost > 0 {
                let counts = format!("{} of {}", grouped(lost as u64), grouped(all as u64));
                rows.push((format!("  apart, with {name}"), counts));
            }
        }
        rows
    }
}

/// Returns the name that a column of the log has for the value of a row.
fn noted(trace: &Trace, column: &str, row: usize) -> Option<String> {
    let number = trace.resource(column)?.whole(row);
    trace.header.noted(column).find(|named| named.number == number).map(|named| named.name)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agreed => "agreed",
        Verdict::Early => "early",
        Verdict::Late => "late",
        Verdict::Missed => "missed",
        Verdict::Postponed => "postponed",
    }
}

/// Returns the word for why a job does not start.
fn cause(held: Held) -> &'static str {
    match held {
        Held::Limit => "limit",
        Held::Closed => "closed",
        Held::Behind(_) => "behind",
        Held::Resources => "resources",
        Held::Reserved => "reserved",
        Held::Untested => "untested",
    }
}
