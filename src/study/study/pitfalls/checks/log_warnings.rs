//! What was dropped, mended or guessed when a log was read as jobs.

use batchlab_traces::Level;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "log-warnings",
    level: Level::Warning,
    title: "warnings about the log",
    misleads: "What is dropped, mended or guessed when a log is read changes every number of it, in every row. A job without a \
        request has its run time as estimate, so that schedulers know its end; a size of the machine that is guessed \
        moves results more than policies do.",
    advice: "State each in the paper with its number. `batchlab info LOG` tells more; `--strict` refuses such a log.",
    cite: "Feitelson, Tsafrir and Krakov 2014, Experience with Using the Parallel Workloads Archive",
    // `replay` prints the findings themselves.
    in_replay: false,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.of_logs(true) },
};

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::LogFinding;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn each_warning_is_a_case_and_notes_are_apart() {
        let found = |code: &str, is_warning, words: &str| LogFinding {
            code: code.into(),
            is_warning,
            words: words.into(),
        };
        let mut experiment = Experiment::prepared(|setting| {
            setting.findings = vec![
                found("trace-no-estimates", true, "6,294 jobs without a requested time"),
                found("swf-comment", false, "2 comments"),
            ];
        });
        // The preparation of another point of the sweep finds the same.
        experiment.settings.push(experiment.settings[0].clone());
        assert_eq!(
            experiment.told("log-warnings"),
            "warning[log-warnings]: warnings about the log\n  A: 6,294 jobs without a requested time"
        );
        assert_eq!(experiment.told("log-notes"), "note[log-notes]: notes about the log\n  A: 2 comments");
    }

    #[test]
    fn all_of_them_are_listed() {
        let found =
            |at: usize| LogFinding { code: String::new(), is_warning: true, words: format!("finding {at}") };
        let experiment = Experiment::prepared(|setting| setting.findings = (0..9).map(found).collect());
        assert!(experiment.told("log-warnings").ends_with("\n  A: finding 8"));
    }
}
