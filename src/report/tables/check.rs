//! Checks that a declared table can be filled.

use super::{Axis, Names, TableSpec};
use crate::experiment::{ExperimentError, Section, UnitKind};
use crate::study::Reason;

/// Refuses a table that cannot be filled.
///
/// # Errors
/// The key that is wrong, why, and what to write instead.
pub fn check(spec: &TableSpec, section: &Section<'_>, names: &Names) -> Result<(), ExperimentError> {
    let wrong = |key: &str, what: String| Err(section.wrong(key, &what));
    if let Some((key, what)) = axes(spec, names).or_else(|| cells(spec, names)).or_else(|| means(spec)) {
        return wrong(key, what);
    }
    Ok(())
}

type Wrong = Option<(&'static str, String)>;

fn axes(spec: &TableSpec, names: &Names) -> Wrong {
    if let Some(axis) = spec.rows.iter().find(|axis| spec.columns.contains(axis)) {
        return Some(("columns", format!("columns: `{}` is spread over the rows already", axis.name(names))));
    }
    for axis in Axis::all(names) {
        let (name, count) = (axis.name(names), spec.count(axis));
        let is_placed = spec.rows.contains(&axis) || spec.columns.contains(&axis);
        if count == 0 {
            return Some(("name", format!("nothing to show: the experiment has no {name}")));
        }
        if count > 1 && !is_placed {
            let choose = match axis {
                Axis::Parameter(_) => format!("where = {{ {name} = ... }}"),
                _ => format!("{} = [...]", plural(axis)),
            };
            let what = format!(
                "rows: {count} values of `{name}` would share a cell: put `{name}` among rows or columns, or \
                 choose one by {choose}"
            );
            return Some(("rows", what));
        }
    }
    None
}

fn plural(axis: Axis) -> &'static str {
    match axis {
        Axis::Workload => "workloads",
        Axis::Policy => "policies",
        Axis::Class => "classes",
        Axis::Metric | Axis::Parameter(_) => "metrics",
    }
}

fn cells(spec: &TableSpec, names: &Names) -> Wrong {
    if let Some(kind) = spec.cells.iter().find(|kind| kind.asks.needs_baseline())
        && spec.baseline.is_none()
    {
        let what = format!("cells: `{}` compares with a baseline, but the experiment has none", kind.name);
        return Some(("cells", what + ": set baseline to the label of a policy"));
    }
    let units: Vec<(&str, UnitKind)> =
        spec.workloads.iter().map(|&at| (names.workloads[at].0.as_str(), names.workloads[at].1)).collect();
    let inferring = spec.cells.iter().find(|kind| kind.asks == super::Asks::Inference).map(|kind| kind.name);
    if let Some(name) = inferring.or(spec.intervals.then_some("interval"))
        && let Some((workload, _)) = units.iter().find(|(_, units)| *units == UnitKind::Shaken)
    {
        let why = Reason::Shaken;
        let what = format!("cells: there is no `{name}` of {workload}, as {why}; show sd, range or flips");
        return Some(("cells", what));
    }
    let repeated = spec.cells.iter().find(|kind| kind.asks.needs_units()).map(|kind| kind.name);
    if let Some(name) = repeated.or(spec.intervals.then_some("interval"))
        && units.iter().all(|(_, units)| *units == UnitKind::One)
    {
        let what = format!(
            "cells: there is no `{name}` of a single replay: give the workload windows, blocks or replications"
        );
        return Some(("cells", what));
    }
    None
}

fn means(spec: &TableSpec) -> Wrong {
    let what = if !spec.geometric {
        return None;
    } else if spec.baseline.is_none() {
        "mean: the geometric mean is a mean of ratios to a baseline, but the experiment has none"
    } else if !spec.rows.contains(&Axis::Workload) || spec.workloads.len() < 2 {
        "mean: the geometric mean is one over workloads: have several of them over the rows"
    } else {
        return None;
    };
    Some(("mean", what.into()))
}
