//! The messages to a child.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;

use batchlab_traces::JobId;
use batchlab_traces::capacity::Closure;
use batchlab_traces::workload::Milestone;
use serde_json::Value;

use super::VERSION;
use batchlab_contract::event::Event;
use batchlab_contract::plugin::{
    About, Asked, Begin, FACTS, ParamValue, ToldJob, Verb, devices_json, machine_json,
};
use batchlab_contract::refused::Refused;

pub const BYE: &[u8] = b"{\"bye\":{}}\n";

pub fn hello() -> Vec<u8> {
    let program = concat!("batchlab ", env!("CARGO_PKG_VERSION"));
    format!("{{\"hello\":{{\"version\":{VERSION},\"program\":\"{program}\"}}}}\n").into_bytes()
}

pub fn init(begin: &Begin<'_>, about: &About) -> Vec<u8> {
    let mut out = b"{\"init\":{\"policy\":".to_vec();
    put(&mut out, format_args!("{},\"params\":{{", Value::from(about.name.as_str())));
    for (index, (name, told)) in begin.params.iter().enumerate() {
        comma(&mut out, index);
        put(&mut out, format_args!("{}:", Value::from(*name)));
        match told {
            ParamValue::Number(number) => push_number(&mut out, *number),
            ParamValue::Word(word) => put(&mut out, format_args!("{}", Value::from(word.as_str()))),
        }
    }
    let mut machine = machine_json(begin.setting);
    if let (true, Some(devices)) = (about.asks().devices, devices_json(begin.setting)) {
        machine["devices"] = devices;
    }
    put(&mut out, format_args!("}},\"machine\":{machine}}}}}\n"));
    out
}

pub fn order(out: &mut Vec<u8>, about: &About, columns: &[f64], rows: usize) {
    out.clear();
    out.extend(b"{\"order\":{\"columns\":{");
    for (index, (name, values)) in about.columns.iter().zip(columns.chunks(rows.max(1))).enumerate() {
        comma(out, index);
        put(out, format_args!("{}:", Value::from(name.as_str())));
        push_list(out, values, |out, &value| push_number(out, value));
    }
    out.extend(b"}}}\n");
}

/// The child's knowledge, so that only changes are sent.
#[derive(Debug, Default)]
pub struct Books {
    /// What was sent last, node by node.
    free: Vec<i64>,
    devices: Vec<i64>,
    in_service: Vec<i64>,
    foreseen: Vec<Closure>,
}

impl Books {
    /// The books of an empty machine, as `init` describes it.
    pub fn new(begin: &Begin<'_>) -> Books {
        let machine = begin.setting.machine;
        let free: Vec<i64> = (0..machine.nodes()).flat_map(|node| machine.capacity(node)).copied().collect();
        let devices = |node| machine.amounts(node).split_off(machine.kinds());
        let devices = (0..machine.nodes()).flat_map(devices).collect();
        Books { in_service: free.clone(), free, devices, foreseen: Vec::new() }
    }

    /// Writes the message that requests a decision; `last` are the verbs of the last answer.
    ///
    /// O(events + nodes · K).
    pub fn decide(&mut self, out: &mut Vec<u8>, asked: &Asked<'_, '_>, last: &[Verb]) {
        out.clear();
        put(out, format_args!(r#"{{"decide":{{"now":{},"events":"#, asked.turn.now()));
        push_list(out, asked.events, |out, &event| push_event(out, asked, event));
        out.extend(b",\"free\":");
        let machine = asked.turn.machine();
        if machine.is_pool() {
            push_amounts(out, asked.turn.free(0));
        } else {
            push_changed(out, &mut self.free, machine.kinds(), |node| Cow::Borrowed(asked.turn.free(node)));
        }
        if let Some(devices) = machine.devices().filter(|_| asked.asks.devices) {
            out.extend(b",\"free-devices\":");
            let amounts = |node| Cow::Borrowed(&asked.turn.room(node)[machine.kinds()..]);
            push_changed(out, &mut self.devices, devices.most(), amounts);
        }
        self.push_capacity(out, asked);
        if !asked.refused.is_empty() {
            out.extend(b",\"refused\":");
            push_list(out, asked.refused, |out, (index, refused)| {
                push_refused(out, *index, last.get(*index).and_then(Verb::job), refused);
            });
        }
        put(out, format_args!(",\"random\":{}}}}}\n", asked.random as i64));
    }

    /// Appends the capacity in service and its known changes, if they have changed and the child asks for them.
    fn push_capacity(&mut self, out: &mut Vec<u8>, asked: &Asked<'_, '_>) {
        let machine = asked.turn.machine();
        let is_due = asked.events.iter().any(|event| matches!(event, Event::Capacity(_)));
        if asked.asks.capacity && is_due {
            out.extend(b",\"in-service\":");
            if machine.is_pool() {
                push_amounts(out, &asked.in_service(0));
            } else {
                let amounts = |node| Cow::Owned(asked.in_service(node));
                push_changed(out, &mut self.in_service, machine.kinds(), amounts);
            }
        }
        if asked.asks.foresight && asked.turn.foreseen() != self.foreseen {
            self.foreseen = asked.turn.foreseen().to_vec();
            out.extend(b",\"foreseen\":");
            push_list(out, &self.foreseen, |out, closure| {
                put(out, format_args!("[{},{},{},", closure.from, closure.to, closure.node));
                push_amounts(out, &closure.amounts[..machine.kinds()]);
                out.push(b']');
            });
        }
    }
}

fn push_amounts(out: &mut Vec<u8>, amounts: &[i64]) {
    push_list(out, amounts, |out, amount| put(out, format_args!("{amount}")));
}

/// Appends the nodes whose amounts differ from those sent last, with their amounts.
fn push_changed<'a>(
    out: &mut Vec<u8>,
    sent: &mut [i64],
    kinds: usize,
    amounts: impl Fn(usize) -> Cow<'a, [i64]>,
) {
    out.push(b'[');
    let mut changed = 0;
    // If there are no amounts, as for devices on a machine without them, there is nothing to send.
    for (node, sent) in sent.chunks_mut(kinds.max(1)).enumerate() {
        let amounts = amounts(node);
        if *amounts != *sent {
            sent.copy_from_slice(&amounts);
            comma(out, changed);
            changed += 1;
            put(out, format_args!("[{node},"));
            push_amounts(out, &amounts);
            out.push(b']');
        }
    }
    out.push(b']');
}

fn push_event(out: &mut Vec<u8>, asked: &Asked<'_, '_>, event: Event) {
    match event {
        Event::Submitted(job) => {
            out.extend(b"[\"submitted\",");
            push_job(out, &ToldJob::new(asked, job));
        }
        Event::Released(job) => push_about(out, "released", job.0),
        Event::Displaced(job) => push_about(out, "displaced", job.0),
        Event::Loaded(job) => push_about(out, "loaded", job.0),
        Event::Finished(job) => push_end(out, asked, "finished", job),
        Event::Killed(job) => push_end(out, asked, "killed", job),
        Event::Capacity(at) if asked.asks.capacity => push_about(out, "capacity", at),
        // Other policies never suspend jobs of a plug-in that decides.
        Event::Suspended(_) | Event::Resumed(_) => push_about(out, "woke", asked.turn.now()),
        // A child that does not ask for the capacity sees the free amounts.
        Event::Woke(at) | Event::Capacity(at) => push_about(out, "woke", at),
    }
    out.push(b']');
}

fn push_about(out: &mut Vec<u8>, word: &str, about: impl fmt::Display) {
    put(out, format_args!("[\"{word}\",{about}"));
}

/// An end before now, as with periodic decisions, is sent with its instant.
fn push_end(out: &mut Vec<u8>, asked: &Asked<'_, '_>, word: &str, job: JobId) {
    push_about(out, word, job.0);
    if let Some(at) = asked.turn.ended(job).filter(|&at| at != asked.turn.now()) {
        put(out, format_args!(",{at}"));
    }
}

/// Unknown and default values of a job are omitted.
fn push_job(out: &mut Vec<u8>, job: &ToldJob) {
    let ToldJob { job: JobId(id), number, submit, estimate, procs, .. } = job;
    let head = format_args!(
        r#"{{"job":{id},"number":{number},"submit":{submit},"estimate":{estimate},"procs":{procs}"#
    );
    put(out, head);
    push_if(out, "task-procs", Some(job.task_procs).filter(|&procs| procs != 1));
    push_if(out, "smaller-tasks", job.smaller_tasks);
    push_if(out, "tasks-per-node", job.tasks_per_node);
    if job.exclusive {
        out.extend(b",\"exclusive\":true");
    }
    if !job.demand.is_empty() {
        out.extend(b",\"demand\":");
        push_amounts(out, &job.demand);
    }
    push_if(out, "memory", job.memory);
    push_if(out, "run", job.run);
    for ((_, name), value) in FACTS.iter().zip(job.facts) {
        push_if(out, name, value);
    }
    push_if(out, "smaller-procs", job.smaller_procs);
    if !job.even.is_empty() {
        out.extend(b",\"even\":");
        push_amounts(out, &job.even);
    }
    if let Some(ranges) = &job.sites {
        out.extend(b",\"sites\":");
        push_list(out, ranges, |out, &(first, last)| push_amounts(out, &[first as i64, last as i64]));
    }
    if !job.after.is_empty() {
        out.extend(b",\"after\":");
        push_list(out, &job.after, |out, before| {
            let milestone = match before.milestone {
                Milestone::Start => "start",
                Milestone::End => "end",
            };
            put(out, format_args!("[\"{milestone}\",{}]", before.number));
        });
    }
    out.push(b'}');
}

fn push_if(out: &mut Vec<u8>, name: &str, value: Option<impl fmt::Display>) {
    if let Some(value) = value {
        put(out, format_args!(",\"{name}\":{value}"));
    }
}

fn push_refused(out: &mut Vec<u8>, index: usize, job: Option<JobId>, refused: &Refused) {
    put(out, format_args!("{{\"verb\":{index}"));
    push_if(out, "job", job.map(|JobId(job)| job));
    let (code, reason) = (refused.reason.code(), Value::from(refused.to_string()));
    put(out, format_args!(r#","code":"{code}","reason":{reason}}}"#));
}

fn push_list<T>(out: &mut Vec<u8>, items: &[T], push: impl Fn(&mut Vec<u8>, &T)) {
    out.push(b'[');
    for (index, item) in items.iter().enumerate() {
        comma(out, index);
        push(out, item);
    }
    out.push(b']');
}

fn comma(out: &mut Vec<u8>, index: usize) {
    if index > 0 {
        out.push(b',');
    }
}

/// Writing to memory cannot fail.
fn put(out: &mut Vec<u8>, text: fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

/// Writes the shortest digits that denote this exact number; JSON has no infinities.
fn push_number(out: &mut Vec<u8>, number: f64) {
    if number.is_nan() {
        put(out, format_args!("\"nan\""));
    } else if number.is_infinite() {
        put(out, format_args!("\"{number}\""));
    } else if number == number.trunc() && number.abs() < 1e15 {
        put(out, format_args!("{}", number as i64));
    } else {
        put(out, format_args!("{number:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_which_none_has_a_device_have_nothing_to_tell() {
        let mut told = Vec::new();
        push_changed(&mut told, &mut [], 0, |_| Cow::Owned(vec![1]));
        assert_eq!(told, b"[]");
        push_changed(&mut told, &mut [1, 0], 1, |_| Cow::Owned(vec![1]));
        assert_eq!(told, b"[][[1,[1]]]");
    }
}
