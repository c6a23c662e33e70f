use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::{Example, Refusal, SourcePlace, Time};

use super::align::CellSpan;
use super::layout::SacctColumns;
use crate::reporter::{Reporter, quoted};
use crate::slurm::columns::Role;
use crate::slurm::gres::{GresAsked, Per};
use crate::slurm::job::{Job, Usage};
use crate::slurm::jobid::{SlurmJobId, job_id};
use crate::slurm::state::State;
use crate::slurm::tres::{Tres, used_memory};
use crate::slurm::values::{self, SlurmTimeLimit, Value};

#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) layout: &'a SacctColumns,
    pub(super) row: &'a [u8],
    pub(super) spans: &'a [CellSpan],
    /// Line in the file, from 1.
    pub(super) line: u32,
    pub(super) single: bool,
}

impl<'a> Cells<'a> {
    /// Returns the text of a column; empty if the log does not have it.
    #[inline]
    pub(super) fn get(&self, role: Role) -> &'a [u8] {
        self.layout.place(role).map_or(b"", |at| self.at(at))
    }

    #[inline]
    pub(super) fn at(&self, place: usize) -> &'a [u8] {
        let span = self.spans.get(place).copied().unwrap_or_default();
        self.row.get(span.0 as usize..span.1 as usize).unwrap_or_default()
    }

    pub(super) fn id(&self) -> Option<SlurmJobId<'a>> {
        let role = if self.layout.place(Role::JobId).is_some() { Role::JobId } else { Role::JobIdRaw };
        job_id(self.get(role))
    }

    /// Adds the resources that a step used.
    pub(super) fn used(&self, usage: &mut Usage, reporter: &mut Reporter<'_>) -> Result<(), Refusal> {
        let total = used_memory(self.get(Role::UsageInTot));
        let most = self.value(Role::MaxRss, values::bytes, reporter)?;
        let tasks = self.value(Role::Ntasks, values::count, reporter)?;
        usage.step(total, most, tasks, self.cpu(reporter)?);
        Ok(())
    }

    pub(super) fn job(
        &self,
        id: &SlurmJobId<'a>,
        steps: &Usage,
        reporter: &mut Reporter<'_>,
    ) -> Result<Job<'a>, Refusal> {
        let raw = job_id(self.get(Role::JobIdRaw)).filter(|raw| raw.own).map(|raw| raw.number);
        let mut own = Usage::default();
        self.used(&mut own, reporter)?;
        // With -X, sacct does not sum up the time of the steps: it is zero.
        let cpu = own.cpu.filter(|&cpu| cpu > Time::ZERO).or(steps.cpu).or(own.cpu);
        let asked = self.tres(Role::ReqTres, reporter)?;
        let allocated = self.either([Role::AllocCpus, Role::Ncpus], values::count, reporter)?;
        // The allocation is used only if the request is not given.
        let further = self.get(Role::AllocTres).contains(&b'/');
        let needed = further || !asked.told || asked.memory.is_none() || allocated.is_none();
        let got = if needed { self.tres(Role::AllocTres, reporter)? } else { Tres::default() };
        let elapsed = self.either([Role::ElapsedRaw, Role::Elapsed], values::length, reporter)?;
        let nodes = self.nodes(&asked, reporter)?;
        let [submit, eligible, start, end] = self.instants(reporter)?;
        let state = self.get(Role::State);
        Ok(Job {
            line: self.line,
            number: raw.or(Some(id.number).filter(|_| id.own)),
            member: id.member,
            tasks: id.tasks,
            task_list: id.list,
            at_most: id.at_most,
            user: self.first([Role::User, Role::Uid]),
            account: self.first([Role::Account, Role::Group]),
            name: self.get(Role::JobName),
            partition: self.get(Role::Partition),
            qos: self.get(Role::Qos),
            priority: self.value(Role::Priority, values::count, reporter)?,
            constraint: self.get(Role::Constraints),
            alone: is_alone(self.get(Role::Exclusive), self.get(Role::OverSubscribe)),
            flags: self.get(Role::Flags),
            reservation: self.get(Role::Reservation),
            hosts: self.get(Role::NodeList),
            // The reason of a waiting job is left out: it may be older than the log.
            cluster: self.get(Role::Cluster),
            submit,
            eligible,
            never_eligible: eligible.is_none() && values::is_never(self.get(Role::Eligible)),
            start,
            end,
            elapsed,
            suspended: self.value(Role::Suspended, values::length, reporter)?,
            planned: self.value(Role::Planned, values::length, reporter)?,
            limit: self.limit(reporter)?,
            state: (state, State::of(state)),
            placed: self.placed(),
            requested: self.value(Role::ReqCpus, values::count, reporter)?,
            allocated,
            nodes,
            cpu,
            used: steps.memory.max(own.memory),
            memory: self.value(Role::ReqMem, values::memory, reporter)?.unwrap_or_default(),
            gres: self.old_gres(),
            asked,
            got,
            command: self.get(Role::SubmitLine),
            ..Job::default()
        })
    }

    fn instants(&self, reporter: &mut Reporter<'_>) -> Result<[Option<Stamp>; 4], Refusal> {
        let mut instants = [None; 4];
        let roles = [Role::Submit, Role::Eligible, Role::Start, Role::End];
        for (instant, role) in instants.iter_mut().zip(roles) {
            *instant = self.value(role, values::counted, reporter)?;
        }
        Ok(values::known_instants(instants))
    }

    /// Returns a value; a text that cannot be read is counted and gives `None`.
    #[inline]
    fn value<T>(
        &self,
        role: Role,
        parse: impl Fn(&[u8]) -> Value<T>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<T>, Refusal> {
        let text = self.get(role);
        if text.is_empty() {
            return Ok(None);
        }
        match parse(text) {
            Ok(value) => Ok(value),
            Err(values::Odd) => self.odd(role, text, reporter).map(|()| None),
        }
    }

    /// Returns the value of the first column, else of the second one.
    fn either<T>(
        &self,
        [first, second]: [Role; 2],
        parse: impl Fn(&[u8]) -> Value<T>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<T>, Refusal> {
        match self.value(first, &parse, reporter)? {
            Some(value) => Ok(Some(value)),
            None => self.value(second, &parse, reporter),
        }
    }

    #[cold]
    fn odd(&self, role: Role, part: &[u8], reporter: &mut Reporter<'_>) -> Result<(), Refusal> {
        reporter.findings.report(values::odd(part), || {
            let at = self.layout.place(role).unwrap_or_default();
            let begins = self.spans.get(at).map_or(0, |span| span.0);
            let column = if self.single { begins + 1 } else { 0 };
            let place = SourcePlace { file: reporter.file.clone(), line: self.line, column };
            let name = self.layout.names.get(at).map_or("", String::as_str);
            Example { place: Some(place), detail: format!("{name} {}", quoted(part)) }
        })
    }

    fn first(&self, roles: [Role; 2]) -> &'a [u8] {
        roles.into_iter().map(|role| self.get(role)).find(|text| !text.is_empty()).unwrap_or_default()
    }

    fn cpu(&self, reporter: &mut Reporter<'_>) -> Result<Option<Time>, Refusal> {
        if self.layout.place(Role::TotalCpu).is_some() {
            return self.value(Role::TotalCpu, values::length, reporter);
        }
        let user = self.value(Role::UserCpu, values::length, reporter)?;
        let system = self.value(Role::SystemCpu, values::length, reporter)?;
        Ok(user.map(|user| user.saturating_add(system.unwrap_or(Time::ZERO))))
    }

    fn limit(&self, reporter: &mut Reporter<'_>) -> Result<SlurmTimeLimit, Refusal> {
        let raw = self.value(Role::TimelimitRaw, values::limit, reporter)?;
        let limit = if raw.is_some() { raw } else { self.value(Role::Timelimit, values::limit, reporter)? };
        // Some versions write a limit of zero for no limit.
        Ok(limit.filter(|&limit| limit != SlurmTimeLimit::Of(Time::ZERO)).unwrap_or_default())
    }

    fn tres(&self, role: Role, reporter: &mut Reporter<'_>) -> Result<Tres<'a>, Refusal> {
        let mut odd = Vec::new();
        let tres = Tres::of(self.get(role), |part| odd.push(part));
        for part in odd {
            self.odd(role, part, reporter)?;
        }
        Ok(tres)
    }

    fn nodes(&self, asked: &Tres<'_>, reporter: &mut Reporter<'_>) -> Result<Option<i64>, Refusal> {
        for role in [Role::Nnodes, Role::AllocNodes, Role::ReqNodes] {
            let nodes = self.value(role, values::count, reporter)?;
            if nodes.is_some_and(|nodes| nodes > 0) {
                return Ok(nodes);
            }
        }
        Ok(asked.nodes)
    }

    /// Whether the job got nodes, if the row shows it.
    fn placed(&self) -> Option<bool> {
        if self.layout.place(Role::NodeList).is_some() {
            return Some(!matches!(self.get(Role::NodeList), b"" | b"None assigned" | b"(null)"));
        }
        if self.layout.place(Role::AllocNodes).is_some() {
            return Some(self.get(Role::AllocNodes) != b"0");
        }
        let both = self.layout.place(Role::AllocTres).is_some() && !self.get(Role::ReqTres).is_empty();
        both.then(|| !self.get(Role::AllocTres).is_empty())
    }

    /// Returns the resources of the columns that preceded `ReqTRES`. Both columns have the amount of the whole job: slurmctld multiplies
    /// the amount of a node by the nodes when the job starts (2.6 to 20.02: `_fill_in_gres_fields` in `node_scheduler.c`).
    fn old_gres(&self) -> GresAsked<'a> {
        GresAsked::of([Role::AllocGres, Role::ReqGres].map(|role| (Per::Job, self.get(role))))
    }
}

/// Whether a job has its nodes to itself by the columns `Exclusive` and `OverSubscribe` (from version 26.05), where Slurm's word is
/// `NO`. Nodes that jobs of the same user share are not a job's own.
fn is_alone(exclusive: &[u8], shared: &[u8]) -> bool {
    let is =
        |text: &[u8], words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
    is(exclusive, &["yes", "true", "1", "exclusive", "node"]) || is(shared, &["no", "exclusive"])
}
