//! The conditions of results: what the header of every table states.

mod phrase;
mod replaced;

pub use phrase::Phrase;
pub use replaced::{Replaced, ReplacedFields, replaced};

use batchlab_support::hosts::PLACE;
use batchlab_traces::layout::LayoutRule;
use batchlab_traces::number::{counted, group_digits, grouped};
use batchlab_traces::reading::Estimate;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Machine, Reading, Trace, Workload};

use crate::metrics::MeasureOptions;
use crate::table::{Cell, Fact};

pub const TOOL: &str = concat!("batchlab ", env!("CARGO_PKG_VERSION"));

#[derive(Clone, Debug)]
pub struct Conditions {
    pub trace: String,
    /// The version of the trace: the SHA-256 of its file; empty for a model.
    pub sha256: String,
    /// Format that the trace was read as.
    pub format: String,
    /// Processors of the machine.
    pub procs: i64,
    /// Nodes of the machine; 1 for a pool.
    pub nodes: usize,
    /// Resources besides the processors: name and total.
    pub resources: Vec<(String, i64)>,
    /// The equipment of each node, in words: "128 x 8 processors, memory 16777216 KB"; empty for a pool.
    pub node_kinds: Vec<String>,
    pub jobs: u64,
    /// Rows of the trace that did not become jobs.
    pub dropped: u64,
    /// The rules by which rows became jobs.
    pub reading: Reading,
    /// Jobs without a time limit whose estimates are what counts instead ([`Reading::no_limit`]).
    pub unlimited: u64,
    /// Whether jobs lie on nodes as their records state, or on whole nodes.
    pub laid_out: bool,
    /// Order of simultaneous events.
    pub events: String,
    /// Options of the measurement: τ and trimming.
    pub measure: MeasureOptions,
    /// The program and its version.
    pub tool: String,
    /// What replaced the data of more than 1 % of the jobs.
    pub replaced: Vec<Replaced>,
    /// Further conditions that differ from the defaults, by name: costs, rules, steps.
    pub further: Vec<(String, String)>,
}

impl Conditions {
    /// Returns the conditions of a workload that was read from a trace; rows that did not become jobs of
    /// their own count as dropped.
    pub fn new(
        trace: &Trace,
        workload: &Workload,
        machine: &Machine,
        reading: &Reading,
        events: impl Into<String>,
        measure: MeasureOptions,
    ) -> Conditions {
        let source = &trace.provenance.source;
        let resources = machine.resources().iter().enumerate().skip(1);
        Conditions {
            trace: source.name.clone(),
            sha256: source.sha256.clone(),
            format: source.format.clone(),
            procs: machine.procs(),
            nodes: machine.nodes(),
            resources: resources.map(|(at, resource)| (resource.name.clone(), machine.total(at))).collect(),
            node_kinds: if machine.is_pool() { Vec::new() } else { node_kinds(machine) },
            jobs: workload.len() as u64,
            dropped: trace.len().saturating_sub(workload.len()) as u64,
            reading: reading.clone(),
            unlimited: if reading.estimate == Estimate::Requested { workload.unlimited() } else { 0 },
            laid_out: workload.has_own_layouts(),
            events: events.into(),
            measure,
            tool: TOOL.into(),
            replaced: Vec::new(),
            further: Vec::new(),
        }
    }

    /// Returns the trace's name without folders and endings, for titles.
    pub fn short_name(&self) -> &str {
        short_name(&self.trace)
    }

    pub fn lines(&self) -> Vec<String> {
        let [log, reading, measured] = self.groups();
        let said = |phrases: Vec<Phrase>| {
            let said = phrases.into_iter().filter(|phrase| !phrase.is_silent).map(|phrase| phrase.text);
            said.collect::<Vec<_>>().join("; ")
        };
        [log, reading, measured].map(said).into()
    }

    /// Returns the conditions one by one, including defaults, so that those of several replays can be compared.
    pub fn phrases(&self) -> Vec<Phrase> {
        self.groups().into_iter().flatten().collect()
    }

    /// Returns three groups: log and machine; the reading of the log; the measurement and the program.
    fn groups(&self) -> [Vec<Phrase>; 3] {
        let log = vec![Phrase::new("log", self.log_words()), Phrase::new("machine", self.machine_words())];
        let measured = vec![
            Phrase::new("tau", format!("\u{3c4} = {} s", self.measure.tau)),
            Phrase::new("trimming", self.measure.trimming()),
            Phrase::new("seed", format!("seed {}", self.reading.seed)),
            Phrase::new("tool", self.tool.clone()),
        ];
        [log, self.reading_phrases(), measured]
    }

    /// Returns the log, its version, and the number of jobs used.
    pub fn log_words(&self) -> String {
        let version = self.sha256.get(..12).map(|start| format!(" (sha256 {start})")).unwrap_or_default();
        format!(
            "{}{version}: {} jobs used, {} dropped",
            self.short_name(),
            grouped(self.jobs),
            grouped(self.dropped)
        )
    }

    /// Returns all conditions, under names that differ from those of metrics.
    pub fn facts(&self) -> Vec<Fact> {
        let beside_metrics = |(name, value): Fact| match name.as_str() {
            "name" => ("trace".into(), value),
            "jobs" => ("jobs_used".into(), value),
            "dropped" => ("jobs_dropped".into(), value),
            _ => (name, value),
        };
        self.subject().into_iter().map(beside_metrics).chain(self.settings()).collect()
    }

    /// Returns the conditions about trace and machine, by name.
    pub fn subject(&self) -> Vec<Fact> {
        let mut facts = vec![
            text("name", &self.trace),
            text("format", &self.format),
            text("sha256", &self.sha256),
            whole("procs", i128::from(self.procs)),
            whole("nodes", self.nodes as i128),
            whole("jobs", i128::from(self.jobs)),
            whole("dropped", i128::from(self.dropped)),
        ];
        let capacity = |(name, total): &(String, i64)| whole(&format!("capacity_{name}"), i128::from(*total));
        facts.extend(self.resources.iter().map(capacity));
        if self.nodes > 1 {
            facts.push(text("node_kinds", &self.node_kinds.join("; ")));
        }
        facts
    }

    /// Returns the conditions about replay and measurement, by name; times are in seconds.
    pub fn settings(&self) -> Vec<Fact> {
        let (reading, measure) = (&self.reading, &self.measure);
        let number = |name: &str, value| (name.to_string(), Cell::Number(value));
        let mut facts = vec![
            text("size", &reading.size),
            text("estimate", &reading.estimate),
            text("overrun", &reading.overrun),
            text("events", &self.events),
            number("load", reading.load),
            number("scale_run", reading.scale_run),
            number("tau", measure.tau.secs()),
            number("prefix", measure.prefix.secs()),
            text("warmup", &measure.warmup),
            text("cooldown", &measure.cooldown),
            whole("seed", i128::from(reading.seed)),
            text("tool", &self.tool),
        ];
        if self.unlimited > 0 {
            facts.push(whole("jobs_without_limit", i128::from(self.unlimited)));
            facts.push(text("no_limit", &reading.no_limit.words()));
        }
        if !reading.statuses.is_empty() {
            facts.push(text("status", &list(reading.statuses.iter())));
        }
        if reading.drop_zero_run {
            facts.push(text("drop_zero_run", &true));
        }
        if self.has_memory() {
            facts.push(text("memory", &reading.memory));
        }
        if self.nodes > 1 {
            facts.push(if self.laid_out {
                text("layout", &reading.layout)
            } else {
                whole("task_procs", i128::from(reading.layout.task_procs()))
            });
            facts.push(text("place", &PLACE.default));
        }
        let phrases = self.reading_phrases().into_iter().filter(|phrase| !phrase.replaced.is_empty());
        let words: Vec<String> = phrases.map(|phrase| phrase.text).collect();
        if !words.is_empty() {
            facts.push(text("replaced", &words.join("; ")));
        }
        facts.extend(self.further.iter().map(|(name, value)| text(name, value)));
        facts
    }

    fn has_memory(&self) -> bool {
        self.resources.iter().any(|(name, _)| name == "memory")
    }

    fn machine_words(&self) -> String {
        let mut words = vec![format!("{} processors", group_digits(&self.procs.to_string()))];
        if self.nodes > 1 {
            words.push(format!("{} nodes ({})", grouped(self.nodes as u64), self.node_kinds.join("; ")));
            words.push(match (self.reading.layout, self.reading.layout.task_procs()) {
                (LayoutRule::WholeNode, _) => "jobs on whole nodes".into(),
                (LayoutRule::Log, _) if self.laid_out => {
                    "tasks and nodes as the record of each job tells".into()
                }
                (_, 1) => "tasks of 1 processor".into(),
                (_, task) => format!("tasks of {task} processors"),
            });
            words.push(format!("place={} unless the policy says otherwise", PLACE.default));
            return words.join(", ");
        }
        let resources = self.resources.iter();
        words.extend(resources.map(|(name, total)| format!("{name} {}", group_digits(&total.to_string()))));
        words.join(", ")
    }

    fn reading_phrases(&self) -> Vec<Phrase> {
        let reading = &self.reading;
        let factor = |about: &str, what: &str, factor: f64| {
            Phrase::new(about, format!("{what} \u{d7} {factor}")).silent_if(factor == 1.0)
        };
        let statuses = match &reading.statuses[..] {
            [] => "of any".into(),
            statuses => list(statuses.iter()),
        };
        let no_limit = format!(
            "{} without a time limit as if for {}",
            counted(self.unlimited, "job"),
            reading.no_limit.words()
        );
        let zero = if reading.drop_zero_run { "dropped" } else { "kept" };
        let replaced = |about: &str| {
            let of = self.replaced.iter().filter(|of| of.about == about).map(|of| of.words.as_str());
            of.collect::<Vec<_>>().join("; ")
        };
        let read = |about: &str, what: &str, rule: &dyn std::fmt::Display| {
            Phrase::new(about, format!("{what} {rule}")).replacing(&replaced(about))
        };
        let mut phrases = vec![
            read("size", "sizes", &reading.size),
            read("estimate", "estimates", &reading.estimate),
            Phrase::new("no_limit", no_limit).silent_if(self.unlimited == 0),
            read("overrun", "overruns", &reading.overrun),
            Phrase::new("events", format!("events {}", self.events)),
            factor("load", "offered load", reading.load),
            factor("scale_run", "run times", reading.scale_run),
            Phrase::new("status", format!("status {statuses}")).silent_if(reading.statuses.is_empty()),
            Phrase::new("drop_zero_run", format!("jobs with a run time of 0 {zero}"))
                .silent_if(!reading.drop_zero_run),
        ];
        if self.has_memory() {
            phrases.push(read("memory", "memory as", &reading.memory));
        }
        let further = replaced("replaced");
        if !further.is_empty() {
            phrases.push(Phrase { replaced: further.clone(), ..Phrase::new("replaced", further) });
        }
        phrases.extend(self.further.iter().map(|(name, value)| Phrase::new(name, format!("{name} {value}"))));
        phrases
    }
}

/// Returns the equipment of a machine's nodes, with equal neighbours joined: "128 x 8 processors, memory 16777216 KB". The
/// features that only one node has, such as its name, do not part three neighbours or more: of these, the first and the last are
/// listed.
fn node_kinds(machine: &Machine) -> Vec<String> {
    let mut counts: SortedMap<&str, usize> = SortedMap::new();
    let nodes: Vec<usize> = (0..machine.nodes()).collect();
    for name in nodes.iter().flat_map(|&node| machine.features(node)) {
        *counts.entry(name).or_default() += 1;
    }
    let named = |node: usize, own: bool| -> Vec<&str> {
        let features = machine.features(node).iter().map(String::as_str);
        features.filter(|name| (counts[name] == 1) == own).collect()
    };
    let about = |node: usize| (machine.capacity(node), machine.partitions(node), named(node, false));
    let apart = |kind: &'_ [usize]| -> Vec<Vec<usize>> {
        let is_few = kind.len() < 3;
        let alike = kind.chunk_by(|&a, &b| !is_few || machine.features(a) == machine.features(b));
        alike.map(<[usize]>::to_vec).collect()
    };
    let kinds = nodes.chunk_by(|&a, &b| about(a) == about(b)).flat_map(apart).map(|kind| {
        let (amounts, partitions, features) = about(kind[0]);
        let mut words = vec![format!("{} x {} processors", kind.len(), amounts[0])];
        let further = machine.resources().iter().enumerate().skip(1);
        words.extend(further.map(|(at, known)| format!("{} {}", known.name, machine.shown(at, amounts[at]))));
        let of_log = list(partitions.iter().filter(|&&number| Machine::is_partition_of_log(number)));
        if !of_log.is_empty() {
            words.push(format!("partitions {of_log}"));
        } else if !partitions.is_empty() {
            words.push("in no partition of the log".into());
        }
        let [first, last] = [kind[0], kind[kind.len() - 1]].map(|node| named(node, true).join(" "));
        let own = [first, last].into_iter().filter(|names| !names.is_empty());
        let own = own.take(kind.len()).collect::<Vec<_>>().join(" to ");
        let features: Vec<&str> = features.into_iter().chain((!own.is_empty()).then_some(&*own)).collect();
        if !features.is_empty() {
            words.push(format!("features {}", features.join(" ")));
        }
        words.join(", ")
    });
    kinds.collect()
}

/// Returns the name of a log without folders and endings.
pub fn short_name(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.strip_suffix(".gz").unwrap_or(file);
    stem.strip_suffix(".swf").unwrap_or(stem)
}

fn list<'a>(numbers: impl Iterator<Item = &'a i64>) -> String {
    numbers.map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn text(name: &str, value: &impl ToString) -> Fact {
    (name.into(), Cell::Text(value.to_string()))
}

/// Returns a whole number as a number, or as text if a float cannot represent it.
fn whole(name: &str, value: i128) -> Fact {
    let float = value as f64;
    let cell = if float as i128 == value { Cell::Number(float) } else { Cell::Text(value.to_string()) };
    (name.into(), cell)
}
