use batchlab_slurm::reader::{SystemFile, priority_table, share_table};
use batchlab_slurm::twin::{Computed, Ranking};
use batchlab_traces::located::LocatedError;
use batchlab_traces::number::grouped;
use batchlab_traces::reading::{Cancel, Dependencies, Running};
use batchlab_traces::workload::Standing;
use batchlab_traces::{Example, JobId, Time};
use serde::Serialize;

use super::arguments::{FORM, arguments, option};
use super::terminal::form::{print_json, print_table};
use super::terminal::tell;
use super::when::{clock_words, conditions, instant, is_usage_of, words};
use crate::Registry;
use crate::lab::Failure;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::ScenarioSettings;
use crate::lab::texts::read_text;
use crate::outcome::Outcome;
use crate::ranking::{
    JobPriority, Known, PriorityComparison, RankedQueue, ShareComparison, compare, compare_shares,
    last_computed, priorities_table,
};
use crate::when::{Recorded, kinds};

arguments! {
    /// Show the priority of each waiting job under Slurm, and what it consists of
    ///
    /// The columns are those of `sprio -l`: the weighted factors of age, association, fair share, size, partition, service class and
    /// resources, and nice. A job that may run in several partitions has a row for each. Age and fair share are those of the last
    /// computation (`PriorityCalcPeriod`), as in slurmctld.
    ///
    /// The log is a queue (`squeue --json`, `scontrol show job`), or accounting with --at. What users have used is computed from the
    /// jobs of the log and of --history, or taken from the output of `sshare -a -l -P` among the files of --slurm.
    /// With --sprio and --sshare, what Slurm said stands beside it: how many values are equal, and why others are not.
    #[command(after_help = "\
Example: batchlab priorities squeue.json --slurm slurm.conf --slurm sshare.txt --sprio sprio.txt
         batchlab priorities sacct.txt --slurm slurm.conf --at 2025-03-01T12:00:00")]
    pub struct Priorities {
        scenario: ScenarioSettings,
        history: Vec<String> = option(
            "history", "FILE", "Accounting of the past beside a queue: sacct -a -P -D, sacct --json or a job completion log, \
             from which usage is computed. May be given several times",
        ).reads(),
        at: Option<String> = option(
            "at", "INSTANT", "The instant: time since the log's zero, such as 1728000 or 20d, or a date on the site's clock, \
             such as \"2026-12-01 08:00\" [default: when the queue was written]",
        ),
        sprio: Option<String> = option(
            "sprio", "FILE", "The output of sprio at the instant, with or without -l or -n, to compare with",
        ).reads(),
        sshare: Option<String> = option(
            "sshare", "FILE",
            "The output of sshare -a -l -P at the instant, to compare with; to compute with it, give it with --slurm",
        ).reads(),
        format: String = FORM.heading("Output"),
    }
}

/// The answer for programs.
#[derive(Serialize)]
struct Answer<'a> {
    /// The instant, in seconds from the log's zero.
    at: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    /// When priorities were computed last, in seconds from the log's zero.
    computed: f64,
    /// Where that is known from.
    computed_by: &'static str,
    /// Where usage is from.
    usage_by: &'static str,
    waiting: usize,
    held: usize,
    jobs: &'a [JobPriority],
    #[serde(skip_serializing_if = "Option::is_none")]
    sprio: Option<&'a PriorityComparison>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sshare: Option<&'a ShareComparison>,
}

impl Priorities {
    pub fn run(mut self, registry: &Registry) -> Result<(), Failure> {
        let form = TableForm::of(&self.format)?;
        if !self.scenario.slurm.is_given() {
            let what = "priorities are those of a Slurm installation: give its files with --slurm slurm.conf";
            return Err(Failure::Usage(what.into()));
        }
        if self.scenario.running == Running::Drop {
            self.scenario.running = Running::All;
        }
        if self.scenario.cancel == Cancel::Ignore {
            self.scenario.cancel = Cancel::Log;
        }
        let logs = (self.scenario.trace.as_str(), &*self.history);
        let trace = self.scenario.source.read_queue(registry, logs, true)?;
        let unfinished = trace.unfinished();
        if (0..trace.len()).any(|row| unfinished.get(row).is_some()) {
            self.scenario.dependencies = Dependencies::Log;
        }
        let prepared = self.scenario.prepare_read(registry, trace)?;
        self.answer(prepared, form)
    }

    fn answer(&self, mut prepared: Prepared, form: TableForm) -> Result<(), Failure> {
        let recorded = recorded(&prepared);
        let now = instant(self.at.as_deref(), &prepared, recorded.written)?;
        let is_told = prepared.scenario.slurm.as_ref().is_some_and(|site| site.told.is_some());
        let told = is_told && self.is_usage_of_now(&mut prepared, (now, recorded.written))?;
        let prepared = &prepared;
        let scenario = &prepared.scenario;
        let workload = &*scenario.workload;
        let Some(site) = &scenario.slurm else { return Ok(()) };
        let Outcome { start, end, .. } = &recorded.schedule;
        let standing = Standing::at(workload, start, end, now);
        let is_now = recorded.written == Some(now);
        let queue = RankedQueue::of(site, (&prepared.trace, workload), (&standing, is_now));
        let run = |job: JobId| {
            let at = workload.position(job);
            Some((*start.get(at)?, *end.get(at)?, job)).filter(|&(start, end, _)| start < end && start <= now)
        };
        let ranking = |computed: Computed| {
            let runs = workload.jobs().filter_map(run);
            Ranking::new(site, (workload, &*scenario.machine), runs, &queue.jobs, (computed, told))
        };
        let clock = prepared.trace.calendar.and_then(|calendar| calendar.local(now));
        let clock = clock.map(|local| local.naive_local().and_utc().timestamp());
        let sprio = read(self.sprio.as_deref(), |file| priority_table(file, clock))?;
        let sshare = read(self.sshare.as_deref(), |file| share_table(file, clock))?;
        let (computed, computed_by) = last_computed(&queue, now, sprio.as_ref(), ranking);
        let Some(ranking) = ranking(computed) else {
            let what = "PriorityType=priority/basic: priorities have no factors, and jobs wait in the order of submission";
            return Err(Failure::Input(what.into()));
        };
        let mut rows = queue.rows(&ranking);
        let known = Known { config: &site.system.priority, usage: told };
        let comparison = sprio.map(|table| compare(&mut rows, &table, known));
        let shares = sshare.map(|shares| compare_shares(site, &ranking, &shares));
        tell::prepared(prepared, self.scenario.source.quiet);
        let answer = Answer {
            at: now.secs(),
            clock: clock_words(prepared, now),
            computed: computed.last.secs(),
            computed_by,
            usage_by: if told { "sshare" } else { "the jobs of the log" },
            waiting: queue.jobs.len(),
            held: queue.held,
            jobs: &rows,
            sprio: comparison.as_ref(),
            sshare: shares.as_ref(),
        };
        if form.is_json() {
            return print_json(&answer);
        }
        let said = answer.said(&words(prepared, now));
        let conditions = conditions(prepared);
        print_table(form, &priorities_table(&conditions, said, &rows, (comparison.as_ref(), shares.as_ref())))
    }

    /// Whether the usage that `sshare` told is that of the instant. Beside a log in which all jobs have ended, --at is about the past:
    /// the output is of a later instant.
    fn is_usage_of_now(&self, prepared: &mut Prepared, at: (Time, Option<Time>)) -> Result<bool, Failure> {
        if self.at.is_some() && at.1.is_none() {
            let detail = format!("at {}", words(prepared, at.0));
            prepared.findings.report(&kinds::USAGE_LATER, || Example { place: None, detail })?;
            return Ok(false);
        }
        is_usage_of(prepared, at)
    }
}

impl Answer<'_> {
    /// Returns what the caption of the table says of it.
    fn said(&self, now: &str) -> Vec<String> {
        let count = |count: usize| grouped(count as u64);
        vec![
            format!(
                "at {now}: {} waiting jobs, {} held; usage by {}",
                count(self.waiting),
                count(self.held),
                self.usage_by
            ),
            format!(
                "priorities were computed {} s before, as is known by {}",
                self.at - self.computed,
                self.computed_by
            ),
        ]
    }
}

/// Returns the recorded schedule; a job that was cancelled as it waited has left then.
fn recorded(prepared: &Prepared) -> Recorded {
    let workload = &prepared.scenario.workload;
    let mut recorded = Recorded::of(&prepared.trace, workload);
    for job in workload.jobs() {
        let Some(patience) = workload.patience(job) else { continue };
        let at = workload.position(job);
        let Outcome { start, end, .. } = &mut recorded.schedule;
        if let (Some(start), Some(end)) = (start.get_mut(at), end.get_mut(at)) {
            (*start, *end) = (Time::MAX, workload.submit(job).saturating_add(patience));
        }
    }
    recorded
}

/// Reads a table of a file, if there is one.
fn read<T>(
    path: Option<&str>,
    table: impl Fn(&SystemFile) -> Result<T, LocatedError>,
) -> Result<Option<T>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let file = SystemFile { name: path.into(), text: read_text(path)? };
    table(&file).map(Some).map_err(|error| Failure::Input(error.to_string()))
}
