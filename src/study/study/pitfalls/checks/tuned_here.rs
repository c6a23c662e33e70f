use batchlab_traces::Level;
use batchlab_traces::number::counted;

use crate::experiment::Parameter;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "tuned-here",
    level: Level::Note,
    title: "a policy's parameter that is swept on the jobs on which policies are compared",
    misleads: "The best of several values fits the chance features of these jobs. If it is compared with a \
        policy that was not tuned, part of its lead is that fit, which does not carry over to the next \
        month.",
    advice: "Choose the value on an earlier part of the log (a split step by time) or on other logs, and report it on the \
             rest; or report all values, not the best one.",
    cite: "Frachtenberg and Feitelson 2005; Gaussier, Glesser, Reis and Trystram 2015 split logs in halves",
    in_replay: false,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let swept = evidence.frame.parameters.iter().filter(|parameter| parameter.values.len() > 1);
    let case = |parameter: &Parameter| {
        let place = format!("{{{}}}", parameter.name);
        let mut tuned = evidence.frame.policies.iter().filter(|policy| policy.spec.contains(&place));
        let policy = tuned.next()?;
        let (values, name) = (counted(parameter.values.len(), "value"), &parameter.name);
        Some(Case::of_all(format!("{values} of `{name}` in {} ({})", policy.label, policy.spec)))
    };
    swept.filter_map(case).collect()
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::{Experiment, parameter};

    #[test]
    fn a_swept_parameter_of_a_policy_is_told() {
        let mut experiment = Experiment::clean();
        experiment.frame.parameters.push(parameter("k", &["1", "2", "4"]));
        experiment.frame.rows.iter_mut().for_each(|row| row.point.push(0));
        assert_eq!(experiment.told("tuned-here"), "");
        experiment.frame.policies[1].spec = "depth:reservations={k}".into();
        let told = experiment.only("tuned-here");
        assert!(told.ends_with("\n  3 values of `k` in EASY (depth:reservations={k})"));
    }
}
