//! The verdict: the forest plot, the sentences, and the comparisons behind them.

use maud::{Markup, html};

use super::shown;
use crate::report::{Conclusion, NamedPlot, Paragraph};

/// Returns what the results show; comparisons, method and limits are folded.
pub fn body(conclusion: &Conclusion, figure: Option<&NamedPlot>) -> Markup {
    html! {
        div class="answer" {
            @if let Some(plot) = figure { (shown::forest(plot)) }
            div class="words" { @for of in &conclusion.paragraphs { (paragraph(of)) } }
        }
        @if !conclusion.limits.is_empty() {
            details {
                summary { "What this does not say, and what to beware of" }
                ul class="prose" { @for limit in &conclusion.limits { li { (whole(limit)) } } }
            }
        }
        @if !conclusion.details.is_empty() {
            details {
                summary { "All comparisons with the baseline" }
                div class="words" { @for of in &conclusion.details { (paragraph(of)) } }
            }
        }
        @if !conclusion.basis.is_empty() {
            details {
                summary { "How policies are compared" }
                p class="prose" { (whole(&conclusion.basis.join(" "))) }
            }
        }
    }
}

fn paragraph(of: &Paragraph) -> Markup {
    html! {
        div class="verdict" {
            h3 { (of.about) }
            @for sentence in &of.sentences { p { (whole(sentence)) } }
        }
    }
}

/// Joins numbers to their units, and `p` to its value, with no-break spaces, so that they stay on one line.
fn whole(sentence: &str) -> String {
    sentence.replace(" %", "\u{a0}%").replace(" = ", "\u{a0}=\u{a0}").replace(" < ", "\u{a0}<\u{a0}")
}
