use batchlab_support::registry::Policies;
use batchlab_support::spec::{ParamKind, ParamSpec, SpecText};
use batchlab_traces::Level;
use batchlab_traces::sorted::SortedSet;

use crate::experiment::PolicyFacts;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "different-costs",
    level: Level::Warning,
    title: "policies that pay different costs for switching, migrating or swapping",
    misleads: "A row that states its own costs is compared with rows that pay the scenario's: part of the \
        difference between them is due to the machines, not to the policies.",
    advice: "Set costs once for the whole experiment (cost = \"switch=0.05,migrate=30s\"), or sweep them for all policies.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let stated: Vec<Stated<'_>> =
        evidence.frame.policies.iter().flat_map(|policy| costs(policy, evidence.policies)).collect();
    let names: SortedSet<&str> = stated.iter().map(|stated| stated.cost).collect();
    let case = |name: &str| {
        let of_name: Vec<&Stated<'_>> = stated.iter().filter(|stated| stated.cost == name).collect();
        let differ = of_name.iter().any(|stated| stated.value != of_name[0].value);
        let words = |stated: &&Stated<'_>| match &stated.value {
            Some(value) => format!("{name}={value} in {}", stated.label),
            None => format!("{name} of the scenario in {}", stated.label),
        };
        differ.then(|| Case::of_all(of_name.iter().map(words).collect::<Vec<_>>().join(", ")))
    };
    names.into_iter().filter_map(case).collect()
}

struct Stated<'a> {
    label: &'a str,
    cost: &'static str,
    /// The value in the policy's spec; `None` means that of the scenario.
    value: Option<String>,
}

/// Returns the costs that a policy pays; empty for an unknown policy.
fn costs<'a>(policy: &'a PolicyFacts, known: &Policies) -> Vec<Stated<'a>> {
    let Ok(text) = policy.spec.parse::<SpecText>() else { return Vec::new() };
    let spec = known.specs().iter().find(|spec| spec.name == text.name);
    let params = spec.map_or(&[][..], |spec| spec.params).iter();
    let costs = params.filter(|param| matches!(param.kind, ParamKind::Cost(_)));
    let stated = |param: &ParamSpec| Stated {
        label: &policy.label,
        cost: param.name,
        value: text.pairs.iter().find(|(key, _)| key == param.name).map(|(_, value)| value.clone()),
    };
    costs.map(stated).collect()
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::{Experiment, policy};

    #[test]
    fn rows_that_pay_for_themselves_are_named() {
        let mut experiment = Experiment::clean();
        // A policy that migrates pays for migrations, which the others do not make.
        experiment.frame.policies = vec![policy("GS", "gs:cs=0.05"), policy("MGS", "mgs:cs=0.05,c=30s")];
        assert_eq!(experiment.told("different-costs"), "");
        experiment.frame.policies[1] = policy("MGS", "mgs:c=30s");
        let told = experiment.only("different-costs");
        assert!(told.ends_with("\n  cs=0.05 in GS, cs of the scenario in MGS"), "{told}");
        experiment.frame.policies[1] = policy("EASY", "easy");
        assert_eq!(experiment.told("different-costs"), "");
    }
}
