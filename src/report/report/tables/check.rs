//! Checks that a declared table can be filled.

use super::cells::Shown;
use super::read::TableSection;
use super::{Axis, Baseline, Names, TableKind, TableSpec};
use batchlab_engine::table::Better;
use batchlab_study::experiment::{ExperimentError, UnitKind};
use batchlab_study::study::who::InfluenceQuantity;
use batchlab_study::study::{Pool, Reason};

/// Refuses a table that cannot be filled: the key that is wrong, why, and what to write instead.
pub(super) fn check(
    spec: &TableSpec,
    section: &TableSection<'_>,
    names: &Names,
) -> Result<(), ExperimentError> {
    let wrong = axes(spec, names)
        .or_else(|| cells(spec, names))
        .or_else(|| baselines(spec, section, names))
        .or_else(|| means(spec))
        .or_else(|| pooled(spec, names));
    wrong.map_or(Ok(()), |(key, what)| Err(section.wrong(key, &what)))
}

type Wrong = Option<(&'static str, String)>;

fn axes(spec: &TableSpec, names: &Names) -> Wrong {
    if let Some(axis) = spec.rows.iter().find(|axis| spec.columns.contains(axis)) {
        return Some(("columns", format!("columns: `{}` is spread over the rows already", axis.name(names))));
    }
    for axis in Axis::all(names) {
        let (name, count) = (axis.name(names), spec.count(axis));
        let is_placed = spec.rows.contains(&axis) || spec.columns.contains(&axis);
        if count == 0 && (axis != Axis::Baseline || is_placed) {
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
        Axis::Baseline => "baselines",
        Axis::Class => "classes",
        Axis::Metric | Axis::Parameter(_) => "metrics",
    }
}

fn cells(spec: &TableSpec, names: &Names) -> Wrong {
    if let Some(kind) = spec.cells.iter().find(|kind| kind.asks.needs_baseline())
        && spec.baselines.is_empty()
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

/// Refuses baselines that no cell is compared with.
fn baselines(spec: &TableSpec, section: &TableSection<'_>, names: &Names) -> Wrong {
    let key = ["baselines", "ratio_to"].into_iter().find(|key| section.has(key))?;
    if !spec.has_contrasts() && !spec.geometric {
        let what = format!("{key}: no cell compares: put `ratio` or another comparison among `cells`");
        return Some((key, what));
    }
    if let [of @ Baseline::Values(values)] = &spec.baselines[..]
        && values.iter().all(|&(parameter, value)| spec.values[parameter] == [value])
    {
        let label = of.label(names);
        return Some((key, format!("{key}: the table has no other values than {label} to compare with it")));
    }
    None
}

fn means(spec: &TableSpec) -> Wrong {
    let what = if spec.baselines.is_empty() {
        "mean: the geometric mean is a mean of ratios to a baseline, but the experiment has none"
    } else if !spec.rows.contains(&Axis::Workload) || spec.workloads.len() < 2 {
        "mean: the geometric mean is one over workloads: have several of them over the rows"
    } else {
        return None;
    };
    spec.geometric.then(|| ("mean", what.into()))
}

/// Refuses what a table with pooled units cannot show.
fn pooled(spec: &TableSpec, names: &Names) -> Wrong {
    let of = match spec.pool {
        Pool::Units => return None,
        Pool::Geometric => "of geometric means over units",
        Pool::Jobs => "over the jobs of all units",
    };
    let can = |name: &str| match name {
        "value" | "units" => true,
        "sd" => spec.pool == Pool::Jobs,
        _ => false,
    };
    if let Some(kind) = spec.cells.iter().find(|kind| !can(kind.name)) {
        return Some(("cells", format!("cells: there is no `{}` {of}", kind.name)));
    }
    if spec.intervals && spec.pool == Pool::Jobs {
        return Some(("cells", format!("cells: {}", Reason::Pooled)));
    }
    if spec.geometric || spec.best {
        let key = if spec.best { "best" } else { "mean" };
        return Some((key, format!("{key}: it is about means over units, and the table has values {of}")));
    }
    let shows_sd = spec.cells.iter().any(|kind| kind.shows == Shown::Deviation);
    for (metric, class) in
        spec.metrics.iter().flat_map(|metric| spec.classes.iter().map(move |class| (metric, class)))
    {
        let class = (class != super::names::ALL).then_some(class.as_str());
        let wrong = |what: String| Some(("pool", format!("pool: {what}")));
        if let Err(what) = spec.pool.check(&names.measures, metric, class) {
            return wrong(what);
        }
        let quantity = metric.split_once('_').map_or("", |(_, quantity)| quantity);
        let has =
            |key: String| names.measures.iter().any(|of| of.metric == key && of.class.as_deref() == class);
        if shows_sd && !metric.starts_with("mean_") {
            let what = format!("cells: there is no `sd` of {metric} over jobs; show it with mean_{quantity}");
            return Some(("cells", what));
        }
        if shows_sd && !has(format!("sd_{quantity}")) && !has(format!("var_{quantity}")) {
            return wrong(format!(
                "the deviation of {quantity} over jobs needs the metric `var_{quantity}` too"
            ));
        }
    }
    None
}

/// Keys that lay out values, which tables of the other kinds do not have.
const OF_VALUES: [&str; 11] = [
    "rows",
    "columns",
    "classes",
    "cells",
    "baselines",
    "ratio_to",
    "family",
    "form",
    "best",
    "mean",
    "pool",
];

/// Completes and checks a table of another kind than [`TableKind::Values`].
pub(super) fn check_kind(
    spec: &mut TableSpec,
    section: &TableSection<'_>,
    names: &Names,
) -> Result<(), ExperimentError> {
    let word = format!("{:?}", spec.kind).to_lowercase();
    if let Some(key) = OF_VALUES.iter().find(|key| section.has(key)) {
        return Err(section.wrong(key, &format!("a table of kind `{word}` has no `{key}`")));
    }
    let wrong = |what: &str| Err(section.wrong("metrics", &format!("metrics: {what}")));
    let is_given = section.keys.metrics.is_some();
    if spec.kind == TableKind::Pareto {
        let has_direction = |metric: &String| {
            names.measures.iter().any(|of| of.metric == *metric && of.better != Better::Neither)
        };
        return match spec.metrics.iter().find(|metric| !has_direction(metric)) {
            _ if !is_given || spec.metrics.len() < 2 => wrong("name the two or three that are traded off"),
            Some(metric) => wrong(&format!("of `{metric}` no direction is good")),
            None => Ok(()),
        };
    }
    let known = InfluenceQuantity::ALL.map(InfluenceQuantity::metric);
    let other = spec.metrics.iter().find(|metric| !known.contains(&metric.as_str()));
    if let Some(other) = other.filter(|_| is_given) {
        return wrong(&format!("of users there are {}, not `{other}`", known.join(" and ")));
    }
    spec.metrics.retain(|metric| known.contains(&metric.as_str()));
    match (spec.metrics.is_empty(), spec.baselines.is_empty()) {
        (true, _) => wrong(&format!("measure {}, which users are compared by", known.join(" or "))),
        (_, true) => {
            Err(section
                .wrong("baseline", "baseline: users are compared with themselves under another policy"))
        }
        _ => Ok(()),
    }
}
