use batchlab_traces::Level;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, Saturated, saturated};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "saturated",
    level: Level::Warning,
    title: "results of a machine that cannot keep up with the arrivals",
    misleads: "While the backlog grows there is no steady state: every mean grows with the length of the \
        replay, and the policy that looks best may be the one that postpones the most work.",
    advice: "Lower the load until the backlog stays, or compare quantities that are still meaningful: \
        utilization_window, throughput, and the load at which each policy saturates.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    evidence.in_design_points(|design_point, policy| {
        saturated(evidence.frame, design_point, policy).as_ref().map(Saturated::words)
    })
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::{Experiment, parameter};

    #[test]
    fn a_growing_backlog_is_told_of_each_result() {
        let mut experiment = Experiment::clean();
        let design_point = experiment.frame.design_points()[1].clone();
        let found = [("completion", 0.934), ("backlog_growth", 0.065), ("backlog_growth_low", 0.05)];
        for (key, value) in found.into_iter().chain([("least_backlog", 0.02)]) {
            experiment.set_at(&design_point, 1, None, key, value);
        }
        let told = experiment.only("saturated");
        let expected = "A, events=submit-first, EASY: 93.4 % of the work that arrived was done, and the backlog grows by \
                        6.5 % of the machine (95 % interval from 5 %), in 12 of 12 units";
        assert_eq!(told.lines().nth(1).map(str::trim), Some(expected));
    }

    #[test]
    fn use_that_no_longer_follows_the_load_is_a_sign_too() {
        let mut experiment = Experiment::clean();
        experiment.frame.parameters.push(parameter("load", &["0.9", "1.0", "1.1"]));
        let rows = std::mem::take(&mut experiment.frame.rows);
        let load = experiment.frame.measure("offered_load").unwrap();
        let used = experiment.frame.measure("utilization_window").unwrap();
        let least = experiment.frame.measure("least_backlog").unwrap();
        for at in 0..3 {
            experiment.frame.rows.extend(rows.iter().map(|row| {
                let mut row = row.clone();
                row.point.push(at);
                row.values[load] = Some([0.81, 0.9, 0.99][at]);
                row.values[used] = Some([0.81, 0.9, 0.905][at]);
                row.values[least] = Some([0.0, 0.0, 0.02][at]);
                row
            }));
        }
        let place =
            |row: &crate::experiment::FrameRow| (row.workload, row.point.clone(), row.policy, row.unit);
        experiment.frame.rows.sort_by_key(place);
        let told = experiment.only("saturated");
        let expected = "A, events=batch, load=1.1, FCFS: the offered load rises from 90 % to 99 %, and the machine's use \
                        from 90 % to 90.5 % only";
        assert_eq!(told.lines().nth(1).map(str::trim), Some(expected), "{told}");
        assert_eq!(told.lines().last().map(str::trim), Some("and 9 more"));
    }
}
