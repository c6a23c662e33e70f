//! Makes a scenario from the options that `replay`, experiments and the other verbs with a scenario share.

use std::sync::Arc;

use batchlab_parsers::outages::{self, OutageError};
use batchlab_slurm::site::{SiteChoice, SlurmSite, placed, running_limits};
use batchlab_traces::capacity::{CalendarFile, CapacityCalendar};
use batchlab_traces::foreign::line;
use batchlab_traces::layout::LayoutRule;
use batchlab_traces::limits::{LimitFile, LimitTable};
use batchlab_traces::machine::{Machine, MachineChoice, MachineFile};
use batchlab_traces::priorities::{PriorityFile, PriorityTable};
use batchlab_traces::reading::{Dependencies, NoLimit, Overrun};
use batchlab_traces::redact::Pseudonyms;
use batchlab_traces::shape::Target;
use batchlab_traces::trace::Suspensions;
use batchlab_traces::workload::{InteractiveRule, LAYOUT_UNTOLD};
use batchlab_traces::{Example, Field, Findings, JobId, Provenance, Reading, Time, Trace, Workload};

use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::shaping::StepsFile;
use crate::lab::logs::{redact, rules};
use crate::lab::scenario::foreign_machines;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::ScenarioSettings;
use crate::lab::texts::read_text;
use crate::outcome::Stop;
use crate::replay::calibration;
use crate::replay::conditions::ReplacedFields;
use crate::replay::engine::{Budget, Scenario};

impl ScenarioSettings {
    /// Reads the log and makes the scenario from it.
    ///
    /// The registry provides the formats of the log, and the policies and metrics for calibrating steps.
    pub fn prepare(&self, registry: &Registry) -> Result<Prepared, Failure> {
        let choice = self.choice()?;
        let trace = self.shaped(registry, &choice, || self.cleaned(registry))?;
        self.prepare_trace(trace, &choice)
    }

    /// Makes the scenario of a log that has been read; it is cleaned and shaped first, as asked.
    pub fn prepare_read(&self, registry: &Registry, trace: Trace) -> Result<Prepared, Failure> {
        let choice = self.choice()?;
        let trace = self.shaped(registry, &choice, || self.clean(trace))?;
        self.prepare_trace(trace, &choice)
    }

    /// Makes the scenario of a log that has been read, cleaned and shaped.
    pub fn prepare_trace(&self, trace: Trace, choice: &SiteChoice) -> Result<Prepared, Failure> {
        self.prepare_marked(self.marked(trace)?, choice)
    }

    /// Joins the runs of requeued jobs as asked, and marks the dependencies of users' sessions, if users react to the schedule.
    pub fn marked(&self, trace: Trace) -> Result<Trace, Failure> {
        let mut trace = self.requeues.join(trace)?;
        if let Some(sessions) = self.feedback {
            let marked = sessions.mark(&mut trace);
            let marked = marked.map_err(|why| Failure::Input(format!("--feedback {sessions}: {why}")))?;
            trace.provenance.step(
                "feedback",
                format!("jobs that follow another of their session: {sessions}"),
                marked,
            );
        }
        Ok(trace)
    }

    /// Makes the scenario of a log whose runs have been joined and whose sessions have been marked.
    pub fn prepare_marked(&self, mut trace: Trace, choice: &SiteChoice) -> Result<Prepared, Failure> {
        let mut findings = std::mem::take(&mut trace.findings);
        let mut provenance = trace.provenance.clone();
        let reading = self.reading_of(choice, &trace);
        let scenario = self.scenario(choice, &trace, &mut findings, &mut provenance);
        if let Some(names) = redact::names(&trace.header) {
            names.findings(&mut findings);
            names.provenance(&mut provenance);
            names.redact(&mut trace);
        }
        let scenario = scenario.map_err(|failure| self.explained(failure, &findings))?;
        let calendar = self.calendar.as_ref().map(|path| format!("{path} (foresight {})", self.foresight));
        let mut replaced = ReplacedFields::default();
        replaced.add(&trace, &scenario.workload, &reading);
        let mut prepared = Prepared {
            replaced,
            scenario,
            reading,
            trace,
            findings,
            provenance,
            settings: self.clone(),
            calendar,
            tells_classes_apart: false,
        };
        // A rule that the user gave is always stated.
        if self.interactive != InteractiveRule::default() {
            prepared.tell_classes_apart();
        }
        prepared.stop_by(&self.stop)?;
        Ok(prepared)
    }

    pub fn cleaned(&self, registry: &Registry) -> Result<Trace, Failure> {
        self.clean(self.source.read_named(registry, &self.trace, self.slurm.is_given())?)
    }

    pub fn clean(&self, trace: Trace) -> Result<Trace, Failure> {
        let Some(rules) = &self.rules else { return Ok(trace) };
        rules::cleaned(&trace, rules, Some(&self.source.observer).filter(|_| !self.source.quiet))
    }

    /// Returns the cleaned log after applying the steps, if there are any.
    pub fn shaped(
        &self,
        registry: &Registry,
        choice: &SiteChoice,
        cleaned: impl FnOnce() -> Result<Trace, Failure>,
    ) -> Result<Trace, Failure> {
        let Some(path) = &self.steps else { return cleaned() };
        let steps = StepsFile::read(path)?;
        steps.refuse_splits()?;
        self.shaped_by(&steps, registry, choice, cleaned()?, self.seed)
    }

    /// Applies steps that yield a single log to a cleaned log.
    pub fn shaped_by(
        &self,
        steps: &StepsFile,
        registry: &Registry,
        choice: &SiteChoice,
        trace: Trace,
        seed: u64,
    ) -> Result<Trace, Failure> {
        let measure = |trace: &Trace, target: &Target| {
            let scenario =
                self.scenario(choice, trace, &mut Findings::lenient(), &mut Provenance::default())?;
            calibration::measure(registry, &scenario, self.overrun, target).map_err(Failure::Input)
        };
        let shaped = steps.apply(registry, trace, seed, &self.source, &measure)?;
        let mut logs = shaped.logs.into_iter().map(|log| log.trace);
        logs.next().ok_or_else(|| Failure::Input(format!("{} leaves no log", steps.path)))
    }

    /// Reads a trace as the jobs of a replay.
    fn scenario(
        &self,
        choice: &SiteChoice,
        trace: &Trace,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<Scenario, Failure> {
        let reading = self.reading_of(choice, trace);
        let machine = choice.machine(trace, &reading, findings)?;
        let machine = if reading.layout == LayoutRule::Pool { machine.as_pool() } else { machine };
        let workload = Workload::read(trace, &machine, &reading, findings, provenance)?;
        if self.layout == Some(LayoutRule::Log) && !workload.has_own_layouts() {
            let (jobs, detail) =
                (workload.len() as u64, "the log has no column `nodes`, `ppn` or `task_procs`");
            findings.report_many(&LAYOUT_UNTOLD, jobs, || Example { place: None, detail: detail.into() })?;
        }
        let workload = match &choice.slurm {
            Some(slurm) => placed(&slurm.system, workload, trace, &machine, findings, provenance)?,
            None => workload,
        };
        let mut parts = Parts { settings: self, choice, trace, machine: &machine, findings, provenance };
        let (workload, limits) = parts.limits(workload)?;
        let (workload, capacity) = parts.capacity(workload)?;
        let (workload, priorities) = parts.priorities(workload)?;
        let workload = workload.with_interactive(&self.interactive, &machine);
        let workload = workload.map_err(|error| Failure::Usage(format!("--interactive:\n{error}")))?;
        let names = redact::names(&trace.header);
        let slurm = parts.slurm(&workload, names.as_ref())?;
        let limits = parts.all_limits(limits, slurm.as_ref(), &workload)?;
        let limits = limits.map(|table| match &names {
            Some(names) => names.limits(table),
            None => table,
        });
        let capacity = capacity.map(|calendar| match &names {
            Some(names) => names.calendar(calendar),
            None => calendar,
        });
        let mut slurm = slurm.map(Arc::new);
        if let Some(site) = &mut slurm {
            let runs = recorded_runs(trace, &workload);
            let computed = batchlab_slurm::twin::computed(site, (&workload, &machine), runs);
            if let Some((at, ended)) = computed {
                let site = Arc::make_mut(site);
                (site.computed, site.ended) = (Some(at), ended);
            }
        }
        Ok(Scenario {
            workload: Arc::new(workload),
            machine: Arc::new(machine),
            order: self.events,
            costs: self.cost,
            limits: limits.map(Arc::new),
            priorities: priorities.map(Arc::new),
            capacity: capacity.map(Arc::new),
            slurm,
            stop: Stop::default(),
            budget: self.limits.limits().budget(&Budget::default()),
            seed: self.seed,
        })
    }

    /// Returns a failure whose findings are told: they explain why no job is left.
    fn explained(&self, failure: Failure, findings: &Findings) -> Failure {
        match failure {
            Failure::Input(_) | Failure::NoJobs(_) if self.is_call => {
                let list: Vec<String> = findings.list().iter().map(ToString::to_string).collect();
                return failure.with(&format!("\n{}", list.join("\n")));
            }
            Failure::Input(_) | Failure::NoJobs(_) if !self.source.quiet => {
                self.source.observer.findings(&findings.list().iter().collect::<Vec<_>>());
            }
            _ => {}
        }
        failure
    }

    /// Returns the rules by which a log is read as jobs, with the limits of the installation's partitions.
    fn reading_of(&self, choice: &SiteChoice, trace: &Trace) -> Reading {
        let limits = choice.slurm.as_ref().map(|slurm| slurm.system.no_limit(&trace.header));
        Reading { no_limit: limits.unwrap_or_default(), ..self.reading(choice) }
    }

    pub fn reading(&self, choice: &SiteChoice) -> Reading {
        let tasks = self.task_procs.or_else(|| choice.plain.file.as_ref().and_then(MachineFile::task_procs));
        let plain = match &choice.slurm {
            None => LayoutRule::default(),
            Some(slurm) if slurm.system.select.whole_nodes => LayoutRule::WholeNode,
            // The installation lays its jobs out by what they asked for.
            Some(_) => LayoutRule::Tasks(1),
        };
        Reading {
            layout: self.layout.or(tasks.map(LayoutRule::Tasks)).unwrap_or(plain),
            size: self.size,
            estimate: self.estimate,
            no_limit: NoLimit::default(),
            // slurmctld looks for overdue jobs every 30 s, so that jobs outlive their limits, which stay what they were.
            overrun: match self.overrun {
                Overrun::Raise if choice.slurm.is_some() => Overrun::Overdue,
                overrun => overrun,
            },
            memory: self.memory,
            running: self.running,
            queue_from: self.queue_from,
            dependencies: if self.feedback.is_some() { Dependencies::Log } else { self.dependencies },
            cancel: self.cancel,
            statuses: self.status.clone(),
            drop_zero_run: self.drop_zero_run,
            load: self.load,
            scale_run: self.scale_run,
            seed: self.seed,
        }
    }

    pub fn choice(&self) -> Result<SiteChoice, Failure> {
        if self.nodes.is_none() && self.machine.is_none() && !self.slurm.is_given() {
            let given = [("--task-procs", self.task_procs.is_some()), ("--layout", self.layout.is_some())];
            if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
                return Err(Failure::Usage(format!(
                    "{option} is about nodes: give --nodes N or --machine FILE too; on a pool no task is apart"
                )));
            }
        }
        let (procs, nodes, capacities) = (self.procs, self.nodes, self.capacity.clone());
        let file = self.machine.as_deref().map(machine_file).transpose()?;
        let slurm = self.slurm.installation(self.source.strict)?;
        Ok(SiteChoice { plain: MachineChoice { procs, nodes, file, capacities }, slurm })
    }
}

/// What the parts of a scenario beside its jobs and its machine are made from.
struct Parts<'a> {
    settings: &'a ScenarioSettings,
    choice: &'a SiteChoice,
    trace: &'a Trace,
    machine: &'a Machine,
    findings: &'a mut Findings,
    provenance: &'a mut Provenance,
}

impl Parts<'_> {
    /// Returns the limits of `--limits`, and the jobs that are within them.
    fn limits(&mut self, workload: Workload) -> Result<(Workload, Option<LimitTable>), Failure> {
        let Some(path) = &self.settings.usage_limits else { return Ok((workload, None)) };
        let file = LimitFile::parse(&read_text(path)?, path)?;
        let (workload, table) =
            file.apply(workload, self.trace, self.machine, self.findings, self.provenance)?;
        Ok((workload, Some(table)))
    }

    /// Returns the changes of capacity of `--calendar` and of the installation, and the jobs that can still run.
    fn capacity(&mut self, workload: Workload) -> Result<(Workload, Option<CapacityCalendar>), Failure> {
        let given = &self.settings.calendar;
        let given = given.as_ref().map(|path| calendar(path, self.findings)).transpose()?;
        let system = self.choice.slurm.as_ref().map(|slurm| &slurm.system);
        let own = system.and_then(|system| system.calendar(self.trace));
        let own = own.map(|text| CalendarFile::parse(&text, "reservations of --slurm")).transpose()?;
        let logs = system.into_iter().flat_map(|system| &system.outages).cloned().map(CalendarFile::of_log);
        let Some(file) = given.into_iter().chain(own).chain(logs).reduce(CalendarFile::and) else {
            return Ok((workload, None));
        };
        let foresight = self.settings.foresight;
        let (workload, calendar) =
            file.apply(workload, self.trace, self.machine, foresight, self.findings, self.provenance)?;
        Ok((workload, Some(calendar).filter(|calendar| !calendar.closures.is_empty())))
    }

    /// Returns the tiers of `--priorities`, and the jobs with what they are in them.
    fn priorities(&mut self, workload: Workload) -> Result<(Workload, Option<PriorityTable>), Failure> {
        let Some(path) = &self.settings.priorities else { return Ok((workload, None)) };
        let file = PriorityFile::parse(&read_text(path)?, path)?;
        let (workload, table) =
            file.apply(workload, self.machine, self.trace, self.findings, self.provenance)?;
        Ok((workload, Some(table)))
    }

    /// Returns the installation with the jobs' own names and numbers in it; redacted as the log is.
    fn slurm(
        &mut self,
        workload: &Workload,
        names: Option<&Pseudonyms>,
    ) -> Result<Option<SlurmSite>, Failure> {
        let Some(installation) = &self.choice.slurm else { return Ok(None) };
        let mut site = SlurmSite::resolve(installation.system.clone(), workload, self.trace, self.findings)?;
        if let Some(names) = names {
            site.redact(names);
        }
        Ok(Some(site))
    }

    fn all_limits(
        &mut self,
        given: Option<LimitTable>,
        slurm: Option<&SlurmSite>,
        workload: &Workload,
    ) -> Result<Option<LimitTable>, Failure> {
        let Some(site) = slurm else { return Ok(given) };
        let own = running_limits(site, workload, self.machine, self.findings)?.limits;
        let limits: Vec<_> = given.into_iter().flat_map(|table| table.limits).chain(own).collect();
        Ok((!limits.is_empty()).then_some(LimitTable { limits }))
    }
}

fn calendar(path: &str, findings: &mut Findings) -> Result<CalendarFile, Failure> {
    let text = read_text(path)?;
    match outages::detect(&text) {
        None => Ok(CalendarFile::parse(&text, path)?),
        Some(format) => {
            let log = outages::read(format, &text, path, findings);
            let log = log.map_err(|error| match error {
                OutageError::Unusable { .. } => Failure::Usage(error.to_string()),
                OutageError::Refused(refusal) => refusal.into(),
            })?;
            Ok(CalendarFile::of_log(log))
        }
    }
}

fn machine_file(path: &str) -> Result<MachineFile, Failure> {
    let text = read_text(path)?;
    match foreign_machines::machine_file(&text) {
        None => Ok(MachineFile::parse(&text, path)?),
        Some(Ok(own)) => {
            let mut file = MachineFile::parse(&own, path)?;
            file.left_out = foreign_machines::left_out(&text);
            Ok(file)
        }
        Some(Err(why)) => Err(Failure::Input(format!("{path}: {}", line(&why, 200)))),
    }
}

fn recorded_runs(trace: &Trace, workload: &Workload) -> impl Iterator<Item = (Time, Time, JobId)> {
    let suspensions = Suspensions::of(trace);
    workload.jobs().filter(move |&job| workload.patience(job).is_none()).filter_map(move |job| {
        let row = workload.row(job);
        let wait = trace.time(row, Field::Wait);
        let start = workload.submitted(job).saturating_add(wait);
        let stay = workload.run(job).saturating_add(suspensions.get(row).total);
        (wait >= Time::ZERO).then(|| (start, start.saturating_add(stay), job))
    })
}
