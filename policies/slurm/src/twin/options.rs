//! The parameters of a spec: what a file states otherwise, and how long the controller takes.

use std::sync::Arc;

use batchlab_contract::spec::{BuildError, ParamError, ParamKind, ParamSpec, Params, Setting};
use batchlab_traces::Time;

use super::clock::{Delays, ReactClock};
use crate::site::{ParameterNote, PriorityType, Scheduler, SlurmSite, SlurmSystem};

/// The name of the policy.
pub const NAME: &str = "slurm";

/// Which loops there are.
pub const TYPE: ParamSpec = ParamSpec {
    name: "type",
    kind: ParamKind::Choice(&["conf", "backfill", "builtin"]),
    default: "conf",
    help: "SchedulerType: as slurm.conf says (backfill without one), or one of the two",
    ..ParamSpec::PLAIN
};

/// The settings that win over those of `slurm.conf`: a line of it, as it is written there.
pub const PARAMETERS: ParamSpec = ParamSpec {
    name: "parameters",
    kind: ParamKind::Text,
    default: "none",
    help: "SchedulerParameters in parentheses, such as (bf_interval=60,bf_window=2880); they win over \
               those of slurm.conf",
    ..ParamSpec::PLAIN
};

/// The weights of priorities that win over those of `slurm.conf`.
pub const WEIGHTS: ParamSpec = ParamSpec {
    name: "weights",
    kind: ParamKind::Text,
    default: "none",
    help: "weights of multifactor priorities in parentheses, such as (age=1000,jobsize=500,fairshare=0); they win over \
               PriorityWeightAge and its like in slurm.conf",
    ..ParamSpec::PLAIN
};

/// From an event to the pass that it causes.
pub const REACT: ParamSpec = ParamSpec {
    name: "react",
    kind: ParamKind::Duration,
    default: "0.5",
    help: "time from an event to the pass that it causes: slurmctld looks once a second",
    ..ParamSpec::PLAIN
};

/// Whether that time is one for all events.
pub const CLOCK: ParamSpec = ParamSpec {
    name: "clock",
    kind: ParamKind::Choice(&["mean", "drawn", "ticks"]),
    default: "mean",
    help: "mean: every event waits for `react`; drawn: each one for a time drawn from 0 to 2 s, the second that \
               a log leaves open and that of slurmctld's clock; ticks: until the next second of slurmctld's clock, whose phase is \
               drawn, and so are the phases of its loops that the log leaves open",
    ..ParamSpec::PLAIN
};

/// From the end of a job until its nodes are free.
pub const COMPLETE: ParamSpec = ParamSpec {
    name: "complete",
    kind: ParamKind::Duration,
    default: "none",
    help: "time from the end of a job until its nodes are free (epilog)",
    ..ParamSpec::PLAIN
};

/// By which command jobs are submitted.
pub const SUBMIT: ParamSpec = ParamSpec {
    name: "submit",
    kind: ParamKind::Choice(&["sbatch", "srun"]),
    default: "sbatch",
    help: "how jobs are submitted: sbatch leaves them to the main loop, srun tries them at once",
    ..ParamSpec::PLAIN
};

/// From the first submission to the first backfill cycle.
pub const PHASE: ParamSpec = ParamSpec {
    name: "phase",
    kind: ParamKind::Duration,
    default: "none",
    help: "time of the first backfill cycle after the first submission; none for as the log tells (column \
               started_by), else at once",
    ..ParamSpec::PLAIN
};

/// Returns the installation.
pub fn site<'a>(setting: &'a Setting<'_>) -> Result<&'a Arc<SlurmSite>, BuildError> {
    let Some(site) = setting.installation.and_then(|site| site.downcast_ref::<Arc<SlurmSite>>()) else {
        return Err(BuildError::Unfit("slurm: there is no installation".into()));
    };
    if setting.machine.devices().is_some() {
        return Err(BuildError::Unfit(
            "slurm: it counts whole GPUs; leave `device` out of the machine".into(),
        ));
    }
    Ok(site)
}

/// Returns the settings of the loops: those of the installation, and what the parameters state otherwise.
pub fn scheduler(params: &Params, installed: &Scheduler) -> Result<Scheduler, BuildError> {
    let mut scheduler = installed.clone();
    if params.is(&TYPE, "builtin")? {
        scheduler.backfill.interval = None;
    } else if params.is(&TYPE, "backfill")? && scheduler.backfill.interval.is_none() {
        scheduler.backfill.interval = Scheduler::default().backfill.interval;
    }
    let given = params.text(PARAMETERS.name);
    let given = given.strip_prefix('(').and_then(|given| given.strip_suffix(')')).unwrap_or(given);
    if given != "none"
        && let Some(note) = scheduler.set(given).into_iter().next()
    {
        let (ParameterNote::Unknown(what) | ParameterNote::Unsupported(what) | ParameterNote::Value(what)) =
            note;
        return Err(BuildError::Unfit(format!("slurm: parameters: {what}")));
    }
    Ok(scheduler)
}

/// Returns the installation, with the weights of priorities that the parameters state otherwise.
pub fn weighted(params: &Params, site: &Arc<SlurmSite>) -> Result<Arc<SlurmSite>, BuildError> {
    let given = params.text(WEIGHTS.name);
    if given == "none" {
        return Ok(Arc::clone(site));
    }
    let wrong = |what: &str| BuildError::Unfit(format!("slurm: weights: {what}"));
    if site.system.priority.kind != PriorityType::Multifactor {
        return Err(wrong(
            "the installation has no PriorityType=priority/multifactor, so that weights change nothing",
        ));
    }
    let mut system = SlurmSystem::clone(&site.system);
    let weights = &mut system.priority.weights;
    let given = given.strip_prefix('(').and_then(|given| given.strip_suffix(')')).unwrap_or(given);
    for pair in given.split(',') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let weight = match name.trim().to_ascii_lowercase().as_str() {
            "age" => &mut weights.age,
            "assoc" => &mut weights.association,
            "fairshare" => &mut weights.fairshare,
            "jobsize" => &mut weights.size,
            "partition" => &mut weights.partition,
            "qos" => &mut weights.qos,
            _ => {
                return Err(wrong(&format!(
                    "`{pair}` is no age, assoc, fairshare, jobsize, partition or qos with a weight"
                )));
            }
        };
        let value: Option<u32> = value.trim().parse().ok();
        *weight = f64::from(value.ok_or_else(|| wrong(&format!("`{pair}` has no whole number from 0")))?);
    }
    let mut site = SlurmSite::clone(site);
    site.system = Arc::new(system);
    Ok(Arc::new(site))
}

/// Returns how long the controller takes.
pub fn delays(params: &Params) -> Result<Delays, ParamError> {
    let duration = |param: &ParamSpec| params.duration(param.name).unwrap_or(Time::ZERO);
    Ok(Delays {
        react: duration(&REACT),
        clock: if params.is(&CLOCK, "drawn")? {
            ReactClock::Drawn
        } else if params.is(&CLOCK, "ticks")? {
            ReactClock::Ticks
        } else {
            ReactClock::Mean
        },
        complete: duration(&COMPLETE),
        phase: params.duration(PHASE.name),
        tries: params.is(&SUBMIT, "srun")?,
    })
}
