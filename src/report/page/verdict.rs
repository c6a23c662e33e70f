//! The verdict in words.

use maud::{Markup, html};

use crate::report::Conclusion;

/// Returns what is shown, on what basis, and what to beware of.
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

/// Keeps numbers and their units, and p and its value, on one line.
fn whole(sentence: &str) -> String {
    sentence.replace(" %", "\u{a0}%").replace(" = ", "\u{a0}=\u{a0}").replace(" < ", "\u{a0}<\u{a0}")
}
