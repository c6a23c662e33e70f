//! Results as CSV: a row for each workload, point, policy and unit, with the key of its replay.

use std::collections::HashMap;
use std::io::{Read, Write};

use batchlab_traces::foreign::safe;
use batchlab_traces::sorted::{SortedMap, SortedSet};

use super::checksums::{Checksums, RowTexts};
use super::frame::FrameRow;
use super::manifest::{Manifest, Planned};
use super::measuring::UnitRow;

/// The reason why a text cannot be read as results; lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The text is not CSV, or cannot be read or written.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    #[error("there is no column `{0}`")]
    Column(String),
    #[error("line {line} has {found} of {columns} fields")]
    Torn { line: u64, found: usize, columns: usize },
    #[error("line {line}: `{}` is no {what}", text.escape_debug())]
    Value { line: u64, text: String, what: String },
}

pub type Known = HashMap<String, Vec<UnitRow>>;

#[derive(Debug, Default)]
pub struct LoadedResults {
    /// The results of the replays whose rows are all there as they were written.
    pub known: Known,
    /// What is wrong with the other replays; `None` if nothing is.
    pub damage: Option<Damage>,
}

/// Rows that a power cut, a full disk or a hand has torn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The keys of the replays concerned, as far as they can be read.
    pub keys: SortedSet<String>,
    /// The first thing that is wrong.
    pub first: String,
}

impl Damage {
    /// Returns the damage besides replays that are known from elsewhere.
    pub fn besides(mut self, known: &Known) -> Option<Damage> {
        self.keys.retain(|key| !known.contains_key(key));
        (!self.keys.is_empty()).then_some(self)
    }
}

/// Writes a plan: the columns of the results that are known before anything has run.
pub fn write_plan(manifest: &Manifest, lines: &[Planned], out: impl Write) -> Result<(), ResultsError> {
    let mut writer = writer(out);
    writer.write_record(head(manifest))?;
    for line in lines {
        writer.write_record(place(manifest, line, &line.unit.to_string()))?;
    }
    Ok(writer.flush().map_err(csv::Error::from)?)
}

pub fn checksums(lines: &[Planned], known: &Known) -> Checksums {
    let mut rows: HashMap<String, RowTexts> = HashMap::new();
    for line in lines {
        if let Some(of_replay) = known.get(&line.key) {
            let texts = rows.entry(line.key.clone()).or_default();
            for row in of_replay {
                let values: Vec<String> = row.values.iter().copied().map(value_text).collect();
                texts.add(&unit_text(row.unit), values.iter().map(String::as_str));
            }
        }
    }
    Checksums::of(&rows)
}

/// Writes the results that are known, in the order of the plan.
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
            let values = row.values.iter().copied().map(value_text);
            writer.write_record(place(manifest, line, &unit_text(row.unit)).into_iter().chain(values))?;
        }
    }
    Ok(writer.flush().map_err(csv::Error::from)?)
}

pub fn write_failed(
    manifest: &Manifest,
    lines: &[Planned],
    failed: &SortedMap<String, String>,
    out: impl Write,
) -> Result<(), ResultsError> {
    let mut writer = writer(out);
    writer.write_record(head(manifest).into_iter().chain(["error".to_owned()]))?;
    for line in lines {
        if let Some(error) = failed.get(&line.key) {
            let place = place(manifest, line, &line.unit.to_string());
            writer.write_record(place.into_iter().chain([safe(error).into_owned()]))?;
        }
    }
    Ok(writer.flush().map_err(csv::Error::from)?)
}

pub fn read_plan(manifest: &Manifest, text: impl Read) -> Result<Vec<Planned>, ResultsError> {
    let mut reader = csv::Reader::from_reader(text);
    let columns = Columns::of(manifest, reader.headers()?)?;
    let mut lines = Vec::new();
    for record in reader.records() {
        lines.push(columns.planned(manifest, &record?)?);
    }
    Ok(lines)
}

/// Reads results by the keys of their replays, with values in the order of a manifest's measures; leaves out replays for which
/// the text lacks one of the measures, and those with rows that are torn, changed or missing.
///
/// Without checksums, as in folders of older versions, lines that are not rows are found, and a last line without its end.
pub fn read_known(
    manifest: &Manifest,
    text: impl Read,
    checksums: Option<&Checksums>,
) -> Result<LoadedResults, ResultsError> {
    let mut last = b'\n';
    let text = Last { text, last: &mut last };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let mut reading =
        match reader.headers().map_err(ResultsError::from).and_then(|header| Reading::of(manifest, header)) {
            Ok(reading) => reading,
            Err(ResultsError::Csv(error)) if error.is_io_error() => return Err(error.into()),
            Err(error) => {
                let keys =
                    checksums.map_or_else(SortedSet::new, |sums| sums.keys().map(String::from).collect());
                let damage = Some(Damage { keys, first: error.to_string() });
                return Ok(LoadedResults { known: Known::new(), damage });
            }
        };
    if reading.measures.is_none() {
        return Ok(LoadedResults::default());
    }
    let mut record = csv::StringRecord::new();
    let mut last_key = String::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                field(&record, reading.key).clone_into(&mut last_key);
                reading.take(&record);
            }
            Err(error) if error.is_io_error() => return Err(error.into()),
            Err(error) => reading.wrong("", error.to_string()),
        }
    }
    drop(reader);
    if checksums.is_none() && last != b'\n' {
        reading.wrong(&last_key, "the last line is cut off".into());
    }
    Ok(reading.found(checksums))
}

/// A text that keeps its last byte.
struct Last<'a, R> {
    text: R,
    last: &'a mut u8,
}

impl<R: Read> Read for Last<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.text.read(buffer)?;
        if let Some(byte) = buffer[..read].last() {
            *self.last = *byte;
        }
        Ok(read)
    }
}

struct Reading {
    columns: usize,
    key: usize,
    unit: usize,
    /// The columns of the measures; `None` if one is missing.
    measures: Option<Vec<usize>>,
    /// The first column behind the place of a row.
    values: usize,
    known: Known,
    rows: HashMap<String, RowTexts>,
    damaged: SortedSet<String>,
    first: Option<String>,
}

impl Reading {
    fn of(manifest: &Manifest, header: &csv::StringRecord) -> Result<Reading, ResultsError> {
        let measures = manifest.measures.iter().map(|measure| column(header, &measure.key).ok());
        Ok(Reading {
            columns: header.len(),
            key: column(header, "key")?,
            unit: column(header, "unit")?,
            measures: measures.collect(),
            values: column(header, "seed")? + 1,
            known: Known::new(),
            rows: HashMap::new(),
            damaged: SortedSet::new(),
            first: None,
        })
    }

    /// Takes a row; a row that cannot be read marks its replay as damaged.
    fn take(&mut self, record: &csv::StringRecord) {
        let key = match key_of(record, self.key) {
            Ok(key) => key,
            Err(error) => return self.wrong("", error.to_string()),
        };
        let row = match self.row(record) {
            Ok(row) => row,
            Err(error) => return self.wrong(&key, error.to_string()),
        };
        self.rows
            .entry(key.clone())
            .or_default()
            .add(field(record, self.unit), record.iter().skip(self.values));
        let rows = self.known.entry(key).or_default();
        // A replay occurs once for each of its places in the results.
        if !rows.iter().any(|other: &UnitRow| other.unit == row.unit) {
            rows.push(row);
        }
    }

    fn row(&self, record: &csv::StringRecord) -> Result<UnitRow, ResultsError> {
        if record.len() != self.columns {
            let line = record.position().map_or(0, csv::Position::line);
            return Err(ResultsError::Torn { line, found: record.len(), columns: self.columns });
        }
        let measures = self.measures.iter().flatten();
        let values = measures.map(|&at| number(record, at)).collect::<Result<_, _>>()?;
        Ok(UnitRow { unit: unit_of(record, self.unit)?, values })
    }

    fn wrong(&mut self, key: &str, why: String) {
        self.damaged.insert(key.to_owned());
        self.first.get_or_insert(why);
    }

    /// Returns what has been read, without what is damaged.
    fn found(mut self, checksums: Option<&Checksums>) -> LoadedResults {
        if let Some(checksums) = checksums {
            let keys: SortedSet<String> =
                self.rows.keys().cloned().chain(checksums.keys().map(String::from)).collect();
            for key in keys {
                let rows = self.rows.get(&key).cloned().unwrap_or_default();
                if let Some(fault) = checksums.fault(&key, &rows) {
                    self.wrong(&key, fault);
                }
            }
        }
        self.known.retain(|key, _| !self.damaged.contains(key));
        // A row without a key is one of a replay that lacks it.
        if self.damaged.len() > 1 {
            self.damaged.remove("");
        }
        let keys = self.damaged;
        LoadedResults { known: self.known, damage: self.first.map(|first| Damage { keys, first }) }
    }
}

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

/// The most letters of a wrong value that an error shows.
const LONGEST_SHOWN: usize = 40;

/// The text in the `unit` column for the whole of a replay that is also measured in blocks.
const WHOLE: &str = "whole";

fn unit_text(unit: Option<u32>) -> String {
    unit.map_or_else(|| WHOLE.to_owned(), |unit| unit.to_string())
}

fn value_text(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn writer<W: Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(out)
}

fn head(manifest: &Manifest) -> Vec<String> {
    let parameters = manifest.parameters.iter().map(|parameter| parameter.name.as_str());
    let names = ["key", "workload"].into_iter().chain(parameters).chain(["policy", "spec", "unit", "seed"]);
    names.map(String::from).collect()
}

fn place(manifest: &Manifest, line: &Planned, unit: &str) -> Vec<String> {
    let values = manifest.parameters.iter().zip(&line.point).map(|(parameter, &at)| &parameter.values[at]);
    let names = [&manifest.workloads[line.workload].name].into_iter().chain(values);
    let names = names.chain([&manifest.policies[line.policy].label]);
    let mut fields = vec![line.key.clone()];
    fields.extend(names.map(|name| safe(name).into_owned()));
    fields.extend([line.spec.clone(), unit.to_owned(), line.seed.to_string()]);
    fields
}

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

fn among<'a>(
    record: &csv::StringRecord,
    at: usize,
    what: &str,
    mut names: impl Iterator<Item = &'a str>,
) -> Result<usize, ResultsError> {
    let text = field(record, at);
    names.position(|name| safe(name) == text).ok_or_else(|| wrong(record, at, what))
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
    let text = field(record, at).chars().take(LONGEST_SHOWN).collect();
    ResultsError::Value { line, text, what: what.into() }
}
