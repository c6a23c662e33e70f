//! The pitfalls that were found.

use batchlab_traces::Level;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::number::counted;
use maud::{Markup, html};

use batchlab_study::study::pitfalls::Pitfall;

/// The most cases of a pitfall: at first, and unfolded.
const AT_FIRST: usize = 3;
const SHOWN: usize = 12;

/// Returns the pitfalls, the most serious first; those that are only notes are folded.
pub fn body(pitfalls: &[Pitfall]) -> Markup {
    let (notes, mut grave): (Vec<&Pitfall>, Vec<&Pitfall>) =
        pitfalls.iter().partition(|met| met.spec.level == Level::Note);
    grave.arrange_by_key(|met| std::cmp::Reverse(met.spec.level));
    html! {
        @if pitfalls.is_empty() { p { "No pitfall was met." } }
        div class="findings" { @for met in grave { (one(met)) } }
        @if !notes.is_empty() {
            details {
                summary { (counted(notes.len() as u64, "note")) }
                div class="findings" { @for met in notes { (one(met)) } }
            }
        }
    }
}

fn one(met: &Pitfall) -> Markup {
    let (class, level) = match met.spec.level {
        Level::Loud => ("loud", "grave"),
        Level::Warning => ("warning", "warning"),
        Level::Note => ("note", "note"),
    };
    let shown = met.shown(SHOWN);
    let more = met.cases.len().saturating_sub(shown);
    let folded: Vec<_> = met.cases.iter().take(shown).skip(AT_FIRST).collect();
    html! {
        div class={ "finding " (class) } {
            h3 { span class="badge" { (level) } (met.spec.title) }
            ul { @for case in met.cases.iter().take(AT_FIRST) { li { (case) } } }
            details {
                summary {
                    "Why it misleads, and what to try"
                    @if met.cases.len() > AT_FIRST { ", and " (counted((met.cases.len() - AT_FIRST) as u64, "more case")) }
                }
                @if !folded.is_empty() { ul { @for case in folded { li { (case) } } } }
                @if more > 0 { p { (more) " more in findings.json" } }
                p { (met.spec.misleads) " " (met.spec.advice) }
                p class="soft" { (met.spec.cite) " \u{b7} " code { (met.spec.code) } }
            }
        }
    }
}
