//! The verdict in words.

use maud::{Markup, html};

use crate::report::Conclusion;

/// Returns what the results show, the basis of it, and the limits.
pub fn body(conclusion: &Conclusion) -> Markup {
    html! {
        @for paragraph in &conclusion.paragraphs {
            div class="verdict" {
                h3 { (paragraph.about) }
                @for sentence in &paragraph.sentences { p { (whole(sentence)) } }
            }
        }
        @if !conclusion.basis.is_empty() { p class="soft prose" { (whole(&conclusion.basis.join(" "))) } }
        @if !conclusion.limits.is_empty() {
            div class="verdict limits" {
                h3 { "What this does not say, and what to beware of" }
                ul { @for limit in &conclusion.limits { li { (whole(limit)) } } }
            }
        }
    }
}

/// Joins numbers to their units, and `p` to its value, with no-break spaces, so that they stay on one line.
fn whole(sentence: &str) -> String {
    sentence.replace(" %", "\u{a0}%").replace(" = ", "\u{a0}=\u{a0}").replace(" < ", "\u{a0}<\u{a0}")
}
