//! `batchlab_state`: the facts that a policy gets at a decision.

use batchlab_traces::{Field, JobId, Time};

use super::more::write_more;
use super::{events, pair, reasons};
use batchlab_contract::event::Event;
use batchlab_contract::plugin::Asked;
use batchlab_contract::refused::Reason;

/// Words of the fixed part.
const HEAD: usize = 7;

/// Writes the record: the fixed part, events, new jobs, their demands, free amounts node by node, and the further facts for
/// which the policy asks.
///
/// O(events + nodes · K).
pub fn write_state(asked: &Asked<'_, '_>, words: &mut Vec<u64>) {
    words.clear();
    words.resize(HEAD, 0);
    let machine = asked.turn.machine();
    let events_at = words.len();
    for &(index, ref refused) in asked.refused {
        words.extend([pair(events::REFUSED, index as u32), reason(&refused.reason) as u64]);
    }
    for &event in asked.events {
        let (kind, job, at) = told(asked, event);
        words.extend([pair(kind, job.0), at.ticks() as u64]);
    }
    let (jobs_at, mut jobs) = (words.len(), 0);
    for job in submitted(asked) {
        push_job(asked, job, words);
        jobs += 1;
    }
    let demand_at = words.len();
    for job in submitted(asked) {
        words.extend(asked.turn.job(job).demand().iter().map(|amount| *amount as u64));
    }
    let free_at = words.len();
    words.extend((0..machine.nodes()).flat_map(|node| asked.turn.free(node)).map(|amount| *amount as u64));
    let at = |word: usize| 8 * word as u32;
    words[0] = asked.turn.now().ticks() as u64;
    words[1] = asked.random;
    words[2] = pair((asked.refused.len() + asked.events.len()) as u32, jobs);
    words[3] = pair(machine.kinds() as u32, machine.nodes() as u32);
    words[4] = pair(at(events_at), at(jobs_at));
    words[5] = pair(at(demand_at), at(free_at));
    let more = if asked.asks.any() { at(words.len()) } else { 0 };
    if more > 0 {
        let jobs: Vec<JobId> = submitted(asked).collect();
        write_more(asked, &jobs, words);
    }
    words[6] = pair(at(words.len()), more);
}

fn submitted<'a>(asked: &'a Asked<'_, '_>) -> impl Iterator<Item = JobId> + 'a {
    asked.events.iter().filter_map(|event| if let Event::Submitted(job) = event { Some(*job) } else { None })
}

fn told(asked: &Asked<'_, '_>, event: Event) -> (u32, JobId, Time) {
    let now = asked.turn.now();
    let ended = |job: JobId| asked.turn.ended(job).unwrap_or(now);
    match event {
        Event::Submitted(job) => (events::SUBMITTED, job, asked.turn.job(job).submit()),
        Event::Released(job) => (events::RELEASED, job, now),
        Event::Finished(job) => (events::FINISHED, job, ended(job)),
        Event::Killed(job) => (events::KILLED, job, ended(job)),
        Event::Displaced(job) => (events::DISPLACED, job, now),
        Event::Loaded(job) => (events::LOADED, job, now),
        Event::Capacity(at) if asked.asks.capacity => (events::CAPACITY, JobId(0), at),
        // Other policies never suspend jobs of a plug-in that decides.
        Event::Suspended(_) | Event::Resumed(_) => (events::WOKE, JobId(0), now),
        // As in the protocol of child processes.
        Event::Woke(at) | Event::Capacity(at) => (events::WOKE, JobId(0), at),
    }
}

fn push_job(asked: &Asked<'_, '_>, id: JobId, words: &mut Vec<u64>) {
    let job = asked.turn.job(id);
    let run = asked.turn.oracle().filter(|_| asked.clairvoyant).map_or(-1, |oracle| oracle.run(id).ticks());
    let fields = [Field::User, Field::Group, Field::Executable, Field::Queue, Field::Partition];
    words.push(pair(id.0, 0));
    words.extend(
        [
            job.number(),
            job.submit().ticks(),
            job.estimate().ticks(),
            job.procs(),
            job.layout().task,
            job.told_memory().unwrap_or(-1),
            run,
        ]
        .map(|number| number as u64),
    );
    words.extend(fields.map(|field| job.attribute(field) as u64));
}

fn reason(reason: &Reason) -> i64 {
    match reason {
        Reason::Oversubscribed { .. } => reasons::OVERSUBSCRIBED,
        Reason::State { .. } => reasons::STATE,
        Reason::Placement { .. }
        | Reason::Twice { .. }
        | Reason::Split { .. }
        | Reason::Partition { .. }
        | Reason::Constraint { .. } => reasons::PLACEMENT,
        Reason::Past(_) | Reason::Promised(_) | Reason::Wakes(_) => reasons::PAST,
        Reason::Undeclared(_) => reasons::UNDECLARED,
    }
}
