use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::hosts::Slots;
use batchlab_traces::notation::{Bound, number, size, whole};
use batchlab_traces::trace::Suspension;
use batchlab_traces::workload::HELD;
use batchlab_traces::{Number, Time, status};

use super::fields::{PbsFields, PbsKey, System};
use super::kinds;
use super::places::{AllocatedResources, exec_vnode};
use super::request::{ChunkTotals, bytes, count, request};
use crate::chunks::{asked, is_alone};
use crate::columns::{Columns, Shared, share};
use crate::entry::{AccountingEntry, JobState, Member, Name, RunPhase};
use crate::error::Result;
use crate::lines::Line;
use crate::normal::Normaliser;
use crate::reporter::Reporter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The job ended, possibly because it was deleted.
    Ended {
        /// Whether there was a D record.
        deleted: bool,
    },
    /// The job still ran when the log ended.
    Running,
    Waiting,
    /// The job was deleted or aborted before it started.
    Deleted,
    /// The server ended the running job.
    Aborted,
    PutBack,
}

pub(super) struct JobRecord<'a> {
    pub(super) system: System,
    pub(super) line: Line<'a>,
    pub(super) fields: PbsFields<'a>,
    pub(super) number: i64,
    /// The job's index, if it is part of an array; `number` is the array's then.
    pub(super) index: Option<i64>,
    pub(super) fate: Fate,
    pub(super) queued: Option<Time>,
    /// The end time from another record, if this record has none.
    pub(super) ended: Option<Time>,
    /// When the run before ended, if the job was put back into the queue.
    pub(super) requeued: Option<Time>,
    pub(super) pause: Pause,
}

/// The suspensions of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pause {
    /// How long it was suspended until it was last resumed or ended.
    pub(super) total: Time,
    /// When it was first suspended and last resumed.
    pub(super) between: Option<(Time, Time)>,
    /// When it was suspended, if it was not resumed.
    pub(super) since: Option<Time>,
}

impl<'a> JobRecord<'a> {
    pub(super) fn entry(
        &self,
        columns: &mut Columns,
        normaliser: &mut Normaliser,
        extra: Vec<(usize, i64)>,
        reporter: &mut Reporter<'_>,
    ) -> Result<AccountingEntry<'a>> {
        let wanted = self.wanted(reporter)?;
        let given = self.given(&wanted, reporter)?;
        let mut entry = AccountingEntry {
            line: self.line.number,
            number: self.index.is_none().then_some(self.number),
            member: Member { array: self.index.map(|index| (self.number, index)), het: None },
            stage: match self.fate {
                Fate::Running => JobState::Running,
                Fate::Waiting => JobState::Waiting,
                Fate::PutBack => JobState::PutBack,
                Fate::Ended { .. } | Fate::Deleted | Fate::Aborted => JobState::Ended,
            },
            user: Name::of(self.fields.get(PbsKey::User)),
            group: Name::of(self.fields.first(&[PbsKey::Group, PbsKey::Account, PbsKey::Project])),
            executable: Name::of(self.fields.get(PbsKey::Name)),
            queue: Name::of(self.fields.get(PbsKey::Queue)),
            partition: wanted.model.map_or(Name::Unknown, Name::of),
            allocated: given.procs,
            requested: Some(wanted.procs).filter(|&procs| procs > 0),
            requested_time: self.limit(reporter)?,
            extra,
            ..AccountingEntry::default()
        };
        self.times(&mut entry, reporter)?;
        self.usage(&mut entry, reporter)?;
        let held = self.held(&entry, reporter)?;
        columns.put(Shared::Eligible, held, &mut entry, normaliser);
        let memory = wanted.memory.map(size::kb);
        let processors = entry.requested.or(entry.allocated).or(Some(1));
        entry.requested_memory = memory.and_then(|memory| share(Number::whole(memory), processors));
        let nodes = Some(wanted.nodes).filter(|&nodes| nodes > 0).or(given.nodes);
        columns.put(Shared::Nodes, nodes, &mut entry, normaliser);
        columns.put(Shared::Ppn, wanted.per_node, &mut entry, normaliser);
        columns.put(Shared::Memory, memory, &mut entry, normaliser);
        columns.put(Shared::Gpu, wanted.gpus.or(given.gpus), &mut entry, normaliser);
        let uneven = wanted.nodes > 0 && wanted.procs % wanted.nodes != 0;
        let even = |told: bool| (told && uneven).then_some(1);
        columns.put(Shared::EvenMemory, even(wanted.even.memory), &mut entry, normaliser);
        columns.put(Shared::EvenGpu, even(wanted.even.gpus), &mut entry, normaliser);
        let chunks = [PbsKey::Select, PbsKey::Nodes].map(|key| self.fields.get(key));
        let asked = asked(chunks.into_iter().find(|text| !text.is_empty()).unwrap_or_default());
        let alone = asked.exclusive || is_alone(self.fields.get(PbsKey::Place));
        columns.put(Shared::Exclusive, alone.then_some(1), &mut entry, normaliser);
        columns.put_constraint(&asked.constraint, &mut entry.extra, normaliser);
        Ok(entry)
    }

    /// Returns the limit. The request in each record of PBS includes the defaults of the server and of the queue: a request without a
    /// time has no limit.
    ///
    /// Source: `account_jobstr` in `OpenPBS`'s `src/server/accounting.c`, `calc_time_left` and `JOB_INFINITY` in `src/scheduler`.
    fn limit(&self, reporter: &mut Reporter<'_>) -> Result<Option<Bound<Time>>> {
        let limit = self.value(PbsKey::Walltime, |text| DurationDialect::Seconds.read(text), reporter)?;
        let is_unlimited = || self.fields.has_request() && self.fields.get(PbsKey::Walltime).is_empty();
        Ok(limit.or_else(|| is_unlimited().then_some(Bound::Unlimited)))
    }

    fn times(&self, entry: &mut AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result {
        entry.submit = self.value(PbsKey::Created, epoch, reporter)?.or(self.queued);
        if entry.submit.is_none() {
            entry.submit = self.value(PbsKey::Queued, epoch, reporter)?;
        }
        if matches!(self.fate, Fate::Waiting | Fate::Deleted) {
            // Values of an earlier run in the record are not used.
            (entry.never_started, entry.allocated, entry.end) = (true, None, self.ended);
            entry.status = (self.fate == Fate::Deleted).then_some(status::CANCELLED);
            return Ok(());
        }
        entry.start = self.value(PbsKey::Start, epoch, reporter)?;
        self.suspend(entry);
        match self.fate {
            Fate::Ended { .. } => {
                entry.end = self.value(PbsKey::End, epoch, reporter)?.or(self.ended);
                let sampled = self.value(PbsKey::UsedWalltime, length, reporter)?;
                match (entry.start, entry.end) {
                    (Some(start), Some(end)) => {
                        entry.fallback_run = sampled;
                        let run = end - start - self.pause.total;
                        self.compare(run, sampled, reporter)?;
                    }
                    _ => entry.measured_run = sampled,
                }
                entry.never_started = entry.start.is_none() && sampled.is_none();
            }
            Fate::PutBack => entry.end = self.value(PbsKey::End, epoch, reporter)?.or(self.ended),
            Fate::Aborted => entry.end = self.ended,
            Fate::Running | Fate::Waiting | Fate::Deleted => {}
        }
        if let (Some(start), Some(end)) = (entry.start, entry.end)
            && self.pause.total > Time::ZERO
        {
            entry.measured_run.get_or_insert(end - start - self.pause.total);
        }
        entry.status = self.status(entry, reporter)?;
        Ok(())
    }

    /// Fills in how long the run was suspended, and whether it is.
    fn suspend(&self, entry: &mut AccountingEntry<'_>) {
        let Pause { total, between, since } = self.pause;
        let Some(start) = entry.start else { return };
        let between = between.map(|(from, until)| (from - start, until - start));
        entry.suspension = Suspension { total, between: between.filter(|_| total > Time::ZERO) };
        if let (Some(since), Fate::Running) = (since, self.fate) {
            entry.phase = RunPhase::Suspended;
            entry.elapsed = Some(since - start - total);
        }
    }

    /// Returns the seconds from submission until the job became eligible, if it was not eligible at once. After a return to the queue,
    /// the job is eligible from the end of the run before.
    fn held(&self, entry: &AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result<Option<i64>> {
        let eligible = self.value(PbsKey::Eligible, epoch, reporter)?;
        // A job that was held until it was deleted was never in the queue: its `etime` is 0.
        let never = self.fate == Fate::Deleted && eligible == Some(Time::ZERO);
        let eligible = if never { self.ended } else { eligible.max(self.requeued) };
        let (Some(submit), Some(eligible)) = (entry.submit, eligible) else { return Ok(None) };
        if eligible <= submit || eligible > Time::FARTHEST {
            return Ok(None);
        }
        let held = (eligible - submit).ticks() / 1_000_000;
        reporter.report(&HELD, &self.line, self.fields.get(PbsKey::Eligible), |_| format!("for {held} s"))?;
        Ok(Some(held))
    }

    /// Reports sampled run times that differ much from end − start.
    fn compare(&self, run: Time, sampled: Option<Time>, reporter: &mut Reporter<'_>) -> Result {
        let apart = sampled.map_or(0, |sampled| run.ticks().abs_diff(sampled.ticks()) / 1_000_000);
        if apart > 60 {
            let detail = |_| format!("{run} s from start to end, {} s used", sampled.unwrap_or_default());
            reporter.report(
                &kinds::WALLTIME_DIFFERS,
                &self.line,
                self.fields.get(PbsKey::UsedWalltime),
                detail,
            )?;
        }
        Ok(())
    }

    fn status(&self, entry: &AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result<Option<i64>> {
        let Fate::Ended { deleted } = self.fate else {
            if self.fate == Fate::PutBack {
                return Ok(Some(status::FAILED));
            }
            return Ok((self.fate == Fate::Aborted).then_some(status::CANCELLED));
        };
        let Some(code) = self.value(PbsKey::ExitStatus, whole, reporter)? else {
            return Ok(deleted.then_some(status::CANCELLED));
        };
        let (term, kill) = (15, 9);
        let signalled = [256 + term, 256 + kill, 128 + term, 128 + kill].contains(&code);
        Ok(Some(match (code, deleted) {
            (0, _) => status::COMPLETED,
            (_, true) => status::CANCELLED,
            _ if signalled && ended_before_limit(entry) => {
                reporter.report(
                    &kinds::TERMINATED,
                    &self.line,
                    self.fields.get(PbsKey::ExitStatus),
                    |code| format!("Exit_status {code}"),
                )?;
                status::CANCELLED
            }
            _ => status::FAILED,
        }))
    }

    fn usage(&self, entry: &mut AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result {
        let processors = entry.allocated.or(entry.requested);
        let cpu = self.value(PbsKey::UsedCpuTime, length, reporter)?;
        let each = cpu.and_then(|cpu| share(Number::from_micro(cpu.ticks()), processors));
        entry.cpu = each.map(|each| Time::from_ticks(each.to_micro()));
        let memory = self.value(PbsKey::UsedMemory, bytes, reporter)?;
        entry.used_memory = memory.and_then(|bytes| share(Number::whole(size::kb(bytes)), processors));
        Ok(())
    }

    /// Returns the job's request; a part that cannot be read is reported and left out.
    fn wanted(&self, reporter: &mut Reporter<'_>) -> Result<ChunkTotals<'a>> {
        let mut chunks = None;
        for key in [PbsKey::Select, PbsKey::Nodes] {
            if chunks.is_none() {
                chunks = self.value(key, request, reporter)?;
            }
        }
        // `nodect` is a whole number or, at some sites, chunks.
        let spoken = self.value(PbsKey::NodeCount, request, reporter)?;
        let mut wanted = chunks.or(spoken).unwrap_or_default();
        // `ncpus` of Cobalt counts the processes of a job (`--proccount`), and its machines are counted in nodes.
        if chunks.is_none() && self.system == System::Pbs {
            let told = match self.value(PbsKey::Procs, count, reporter)? {
                Some(procs) => Some(procs),
                None => self.value(PbsKey::Cpus, count, reporter)?,
            };
            if let Some(procs) = told {
                (wanted.procs, wanted.per_node) = (procs, None);
            }
        }
        for key in [PbsKey::Gpus, PbsKey::Gpu] {
            if wanted.gpus.is_none() {
                wanted.gpus = self.value(key, count, reporter)?;
            }
        }
        wanted.memory = self.value(PbsKey::Memory, bytes, reporter)?.or(wanted.memory);
        if wanted.memory.is_none() {
            let each = self.value(PbsKey::ProcessMemory, bytes, reporter)?;
            wanted.memory = each.and_then(|each| each.checked_mul(wanted.procs.max(1)));
        }
        Ok(wanted)
    }

    /// Returns the job's allocation. Names without slots are hosts only if their number is the requested number of nodes: locations
    /// of Cobalt, such as `MIR-00000-33FF1-1-8192` and `200-455`, stand for many nodes.
    ///
    /// Source: `add_procs_and_nodes_used` in Torque's `src/server/accounting.c` counts the slots of `exec_host` itself.
    fn given(&self, wanted: &ChunkTotals<'_>, reporter: &mut Reporter<'_>) -> Result<Places> {
        if self.system == System::Cobalt {
            let nodes = self.value(PbsKey::UsedNodes, |text| count(last(text)), reporter)?;
            return Ok(Places { procs: nodes, gpus: None, nodes });
        }
        let text = self.fields.get(PbsKey::ExecHost);
        let is_bare = !text.contains(&b'/');
        let hosts = self
            .value(PbsKey::ExecHost, Slots::of_pbs, reporter)?
            .filter(|slots| !is_bare || wanted.nodes <= 0 || slots.hosts == wanted.nodes);
        let AllocatedResources { procs, gpus } =
            self.value(PbsKey::ExecVnode, exec_vnode, reporter)?.unwrap_or_default();
        let counted = self.value(PbsKey::Slots, count, reporter)?;
        let listed = procs.or(counted).or(hosts.map(|Slots { slots, .. }| slots));
        let procs = match listed.filter(|&procs| procs > 0) {
            Some(procs) => Some(procs),
            None => self.value(PbsKey::UsedCpus, count, reporter)?,
        };
        let nodes = match hosts {
            Some(hosts) => Some(hosts.hosts),
            None => self.value(PbsKey::Hosts, count, reporter)?.filter(|&hosts| hosts > 0),
        };
        Ok(Places { procs, gpus, nodes })
    }

    /// Reads a value and reports one that cannot be read.
    fn value<T>(
        &self,
        key: PbsKey,
        parse: impl Fn(&'a [u8]) -> Option<T>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<T>> {
        let part = (&self.line, self.fields.get(key));
        Ok(reporter.read(&kinds::BAD_VALUE, part, parse, |text| format!("{text} as {}", key.name()))?)
    }
}

struct Places {
    procs: Option<i64>,
    gpus: Option<i64>,
    nodes: Option<i64>,
}

fn ended_before_limit(entry: &AccountingEntry<'_>) -> bool {
    match (entry.start, entry.end, entry.requested_time) {
        (Some(start), Some(end), Some(Bound::Most(limit))) => end - start < limit,
        (Some(_), Some(_), Some(Bound::Unlimited)) => true,
        _ => false,
    }
}

/// Parses seconds since 1970, which Cobalt writes with decimals; 0 means never.
pub(super) fn epoch(text: &[u8]) -> Option<Time> {
    let seconds = match whole(text) {
        Some(seconds) => Time::from_secs(seconds),
        None => Time::from_ticks(number(text)?.to_micro()),
    };
    Some(seconds).filter(|&seconds| seconds >= Time::ZERO)
}

/// Parses `[[DD:]HH:]MM:SS` or seconds; of the times of several runs, the last.
fn length(text: &[u8]) -> Option<Time> {
    DurationDialect::Seconds.length(last(text))
}

/// Returns the last of several values between commas: Cobalt lists what each run of a job used.
///
/// Source: `accounting.end` in its `cqm.py`.
fn last(text: &[u8]) -> &[u8] {
    text.rsplit(|&byte| byte == b',').next().unwrap_or_default()
}
