//! `batchlab when`: foretells when waiting jobs start.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_parsers::slurm::nodes::{NodesError, unavailable_nodes};
use batchlab_policies::registry::Chosen;
use batchlab_policies::support::predictor::PREDICTOR;
use batchlab_traces::capacity::clock;
use batchlab_traces::foreign;
use batchlab_traces::number::{counted, grouped};
use batchlab_traces::reading::{Dependencies, Running, parse_duration};
use batchlab_traces::slurm::REASON;
use batchlab_traces::trace::ARRAY_LIMIT;
use batchlab_traces::workload::Standing;
use batchlab_traces::{Example, Field, JobId, Kind, Level, Time, Trace};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Failure;
use super::diff::read_text;
use super::explain::JobName;
use super::form::{print, print_json};
use super::plugins::PluginArgs;
use super::prepare::{Prepared, ScenarioArgs, threads};
use super::progress::Progress;
use super::results::TableForm;
use crate::Registry;
use crate::replay::Conditions;
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::{self, Run, Scenario};
use crate::schedule::explain::explain;
use crate::when::{Forecast, Foretold, Margins, Past, Recorded, Row, evaluation_table, when_table};

/// Foretell when the jobs that wait at an instant start
///
/// Goes on from the jobs that run and wait: at an instant of a log (--at), or when the log was written, if it has jobs that
/// had not ended then: `squeue --json`, `scontrol show job` or `sacct -a` of a batch system in use. It replays what is there many
/// times, each time with run times drawn from those of similar jobs that ended before: of the same user with the same
/// request, of the same user, or of all. The median of a job's starts is its foretold start. The interval holds the start of
/// 90 % of such jobs: how much wider than the draws say it must be, to make up for jobs that are still to come and for a
/// policy that is not quite the one of the machine, is measured at past instants of the log.
#[derive(Args)]
#[command(after_help = "\
Example: batchlab when squeue.json --history sacct.txt --sinfo sinfo.txt --slurm slurm.conf
         batchlab when KTH-SP2.swf.gz --policy easy --state replay --evaluate 50")]
pub struct When {
    #[command(flatten)]
    scenario: ScenarioArgs,
    #[command(flatten)]
    plugins: PluginArgs,
    /// Accounting of the past beside a queue (squeue, scontrol show job): sacct -a -P -D, sacct --json or a job completion log,
    /// from which run times are drawn and intervals are calibrated. May be given several times
    #[arg(long, value_name = "FILE")]
    history: Vec<String>,
    /// The states of the nodes now, as sinfo or scontrol show node print them: nodes that are down, drained or draining
    /// take no jobs. They are found by name: give --slurm, or a machine file with names
    #[arg(long, value_name = "FILE")]
    sinfo: Option<String>,
    /// The policy, as name:key=value,key=value; see `batchlab list policies` [default: easy, with --slurm slurm]
    #[arg(long, value_name = "SPEC")]
    policy: Option<String>,
    /// The instant: time since the log's zero, such as 1728000 or 20d, or a date on the site's clock, such as
    /// "2026-12-01 08:00" [default: when the log was written]
    #[arg(long, value_name = "INSTANT", conflicts_with = "evaluate")]
    at: Option<String>,
    /// What runs and waits at an instant, and what is known of the past: what the log recorded, or what a replay of the
    /// log under the policy says
    #[arg(long, default_value = "log", value_name = "log|replay")]
    state: State,
    /// Predict one run time for each job instead of drawing many: none (the request), last2, user-mean, quantile:Q, expr(...)
    /// or a plug-in, as the parameter `predictor` of policies; see `batchlab list policies easy`
    #[arg(long, value_name = "PREDICTOR", conflicts_with = "draws")]
    predictor: Option<String>,
    /// Number of replays with drawn run times
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    draws: u32,
    /// Share of starts that intervals are to hold
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = level)]
    level: f64,
    /// Number of past instants from which the margins of intervals are measured; 0: intervals are of run times alone
    #[arg(long, value_name = "N", default_value_t = 40)]
    calibrate: usize,
    /// Judge foretold starts at N instants of the second half of the log instead, each calibrated at the instants before it
    #[arg(long, value_name = "N", value_parser = super::prepare::at_least_one::<usize>)]
    evaluate: Option<usize>,
    /// Show these jobs only, by their numbers or as id:ID; may be given several times
    #[arg(long, value_name = "JOB", conflicts_with_all = ["evaluate", "explain"])]
    job: Vec<JobName>,
    /// Explain the foretold start of one job, by its number or as id:ID: the replay in which all jobs run as long as requested
    #[arg(long, value_name = "JOB", conflicts_with = "evaluate")]
    explain: Option<JobName>,
    /// Form of the table: table, markdown, latex, html, csv or json
    #[arg(long, default_value = "table", value_name = "FORM", help_heading = "Output")]
    format: String,
    /// Replays that run at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Output")]
    threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum State {
    /// What the log recorded
    Log,
    /// A replay of the log under the policy
    Replay,
}

/// Jobs whose start nobody recorded.
static NO_WAIT: Kind = Kind {
    code: "when-no-wait",
    level: Level::Warning,
    what: "{job|jobs} that ended and whose start the log does not tell",
    done: "left out: {it runs|they run} and {waits|wait} at no instant",
    advice: "--state replay takes the starts of a replay under the policy",
};

/// Jobs that are held.
static HELD: Kind = Kind {
    code: "when-held",
    level: Level::Note,
    what: "{job that is|jobs that are} held",
    done: "not foretold: {it starts|they start} only after {its|their} release",
    advice: "scontrol release JOB ends a user's hold",
};

/// Jobs that become eligible at an unknown time.
static NOT_ELIGIBLE: Kind = Kind {
    code: "when-not-eligible",
    level: Level::Note,
    what: "{job that waits|jobs that wait} for what cannot be foretold: a dependency that is never satisfied, a job that is not of \
           the queue or is not foretold itself, a partition that is down, a begin time or a throttle that the queue does not tell",
    done: "not foretold, and {it takes|they take} no room from the others",
    advice: "squeue -a --json and scontrol show job tell begin times, dependencies and throttles",
};

/// A node of another machine.
static UNKNOWN_NODE: Kind = Kind {
    code: "when-unknown-node",
    level: Level::Warning,
    what: "{node|nodes} in the file of --sinfo that the machine does not have",
    done: "left out",
    advice: "give the machine of this queue: --slurm slurm.conf, or --machine with names",
};

/// The beginnings of Slurm's words for jobs that are held.
const HELD_REASONS: [&str; 6] = [
    "JobHeld",
    "JobHoldMaxRequeue",
    "job_requeued_in_held",
    "launch_failed_requeued_held",
    "user_hold",
    "BadConstraints",
];

/// The beginning of Slurm's word for jobs whose dependencies cannot be met any more.
const NEVER_REASON: &str = "DependencyNeverSatisfied";

/// The beginning of Slurm's words for jobs that wait for others.
const DEPENDENCY_REASON: &str = "Dependency";

/// The beginning of Slurm's words for jobs that wait for their begin time.
const BEGIN_REASON: &str = "BeginTime";

/// The beginning of Slurm's words for tasks that the throttle of their array holds.
const THROTTLE_REASON: &str = "JobArrayTaskLimit";

/// The beginnings of Slurm's words for jobs that are not eligible, and nothing tells when they will be.
const NOT_ELIGIBLE_REASONS: [&str; 5] =
    ["PartitionDown", "PartitionInactive", "DeadLine", "Cleaning", "FedJobLock"];

/// No run times to draw from.
static NO_HISTORY: Kind = Kind {
    code: "when-no-history",
    level: Level::Warning,
    what: "{job|jobs} to foretell without any job that has ended before",
    done: "all jobs run as long as requested, so that intervals are points",
    advice: "give a log with the jobs of the weeks before: sacct -a -S 2026-11-01",
};

/// No past instants to calibrate by.
static NOT_CALIBRATED: Kind = Kind {
    code: "when-not-calibrated",
    level: Level::Warning,
    what: "{job|jobs} to foretell without past instants at which others waited",
    done: "intervals tell of run times alone: they hold fewer starts than they should",
    advice: "give a log with the jobs of the weeks before, or --calibrate 0 to accept it",
};

/// Too few past instants.
static FEW_INSTANTS: Kind = Kind {
    code: "when-few-instants",
    level: Level::Note,
    what: "{job|jobs} to foretell with few past instants at which others waited",
    done: "each end of an interval is as far out as at the worst of these instants, which may hold fewer starts than it should",
    advice: "give a log with the jobs of the weeks before, or a lower --level",
};

impl When {
    pub fn run(mut self, registry: &Registry) -> Result<(), Failure> {
        let form = TableForm::of(&self.format)?;
        if self.scenario.running == Running::Drop {
            self.scenario.running = Running::All;
        }
        let default = if self.scenario.slurm.is_given() { "slurm" } else { "easy" };
        let typed = self.plugins.typed(registry)?;
        let chosen = typed.choose(self.policy.as_deref().unwrap_or(default))?;
        let predictor = self.predictor.as_ref().map(|value| typed.choose_predictor(value)).transpose()?;
        let files = self.plugins.of_files(registry)?;
        let ScenarioArgs { trace, source, strict, slurm, .. } = &self.scenario;
        let logs = (trace.as_str(), &*self.history);
        let trace = source.read_queue(&files, logs, slurm.is_given(), *strict)?;
        let unfinished = trace.unfinished();
        if (0..trace.len()).any(|row| unfinished.get(row).is_some()) {
            // Which jobs of a queue wait for others, and which tasks for their array, is known.
            self.scenario.dependencies = Dependencies::Log;
        }
        let mut prepared = self.scenario.prepare_read(&files, trace)?;
        prepared.suit([&chosen].into_iter().chain(&predictor))?;
        if let Some(threads) = self.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|error| Failure::Usage(format!("--threads {threads}: {error}")))?;
            return pool.install(|| self.answer(prepared, (&chosen, predictor.as_ref()), form));
        }
        self.answer(prepared, (&chosen, predictor.as_ref()), form)
    }

    fn answer(
        &self,
        mut prepared: Prepared,
        (chosen, predictor): (&Chosen, Option<&Chosen>),
        form: TableForm,
    ) -> Result<(), Failure> {
        let (scenario, recorded) = self.past(&mut prepared, chosen)?;
        let overrun = prepared.reading.overrun;
        // Predictions do not differ from draw to draw.
        let draws = if predictor.is_some() { 1 } else { self.draws };
        let forecast = Forecast { scenario: &scenario, overrun, policy: chosen, predictor, draws };
        let past = Past { forecast, schedule: &recorded.schedule };
        match self.evaluate {
            Some(instants) => self.judge(&prepared, &past, instants, form),
            None => self.foretell(prepared, &past, recorded.written, form),
        }
    }

    /// Returns the scenario and what is known of its past: what the log recorded, or what a replay says.
    fn past(&self, prepared: &mut Prepared, chosen: &Chosen) -> Result<(Scenario, Recorded), Failure> {
        let scenario = prepared.scenario.clone();
        let recorded = Recorded::of(&prepared.trace, &scenario.workload);
        if self.state == State::Replay {
            let progress = Progress::of_jobs(&chosen.canonical(), scenario.workload.len());
            let tell = |done: usize| progress.tell(done as u64);
            let mut policy = chosen.build(&scenario.setting(prepared.reading.overrun))?;
            let run = Run { progress: Some(&tell), ..Run::default() };
            let (schedule, _) =
                engine::replay(&scenario, &chosen.canonical(), chosen.needs(), policy.as_mut(), run)?;
            let scenario =
                Scenario { workload: schedule.workload(&scenario.workload).clone().into(), ..scenario };
            return Ok((scenario, Recorded { schedule, unknown: Vec::new(), ..recorded }));
        }
        let workload = &scenario.workload;
        if recorded.unknown.len() == workload.len() {
            let what =
                "the log records no waits: --state replay takes the starts of a replay under the policy";
            return Err(Failure::Input(what.into()));
        }
        let detail = || format!("the first is job {}", workload.number(recorded.unknown[0]));
        prepared.findings.report_many(&NO_WAIT, recorded.unknown.len() as u64, || Example {
            place: None,
            detail: detail(),
        })?;
        Ok((scenario, recorded))
    }

    fn foretell(
        &self,
        mut prepared: Prepared,
        past: &Past<'_>,
        written: Option<Time>,
        form: TableForm,
    ) -> Result<(), Failure> {
        let now = self.instant(&prepared, written)?;
        let (mut standing, mut known) = (past.standing(now), past.known(now)?);
        let barred = barred(&mut prepared, past.forecast.scenario, &mut standing)?;
        if let Some(&named) = self.job.iter().chain(&self.explain).find(|named| {
            let job = named.find(&prepared.trace, &past.forecast.scenario.workload);
            job.is_ok_and(|job| job.is_some_and(|job| barred.contains_key(&job)))
        }) {
            let workload = &past.forecast.scenario.workload;
            let job = named.find(&prepared.trace, workload)?;
            let reason = job.and_then(|job| barred.get(&job)).map_or("", String::as_str);
            return Err(Failure::Input(format!(
                "job {named} is not foretold: it waits for {}",
                foreign::line(reason, 60)
            )));
        }
        // The calibration is about a past in which these nodes were in service.
        let scenario = self.without_unavailable(&mut prepared, past.forecast.scenario, now)?;
        let scenario = past.with_usage(scenario, now);
        let present = Past { forecast: Forecast { scenario: &scenario, ..past.forecast }, ..*past };
        let quiet = self.scenario.source.quiet;
        if let Some(job) = self.explain {
            prepared.tell(quiet);
            return explain_one(&prepared, &present, &standing, job);
        }
        let waiting = standing.queued().count() as u64;
        let margins = if waiting > 0 { self.margins(past, &standing)? } else { Margins::default() };
        let at = words(&prepared, now);
        let detail = || Example { place: None, detail: format!("at {at}") };
        if known.is_empty() {
            prepared.findings.report_many(&NO_HISTORY, waiting, detail)?;
        } else if self.calibrate > 0 && margins.jobs == 0 {
            prepared.findings.report_many(&NOT_CALIBRATED, waiting, detail)?;
        } else if self.calibrate > 0 && margins.instants < Margins::enough(self.level) {
            prepared.findings.report_many(&FEW_INSTANTS, waiting, || Example {
                place: None,
                detail: format!("at {at}: {}", counted(margins.instants as u64, "past instant")),
            })?;
        }
        prepared.tell(quiet);
        let foretold = present.forecast.foretell(&standing, &mut known)?;
        let shown = self.shown(&prepared, past, &standing)?;
        let shown = foretold.iter().filter(|foretold| shown.is_empty() || shown.contains(&foretold.job));
        let rows: Vec<Row> =
            shown.map(|foretold| self.row(&prepared, past, (now, foretold), &margins)).collect();
        if form.is_json() {
            let answer = Answer {
                policy: past.forecast.policy.canonical(),
                at: now.secs(),
                clock: clock_words(&prepared, now),
                running: standing.running.len(),
                waiting: standing.queued().count(),
                predictor: predictor(&past.forecast),
                draws: past.forecast.draws,
                level: self.level,
                calibrated_at: margins.instants,
                jobs: &rows,
            };
            return print_json(&answer);
        }
        form.print_table(&when_table(
            &conditions(&prepared),
            &past.forecast.policy.canonical(),
            (&at, standing.running.len(), standing.queued().count()),
            &rows,
            (&run_times(&past.forecast), self.level, &margins),
        ))
    }

    /// Returns a scenario in which the nodes that `--sinfo` says take no jobs are out of service from an instant on.
    fn without_unavailable(
        &self,
        prepared: &mut Prepared,
        scenario: &Scenario,
        now: Time,
    ) -> Result<Scenario, Failure> {
        let Some(path) = &self.sinfo else { return Ok(scenario.clone()) };
        let machine = &scenario.machine;
        if !machine.has_features() {
            let what =
                "--sinfo is about nodes by name: give --slurm slurm.conf, or --machine FILE with names";
            return Err(Failure::Usage(what.into()));
        }
        let findings = &mut prepared.findings;
        let listed = unavailable_nodes(&read_text(path)?, path, findings).map_err(|error| match error {
            NodesError::Located(error) => Failure::Input(error.to_string()),
            NodesError::Refused(refusal) => refusal.into(),
        })?;
        let index: BTreeMap<&str, usize> = (0..machine.nodes())
            .flat_map(|node| machine.features(node).iter().map(move |name| (name.as_str(), node)))
            .collect();
        let mut nodes = Vec::new();
        for node in listed {
            match index.get(node.name.as_str()) {
                Some(&at) => nodes.push((at, node.place)),
                None => findings.report(&UNKNOWN_NODE, || Example {
                    place: Some(node.place),
                    detail: foreign::line(&node.name, 60),
                })?,
            }
        }
        if nodes.is_empty() {
            return Ok(scenario.clone());
        }
        let mut calendar = scenario.capacity.as_deref().cloned().unwrap_or_default();
        calendar.take_out(machine, &nodes, now);
        let words = format!("{path} ({} out of service)", counted(nodes.len() as u64, "node"));
        prepared.calendar = Some(match prepared.calendar.take() {
            Some(other) => format!("{other}, {words}"),
            None => words,
        });
        Ok(Scenario { capacity: Some(calendar.into()), ..scenario.clone() })
    }

    /// Returns the jobs to show; none for all of them.
    fn shown(
        &self,
        prepared: &Prepared,
        past: &Past<'_>,
        standing: &Standing,
    ) -> Result<Vec<JobId>, Failure> {
        let workload = &past.forecast.scenario.workload;
        let shown = self.job.iter().map(|&named| {
            let job = named
                .find(&prepared.trace, workload)?
                .filter(|&job| standing.queued().any(|queued| queued == job));
            job.ok_or_else(|| not_waiting(prepared, standing, named))
        });
        shown.collect()
    }

    fn row(
        &self,
        prepared: &Prepared,
        past: &Past<'_>,
        (now, foretold): (Time, &Foretold),
        margins: &Margins,
    ) -> Row {
        let (workload, job) = (&past.forecast.scenario.workload, foretold.job);
        let finite = |value: f64| value.is_finite().then(|| value.round());
        let [low, median, high] = margins.interval(foretold, self.level).map(finite);
        let start = median.map(|median| now + Time::from_secs_f64(median));
        Row {
            job: workload.number(job),
            id: prepared.trace.own_id(workload.row(job)).map(|id| id.to_string()),
            user: workload.attribute(job, Field::User),
            procs: workload.procs(job),
            requested: workload.estimate(job).secs(),
            waited: (now - workload.submitted(job)).secs(),
            start_in: median,
            earliest_in: low,
            latest_in: high,
            start_as_requested_in: foretold
                .requested
                .map(|start| (1000.0 * (start - now).secs()).round() / 1000.0),
            start: start.and_then(|start| clock_words(prepared, start)),
        }
    }

    /// Returns the margins by past instants whose waiting jobs have started by now: all before the submission of the job that
    /// has waited longest, but for one in twenty.
    fn margins(&self, past: &Past<'_>, standing: &Standing) -> Result<Margins, ComparisonError> {
        if self.calibrate == 0 {
            return Ok(Margins::default());
        }
        let workload = &past.forecast.scenario.workload;
        let oldest = standing.waiting.get(standing.waiting.len() / 20);
        let to = oldest.map_or(standing.now, |&job| workload.submit(job));
        let from = workload.jobs().next().map_or(Time::ZERO, |job| workload.submit(job));
        // The older half of the past has little history before it: it is used only where the younger one is too short.
        let mut instants = past.instants(halfway(from, to), to, self.calibrate);
        if instants.len() < self.calibrate.min(Margins::enough(self.level)) {
            instants = past.instants(from, to, self.calibrate);
        }
        let progress = Progress::of_replays("calibrating", instants.len());
        past.margins(&instants, self.level, &|done| progress.tell(done as u64))
    }

    fn judge(
        &self,
        prepared: &Prepared,
        past: &Past<'_>,
        instants: usize,
        form: TableForm,
    ) -> Result<(), Failure> {
        prepared.tell(self.scenario.source.quiet);
        let workload = &past.forecast.scenario.workload;
        let last = workload.jobs().last().map_or(Time::ZERO, |job| workload.submit(job));
        let first = workload.jobs().next().map_or(Time::ZERO, |job| workload.submit(job));
        let half = halfway(first, last);
        let mut all = past.instants(halfway(first, half), half, self.calibrate);
        let chosen = past.instants(half, last, instants);
        if chosen.is_empty() {
            return Err(Failure::Input("no job of the second half of the log waits".into()));
        }
        all.extend(chosen);
        let progress = Progress::of_replays("judging", all.len());
        let judged =
            past.evaluate(&all, (half, self.calibrate), self.level, &|done| progress.tell(done as u64))?;
        drop(progress);
        if form.is_json() {
            return print_json(&judged);
        }
        let policy = past.forecast.policy.canonical();
        form.print_table(&evaluation_table(
            &conditions(prepared),
            (&policy, &run_times(&past.forecast)),
            &judged,
            self.calibrate,
            (half, last),
        ))
    }

    fn instant(&self, prepared: &Prepared, written: Option<Time>) -> Result<Time, Failure> {
        let Some(text) = &self.at else {
            let what = "all jobs of the log have ended: say the instant with --at, such as --at 20d";
            return written.ok_or_else(|| Failure::Usage(what.into()));
        };
        if let Ok(time) = parse_duration(text) {
            return Ok(time);
        }
        let shown = foreign::line(text, 60);
        match (clock(text), prepared.trace.calendar) {
            (Some(seconds), Some(calendar)) => Ok(calendar.time_of(seconds)),
            (Some(_), None) => Err(Failure::Usage(format!(
                "--at {shown}: the log does not tell the time of its zero (UnixStartTime); use seconds"
            ))),
            (None, _) => Err(Failure::Usage(format!(
                "--at {shown}: an instant is a time such as 20d, or a date such as \"2026-12-01 08:00\""
            ))),
        }
    }
}

/// Removes from a standing the jobs that become eligible at an unknown time: the queue says so in its own words, or they
/// wait for such a job. Returns them with these words, and reports them.
fn barred(
    prepared: &mut Prepared,
    scenario: &Scenario,
    standing: &mut Standing,
) -> Result<BTreeMap<JobId, String>, Failure> {
    let Prepared { trace, findings, .. } = prepared;
    let workload = &scenario.workload;
    let words: BTreeMap<i64, String> =
        trace.header.noted(REASON).map(|named| (named.number, named.name)).collect();
    let word =
        |job: JobId| trace.resource(REASON).and_then(|column| words.get(&column.whole(workload.row(job))));
    let coming: BTreeSet<JobId> = standing.coming.iter().map(|&(_, job)| job).collect();
    let mut barred: BTreeMap<JobId, (&Kind, String)> = BTreeMap::new();
    for job in workload.jobs() {
        let Some(word) = word(job) else { continue };
        let begins = |beginning: &&str| word.starts_with(*beginning);
        let condition = workload.condition(job);
        // What the log tells is what the replay follows, whether or not it is already met.
        let is_told = coming.contains(&job)
            || [BEGIN_REASON].iter().any(begins) && workload.submit(job) > workload.submitted(job)
            || [DEPENDENCY_REASON].iter().any(begins) && condition.is_some_and(|known| !known.on.is_empty())
            || [THROTTLE_REASON].iter().any(begins) && has_throttle(trace, workload.row(job));
        let not_eligible = || {
            let unless_told =
                [DEPENDENCY_REASON, BEGIN_REASON, THROTTLE_REASON].iter().any(begins) && !is_told;
            unless_told || [NEVER_REASON].iter().chain(&NOT_ELIGIBLE_REASONS).any(begins)
        };
        if HELD_REASONS.iter().any(begins) {
            barred.insert(job, (&HELD, word.clone()));
        } else if not_eligible() {
            barred.insert(job, (&NOT_ELIGIBLE, word.clone()));
        }
    }
    for (job, before) in standing.without(workload, |job| barred.contains_key(&job)) {
        let word = format!("job {}, which is not foretold", workload.number(before));
        barred.insert(job, (&NOT_ELIGIBLE, word));
    }
    for (&job, (kind, word)) in &barred {
        findings.report(kind, || Example {
            place: None,
            detail: format!("job {}: {}", workload.number(job), foreign::line(word, 60)),
        })?;
    }
    Ok(barred.into_iter().map(|(job, (_, word))| (job, word)).collect())
}

/// Whether the log tells the throttle of a row's array.
fn has_throttle(trace: &Trace, row: usize) -> bool {
    trace.resource(ARRAY_LIMIT).is_some_and(|column| column.whole(row) > 0)
}

/// The answer for programs.
#[derive(Serialize)]
struct Answer<'a> {
    policy: String,
    /// The instant, in seconds from the log's zero.
    at: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    running: usize,
    waiting: usize,
    /// The predictor; without one, run times are drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    predictor: Option<&'a str>,
    draws: u32,
    level: f64,
    /// Number of past instants; 0 without calibration.
    calibrated_at: usize,
    jobs: &'a [Row],
}

fn predictor<'a>(forecast: &Forecast<'a>) -> Option<&'a str> {
    forecast.predictor.map(|chosen| chosen.params().text(PREDICTOR.name))
}

/// Returns in words where run times are from.
fn run_times(forecast: &Forecast<'_>) -> String {
    match predictor(forecast) {
        None => format!("{} replays with drawn run times", grouped(u64::from(forecast.draws))),
        Some("none") => "run times as requested".into(),
        Some(predictor) => format!("run times predicted by {predictor}"),
    }
}

fn explain_one(
    prepared: &Prepared,
    past: &Past<'_>,
    standing: &Standing,
    named: JobName,
) -> Result<(), Failure> {
    let (scenario, outcome, journal) = past.forecast.as_requested(standing)?;
    let workload = outcome.workload(&scenario.workload);
    let job = named.find(&prepared.trace, workload)?;
    let waits = |job: &_| workload.position(*job) >= standing.running.len();
    let Some(job) = job.filter(waits) else {
        return Err(not_waiting(prepared, standing, named));
    };
    let chosen = past.forecast.policy;
    let foresees = chosen.needs().foresees && !chosen.canonical().contains("predictor=");
    let explanation = explain(&scenario, &outcome, &journal, job, foresees);
    print(&format!("{}, if all jobs run as long as requested: {explanation}\n", chosen.canonical()))
}

fn not_waiting(prepared: &Prepared, standing: &Standing, named: JobName) -> Failure {
    let waiting = counted(standing.queued().count() as u64, "job");
    Failure::Usage(format!(
        "job {named} is not among the {waiting} that wait at {}",
        words(prepared, standing.now)
    ))
}

fn halfway(from: Time, to: Time) -> Time {
    from + Time::from_ticks((to - from).ticks() / 2)
}

/// Returns an instant on the site's clock, if the log tells the time of its zero.
fn clock_words(prepared: &Prepared, at: Time) -> Option<String> {
    let local = prepared.trace.calendar?.local(at)?;
    Some(local.format("%Y-%m-%d %H:%M").to_string())
}

fn words(prepared: &Prepared, at: Time) -> String {
    clock_words(prepared, at).unwrap_or_else(|| format!("{at} s"))
}

fn conditions(prepared: &Prepared) -> Conditions {
    let scenario = &prepared.scenario;
    let mut conditions = Conditions::new(
        &prepared.trace,
        &scenario.workload,
        &scenario.machine,
        &prepared.reading,
        scenario.order.to_string(),
        crate::metrics::MeasureOptions::default(),
    );
    conditions.further = prepared.further();
    conditions
}

fn level(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|&share: &f64| share > 0.0 && share < 1.0);
    share.ok_or_else(|| "it is a share between 0 and 1, such as 0.9".into())
}
