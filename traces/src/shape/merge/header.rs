use super::{Align, Machines, Merge, Numbers};
use crate::header::{Header, Named, RemarkedCount, ResourceDeclaration};
use crate::{Field, Number, Record, Trace};

pub struct Offsets(Vec<[i64; NUMBERED.len()]>);

const NUMBERED: [Field; 5] = [Field::User, Field::Group, Field::Executable, Field::Queue, Field::Partition];

impl Offsets {
    /// Returns the offsets: one more than the largest number of the preceding logs, if the numbers are kept apart.
    pub fn of(logs: &[&Trace], users: Numbers, queues: Numbers) -> Offsets {
        let mut next = [0i64; NUMBERED.len()];
        let mut offsets = Vec::new();
        for log in logs {
            offsets.push(next);
            for (next, field) in next.iter_mut().zip(NUMBERED) {
                let numbers = if matches!(field, Field::Queue | Field::Partition) { queues } else { users };
                let most = log.column(field).iter().map(Number::truncated).max().unwrap_or(-1);
                if numbers == Numbers::Apart && most >= 0 {
                    *next = next.saturating_add(most).saturating_add(1);
                }
            }
        }
        Offsets(offsets)
    }

    pub fn add(&self, log: usize, record: &mut Record) {
        for (field, offset) in NUMBERED.into_iter().zip(self.0[log]) {
            let number = record.get(field);
            if !number.is_unknown() {
                record.set_whole(field, number.truncated().saturating_add(offset));
            }
        }
    }

    /// Returns the names of a log's queues or partitions with their new numbers.
    fn renamed(&self, log: usize, field: Field, names: &[Named]) -> Vec<Named> {
        let at = NUMBERED.iter().position(|&numbered| numbered == field);
        let offset = at.map_or(0, |at| self.0[log][at]);
        let renamed =
            |named: &Named| Named { number: named.number.saturating_add(offset), name: named.name.clone() };
        names.iter().map(renamed).collect()
    }
}

pub fn merged(
    merge: &Merge,
    logs: &[&Trace],
    offsets: &Offsets,
    mut resources: Vec<ResourceDeclaration>,
    zero: i64,
) -> (Header, String) {
    let mut remark = String::new();
    let mut header = logs[0].header.clone();
    for resource in &mut resources {
        let capacity = |log: &&Trace| {
            let declared = log.header.resources.iter().find(|other| other.name == resource.name);
            declared.map(|declared| declared.capacity)
        };
        resource.capacity = together(merge.machine, logs.iter().filter_map(capacity));
    }
    header.resources = resources;
    let counts = |of: fn(&Header) -> &Option<RemarkedCount>| {
        let count =
            together(merge.machine, logs.iter().map(|log| of(&log.header).as_ref().map(|of| of.count)));
        count.map(|count| RemarkedCount { count, remark: String::new() })
    };
    if merge.machine != Machines::First {
        (header.max_procs, header.max_nodes) =
            (counts(|header| &header.max_procs), counts(|header| &header.max_nodes));
        if header.max_procs.is_none() {
            remark += "; not every log says how many processors it had, so the merged one does not either";
        }
    }
    let zones = |log: &&Trace| log.calendar.map(|calendar| calendar.zone());
    if merge.align == Align::Calendar {
        header.unix_start_time = Some(zero);
        if logs.iter().any(|log| zones(log) != zones(&logs[0])) {
            remark += "; the logs come from several time zones, and the first one's is the merged log's";
        }
    }
    let jobs = |log: &&Trace| log.len() as i64;
    let total: i64 = logs.iter().map(jobs).sum();
    header.max_records = header.max_records.map(|_| total);
    header.max_jobs = header.max_jobs.map(|_| total);
    (header.start_time, header.end_time, header.later_comments) = (None, None, Vec::new());
    for (at, log) in logs.iter().enumerate().skip(1) {
        add(&mut header, log, at, offsets);
    }
    (header, remark)
}

fn add(header: &mut Header, log: &Trace, at: usize, offsets: &Offsets) {
    let other = &log.header;
    let join = |own: &mut Option<String>, other: &Option<String>| match (own, other) {
        (own @ None, other) => own.clone_from(other),
        (Some(own), Some(other)) if own != other => *own = format!("{own} + {other}"),
        _ => {}
    };
    join(&mut header.computer, &other.computer);
    join(&mut header.installation, &other.installation);
    let extend = |own: &mut Vec<String>, other: &[String]| {
        for line in other {
            if !own.contains(line) {
                own.push(line.clone());
            }
        }
    };
    extend(&mut header.acknowledge, &other.acknowledge);
    extend(&mut header.information, &other.information);
    extend(&mut header.notes, &other.notes);
    header.max_runtime = header.max_runtime.zip(other.max_runtime).map(|(own, other)| own.max(other));
    for (own, theirs) in [
        (&mut header.queue, offsets.renamed(at, Field::Queue, &other.queue)),
        (&mut header.partition, offsets.renamed(at, Field::Partition, &other.partition)),
    ] {
        for named in theirs {
            if !own.contains(&named) {
                own.push(named);
            }
        }
    }
    let queues = |header: &Header| (!header.queue.is_empty()).then_some(header.queue.len() as i64);
    header.max_queues = header.max_queues.and(queues(header));
    header.max_partitions = header.max_partitions.map(|own| own.max(header.partition.len() as i64));
}

/// Returns the combined count of several machines; `None` if one of them is unknown.
fn together(machines: Machines, mut counts: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    match machines {
        Machines::First => counts.next().flatten(),
        Machines::Sum => counts.try_fold(0i64, |sum, count| Some(sum.saturating_add(count?))),
        Machines::Max => counts.try_fold(0, |most: i64, count| Some(most.max(count?))),
    }
}
