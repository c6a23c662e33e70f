//! What a search found, in words: the page `tuned.md`.

use std::fmt::Write as _;

use batchlab_traces::number::{counted, grouped};

use super::judged::labels;
use super::result::{CandidateStanding, SearchResult};
use super::survey::{goal_of, usage};
use crate::experiment::Frame;
use crate::experiment::folder::Contents;
use crate::lab::Failure;
use crate::tune::{Goal, JudgedStanding, Lean};

/// Returns the page, with the results on the units that judge.
///
/// # Errors
/// If those results are of another experiment.
pub fn words(search: &SearchResult, judged: Option<&Contents>) -> Result<String, Failure> {
    let baseline = &search.baseline;
    let mut text = format!("# {}: what the search found\n\n", search.name);
    let labels = labels(&search.file, &search.found);
    let Some(frame) = judged.map(Contents::frame) else {
        text += &nothing(search);
        return Ok(text);
    };
    let goal = goal_of(&search.file, &frame.measures, &search.policies).map_err(usage)?;
    let results: Vec<JudgedStanding> =
        labels.iter().map(|label| JudgedStanding::of(&frame, &goal, label, search.workloads)).collect();
    for candidate in &search.found.finalists[..labels.len()] {
        let _ = writeln!(text, "    {}", candidate.spec);
    }
    text += "\n";
    text += &ratios(search, &frame, &labels, &results, baseline);
    if let [result] = &results[..] {
        text += &verdict(search, result, &unit_by_unit(search, &frame, &labels[0]), baseline);
        text += &best_of_file(search, &frame, &goal, result);
        text += &formula(search);
        text += &sizes(search);
    }
    text += &searched(search);
    Ok(text)
}

fn number(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.3}"))
}

/// Returns the table of ratios: of what was found, and of the policies of the file.
fn ratios(
    search: &SearchResult,
    frame: &Frame,
    labels: &[String],
    results: &[JudgedStanding],
    baseline: &str,
) -> String {
    let objectives = &search.goal.objectives;
    let mut text = format!("Ratios to {baseline}; below 1 is better.\n\n| policy |");
    for objective in objectives {
        let _ = write!(text, " {}: fit | choose | judge |", objective.words);
    }
    let _ = write!(text, "\n|---|{}\n", "---:|---:|---:|".repeat(objectives.len()));
    let row = |label: &str, standing: &CandidateStanding, judged: &JudgedStanding| {
        let mut row = format!("| {label} |");
        for ([fit, choose], judged) in standing.ratios.iter().zip(&judged.ratios) {
            let _ = write!(row, " {} | {} | {} |", number(*fit), number(*choose), number(*judged));
        }
        row + "\n"
    };
    for ((label, standing), result) in labels.iter().zip(&search.standing).zip(results) {
        text += &row(label, standing, result);
    }
    let goal = goal_of(&search.file, &frame.measures, &search.policies);
    for standing in search.standing.iter().filter(|standing| standing.size.is_none()) {
        let judged =
            goal.as_ref().map(|goal| JudgedStanding::of(frame, goal, &standing.label, search.workloads));
        text += &judged.map_or_else(|_| String::new(), |judged| row(&standing.label, standing, &judged));
    }
    text + "\n"
}

/// Returns what the units that judge say, and what they could have said.
fn verdict(search: &SearchResult, result: &JudgedStanding, unit_by_unit: &str, baseline: &str) -> String {
    let objective = &search.goal.objectives[0];
    let level = search.level;
    let [fit, choose] = search.standing[0].ratios[0];
    let per_cent = |ratio: f64| {
        let change = (ratio - 1.0) * 100.0;
        if change < 0.0 { format!("{:.1} % lower", -change) } else { format!("{change:.1} % higher") }
    };
    let Some((ratio, score)) = result.ratios[0].zip(result.scores[0]) else {
        return "No unit that judges has a number: nothing is known.\n\n".into();
    };
    let units = counted(score.units as u64, "unit");
    let how = if objective.is_geometric { ", as the geometric mean of ratios" } else { "" };
    let of = format!("{} than that of {baseline} on the {units} that judge{how}", per_cent(ratio));
    let interval = score.interval(level);
    let is_shown = interval.is_some_and(|[_, upper]| upper < 0.0);
    let mut text = format!("{} is {of}", objective.words);
    if let Some(ends) = interval {
        let [lower, upper] = ends.map(|end| objective.ratio(end));
        let _ = write!(text, " ({:.0} % interval of the ratio {lower:.3} to {upper:.3})", level * 100.0);
    }
    text += ".";
    if !is_shown {
        let where_none = if unit_by_unit.is_empty() { "" } else { " in this mean" };
        let _ = write!(text, " **The search shows no gain{where_none}.**{unit_by_unit}");
    }
    let detectable = score.detectable(score.units, level).map(|least| 1.0 - objective.ratio(-least));
    if let Some(least) = detectable.filter(|least| (1e-4..0.95).contains(least)) {
        let _ = write!(text, " These units show a gain of {:.1} % in four of five cases.", least * 100.0);
    } else if detectable.is_some_and(|least| least > 0.5) {
        text += " These units differ so much that they would not show even a gain of nine tenths in four of five cases.";
    }
    text += "\n\n";
    if let (Some(fit), Some(choose)) = (fit, choose) {
        let _ = write!(
            text,
            "The winner's curse: its ratio was {fit:.3} on the units that fitted it, {choose:.3} on those that chose it among {}, \
             and is {ratio:.3} on those that judge. Only the last is an estimate: units differ, too, but the policies of the file \
             were fitted on none of them.\n\n",
            counted(search.found.finalists.len() as u64, "finalist"),
        );
    }
    text
}

/// Returns what the geometric mean of the units' ratios shows, if it shows a gain: a mean of seconds may hang on few units.
fn unit_by_unit(search: &SearchResult, frame: &Frame, label: &str) -> String {
    let objectives = &search.file.keys.objective.0;
    let Ok(goal) = Goal::read((objectives, Some(true)), &[], &frame.measures, &search.policies) else {
        return String::new();
    };
    let result = JudgedStanding::of(frame, &goal, label, search.workloads);
    let shown = result.ratios[0].zip(result.scores[0]).and_then(|(ratio, score)| {
        let ends = score.interval(search.level).filter(|[_, upper]| *upper < 0.0)?;
        let [lower, upper] = ends.map(|end| goal.objectives[0].ratio(end));
        Some(format!(
            " Unit by unit a gain is shown: the geometric mean of the units' ratios is {ratio:.3} ({:.0} % interval {lower:.3} to \
             {upper:.3}).",
            search.level * 100.0
        ))
    });
    shown.unwrap_or_default()
}

/// Returns how the result compares with the policy of the file that was best on the units that choose.
fn best_of_file(search: &SearchResult, frame: &Frame, goal: &Goal, result: &JudgedStanding) -> String {
    let choice = |standing: &CandidateStanding| standing.ratios[0][1].unwrap_or(f64::INFINITY);
    let of_file = search.standing.iter().filter(|standing| standing.size.is_none());
    let Some(best) = of_file.min_by(|a, b| choice(a).total_cmp(&choice(b))) else { return String::new() };
    if best.label == search.baseline {
        return String::new();
    }
    let other = JudgedStanding::of(frame, goal, &best.label, search.workloads);
    let Some(score) = result.against(&other).filter(|score| score.mean.is_finite()) else {
        return String::new();
    };
    let (objective, level) = (&goal.objectives[0], search.level);
    let interval = score.interval(level);
    let says = match interval {
        Some([_, upper]) if upper < 0.0 => "it beats the best policy of the file",
        Some([lower, _]) if lower > 0.0 => "it is worse than the best policy of the file",
        _ => "a gain over the best policy of the file is not shown",
    };
    // Numbers of ratios add as logarithms; those of means are shares of the baseline's mean.
    let told = |number: f64| if objective.is_geometric { objective.ratio(number) } else { number };
    let by = if objective.is_geometric {
        "the ratio to it is"
    } else {
        "the difference, as a share of the baseline's mean, is"
    };
    let interval = interval.map_or_else(String::new, |ends| {
        let [lower, upper] = ends.map(told);
        format!(", {:.0} % interval {lower:.3} to {upper:.3}", level * 100.0)
    });
    let by = format!("{by} {:.3}", told(score.mean));
    format!(
        "Of the policies of the file {} was the best on the units that choose. On those that judge {says}: {by}{interval}.\n\n",
        best.label
    )
}

/// Returns what a formula does with jobs.
fn formula(search: &SearchResult) -> String {
    let mut text = String::new();
    if let Some(before) = &search.found.before {
        let _ = write!(text, "Simplified, as what was left out is within noise, from\n\n    {before}\n\n");
    }
    if search.leanings.is_empty() {
        return text;
    }
    text += "Where the formula puts jobs in the queue, from 0 (first) to 1 (last), as one property changes and the others stay as \
             in the log:\n\n";
    text += &search.leanings.iter().map(lean).collect::<String>();
    text + "\n"
}

/// Returns the front over sizes as a table, if there is more than one size.
fn sizes(search: &SearchResult) -> String {
    let [_, _, ..] = &search.sizes[..] else { return String::new() };
    let mut text = format!(
        "By size, each with the least {} on the units that fit among candidates of its size and below:\n\n\
         | size | fit | choose | spec |\n|---:|---:|---:|---|\n",
        search.goal.objectives[0].words
    );
    for standing in &search.sizes {
        let [fit, choose] = standing.ratios[0];
        let size = standing.size.unwrap_or(0);
        let _ = writeln!(text, "| {size} | {} | {} | `{}` |", number(fit), number(choose), standing.spec);
    }
    text + "\n"
}

fn lean(lean: &Lean) -> String {
    let places: Vec<String> = lean
        .places
        .iter()
        .map(|(value, place)| format!("{place:.2} at {}", grouped(value.round().max(0.0) as u64)))
        .collect();
    let ends = lean.places.first().zip(lean.places.last());
    let does = match ends {
        Some((first, last)) if last.1 - first.1 > 0.1 => "large values wait",
        Some((first, last)) if first.1 - last.1 > 0.1 => "large values go first",
        _ => "hardly matters, or not in one direction",
    };
    format!("- {}: {does} ({})\n", lean.property, places.join(", "))
}

fn nothing(search: &SearchResult) -> String {
    let why = if search.goal.constraints.is_empty() {
        "no candidate could be measured".to_owned()
    } else {
        let words: Vec<&str> =
            search.goal.constraints.iter().map(|constraint| constraint.words.as_str()).collect();
        format!("no finalist is shown to keep {}", words.join(" and "))
    };
    format!("**Nothing was found: {why}.** The units that judge were not used.\n\n{}", searched(search))
}

fn searched(search: &SearchResult) -> String {
    let found = &search.found;
    let mut text = format!(
        "Searched: {} in {} on {} that fit and {} that choose, by {}{} with seed {}; the space has {}.",
        counted(found.candidates as u64, "candidate"),
        counted(found.replays as u64, "replay"),
        counted(search.units[0] as u64, "unit"),
        grouped(search.units[1] as u64),
        search.file.search.word(),
        if search.file.islands > 1 { format!(" on {} islands", search.file.islands) } else { String::new() },
        search.seed,
        counted(search.file.space.dimensions() as u64, "dimension"),
    );
    if found.is_exhausted {
        text += " It ended early, as it had proposed everything that it could.";
    }
    if let Some(failure) = &search.failure {
        let _ = write!(text, " Some candidates could not be replayed; the first: {failure}.");
    }
    text + "\n"
}
