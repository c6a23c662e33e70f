//! `batchlab_more`: the facts that a policy sees only if its description asks for them.

use batchlab_traces::JobId;
use batchlab_traces::workload::Milestone;

use super::{milestones, pair};
use batchlab_contract::plugin::Asked;

/// Words of the fixed part.
const HEAD: usize = 5;

/// Appends the record for the jobs submitted since the last decision; positions are counted from the beginning of the state.
///
/// O(closures · K + nodes · (K + devices) + jobs · nodes).
pub(super) fn write_more(asked: &Asked<'_, '_>, jobs: &[JobId], words: &mut Vec<u64>) {
    let machine = asked.turn.machine();
    let kinds = machine.kinds();
    let head = words.len();
    words.resize(head + HEAD, 0);
    let at = |words: &Vec<u64>| 8 * words.len() as u32;
    let (mut service_at, mut foreseen_at, mut amounts_at, mut foreseen) = (0, 0, 0, 0);
    if asked.asks.capacity {
        service_at = at(words);
        for node in 0..machine.nodes() {
            words.extend(asked.turn.in_service(node)[..kinds].iter().map(|&amount| amount as u64));
        }
    }
    if asked.asks.foresight {
        let closures = asked.turn.foreseen();
        foreseen = closures.len() as u32;
        foreseen_at = at(words);
        for closure in closures {
            words.extend([closure.from.ticks() as u64, closure.to.ticks() as u64, closure.node as u64]);
        }
        amounts_at = at(words);
        words.extend(
            closures.iter().flat_map(|closure| &closure.amounts[..kinds]).map(|&amount| amount as u64),
        );
    }
    let (mut shapes_at, mut sites_at, mut even_at) = (0, 0, 0);
    if asked.asks.layout {
        shapes_at = at(words);
        for &job in jobs {
            let layout = asked.turn.job(job).layout();
            let amounts = [layout.rests, layout.rest, layout.per_node, layout.exclusive.into()];
            words.extend(amounts.map(|amount| amount as u64));
        }
        sites_at = at(words);
        for &job in jobs {
            push_sites(asked, job, words);
        }
        even_at = at(words);
        let layouts = jobs.iter().map(|&job| asked.turn.job(job).layout());
        words.extend(layouts.map(|layout| if layout.over > 0 { 0 } else { layout.even }));
    }
    let (mut preceding_at, mut preceding) = (0, 0);
    if asked.asks.dependencies {
        preceding_at = at(words);
        for &job in jobs {
            for before in asked.turn.job(job).preceding() {
                let milestone = match before.milestone {
                    Milestone::Start => milestones::START,
                    Milestone::End => milestones::END,
                };
                words.extend([pair(job.0, milestone), before.number as u64]);
                preceding += 1;
            }
        }
    }
    let mut devices_at = 0;
    if let Some(devices) = machine.devices().filter(|_| asked.asks.devices) {
        devices_at = at(words);
        words.extend([pair(devices.resource() as u32, devices.most() as u32), devices.size() as u64]);
        for node in 0..machine.nodes() {
            words.extend(asked.turn.room(node)[kinds..].iter().map(|&amount| amount as u64));
        }
    }
    words[head] = pair(service_at, foreseen);
    words[head + 1] = pair(foreseen_at, amounts_at);
    words[head + 2] = pair(shapes_at, sites_at);
    words[head + 3] = pair(preceding, preceding_at);
    words[head + 4] = pair(devices_at, even_at);
}

/// Appends the nodes on which a job may be: a bit for each, the lowest of the first word for node 0.
fn push_sites(asked: &Asked<'_, '_>, job: JobId, words: &mut Vec<u64>) {
    let machine = asked.turn.machine();
    let first = words.len();
    words.resize(first + machine.nodes().div_ceil(64), 0);
    let view = asked.turn.job(job);
    for node in (0..machine.nodes()).filter(|&node| view.admitted(machine, node)) {
        words[first + node / 64] |= 1 << (node % 64);
    }
}
