//! How accurate predictions were: the histogram of run time / predicted run time.

use super::kind::{PLAIN, PlotKind, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use batchlab_engine::plot::{Axis, Panel, Stroke};
use batchlab_study::experiment::detail::accuracy::{ACCURACY as DETAIL, Accuracy, BINS, RUN_OVER_PREDICTION};

pub(super) static ACCURACY: PlotKind = PlotKind {
    name: "accuracy",
    what: "the histogram of run time / run time by which the policy planned: its prediction or the estimate",
    subject: Subject::Fixed(RUN_OVER_PREDICTION),
    detail: Some(&DETAIL),
    legend: "Share of the measured jobs of all units in each bin of 5 per cent, the lower end included: jobs that ran as \
             long as predicted are in the bin that begins at 100, jobs that were predicted too long are left of it; the \
             last bin has all of 200 per cent and more.",
    draw,
    ..PLAIN
};

/// The number of counted bins in one that is drawn.
const WIDE: usize = 5;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let mut histograms: Vec<(usize, Vec<f64>)> = Vec::new();
    for &policy in &part.policies {
        let units: Option<Vec<Accuracy>> = scene.details_of_units(&cell.design_point, policy);
        histograms.extend(units.map(|units| (policy, shares(&units))));
    }
    let highest = histograms.iter().flat_map(|(_, shares)| shares).copied().fold(0.0, f64::max);
    if highest == 0.0 {
        return Ok(vec![Panel::without(title, "no replay has the accuracy of its predictions")]);
    }
    let to = (BINS + WIDE) as f64;
    let mut x = Axis::linear(format!("{} (%)", scene.words(&scene.spec.metric)), 0.0, to);
    for tick in x.ticks.iter_mut().filter(|tick| tick.value == BINS as f64) {
        tick.label = format!("\u{2265} {BINS}");
    }
    let mut panel = Panel::new(title, x, Axis::linear("jobs (%)", 0.0, highest * 1.06));
    for (policy, shares) in histograms {
        let steps = shares.iter().enumerate().map(|(at, &share)| ((at * WIDE) as f64, share));
        let last = shares.last().map(|&share| (to, share));
        panel =
            panel.steps(scene.policy(policy), Stroke::Of(scene.look(policy)), steps.chain(last).collect());
    }
    Ok(vec![panel])
}

/// Returns the share of the jobs of all units in each bin, in per cent.
fn shares(units: &[Accuracy]) -> Vec<f64> {
    let jobs: usize = units.iter().map(|unit| unit.jobs).sum();
    let count =
        |from: usize| -> u64 { units.iter().flat_map(|unit| unit.counts.iter().skip(from).take(WIDE)).sum() };
    (0..=BINS).step_by(WIDE).map(|from| count(from) as f64 * 100.0 / jobs.max(1) as f64).collect()
}
