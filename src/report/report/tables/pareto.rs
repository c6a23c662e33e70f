//! Trade-offs: policies with several metrics, and which of them others dominate.

use super::best::percent;
use super::labelled::{Labelled, RowPlace, design_points};
use super::notes::of_caution;
use super::{Axis, Names, TableSpec};
use batchlab_engine::metrics::spoken;
use batchlab_engine::table::{Cell, Format, Table, TableColumn, TableRow};
use batchlab_study::study::Study;
use batchlab_study::study::dominance::{ParetoStanding, standings};

/// Returns the table. O(policies² · metrics) at each design point, and the contrasts.
pub fn pareto(spec: &TableSpec, study: &Study<'_>) -> Table {
    let (frame, names) = (study.frame(), Names::of(study.frame()));
    let measures: Vec<usize> =
        spec.metrics.iter().filter_map(|metric| names.measure(metric, "all")).collect();
    let words: Vec<String> = spec.metrics.iter().map(|metric| called(spec, metric)).collect();
    let mut labelled =
        Labelled::new(spec, study, &format!("Trade-off of {}", words.join(", ")), &[Axis::Policy]);
    for (measure, words) in measures.iter().map(|&at| &frame.measures[at]).zip(&words) {
        let format = Format::of(measure.unit, spec.time);
        labelled.number(&measure.key, format, measure.better, Some(words.clone()));
    }
    labelled.table.columns.extend(["standing", "dominated_by"].map(TableColumn::text));
    let level = percent(frame.level);
    labelled.define("standing", format!(
        "front: no other policy is as good by its mean in all of these metrics and better in one; dominated, in the mean only: \
         another is, and not all tests show it; dominated beyond the intervals: another is, and the paired test of each metric \
         shows it to be better at {level} % (p adjusted for the pairs of policies by Bonferroni's method; not for the metrics, since \
         all have to agree)"
    ));
    labelled.define("interval", format!("of the mean over units at {level} %, for each value alone"));
    for point in design_points(spec, study) {
        let Some(standings) = standings(study, &point, &spec.policies, &measures) else { continue };
        for standing in &standings {
            let place = RowPlace { point: point.clone(), policy: Some(standing.policy), metric: None };
            let mut cells = labelled.labels(&place);
            for &measure in &measures {
                let estimate = study.estimate(&point, standing.policy, measure);
                cells.push(Cell::from(estimate.value));
                cells.push(labelled.interval(&point, &estimate.interval));
                if let Some(caution) = &estimate.caution {
                    labelled.note(of_caution(caution));
                }
            }
            cells.extend(said(spec, standing, |policy| &frame.policies[policy].label));
            labelled.table.rows.push(TableRow { cells, group: None });
        }
    }
    labelled.table
}

/// Returns the cells of how a policy stands, and of the policies that dominate it.
fn said<'n>(spec: &TableSpec, standing: &ParetoStanding, label: impl Fn(usize) -> &'n str) -> [Cell; 2] {
    let (words, by) = match (&standing.by[..], &standing.shown[..]) {
        ([], _) => return [Cell::Text("front".into()), Cell::Empty],
        (by, []) => ("dominated, in the mean only", by),
        (_, shown) => ("dominated beyond the intervals", shown),
    };
    let names: Vec<&str> =
        by.iter().map(|&policy| label(policy)).map(|of| spec.called(of).unwrap_or(of)).collect();
    [Cell::Text(words.into()), Cell::Text(names.join(", "))]
}

fn called(spec: &TableSpec, metric: &str) -> String {
    spec.called(metric).map_or_else(|| spoken::of(metric), str::to_owned)
}
