//! The claims and their verdicts.

use maud::{Markup, html};

use crate::report::claims::{Checked, Verdict};

/// Returns the claims in the order of the experiment.
pub fn body(claims: &[Checked]) -> Markup {
    let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let of = |verdict: Verdict| format!("{}: {}", verdict.words(), count(verdict));
    let all = Verdict::ALL.into_iter().filter(|verdict| count(*verdict) > 0);
    html! {
        p class="soft" { (all.map(of).collect::<Vec<_>>().join("; ")) }
        @for claim in claims { (one(claim)) }
    }
}

fn one(claim: &Checked) -> Markup {
    let class = match claim.verdict {
        Verdict::Holds => "yes",
        Verdict::DoesNotHold => "no",
        Verdict::HoldsUnderSome | Verdict::Open | Verdict::CannotBeChecked => "open",
    };
    html! {
        div class={ "finding " (class) } {
            h3 { span class="badge" { (claim.words()) } (claim.says) }
            ul { @for reason in claim.reasons() { li { (reason) } } }
            @if let Some(source) = &claim.source { p class="soft" { (source) } }
        }
    }
}
