//! Whether a policy conforms to its own description.

use std::error::Error;

use batchlab_support::external::Plugin;
use batchlab_support::registry::Policies;
use batchlab_support::spec::{Chosen, ParamKind, ParamQuantity, ParamSpec, SpecText};

use super::{Check, legal};
use crate::conform::case::Case;
use crate::conform::suite::Suite;
use crate::conform::tally::Tally;

pub const CHECK: Check = Check {
    name: "describes",
    what: "its spec, printed back, is the same policy; its description does not contradict itself; and the values that \
           it declares for its parameters are taken, without misbehaving",
    how: "an order that looks at `wait` must not say that its scores stay while jobs wait; each parameter by itself: every word, the least number and the next, no limit and a small one; each value on \
          three cases for which the policy can be made, as in `legal`",
    run: |suite, tally| {
        prints_back(suite, tally);
        agrees_with_itself(suite, tally);
        let few: Vec<&Case> = suite.cases.iter().filter(|case| can_be_made(suite, case)).take(FEW).collect();
        for (subject, param) in declared(suite.chosen) {
            let values = values(&param.kind, param.default);
            if values.is_empty() {
                tally.skip(format!("{} takes {}: no value stands for others", param.name, param.kind));
            }
            for value in values {
                takes(suite, tally, subject, (param, &value), &few);
            }
        }
    },
};

/// The number of cases on which each value is tried.
const FEW: usize = 3;

fn prints_back(suite: &Suite<'_>, tally: &mut Tally<'_>) {
    let canonical = suite.chosen.canonical();
    match suite.registry.choose(&canonical) {
        Ok(again) if again == *suite.chosen && again.canonical() == canonical => tally.hold(),
        Ok(again) => {
            let other = again.canonical();
            tally.fail(format!("printed back as {canonical}, and read again as {other}"), suite.chosen, None);
        }
        Err(error) => {
            let what = format!("its spec printed back, {canonical}, is refused: {error}");
            tally.fail(what, suite.chosen, None);
        }
    }
}

/// Checks that the descriptions of the plug-in, or of the plug-ins within the policy, are consistent.
fn agrees_with_itself(suite: &Suite<'_>, tally: &mut Tally<'_>) {
    for plugin in plugins(suite.chosen) {
        match plugin.about.contradiction() {
            None => tally.hold(),
            Some(what) => tally.fail(what, suite.chosen, None),
        }
    }
}

/// Returns the plug-in that is the policy, or those that are values of its parameters.
fn plugins(chosen: &Chosen) -> Vec<&Plugin> {
    let params = chosen.params();
    let within = |param: &ParamSpec| params.policy(param.name).and_then(|within| within.params().plugin());
    params.plugin().into_iter().chain(chosen.spec().params.iter().filter_map(within)).collect()
}

fn can_be_made(suite: &Suite<'_>, case: &Case) -> bool {
    case.play().is_ok_and(|play| play.build(suite.chosen).is_ok())
}

/// Returns the parameters declared by the policy, or by the plug-ins within it, each with the parameter whose value the
/// plug-in is. A built-in policy around plug-ins is not tested, nor are a carrier's limits on time and memory.
fn declared(chosen: &Chosen) -> Vec<(Option<&'static str>, &ParamSpec)> {
    let (params, own) = (chosen.params(), chosen.spec().params);
    if let Some(plugin) = params.plugin() {
        return plugin.declared.iter().map(|param| (None, param)).collect();
    }
    let carried = |param: &ParamSpec| Some((param.name, params.policy(param.name)?.params().plugin()?));
    let within: Vec<_> = own.iter().filter_map(carried).collect();
    if within.is_empty() {
        return own.iter().map(|param| (None, param)).collect();
    }
    within
        .iter()
        .flat_map(|(name, plugin)| plugin.declared.iter().map(|param| (Some(*name), param)))
        .collect()
}

fn takes(
    suite: &Suite<'_>,
    tally: &mut Tally<'_>,
    within: Option<&str>,
    (param, value): (&ParamSpec, &str),
    few: &[&Case],
) {
    if tally.failed() {
        return;
    }
    match with(suite.registry, suite.chosen, within, (param.name, value)) {
        Ok(variant) => {
            tally.hold();
            tally.each(&variant, few.iter().copied(), legal::trial);
        }
        Err(error) => {
            let (name, kind) = (param.name, &param.kind);
            let what = format!("{name} takes {kind}, and {name}={value} is refused: {error}");
            tally.fail(what, suite.chosen, None);
        }
    }
}

/// Returns the policy, or the plug-in that is the value of one of its parameters, with a parameter set.
fn with(
    registry: &Policies,
    chosen: &Chosen,
    within: Option<&str>,
    (name, value): (&str, &str),
) -> Result<Chosen, Box<dyn Error>> {
    let mut text: SpecText = chosen.canonical().parse()?;
    match within {
        None => set(&mut text, name, value.into()),
        Some(order) => {
            let current = chosen.params().text(order);
            let bare = current.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(current);
            let mut plugin: SpecText = bare.parse()?;
            set(&mut plugin, name, value.into());
            set(&mut text, order, format!("({plugin})"));
        }
    }
    Ok(registry.choose(&text.to_string())?)
}

fn set(text: &mut SpecText, name: &str, value: String) {
    text.pairs.retain(|(key, _)| key != name);
    text.pairs.push((name.into(), value));
}

/// Returns values for a kind of parameter, its default first; none if it accepts anything.
fn values(kind: &ParamKind, default: &str) -> Vec<String> {
    let more: Vec<String> = match *kind {
        ParamKind::Text => return Vec::new(),
        ParamKind::Count { least, infinite } => {
            let counts = [least, least + 1].map(|count| count.to_string());
            counts.into_iter().chain(infinite.then(|| "inf".into())).collect()
        }
        ParamKind::Duration => ["none", "0", "60"].map(str::to_owned).into(),
        ParamKind::Span { words } => words.iter().copied().chain(["1", "60"]).map(str::to_owned).collect(),
        ParamKind::Predictor { .. } => {
            let words = kind.words().unwrap_or_default().into_iter().map(str::to_owned);
            words.chain(["expr(min(last2, 0.5*estimate))".to_owned()]).collect()
        }
        ParamKind::WaitLimit => ["none", "0", "60", "expr(2*estimate)"].map(str::to_owned).into(),
        ParamKind::NumberOr { least, words } => {
            let numbers = [least, least + 0.5].map(|number| number.to_string());
            numbers.into_iter().chain(words.iter().map(|&word| word.to_owned())).collect()
        }
        ParamKind::Limit(_, ParamQuantity::Jobs) => ["1", "2", "inf"].map(str::to_owned).into(),
        ParamKind::Limit(_, ParamQuantity::Procs) => ["64", "inf"].map(str::to_owned).into(),
        ParamKind::Policy => ["fcfs", "(easy:order=sjf)"].map(str::to_owned).into(),
        kind => kind.words().unwrap_or_default().into_iter().map(str::to_owned).collect(),
    };
    let other = more.into_iter().filter(|value| value != default);
    std::iter::once(default.to_owned()).chain(other).collect()
}

#[cfg(test)]
mod tests {
    use batchlab_policies::Registry;

    use super::*;

    #[test]
    fn every_value_of_a_kind_is_one_that_it_takes() {
        for spec in Registry::builtin().specs() {
            let chosen = Registry::builtin().choose(spec.name).unwrap();
            for param in spec.params {
                let values = values(&param.kind, param.default);
                assert!(values.first().is_none_or(|first| first == param.default), "{}", param.name);
                for value in values {
                    let variant = with(&Registry::builtin(), &chosen, None, (param.name, &value)).unwrap();
                    let bare = value.trim_matches(['(', ')']);
                    assert_eq!(variant.params().text(param.name).trim_matches(['(', ')']), bare);
                }
            }
        }
    }
}
