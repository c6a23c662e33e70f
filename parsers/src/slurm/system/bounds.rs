//! Bounds of associations and service classes, by the names that `sacctmgr` gives them in tables and dumps.

use batchlab_traces::slurm::{Bounds, TresLimit};

use super::values::{self, Bound};

/// Reads the bounds of a row; `get` returns the value under one of several names. Returns the name of the first value that
/// cannot be read.
pub(super) fn bounds<'a>(get: impl Fn(&[&str]) -> Option<&'a str>) -> Result<Bounds, String> {
    let count = |names: &[&str]| match get(names) {
        None => Ok(None),
        Some(text) => values::count(text).map(Bound::most).ok_or_else(|| format!("{}={text}", names[0])),
    };
    let tres = |names: &[&str]| -> Result<Vec<TresLimit>, String> {
        match get(names) {
            None => Ok(Vec::new()),
            Some(text) => values::tres(text).ok_or_else(|| format!("{}={text}", names[0])),
        }
    };
    let wall = match get(&["maxwall", "maxwalldurationperjob", "maxwallpj"]).filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => values::limit(text).map(Bound::most).ok_or_else(|| format!("MaxWall={text}"))?,
    };
    Ok(Bounds {
        group_jobs: count(&["grpjobs"])?,
        group_tres: tres(&["grptres"])?,
        group_run_minutes: tres(&["grptresrunmins", "grptresrunmin"])?,
        user_jobs: count(&["maxjobspu", "maxjobsperuser", "maxjobs"])?,
        user_tres: tres(&["maxtrespu", "maxtresperuser"])?,
        job_tres: tres(&["maxtres", "maxtrespj", "maxtresperjob"])?,
        wall,
    })
}
