//! The figure of the verdict: a forest plot of the main measure.

use super::main_measure;
use crate::report::plots::{PlotSpec, Selection, draw};
use crate::report::{Figure, NamedPlot};
use batchlab_engine::plot::{FigureSize, PageLayout};
use batchlab_study::experiment::{Frame, Parameter};
use batchlab_study::study::Study;

/// The name of its file.
pub const NAME: &str = "verdict";
/// The most rows, unless one point for each workload has more.
const ROWS: usize = 48;
/// The most rows in a paper: those of 85 % of a page of `llncs`, the lowest of the classes.
const ROWS_OF_PAPER: usize = 34;

/// Draws all policies against the baseline by the main measure; `None` if there is nothing to compare.
///
/// Of a sweep with many points it shows values of each parameter at equal steps, the first and the last among them.
pub fn figure(study: &Study<'_>, size: FigureSize) -> Option<NamedPlot> {
    let frame = study.frame();
    let baseline = frame.baseline.filter(|_| frame.policies.len() > 1)?;
    let metric = &frame.measures[main_measure(frame)?].metric;
    let most = if matches!(size, FigureSize::Paper(_)) { ROWS_OF_PAPER } else { ROWS };
    let selection = selection(frame, most);
    let is_part =
        selection.values.iter().zip(&frame.parameters).any(|(some, all)| some.len() < all.values.len());
    let spec =
        PlotSpec { layout: PageLayout::figure(size), ..PlotSpec::forest(NAME, metric, baseline, selection) };
    let figure = draw(&spec, study, &|_, _| None).map(|mut page| {
        if frame.parameters.iter().any(|of| own_load(of).is_some_and(|own| own > 0)) {
            page.caption.insert(1, "The load of the log itself, 1, comes first.".into());
        }
        if is_part {
            page.caption.insert(1, "Some points of the sweep are shown; the details have all.".into());
        }
        Figure::of(page, spec.layout)
    });
    Some(NamedPlot { name: NAME.into(), figure, is_schedule: false })
}

fn selection(frame: &Frame, most_rows: usize) -> Selection {
    let rows = |most: usize| {
        let points: usize = frame.parameters.iter().map(|of| of.values.len().min(most)).product();
        points * frame.workloads.len() * frame.policies.len()
    };
    let longest = frame.parameters.iter().map(|of| of.values.len()).max().unwrap_or(1);
    let most = (1..=longest).rev().find(|&most| rows(most) <= most_rows).unwrap_or(1);
    Selection {
        workloads: (0..frame.workloads.len()).collect(),
        policies: (0..frame.policies.len()).collect(),
        values: frame.parameters.iter().map(|of| chosen(of, most)).collect(),
        classes: vec![None],
    }
}

/// Returns at most `most` values of a parameter by position; the load of the log itself is among them and comes first.
fn chosen(parameter: &Parameter, most: usize) -> Vec<usize> {
    let positions = spread(parameter.values.len(), most);
    let Some(own) = own_load(parameter) else { return positions };
    // It takes the place of the value that is nearest in the order of the file, unless it is shown anyway.
    let nearest = positions.iter().copied().min_by_key(|at| at.abs_diff(own));
    let others = positions.into_iter().filter(|&at| at != own && Some(at) != nearest);
    std::iter::once(own).chain(others).collect()
}

/// Returns the position of the factor of load that leaves a log as it is.
fn own_load(parameter: &Parameter) -> Option<usize> {
    let is_own = |value: &String| value.trim().parse::<f64>() == Ok(1.0);
    (parameter.name == "load").then(|| parameter.values.iter().position(is_own))?
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

    #[test]
    fn the_load_of_the_log_itself_comes_first() {
        let parameter = |name: &str, values: &[&str]| Parameter {
            name: name.into(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let loads = parameter("load", &["0.6", "0.8", "1.0", "1.2", "1.4"]);
        assert_eq!(chosen(&loads, 5), [2, 0, 1, 3, 4]);
        assert_eq!(chosen(&loads, 3), [2, 0, 4]);
        assert_eq!(chosen(&loads, 2), [2, 4]);
        assert_eq!(chosen(&loads, 1), [2]);
        assert_eq!(chosen(&parameter("load", &["0.7", "0.9"]), 2), [0, 1]);
        assert_eq!(chosen(&parameter("rho", &["0.5", "1"]), 2), [0, 1]);
    }
}
