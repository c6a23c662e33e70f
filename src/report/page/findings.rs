//! The pitfalls that were found.

use batchlab_traces::Level;
use maud::{Markup, html};

use crate::study::pitfalls::Pitfall;

/// The most cases that are listed for each pitfall.
const SHOWN: usize = 12;

/// Returns the pitfalls, the most serious first.
pub fn body(pitfalls: &[Pitfall]) -> Markup {
    let mut sorted: Vec<&Pitfall> = pitfalls.iter().collect();
    sorted.sort_by_key(|met| std::cmp::Reverse(met.spec.level));
    html! {
        @if sorted.is_empty() { p { "No pitfall was met." } }
        @for met in sorted { (one(met)) }
    }
}

fn one(met: &Pitfall) -> Markup {
    let (class, level) = match met.spec.level {
        Level::Loud => ("loud", "grave"),
        Level::Warning => ("warning", "warning"),
        Level::Note => ("note", "note"),
    };
    let more = met.cases.len().saturating_sub(SHOWN);
    html! {
        div class={ "finding " (class) } {
            h3 { span class="badge" { (level) } (met.spec.title) }
            ul {
                @for case in met.cases.iter().take(SHOWN) { li { (case) } }
                @if more > 0 { li { (more) " more in findings.json" } }
            }
            p { (met.spec.misleads) " " (met.spec.advice) }
            p class="soft" { (met.spec.cite) " \u{b7} " code { (met.spec.code) } }
        }
    }
}
