//! What users had used at the instant of a queue, as slurmctld had counted it.

use std::sync::Arc;

use batchlab_traces::Time;

use crate::replay::engine::Scenario;

/// Returns a scenario whose Slurm installation knows the usage that `sshare` told for an instant; `None` if it told none.
pub fn with_told_usage(scenario: &Scenario, now: Time) -> Option<Scenario> {
    let mut site = scenario.slurm.clone()?;
    let usage = site.told.as_ref()?.usage.clone();
    let known = Arc::make_mut(&mut site);
    (known.used, known.used_has_running) = (Some((now, usage)), true);
    known.forget_changes_after(now);
    Some(Scenario { slurm: Some(site), ..scenario.clone() })
}
