//! Results as CSV: a row for each workload, point, policy and unit, with the key of its replay.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};

use super::frame::FrameRow;
use super::manifest::{Manifest, Planned};
use super::measuring::UnitRow;

/// The reason why a text cannot be read as results.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The text is not CSV, or cannot be read or written.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A column is missing.
    #[error("there is no column `{0}`")]
    Column(String),
    /// A value is invalid.
    #[error("line {line}: `{text}` is no {what}")]
    Value {
        /// The line, from 1.
        line: u64,
        /// The invalid text.
        text: String,
        /// What was expected.
        what: String,
    },
}

/// The known results of replays, by key.
pub type Known = HashMap<String, Vec<UnitRow>>;

/// Writes a plan: the columns of the results that are known before anything has run.
///
/// # Errors
/// If it cannot be written.
pub fn write_plan(manifest: &Manifest, lines: &[Planned], out: impl Write) -> Result<(), ResultsError> {
    let mut writer = writer(out);
    writer.write_record(head(manifest))?;
    for line in lines {
        writer.write_record(place(manifest, line, &line.unit.to_string()))?;
    }
    Ok(writer.flush().map_err(csv::Error::from)?)
}

/// Writes the results that are known, in the order of the plan.
///
/// # Errors
/// If they cannot be written.
pub fn write(
    manifest: &Manifest,
    lines: &[Planned],
    known: &Known,
    out: impl Write,
) -> Result<(), ResultsError> {
    let mut writer = writer(out);
    let measures = manifest.measures.iter().map(|measure| measure.key.clone());
    writer.write_record(head(manifest).into_iter().chain(measures))?;
    for line in lines {
        for row in known.get(&line.key).into_iter().flatten() {
            let unit = row.unit.map_or_else(|| WHOLE.to_owned(), |unit| unit.to_string());
            let values =
                row.values.iter().map(|value| value.map_or_else(String::new, |value| value.to_string()));
            writer.write_record(place(manifest, line, &unit).into_iter().chain(values))?;
        }
    }
    Ok(writer.flush().map_err(csv::Error::from)?)
}

/// Writes the lines of a plan whose replays failed, each with its error.
///
/// # Errors
/// If they cannot be written.
pub fn write_failed(
    manifest: &Manifest,
    lines: &[Planned],
    failed: &BTreeMap<String, String>,
    out: impl Write,
) -> Result<(), ResultsError> {
    let mut writer = writer(out);
    writer.write_record(head(manifest).into_iter().chain(["error".to_owned()]))?;
    for line in lines {
        if let Some(error) = failed.get(&line.key) {
            let place = place(manifest, line, &line.unit.to_string());
            writer.write_record(place.into_iter().chain([error.clone()]))?;
        }
    }
    Ok(writer.flush().map_err(csv::Error::from)?)
}

/// Reads the lines of a plan.
///
/// # Errors
/// If a column is missing, or a value is not one of the manifest's.
pub fn read_plan(manifest: &Manifest, text: impl Read) -> Result<Vec<Planned>, ResultsError> {
    let mut reader = csv::Reader::from_reader(text);
    let columns = Columns::of(manifest, reader.headers()?)?;
    let mut lines = Vec::new();
    for record in reader.records() {
        lines.push(columns.planned(manifest, &record?)?);
    }
    Ok(lines)
}

/// Reads results by the keys of their replays, with values in the order of a manifest's measures; leaves out
/// replays for which the text lacks one of the measures.
///
/// # Errors
/// If the text is not CSV, has no column of keys or units, or a value is not a number.
pub fn read_known(manifest: &Manifest, text: impl Read) -> Result<Known, ResultsError> {
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers()?.clone();
    let (key, unit) = (column(&header, "key")?, column(&header, "unit")?);
    let measures = manifest.measures.iter().map(|measure| column(&header, &measure.key));
    let Ok(measures) = measures.collect::<Result<Vec<usize>, _>>() else { return Ok(Known::new()) };
    let mut known = Known::new();
    for record in reader.records() {
        let record = record?;
        let values = measures.iter().map(|&at| number(&record, at)).collect::<Result<_, _>>()?;
        let row = UnitRow { unit: unit_of(&record, unit)?, values };
        let rows = known.entry(field(&record, key).to_owned()).or_default();
        // A replay occurs once for each of its places in the results.
        if !rows.iter().any(|other: &UnitRow| other.unit == row.unit) {
            rows.push(row);
        }
    }
    Ok(known)
}

/// Returns the rows of a frame: the known results at each of their places.
pub fn rows(lines: &[Planned], known: &Known) -> Vec<FrameRow> {
    let mut rows = Vec::new();
    for line in lines {
        for row in known.get(&line.key).into_iter().flatten() {
            rows.push(FrameRow {
                key: line.key.clone(),
                workload: line.workload,
                point: line.point.clone(),
                policy: line.policy,
                unit: row.unit,
                seed: line.seed,
                values: row.values.clone(),
            });
        }
    }
    rows
}

/// The text in the `unit` column for the whole of a replay that is also measured in blocks.
const WHOLE: &str = "whole";

fn writer<W: Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(out)
}

fn head(manifest: &Manifest) -> Vec<String> {
    let parameters = manifest.parameters.iter().map(|parameter| parameter.name.as_str());
    let names = ["key", "workload"].into_iter().chain(parameters).chain(["policy", "spec", "unit", "seed"]);
    names.map(String::from).collect()
}

fn place(manifest: &Manifest, line: &Planned, unit: &str) -> Vec<String> {
    let values =
        manifest.parameters.iter().zip(&line.point).map(|(parameter, &at)| parameter.values[at].clone());
    let mut fields = vec![line.key.clone(), manifest.workloads[line.workload].name.clone()];
    fields.extend(values);
    fields.push(manifest.policies[line.policy].label.clone());
    fields.extend([line.spec.clone(), unit.to_owned(), line.seed.to_string()]);
    fields
}

/// The positions of the columns of a plan.
struct Columns {
    key: usize,
    workload: usize,
    parameters: Vec<usize>,
    policy: usize,
    spec: usize,
    unit: usize,
    seed: usize,
}

impl Columns {
    fn of(manifest: &Manifest, header: &csv::StringRecord) -> Result<Columns, ResultsError> {
        let parameters = manifest.parameters.iter().map(|parameter| column(header, &parameter.name));
        Ok(Columns {
            key: column(header, "key")?,
            workload: column(header, "workload")?,
            parameters: parameters.collect::<Result<_, _>>()?,
            policy: column(header, "policy")?,
            spec: column(header, "spec")?,
            unit: column(header, "unit")?,
            seed: column(header, "seed")?,
        })
    }

    fn planned(&self, manifest: &Manifest, record: &csv::StringRecord) -> Result<Planned, ResultsError> {
        let parameters = manifest.parameters.iter().zip(&self.parameters);
        let values = parameters.map(|(parameter, &at)| {
            among(record, at, &parameter.name, parameter.values.iter().map(String::as_str))
        });
        let whole = |at: usize| field(record, at).parse().map_err(|_| wrong(record, at, "whole number"));
        let workloads = manifest.workloads.iter().map(|workload| workload.name.as_str());
        let policies = manifest.policies.iter().map(|policy| policy.label.as_str());
        Ok(Planned {
            key: key_of(record, self.key)?,
            workload: among(record, self.workload, "workload", workloads)?,
            point: values.collect::<Result<_, _>>()?,
            policy: among(record, self.policy, "policy", policies)?,
            spec: field(record, self.spec).into(),
            unit: u32::try_from(whole(self.unit)?).map_err(|_| wrong(record, self.unit, "unit"))?,
            seed: whole(self.seed)?,
        })
    }
}

fn column(header: &csv::StringRecord, name: &str) -> Result<usize, ResultsError> {
    header.iter().position(|known| known == name).ok_or_else(|| ResultsError::Column(name.into()))
}

fn field(record: &csv::StringRecord, at: usize) -> &str {
    record.get(at).unwrap_or_default()
}

/// Returns the position of a column's value among some names.
fn among<'a>(
    record: &csv::StringRecord,
    at: usize,
    what: &str,
    mut names: impl Iterator<Item = &'a str>,
) -> Result<usize, ResultsError> {
    let text = field(record, at);
    names.position(|name| name == text).ok_or_else(|| wrong(record, at, what))
}

/// Returns the key of a replay, which is part of names of files and of commands.
fn key_of(record: &csv::StringRecord, at: usize) -> Result<String, ResultsError> {
    let key = field(record, at);
    let is_key = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric());
    is_key.then(|| key.to_owned()).ok_or_else(|| wrong(record, at, "key"))
}

fn number(record: &csv::StringRecord, at: usize) -> Result<Option<f64>, ResultsError> {
    match field(record, at) {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| wrong(record, at, "number")),
    }
}

fn unit_of(record: &csv::StringRecord, at: usize) -> Result<Option<u32>, ResultsError> {
    match field(record, at) {
        WHOLE => Ok(None),
        text => text.parse().map(Some).map_err(|_| wrong(record, at, "unit")),
    }
}

fn wrong(record: &csv::StringRecord, at: usize, what: &str) -> ResultsError {
    let line = record.position().map_or(0, csv::Position::line);
    ResultsError::Value { line, text: field(record, at).into(), what: what.into() }
}
