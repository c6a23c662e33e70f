//! The claims and their verdicts.

use batchlab_traces::number::counted;
use maud::{Markup, html};

use crate::report::claims::{Checked, Verdict, intervals, statements};

/// Returns the claims in the order of the experiment; those that are part of another one stand folded below it.
pub fn body(claims: &[Checked]) -> Markup {
    let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let of = |verdict: Verdict| format!("{}: {}", verdict.words(), count(verdict));
    let all = Verdict::ALL.into_iter().filter(|verdict| count(*verdict) > 0);
    html! {
        p class="soft" { (all.map(of).collect::<Vec<_>>().join("; ")) @if let Some(kind) = intervals(claims) { ". " (kind) "." } }
        @for (claim, parts) in statements(claims) { (one(claim, &parts)) }
    }
}

fn one(claim: &Checked, parts: &[&Checked]) -> Markup {
    let class = match claim.verdict {
        Verdict::Holds => "yes",
        Verdict::DoesNotHold => "no",
        Verdict::HoldsUnderSome | Verdict::NotDecided | Verdict::Open | Verdict::CannotBeChecked => "open",
    };
    html! {
        div class={ "finding " (class) } {
            h3 { span class="badge" { (claim.words()) } (claim.says) }
            ul { @for reason in claim.reasons() { li { (reason) } } }
            @if let Some(source) = &claim.source { p class="soft" { (source) } }
            @if !parts.is_empty() {
                details {
                    summary { (counted(parts.len() as u64, "part")) }
                    @for part in parts { (one(part, &[])) }
                }
            }
        }
    }
}
