//! What a reader must know about single numbers of a table.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::number::grouped;

use super::best::position;
use super::build::Filled;
use super::layout::CellSubject;
use crate::experiment::DesignPoint;
use crate::stats::Interval;
use crate::stats::caution::{Caution, least_covered};
use crate::study::{Reason, Side, Study, pitfalls};

/// Returns notes about units that were left out, the baselines' values if the table has ratios only, and
/// cautions.
pub fn notes(filled: &Filled<'_>, study: &Study<'_>) -> Vec<String> {
    let mut notes: Vec<String> = part(study).into_iter().collect();
    notes.extend(absent(filled, study));
    notes.extend(baselines(filled, study));
    add_new(&mut notes, filled.known().filter_map(|subject| left_out(filled, study, subject)));
    notes.extend(cut(filled, study));
    add_new(&mut notes, filled.known().flat_map(|subject| answers(filled, study, subject)));
    let cautions = least_covered(filled.known().flat_map(|subject| cautions(filled, study, subject)));
    notes.extend(cautions.iter().map(|caution| format!("caution: {}", caution.words())));
    notes
}

/// Adds those sentences to a list that it does not have. O(n log n): with many baselines, each cell has a note of its own.
fn add_new(list: &mut Vec<String>, sentences: impl Iterator<Item = String>) {
    let mut known: BTreeSet<String> = list.iter().cloned().collect();
    list.extend(sentences.filter(|sentence| known.insert(sentence.clone())));
}

/// Returns the number of missing replays, if the results are incomplete.
pub fn part(study: &Study<'_>) -> Option<String> {
    let (missing, all) = study.part()?;
    let (missing, all, are) =
        (grouped(missing as u64), grouped(all as u64), if missing == 1 { "is" } else { "are" });
    Some(format!("a part of the experiment: {missing} of {all} replays {are} missing"))
}

/// Returns why a policy of the table is not replayed on one of its workloads.
fn absent(filled: &Filled<'_>, study: &Study<'_>) -> Vec<String> {
    let (spec, frame) = (filled.layout.spec, study.frame());
    let shown = frame
        .absent
        .iter()
        .filter(|of| spec.workloads.contains(&of.workload) && spec.policies.contains(&of.policy));
    shown.map(|of| of.words(&frame.workloads[of.workload].name, &frame.policies[of.policy].label)).collect()
}

/// Returns the metrics with a printed interval that was cut at the end of the metric's domain.
fn cut(filled: &Filled<'_>, study: &Study<'_>) -> Option<String> {
    let spec = filled.layout.spec;
    let values = spec.intervals && spec.shows(&["value"]);
    let mut metrics = Vec::new();
    for subject in filled.known() {
        let Some(measure) = subject.measure else { continue };
        let estimate = study.pooled(spec.pool, &subject.design_point, subject.policy, measure);
        let answer = filled.answer(subject);
        let is_cut = |interval: &Result<Interval, Reason>| interval.as_ref().is_ok_and(|of| of.is_cut);
        let printed = answer.map(|answer| filled.printed(&answer.contrast)).unwrap_or_default();
        if values && is_cut(&estimate.interval) || printed.iter().any(|of| is_cut(&of.interval)) {
            position(&mut metrics, spec.metrics[subject.metric].replace('_', " "));
        }
    }
    (!metrics.is_empty()).then(|| {
        format!(
            "intervals of {} that would reach beyond the values that are possible end there: that they would is a sign of \
             few units, or of a few far above the others",
            metrics.join(", ")
        )
    })
}

/// Returns the cautions about the printed intervals of a cell.
fn cautions(filled: &Filled<'_>, study: &Study<'_>, subject: &CellSubject) -> Vec<Caution> {
    let spec = filled.layout.spec;
    let Some(measure) = subject.measure.filter(|_| spec.intervals) else { return Vec::new() };
    let estimate = study.pooled(spec.pool, &subject.design_point, subject.policy, measure).caution;
    let answer = filled.answer(subject);
    let printed = answer.map(|answer| filled.printed(&answer.contrast)).unwrap_or_default();
    let of_value = estimate.filter(|_| spec.shows(&["value"]));
    of_value.into_iter().chain(printed.into_iter().filter_map(|of| of.caution)).collect()
}

/// Returns notes on a contrast: that geometric mean and means give different answers and the table shows one of them, that
/// the difference is tested instead of the ratio, that the check by sign flips disagrees with the test.
fn answers(filled: &Filled<'_>, study: &Study<'_>, subject: &CellSubject) -> Vec<String> {
    let spec = filled.layout.spec;
    let Some((measure, answer)) = subject.measure.zip(filled.answer(subject)) else { return Vec::new() };
    let frame = study.frame();
    let (contrast, key) = (&answer.contrast, frame.measures[measure].key.replace('_', " "));
    let place = filled.layout.design_point_words(&subject.design_point);
    let about =
        format!("{place}, {}{}: {key}", frame.policies[subject.policy].label, against(filled, subject));
    let [ratios, of_means] =
        [&["ratio", "percent"][..], &["ratio_of_means", "percent_of_means"]].map(|of| spec.shows(of));
    let mut notes = Vec::new();
    if let (true, Some(typical), Some(means)) = (
        contrast.has_two_answers() && ratios != of_means,
        contrast.ratio.value,
        contrast.ratio_of_means.value,
    ) {
        let greatest = contrast.greatest.map_or_else(String::new, |share| {
            format!("; one unit makes up to {:.0} % of a sum", share * 100.0)
        });
        notes.push(format!(
            "{about} is \u{d7} {typical:.3} in a typical unit (geometric mean of the ratios) and \u{d7} {means:.3} of means \
             (units with large values weigh most){greatest}"
        ));
    }
    if answer.quantity != spec.quantity() {
        let ratio = if ratios { "its ratio is that of means, and " } else { "" };
        notes.push(format!(
            "{about} is not above 0 in a unit, and has no logarithm there: {ratio}the difference of means is tested"
        ));
    }
    let tests = spec.shows(&["p", "p_raw", "verdict"]) && !spec.shows(&["p_signs"]);
    if let (true, Ok(test), Some(signs)) =
        (tests && answer.compared().is_doubted(frame.level), &answer.test, &answer.compared().signs)
    {
        notes.push(format!(
            "{about}: exact sign flips, which assume less, give p = {:.3} where the {} gives {:.3}, each alone",
            signs.p,
            test.kind.words(),
            test.p
        ));
    }
    notes
}

fn left_out(filled: &Filled<'_>, study: &Study<'_>, subject: &CellSubject) -> Option<String> {
    let measure = subject.measure?;
    let key = &study.frame().measures[measure].key;
    let policy = &study.frame().policies[subject.policy].label;
    let design_point = filled.layout.design_point_words(&subject.design_point);
    let pool = filled.layout.spec.pool;
    let estimate = study.pooled(pool, &subject.design_point, subject.policy, measure);
    if estimate.left_out > 0 {
        let all = estimate.units + estimate.left_out;
        return Some(format!(
            "{design_point}, {policy}: {key} is undefined in {} of {all} units, which are left out",
            estimate.left_out
        ));
    }
    let answer = filled.answer(subject)?;
    let left_out = answer.contrast.left_out;
    (left_out > 0).then(|| {
        format!(
            "{design_point}, {policy}{}: {key} is compared in {} units; {left_out} have no pair",
            against(filled, subject),
            answer.contrast.units
        )
    })
}

/// Returns which baseline a contrast is with, if the table has several.
fn against(filled: &Filled<'_>, subject: &CellSubject) -> String {
    match &filled.layout.spec.baselines[..] {
        [] | [_] => String::new(),
        several => format!(" against {}", several[subject.baseline].label(filled.layout.names)),
    }
}

/// Returns the baselines' values, design point by design point, if cells compare with them and no cell shows
/// them, and whether they are saturated.
fn baselines(filled: &Filled<'_>, study: &Study<'_>) -> Vec<String> {
    let layout = &filled.layout;
    if !layout.spec.has_contrasts() {
        return Vec::new();
    }
    let is_shown = |_: &&CellSubject| layout.spec.shows(&["value"]);
    let shown: BTreeSet<Side> = filled.known().filter(is_shown).map(CellSubject::side).collect();
    let mut values: BTreeMap<(usize, DesignPoint, usize), Vec<String>> = BTreeMap::new();
    for subject in filled.known() {
        let Some((measure, baseline)) = subject.measure.zip(layout.spec.baselines.get(subject.baseline))
        else {
            continue;
        };
        let side = baseline.of(&subject.side());
        if shown.contains(&side) {
            continue;
        }
        let Side { design_point, policy } = side;
        let Some(value) = study.estimate(&design_point, policy, measure).value else { continue };
        let format = layout.format(subject.metric, &super::CELLS[0]);
        let number = format.print(value, format.decimals([value].into_iter()));
        let unit = if format.unit.is_empty() { String::new() } else { format!(" {}", format.unit) };
        let key = study.frame().measures[measure].key.replace('_', " ");
        position(
            values.entry((subject.baseline, design_point, policy)).or_default(),
            format!("{key} {number}{unit}"),
        );
    }
    let note = |((_, design_point, policy), values): ((usize, DesignPoint, usize), Vec<String>)| {
        let place = layout.design_point_words(&design_point);
        let is_saturated = pitfalls::saturated(study.frame(), &design_point, policy).is_some();
        let saturated = if is_saturated { " (saturated)" } else { "" };
        format!("{} at {place}: {}{saturated}", layout.names.policies[policy], values.join(", "))
    };
    values.into_iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search through the list for each sentence would take hours here.
    #[test]
    fn many_notes_are_gathered_once_each() {
        let long = "x".repeat(60);
        let sentences = || (0..300_000).map(|number| format!("{long}{}", number % 150_000));
        let mut notes = vec![format!("{long}7")];
        add_new(&mut notes, sentences());
        assert_eq!(notes.len(), 150_000);
        assert_eq!((&notes[0], &notes[1]), (&format!("{long}7"), &format!("{long}0")));
    }
}
