//! The instant that is asked about, and what is known of the past.

use batchlab_policies::spec::Chosen;
use batchlab_traces::{Example, Time};
use clap::ValueEnum;

use super::words::instant;
use crate::cli::arguments::{arguments, option, values};
use crate::cli::terminal::progress::Progress;
use crate::lab::Failure;
use crate::lab::scenario::ready_log::Prepared;
use crate::replay::engine::{self, Run, Scenario};
use crate::when::{Recorded, kinds, replayed_until};

arguments! {
    pub(super) struct PastSettings {
        at: Option<String> = option(
            "at", "INSTANT", "The instant: time since the log's zero, such as 1728000 or 20d, or a date on the site's clock, \
             such as \"2026-12-01 08:00\" [default: when the log was written]",
        ).excludes(&["evaluate"]),
        state: State = option(
            "state", "log|replay", "What runs and waits at an instant, and what is known of the past: what the log recorded, or \
             what a replay of the log under the policy says",
        ).default("log"),
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

impl PastSettings {
    pub(super) fn instant(&self, prepared: &Prepared, written: Option<Time>) -> Result<Time, Failure> {
        instant(self.at.as_deref(), prepared, written)
    }

    /// Returns the scenario and what is known of its past: what the log recorded, or what a replay says, up to the instant unless past
    /// instants are asked about.
    pub(super) fn recorded(
        &self,
        prepared: &mut Prepared,
        chosen: &Chosen,
        asks_past: bool,
    ) -> Result<(Scenario, Recorded), Failure> {
        let scenario = prepared.scenario.clone();
        let recorded = Recorded::of(&prepared.trace, &scenario.workload);
        if self.state == State::Replay {
            return self.replayed(prepared, (scenario, recorded.written), chosen, asks_past);
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

    fn replayed(
        &self,
        prepared: &Prepared,
        (scenario, written): (Scenario, Option<Time>),
        chosen: &Chosen,
        asks_past: bool,
    ) -> Result<(Scenario, Recorded), Failure> {
        let progress = Progress::of_jobs(&chosen.canonical(), scenario.workload.len());
        let tell = |done: usize| progress.tell(done as u64);
        let mut policy = chosen.build(&scenario.setting(prepared.reading.overrun))?;
        let (name, needs) = (chosen.canonical(), chosen.needs());
        // Past instants tell when their jobs started, which may be after the present one.
        let before = if asks_past {
            None
        } else {
            let until = self.instant(prepared, written)?;
            replayed_until(&scenario, (&name, needs), policy.as_mut(), (until, &tell))?
        };
        let schedule = match before {
            Some(schedule) => schedule,
            None => {
                let run = Run { progress: Some(&tell), ..Run::default() };
                engine::replay(&scenario, &name, needs, policy.as_mut(), run)?.0
            }
        };
        let workload = schedule.workload(&scenario.workload).clone().into();
        Ok((Scenario { workload, ..scenario }, Recorded { schedule, written, ..Recorded::default() }))
    }
}
