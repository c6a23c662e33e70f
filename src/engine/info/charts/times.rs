//! Distributions of run times, requested times and waits.

use batchlab_traces::Field;

use super::Subject;
use super::distribution::{at_least, between, ecdf};
use crate::info::rows::secs;
use crate::plot::{Axis, Panel, Stroke};

pub(super) fn panel(subject: &Subject<'_>) -> Panel {
    let values = |field, least: f64| -> Vec<f64> {
        let known = subject.rows.iter().filter_map(|&row| secs(subject.trace, row, field));
        known.filter(|&value| value >= least).collect()
    };
    let curves = [
        ("run time", Stroke::Solid, values(Field::Run, 0.0)),
        ("requested", Stroke::Dashed, values(Field::RequestedTime, f64::MIN_POSITIVE)),
        ("wait", Stroke::Dotted, values(Field::Wait, 0.0)),
    ];
    let title = "Run times, requested times and waits";
    if curves.iter().all(|(_, _, values)| values.is_empty()) {
        return Panel::without(title, "no times are recorded");
    }
    let longest = at_least(10.0, curves.iter().flat_map(|(_, _, values)| values));
    let x = Axis::lengths("time, logarithmic", 1.0, longest);
    let mut panel = Panel::new(title, x, Axis::linear("share of jobs up to it (%)", 0.0, 100.0));
    for (name, stroke, values) in curves.into_iter().filter(|(_, _, values)| !values.is_empty()) {
        panel = panel.steps(name, stroke, between(ecdf(values), 1.0, longest));
    }
    panel
}
