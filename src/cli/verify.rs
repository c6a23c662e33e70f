use std::path::Path;

use batchlab_traces::sorted::SortedMap;

use super::arguments::{FORM, arguments, place};
use super::terminal::form::print_results;
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;
use crate::lab::replays::result_tables::{Results, TableForm};
use crate::lab::replays::schedules::beside;
use crate::lab::settings::ScenarioSettings;
use crate::lab::settings::measure::MeasureSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::lab::texts::{read_long_text, read_rows};
use crate::outcome::{Outcome, stopped};
use crate::replay::RowKind;
use crate::replay::engine::Scenario;
use crate::schedule::verify::{ScheduleRule, Violation, checks_nodes, stated_procs, verify};
use crate::schedule::{self, ScheduleError, ScheduleRow};

arguments! {
    /// Check whether a schedule of a log is legal, and measure it
    ///
    /// The schedule is a CSV file with the columns `job_id`, `start` and `end`, ours or another tool's. The
    /// checks: every job runs, for its run time, not before its submission, and jobs never hold more than the
    /// machine has. On machines with nodes a column `nodes` (`0:8+3:4`: 8 processors on node 0, 4 on node 3)
    /// allows a check of every node; without it, all nodes are checked together. A column `procs` must say what
    /// the jobs need. A column `fate` says of jobs that they were `killed`, `rejected` (start and end are empty
    /// then) or `unfinished` at the stop of the replay. Cells may be quoted; `NaN` and `NA` are empty. With --stop, the part of a schedule after the stop is ignored. Where jobs do not simply run from
    /// start to end, `SCHEDULE.intervals.csv` beside `SCHEDULE.csv` says what they did; it is read when it is
    /// there. Exit code 1 if a check fails; a schedule that leaves jobs out is not measured.
    #[command(after_help = "\
Example: batchlab verify KTH-SP2.swf.gz schedule.csv --overrun kill
         batchlab verify sacct.txt schedule.csv --procs 4096")]
    pub struct Verify {
        scenario: ScenarioSettings,
        plugins: PluginSettings,
        schedule: String = place("schedule", "SCHEDULE.csv", "The schedule, packed or not").reads(),
        measure: MeasureSettings,
        format: String = FORM.heading("Output"),
    }
}

/// The most violations of one rule that are listed.
const LISTED: usize = 5;

impl Verify {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let form = TableForm::of(&self.format)?;
        let registry = &self.plugins.of_files(registry)?;
        let prepared = self.scenario.prepare(registry)?;
        let (workload, quiet) = (&prepared.scenario.workload, self.scenario.source.quiet);
        let rows = read_rows(&self.schedule, &prepared.scenario.machine)?;
        let outcome = self.outcome(&prepared.scenario, &rows)?;
        let outcome = stopped(outcome, workload, &prepared.scenario.stop).entering(workload);
        let results = Results::new(registry, &prepared, &self.measure, form, false)?;
        let mut violations = verify(&prepared.scenario, &outcome);
        let of_rows = stated_procs(workload, &rows);
        violations.extend(of_rows.map_err(|error| wrong(&self.schedule, &error))?);
        if workload.jobs().all(|job| outcome.tells(job)) {
            let row = results.comparison().measure(&self.schedule, RowKind::Policy, &outcome)?;
            tell::prepared(results.prepared(), quiet);
            print_results(&results, &[row])?;
        } else {
            // Metrics over fewer jobs would not be comparable.
            tell::prepared(&prepared, quiet);
        }
        let jobs = text::counted(workload.len() as u64, "job");
        let lives_of = |outcome: &Outcome| match outcome.intervals.len() as u64 {
            0 => String::new(),
            intervals => format!(", with {} of their lives", text::counted(intervals, "interval")),
        };
        if violations.is_empty() {
            if !quiet {
                let nodes = prepared.scenario.machine.nodes();
                let how = match nodes {
                    1 => String::new(),
                    _ if checks_nodes(&prepared.scenario, &outcome) => format!(" on each of {nodes} nodes"),
                    _ => format!(" against {nodes} nodes together: the schedule has no column `nodes`"),
                };
                let lives = lives_of(&outcome);
                tell::note(&format!("legal: {jobs} checked{lives}{how}"));
            }
            return Ok(());
        }
        list(&violations);
        let violations = text::counted(violations.len() as u64, "violation");
        Err(Failure::Check(format!("{} is not legal: {violations} among {jobs}", self.schedule)))
    }

    /// Returns the outcome of the rows of the schedule, with its file of intervals if there is one.
    fn outcome(&self, scenario: &Scenario, rows: &[ScheduleRow]) -> Result<Outcome, Failure> {
        let workload = &scenario.workload;
        let outcome = schedule::partial_outcome(workload, rows);
        let mut outcome = outcome.map_err(|error| wrong(&self.schedule, &error))?;
        if let Some(name) = beside(&self.schedule).filter(|name| Path::new(name).exists()) {
            schedule::read_intervals(workload, &read_long_text(&name)?, &mut outcome)
                .map_err(|error| wrong(&name, &error))?;
        }
        Ok(outcome)
    }
}

fn wrong(name: &str, error: &ScheduleError) -> Failure {
    Failure::Input(format!("{name}: {error}"))
}

fn list(violations: &[Violation]) {
    let mut by_rule: SortedMap<&ScheduleRule, Vec<&Violation>> = SortedMap::new();
    for violation in violations {
        by_rule.entry(&violation.rule).or_default().push(violation);
    }
    for list in by_rule.values() {
        for violation in list.iter().take(LISTED) {
            tell::note(&violation.to_string());
        }
        if list.len() > LISTED {
            tell::note(&format!("and {} more of this kind", list.len() - LISTED));
        }
    }
}
