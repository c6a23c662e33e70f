//! `batchlab verify`: is a schedule legal, and what is it worth.

use std::collections::BTreeMap;

use clap::Args;

use super::Failure;
use super::diff::read_schedule;
use super::measure::MeasureArgs;
use super::prepare::ScenarioArgs;
use super::results::{Results, TableForm};
use super::tell;
use crate::report::RowKind;
use crate::verify::{Rule, Violation, verify};

/// Check whether a schedule of a log is legal, and measure it
///
/// The schedule is a CSV file with the columns `job_id`, `start` and `end`, ours or another tool's. Checked are:
/// every job runs, for its run time, not before its submission, and no more is held at any instant than the
/// machine has. Exit code 1 when something does not hold.
#[derive(Args)]
#[command(after_help = "Example: batchlab verify KTH-SP2.swf.gz schedule.csv --overrun kill")]
pub struct Verify {
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// The schedule, packed or not
    #[arg(value_name = "SCHEDULE.csv")]
    schedule: String,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Form of the table: table, markdown, latex, csv or json
    #[arg(long, default_value = "table", value_name = "FORM", help_heading = "Output")]
    format: String,
}

/// Violations of one rule that are printed one by one.
const LISTED: usize = 5;

impl Verify {
    pub fn run(&self) -> Result<(), Failure> {
        let form = TableForm::of(&self.format)?;
        let prepared = self.scenario.prepare()?;
        let outcome = read_schedule(&self.schedule, &prepared.scenario.workload)?;
        let results = Results::new(&prepared, &self.measure, form)?;
        let violations = verify(&prepared.scenario, &outcome);
        let row = results.contest().measure(&self.schedule, RowKind::Policy, &outcome)?;
        results.print(&[row], self.scenario.source.quiet)?;
        if violations.is_empty() {
            if !self.scenario.source.quiet {
                tell::note(&format!("legal: all {} jobs hold", prepared.scenario.workload.len()));
            }
            return Ok(());
        }
        list(&violations);
        Err(Failure::Check(format!("the schedule is not legal: {} violations", violations.len())))
    }
}

/// Lists the first violations of each rule.
fn list(violations: &[Violation]) {
    let mut by_rule: BTreeMap<&Rule, Vec<&Violation>> = BTreeMap::new();
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
