//! How jobs are ranked: the settings of `priority/multifactor`.

use batchlab_traces::notation::Bound;
use batchlab_traces::{Findings, Time};

use super::file::SystemError;
use super::settings::ConfSettings;
use super::values;
use crate::site::{Billing, FairshareRule, PriorityConfig, PriorityType, SlurmVersion, Weights};

pub(super) fn priority(
    settings: &ConfSettings<'_>,
    version: SlurmVersion,
    findings: &mut Findings,
) -> Result<PriorityConfig, SystemError> {
    let mut priority = PriorityConfig::of_version(version);
    kind(&mut priority, settings);
    weights(&mut priority.weights, settings, findings)?;
    times(&mut priority, settings, findings)?;
    priority.size.favors_small = values::yes(settings.text("priorityfavorsmall"));
    let dampening = settings.read("fairsharedampeningfactor", whole, findings)?;
    let dampening = dampening.map_or(1.0, |factor| factor.max(1.0));
    if let FairshareRule::Classic { .. } = priority.fairshare {
        priority.fairshare = FairshareRule::classic(dampening);
    }
    flags(&mut priority, dampening, settings, version);
    Ok(priority)
}

fn whole(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|weight| (0.0..=1e12).contains(weight))
}

fn kind(priority: &mut PriorityConfig, settings: &ConfSettings<'_>) {
    match settings.text("prioritytype").to_ascii_lowercase().as_str() {
        "priority/basic" => priority.kind = PriorityType::Basic,
        "priority/multifactor" => priority.kind = PriorityType::Multifactor,
        _ => {}
    }
}

fn weights(
    weights: &mut Weights,
    settings: &ConfSettings<'_>,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    for (key, weight) in [
        ("priorityweightage", &mut weights.age),
        ("priorityweightassoc", &mut weights.association),
        ("priorityweightfairshare", &mut weights.fairshare),
        ("priorityweightjobsize", &mut weights.size),
        ("priorityweightpartition", &mut weights.partition),
        ("priorityweightqos", &mut weights.qos),
    ] {
        *weight = settings.read(key, whole, findings)?.unwrap_or(0.0);
    }
    weights.tres = settings.read("priorityweighttres", values::weights, findings)?.unwrap_or_default();
    Ok(())
}

/// Reads how fast age counts, and how usage decays.
fn times(
    priority: &mut PriorityConfig,
    settings: &ConfSettings<'_>,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    if let Some(age) = settings.read("prioritymaxage", values::limit, findings)? {
        priority.max_age = age.most().unwrap_or(Time::FARTHEST);
    }
    if let Some(half_life) = settings.read("prioritydecayhalflife", values::limit, findings)? {
        priority.half_life = half_life.most().filter(|&half_life| half_life > Time::ZERO);
    }
    if let Some(Bound::Most(period)) = settings.read("prioritycalcperiod", values::limit, findings)? {
        priority.period = period.max(Time::from_secs(60));
    }
    priority.reset = settings.read("priorityusageresetperiod", values::reset, findings)?.unwrap_or_default();
    Ok(())
}

fn flags(priority: &mut PriorityConfig, dampening: f64, settings: &ConfSettings<'_>, version: SlurmVersion) {
    let mut is_oblivious = false;
    for flag in settings.text("priorityflags").split(',').map(|flag| flag.trim().to_ascii_uppercase()) {
        match flag.as_str() {
            "FAIR_TREE" => priority.fairshare = FairshareRule::FairTree,
            "ACCRUE_ALWAYS" => priority.accrue_always = true,
            "INCR_ONLY" => priority.increase_only = true,
            "MAX_TRES_GRES" if version.from(25, 5) => priority.billing = Billing::LargestBesideGres,
            // Older versions find the shorter word in the longer one.
            "MAX_TRES" | "MAX_TRES_GRES" => priority.billing = Billing::Largest,
            "NO_FAIR_TREE" => priority.fairshare = FairshareRule::classic(dampening),
            "NO_NORMAL_ALL" => priority.raw = [true; 4],
            "NO_NORMAL_ASSOC" => priority.raw[0] = true,
            "NO_NORMAL_PART" => priority.raw[1] = true,
            "NO_NORMAL_QOS" => priority.raw[2] = true,
            "NO_NORMAL_TRES" => priority.raw[3] = true,
            "SMALL_RELATIVE_TO_TIME" => priority.size.relative_to_time = true,
            // Without Fair Tree, whatever else the list has.
            "DEPTH_OBLIVIOUS" => is_oblivious = true,
            _ => {}
        }
    }
    if is_oblivious {
        priority.fairshare = FairshareRule::Classic { dampening, depth_oblivious: true };
    }
}
