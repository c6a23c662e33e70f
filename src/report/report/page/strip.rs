//! The units of a policy as strips of dots, above those of the baseline.

use maud::{Markup, html};

use crate::report::{Report, place};
use batchlab_engine::metrics::spoken;
use batchlab_engine::plot::LOOKS;
use batchlab_engine::table::{Better, Format, TimeUnit};
use batchlab_study::experiment::{DesignPoint, Measure};

/// The most strips of a policy.
const STRIPS: usize = 24;
/// The most dots in a strip.
const DOTS: usize = 200;
/// Width and height of a strip, in pixels of its own coordinate system.
const SIZE: (f64, f64) = (400.0, 30.0);
/// Ratio of the axis ends from which the axis is logarithmic.
const WIDE: f64 = 30.0;

/// Returns a strip of the main measure for each design point with several units.
pub fn strips(report: &Report<'_>, policy: usize) -> Markup {
    let frame = report.study.frame();
    let asked = |of: &Measure| !of.is_diagnostic && of.class.is_none() && of.better != Better::Neither;
    let Some(measure) = frame.measures.iter().position(asked) else { return Markup::default() };
    let design_points = frame.design_points();
    let has_units = |design_point: &&DesignPoint| frame.units(design_point, policy, measure).len() > 1;
    let several: Vec<&DesignPoint> = design_points.iter().filter(has_units).collect();
    let more = several.len().saturating_sub(STRIPS);
    let name = spoken::of(&frame.measures[measure].key);
    let beside = frame.baseline.filter(|baseline| *baseline != policy);
    html! {
        @if !several.is_empty() {
            p class="soft" {
                "The " (name) " of each unit"
                @if let Some(baseline) = beside { ", below in grey that of " (frame.policies[baseline].label) }
                ":"
            }
            div class="strips" {
                @for design_point in several.iter().take(STRIPS) { (strip(report, design_point, [Some(policy), beside], measure)) }
            }
            @if more > 0 { p class="soft" { (more) " more in results.csv." } }
        }
    }
}

fn strip(
    report: &Report<'_>,
    design_point: &DesignPoint,
    rows: [Option<usize>; 2],
    measure: usize,
) -> Markup {
    let frame = report.study.frame();
    let units = |policy: Option<usize>| -> Vec<f64> {
        let units = policy.map_or_else(Vec::new, |policy| frame.units(design_point, policy, measure));
        units.into_iter().map(|(_, value)| value).collect()
    };
    let [own, other] = rows.map(units);
    let values = || own.iter().chain(&other).copied();
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let is_log = least > 0.0 && most / least > WIDE;
    let place_of = |value: f64| {
        let along = if is_log {
            (value / least).ln() / (most / least).ln()
        } else {
            (value - least) / (most - least)
        };
        4.0 + (SIZE.0 - 8.0) * if along.is_finite() { along } else { 0.5 }
    };
    let format = Format::of(frame.measures[measure].unit, TimeUnit::Seconds);
    let decimals = format.decimals([least, most].into_iter());
    let look = rows[0].unwrap_or_default() % LOOKS;
    html! {
        div { (place(frame, design_point)) @if is_log { span class="soft" { " (log)" } } }
        div {
            svg viewBox={ "0 0 " (SIZE.0) " " (SIZE.1) } aria-hidden="true" {
                line x1="0" x2=(SIZE.0) y1="15" y2="15" stroke="currentColor" stroke-opacity=".2" {}
                g class={ "s" (look) } { (dots(&own, 9.0, ".55", place_of)) }
                g class="soft" { (dots(&other, 22.0, ".3", place_of)) }
            }
            div class="ends" {
                span { (format.print(least, decimals)) }
                span { (format.print(most, decimals)) " " (format.unit) }
            }
        }
    }
}

fn dots(values: &[f64], y: f64, opacity: &str, place: impl Fn(f64) -> f64) -> Markup {
    html! {
        @for value in values.iter().take(DOTS) {
            circle cx=(format!("{:.1}", place(*value))) cy=(y) r="3.5" fill="currentColor" fill-opacity=(opacity) {}
        }
    }
}
