//! Jobs that failed or were cancelled.

use batchlab_traces::number::grouped;
use batchlab_traces::{Level, status};

use crate::study::pitfalls::figure::percent;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};
use batchlab_engine::info::StatusCount;

/// The least share of jobs that is reported.
const MANY: f64 = 0.01;

/// The pitfall.
pub static SPEC: PitfallSpec = PitfallSpec {
    code: "failed-jobs",
    level: Level::Note,
    title: "jobs that failed or were cancelled, replayed like all others",
    misleads: "Many of them ran for seconds although hours were requested: they fill holes, make slowdowns \
        large and estimates look worse. Leaving them out changes the load.",
    advice: "State how they were treated, and show results by class, or without them (status = \"1\").",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let count = |wanted: &[i64]| -> u64 {
        let known = |known: &&StatusCount| wanted.contains(&known.code);
        setting.statuses.iter().filter(known).map(|status| status.count).sum()
    };
    let (failed, cancelled) = (count(&[status::FAILED]), count(&[status::CANCELLED]));
    let all: u64 = setting.statuses.iter().map(|status| status.count).sum();
    let share = (failed + cancelled) as f64 / all.max(1) as f64;
    let are_left_out = !setting.wanted_statuses.is_empty();
    (share >= MANY && !are_left_out).then(|| {
        let (failed, cancelled, all) = (grouped(failed), grouped(cancelled), grouped(all));
        format!("{failed} failed and {cancelled} cancelled jobs among {all} ({})", percent(share))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn they_are_counted_unless_they_are_left_out() {
        let of = |code, count| StatusCount { code, name: "".into(), count };
        let mut experiment = Experiment::prepared(|setting| {
            setting.statuses = vec![of(0, 8_000), of(1, 18_000), of(5, 2_000)];
        });
        let expected = "\n  A: 8,000 failed and 2,000 cancelled jobs among 28,000 (36 %)";
        assert!(experiment.only("failed-jobs").ends_with(expected));
        experiment.settings[0].wanted_statuses = vec![1];
        assert_eq!(experiment.told("failed-jobs"), "");
    }
}
