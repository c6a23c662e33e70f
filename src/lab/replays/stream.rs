//! `batchlab replay --stream`: replays a log that is not held in memory.

mod cutter;

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use batchlab_parsers::{Input, LogSummary, Options, read, read_trace};
use batchlab_traces::expr::Vocabulary;
use batchlab_traces::workload::ReadingError;
use batchlab_traces::{Field, Findings, Machine, Provenance, Reading, Time, Trace, Workload};

use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::redact;
use crate::lab::options::{ReplayFacts, needing_whole_log, stated};
use crate::lab::settings::AllSettings;
use crate::metrics::family::slowdown;
use crate::metrics::{Catalogue, LongMeasurement, MeasureOptions, Metric, NotRecorded, Served};
use crate::outcome::{Fate, Outcome, Stop, TimeSpent};
use crate::replay::comparison::{ComparedPolicy, variants};
use crate::replay::conditions::ReplacedFields;
use crate::replay::engine::{Done, Scenario, Stream, replay_stream};
use crate::replay::notes::{counted, killed, left_out, turned_away};
use crate::replay::{Budget, Conditions, ResultRow, RowKind, Run, capability, replay_table, tell_rejected};
use crate::table::{Table, TimeUnit};
use cutter::Cutter;

/// Bytes at the beginning of a log in which its header is.
const HEAD: u64 = 1 << 18;

/// What came of a log that was replayed while it was read.
pub struct Streamed {
    /// A row for each policy, and one for the log's own schedule.
    pub table: Table,
    pub findings: Findings,
}

/// Replays a log under each policy, one after the other.
pub fn run(
    settings: &AllSettings,
    registry: &Registry,
    policies: &[ComparedPolicy],
) -> Result<Streamed, Failure> {
    refuse(settings, policies)?;
    let args = &settings.scenario;
    let options = args.source.options(registry)?;
    let log = registry.catalogue().locate(&args.trace)?;
    let mut opened = Some(Opened::open(&log)?);
    let head =
        opened.as_ref().map_or_else(|| Err(Failure::ClosedPipe), |opened| opened.head(&log, &options))?;
    let choice = args.choice()?;
    let header = &head.header;
    if choice.plain.procs.is_none() && header.max_procs.is_none() && header.max_nodes.is_none() {
        let what = "--stream needs the size of the machine: the header has no MaxProcs; give it with --procs";
        return Err(Failure::Usage(what.into()));
    }
    let reading = args.reading(&choice);
    let machine = Arc::new(choice.machine(&head, &reading, &mut Findings::lenient())?);
    let vocabulary = Vocabulary::jobs(&machine).named(&head.header).dated(head.calendar);
    let catalogue = Catalogue::of(registry.metrics(), &machine, &variants());
    let catalogue = settings.measure.defining(catalogue, &vocabulary)?;
    let metrics = settings.measure.metrics(&catalogue, false)?;
    let setup = Setup {
        settings,
        options: &options,
        head: &head,
        machine: &machine,
        reading: &reading,
        metrics: &metrics,
    };
    let (mut rows, mut beside) = (Vec::new(), None);
    for compared in policies {
        let opened = match opened.take() {
            Some(opened) => opened,
            None => Opened::open(&log)?,
        };
        let told = setup.row(compared, opened)?;
        rows.push(told.row);
        beside.get_or_insert((told.recorded, told.conditions, told.findings));
    }
    let Some((recorded, conditions, findings)) = beside else { return Err(Failure::ClosedPipe) };
    match recorded {
        Ok(row) => rows.push(row),
        Err(reason) => rows[0].notes.push(format!("no row for the log's own schedule: {reason}")),
    }
    let mut shown = metrics.clone();
    tell_rejected(&mut shown, &mut rows.iter_mut().collect::<Vec<_>>());
    let table = replay_table(&conditions, &shown, &rows, TimeUnit::Seconds);
    Ok(Streamed { table, findings })
}

/// Refuses options that need the whole log or the whole schedule.
fn refuse(settings: &AllSettings, policies: &[ComparedPolicy]) -> Result<(), Failure> {
    let (args, replay) = (&settings.scenario, &settings.replay);
    let needs_all = [
        ("--clairvoyant", replay.clairvoyant),
        ("--bounds", replay.bounds),
        ("--schedule", replay.schedule.is_some()),
        ("--out", replay.out.is_some()),
        ("--evalys", replay.evalys.is_some()),
        ("--format json", replay.format == "json"),
        ("--classes", settings.measure.has_classes()),
        (
            "--warmup, --cooldown and --prefix",
            settings.measure.options().trimming() != MeasureOptions::default().trimming(),
        ),
        ("--nodes and --machine", args.nodes.is_some() || args.machine.is_some()),
    ];
    let also = needing_whole_log(args);
    let all = needs_all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name.to_owned()).chain(also);
    if let Some(name) = all.into_iter().next() {
        return Err(Failure::Usage(format!("{name} needs the whole log at once: leave it or --stream out")));
    }
    if args.trace == "-" && policies.len() > 1 {
        let what =
            "--stream reads the log once for each policy, and standard input can be read once: give a file";
        return Err(Failure::Usage(what.into()));
    }
    let apart = policies.iter().find(|compared| compared.policy.needs().time_sharing);
    apart.map_or(Ok(()), |compared| {
        let label = compared.label();
        Err(Failure::Usage(format!("{label} shares time, and --stream replays policies that do not")))
    })
}

/// A log of which the beginning has been read.
struct Opened {
    head: Vec<u8>,
    rest: Box<dyn Read + Send>,
}

impl Opened {
    fn open(path: &str) -> Result<Opened, Failure> {
        let error = |error: io::Error| Failure::Input(format!("{path}: {error}"));
        let mut rest: Box<dyn Read + Send> = match path {
            "-" => Box::new(io::stdin()),
            _ => Box::new(std::fs::File::open(path).map_err(error)?),
        };
        let mut head = Vec::new();
        rest.by_ref().take(HEAD).read_to_end(&mut head).map_err(error)?;
        Ok(Opened { head, rest })
    }

    /// Reads the header, and the records at the beginning.
    fn head(&self, path: &str, options: &Options) -> Result<Trace, Failure> {
        let lenient = Options { strict: false, ..options.clone() };
        let head = read_trace(Input::from_bytes(path, self.head.clone()), &lenient)?;
        let format = &head.provenance.source.format;
        if format != "swf" {
            let what = format!(
                "{path} is a log of the format {format}; --stream reads swf: write it with batchlab convert first"
            );
            return Err(Failure::Usage(what));
        }
        Ok(head)
    }
}

struct Setup<'a> {
    settings: &'a AllSettings,
    options: &'a Options,
    head: &'a Trace,
    machine: &'a Arc<Machine>,
    reading: &'a Reading,
    metrics: &'a [Metric],
}

struct Told {
    row: ResultRow,
    recorded: Result<ResultRow, NotRecorded>,
    conditions: Conditions,
    findings: Findings,
}

impl Setup<'_> {
    fn measurement(&self) -> Result<LongMeasurement<'_>, Failure> {
        let options = self.settings.measure.options();
        let long = LongMeasurement::new(self.metrics, self.machine, options, tempfile::tempfile);
        long.map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Replays the log under a policy, while another thread reads it.
    fn row(&self, compared: &ComparedPolicy, opened: Opened) -> Result<Told, Failure> {
        let (full, sections) = sync_channel(2);
        let (path, source) = (self.settings.scenario.trace.as_str(), &self.settings.scenario.source);
        let (header, options) = (self.head.header.clone(), self.options);
        thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let input = Input::from_reader(path, Cursor::new(opened.head).chain(opened.rest));
                let mut cutter = Cutter::new(full, header, path);
                let log = read(source.watched(input), options, &mut cutter);
                (log, cutter.finish())
            });
            let mut flow = Flow {
                setup: self,
                compared,
                sections: Some(sections),
                findings: if options.strict { Findings::strict() } else { Findings::lenient() },
                measured: self.measurement()?,
                recorded: self.measurement()?,
                waits: VecDeque::new(),
                records: 0,
                jobs: 0,
                missing: 0,
                killed: 0,
                rejected: 0,
                replaced: ReplacedFields::default(),
                failure: None,
            };
            let replayed = flow.replay();
            // The reading thread ends, if it has not.
            flow.sections = None;
            let Ok((log, sorted)) = reader.join() else {
                return Err(Failure::Input(format!("{path}: the reading of the log has failed")));
            };
            let log = log?;
            sorted.map_err(|error| Failure::Input(error.to_string()))?;
            flow.told(replayed, log)
        })
    }
}

/// The jobs of a log on their way through a replay, and what is measured of them.
struct Flow<'a> {
    setup: &'a Setup<'a>,
    compared: &'a ComparedPolicy,
    sections: Option<Receiver<Trace>>,
    findings: Findings,
    measured: LongMeasurement<'a>,
    /// The log's own schedule, as long as no wait was missing.
    recorded: LongMeasurement<'a>,
    /// Submission and recorded wait of the jobs that have not come back.
    waits: VecDeque<(Time, Time)>,
    records: u64,
    jobs: usize,
    missing: usize,
    killed: usize,
    rejected: usize,
    replaced: ReplacedFields,
    failure: Option<Failure>,
}

impl Flow<'_> {
    /// Replays the log; `None` if it has no job.
    fn replay(&mut self) -> Option<Result<(Outcome, Conditions), Failure>> {
        let first = self.more()?;
        let scenario = self.scenario(first);
        Some(self.replay_from(&scenario))
    }

    fn replay_from(&mut self, scenario: &Scenario) -> Result<(Outcome, Conditions), Failure> {
        let Setup { settings, head, reading, machine, .. } = self.setup;
        let order = scenario.order.to_string();
        let options = settings.measure.options();
        let mut conditions = Conditions::new(head, &scenario.workload, machine, reading, order, options);
        conditions.further =
            stated(&ReplayFacts { scenario, reading, zone: settings.scenario.source.zone, prepared: None });
        let chosen = &self.compared.policy;
        let mut policy = chosen.build(&scenario.setting(reading.overrun))?;
        let spec = chosen.canonical();
        let outcome = replay_stream(scenario, &spec, chosen.needs(), policy.as_mut(), Run::default(), self)?;
        Ok((outcome, conditions))
    }

    fn scenario(&self, section: Workload) -> Scenario {
        let args = &self.setup.settings.scenario;
        Scenario {
            workload: Arc::new(section),
            machine: self.setup.machine.clone(),
            order: args.events,
            costs: args.cost,
            limits: None,
            priorities: None,
            capacity: None,
            slurm: None,
            stop: Stop::default(),
            budget: args.limits.limits().budget(&Budget::default()),
            seed: args.seed,
        }
    }

    /// Returns what came of the replay of a log that has been read.
    fn told(
        mut self,
        replayed: Option<Result<(Outcome, Conditions), Failure>>,
        log: LogSummary,
    ) -> Result<Told, Failure> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let no_jobs = || Err(ReadingError::NoJobs { rows: self.records as usize }.into());
        let (outcome, mut conditions) = replayed.unwrap_or_else(no_jobs)?;
        conditions.sha256 = log.source.sha256;
        (conditions.jobs, conditions.dropped) = (self.jobs as u64, self.records - self.jobs as u64);
        let label = self.compared.label();
        let mut notes: Vec<String> = Vec::new();
        notes.extend(left_out(self.measured.left_out(&slowdown::QUANTITY)));
        notes.extend(killed(&label, self.killed));
        notes.extend(turned_away(&label, self.rejected, self.jobs, &outcome.rejected));
        notes.extend(counted(&label, &outcome));
        let all_rejected = self.rejected;
        let row = |label: &str, kind, measured: LongMeasurement<'_>, notes| -> Result<ResultRow, Failure> {
            let rejected = vec![if kind == RowKind::Policy { all_rejected } else { 0 }];
            let values =
                measured.values().map_err(|error| Failure::Input(format!("a file for values: {error}")))?;
            Ok(ResultRow { label: label.into(), kind, values, classes: Vec::new(), rejected, notes })
        };
        let recorded = match (NotRecorded::unless_unscaled(self.setup.reading), self.missing) {
            (Err(scaled), _) => Err(scaled),
            (Ok(()), 0) => {
                let notes = left_out(self.recorded.left_out(&slowdown::QUANTITY)).into_iter().collect();
                Ok(row("log", RowKind::Recorded, self.recorded, notes)?)
            }
            (Ok(()), missing) => Err(NotRecorded::MissingWaits { missing, jobs: self.jobs }),
        };
        let mut findings = log.findings;
        findings.extend(self.findings);
        conditions.replaced = self.replaced.all(self.setup.reading, &findings);
        if let Some(names) = redact::names(&log.header) {
            names.findings(&mut findings);
        }
        Ok(Told { row: row(&label, RowKind::Policy, self.measured, notes)?, recorded, conditions, findings })
    }

    /// Returns the jobs of the next section that has any.
    fn read(&mut self) -> Result<Option<Workload>, Failure> {
        let Setup { machine, reading, .. } = self.setup;
        while let Some(section) = self.sections.as_ref().and_then(|sections| sections.recv().ok()) {
            self.records += section.len() as u64;
            let mut provenance = Provenance::default();
            let workload =
                match Workload::read(&section, machine, reading, &mut self.findings, &mut provenance) {
                    Err(ReadingError::NoJobs { .. }) => continue,
                    workload => workload?,
                };
            self.jobs += workload.len();
            self.replaced.add(&section, &workload, reading);
            for job in workload.jobs() {
                let wait = section.time(workload.row(job), Field::Wait);
                self.missing += usize::from(!(Time::ZERO..=Time::FARTHEST).contains(&wait));
                self.waits.push_back((workload.submitted(job), wait));
            }
            let scenario = self.scenario(workload);
            capability::check(&self.compared.policy, &scenario)?;
            return Ok(Arc::into_inner(scenario.workload));
        }
        Ok(None)
    }

    fn measure(&mut self, jobs: &Workload, done: &Done) -> io::Result<()> {
        let Done { job, start, end, fate, predicted } = *done;
        let (submit, run, procs) = (jobs.submit(job), jobs.run(job), jobs.procs(job));
        let service = Some(TimeSpent::default());
        let (submitted, wait) = self.waits.pop_front().unwrap_or((submit, Time::ZERO));
        if self.missing == 0 {
            let start = submitted + wait;
            let recorded =
                Served { job, submit, start, end: start + run, run, procs, predicted: None, service };
            self.recorded.add(&recorded, jobs.demand(job))?;
        }
        match fate {
            Fate::Rejected => {
                self.rejected += 1;
                return Ok(());
            }
            Fate::Killed => self.killed += 1,
            _ => {}
        }
        let run = if fate == Fate::Killed { end - start } else { run };
        let predicted = Some(predicted);
        self.measured
            .add(&Served { job, submit, start, end, run, procs, predicted, service }, jobs.demand(job))
    }

    fn keep(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
        self.sections = None;
    }
}

impl Stream for Flow<'_> {
    fn more(&mut self) -> Option<Workload> {
        self.read().unwrap_or_else(|failure| {
            self.keep(failure);
            None
        })
    }

    fn done(&mut self, jobs: &Workload, done: &Done) {
        if self.failure.is_none()
            && let Err(error) = self.measure(jobs, done)
        {
            self.keep(Failure::Input(format!("a file for values: {error}")));
        }
    }
}
