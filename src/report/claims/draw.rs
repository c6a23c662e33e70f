//! A published number of single runs, judged by the interval in which further runs lie.

use super::figure::{factor, figures, percent};
use super::measured::Draws;
use super::{Expression, Measured, Verdict};
use crate::experiment::DesignPoint;
use crate::stats::{Interval, prediction};
use crate::study::Study;

/// Judges a value that was published as the mean of a number of runs, where the mean of our units is `measured`.
pub(super) fn judge(
    expression: &Expression,
    [measured, value]: [f64; 2],
    runs: u32,
    place: &DesignPoint,
    study: &Study<'_>,
) -> (Verdict, String, Measured) {
    let interval = expression.by_unit(place, study).and_then(|units| {
        prediction::interval(&units, runs, study.frame().level).map_err(|why| why.to_string())
    });
    match interval {
        Ok(of) => {
            let ends = [of.low, of.high];
            let told = words([measured, value], &of, runs);
            let verdict = if of.contains(value) { Verdict::Holds } else { Verdict::DoesNotHold };
            let draws = Some(Draws { runs, units: of.units, level: of.level });
            let measured = Measured { value: measured, interval: Some(ends), draws };
            (verdict, told, measured)
        }
        Err(why) => {
            let numbers = figures(&[measured, value]);
            let told = format!(
                "{} against {} published: it is not known where {} would lie, as {why}",
                numbers[0],
                numbers[1],
                subject(runs)
            );
            (Verdict::CannotBeChecked, told, Measured { value: measured, ..Measured::default() })
        }
    }
}

fn words([measured, value]: [f64; 2], interval: &Interval, runs: u32) -> String {
    let numbers = figures(&[measured, value, interval.low, interval.high]);
    let within = if interval.contains(value) { "within" } else { "outside" };
    let factor = if measured > 0.0 && value > 0.0 {
        format!("the mean is {} times the published value", factor(measured / value))
    } else {
        let off = figures(&[measured - value, interval.low, interval.high]).swap_remove(0);
        format!("the mean differs from the published value by {off}")
    };
    format!(
        "{} against {} published, {within} [{}, {}], where {} lies with {}; {factor}",
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        subject(runs),
        percent(interval.level)
    )
}

/// Returns what the interval is about, in words.
pub(super) fn subject(runs: u32) -> String {
    if runs == 1 { "one draw".into() } else { format!("the mean of {runs} draws") }
}
