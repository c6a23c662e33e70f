use std::fmt::Write as _;

use batchlab_traces::clean::CleaningReport;
use clap::ValueEnum;

use super::arguments::{Careful, RULES, TRACE, arguments, option, values};
use super::terminal::form::{print, print_json};
use super::terminal::{tell, text};
use crate::Registry;
use crate::conform::junit;
use crate::lab::Failure;
use crate::lab::logs::rules;

arguments! {
    /// Check a log against the expectations of rules
    ///
    /// The rules are applied in memory first; expectations are about the result, or with `on = "given"` about the
    /// log as it is. Jobs that violate an expectation are printed, and the exit code is then 1.
    #[command(after_help = "\
Example: batchlab check kth.swf --rules rules.toml --format junit > kth-rules.xml
         batchlab check sacct.txt --rules rules.toml")]
    pub struct CheckCommand {
        trace: String = TRACE,
        rules: String = RULES,
        format: Form = option(
            "format", "FORM", "Form of the output: for people, for programs, or for continuous integration",
        ).default("table"),
        source: Careful<false>,
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// One line per rule and expectation
    Table,
    /// JSON
    Json,
    /// `JUnit` XML: a test per expectation
    Junit,
}

values!(Form);

impl CheckCommand {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let rules = rules::read(&self.rules)?;
        let trace = self.source.read(registry, &self.trace)?;
        if !self.source.quiet {
            tell::findings(&trace.findings);
        }
        let report = rules.report(&trace).map_err(|error| rules::unusable(&self.rules, &error))?;
        match self.format {
            Form::Table => print(&page(&report))?,
            Form::Json => print_json(&report)?,
            Form::Junit => print(&junit::xml(&report, &self.rules, &self.trace))?,
        }
        let failed = report.failed().count() as u64;
        let all = text::counted(report.expectations.len() as u64, "expectation");
        match failed {
            0 if report.expectations.is_empty() => {
                tell::note("these rules expect nothing: add [[expect]] to check the result");
                Ok(())
            }
            0 => Ok(()),
            _ => Err(Failure::Check(format!("{} of {all} failed", text::count(failed)))),
        }
    }
}

fn page(report: &CleaningReport) -> String {
    let mut page: String = report.rules.iter().map(rules::line).collect();
    for expectation in &report.expectations {
        let verdict = if expectation.holds { "ok    " } else { "FAILED" };
        let _ = writeln!(page, "{verdict}  {expectation}");
    }
    page
}
