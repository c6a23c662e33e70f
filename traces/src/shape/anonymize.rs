//! Logs without names of people and sites.

use super::days::DAY;
use super::{
    Env, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec, StepText, choices,
    parameters,
};
use crate::header::{Header, RemarkedCount};
use crate::sorted::SortedMap;
use crate::{Citation, Field, Number, seed};

pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "the conventions of the Parallel Workloads Archive (SWF v2.2: numbers by first appearance)",
        &["feitelson14"],
    ),
    draws: true,
    ..StepSpec::of::<Anonymize>(
        "anonymize",
        "users, groups, executables, queues, partitions and jobs renumbered; names and remarks of the \
        header dropped; equal identities stay equal",
    )
};

parameters! {
    struct Anonymize;
    numbers: Numbers = "appearance", "appearance or shuffle",
        "how new numbers follow from the old ones: from 1 by first appearance, or seeded at random; queue 0, which is \
         interactive by convention, stays 0";
    calendar: Calendars = "keep", "keep, shift or drop",
        "the start of the log: kept; moved back by 1 to 520 whole weeks, seeded, so that days of the week stay; or \
         dropped with the time zone";
}

choices! {
    Numbers: Appearance | Shuffle;
    Calendars: Keep | Shift | Drop;
}

impl StepText for Anonymize {
    fn step(self, _: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        Ok(Box::new(self))
    }
}

/// The fields that identify people or things.
const NAMES: [Field; 5] = [Field::User, Field::Group, Field::Executable, Field::Queue, Field::Partition];

impl Step for Anonymize {
    fn apply(&self, mut work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        for field in NAMES {
            let stream = env.stream(&format!("anonymize {}", field.name()));
            self.renumber(&mut work, field, env.context.seed, &stream);
        }
        work.renumber(|_| 0);
        strip(&mut work.trace.header);
        match self.calendar {
            Calendars::Keep => {}
            Calendars::Shift => {
                let mut stream = seed::stream(env.context.seed, &env.stream("anonymize calendar"));
                let weeks = 1 + (seed::unit(&mut stream) * 520.0) as i64;
                work.move_clock(-weeks * 7 * DAY);
            }
            Calendars::Drop => {
                let header = &mut work.trace.header;
                (header.unix_start_time, header.time_zone, header.time_zone_string) = (None, None, None);
                work.reread_calendar();
            }
        }
        let count = work.len() as u64;
        Ok(StepOutput::one(work, count, if count == 1 { "job anonymized" } else { "jobs anonymized" }))
    }
}

impl Anonymize {
    fn renumber(&self, work: &mut ShapedTrace, field: Field, seed: u64, stream: &str) {
        let interactive = |number: i64| field == Field::Queue && number == 0;
        let mut first: SortedMap<i64, usize> = SortedMap::new();
        for number in work.trace.column(field).iter().map(Number::truncated) {
            if number >= 0 && !interactive(number) {
                let next = first.len();
                first.entry(number).or_insert(next);
            }
        }
        let mut new: Vec<i64> = (1..=first.len() as i64).collect();
        if self.numbers == Numbers::Shuffle {
            // Fisher and Yates.
            let mut stream = seed::stream(seed, stream);
            for last in (1..new.len()).rev() {
                new.swap(last, (seed::unit(&mut stream) * (last + 1) as f64) as usize);
            }
        }
        work.map(field, |_, number| match number.truncated() {
            old if old < 0 || interactive(old) => number,
            old => Number::whole(first.get(&old).map_or(-1, |&at| new[at])),
        });
    }
}

/// Removes everything that names a site, a person, a queue or a partition; the description of the machine is kept.
fn strip(header: &mut Header) {
    *header = Header {
        version: header.version.take(),
        max_jobs: header.max_jobs,
        max_records: header.max_records,
        preemption: header.preemption,
        unix_start_time: header.unix_start_time,
        time_zone: header.time_zone,
        time_zone_string: header.time_zone_string.take(),
        max_nodes: header.max_nodes.take().map(without_remark),
        max_procs: header.max_procs.take().map(without_remark),
        max_runtime: header.max_runtime,
        max_memory: header.max_memory,
        allow_overuse: header.allow_overuse,
        resources: std::mem::take(&mut header.resources),
        ..Header::default()
    };
}

fn without_remark(mut counted: RemarkedCount) -> RemarkedCount {
    counted.remark.clear();
    counted
}
