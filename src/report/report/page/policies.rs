//! A section for each policy: its definition, its values, its units.

use maud::{Markup, html};

use super::{shown, strip};
use crate::report::Report;

/// The most specs that are listed for a policy whose parameters are swept.
const SPECS: usize = 12;

/// Returns the sections, folded.
pub fn body(report: &Report<'_>) -> Markup {
    let policies = &report.study.frame().policies;
    html! { @for policy in 0..policies.len() { (one(report, policy)) } }
}

fn one(report: &Report<'_>, policy: usize) -> Markup {
    let frame = report.study.frame();
    let facts = &frame.policies[policy];
    let mut specs: Vec<&str> = Vec::new();
    for line in report.contents.plan.iter().filter(|line| line.policy == policy) {
        if !specs.contains(&line.spec.as_str()) {
            specs.push(&line.spec);
        }
    }
    let more = specs.len().saturating_sub(SPECS);
    html! {
        details class="policy" id={ "policy-" (policy + 1) } {
            summary {
                (facts.label)
                @if frame.baseline == Some(policy) { span class="soft" { " (the baseline)" } }
            }
            dl {
                dt { "spec" } dd { code { (facts.spec) } }
                dt { "as run" }
                dd {
                    @for spec in specs.iter().take(SPECS) { div { code { (spec) } } }
                    @if more > 0 { div { (more) " more in plan.csv" } }
                }
            }
            @if let Ok(Some(table)) = report.of_policy(policy) { (shown::folded(&table, "Values")) }
            (strip::strips(report, policy))
        }
    }
}
