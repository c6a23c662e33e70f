//! `batchlab replay`: the main job.

use std::io::Write;

use batchlab_parsers::Output;
use batchlab_policies::Registry;
use batchlab_policies::spec::Setting;
use clap::Args;

use super::Failure;
use super::prepare::ScenarioArgs;
use super::progress::Progress;
use crate::engine::{self, EventOrder, Run};
use crate::schedule;

/// Replay a log under one or more policies: one row of a table each
#[derive(Args)]
#[command(
    after_help = "Example: batchlab replay KTH-SP2-1996-2.1-cln.swf.gz --policy easy --schedule easy.csv"
)]
pub struct Replay {
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// A policy, as name:key=value,key=value; see `batchlab list policies`
    #[arg(long, value_name = "SPEC", required = true)]
    policy: Vec<String>,
    /// Write the schedule of the one policy
    #[arg(long, value_name = "FILE.csv")]
    schedule: Option<String>,
}

impl Replay {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let chosen = self.policy.iter().map(|spec| registry.choose(spec)).collect::<Result<Vec<_>, _>>()?;
        let prepared = self.scenario.prepare()?;
        let setting = Setting {
            machine: &prepared.scenario.machine,
            overrun: prepared.reading.overrun,
            periodic: matches!(prepared.scenario.order, EventOrder::Periodic(_)),
        };
        for chosen in chosen {
            let mut policy = chosen.build(&setting)?;
            let spec = chosen.canonical();
            let jobs = prepared.scenario.workload.len();
            let bar = (!self.scenario.quiet).then(|| Progress::of_jobs(&format!("replaying {spec}"), jobs));
            let tell = |ended: usize| bar.iter().for_each(|bar| bar.tell(ended as u64));
            let run = Run { progress: Some(&tell), ..Run::default() };
            let (outcome, _) =
                engine::replay(&prepared.scenario, &spec, chosen.needs(), policy.as_mut(), run)?;
            drop(bar);
            if let Some(path) = &self.schedule {
                let mut out = Output::create(path)?;
                schedule::write(&prepared.scenario.workload, &outcome, &mut out)?;
                out.flush()?;
                out.commit()?;
            }
        }
        Ok(())
    }
}
