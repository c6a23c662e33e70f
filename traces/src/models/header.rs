//! The header of a synthetic log, which states that it is synthetic and how to make it again.

use super::spec::{GeneratedJobs, ModelSpec, Request};
use crate::header::{Header, Named, RemarkedCount, SwfPreemption};

pub(super) fn describe(model: &ModelSpec, request: &Request<'_>, drawn: &GeneratedJobs) -> Header {
    let (jobs, procs) = (i64::from(request.jobs), i64::from(request.procs));
    let machine = RemarkedCount { count: procs, remark: String::new() };
    let queue = |class: &super::ModelClass| Named { number: class.queue, name: class.name.into() };
    let mut header = Header {
        version: Some("2.2".into()),
        computer: Some("none (synthetic workload)".into()),
        information: vec![format!("synthetic workload of the model {}: {}", model.name, model.cite.words)],
        max_jobs: Some(jobs),
        max_records: Some(jobs),
        preemption: Some(SwfPreemption::No),
        max_nodes: Some(machine.clone()),
        max_procs: Some(machine),
        max_runtime: drawn.max_runtime,
        max_queues: Some(drawn.classes.len() as i64),
        queue: drawn.classes.iter().map(queue).collect(),
        notes: notes(model, request, drawn),
        ..Header::default()
    };
    header.lines = lines(&header);
    header
}

/// Returns the command that makes the log again and writes it to standard output.
pub(super) fn command(model: &ModelSpec, request: &Request<'_>) -> String {
    let Request { jobs, procs, seed, settings, log } = request;
    let mut command =
        format!("batchlab generate {} -o - --jobs {jobs} --procs {procs} --seed {seed}", model.name);
    if let Some(log) = log {
        command.extend([" --log ", &quoted(&log.provenance.source.name)]);
    }
    for (param, value) in settings.given() {
        command.extend([" --set ", param.name, "=", value]);
    }
    command
}

/// Returns a word for a shell, in quotes if necessary.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./+,:=@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{word}'") }
}

fn notes(model: &ModelSpec, request: &Request<'_>, drawn: &GeneratedJobs) -> Vec<String> {
    let mut notes = vec![format!("made by {}", command(model, request))];
    if let Some(source) =
        request.log.map(|log| &log.provenance.source).filter(|source| !source.sha256.is_empty())
    {
        notes.push(format!("fitted to {}, {} bytes, sha256 {}", source.name, source.bytes, source.sha256));
    }
    for class in &drawn.classes {
        notes.push(format!("parameters of {} jobs: {}", class.name, class.parameters));
    }
    notes.extend(drawn.notes.iter().cloned());
    for param in model.parameters().filter(|param| !model.params.iter().any(|own| own.name == param.name)) {
        if let Some(value) = request.settings.text(param.name) {
            notes.push(format!("not of the model: {}={value}, {}", param.name, param.help));
        }
    }
    notes
}

fn lines(header: &Header) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |name: &str, value: &str| lines.push(format!("; {name}: {value}"));
    let mut text = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            line(name, value);
        }
    };
    text("Version", &header.version);
    text("Computer", &header.computer);
    text("Information", &header.information.first().cloned());
    text("MaxJobs", &header.max_jobs.map(|count| count.to_string()));
    text("MaxRecords", &header.max_records.map(|count| count.to_string()));
    text("Preemption", &Some("No".into()));
    text("MaxNodes", &header.max_nodes.as_ref().map(|counted| counted.count.to_string()));
    text("MaxProcs", &header.max_procs.as_ref().map(|counted| counted.count.to_string()));
    text("MaxRuntime", &header.max_runtime.map(|seconds| seconds.to_string()));
    text("MaxQueues", &header.max_queues.map(|count| count.to_string()));
    for queue in &header.queue {
        line("Queue", &format!("{} {}", queue.number, queue.name));
    }
    for note in &header.notes {
        line("Note", note);
    }
    lines
}
