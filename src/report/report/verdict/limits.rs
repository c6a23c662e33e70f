//! Problems of the results, and questions that they do not answer.

use batchlab_traces::Level;
use batchlab_traces::arrange::Arrange as _;

use super::words;
use batchlab_study::experiment::{DesignPoint, Frame, UnitKind};
use batchlab_study::study::Study;
use batchlab_study::study::pitfalls::{Pitfall, saturated, untrimmed};

/// The most pitfalls that are listed here; the rest is in the findings.
const SHOWN: usize = 4;
/// The pitfall that is reported in the paragraphs instead.
pub(super) const SATURATED: &str = "saturated";

/// Returns the scope of the results, and the most serious pitfalls.
pub fn of(study: &Study<'_>, pitfalls: &[Pitfall]) -> Vec<String> {
    let mut sentences: Vec<String> = scope(study.frame());
    sentences.extend(empty_windows(pitfalls));
    let mut grave: Vec<&Pitfall> =
        pitfalls.iter().filter(|met| met.spec.level > Level::Note && met.spec.code != SATURATED).collect();
    grave.arrange_by_key(|met| std::cmp::Reverse(met.spec.level));
    for met in grave.iter().take(SHOWN) {
        let more = match met.cases.len() {
            1 => String::new(),
            cases => format!(" (and {} more)", cases - 1),
        };
        sentences.push(format!("Beware of {}: {}{more}.", met.spec.title, met.cases[0]));
    }
    if let Some(more) = grave.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        let findings = if more == 1 { "finding stands" } else { "findings stand" };
        sentences.push(format!("{more} more {findings} below."));
    }
    sentences
}

/// Returns the policies under which the machine is saturated at a design point; `None` if there are none.
pub fn of_design_point(frame: &Frame, design_point: &DesignPoint) -> Option<String> {
    let of = |policy: usize| Some((policy, saturated(frame, design_point, policy)?));
    let met: Vec<_> = (0..frame.policies.len()).filter_map(of).collect();
    let (_, first) = met.first()?;
    let names: Vec<String> = met.iter().map(|(policy, _)| frame.policies[*policy].label.clone()).collect();
    Some(format!(
        "The machine does not keep up under {} ({}): such values depend on the length of the replay.",
        words::list(&names),
        first.words()
    ))
}

/// Returns what units are, and hence what intervals and tests are about.
fn scope(frame: &Frame) -> Vec<String> {
    let of = |kind: UnitKind| {
        let names = frame.workloads.iter().filter(|of| of.units == kind).map(|of| of.name.clone());
        words::list(&names.collect::<Vec<_>>())
    };
    let about = [
        (UnitKind::Replications, "drawn from a model: the result holds for workloads of that model"),
        (UnitKind::Windows, "windows of one log each: the result holds for periods like those of that log"),
        (UnitKind::Blocks, "blocks of one replay each: the result holds for periods like those of that log"),
        (UnitKind::Draws, "drawn from one log each: the result holds for that log"),
        (UnitKind::Shaken, "one log each, with noise: this shows how stable values are, not how certain"),
        (UnitKind::One, "one replay each: the uncertainty of the values is unknown"),
    ];
    let told = about.into_iter().map(|(kind, words)| (of(kind), words));
    told.filter(|(names, _)| !names.is_empty()).map(|(names, words)| format!("{names}: {words}.")).collect()
}

/// Returns the workloads in windows that begin with an empty machine.
fn empty_windows(pitfalls: &[Pitfall]) -> Option<String> {
    let met = pitfalls.iter().find(|met| met.spec.code == untrimmed::SPEC.code)?;
    let begins = met.cases.iter().filter(|case| case.seen.ends_with(untrimmed::EMPTY));
    let names: Vec<String> = begins.filter_map(|case| case.about.workload.clone()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{}: {}, so that waits are too short, most of all under a policy that lets some jobs wait for long: add a prefix, or take \
             blocks in place of windows ({}).",
            words::list(&names),
            untrimmed::EMPTY,
            met.spec.code
        )
    })
}
