//! Which dimension a plot spreads within a panel, and which one has a panel for each of its values.

use batchlab_traces::located::values::Verbatim;

use super::job_scatter::BY;
use super::keys::{PlotSection, Read};
use super::kind::Spread;
use super::selection::{Dimension, Selection};
use crate::report::tables::{Names, found, measured};

/// Returns the dimension spread within a panel, and the metric along x if there is one.
pub(super) fn spread(
    section: &PlotSection<'_>,
    names: &Names,
    selection: &Selection,
) -> Read<(Option<Dimension>, Option<String>)> {
    let kind = section.keys.kind;
    let key = kind.axis;
    let given = if key == "y" { &section.keys.y } else { &section.keys.x };
    let given = given.clone().map(|given| given.0);
    let open = |wanted: fn(Dimension) -> bool| {
        let several = |dimension: &Dimension| wanted(*dimension) && selection.count(*dimension) > 1;
        selection.dimensions().into_iter().find(several)
    };
    let is_parameter = |dimension: Dimension| matches!(dimension, Dimension::Parameter(_));
    match (kind.spread, given) {
        (Spread::Nothing | Spread::Rows, _) => Ok((None, None)),
        (Spread::Logs, _) => Ok((Some(Dimension::Workload), None)),
        (Spread::Metric, Some(name)) => {
            measured(section.key(key), &name, &names.metrics())?;
            Ok((None, Some(name)))
        }
        (Spread::Metric, None) => Err(section.error("a scatter plot needs `x`: the other metric")),
        (Spread::Jobs, given) => match given.unwrap_or_else(|| BY[0].into()) {
            by if BY.contains(&by.as_str()) => Ok((None, Some(by))),
            other => Err(section.key(key).unknown(&other, BY)),
        },
        (Spread::Names, None) if key == "y" => Ok((Some(Dimension::Class), None)),
        (Spread::Names, None) => Ok((open(|_| true).or(Some(Dimension::Workload)), None)),
        (Spread::Names, Some(name)) => match Dimension::find(&name, names) {
            Some(dimension) => Ok((Some(dimension), None)),
            None => Err(section.key(key).unknown(&name, dimension_names(names))),
        },
        (Spread::Numbers, None) => match open(is_parameter) {
            Some(dimension) => Ok((Some(numeric(section, names, dimension)?), None)),
            None => Err(section.error("a plot of lines needs `x`: a swept parameter or a metric")),
        },
        (Spread::Numbers, Some(name)) => match Dimension::find(&name, names).filter(|&it| is_parameter(it)) {
            Some(dimension) => Ok((Some(numeric(section, names, dimension)?), None)),
            None if names.metrics().contains(&name.as_str()) => match open(is_parameter) {
                Some(dimension) => Ok((Some(dimension), Some(name))),
                None => Err(section.wrong(key, "x is a metric, but no parameter is swept along the lines")),
            },
            None => {
                if found(&name).is_ok() {
                    measured(section.key(key), &name, &names.metrics())?;
                }
                let known = [names.parameter_names(), names.metrics()].concat();
                Err(section.key(key).unknown(&name, known))
            }
        },
    }
}

fn dimension_names(names: &Names) -> Vec<&str> {
    [vec!["workload", "class"], names.parameter_names()].concat()
}

fn numeric(section: &PlotSection<'_>, names: &Names, dimension: Dimension) -> Read<Dimension> {
    let Dimension::Parameter(parameter) = dimension else { return Ok(dimension) };
    let parameter = &names.parameters[parameter];
    match parameter.values.iter().find(|value| number(value).is_none()) {
        Some(value) => {
            let what =
                format!("the value `{value}` of `{}` is not a number: try kind = \"bars\"", parameter.name);
            Err(section.wrong("x", &what))
        }
        None => Ok(dimension),
    }
}

/// Returns the number that a parameter value stands for; a per cent sign is ignored.
pub(super) fn number(value: &str) -> Option<f64> {
    value.trim().trim_end_matches('%').trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the dimension that differs between panels: the one left when everything else has one value.
pub(super) fn panel(
    section: &PlotSection<'_>,
    names: &Names,
    selection: &Selection,
    spread: Option<Dimension>,
) -> Read<Option<Dimension>> {
    let several = |dimension: &Dimension| selection.count(*dimension) > 1 && Some(*dimension) != spread;
    let open: Vec<Dimension> = selection.dimensions().into_iter().filter(several).collect();
    let given = match &section.keys.panel {
        None => None,
        Some(Verbatim(name)) => match Dimension::find(name, names) {
            Some(dimension) if Some(dimension) == spread => {
                let what = format!("`{name}` is spread within each panel already");
                return Err(section.wrong("panel", &what));
            }
            Some(dimension) => Some(dimension),
            None => return Err(section.key("panel").unknown(name, dimension_names(names))),
        },
    };
    if section.keys.kind.spread == Spread::Rows {
        return Ok(given);
    }
    let panel = given.or(open.first().copied());
    match open.iter().find(|dimension| Some(**dimension) != panel) {
        None => Ok(panel),
        Some(dimension) => Err(section.error(&undecided(*dimension, selection, names))),
    }
}

fn undecided(dimension: Dimension, selection: &Selection, names: &Names) -> String {
    let count = selection.count(dimension);
    let (name, choice) = match dimension {
        Dimension::Workload => ("workload", "workloads = [\"...\"]".to_owned()),
        Dimension::Class => ("class", "classes = [\"...\"]".to_owned()),
        Dimension::Parameter(parameter) => {
            let name = names.parameters[parameter].name.as_str();
            (name, format!("where = {{ {name} = \"...\" }}"))
        }
    };
    format!(
        "`{name}` has {count} values here, and the plot shows one: choose with {choice}, or make a panel of each \
         with panel = \"{name}\""
    )
}
