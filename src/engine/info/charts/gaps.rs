//! The distribution of interarrival times, beside that of a Poisson process.

use super::Subject;
use super::distribution::{at_least, between, ecdf};
use crate::info::arrivals::{gaps, submits};
use crate::plot::{Axis, Panel, Stroke};

/// Points of the curve for a Poisson process.
const POINTS: usize = 100;

pub(super) fn panel(subject: &Subject<'_>) -> Panel {
    let title = "Interarrival times";
    let gaps = gaps(&submits(subject.trace, &subject.rows));
    let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
    if mean <= 0.0 {
        return Panel::without(title, "all jobs are submitted at one instant");
    }
    let longest = at_least(10.0, &gaps);
    let x = Axis::lengths("from a submission to the next, logarithmic", 1.0, longest);
    let poisson = x.scale.steps(POINTS).map(|gap| (gap, 100.0 * (1.0 - (-gap / mean).exp()))).collect();
    Panel::new(title, x, Axis::linear("share of gaps up to it (%)", 0.0, 100.0))
        .steps("log", Stroke::Solid, between(ecdf(gaps), 1.0, longest))
        .line("exponential with the same mean", Stroke::Dotted, poisson)
}
