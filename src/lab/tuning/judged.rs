//! The experiment that judges what was found.

use toml::{Table, Value};

use super::survey::{units_of, usage};
use crate::experiment::{Experiment, ExperimentError, ExperimentPlan};
use crate::lab::Failure;
use crate::tune::{Found, Goal, TuneFile, UnitRole};

/// Returns the file of the experiment: that of the search, with the units that the search has not seen, the policy that was
/// found beside those of the file, and claims about both.
///
/// # Errors
/// If the file is no TOML, which it was when it was read.
pub fn experiment(
    text: &str,
    name: &str,
    (file, goal): (&TuneFile, &Goal),
    original: &Experiment,
    plan: &ExperimentPlan,
    found: &Found,
) -> Result<String, Failure> {
    let mut table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| Failure::Usage(format!("{name}: {}", error.message())))?;
    table.retain(|section, _| section != "tune" && section != "space");
    let labels = labels(file, found);
    let baseline = original.policies[original.baseline.unwrap_or(0)].label.clone();
    if let Some(Value::Table(head)) = table.get_mut("experiment") {
        head.insert("name".into(), format!("{}-judged", original.name).into());
        head.insert("baseline".into(), baseline.clone().into());
    }
    let mut names = workloads(&mut table, file, plan)?;
    if file.keys.robust.unwrap_or(true) {
        names.extend(robust(&mut table, &names, original));
    }
    let policies = list(&mut table, "policy");
    for (label, candidate) in labels.iter().zip(&found.finalists) {
        policies.push(of(&[("label", label.clone().into()), ("spec", candidate.spec.clone().into())]));
    }
    measures(&mut table, goal);
    let chosen = labels.first().filter(|_| found.chosen == 1);
    if let Some(label) = chosen {
        let words = Words { label, baseline: &baseline };
        let claims = claims(&words, goal, &names, original);
        list(&mut table, "claim").extend(claims);
    }
    list(&mut table, "plot").extend(plot(goal, &baseline));
    let what = "a generated experiment is a table of texts and numbers";
    toml::to_string(&table).map_err(|error| Failure::Usage(format!("{name}: {what}: {error}")))
}

/// Returns the labels of those that are judged.
pub(super) fn labels(file: &TuneFile, found: &Found) -> Vec<String> {
    let label = file.label();
    match found.chosen {
        1 => vec![label.to_owned()],
        several => (1..=several).map(|at| format!("{label} {at}")).collect(),
    }
}

fn list<'a>(table: &'a mut Table, key: &str) -> &'a mut Vec<Value> {
    let list = table.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    if !list.is_array() {
        *list = Value::Array(Vec::new());
    }
    list.as_array_mut().unwrap_or_else(|| unreachable!("it is an array"))
}

fn of(pairs: &[(&str, Value)]) -> Value {
    Value::Table(pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

/// Restricts workloads to the units that judge, and returns their names.
fn workloads(table: &mut Table, file: &TuneFile, plan: &ExperimentPlan) -> Result<Vec<String>, Failure> {
    let judges = file.judges();
    let written = list(table, "workload");
    if written.len() != plan.workloads.len() {
        let what = ExperimentError::clone(&file.wrong("the file has other workloads than were planned"));
        return Err(usage(what));
    }
    for (at, (workload, facts)) in written.iter_mut().zip(&plan.workloads).enumerate() {
        let Some(workload) = workload.as_table_mut() else { continue };
        workload.insert("name".into(), facts.name.clone().into());
        if judges.contains(&facts.name) {
            continue;
        }
        let units = units_of(plan, at);
        let parts = file.split.roles(units.len());
        let judging =
            units.iter().zip(parts).filter(|(_, part)| *part == UnitRole::Judge).map(|(unit, _)| *unit);
        workload.insert("units".into(), ranges(judging).into());
    }
    Ok(plan.workloads.iter().map(|workload| workload.name.clone()).collect())
}

/// Returns ascending numbers as ranges: "3-5, 8".
fn ranges(numbers: impl Iterator<Item = u32>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, to)) if *to + 1 == number => *to = number,
            _ => ranges.push((number, number)),
        }
    }
    let word = |(from, to): (u32, u32)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    ranges.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

/// The step that shakes a log: its jobs are the same, and each is submitted up to a minute earlier or later.
const SHAKEN: &str = "[[step]]\nkind = \"shake\"\nsubmit = \"1min\"\n";

/// Adds workloads under other conditions, and returns their names: more load, other estimates, and a log that is shaken.
fn robust(table: &mut Table, names: &[String], original: &Experiment) -> Vec<String> {
    let swept = |key: &str| original.sweep.variables().contains(&key);
    let workloads = list(table, "workload");
    let mut added = Vec::new();
    for (at, workload_name) in names.iter().enumerate() {
        let Some(workload) = workloads.get(at).and_then(Value::as_table).cloned() else { continue };
        let number = |key: &str| workload.get(key).and_then(Value::as_float);
        let load = number("load").or_else(|| workload.get("load")?.as_integer().map(|load| load as f64));
        let mut conditions: Vec<(&str, String, Value)> = Vec::new();
        if !swept("load") && !workload.get("load").is_some_and(Value::is_str) {
            let load = load.unwrap_or(1.0) * 1.1;
            conditions.push(("load", "a tenth more load".into(), ((load * 1e6).round() / 1e6).into()));
        }
        if !swept("estimate") {
            let is_actual = workload.get("estimate").and_then(Value::as_str) == Some("actual");
            let (words, value) =
                if is_actual { ("requested times", "requested") } else { ("exact estimates", "actual") };
            conditions.push(("estimate", words.into(), value.into()));
        }
        if workload.contains_key("trace") && !workload.contains_key("steps") {
            conditions.push(("steps", "shaken".into(), SHAKEN.into()));
        }
        for (key, words, value) in conditions {
            let name = format!("{workload_name}, {words}");
            let mut other = workload.clone();
            other.insert("name".into(), name.clone().into());
            other.insert(key.into(), value);
            workloads.push(Value::Table(other));
            added.push(name);
        }
    }
    // Policies that are for some workloads only are for their other conditions, too.
    for policy in list(table, "policy").iter_mut().filter_map(Value::as_table_mut) {
        let Some(Value::Array(on)) = policy.get_mut("workloads") else { continue };
        let of_policy: Vec<String> = on.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect();
        let is_on = |name: &&String| of_policy.iter().any(|on| name.starts_with(&format!("{on}, ")));
        on.extend(added.iter().filter(is_on).map(|name| Value::from(name.clone())));
    }
    added
}

/// Adds the metrics of the goal to those that are measured.
fn measures(table: &mut Table, goal: &Goal) {
    let measure = table.entry("measure").or_insert_with(|| Value::Table(Table::new()));
    let Some(measure) = measure.as_table_mut() else { return };
    let metrics = list(measure, "metrics");
    let texts =
        goal.objectives.iter().map(|one| &one.words).chain(goal.constraints.iter().map(|one| &one.words));
    for key in texts.flat_map(|text| crate::tune::measures_of(text)) {
        let metric = key.split('@').next().unwrap_or_default();
        let is_there =
            |known: &Value| known.as_str().and_then(|known| known.split('=').next()) == Some(metric);
        if !metrics.iter().any(is_there) {
            metrics.push(metric.into());
        }
    }
}

struct Words<'a> {
    label: &'a str,
    baseline: &'a str,
}

fn claims(words: &Words<'_>, goal: &Goal, names: &[String], original: &Experiment) -> Vec<Value> {
    let Words { label, baseline } = words;
    let policies: Vec<Value> = original.policies.iter().map(|policy| policy.label.clone().into()).collect();
    let mut claims = Vec::new();
    for workload in names {
        let on: Value = Value::Array(vec![workload.clone().into()]);
        for key in goal.objectives.iter().flat_map(|objective| crate::tune::measures_of(&objective.words)) {
            let higher = goal.is_higher_better(&key);
            let order = if higher { [*baseline, *label] } else { [*label, *baseline] };
            let order: Vec<Value> = order.into_iter().map(Value::from).collect();
            let than = if higher { "higher" } else { "lower" };
            claims.push(of(&[
                ("says", format!("on {workload} {label} has a {than} {key} than {baseline}").into()),
                ("workloads", on.clone()),
                ("metric", key.clone().into()),
                ("order", order.into()),
                ("shown", true.into()),
            ]));
            if policies.len() > 1 && !higher {
                claims.push(of(&[
                    ("says", format!("on {workload} {label} has the lowest {key} of all policies").into()),
                    ("workloads", on.clone()),
                    ("metric", key.into()),
                    ("order", Value::Array(vec![(*label).into()])),
                    ("policies", policies.clone().into()),
                    ("shown", true.into()),
                ]));
            }
        }
        for constraint in &goal.constraints {
            let (key, factor, is_upper) = constraint.claim();
            let sign = if is_upper { "<=" } else { ">=" };
            let value = |policy: &str| {
                of(&[
                    ("policy", policy.into()),
                    ("metric", key.into()),
                    ("workload", workload.clone().into()),
                ])
            };
            let mut names = vec![("a", value(label))];
            let bound = match constraint.policy {
                Some(policy) => {
                    names.push(("b", value(&original.policies[policy].label)));
                    format!("{factor} * b")
                }
                None => factor.to_string(),
            };
            claims.push(of(&[
                ("says", format!("on {workload} {label} keeps {}", constraint.words).into()),
                ("let", of(&names)),
                ("expect", format!("a {sign} {bound}").into()),
                ("shown", true.into()),
            ]));
        }
    }
    claims
}

/// Returns the plot of the judgement; `None` where objectives are of different classes, which no plot has.
fn plot(goal: &Goal, baseline: &str) -> Option<Value> {
    let keys: Vec<String> =
        goal.objectives.iter().map(|one| crate::tune::measures_of(&one.words).remove(0)).collect();
    let split = |key: &'_ str| {
        key.split_once('@')
            .map_or((key.to_owned(), None), |(metric, class)| (metric.to_owned(), Some(class.to_owned())))
    };
    let (metric, class) = split(keys.first()?);
    let mut plot = match keys.get(1) {
        None => vec![("name", "judged".into()), ("kind", "forest".into()), ("relative", baseline.into())],
        Some(other) => {
            let (other, of_class) = split(other);
            if of_class != class {
                return None;
            }
            let panel = ("panel", "workload".into());
            vec![("name", "judged-front".into()), ("kind", "scatter".into()), ("x", other.into()), panel]
        }
    };
    plot.push(("metric", metric.into()));
    plot.extend(class.map(|class| ("classes", Value::Array(vec![class.into()]))));
    Some(of(&plot))
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_ranges() {
        assert_eq!(super::ranges([3, 4, 5, 8, 10, 11].into_iter()), "3-5, 8, 10-11");
        assert_eq!(super::ranges(std::iter::empty()), "");
    }
}
