//! `batchlab explain`: why a job waited.

use std::io::{Write, stdout};

use clap::Args;

use super::plugins::PluginArgs;
use super::prepare::ScenarioArgs;
use super::{Failure, text};
use crate::Registry;
use crate::engine::{self, Run};
use crate::explain::explain;

/// Say why a job of a log waited under a policy
///
/// Replays the log, and tells what stood in the job's way and for how long, who overtook it and by which
/// rule, and what it was promised.
#[derive(Args)]
#[command(after_help = "Example: batchlab explain KTH-SP2.swf.gz 4711 --policy easy")]
pub struct Explain {
    #[command(flatten)]
    scenario: ScenarioArgs,
    #[command(flatten)]
    plugins: PluginArgs,
    /// The job's number in the log
    job: i64,
    /// The policy, as name:key=value,key=value; see `batchlab list policies`
    #[arg(long, value_name = "SPEC", default_value = "easy")]
    policy: String,
}

impl Explain {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let registry = &self.plugins.registry(registry)?;
        let chosen = registry.choose(&self.policy)?;
        let mut prepared = self.scenario.prepare(registry)?;
        prepared.suit([&chosen])?;
        let scenario = &prepared.scenario;
        let workload = &scenario.workload;
        let Some(job) = workload.jobs().find(|&job| workload.number(job) == self.job) else {
            return Err(Failure::Usage(format!(
                "job {} is not among the {} that are replayed of {}",
                self.job,
                text::counted(workload.len() as u64, "job"),
                self.scenario.trace
            )));
        };
        prepared.tell(self.scenario.source.quiet);
        let mut policy = chosen.build(&scenario.setting(prepared.reading.overrun))?;
        let run = Run { journal: true, ..Run::default() };
        let (outcome, journal) =
            engine::replay(scenario, &chosen.canonical(), chosen.needs(), policy.as_mut(), run)?;
        let explanation = explain(workload, &scenario.machine, &outcome, &journal.unwrap_or_default(), job);
        writeln!(stdout().lock(), "{}: {explanation}", chosen.canonical())?;
        Ok(())
    }
}
