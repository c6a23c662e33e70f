mod draws;
mod judge;
mod nodes;
mod past;
mod present;
mod record;
mod watch;
mod words;

use batchlab_policies::spec::Chosen;
use batchlab_traces::reading::{Dependencies, Running};

use super::arguments::{FORM, OptionRow, POLICY, THREADS, arguments, option};
use super::terminal::rounds::Said;
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::scenario::job::JobName;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::ScenarioSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::when::{Forecast, Foretold, Margins, Past, Recorded, Row, barred, never_start};
use draws::DrawSettings;
use judge::Calibration;
use nodes::NodeStates;
use past::PastSettings;
pub(super) use present::is_usage_of;
use present::{Present, asks_for_none_of, explain_one, told_usage};
use record::RecordFile;
use watch::WatchSettings;
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
        nodes: NodeStates,
        policy: Option<String> = POLICY,
        past: PastSettings,
        draws: DrawSettings,
        calibration: Calibration,
        job: Vec<JobName> =
            option("job", "JOB", "Show these jobs only, by their numbers or as id:ID; may be given several times")
                .excludes(&["evaluate", "explain"]),
        record: RecordFile,
        watch: WatchSettings,
        explain: Option<JobName> = option(
            "explain", "JOB", "Explain the foretold start of one job, by its number or as id:ID: the replay in which all jobs \
             run as long as requested",
        ).excludes(&["evaluate"]),
        format: String = FORM.heading("Output"),
        threads: Option<usize> = OptionRow { value: "N", ..THREADS }.heading("Output"),
    }
}

impl When {
    pub fn run(mut self, registry: &Registry) -> Result<(), Failure> {
        let form = TableForm::of(&self.format)?;
        self.calibration.is_bounded(&self.draws)?;
        if self.scenario.running == Running::Drop {
            self.scenario.running = Running::All;
        }
        let mut said = Said::default();
        let Some((rounds, growing)) = self.watch.rounds(&self.scenario.trace, &self.history)? else {
            return self.round(registry, form, &mut said);
        };
        self.scenario.source.growing = growing.clone();
        rounds.run(|_| {
            growing.update()?;
            self.round(registry, form, &mut said)
        })
    }

    /// Reads the inputs, and answers once.
    fn round(&mut self, registry: &Registry, form: TableForm, said: &mut Said) -> Result<(), Failure> {
        let typed = self.plugins.typed(registry)?;
        let chosen = typed.choose(&self.scenario.slurm.policy(self.policy.as_deref()))?;
        let predictor = self.draws.predictor().map(|value| typed.choose_predictor(value)).transpose()?;
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
        let answer = || self.answer(prepared, (&chosen, predictor.as_ref()), (form, said));
        let Some(threads) = self.threads else { return answer() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Failure::Usage(format!("--threads {threads}: {error}")))?;
        pool.install(answer)
    }

    fn answer(
        &self,
        mut prepared: Prepared,
        (policy, predictor): (&Chosen, Option<&Chosen>),
        (form, said): (TableForm, &mut Said),
    ) -> Result<(), Failure> {
        let asks_past = self.calibration.asks_past();
        let (scenario, mut recorded) = self.past.recorded(&mut prepared, policy, asks_past)?;
        let (overrun, draws) = (prepared.reading.overrun, self.draws.replays());
        let forecast = Forecast { scenario: &scenario, overrun, policy, predictor, draws };
        if forecast.stops_jobs() {
            recorded.with_breaks();
        }
        let past = Past { forecast, schedule: &recorded.schedule };
        if self.calibration.judges() {
            tell::prepared(&prepared, self.scenario.source.quiet);
            return self.calibration.judge(&prepared, &past, form);
        }
        self.foretell(prepared, &past, &recorded, (form, said))
    }

    /// Prints when the jobs start that wait at the instant that is asked about.
    fn foretell(
        &self,
        mut prepared: Prepared,
        past: &Past<'_>,
        recorded: &Recorded,
        (form, said): (TableForm, &mut Said),
    ) -> Result<(), Failure> {
        let written = recorded.written;
        let now = self.past.instant(&prepared, written)?;
        self.record.check()?;
        let (mut standing, mut known) = (past.standing(now), past.known(now)?);
        let of_log = (past.forecast.scenario, recorded);
        let barred = barred(&prepared.trace, of_log, &mut standing, &mut prepared.findings)?;
        let workload = &past.forecast.scenario.workload;
        asks_for_none_of(&barred, self.job.iter().chain(&self.explain), (&prepared, workload))?;
        // The calibration is about a past in which these nodes were in service.
        let scenario = self.nodes.without_unavailable(&mut prepared, past.forecast.scenario, now)?;
        let told = told_usage(&mut prepared, &scenario, (now, written))?;
        let scenario = told.unwrap_or_else(|| past.with_usage(scenario, now));
        let forecast = Forecast { scenario: &scenario, ..past.forecast };
        let quiet = self.scenario.source.quiet;
        if let Some(job) = self.explain {
            tell::prepared(&prepared, quiet);
            return explain_one(&prepared, &forecast, &standing, job);
        }
        let margins = match standing.queued().next() {
            Some(_) => self.calibration.margins(past, now, &|job| barred.contains_key(&job))?,
            None => Margins::default(),
        };
        let present = Present::of(past, &standing, &margins, self.calibration.level());
        present.report_past(&mut prepared, known.is_empty(), self.calibration.is_asked())?;
        let foretold = forecast.foretell(&standing, &mut known)?;
        let never = never_start(&scenario, &forecast.policy.canonical(), &foretold);
        present.report_never(&mut prepared, &never)?;
        said.findings(&prepared.findings, quiet);
        let shown = present.shown(&prepared, &self.job)?;
        let shown = foretold.iter().filter(|foretold| shown.is_empty() || shown.contains(&foretold.job));
        let row = |foretold: &Foretold| {
            let row = present.row(&prepared, foretold);
            // A column of a table for programs is there in each call, and has a value in each row.
            let is_filled = form.is_for_programs() && !form.is_json();
            let id = row.id.or_else(|| is_filled.then(|| row.job.to_string()));
            Row { reason: never.get(&foretold.job).cloned(), id, ..row }
        };
        let rows: Vec<Row> = shown.map(row).collect();
        let hits = self.record.keep(&prepared, (past, now), &rows, self.calibration.level())?;
        said.separate(form)?;
        present.print(&prepared, (&rows, hits), form, self.watch.is_asked())
    }
}
