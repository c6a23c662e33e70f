//! A report as JSON, for programs.

use batchlab_traces::foreign::SafeText;
use serde_json::{Value, json};

use super::{NamedTable, Report, ReportSection};
use batchlab_engine::table::Style;
use batchlab_engine::table::writers::json::SPEC as JSON;

/// Returns the report as JSON: an object with a key for each section. Tables are lists of objects under their names, as `--format
/// json` writes them; plots are the names of their files.
pub fn json(report: &Report<'_>) -> serde_json::Result<SafeText> {
    let mut whole = serde_json::Map::new();
    whole.insert("experiment".into(), report.contents.manifest.name.clone().into());
    for section in &report.sections {
        let value = match section {
            ReportSection::Verdict(conclusion, _) => serde_json::to_value(conclusion)?,
            ReportSection::Tables(tables) | ReportSection::Crossings(tables) => {
                let named = tables.iter().map(|table| Ok((table.name.clone(), rows(table)?)));
                Value::Object(named.collect::<serde_json::Result<_>>()?)
            }
            ReportSection::Plots(plots) => plots
                .iter()
                .filter(|plot| plot.figure.is_ok())
                .map(|plot| format!("plots/{}.svg", plot.name))
                .collect(),
            ReportSection::Claims(claims, _) => serde_json::to_value(claims)?,
            ReportSection::Who(table) | ReportSection::Readings(table) => rows(table)?,
            ReportSection::Findings(met) => json!(met),
        };
        whole.insert(section.key().into(), value);
    }
    Ok(SafeText::of_json(&(serde_json::to_string_pretty(&Value::Object(whole))? + "\n")))
}

fn rows(table: &NamedTable) -> serde_json::Result<Value> {
    serde_json::from_str(&(JSON.write)(table.table_for(&JSON), &Style::default()))
}
