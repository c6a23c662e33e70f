//! Every replay with its key and the command that reproduces it.

use batchlab_traces::number::{counted, grouped};
use maud::{Markup, html};

use crate::report::Report;
use batchlab_engine::metrics::spoken;
use batchlab_engine::table::{Format, TimeUnit};
use batchlab_study::experiment::{Frame, FrameRow, Measure};

/// The most rows shown; the others are in the results.
const ROWS: usize = 400;
/// The most measures in a row.
const MEASURES: usize = 4;

/// Returns the rows of the results in their order.
pub fn body(report: &Report<'_>) -> Markup {
    let frame = report.study.frame();
    let name = &report.contents.manifest.name;
    let is_shown = |(_, of): &(usize, &Measure)| !of.is_diagnostic && of.class.is_none();
    let measures: Vec<(usize, &Measure)> =
        frame.measures.iter().enumerate().filter(is_shown).take(MEASURES).collect();
    let rows = frame.rows.len();
    html! {
        details {
        summary { "All replays, and the command that repeats each" }
        p class="prose" {
            "A replay is made again, on the log that the experiment names, by its key: "
            code { "batchlab run " (name) ".toml --key KEY" }
            ", where " code { (name) ".toml" } " is the experiment above beside its logs; "
            code { "--schedule FILE.csv" } " writes every start and end."
        }
        @if rows > ROWS {
            p { "The first " (grouped(ROWS as u64)) " of " (counted(rows as u64, "row")) "; all are in results.csv." }
        }
        figure class="table replays" tabindex="0" aria-label="Replays" {
            table {
                thead {
                    tr {
                        th scope="col" { "workload" }
                        @for parameter in &frame.parameters { th scope="col" { (parameter.name) } }
                        th scope="col" { "policy" }
                        th scope="col" class="number" { "unit" }
                        @for (_, measure) in &measures { th scope="col" class="number" { (heading(measure)) } }
                        th scope="col" { "key" }
                        th scope="col" { "command" }
                        th scope="col" class="number" { "seed" }
                    }
                }
                tbody { @for row in frame.rows.iter().take(ROWS) { (line(frame, row, &measures, name)) } }
            }
        }
        }
    }
}

fn heading(measure: &Measure) -> String {
    let unit = Format::of(measure.unit, TimeUnit::Seconds).unit;
    let name = spoken::of(&measure.key);
    if unit.is_empty() { name } else { format!("{name} ({unit})") }
}

fn line(frame: &Frame, row: &FrameRow, measures: &[(usize, &Measure)], name: &str) -> Markup {
    let number = |(at, measure): &(usize, &Measure)| {
        let format = Format::of(measure.unit, TimeUnit::Seconds);
        row.values[*at].map(|value| (value, format.print(value, format.decimals([value].into_iter()))))
    };
    let unit = row.unit.map(|unit| unit.to_string());
    html! {
        tr {
            td { (frame.workloads[row.workload].name) }
            @for (parameter, at) in frame.parameters.iter().zip(&row.point) { td { (parameter.values[*at]) } }
            td { (frame.policies[row.policy].label) }
            td class="number" data-sort=[&unit] { (unit.as_deref().unwrap_or("whole")) }
            @for measure in measures {
                @match number(measure) {
                    Some((value, text)) => td class="number" data-sort=(value) { (text) },
                    None => td class="number" { "\u{2013}" },
                }
            }
            td { code { (row.key) } }
            td { code { "batchlab run " (name) ".toml --key " (row.key) } }
            td class="number" data-sort=(row.seed) { (row.seed) }
        }
    }
}
