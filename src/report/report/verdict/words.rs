//! Numbers and names in sentences.

use batchlab_engine::metrics::spoken::of as plain;
use batchlab_engine::table::{Better, Format, TimeUnit};
use batchlab_study::experiment::{DesignPoint, Frame, Measure, Parameter, UnitKind};
use batchlab_study::study::{Answer, ComparedNumber, ContrastResult};

/// Returns a measure's name in plain words: "mean bounded slowdown", "mean wait of class small".
pub fn name(measure: &Measure) -> String {
    let metric = plain(&measure.metric);
    match &measure.class {
        None => metric,
        Some(class) => format!("{metric} of class {class}"),
    }
}

/// Returns what a unit of a workload is.
pub fn unit_word(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::Windows => "window",
        UnitKind::Replications => "replication",
        UnitKind::Blocks => "block",
        UnitKind::Draws => "draw",
        UnitKind::Shaken | UnitKind::One => "run",
    }
}

pub fn best(better: Better) -> &'static str {
    if better == Better::Higher { "highest" } else { "lowest" }
}

/// Returns the name of a design point: "KTH-SP2, load 0.9".
pub fn design_point(frame: &Frame, design_point: &DesignPoint) -> String {
    let workload = frame.workloads[design_point.workload].name.clone();
    let point = point(frame, design_point);
    if point.is_empty() { workload } else { format!("{workload}, {point}") }
}

/// Returns the values of a design point's parameters: "load 0.9, estimate actual"; empty if nothing is swept.
pub fn point(frame: &Frame, design_point: &DesignPoint) -> String {
    let of = |(at, parameter): (usize, &Parameter)| {
        format!("{} {}", parameter.name, frame.value(design_point, at))
    };
    frame.parameters.iter().enumerate().map(of).collect::<Vec<_>>().join(", ")
}

pub fn value(measure: &Measure, value: f64) -> String {
    let format = Format::of(measure.unit, TimeUnit::Seconds);
    let number = format.print(value, format.decimals([value].into_iter()));
    if format.unit.is_empty() { number } else { format!("{number} {}", format.unit) }
}

/// Returns a level or a share: "95 %".
pub fn percent(share: f64) -> String {
    format!("{} %", (share * 1e7).round() / 1e5)
}

/// Returns a p-value: "p = 0.012".
pub fn p(p: f64) -> String {
    if p < 0.001 { "p < 0.001".into() } else { format!("p = {p:.3}") }
}

/// From this ratio on, a change is stated as a multiple.
const MULTIPLE: f64 = 3.0;

/// Returns how a policy's value differs from the baseline's, by what is tested: "12.3 % less".
pub fn change(measure: &Measure, answer: &Answer) -> Option<String> {
    let value = answer.compared().value?;
    Some(match answer.quantity {
        ComparedNumber::Ratio | ComparedNumber::RatioOfMeans => ratio(value),
        ComparedNumber::Difference => joined(&difference(measure, value)),
    })
}

/// Returns the range of several changes by one measure: "20.2 % to 69.8 % more". Differences if one of them has no ratio.
pub fn changes(measure: &Measure, answers: &[&Answer]) -> Option<String> {
    let has_ratios = answers.iter().all(|answer| answer.quantity != ComparedNumber::Difference);
    let compared = |answer: &&Answer| {
        let quantity = if has_ratios { answer.quantity } else { ComparedNumber::Difference };
        answer.contrast.by(quantity).value
    };
    let values: Vec<f64> = answers.iter().filter_map(compared).collect();
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some(match (has_ratios, low == high) {
        (true, true) => ratio(low),
        (true, false) => ratios(low, high),
        (false, true) => joined(&difference(measure, low)),
        (false, false) => between(&difference(measure, low), &difference(measure, high)),
    })
}

/// Returns a ratio as a change in words.
pub fn ratio(ratio: f64) -> String {
    joined(&as_change(ratio))
}

/// Returns a change and what it is a change from: "12.3 % less than EASY", "3.10 times as much as EASY".
pub fn than(change: &str, baseline: &str) -> String {
    let joint = if change.ends_with("as much") || change.ends_with("the same") { "as" } else { "than" };
    format!("{change} {joint} {baseline}")
}

/// Returns the interval of a change: "5.1 % less to 3.0 % more"; `None` if there is none.
pub fn interval(measure: &Measure, answer: &Answer) -> Option<String> {
    let of = answer.compared().interval.as_ref().ok()?;
    Some(match answer.quantity {
        ComparedNumber::Ratio | ComparedNumber::RatioOfMeans => ratios(of.low, of.high),
        ComparedNumber::Difference => between(&difference(measure, of.low), &difference(measure, of.high)),
    })
}

/// Returns a range of ratios as changes: "5.1 % to 9.3 % less", "5.1 % less to 3.0 % more".
pub fn ratios(low: f64, high: f64) -> String {
    if low >= 1.0 && high >= MULTIPLE {
        return format!("{low:.2} to {high:.2} times as much");
    }
    between(&as_change(low), &as_change(high))
}

/// An amount and its direction.
type Change = (String, &'static str);

fn as_change(ratio: f64) -> Change {
    let change = (ratio - 1.0) * 100.0;
    let percent = |change: f64| match change {
        below if below < 0.01 => "under 0.01 %".to_owned(),
        below if below < 0.1 => format!("{below:.2} %"),
        more => format!("{more:.1} %"),
    };
    match change {
        0.0 => ("the same".into(), ""),
        _ if ratio >= MULTIPLE => (format!("{ratio:.2}"), "times as much"),
        less if less < 0.0 => (percent(-less), "less"),
        more => (percent(more), "more"),
    }
}

fn difference(measure: &Measure, difference: f64) -> Change {
    match difference {
        0.0 => ("the same".into(), ""),
        less if less < 0.0 => (value(measure, -less), "less"),
        more => (value(measure, more), "more"),
    }
}

fn joined((amount, way): &Change) -> String {
    if way.is_empty() { amount.clone() } else { format!("{amount} {way}") }
}

fn between(low: &Change, high: &Change) -> String {
    // The smaller change first: for "less", the lower ratio is the larger change.
    match (low.1, high.1) {
        ("less", "less") => format!("{} to {} less", high.0, low.0),
        (one, other) if one == other && !one.is_empty() => format!("{} to {} {one}", low.0, high.0),
        _ => format!("{} to {}", joined(low), joined(high)),
    }
}

/// Returns the interval of a change and its p-value, or why there is none, and the change of means where that is another
/// number: "5.1 % less to 3.0 % more, p = 0.2; of means 2.0 % less".
pub fn surety(measure: &Measure, answer: &Answer) -> String {
    let surety = match (interval(measure, answer), answer.p) {
        (Some(ends), Ok(value)) => format!("{ends}, {}", p(value)),
        (None, Ok(value)) => p(value),
        (_, Err(reason)) => format!("not tested: {reason}"),
    };
    match answer.contrast.ratio_of_means.value {
        Some(means) if answer.quantity == ComparedNumber::Ratio && answer.contrast.units > 1 => {
            format!("{surety}; of means {}", ratio(means))
        }
        _ => surety,
    }
}

/// Returns what a test shows of a policy: "shown to be better".
pub fn shown(verdict: ContrastResult) -> &'static str {
    match verdict {
        ContrastResult::Better => "shown to be better",
        ContrastResult::Worse => "shown to be worse",
        ContrastResult::Differs => "shown to differ",
        ContrastResult::NoDifferenceShown => "no difference shown",
        ContrastResult::NoTest(_) => "not tested",
    }
}

/// Returns a number of points of several: "all 3 points", "2 of 3 points", "both points".
pub fn points(some: usize, all: usize) -> String {
    match (some, all) {
        (2, 2) => "both points".into(),
        (some, all) if some == all => format!("all {all} points"),
        (some, all) => format!("{some} of {all} points"),
    }
}

/// The most names that a sentence lists.
const NAMES: usize = 4;

/// Joins names, of many only the first ones: "a, b, c, d and 9 others".
pub fn some(mut names: Vec<String>) -> String {
    if names.len() > NAMES + 1 {
        let more = names.len() - NAMES;
        names.truncate(NAMES);
        names.push(format!("{more} others"));
    }
    list(&names)
}

/// Joins names: "a, b and c".
pub fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
