//! A summary over many points of a sweep.

use super::best_first::{BestFirst, wins, workload};
use super::{AgainstBaseline, Paragraph, limits, typical, words};
use batchlab_engine::table::Better;
use batchlab_study::study::ContrastResult;

/// Summarises a workload at many points: how often each policy is best, and how each compares with the
/// baseline.
pub fn paragraph(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> Paragraph {
    let frame = against_baseline.study.frame();
    let mut sentences = vec![most_wins(against_baseline, orders)];
    sentences.extend(typical::at_several_points(against_baseline, orders));
    let others = (0..frame.policies.len()).filter(|&policy| Some(policy) != frame.baseline);
    sentences.extend(others.filter_map(|policy| against(against_baseline, orders, policy)));
    let saturated: Vec<String> = orders
        .iter()
        .filter(|of| limits::of_design_point(frame, &of.design_point).is_some())
        .map(|of| words::point(frame, &of.design_point))
        .collect();
    if !saturated.is_empty() {
        sentences.push(format!(
            "The machine does not keep up under at least one policy at {} of {} points ({}): values there depend on how \
             long the replay was.",
            saturated.len(),
            orders.len(),
            saturated.join("; ")
        ));
    }
    Paragraph { about: format!("{}, {} points", workload(frame, orders), orders.len()), sentences }
}

fn most_wins(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> String {
    let frame = against_baseline.study.frame();
    let measure = &frame.measures[against_baseline.measure];
    let part = |(at, (policy, wins)): (usize, (usize, usize))| {
        let of = if at == 0 { format!(" of {} points", orders.len()) } else { String::new() };
        format!("{} at {wins}{of}", frame.policies[policy].label)
    };
    let parts: Vec<String> = wins(orders, frame.policies.len()).into_iter().enumerate().map(part).collect();
    let (best, name) = (words::best(measure.better), words::name(measure));
    match &parts[..] {
        [] => format!("No policy has a {name} at any of {} points.", orders.len()),
        parts => format!("The {best} {name}: {}.", words::list(parts)),
    }
}

fn against(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst], policy: usize) -> Option<String> {
    let frame = against_baseline.study.frame();
    let baseline = &frame.policies[frame.baseline?].label;
    let measure = &frame.measures[against_baseline.measure];
    let (mut better, mut worse, mut tested) = ([0, 0], [0, 0], 0);
    let mut ends: Option<[(f64, usize); 2]> = None;
    for (at, of) in orders.iter().enumerate() {
        let Some(answer) = against_baseline.answer(&of.design_point, policy) else { continue };
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
            format!("{} ({})", words::ratio(ratio), words::point(frame, &orders[at].design_point))
        });
        sentence.extend(["; from ", &low, " to ", &high]);
    }
    if tested == 0 {
        sentence += "; nothing was tested";
        let mut answers = orders.iter().filter_map(|of| against_baseline.answer(&of.design_point, policy));
        let reason = answers.find_map(|answer| answer.p.err());
        sentence += &reason.map_or_else(String::new, |reason| format!(": {reason}"));
    }
    Some(sentence + ".")
}
