//! `batchlab when`: foretells when waiting jobs start.

mod judge;
mod nodes;
mod present;
mod record;
mod watch;
mod words;

use batchlab_policies::spec::Chosen;
use batchlab_policies::support::predictor::PREDICTOR;
use batchlab_traces::Example;
use batchlab_traces::number::grouped;
use batchlab_traces::reading::{Dependencies, Running};
use clap::{ValueEnum, value_parser};

use super::arguments::{FORM, OptionRow, POLICY, THREADS, arguments, option, values};
use super::terminal::progress::Progress;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::replays::results::TableForm;
use crate::lab::scenario::job::JobName;
use crate::lab::scenario::prepared::Prepared;
use crate::lab::settings::ScenarioSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::replay::engine::{self, Run, Scenario};
use crate::when::{Forecast, Past, Recorded, kinds, replayed_until};
pub(super) use present::is_usage_of;
use watch::{Before, WatchSettings};
pub(super) use words::{clock_words, conditions, instant, words};

arguments! {
    /// Foretell when the jobs that wait at an instant start
    ///
    /// Goes on from the jobs that run and wait: at an instant of a log (--at), or when the log was written, if it has jobs that
    /// had not ended then: `squeue --json`, `scontrol show job` or `sacct -a` of a batch system in use. It replays what is there many
    /// times, each time with run times drawn from those of similar jobs that ended before: of the same user with the same
    /// request, of the same user, or of all. The median of a job's starts is its foretold start. The interval holds the start of
    /// 90 % of such jobs: how much wider than the draws say it must be, to make up for jobs that are still to come and for a
    /// policy that is not quite the one of the machine, is measured at past instants of the log.
    #[command(after_help = "\
Example: batchlab when squeue.json --history sacct.txt --sinfo sinfo.txt --slurm slurm.conf
         batchlab when KTH-SP2.swf.gz --policy easy --state replay --evaluate 50")]
    pub struct When {
        scenario: ScenarioSettings,
        plugins: PluginSettings,
        history: Vec<String> = option(
            "history", "FILE", "Accounting of the past beside a queue (squeue, scontrol show job): sacct -a -P -D, sacct --json \
             or a job completion log, from which run times are drawn and intervals are calibrated. May be given several times",
        ).reads(),
        sinfo: Option<String> = option(
            "sinfo", "FILE", "The states of the nodes now, as sinfo or scontrol show node print them: nodes that are down, \
             drained or draining take no jobs. They are found by name: give --slurm, or a machine file with names",
        ).reads(),
        policy: Option<String> = POLICY,
        at: Option<String> = option(
            "at", "INSTANT", "The instant: time since the log's zero, such as 1728000 or 20d, or a date on the site's clock, \
             such as \"2026-12-01 08:00\" [default: when the log was written]",
        ).excludes(&["evaluate"]),
        state: State = option(
            "state", "log|replay", "What runs and waits at an instant, and what is known of the past: what the log recorded, or \
             what a replay of the log under the policy says",
        ).default("log"),
        predictor: Option<String> = option(
            "predictor", "PREDICTOR", "Predict one run time for each job instead of drawing many: none (the request), last2, \
             user-mean, quantile:Q, expr(...) or a plug-in, as the parameter `predictor` of policies; see `batchlab list \
             policies easy`",
        ).excludes(&["draws"]).policy(),
        draws: u32 = option("draws", "N", "Number of replays with drawn run times")
            .default("200")
            .by(|arg| arg.value_parser(value_parser!(u32).range(10..=100_000))),
        level: f64 = option("level", "SHARE", "Share of starts that intervals are to hold")
            .default("0.9")
            .by(|arg| arg.value_parser(level)),
        calibrate: u32 = option(
            "calibrate", "N", "Number of past instants from which the margins of intervals are measured; 0: intervals are of \
             run times alone",
        ).default("40").by(|arg| arg.value_parser(value_parser!(u32).range(0..=MOST_INSTANTS))),
        evaluate: Option<u32> = option(
            "evaluate", "N", "Judge foretold starts at N instants of the second half of the log instead, each calibrated at the \
             instants before it",
        ).by(|arg| arg.value_parser(value_parser!(u32).range(1..=MOST_INSTANTS))),
        job: Vec<JobName> =
            option("job", "JOB", "Show these jobs only, by their numbers or as id:ID; may be given several times")
                .excludes(&["evaluate", "explain"]),
        record: Option<String> = option(
            "record", "FILE", "Keep the forecasts in a file, and judge those of earlier calls by the jobs that have started \
             since: how many intervals have held so far on this machine. Call it again and again, for example by cron",
        ).excludes(&["evaluate", "explain"]).reads(),
        watch: WatchSettings,
        explain: Option<JobName> = option(
            "explain", "JOB", "Explain the foretold start of one job, by its number or as id:ID: the replay in which all jobs \
             run as long as requested",
        ).excludes(&["evaluate"]),
        format: String = FORM.heading("Output"),
        threads: Option<usize> = OptionRow { value: "N", ..THREADS }.heading("Output"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum State {
    /// What the log recorded
    Log,
    /// A replay of the log under the policy
    Replay,
}

values!(State);

/// The most past instants of one call: jobs that wait at neighbouring instants wait for each other, so that more instants tell
/// hardly more.
const MOST_INSTANTS: i64 = 10_000;

/// The most replays of one call.
const MOST_REPLAYS: u64 = 2_000_000;

impl When {
    pub fn run(mut self, registry: &Registry) -> Result<(), Failure> {
        let form = TableForm::of(&self.format)?;
        self.is_bounded()?;
        if self.scenario.running == Running::Drop {
            self.scenario.running = Running::All;
        }
        if self.watch.watch {
            return self.watch(registry, form);
        }
        self.round(registry, form, &mut Before::default())
    }

    /// Reads the inputs, and answers once.
    fn round(&mut self, registry: &Registry, form: TableForm, before: &mut Before) -> Result<(), Failure> {
        let typed = self.plugins.typed(registry)?;
        let chosen = typed.choose(&self.scenario.slurm.policy(self.policy.as_deref()))?;
        let predictor = self.predictor.as_ref().map(|value| typed.choose_predictor(value)).transpose()?;
        let files = self.plugins.of_files(registry)?;
        let ScenarioSettings { trace, source, slurm, .. } = &self.scenario;
        let logs = (trace.as_str(), &*self.history);
        let trace = source.read_queue(&files, logs, slurm.is_given())?;
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
            return pool.install(|| self.answer(prepared, (&chosen, predictor.as_ref()), (form, before)));
        }
        self.answer(prepared, (&chosen, predictor.as_ref()), (form, before))
    }

    fn answer(
        &self,
        mut prepared: Prepared,
        (chosen, predictor): (&Chosen, Option<&Chosen>),
        (form, before): (TableForm, &mut Before),
    ) -> Result<(), Failure> {
        let (scenario, mut recorded) = self.past(&mut prepared, chosen)?;
        let overrun = prepared.reading.overrun;
        let forecast =
            Forecast { scenario: &scenario, overrun, policy: chosen, predictor, draws: self.replays() };
        if forecast.stops_jobs() {
            recorded.with_breaks();
        }
        let past = Past { forecast, schedule: &recorded.schedule };
        match self.evaluate {
            Some(instants) => self.judge(&prepared, &past, instants as usize, form),
            None => self.foretell(prepared, &past, &recorded, (form, before)),
        }
    }

    /// Returns the number of replays at an instant: predictions do not differ from draw to draw.
    fn replays(&self) -> u32 {
        if self.predictor.is_some() { 1 } else { self.draws }
    }

    /// Refuses to ask for so many replays that they do not end.
    fn is_bounded(&self) -> Result<(), Failure> {
        let asked = u64::from(self.evaluate.unwrap_or(1)) + u64::from(self.calibrate);
        let replays = asked * u64::from(self.replays());
        if replays <= MOST_REPLAYS {
            return Ok(());
        }
        let instants = match self.evaluate {
            Some(instants) => format!("--evaluate {instants} and --calibrate {}", self.calibrate),
            None => format!("--calibrate {}", self.calibrate),
        };
        Err(Failure::Usage(format!(
            "{instants} with --draws {} ask for {} replays, and at most {} are made: take fewer instants or draws",
            self.draws,
            grouped(replays),
            grouped(MOST_REPLAYS)
        )))
    }

    /// Returns the scenario and what is known of its past: what the log recorded, or what a replay says.
    fn past(&self, prepared: &mut Prepared, chosen: &Chosen) -> Result<(Scenario, Recorded), Failure> {
        let scenario = prepared.scenario.clone();
        let recorded = Recorded::of(&prepared.trace, &scenario.workload);
        if self.state == State::Replay {
            let progress = Progress::of_jobs(&chosen.canonical(), scenario.workload.len());
            let tell = |done: usize| progress.tell(done as u64);
            let mut policy = chosen.build(&scenario.setting(prepared.reading.overrun))?;
            let (name, needs) = (chosen.canonical(), chosen.needs());
            // Past instants tell when their jobs started, which may be after the present one.
            let until = (self.calibrate == 0 && self.evaluate.is_none())
                .then(|| self.instant(prepared, recorded.written))
                .transpose()?;
            let before =
                until.map(|until| replayed_until(&scenario, (&name, needs), policy.as_mut(), (until, &tell)));
            let schedule = match before.transpose()?.flatten() {
                Some(schedule) => schedule,
                None => {
                    let run = Run { progress: Some(&tell), ..Run::default() };
                    engine::replay(&scenario, &name, needs, policy.as_mut(), run)?.0
                }
            };
            let scenario =
                Scenario { workload: schedule.workload(&scenario.workload).clone().into(), ..scenario };
            let written = recorded.written;
            return Ok((scenario, Recorded { schedule, written, ..Recorded::default() }));
        }
        let workload = &scenario.workload;
        if recorded.unknown.len() == workload.len() {
            let what =
                "the log records no waits: --state replay takes the starts of a replay under the policy";
            return Err(Failure::Input(what.into()));
        }
        let detail = || format!("the first is job {}", workload.number(recorded.unknown[0]));
        prepared.findings.report_many(&kinds::NO_WAIT, recorded.unknown.len() as u64, || Example {
            place: None,
            detail: detail(),
        })?;
        Ok((scenario, recorded))
    }
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

fn level(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|&share: &f64| share > 0.0 && share < 1.0);
    share.ok_or_else(|| "it is a share between 0 and 1, such as 0.9".into())
}
