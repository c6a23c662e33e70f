use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::finding::SourcePlace;
use batchlab_traces::number::grouped;
use batchlab_traces::{Finding, Findings, Level};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogFinding {
    /// Name of its kind, such as `trace-no-estimates`.
    pub code: String,
    /// Whether something was dropped, mended or guessed; else it is worth knowing only.
    pub is_warning: bool,
    /// The number of occurrences, what was done about them, and the first of them.
    pub words: String,
}

impl LogFinding {
    /// Returns all findings that `replay` prints, in its order: the most serious first.
    pub(super) fn all(findings: &Findings) -> Vec<LogFinding> {
        let mut list: Vec<&Finding> = findings.list().iter().collect();
        list.arrange_by_key(|finding| std::cmp::Reverse(finding.kind.level));
        list.into_iter().map(LogFinding::of).collect()
    }

    fn of(finding: &Finding) -> LogFinding {
        let Finding { kind, count, examples } = finding;
        let first = examples.first().map(|example| match &example.place {
            Some(place) => format!(" (first at {}: {})", without_folders(place), example.detail),
            None => format!(" ({})", example.detail),
        });
        let (what, done, first) = (kind.what(*count), kind.done(*count), first.unwrap_or_default());
        let words = format!("{} {what}: {done}{first} [{}]", grouped(*count), kind.code);
        LogFinding { code: kind.code.into(), is_warning: kind.level > Level::Note, words }
    }
}

/// Returns a place with the name of its file only: results do not depend on where a log lies.
fn without_folders(place: &SourcePlace) -> SourcePlace {
    let name = place.file.rsplit(['/', '\\']).next().unwrap_or(&place.file);
    SourcePlace { file: name.into(), ..place.clone() }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Kind;
    use batchlab_traces::finding::Example;

    use super::*;

    static NO_ESTIMATES: Kind = Kind {
        code: "trace-no-estimates",
        level: Level::Warning,
        what: "{job|jobs} without a requested time",
        done: "{its|their} run time is the estimate",
        advice: "say so in the paper",
    };

    #[test]
    fn a_finding_names_its_number_what_was_done_and_its_first_place() {
        let mut findings = Findings::default();
        let place = SourcePlace { file: "logs/a.swf".into(), line: 7, column: 0 };
        let example = || Example { place: Some(place.clone()), detail: "job 3".into() };
        findings.report_many(&NO_ESTIMATES, 6_294, example).unwrap();
        let [only] = &LogFinding::all(&findings)[..] else { panic!() };
        assert!(only.is_warning);
        assert_eq!(
            only.words,
            "6,294 jobs without a requested time: their run time is the estimate (first at a.swf:7: job 3) \
             [trace-no-estimates]"
        );
    }
}
