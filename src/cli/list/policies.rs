//! Entries of policies: their rules, and what they need and serve.

use batchlab_policies::external::GuestKind;
use batchlab_policies::spec::{Chosen, ParamKind};
use batchlab_policies::{Fact, Needs, PolicySpec};

use super::entry::{ListEntry, Parameter};

impl From<&PolicySpec> for ListEntry {
    fn from(spec: &PolicySpec) -> ListEntry {
        ListEntry {
            name: spec.name.into(),
            group: spec.family,
            summary: spec.summary.into(),
            source: spec.cite.words.into(),
            facts: [
                Some(("Rule", spec.rule.into())).filter(|_| !spec.rule.is_empty()),
                Some(("Needs", policy_needs(spec))),
                Some(("Calendar", on_calendars(spec).into())),
                Some(("Priorities", on_priorities(spec).into())),
            ]
            .into_iter()
            .flatten()
            .collect(),
            parameters: spec.params.iter().map(Parameter::from).collect(),
        }
    }
}

/// A policy by its spec; if a plug-in ranks jobs for it, the plug-in.
impl From<&Chosen> for ListEntry {
    fn from(chosen: &Chosen) -> ListEntry {
        let ranks = chosen.params().policies().find(|inner| inner.params().plugin().is_some());
        let chosen = ranks.unwrap_or(chosen);
        let mut entry = ListEntry::from(chosen.spec());
        if let Some(plugin) = chosen.params().plugin() {
            let kind = match plugin.about.kind {
                GuestKind::Order => format!("order, by {}", plugin.about.columns.join(", ")),
                GuestKind::Policy => "policy".into(),
            };
            entry.facts.insert(0, ("Kind", kind));
        }
        entry
    }
}

/// Returns what a policy does about a calendar of capacity.
fn on_calendars(spec: &PolicySpec) -> &'static str {
    if spec.params.iter().any(|param| matches!(param.kind, ParamKind::Policy)) {
        "as the policy within"
    } else if spec.needs.time_sharing {
        "takes no --calendar: it suspends or moves jobs"
    } else if spec.needs.foresees {
        "plans around the changes of --calendar that it knows (--foresight)"
    } else {
        "plans nothing ahead: it decides by what is in service"
    }
}

/// Returns what a policy does about tiers and preemption.
fn on_priorities(spec: &PolicySpec) -> &'static str {
    if spec.params.iter().any(|param| matches!(param.kind, ParamKind::Policy)) {
        "as the policy within"
    } else if spec.needs.tiers {
        "serves the tiers of --priorities in order; its jobs may preempt others"
    } else {
        "takes no --priorities: its queue has no tiers"
    }
}

/// Returns the needs of a policy that do not depend on its parameters, and where further needs are described.
fn policy_needs(spec: &PolicySpec) -> String {
    let takes = |kind: fn(&ParamKind) -> bool| spec.params.iter().any(|param| kind(&param.kind));
    let more = [
        (
            takes(|kind| matches!(kind, ParamKind::Order(_) | ParamKind::OrderOr(..))),
            "what its orders need: see `batchlab list orders`; what expressions read",
        ),
        (
            takes(|kind| matches!(kind, ParamKind::Predictor { .. })),
            "users for a predictor that looks at their jobs",
        ),
        (takes(|kind| matches!(kind, ParamKind::Policy)), "what the policy within needs"),
        (
            takes(|kind| matches!(kind, ParamKind::Limit(..))),
            "users, groups or partitions where limits are set",
        ),
    ];
    let more = more.into_iter().filter(|(taken, _)| *taken).map(|(_, what)| what);
    [needs(spec.needs).as_str()].into_iter().chain(more).collect::<Vec<_>>().join("; ")
}

pub(super) fn needs(needs: Needs) -> String {
    let each = [
        (needs.clairvoyance, "the actual run times"),
        (needs.time_sharing, "to pause, resume or move jobs"),
        (needs.pool, "a machine that is one pool"),
        (needs.installation, "the files of a Slurm installation (--slurm)"),
        (needs.spread, "a node for each task of a job"),
        (needs.classes, "interactive and batch jobs distinguished (--interactive)"),
        (needs.facts.has(Fact::Memory), "the memory of every job"),
        (needs.facts.has(Fact::User), "users"),
        (needs.facts.has(Fact::Group), "groups"),
        (needs.facts.has(Fact::Partition), "partitions"),
    ];
    let named: Vec<&str> = each.into_iter().filter(|(needed, _)| *needed).map(|(_, what)| what).collect();
    if named.is_empty() { "nothing in particular".into() } else { named.join("; ") }
}
