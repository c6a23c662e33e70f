//! A published number of single runs, judged by the interval in which further runs lie.

use super::figure::{factor, percent};
use super::{Draws, Expression, Measured, StatedNumber, Verdict};
use batchlab_engine::stats::prediction;
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::Study;

/// Judges a value that was published as the mean of a number of runs, where the mean of our units is `measured`.
pub(super) fn judge(
    expression: &Expression,
    measured: f64,
    stated: &StatedNumber,
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
            let verdict = if stated.meets(ends) { Verdict::Holds } else { Verdict::DoesNotHold };
            let draws = Draws { runs, units: of.units, level: of.level };
            let measured = Measured { value: measured, interval: Some(ends), draws: Some(draws) };
            (verdict, words(measured, stated, draws), measured)
        }
        Err(why) => {
            let measured = Measured { value: measured, ..Measured::default() };
            let told = format!(
                "{} against {} {}: it is not known where {} would lie, as {why}",
                measured.words(),
                stated.words(),
                stated.origin(),
                subject(runs)
            );
            (Verdict::CannotBeChecked, told, measured)
        }
    }
}

fn words(measured: Measured, stated: &StatedNumber, draws: Draws) -> String {
    let (value, origin) = (stated.nearest(measured.value), stated.origin());
    let [mean, low, high] = measured.numbers();
    let is_within = measured.interval.is_some_and(|ends| stated.meets(ends));
    let within = if is_within { "within" } else { "outside" };
    let off = if stated.to.is_some() && value == measured.value {
        format!("the mean is in the {origin} range")
    } else if measured.value > 0.0 && value > 0.0 {
        format!("the mean is {} times the {origin} value", factor(measured.value / value))
    } else {
        let off = Measured { value: measured.value - value, ..measured };
        format!("the mean differs from the {origin} value by {}", off.numbers()[0])
    };
    format!(
        "{mean} against {} {origin}, {within} [{low}, {high}], where {} lies with {}; {off}",
        stated.words(),
        subject(draws.runs),
        percent(draws.level)
    )
}

/// Returns what the interval is about, in words.
pub(super) fn subject(runs: u32) -> String {
    if runs == 1 { "one draw".into() } else { format!("the mean of {runs} draws") }
}
