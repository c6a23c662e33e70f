//! Bounds of associations and service classes, by the names that `sacctmgr` gives them in tables and dumps.

use crate::site::{SlurmLimits, TresLimit};
use batchlab_traces::notation::Bound;
use thiserror::Error;

use super::values;

/// A bound that cannot be read, as it is written.
#[derive(Debug, Error)]
#[error("{0} cannot be read")]
pub(super) struct UnreadBound(String);

/// Reads the bounds of a row; `get` returns the value under one of several names.
pub(super) fn bounds<'a>(get: impl Fn(&[&str]) -> Option<&'a str>) -> Result<SlurmLimits, UnreadBound> {
    let unread = |name: &str, text: &str| UnreadBound(format!("{name}=`{text}`"));
    let count = |names: &[&str]| match get(names) {
        None => Ok(None),
        Some(text) => values::count(text).map(Bound::most).ok_or_else(|| unread(names[0], text)),
    };
    let tres = |names: &[&str]| -> Result<Vec<TresLimit>, UnreadBound> {
        match get(names) {
            None => Ok(Vec::new()),
            Some(text) => values::tres(text).ok_or_else(|| unread(names[0], text)),
        }
    };
    let wall = match get(&["maxwall", "maxwalldurationperjob", "maxwallpj"]).filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => values::limit(text).map(Bound::most).ok_or_else(|| unread("MaxWall", text))?,
    };
    Ok(SlurmLimits {
        group_jobs: count(&["grpjobs"])?,
        group_tres: tres(&["grptres"])?,
        group_run_minutes: tres(&["grptresrunmins", "grptresrunmin"])?,
        user_jobs: count(&["maxjobspu", "maxjobsperuser", "maxjobs"])?,
        user_tres: tres(&["maxtrespu", "maxtresperuser"])?,
        job_tres: tres(&["maxtres", "maxtrespj", "maxtresperjob"])?,
        wall,
        others: others(get),
    })
}

/// What is not followed, with its names in tables and dumps.
const OTHERS: &[(&str, &[&str])] = &[
    ("GrpTRESMins", &["grptresmins", "grptresmin"]),
    ("GrpWall", &["grpwall"]),
    ("GrpSubmit", &["grpsubmit", "grpsubmitjobs"]),
    ("GrpJobsAccrue", &["grpjobsaccrue"]),
    ("MaxTRESPerNode", &["maxtrespernode", "maxtrespn"]),
    ("MaxTRESMins", &["maxtresmins", "maxtresminspj", "maxtresminsperjob"]),
    ("MaxTRESPA", &["maxtrespa", "maxtresperacct", "maxtresperaccount"]),
    ("MaxJobsPA", &["maxjobspa", "maxjobsperacct", "maxjobsperaccount"]),
    ("MaxSubmitPA", &["maxsubmitpa", "maxsubmitjobspa", "maxsubmitjobsperaccount"]),
    (
        "MaxSubmitPU",
        &["maxsubmitpu", "maxsubmitjobspu", "maxsubmitjobsperuser", "maxsubmit", "maxsubmitjobs"],
    ),
    ("MaxJobsAccruePA", &["maxjobsaccruepa", "maxjobsaccrueperaccount"]),
    ("MaxJobsAccruePU", &["maxjobsaccruepu", "maxjobsaccrueperuser", "maxjobsaccrue"]),
    ("MaxTRESRunMinsPA", &["maxtresrunminspa", "maxtresrunminsperacct", "maxtresrunminsperaccount"]),
    ("MaxTRESRunMinsPU", &["maxtresrunminspu", "maxtresrunminsperuser", "maxtresrunmins"]),
    ("MinTRES", &["mintres", "mintrespj", "mintresperjob"]),
    ("MinPrioThresh", &["minpriothresh", "minpriothreshold"]),
    ("UsageThres", &["usagethres", "usagethreshold"]),
    ("LimitFactor", &["limitfactor"]),
];

/// Returns what is set and not followed, as `MaxJobsPA=2`. Zero is no bound of a factor or a threshold.
fn others<'a>(get: impl Fn(&[&str]) -> Option<&'a str>) -> Vec<String> {
    let of = |&(name, names): &(&str, &[&str])| {
        let value = get(names)?.trim();
        let is_share = matches!(name, "MinPrioThresh" | "UsageThres" | "LimitFactor");
        let is_none = is_share && value.parse::<f64>().is_ok_and(|value| value <= 0.0);
        (!value.is_empty() && value != "-1" && !is_none).then(|| format!("{name}={value}"))
    };
    OTHERS.iter().filter_map(of).collect()
}
