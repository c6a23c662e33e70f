//! Published numbers compared with measured ones.

mod table;

use std::sync::Arc;

use batchlab_traces::finding::{Example, Kind, Level};
use batchlab_traces::nearest::{meant, nearest};
use batchlab_traces::{Findings, SourcePlace};

pub use self::table::compared;
use super::Names;
use super::names::ALL;
use super::read::find_value;
use batchlab_study::experiment::{DesignPoint, Parameter};

/// Published numbers, each with its subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    pub rows: Vec<PublishedRow>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// Workload and point of the sweep.
    pub design_point: DesignPoint,
    pub policy: usize,
    /// The measure, by position.
    pub measure: usize,
    pub value: f64,
    /// The interval given with it.
    pub interval: Option<(f64, f64)>,
    /// Where it was published; empty if the file does not say.
    pub source: String,
}

/// An error in a file of published numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct PublishedError {
    /// Where.
    pub place: SourcePlace,
    /// What is wrong.
    pub what: String,
}

static NO_MATCH: Kind = Kind {
    code: "published-no-match",
    level: Level::Warning,
    what: "published {number names|numbers name} nothing that was measured",
    done: "left out of the comparison",
    advice: "write names as the experiment does, and values of parameters as its file does",
};
static NO_NUMBER: Kind = Kind {
    code: "published-no-number",
    level: Level::Warning,
    what: "published {value is|values are} no number",
    done: "left out of the comparison",
    advice: "write numbers with a decimal point, without a unit and without separators of thousands",
};

/// The accepted columns, besides those named after parameters.
const COLUMNS: [&str; 8] = ["workload", "policy", "metric", "class", "value", "low", "high", "source"];

impl Published {
    /// Reads a CSV file: a header, then one number a line.
    ///
    /// Columns `workload`, `policy`, `metric`, `class` and those named as swept parameters identify the
    /// subject of a number; a column may be left out if the experiment has a single value for it. `value` is
    /// the number in the unit of the metric (seconds, shares of 1), `low` and `high` its interval, `source`
    /// where it was published. A line whose subject was not measured becomes a finding with its line number
    /// and the nearest name.
    ///
    /// # Errors
    /// A header without `value`, or with an unknown column.
    pub fn read(text: &str, file: &str, names: &Names) -> Result<(Published, Findings), PublishedError> {
        let file: Arc<str> = file.into();
        let place = |line: u32| SourcePlace { file: Arc::clone(&file), line, column: 0 };
        let wrong = |line: u32, what: String| PublishedError { place: place(line), what };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A line with too few fields is no error of the file: its missing fields become findings.
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| wrong(1, error.to_string()))?.clone();
        let header: Vec<String> = header.iter().map(String::from).collect();
        check_header(&header, names).map_err(|what| wrong(1, what))?;
        let (mut published, mut findings) = (Published::default(), Findings::lenient());
        for record in reader.records() {
            let record = record.map_err(|error| wrong(0, error.to_string()))?;
            let line = record.position().map_or(0, |position| position.line() as u32);
            match row(&header, &record, names, line) {
                Ok(row) => published.rows.push(row),
                Err((kind, detail)) => {
                    let example = || Example { place: Some(place(line)), detail };
                    // A lenient collection refuses nothing.
                    let _ = findings.report(kind, example);
                }
            }
        }
        Ok((published, findings))
    }
}

fn check_header(header: &[String], names: &Names) -> Result<(), String> {
    let known = || COLUMNS.into_iter().chain(names.parameters.iter().map(|of| of.name.as_str()));
    let all = || known().collect::<Vec<_>>().join(", ");
    if let Some(unknown) = header.iter().find(|name| !known().any(|known| known == name.as_str())) {
        let meant = meant(nearest(unknown, known()));
        return Err(format!("unknown column `{unknown}`{meant}; known are {}", all()));
    }
    if !header.iter().any(|name| name == "value") {
        return Err(format!("the column `value` is missing; columns are {}", all()));
    }
    Ok(())
}

type Refused = (&'static Kind, String);

fn row(
    header: &[String],
    fields: &csv::StringRecord,
    names: &Names,
    line: u32,
) -> Result<PublishedRow, Refused> {
    let field = |name: &str| {
        let at = header.iter().position(|column| column == name)?;
        fields.get(at).filter(|field| !field.is_empty())
    };
    let workloads: Vec<&str> = names.workloads.iter().map(|(name, _)| name.as_str()).collect();
    let labels: Vec<&str> = names.policies.iter().map(String::as_str).collect();
    let metrics = names.metrics();
    let workload = find("workload", field("workload"), &workloads)?;
    let policy = find("policy", field("policy"), &labels)?;
    let metric = metrics[find("metric", field("metric"), &metrics)?];
    let classes = names.classes();
    let class = match field("class") {
        None => ALL,
        given => classes[find("class", given, &classes)?],
    };
    let value = |parameter: &Parameter| {
        let known: Vec<&str> = parameter.values.iter().map(String::as_str).collect();
        find(&parameter.name, field(&parameter.name), &known)
    };
    let point = names.parameters.iter().map(value).collect::<Result<_, Refused>>()?;
    let measure = names
        .measure(metric, class)
        .ok_or_else(|| (&NO_MATCH, format!("{metric} is not measured for the jobs of class {class}")))?;
    Ok(PublishedRow {
        line,
        design_point: DesignPoint { workload, point },
        policy,
        measure,
        value: number(field("value"))?.ok_or_else(|| (&NO_NUMBER, "there is no value".to_owned()))?,
        interval: number(field("low"))?.zip(number(field("high"))?),
        source: field("source").unwrap_or_default().to_owned(),
    })
}

/// Returns the position of the given name among the known ones; if none is given, the only known one.
fn find(what: &str, given: Option<&str>, known: &[&str]) -> Result<usize, Refused> {
    match given {
        None if known.len() == 1 => Ok(0),
        None => Err((&NO_MATCH, format!("it does not say which {what}; known are {}", known.join(", ")))),
        Some(given) => find_value(given, known).ok_or_else(|| {
            let meant = meant(nearest(given, known.iter().copied()));
            (&NO_MATCH, format!("unknown {what} `{given}`{meant}"))
        }),
    }
}

fn number(field: Option<&str>) -> Result<Option<f64>, Refused> {
    let Some(text) = field else { return Ok(None) };
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.map(Some).ok_or_else(|| (&NO_NUMBER, format!("`{text}`")))
}
