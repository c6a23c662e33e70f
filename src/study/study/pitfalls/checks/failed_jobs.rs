use batchlab_traces::number::grouped;
use batchlab_traces::{Level, status};

use crate::study::pitfalls::figure::percent;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};
use batchlab_engine::info::StatusCount;

/// The least share of jobs that is reported.
const MANY: f64 = 0.01;

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
