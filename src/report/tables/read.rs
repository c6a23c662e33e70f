//! Reading of a declared table.

use super::cells::{CELLS, CellKind, DEFAULT_CELL};
use super::check::check;
use super::names::ALL;
use super::{Axis, Baseline, FamilyScope, Form, Names, TableSpec};
use crate::experiment::file_name::{LETTERS, is_file_name};
use crate::experiment::keys::{FILE_NAME, POLICIES, WHERE, WORKLOADS, key};
use crate::experiment::{ExperimentError, Section, SectionSpec};
use crate::study::Pool;
use crate::table::{Conditions, Float, TimeUnit};

/// `[[table]]`.
pub static SECTION: SectionSpec = SectionSpec {
    name: "table",
    summary: "a table; without one, all metrics are shown",
    example: "[[table]]\nname = \"main\"\nrows = [\"workload\", \"policy\"]\ncells = [\"value\", \"interval\", \"p\"]",
    keys: &[
        FILE_NAME,
        key("title", "text", "the name", "its title"),
        key("caption", "text", "generated", "its caption in LaTeX, one or two sentences"),
        key(
            "float",
            "column, page or long",
            "the narrowest that fits",
            "in LaTeX: table, table* or longtable",
        ),
        key(
            "conditions",
            "note or file",
            "note",
            "in LaTeX, conditions go below the table or to tables/conditions.tex",
        ),
        key(
            "rows",
            "list",
            "what there are several of",
            "workload, policy, baseline, metric, class, or a parameter",
        ),
        key("columns", "list", "metric, baseline", "the same, over columns"),
        WORKLOADS,
        POLICIES,
        key("metrics", "list", "all measured", "metrics that it shows"),
        key("classes", "list", "all jobs", "classes that it shows; all of them where class is an axis"),
        WHERE,
        key(
            "cells",
            "list",
            "value, interval; with baselines or ratio_to ratio, interval",
            "contents of cells; see `batchlab list cells`",
        ),
        key("baseline", "label", "the experiment's", "what policies are compared with here"),
        key(
            "baselines",
            "list",
            "",
            "labels of several policies to compare with, each over columns or rows of its own",
        ),
        key(
            "ratio_to",
            "values of parameters",
            "",
            "compare with these values under the same policy, all else being equal: { M = 256 }",
        ),
        key(
            "family",
            "point, measure or table",
            "point",
            "tests that are adjusted together: those of a metric at a workload and point, of a metric, all",
        ),
        key("form", "wide or long", "wide", "long: a row for each value, for programs"),
        key("best", "true or false", "false", "make the best value bold, and say whether it is shown to be"),
        key("mean", "geometric", "", "add the geometric mean of ratios over workloads"),
        key(
            "pool",
            "units, geometric or jobs",
            "units",
            "how units make a value: their mean, their geometric mean, or the statistic over the jobs of all units, which \
                has no interval; sd is then over jobs",
        ),
        key("digits", "1 to 15", "the unit's", "significant digits of the smallest number of a column"),
        key("time", "s, min or h", "s", "unit of times"),
    ],
};
const FAMILIES: &[(&str, FamilyScope)] = &[
    ("point", FamilyScope::DesignPoint),
    ("measure", FamilyScope::Measure),
    ("table", FamilyScope::Table),
    // An older name of `point`.
    ("site", FamilyScope::DesignPoint),
];
const FORMS: &[(&str, Form)] = &[("wide", Form::Wide), ("long", Form::Long)];
const TIMES: &[(&str, TimeUnit)] =
    &[("s", TimeUnit::Seconds), ("min", TimeUnit::Minutes), ("h", TimeUnit::Hours)];
/// The most significant digits of a float.
const MOST_DIGITS: u64 = 15;

/// The result of reading.
pub type Read<T> = Result<T, ExperimentError>;

impl TableSpec {
    /// Reads and checks all tables of a file.
    ///
    /// # Errors
    /// As [`TableSpec::read`], and if two tables have the same name.
    pub fn read_all(whole: &Section<'_>, names: &Names) -> Read<Vec<TableSpec>> {
        let mut specs: Vec<TableSpec> = Vec::new();
        for section in whole.sections("table", "[[table]]")? {
            let spec = TableSpec::read(&section, names)?;
            if specs.iter().any(|known| known.name == spec.name) {
                return Err(section.wrong("name", &format!("there are two tables `{}`", spec.name)));
            }
            specs.push(spec);
        }
        Ok(specs)
    }

    /// Reads and checks a `[[table]]` using names only; nothing needs to have run.
    ///
    /// # Errors
    /// Unknown keys, names and words, with suggestions; tables that cannot be filled: an axis used twice or
    /// not at all, a comparison without a baseline, an interval for units that are not replications. Each
    /// error gives the line.
    pub fn read(section: &Section<'_>, names: &Names) -> Read<TableSpec> {
        SECTION.check(section)?;
        let labels: Vec<&str> = names.policies.iter().map(String::as_str).collect();
        let workloads: Vec<&str> = names.workloads.iter().map(|(name, _)| name.as_str()).collect();
        let metrics = metrics(section, names)?;
        let pool = section.one_of("pool", &Pool::WORDS)?.unwrap_or_default();
        let (cells, intervals) = cells(section, names, pool)?;
        let rows = axes(section, "rows", names)?.unwrap_or_default();
        let columns = axes(section, "columns", names)?.unwrap_or_default();
        let has_classes = [&rows, &columns].iter().any(|axes| axes.contains(&Axis::Class));
        let mut spec = TableSpec {
            name: name(section)?,
            title: section.text("title")?,
            caption: section.text("caption")?,
            float: section.one_of("float", &Float::NAMES)?,
            conditions: section.one_of("conditions", &Conditions::NAMES)?.unwrap_or_default(),
            rows,
            columns,
            workloads: positions(section, "workloads", &workloads)?,
            values: values(section, names)?,
            policies: positions(section, "policies", &labels)?,
            metrics,
            classes: classes(section, names, has_classes)?,
            cells,
            intervals,
            baselines: baselines(section, names)?,
            family: section.one_of("family", FAMILIES)?.unwrap_or_default(),
            form: section.one_of("form", FORMS)?.unwrap_or_default(),
            best: section.truth("best")?.unwrap_or(false),
            geometric: section.one_of("mean", &[("geometric", true)])?.unwrap_or(false),
            pool,
            digits: digits(section)?,
            time: section.one_of("time", TIMES)?.unwrap_or_default(),
        };
        spec.place(section, names);
        check(&spec, section, names)?;
        Ok(if spec.form == Form::Long { spec.for_programs(names) } else { spec })
    }

    /// Assigns axes that the table does not assign: metrics and several baselines to columns, every other axis with several
    /// values to rows.
    fn place(&mut self, section: &Section<'_>, names: &Names) {
        if !section.has("columns") && !self.rows.contains(&Axis::Metric) {
            self.columns.push(Axis::Metric);
        }
        if !section.has("columns") && !self.rows.contains(&Axis::Baseline) && self.baselines.len() > 1 {
            self.columns.push(Axis::Baseline);
        }
        if !section.has("rows") {
            let free = |axis: &Axis| !self.columns.contains(axis) && self.count(*axis) > 1;
            self.rows = Axis::all(names).into_iter().filter(free).collect();
            if self.rows.is_empty() && !self.columns.contains(&Axis::Policy) {
                self.rows.push(Axis::Policy);
            }
        }
    }
}

/// Returns the name of a table, which is also its file name.
pub fn name(section: &Section<'_>) -> Read<String> {
    let name = section.needed("name")?;
    if !is_file_name(&name) {
        let what = format!("name: `{name}` becomes a file: at most 200 bytes of {LETTERS}, and no `.` first");
        return Err(section.wrong("name", &what));
    }
    Ok(name)
}

fn axes(section: &Section<'_>, key: &str, names: &Names) -> Read<Option<Vec<Axis>>> {
    let Some(given) = section.texts(key)? else { return Ok(None) };
    let all = Axis::all(names);
    let mut chosen = Vec::new();
    for word in given {
        let axis = all.iter().find(|axis| axis.name(names) == word);
        let axis =
            axis.ok_or_else(|| section.unknown(key, &word, all.iter().map(|axis| axis.name(names))))?;
        if chosen.contains(axis) {
            return Err(section.wrong(key, &format!("{key}: `{word}` is listed twice")));
        }
        chosen.push(*axis);
    }
    Ok(Some(chosen))
}

/// Returns the position of a name, which must be known.
pub fn position(section: &Section<'_>, key: &str, given: &str, known: &[&str]) -> Read<usize> {
    known
        .iter()
        .position(|name| *name == given)
        .ok_or_else(|| section.unknown(key, given, known.iter().copied()))
}

/// Returns the position of a parameter value: the one with the same text, else the one with the same number.
pub fn value(section: &Section<'_>, key: &str, given: &str, known: &[&str]) -> Read<usize> {
    find_value(given, known).ok_or_else(|| section.unknown(key, given, known.iter().copied()))
}

/// Returns the position of a parameter value; `1.0` and `1e0` match the value `1`.
pub fn find_value(given: &str, known: &[&str]) -> Option<usize> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let is_same = |value: &&str| number(given).is_some_and(|given| number(value) == Some(given));
    known.iter().position(|value| *value == given).or_else(|| known.iter().position(is_same))
}

/// Returns the positions of the names in a list, in its order; all known names if there is no list.
pub fn positions(section: &Section<'_>, key: &str, known: &[&str]) -> Read<Vec<usize>> {
    match section.texts(key)? {
        None => Ok((0..known.len()).collect()),
        Some(given) => given.iter().map(|name| position(section, key, name, known)).collect(),
    }
}

fn metrics(section: &Section<'_>, names: &Names) -> Read<Vec<String>> {
    let all = names.metrics();
    let Some(given) = section.texts("metrics")? else {
        return Ok(names.metrics_for_readers().into_iter().map(String::from).collect());
    };
    for metric in &given {
        position(section, "metrics", metric, &all)?;
    }
    Ok(given)
}

/// Returns the classes that are shown: those given; else every class if class is an axis, and all jobs
/// together if not.
fn classes(section: &Section<'_>, names: &Names, is_axis: bool) -> Read<Vec<String>> {
    let Some(given) = section.texts("classes")? else {
        let known = names.classes();
        let shown = if is_axis { &known[..] } else { &[ALL] };
        return Ok(shown.iter().map(ToString::to_string).collect());
    };
    for class in &given {
        position(section, "classes", class, &names.classes())?;
    }
    Ok(given)
}

/// Returns the values of each parameter that `where` selects.
pub fn values(section: &Section<'_>, names: &Names) -> Read<Vec<Vec<usize>>> {
    let mut values: Vec<Vec<usize>> =
        names.parameters.iter().map(|of| (0..of.values.len()).collect()).collect();
    let Some(conditions) = section.section("where", "where")? else { return Ok(values) };
    let known: Vec<&str> = names.parameters.iter().map(|of| of.name.as_str()).collect();
    for key in conditions.keys() {
        let at = position(&conditions, key, key, &known)?;
        let known: Vec<&str> = names.parameters[at].values.iter().map(String::as_str).collect();
        let given = conditions.scalars(key)?.unwrap_or_default();
        values[at] = given.iter().map(|given| value(&conditions, key, given, &known)).collect::<Read<_>>()?;
    }
    Ok(values)
}

/// Returns what results are compared with: by default the experiment's baseline.
fn baselines(section: &Section<'_>, names: &Names) -> Read<Vec<Baseline>> {
    let mut given = ["baseline", "baselines", "ratio_to"].into_iter().filter(|key| section.has(key));
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        let what = format!("{second}: the table has `{first}` already: one of them says what is compared");
        return Err(section.wrong(second, &what));
    }
    let labels: Vec<&str> = names.policies.iter().map(String::as_str).collect();
    if let Some(label) = section.text("baseline")? {
        return Ok(vec![Baseline::Policy(position(section, "baseline", &label, &labels)?)]);
    }
    if section.has("baselines") {
        let policies = positions(section, "baselines", &labels)?;
        let twice = policies.iter().enumerate().find(|(at, policy)| policies[..*at].contains(policy));
        if let Some((_, policy)) = twice {
            let what = format!("baselines: `{}` is listed twice", labels[*policy]);
            return Err(section.wrong("baselines", &what));
        }
        return Ok(policies.into_iter().map(Baseline::Policy).collect());
    }
    if let Some(values) = ratio_to(section, names)? {
        return Ok(vec![Baseline::Values(values)]);
    }
    Ok(names.baseline.map(Baseline::Policy).into_iter().collect())
}

/// Returns the parameters that `ratio_to` names, each with its value, by position.
fn ratio_to(section: &Section<'_>, names: &Names) -> Read<Option<Vec<(usize, usize)>>> {
    let Some(given) = section.section("ratio_to", "ratio_to")? else { return Ok(None) };
    let parameters: Vec<&str> = names.parameters.iter().map(|of| of.name.as_str()).collect();
    let mut chosen = Vec::new();
    for key in given.keys() {
        let at = position(&given, key, key, &parameters)?;
        let known: Vec<&str> = names.parameters[at].values.iter().map(String::as_str).collect();
        match &given.scalars(key)?.unwrap_or_default()[..] {
            [one] => chosen.push((at, value(&given, key, one, &known)?)),
            _ => return Err(given.wrong(key, &format!("{key}: results are compared with one of its values"))),
        }
    }
    if chosen.is_empty() {
        return Err(section.wrong("ratio_to", "ratio_to: it names no parameter of the sweep"));
    }
    Ok(Some(chosen))
}

/// Returns the parts of cells, and whether intervals are shown; by default the value with its interval, or the ratio where
/// the table says what it compares with.
fn cells(section: &Section<'_>, names: &Names, pool: Pool) -> Read<(Vec<&'static CellKind>, bool)> {
    let known = || CELLS.iter().map(|kind| kind.name).chain(["interval"]);
    let Some(given) = section.texts("cells")? else {
        let compares = section.has("baselines") || section.has("ratio_to");
        let shown = if compares { "ratio" } else { DEFAULT_CELL };
        let value = CELLS.iter().filter(|kind| kind.name == shown).collect();
        let can = names.workloads.iter().all(|(_, units)| crate::study::Reason::of_units(*units).is_none());
        return Ok((value, can && pool != Pool::Jobs));
    };
    let mut kinds: Vec<&'static CellKind> = Vec::new();
    for word in given.iter().filter(|word| *word != "interval") {
        let kind = CELLS.iter().find(|kind| kind.name == word);
        let kind = kind.ok_or_else(|| section.unknown("cells", word, known()))?;
        if kinds.iter().all(|other| other.name != kind.name) {
            kinds.push(kind);
        }
    }
    if !kinds.iter().any(|kind| kind.interval.is_some()) && given.iter().any(|word| word == "interval") {
        kinds.splice(0..0, CELLS.iter().filter(|kind| kind.is_value()));
    }
    Ok((kinds, given.iter().any(|word| word == "interval")))
}

fn digits(section: &Section<'_>) -> Read<Option<usize>> {
    let digits = section.whole("digits", 1)?;
    if digits.is_some_and(|digits| digits > MOST_DIGITS) {
        return Err(section.wrong("digits", &format!("`digits` is at most {MOST_DIGITS}")));
    }
    Ok(digits.map(|digits| digits as usize))
}
