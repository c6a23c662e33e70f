//! The figure of the verdict: a forest plot of the main measure.

use super::main_measure;
use crate::experiment::Frame;
use crate::report::plots::{PlotSpec, Selection, draw};
use crate::report::{Figure, NamedPlot};
use crate::study::Study;

/// The name of its file.
pub const NAME: &str = "verdict";
/// The most rows, unless one point for each workload has more.
const ROWS: usize = 48;

/// Draws all policies against the baseline by the main measure; `None` if there is nothing to compare.
///
/// Of a sweep with many points it shows values of each parameter at equal steps, the first and the last among them.
pub fn figure(study: &Study<'_>) -> Option<NamedPlot> {
    let frame = study.frame();
    let baseline = frame.baseline.filter(|_| frame.policies.len() > 1)?;
    let metric = &frame.measures[main_measure(frame)?].metric;
    let selection = selection(frame);
    let is_part =
        selection.values.iter().zip(&frame.parameters).any(|(some, all)| some.len() < all.values.len());
    let spec = PlotSpec::forest(NAME, metric, baseline, selection);
    let figure = draw(&spec, study, &|_, _| None).map(|mut page| {
        if is_part {
            page.caption.insert(1, "Some points of the sweep are shown; the details have all.".into());
        }
        Figure::of(page, spec.layout)
    });
    Some(NamedPlot { name: NAME.into(), figure, is_schedule: false })
}

fn selection(frame: &Frame) -> Selection {
    let rows = |most: usize| {
        let points: usize = frame.parameters.iter().map(|of| of.values.len().min(most)).product();
        points * frame.workloads.len() * frame.policies.len()
    };
    let longest = frame.parameters.iter().map(|of| of.values.len()).max().unwrap_or(1);
    let most = (1..=longest).rev().find(|&most| rows(most) <= ROWS).unwrap_or(1);
    Selection {
        workloads: (0..frame.workloads.len()).collect(),
        policies: (0..frame.policies.len()).collect(),
        values: frame.parameters.iter().map(|of| spread(of.values.len(), most)).collect(),
        classes: vec![None],
    }
}

/// Returns at most `most` of `count` positions at equal steps, from the first to the last; the first if only one may
/// be shown.
fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|at| if most == 1 { 0 } else { at * (count - 1) / (most - 1) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_at_equal_steps_with_both_ends() {
        assert_eq!(spread(3, 5), [0, 1, 2]);
        assert_eq!(spread(9, 3), [0, 4, 8]);
        assert_eq!(spread(5, 2), [0, 4]);
        assert_eq!(spread(5, 1), [0]);
    }
}
