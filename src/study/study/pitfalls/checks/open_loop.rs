//! Users who do not wait for their jobs.

use batchlab_traces::Level;
use batchlab_traces::number::counted;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "open-loop",
    level: Level::Note,
    title: "submit times that do not depend on the schedule",
    misleads: "Users submit less when they wait long and more when they are served well. A replay with \
               fixed submit times lets a bad policy pile up a queue that real users would not have made, \
               and gives a good policy no more work.",
    advice: "Replay with feedback too (--feedback arrivals), or state that replays are open: at high load, absolute \
        waits and differences between policies are larger than they would be.",
    cite: "Shmueli and Feitelson 2006, Using Site-Level Modeling to Evaluate the Performance of Parallel System Schedulers",
    in_replay: false,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        let is_closed = |workload: usize| {
            let mut settings = evidence.settings.iter().filter(|of| of.workload == workload).peekable();
            settings.peek().is_some() && settings.all(|setting| setting.is_closed)
        };
        let open = (0..evidence.frame.workloads.len()).filter(|&workload| !is_closed(workload)).count();
        if open == 0 {
            return Vec::new();
        }
        let workloads = counted(open, "workload");
        vec![Case::of_all(format!("{workloads} with submit times that are the same under every policy"))]
    },
};

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn it_is_told_once() {
        let found = Experiment::clean().find();
        assert_eq!((found[0].spec.code, found[0].cases.len()), ("open-loop", 1));
        assert_eq!(
            found[0].cases[0].seen,
            "3 workloads with submit times that are the same under every policy"
        );
    }
}
