//! Applies steps in order and records each one.

use super::{Planned, Shaped, ShapedLog, ShapingReport};
use crate::number::grouped;
use crate::shape::{Context, Env, ShapeError, ShapedTrace, StepError, StepFault, StepOutput, TracePart};
use crate::{Example, Trace, kinds, provenance};

kinds! {
    ORPHANED: Note "shape-orphan",
        "{job|jobs} whose preceding job was dropped by a step",
        "{it has|they have} no preceding job now (fields 17 and 18 unknown)",
        "keep the sessions of users whole where think times matter";
}

/// A trace between steps, with the parts it comes from.
struct OnItsWay {
    part: String,
    work: ShapedTrace,
}

pub(super) fn steps(planned: &[Planned], trace: Trace, context: &Context<'_>) -> Result<Shaped, ShapeError> {
    let mut traces = vec![OnItsWay { part: String::new(), work: ShapedTrace::new(trace) }];
    let mut reports = Vec::new();
    for plan in planned {
        let mut next = Vec::new();
        for OnItsWay { part, work } in traces {
            let env = Env { context, ordinal: plan.ordinal, part: &part };
            let failed = |error: StepError| {
                let place = match &error {
                    StepError::Expression { place, .. } => place,
                    _ => &plan.place,
                };
                ShapeError { place: place.clone(), fault: StepFault::Step { step: plan.spec.name, error } }
            };
            let before = work.len();
            let mut change = plan.step.apply(work, &env).map_err(failed)?;
            if before > 0 && change.parts.iter().all(|part| part.work.len() == 0) {
                return Err(failed(StepError::NothingLeft(before)));
            }
            record(plan, &mut change, context.seed).map_err(failed)?;
            reports.push(report(plan, &part, &change));
            next.extend(named(&part, change));
        }
        traces = next;
    }
    let logs = traces.into_iter().map(|OnItsWay { part, work }| ShapedLog { part, trace: work.trace });
    Ok(Shaped { logs: logs.collect(), reports })
}

fn record(plan: &Planned, change: &mut StepOutput, seed: u64) -> Result<(), StepError> {
    let set = [Some(plan.detail.clone()), plan.spec.draws.then(|| format!("seed={seed}"))];
    let set: Vec<String> = set.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    let set = set.join(" ");
    for TracePart { number, work } in &mut change.parts {
        let part = if change.splits { format!("; this is part {number}") } else { String::new() };
        let detail = if set.is_empty() { String::new() } else { format!(" {set}") };
        work.note(&format!(
            "shaped by {}{detail}: {} {}{part}",
            plan.spec.name,
            grouped(change.count),
            change.words
        ));
        work.trace.provenance.steps.push(provenance::ProvenanceStep {
            name: format!("shape-{}", plan.spec.name),
            detail: format!("{set}{part}"),
            count: change.count,
        });
        let orphans = std::mem::take(&mut work.orphans);
        let detail = || format!("after the step `{}`", plan.spec.name);
        work.trace.findings.report_many(&ORPHANED, orphans, || Example::of(detail()))?;
    }
    Ok(())
}

fn report(plan: &Planned, part: &str, change: &StepOutput) -> ShapingReport {
    ShapingReport {
        step: plan.spec.name,
        detail: plan.detail.clone(),
        part: part.into(),
        count: change.count,
        words: change.words.clone(),
        trail: change.trail.clone(),
    }
}

/// Names the parts of a split: each number has as many digits as the last one, at least two.
fn named(before: &str, change: StepOutput) -> Vec<OnItsWay> {
    let last = change.parts.last().map_or(1, |part| part.number);
    let width = last.to_string().len().max(2);
    let splits = change.splits;
    let name = |TracePart { number, work }: TracePart| {
        let joint = if before.is_empty() { "" } else { "-" };
        let part = if splits { format!("{before}{joint}{number:0width$}") } else { before.to_owned() };
        OnItsWay { part, work }
    };
    change.parts.into_iter().map(name).collect()
}
