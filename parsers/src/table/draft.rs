//! The values of a line before amounts are divided.

use batchlab_traces::notation::Bound;
use batchlab_traces::{Number, Time};

use super::amount::whole_up;
use super::mapping::Per;
use super::target::{Comparand, DurationTarget, InstantTarget, MemoryTarget, Procs};
use crate::entry::{AccountingEntry, Name};

/// The values of a line; amounts are in millionths.
#[derive(Clone, Copy, Default)]
pub(super) struct Draft<'a> {
    pub(super) number: Option<i64>,
    pub(super) submit: Option<Time>,
    pub(super) start: Option<Time>,
    pub(super) end: Option<Time>,
    pub(super) wait: Option<Time>,
    pub(super) run: Option<Time>,
    pub(super) requested_time: Option<Bound<Time>>,
    pub(super) cpu: Option<(Time, Per)>,
    pub(super) allocated: Option<i64>,
    pub(super) requested: Option<i64>,
    pub(super) used_memory: Option<(i128, Per)>,
    pub(super) requested_memory: Option<(i128, Per)>,
    pub(super) status: Option<i64>,
    pub(super) never_started: bool,
    pub(super) nodes: Option<i64>,
    pub(super) names: [Name<'a>; 5],
    pub(super) check_wait: Option<Time>,
    pub(super) check_run: Option<Time>,
}

impl<'a> Draft<'a> {
    pub(super) fn instant(&mut self, event: InstantTarget) -> &mut Option<Time> {
        match event {
            InstantTarget::Submit => &mut self.submit,
            InstantTarget::Start => &mut self.start,
            InstantTarget::End => &mut self.end,
        }
    }

    pub(super) fn procs(&mut self, procs: Procs) -> &mut Option<i64> {
        match procs {
            Procs::Allocated => &mut self.allocated,
            Procs::Requested => &mut self.requested,
        }
    }

    pub(super) fn memory(&mut self, memory: MemoryTarget) -> &mut Option<(i128, Per)> {
        match memory {
            MemoryTarget::Used => &mut self.used_memory,
            MemoryTarget::Requested => &mut self.requested_memory,
        }
    }

    pub(super) fn length(&mut self, span: DurationTarget, time: Time, per: Per) {
        match span {
            DurationTarget::Wait => self.wait = Some(time),
            DurationTarget::Run => self.run = Some(time),
            DurationTarget::RequestedTime => self.requested_time = Some(Bound::Most(time)),
            DurationTarget::Cpu => self.cpu = Some((time, per)),
        }
    }

    pub(super) fn check(&mut self, check: Comparand) -> &mut Option<Time> {
        match check {
            Comparand::Wait => &mut self.check_wait,
            Comparand::Run => &mut self.check_run,
        }
    }

    /// Derives missing times from the given ones.
    pub(super) fn settle(&mut self) {
        match (self.submit, self.wait, self.start) {
            (Some(submit), Some(wait), None) => self.start = Some(submit + wait),
            (None, Some(wait), Some(start)) => self.submit = Some(start - wait),
            _ => {}
        }
        if let (None, Some(start), Some(run)) =
            (self.end, self.start, self.run.filter(|run| *run >= Time::ZERO))
        {
            self.end = Some(start + run);
        }
    }

    /// Returns the checks: a name, and two values that should be equal.
    pub(super) fn checks(&self) -> [(&'static str, Option<Time>, Option<Time>); 2] {
        let between = |from: Option<Time>, to: Option<Time>| from.zip(to).map(|(from, to)| to - from);
        [
            ("wait", self.check_wait, between(self.submit, self.start)),
            ("run", self.check_run, self.run.or(between(self.start, self.end))),
        ]
    }

    /// Returns the memory request of the whole job, in KB rounded up, if the log gives it per node or per job.
    pub(super) fn total_memory(&self) -> Option<i64> {
        let (amount, per) = self.requested_memory?;
        let total = match per {
            Per::Processor => return None,
            Per::Job => amount,
            Per::Node => amount.checked_mul(self.nodes?.into())?,
        };
        i64::try_from(whole_up(total))
            .ok()
            .filter(|&total| total <= batchlab_traces::notation::decimal::LARGEST)
    }

    /// Returns the entry; `extra` are its further columns.
    pub(super) fn entry(&self, line: u32, extra: Vec<(usize, i64)>) -> AccountingEntry<'a> {
        let [user, group, executable, queue, partition] = self.names;
        let cpu = self.cpu.and_then(|(time, per)| match (per, self.allocated) {
            (Per::Job, Some(procs)) if procs > 0 => Some(Time::from_ticks(time.ticks() / procs)),
            (Per::Job, _) => None,
            _ => Some(time),
        });
        AccountingEntry {
            line,
            number: self.number,
            submit: self.submit,
            start: self.start,
            end: self.end,
            measured_run: self.run,
            never_started: self.never_started,
            allocated: self.allocated,
            cpu,
            used_memory: self.per_processor(self.used_memory, self.allocated.or(self.requested)),
            requested: self.requested,
            requested_time: self.requested_time,
            requested_memory: self.per_processor(self.requested_memory, self.requested.or(self.allocated)),
            status: self.status,
            user,
            group,
            executable,
            queue,
            partition,
            extra,
            ..AccountingEntry::default()
        }
    }

    /// Returns an amount for each processor, rounded down to the millionth: multiplied by the processors and
    /// rounded up to whole KB, it is the total again.
    fn per_processor(&self, amount: Option<(i128, Per)>, procs: Option<i64>) -> Option<Number> {
        let (amount, per) = amount?;
        let procs = procs.filter(|&procs| procs > 0).map(i128::from);
        let each = match per {
            Per::Processor => amount,
            Per::Job => amount / procs?,
            Per::Node => amount.checked_mul(self.nodes?.into())? / procs?,
        };
        i64::try_from(each).ok().map(Number::from_micro)
    }
}
