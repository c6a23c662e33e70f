//! What a pickled log keeps beside its jobs: its origin, its history, its findings.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use batchlab::traces::finding::{Example, SourcePlace};
use batchlab::traces::provenance::{ProvenanceStep, Source};
use batchlab::traces::{self, Finding, Findings, Kind, Level};

use crate::raised::locked;
use crate::trace::level;

/// Name, format, SHA-256 and bytes of the file.
type Origin = (String, String, String, u64);
/// Name, detail and number of jobs of a step.
type Step = (String, String, u64);
/// File, line and column, where an example has a place, and its particulars.
type Shown = (Option<(String, u32, u32)>, String);
/// Code and level of a finding, what was found, what was done, what to do, how often, and examples.
type Found = ([String; 5], u64, Vec<Shown>);
pub type PickledState = (Origin, Vec<Step>, Vec<Found>);

pub fn of(trace: &traces::Trace) -> PickledState {
    let Source { name, format, sha256, bytes } = trace.provenance.source.clone();
    let steps = trace.provenance.steps.iter();
    let steps = steps.map(|step| (step.name.clone(), step.detail.clone(), step.count)).collect();
    ((name, format, sha256, bytes), steps, trace.findings.list().iter().map(found).collect())
}

fn found(finding: &Finding) -> Found {
    let Kind { code, what, done, advice, .. } = *finding.kind;
    let shown = |example: &Example| {
        let place = example.place.as_ref().map(|at| (at.file.to_string(), at.line, at.column));
        (place, example.detail.clone())
    };
    let words = [code, level(finding.kind.level), what, done, advice].map(String::from);
    (words, finding.count, finding.examples.iter().map(shown).collect())
}

pub fn restore(trace: &mut traces::Trace, ((name, format, sha256, bytes), steps, all): PickledState) {
    trace.provenance.source = Source { name, format, sha256, bytes };
    let step = |(name, detail, count): Step| ProvenanceStep { name, detail, count };
    trace.provenance.steps = steps.into_iter().map(step).collect();
    let mut findings = Findings::lenient();
    for (words, count, shown) in all {
        let kind = kind(words);
        for (at, (place, detail)) in shown.iter().enumerate() {
            // The first example stands for all that have none.
            let of = if at == 0 { (count + 1).saturating_sub(shown.len() as u64) } else { 1 };
            let place = place.clone();
            let place = place.map(|(file, line, column)| SourcePlace { file: file.into(), line, column });
            // Lenient findings refuse nothing.
            let _ = findings.report_many(kind, of, || Example { place, detail: detail.clone() });
        }
    }
    trace.findings = findings;
}

/// Each kind that a pickle names is kept once, for the life of the process, as those of the library are.
fn kind(words: [String; 5]) -> &'static Kind {
    static KINDS: LazyLock<Mutex<BTreeMap<[String; 5], &'static Kind>>> = LazyLock::new(Mutex::default);
    locked(&KINDS).entry(words).or_insert_with_key(|[code, level, what, done, advice]| {
        let kept = |text: &String| -> &'static str { Box::leak(text.clone().into_boxed_str()) };
        let level = match level.as_str() {
            "note" => Level::Note,
            "loud" => Level::Loud,
            _ => Level::Warning,
        };
        let [code, what, done, advice] = [code, what, done, advice].map(kept);
        Box::leak(Box::new(Kind { code, level, what, done, advice }))
    })
}
