//! A summary over many points of a sweep.

use super::best_first::{self, BestFirst};
use super::{AgainstBaseline, Paragraph, limits, typical, words};
use crate::experiment::DesignPoint;
use crate::study::ContrastResult;
use batchlab_engine::table::Better;

/// Summarises a workload at many points: how often each policy is best, and how each compares with the
/// baseline.
pub fn paragraph(against_baseline: &AgainstBaseline<'_>, design_points: &[&DesignPoint]) -> Paragraph {
    let frame = against_baseline.study.frame();
    let of = |design_point: &&DesignPoint| {
        BestFirst::new(against_baseline.study, design_point, against_baseline.measure)
    };
    let orders: Vec<BestFirst> = design_points.iter().map(of).collect();
    let mut sentences = vec![wins(against_baseline, &orders)];
    sentences.extend(typical::at_several_points(against_baseline, &orders));
    let others = (0..frame.policies.len()).filter(|&policy| Some(policy) != frame.baseline);
    sentences.extend(others.filter_map(|policy| against(against_baseline, design_points, policy)));
    let saturated: Vec<String> = design_points
        .iter()
        .filter(|design_point| limits::of_design_point(frame, design_point).is_some())
        .map(|design_point| words::point(frame, design_point))
        .collect();
    if !saturated.is_empty() {
        sentences.push(format!(
            "The machine does not keep up under at least one policy at {} of {} points ({}): values there depend on how \
             long the replay was.",
            saturated.len(),
            design_points.len(),
            saturated.join("; ")
        ));
    }
    let about =
        design_points.first().map_or("", |design_point| frame.workloads[design_point.workload].name.as_str());
    Paragraph { about: format!("{about}, {} points", design_points.len()), sentences }
}

fn wins(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> String {
    let frame = against_baseline.study.frame();
    let measure = &frame.measures[against_baseline.measure];
    let part = |(rank, (policy, at)): (usize, (usize, usize))| {
        let of = if rank == 0 { format!(" of {} points", orders.len()) } else { String::new() };
        format!("{} at {at}{of}", frame.policies[policy].label)
    };
    let parts: Vec<String> = best_first::wins(frame, orders).into_iter().enumerate().map(part).collect();
    let (best, name) = (words::best(measure.better), words::name(measure));
    match &parts[..] {
        [] => format!("No policy has a {name} at any of {} points.", orders.len()),
        parts => format!("The {best} {name}: {}.", words::list(parts)),
    }
}

fn against(
    against_baseline: &AgainstBaseline<'_>,
    design_points: &[&DesignPoint],
    policy: usize,
) -> Option<String> {
    let frame = against_baseline.study.frame();
    let baseline = &frame.policies[frame.baseline?].label;
    let measure = &frame.measures[against_baseline.measure];
    let (mut better, mut worse, mut tested) = ([0, 0], [0, 0], 0);
    let mut ends: Option<[(f64, usize); 2]> = None;
    for (at, design_point) in design_points.iter().enumerate() {
        let Some(answer) = against_baseline.answer(design_point, policy) else { continue };
        let Some(direction) = answer.compared().direction() else { continue };
        let goodness = if measure.better == Better::Higher { direction } else { direction.reverse() };
        better[0] += usize::from(goodness.is_gt());
        worse[0] += usize::from(goodness.is_lt());
        better[1] += usize::from(answer.verdict == ContrastResult::Better);
        worse[1] += usize::from(answer.verdict == ContrastResult::Worse);
        tested += usize::from(answer.p.is_ok());
        if let Some(ratio) = answer.contrast.as_ratio().value {
            let [low, high] = ends.unwrap_or([(ratio, at); 2]);
            ends = Some([
                if ratio < low.0 { (ratio, at) } else { low },
                if ratio > high.0 { (ratio, at) } else { high },
            ]);
        }
    }
    let shown = |of: [usize; 2]| match (tested, of) {
        (0, [count, _]) => count.to_string(),
        (_, [count, shown]) => format!("{count} (shown at {shown})"),
    };
    let label = &frame.policies[policy].label;
    let mut sentence =
        format!("{label} against {baseline}: better at {}, worse at {}", shown(better), shown(worse));
    if let Some(ends) = ends {
        let [low, high] = ends.map(|(ratio, at)| {
            format!("{} ({})", words::ratio(ratio), words::point(frame, design_points[at]))
        });
        sentence.extend(["; from ", &low, " to ", &high]);
    }
    if tested == 0 {
        sentence += "; nothing was tested";
        let reason = design_points
            .iter()
            .find_map(|design_point| against_baseline.answer(design_point, policy)?.p.err());
        sentence += &reason.map_or_else(String::new, |reason| format!(": {reason}"));
    }
    Some(sentence + ".")
}
