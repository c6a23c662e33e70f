//! Captions: what the marks of a plot mean, and the conditions of its numbers.

use super::kind::Subject;
use super::scene::Scene;
use batchlab_engine::replay::conditions::TOOL;
use batchlab_study::experiment::{UnitKind, WorkloadFacts, condition_words};

/// Returns the caption, one paragraph per entry.
pub(super) fn paragraphs(scene: &Scene<'_>) -> Vec<String> {
    let mut what = vec![scene.spec.legend().to_owned()];
    if scene.spec.kind.subject == Subject::Metric {
        what.push(values(scene));
    }
    what.extend(scene.notes());
    let mut paragraphs = vec![what.join(" ")];
    paragraphs.extend(scene.spec.selection.workloads.iter().map(|&workload| conditions(scene, workload)));
    paragraphs.push(format!("Experiment {}, seed {}; {TOOL}.", scene.frame.name, scene.frame.seed));
    paragraphs
}

fn values(scene: &Scene<'_>) -> String {
    let spec = scene.spec;
    let definition = |metric: &str| {
        let measure = scene.frame.measures.iter().find(|measure| measure.metric == metric);
        measure.map(|measure| format!("{metric}: {}.", measure.definition)).unwrap_or_default()
    };
    let mut text = definition(&spec.metric);
    if let Some(x) = &spec.x_metric {
        text = [text, definition(x)].join(" ");
    }
    match spec.relative {
        Some(to) if spec.kind.has_units => {
            text + &format!(" Values are ratios to {}, unit by unit.", scene.policy(to))
        }
        None if spec.kind.has_units => text + " Values are those of units.",
        Some(to) => {
            let to = scene.policy(to);
            let of = format!("geometric means over units of the ratios to {to}, paired by unit");
            if spec.is_gain {
                text + &format!(" Values are gains, 1 / r - 1 in per cent, of r, the {of}.")
            } else {
                text + &format!(" Values are {of}.")
            }
        }
        None => text + " Values are means over units.",
    }
}

fn conditions(scene: &Scene<'_>, at: usize) -> String {
    let workload = &scene.frame.workloads[at];
    let shows_values = scene.spec.kind.subject != Subject::Replay;
    let units = match workload.units {
        UnitKind::One => String::new(),
        UnitKind::Blocks if !shows_values => String::new(),
        _ if !shows_values => format!(" (unit {} of its {})", scene.spec.unit, units(workload)),
        _ => format!(" (units: {})", units(workload)),
    };
    let unit = (!shows_values && workload.units != UnitKind::Blocks).then_some(scene.spec.unit);
    let facts = condition_words(&scene.frame.conditions(at, &scene.design_points(), unit));
    let gap = if facts.is_empty() { "" } else { ": " };
    format!("{}{units}{gap}{facts}.", workload.name)
}

fn units(workload: &WorkloadFacts) -> String {
    let kind = match workload.units {
        UnitKind::One => "one replay",
        UnitKind::Replications => "replications",
        UnitKind::Windows => "windows",
        UnitKind::Blocks => "blocks",
        UnitKind::Draws => "draws from one log",
        UnitKind::Shaken => "shaken runs of one log",
    };
    match workload.units_length().as_str() {
        "" => kind.into(),
        words if words.contains(kind) => words.into(),
        words => format!("{kind} of {words}"),
    }
}
