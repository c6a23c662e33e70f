use std::path::PathBuf;
use std::time::Duration;

use batchlab_traces::Field;
use clap::{ArgMatches, Error, value_parser};

use super::arguments::{Argument, Arguments, OfReplay, arguments, option, switch};
use super::terminal::form::{print_results, print_table};
use super::terminal::progress::Progress;
use super::terminal::rounds::{Rounds, Said};
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::growing::GrowingLogs;
use crate::lab::logs::reading::damage;
use crate::lab::replays::result_tables::{Results, TableForm};
use crate::lab::replays::schedules::Schedules;
use crate::lab::replays::stream;
use crate::lab::replays::watch::Watch;
use crate::lab::settings::AllSettings;
use crate::outcome::{Outcome, StopRule};
use crate::replay::RowKind;
use crate::replay::comparison::ComparedPolicy;
use crate::schedule::ScheduleColumn;

arguments! {
    /// Replay a log under one or more policies: one row of a table each
    #[command(after_help = "\
Example: batchlab replay KTH-SP2.swf.gz --policy fcfs --policy easy --policy conservative
         batchlab replay sacct.txt --slurm slurm.conf --policy slurm --policy easy")]
    pub struct Replay {
        settings: OfReplay,
        follow: bool = switch(
            "follow", "Replay again whenever the log has grown, and print the table again: accounting that a batch \
             system appends to, also when it rotates the file or cuts it short, or writes again. A line that is not \
             complete waits for its end, and so does a log without a job that can be replayed. Ctrl-C ends it",
        ).excludes(&["stream"]).heading("Replay"),
        every: Duration = option("every", "TIME", "How often --follow looks at the log, such as 5s or 1m")
            .default("5s")
            .requires("follow")
            .heading("Replay"),
        rounds: Option<u64> =
            option("rounds", "N", "How often --follow looks at the log before it ends [default: until Ctrl-C]")
                .requires("follow")
                .heading("Replay")
                .by(|arg| arg.value_parser(value_parser!(u64).range(1..))),
        inputs: Inputs,
    }
}

/// The files that the command reads, of which no output is one.
#[derive(Default)]
struct Inputs(Vec<PathBuf>);

/// They are known once all arguments are.
impl Arguments for Inputs {
    fn arguments() -> Vec<Argument> {
        Vec::new()
    }

    fn of(_: &ArgMatches) -> Result<Inputs, Error> {
        Ok(Inputs::default())
    }
}

impl Replay {
    pub(super) fn reads(&mut self, inputs: Vec<PathBuf>) {
        self.inputs = Inputs(inputs);
    }

    pub fn run(mut self, registry: &Registry) -> Result<(), Failure> {
        let growing = self.growing()?;
        self.settings.0.scenario.source.growing = growing.clone();
        let settings = &self.settings.0;
        let form = TableForm::of(&settings.replay.format)?;
        let typed = &settings.plugins.typed(registry)?;
        let registry = &settings.plugins.of_files(registry)?;
        settings.check_bounds()?;
        let (compared_policies, broken) = settings.compared_policies(typed)?;
        if compared_policies.is_empty() {
            return tell::all(broken);
        }
        if settings.replay.stream {
            stream(settings, registry, &compared_policies, form)?;
            return tell::all(broken);
        }
        let mut said = Said::default();
        if self.follow {
            tell::all(broken)?;
            return Rounds { every: self.every, count: self.rounds }.run(|round| {
                if !growing.update()? && round > 1 {
                    return Ok(());
                }
                let wait = |why: &str| {
                    if !settings.scenario.source.quiet {
                        tell::note(&format!("{}: {why}: waiting for more", settings.scenario.trace));
                    }
                    Ok(())
                };
                if !growing.have_records() {
                    return wait("no record of a job yet");
                }
                match self.replay(registry, &compared_policies, form, &mut said) {
                    Err(Failure::NoJobs(why)) => wait(&why),
                    done => tell::all(done?),
                }
            });
        }
        let mut failures = self.replay(registry, &compared_policies, form, &mut said)?;
        failures.extend(broken);
        tell::all(failures)
    }

    /// Returns the log, if it is followed.
    fn growing(&self) -> Result<GrowingLogs, Failure> {
        match self.settings.0.scenario.trace.as_str() {
            _ if !self.follow => Ok(GrowingLogs::default()),
            "-" => Err(Failure::Usage(
                "--follow reads a file again and again: give its name instead of -".into(),
            )),
            path => Ok(GrowingLogs::of([path])),
        }
    }

    /// Replays a log in memory, prints the table and writes schedules. Returns the failures of policies.
    fn replay(
        &self,
        registry: &Registry,
        compared_policies: &[ComparedPolicy],
        form: TableForm,
        said: &mut Said,
    ) -> Result<Vec<Failure>, Failure> {
        let AllSettings { scenario: asked, measure, replay, .. } = &self.settings.0;
        let quiet = asked.source.quiet;
        let schedules = Schedules::new(replay, compared_policies, &self.inputs.0)?;
        let columns = replay.schedule_columns.as_deref().map(ScheduleColumn::select).transpose()?;
        let columns = columns.unwrap_or_default();
        if !columns.is_empty() && !schedules.have_columns() {
            return Err(Failure::Usage("--schedule-columns needs --schedule FILE.csv or --out DIR".into()));
        }
        let mut prepared = asked.prepare(registry)?;
        prepared.suit(compared_policies.iter().map(|compared| &compared.policy))?;
        // Of the log's records only the waits are still asked for, by the row of the log's own schedule.
        prepared.trace.keep_only(&[Field::Wait]);
        let results = Results::new(registry, &prepared, measure, form, replay.out.is_some())?;
        let stops_early = asked.stop != StopRule::All;
        let watch =
            (!quiet).then(|| Watch::new(registry.policies(), &prepared, measure.options(), stops_early));
        let comparison = results.comparison();
        let keep = |compared: &ComparedPolicy, outcome: &Outcome| {
            if let Some(watch) = &watch {
                watch.look(compared, outcome);
            }
            if !schedules.are_kept() {
                return Ok(());
            }
            schedules.keep(compared, &comparison.measurement(outcome)?, &columns)
        };
        let jobs = prepared.scenario.workload.len() * compared_policies.len();
        let progress = (!quiet).then(|| Progress::of_jobs("replaying", jobs));
        let tell = |done| progress.iter().for_each(|progress| progress.tell(done));
        let replayed = self.settings.0.rows(&comparison, compared_policies, &prepared, &tell, &keep);
        drop(progress);
        let (rows, failures) = replayed?;
        schedules.summary(|| results.json(&rows))?;
        said.replace(form)?;
        said.findings(&prepared.findings, quiet);
        // A table of no policy would hide the error.
        if failures.is_empty() || rows.iter().any(|row| row.kind == RowKind::Policy) {
            print_results(&results, &rows)?;
        }
        if let Some(watch) = watch {
            said.pitfalls(watch.pitfalls(compared_policies));
        }
        Ok(failures)
    }
}

/// Replays a log while it is read, and prints the table.
fn stream(
    settings: &AllSettings,
    registry: &Registry,
    policies: &[ComparedPolicy],
    form: TableForm,
) -> Result<(), Failure> {
    let streamed = stream::run(settings, registry, policies)?;
    if settings.scenario.source.quiet {
        tell::finding_list(damage(&streamed.findings));
    } else {
        tell::findings(&streamed.findings);
    }
    print_table(form, &streamed.table)
}
