//! The messages to a child.

use std::borrow::Cow;
use std::io::Write;

use batchlab_traces::capacity::Closure;
use batchlab_traces::workload::Milestone;
use batchlab_traces::{JobId, Time};
use serde_json::Value;

use super::VERSION;
use batchlab_contract::event::Event;
use batchlab_contract::plugin::About;
use batchlab_contract::plugin::Verb;
use batchlab_contract::plugin::{Asked, Begin};
use batchlab_contract::plugin::{FACTS, ToldJob};
use batchlab_contract::plugin::{ParamValue, devices_json, machine_json};
use batchlab_contract::refused::Refused;

/// The last message.
pub const BYE: &[u8] = b"{\"bye\":{}}\n";

/// Returns the first message.
pub fn hello() -> Vec<u8> {
    let program = concat!("batchlab ", env!("CARGO_PKG_VERSION"));
    format!("{{\"hello\":{{\"version\":{VERSION},\"program\":\"{program}\"}}}}\n").into_bytes()
}

/// Returns the message that begins a replay.
pub fn init(begin: &Begin<'_>, about: &About) -> Vec<u8> {
    let mut out = b"{\"init\":{\"policy\":".to_vec();
    push_json(&mut out, &Value::from(about.name.as_str()));
    out.extend(b",\"params\":{");
    for (index, (name, told)) in begin.params.iter().enumerate() {
        comma(&mut out, index);
        push_json(&mut out, &Value::from(*name));
        out.push(b':');
        match told {
            ParamValue::Number(number) => push_number(&mut out, *number),
            ParamValue::Word(word) => push_json(&mut out, &Value::from(word.as_str())),
        }
    }
    out.extend(b"},\"machine\":");
    let mut machine = machine_json(begin.setting);
    if let (true, Some(devices)) = (about.asks().devices, devices_json(begin.setting)) {
        machine["devices"] = devices;
    }
    push_json(&mut out, &machine);
    out.extend(b"}}\n");
    out
}

/// Writes the message that asks for scores.
pub fn order(out: &mut Vec<u8>, about: &About, columns: &[f64], rows: usize) {
    out.clear();
    out.extend(b"{\"order\":{\"columns\":{");
    for (index, (name, values)) in about.columns.iter().zip(columns.chunks(rows.max(1))).enumerate() {
        comma(out, index);
        push_json(out, &Value::from(name.as_str()));
        out.push(b':');
        push_list(out, values, |out, &value| push_number(out, value));
    }
    out.extend(b"}}}\n");
}

/// The child's knowledge, so that only changes are sent.
#[derive(Debug, Default)]
pub struct Books {
    /// The free amounts sent last, node by node.
    free: Vec<i64>,
    /// The free amounts of devices sent last, node by node.
    devices: Vec<i64>,
    /// The amounts in service sent last, node by node.
    in_service: Vec<i64>,
    /// The known closures sent last.
    foreseen: Vec<Closure>,
}

impl Books {
    /// Returns the books of an empty machine, as `init` describes it.
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
        out.extend(b"{\"decide\":{\"now\":");
        push_time(out, asked.turn.now());
        out.extend(b",\"events\":");
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
        out.extend(b",\"random\":");
        push_whole(out, asked.random as i64);
        out.extend(b"}}\n");
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
                out.push(b'[');
                push_time(out, closure.from);
                out.push(b',');
                push_time(out, closure.to);
                out.push(b',');
                push_whole(out, closure.node as i64);
                out.push(b',');
                push_amounts(out, &closure.amounts[..machine.kinds()]);
                out.push(b']');
            });
        }
    }
}

fn push_amounts(out: &mut Vec<u8>, amounts: &[i64]) {
    push_list(out, amounts, |out, &amount| push_whole(out, amount));
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
            out.push(b'[');
            push_whole(out, node as i64);
            out.push(b',');
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
        Event::Released(job) => push_about(out, "released", job),
        Event::Displaced(job) => push_about(out, "displaced", job),
        Event::Loaded(job) => push_about(out, "loaded", job),
        Event::Finished(job) => push_end(out, asked, "finished", job),
        Event::Killed(job) => push_end(out, asked, "killed", job),
        Event::Capacity(at) if asked.asks.capacity => {
            out.extend(b"[\"capacity\",");
            push_time(out, at);
        }
        // Other policies never suspend jobs of a plug-in that decides.
        Event::Suspended(_) | Event::Resumed(_) => {
            out.extend(b"[\"woke\",");
            push_time(out, asked.turn.now());
        }
        // A child that does not ask for the capacity sees the free amounts.
        Event::Woke(at) | Event::Capacity(at) => {
            out.extend(b"[\"woke\",");
            push_time(out, at);
        }
    }
    out.push(b']');
}

fn push_about(out: &mut Vec<u8>, word: &str, job: JobId) {
    out.extend(b"[\"");
    out.extend(word.as_bytes());
    out.extend(b"\",");
    push_whole(out, job.0.into());
}

/// An end before now, as with periodic decisions, is sent with its instant.
fn push_end(out: &mut Vec<u8>, asked: &Asked<'_, '_>, word: &str, job: JobId) {
    push_about(out, word, job);
    if let Some(at) = asked.turn.ended(job).filter(|&at| at != asked.turn.now()) {
        out.push(b',');
        push_time(out, at);
    }
}

/// Unknown and default values of a job are omitted.
fn push_job(out: &mut Vec<u8>, job: &ToldJob) {
    out.extend(b"{\"job\":");
    push_whole(out, job.job.0.into());
    out.extend(b",\"number\":");
    push_whole(out, job.number);
    out.extend(b",\"submit\":");
    push_time(out, job.submit);
    out.extend(b",\"estimate\":");
    push_time(out, job.estimate);
    out.extend(b",\"procs\":");
    push_whole(out, job.procs);
    if job.task_procs != 1 {
        out.extend(b",\"task-procs\":");
        push_whole(out, job.task_procs);
    }
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
    if let Some(run) = job.run {
        out.extend(b",\"run\":");
        push_time(out, run);
    }
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
            out.extend(match before.milestone {
                Milestone::Start => &b"[\"start\","[..],
                Milestone::End => &b"[\"end\","[..],
            });
            push_whole(out, before.number);
            out.push(b']');
        });
    }
    out.push(b'}');
}

/// Appends a value that is known.
fn push_if(out: &mut Vec<u8>, name: &str, value: Option<i64>) {
    if let Some(value) = value {
        out.extend(b",\"");
        out.extend(name.as_bytes());
        out.extend(b"\":");
        push_whole(out, value);
    }
}

fn push_refused(out: &mut Vec<u8>, index: usize, job: Option<JobId>, refused: &Refused) {
    out.extend(b"{\"verb\":");
    push_whole(out, index as i64);
    if let Some(job) = job {
        out.extend(b",\"job\":");
        push_whole(out, job.0.into());
    }
    out.extend(b",\"code\":\"");
    out.extend(refused.reason.code().as_bytes());
    out.extend(b"\",\"reason\":");
    push_json(out, &Value::from(refused.to_string()));
    out.push(b'}');
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

// Writing to memory cannot fail.

fn push_whole(out: &mut Vec<u8>, number: i64) {
    let _ = write!(out, "{number}");
}

fn push_time(out: &mut Vec<u8>, time: Time) {
    let _ = write!(out, "{time}");
}

fn push_json(out: &mut Vec<u8>, value: &Value) {
    let _ = write!(out, "{value}");
}

/// Writes the shortest digits that denote this exact number; JSON has no infinities.
fn push_number(out: &mut Vec<u8>, number: f64) {
    let _ = if number.is_nan() {
        write!(out, "\"nan\"")
    } else if number.is_infinite() {
        write!(out, "\"{number}\"")
    } else if number == number.trunc() && number.abs() < 1e15 {
        write!(out, "{}", number as i64)
    } else {
        write!(out, "{number:?}")
    };
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
