//! The origin of the results.

use maud::{Markup, html};

use crate::report::Report;
use batchlab_study::experiment::condition_words;

/// Returns the program, the seed, the workloads with their conditions, readings and notes.
pub fn body(report: &Report<'_>) -> Markup {
    let manifest = &report.contents.manifest;
    html! {
        dl {
            dt { "program" } dd { (manifest.tool) }
            dt { "seed" } dd { (manifest.seed) }
            dt { "level of confidence" } dd { (manifest.level) }
            @if let Some(baseline) = &manifest.baseline { dt { "baseline" } dd { (baseline) } }
            @for parameter in &manifest.parameters {
                dt { (parameter.name) } dd { (parameter.values.join(", ")) }
            }
        }
        @for workload in &manifest.workloads {
            h3 { (workload.name) }
            ul {
                @if !workload.units_words.is_empty() { li { (workload.units_length()) } }
                li { (condition_words(&workload.conditions_at(|_| true))) }
            }
        }
        @if !manifest.readings.is_empty() {
            h3 { "Readings" }
            dl {
                @for reading in &manifest.readings {
                    dt { (reading.name) }
                    dd {
                        @for (name, value) in &reading.set { code { (name) " = " (value) } " " }
                        (reading.because.as_deref().unwrap_or_default())
                    }
                }
            }
        }
        @if !manifest.notes.is_empty() {
            h3 { "Notes" }
            ul { @for note in &manifest.notes { li { (note) } } }
        }
        h3 { "Metrics" }
        dl {
            @for measure in manifest.measures.iter().filter(|of| !of.is_diagnostic && of.class.is_none()) {
                dt { code { (measure.key) } } dd { (measure.definition) }
            }
        }
    }
}
